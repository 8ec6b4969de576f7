"""``altsel near-optimal`` and ``altsel front``: what there is besides the best, and what difference costs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

import altsel
from altsel.cli import options
from altsel.cli.options import (
    Apart,
    Criterion,
    Data,
    Distance,
    DropMissing,
    Measured,
    MeasureName,
    ObjectiveName,
    Quiet,
    Rules,
    Seed,
    Size,
    SolverName,
    Target,
    TaskOption,
    TimeLimit,
    Within,
)
from altsel.cli.output import Form, Format, Output, check_output, deliver, form_for, progress, rendered
from altsel.cli.recorded import command_of, recorded
from altsel.cli.rules_file import read_rules
from altsel.results.front import PLOTS
from altsel.results.solutions import Stop
from altsel.results.text import csv_text, json_text
from altsel.runtime.clock import limited
from altsel.runtime.files import check_picture


def near_optimal(  # noqa: PLR0913  (one option each)
    ctx: typer.Context,
    data: Data,
    *,
    target: Target,
    k: Size,
    within: Within = 0.05,
    limit: Annotated[int, typer.Option(help="Most sets.")] = 100,
    tau: Annotated[
        float | None, typer.Option(help="Smallest dissimilarity of the sets; default: none.")
    ] = None,
    dissimilarity: Apart = Distance.DICE,
    measure: Measured = MeasureName.MI,
    objective: Criterion = ObjectiveName.UNIVARIATE,
    rules: Rules = None,
    solver: SolverName = "auto",
    time_limit: TimeLimit = None,
    task: TaskOption = None,
    drop_missing: DropMissing = False,
    seed: Seed = 0,
    format: Form = None,
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """List all sets that are nearly as good as the best, with the proof that there are no others.

    Example: altsel near-optimal examples/data/ionosphere.csv.gz --target target -k 5 --within 0.02
    """
    form = form_for(format, output, data, rules)
    loss = altsel.RelativeLoss(within)
    apart = None if tau is None else options.apart(dissimilarity, tau)
    ask = _asker(objective, options.measure(measure, seed), k, rules)
    with progress(quiet), limited(time_limit):
        table = options.read_table(data, target, task, drop_missing)
        found = recorded(altsel.near_optimal(ask(table), loss, limit, apart, solver), ctx, table)
    deliver(rendered(found, form), output)
    raise typer.Exit(_code(found.stop))


def front(  # noqa: PLR0913  (one option each)
    ctx: typer.Context,
    data: Data,
    *,
    target: Target,
    k: Size,
    dissimilarity: Apart = Distance.DICE,
    measure: Measured = MeasureName.MI,
    objective: Criterion = ObjectiveName.UNIVARIATE,
    rules: Rules = None,
    solver: SolverName = "auto",
    time_limit: TimeLimit = None,
    task: TaskOption = None,
    drop_missing: DropMissing = False,
    seed: Seed = 0,
    plot: Annotated[Path | None, typer.Option(help="Draw it to this file, .png, .svg or .pdf.")] = None,
    format: Form = None,
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Show what it costs an alternative to differ from the best set: the exact front, point by point.

    Example: altsel front examples/data/ionosphere.csv.gz --target target -k 5 --plot front.png
    """
    form = form_for(format, output, data, rules)
    if plot is not None:
        check_output(plot, "--plot", data, rules, output)
        check_picture(plot, PLOTS, "matplotlib", "plot")
    apart = options.apart(dissimilarity, 0.0)
    ask = _asker(objective, options.measure(measure, seed), k, rules)
    with progress(quiet), limited(time_limit):
        table = options.read_table(data, target, task, drop_missing)
        found = altsel.pareto_front(ask(table), apart, solver=solver)
    deliver(_written(found, form, command_of(ctx, table)), output)
    if plot is not None:
        found.plot(plot)
    raise typer.Exit(_code(found.stop))


def _asker(objective: ObjectiveName, measure: altsel.measures.Measure, k: str, rules: Path | None) -> Any:
    """Make what turns a table into the problem; checks all it can before the table is read."""
    sizes = options.sizes(k)
    limits = read_rules(rules)
    make_objective = options.objective_factory(objective, measure, normalize=False)
    return lambda rows: altsel.Problem(make_objective(rows), sizes, limits.subject_to, limits.across)


def _written(found: altsel.Front, form: Format, request: dict[str, Any]) -> str:
    frame = found.to_frame()
    if form is Format.TABLE:
        return f"{found}\n"
    if form is Format.CSV:
        frame["sets"] = [json_text(sets) for sets in frame["sets"]]
        return csv_text(frame, "point")
    points = json.loads(frame.to_json(orient="records", double_precision=15))
    plain = {
        "measure": found.measure,
        "quality": found.quality,
        "reference": found.reference,
        "stop": found.stop,
        "points": points,
        "request": request,
    }
    return json_text(plain, 2) + "\n"


def _code(stop: Stop) -> int:
    """Exit code of a search that has no number of sets to reach."""
    if stop in {Stop.TIME, Stop.LIMIT}:
        typer.echo("a limit was reached: there may be more", err=True)
    if stop is Stop.INTERRUPT:
        typer.echo("interrupted; this is what was found until then", err=True)
    if stop is Stop.COUNT:
        typer.echo("there are more; raise --limit", err=True)
    codes = {Stop.INFEASIBLE: 3, Stop.TIME: 4, Stop.LIMIT: 4, Stop.COUNT: 4, Stop.INTERRUPT: 130}
    return codes.get(stop, 0)
