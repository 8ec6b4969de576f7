"""``altsel near-optimal`` and ``altsel front``: what there is besides the best, and what difference costs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import altsel
from altsel import catalogue
from altsel.cli.certified import certify
from altsel.cli.grouping_options import GroupingOptions
from altsel.cli.groups import grouped
from altsel.cli.leaks import note_leaks
from altsel.cli.messages import announce, progress
from altsel.cli.options import (
    CertificateFile,
    Jobs,
    ResultOptions,
    StartFile,
    TableOptions,
    TimeLimit,
    Within,
    WithinAbsolute,
)
from altsel.cli.output import Forms, check_output
from altsel.cli.problem_options import ProblemOptions, SolverOptions
from altsel.cli.reading_options import ReadingOptions
from altsel.cli.recorded import command_of, recorded
from altsel.cli.solutions_file import read_start
from altsel.display.picture import PLOTS
from altsel.parallel import workers
from altsel.report.front import sets_of
from altsel.results.stop import Stop
from altsel.results.text import json_text
from altsel.runtime.clock import limited
from altsel.runtime.files import check_picture

if TYPE_CHECKING:
    import pandas as pd


@grouped
def near_optimal(
    ctx: typer.Context,
    source: TableOptions,
    wanted: ProblemOptions,
    *,
    within: Within = None,
    within_absolute: WithinAbsolute = None,
    limit: Annotated[int, typer.Option(help="Most sets.")] = 100,
    tau: Annotated[
        float | None, typer.Option(help="Smallest dissimilarity of the sets; default: none.")
    ] = None,
    solving: SolverOptions,
    time_limit: TimeLimit = None,
    start: StartFile = None,
    certificate: CertificateFile = None,
    jobs: Jobs = None,
    grouping: GroupingOptions,
    reading: ReadingOptions,
    result: ResultOptions,
) -> None:
    """List all sets that are nearly as good as the best, with the proof that there are no others.

    Example: altsel near-optimal examples/data/ionosphere.csv.gz --target target -k 5 --within 0.02
    """
    form = result.form(source.data, wanted.rules, start)
    check_output(certificate, "--certificate", source.data, wanted.rules, start, result.output)
    good = read_start(start)
    loss = catalogue.loss(within, within_absolute)
    dissimilar_by, problem_of = wanted.dissimilar_by, wanted.factory()
    engine = solving.made(wanted.seed)
    with progress(result.quiet), limited(time_limit), workers(jobs):
        rows = grouping.rows(reading, source, seed=wanted.seed, one_table={})
        table = rows.table
        dissimilarity = None if tau is None else dissimilar_by(tau, table)
        problem = problem_of(table)
        found = altsel.near_optimal(problem, loss, limit, dissimilarity, engine, start=good)
        found = recorded(found, ctx, rows, problem_of.chosen)
        if rows.held is not None:
            found = found.with_holdout(problem_of.objective(rows.held))
    problem_of.explain(wanted.explain_defaults)
    Forms.of(found).deliver(form, result.output, result.then("performance {}", source.data))
    with progress(result.quiet):
        certify(found, certificate, problem)
    note_leaks(found, table, source.data)
    raise typer.Exit(_code(found.stop, limit))


@grouped
def front(
    ctx: typer.Context,
    source: TableOptions,
    wanted: ProblemOptions,
    *,
    solving: SolverOptions,
    time_limit: TimeLimit = None,
    start: StartFile = None,
    certificate: CertificateFile = None,
    jobs: Jobs = None,
    plot: Annotated[Path | None, typer.Option(help="Draw it to this file, .png, .svg or .pdf.")] = None,
    grouping: GroupingOptions,
    reading: ReadingOptions,
    result: ResultOptions,
) -> None:
    """Show what it costs an alternative to differ from the best set: the exact front, point by point.

    Example: altsel front examples/data/ionosphere.csv.gz --target target -k 5 --plot front.png
    """
    form = result.form(source.data, wanted.rules, start)
    check_output(certificate, "--certificate", source.data, wanted.rules, start, result.output)
    good = read_start(start)
    if plot is not None:
        check_output(plot, "--plot", source.data, wanted.rules, result.output)
        check_picture(plot, PLOTS, "matplotlib", "plot")
    dissimilar_by, problem_of = wanted.dissimilar_by, wanted.factory()
    engine = solving.made(wanted.seed)
    with progress(result.quiet), limited(time_limit), workers(jobs):
        rows = grouping.rows(reading, source, seed=wanted.seed, one_table={})
        table = rows.table
        problem = problem_of(table)
        found = altsel.pareto_front(problem, dissimilar_by(0.0, table), solver=engine, start=good)
        found = replace(found, target=table.target, data=table.fingerprint)
    problem_of.explain(wanted.explain_defaults)
    command = {**command_of(ctx, table, problem_of.chosen), **rows.request}
    _forms(found, table.members, command).deliver(form, result.output, result.told)
    with progress(result.quiet):
        certify(found, certificate, problem)
    note_leaks(sets_of(found), table, source.data)
    if plot is not None:
        found.draw(plot)
    raise typer.Exit(_code(found.stop))


def _forms(found: altsel.Front, members: Any, command: dict[str, Any]) -> Forms:
    def table() -> pd.DataFrame:
        frame = found.to_frame()
        return frame.assign(sets=[json_text(sets) for sets in frame["sets"]])

    def json_with_request() -> str:
        plain = json.loads(found.to_json(None))
        return json_text({**plain, "members": members, "request": {**plain["request"], **command}}, 2)

    return Forms(lambda: str(found), table, json_with_request, "point")


def _code(stop: Stop, most: int = 0) -> int:
    """Exit code of a search that has no number of sets to reach."""
    if stop in {Stop.TIME, Stop.LIMIT}:
        announce("a limit was reached: there may be more")
    if stop is Stop.INTERRUPT:
        announce("interrupted; this is what was found until then")
    if stop is Stop.COUNT:
        announce(f"there are more than {most}; raise --limit ({most})")
    codes = {Stop.INFEASIBLE: 3, Stop.TIME: 4, Stop.LIMIT: 4, Stop.COUNT: 4, Stop.INTERRUPT: 130}
    return codes.get(stop, 0)
