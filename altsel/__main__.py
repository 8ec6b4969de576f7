"""The command line: ``altsel select`` and ``altsel solvers``.

Results go to stdout, notes and progress to stderr. Exit codes: 0 done and proved; 1 failure;
2 wrong usage or configuration; 3 proved infeasible; 4 a limit was reached, with what was found
until then; 130 interrupted.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

import altsel
from altsel.console import Format, SearchName, check_output, deliver, explained_exit, progress, rendered
from altsel.errors import AltselError, ArgumentError, DataWarning
from altsel.layout import text_table
from altsel.models import Dissimilarity
from altsel.result import Solutions
from altsel.search.run import automatic
from altsel.stats.dependence import MutualInformation

Search = Callable[[altsel.Problem, Dissimilarity, int], Solutions]

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, help=__doc__)


class MeasureName(StrEnum):
    """Measures of dependence."""

    MI = "mutual-information"
    SU = "symmetric-uncertainty"
    PEARSON = "absolute-pearson"
    SPEARMAN = "absolute-spearman"
    IMPORTANCES = "importances"
    PERMUTATION = "permutation-importance"
    RELIEF = "relief"


class ObjectiveName(StrEnum):
    """Criteria."""

    UNIVARIATE = "univariate"
    FCBF = "fcbf"
    MRMR = "mrmr"
    CFS = "cfs"


class Distance(StrEnum):
    """Dissimilarities."""

    DICE = "dice"
    JACCARD = "jaccard"


class Total(StrEnum):
    """Totals of a simultaneous search."""

    SUM = "sum"
    MIN = "min"


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    if version:
        typer.echo(f"altsel {altsel.__version__}")
        raise typer.Exit


@app.command()
def select(  # noqa: PLR0913  (one option each)
    data: Annotated[Path, typer.Argument(help="CSV (also compressed) or Parquet file with a header.")],
    *,
    target: Annotated[str, typer.Option(help="Name of the target column.")],
    k: Annotated[str, typer.Option("-k", help="Features in a set: 5, or 3:5 for three to five.")],
    alternatives: Annotated[int, typer.Option(help="Sets wanted besides the best one.")] = 5,
    tau: Annotated[
        float, typer.Option(help="Smallest dissimilarity: 0 (may repeat) to 1 (no common feature).")
    ] = 0.5,
    dissimilarity: Annotated[Distance, typer.Option(help="How dissimilarity is measured.")] = Distance.DICE,
    measure: Annotated[MeasureName, typer.Option(help="Relevance of a feature.")] = MeasureName.MI,
    objective: Annotated[
        ObjectiveName, typer.Option(help="What makes a set good.")
    ] = ObjectiveName.UNIVARIATE,
    normalize: Annotated[bool, typer.Option(help="Scale relevances to sum 1.")] = False,
    search: Annotated[SearchName, typer.Option(help="How sets are searched.")] = SearchName.SEQUENTIAL,
    total: Annotated[Total, typer.Option(help="What a simultaneous search maximises.")] = Total.SUM,
    solver: Annotated[
        str, typer.Option(help="auto, or a profile of solvers.toml; see 'altsel solvers'.")
    ] = "auto",
    time_limit: Annotated[float | None, typer.Option(help="Seconds for each solver call.")] = None,
    task: Annotated[altsel.Task | None, typer.Option(help="Kind of the target; inferred by default.")] = None,
    drop_missing: Annotated[bool, typer.Option(help="Drop rows with missing values.")] = False,
    test_data: Annotated[Path | None, typer.Option(help="Other rows, to score the sets on.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of everything random.")] = 0,
    format: Annotated[Format, typer.Option(help="Form of the result.")] = Format.TABLE,
    output: Annotated[Path | None, typer.Option(help="Write the result to this file.")] = None,
    quiet: Annotated[bool, typer.Option(help="No progress.")] = False,
) -> None:
    """Find the best feature set and its best alternatives, with proofs.

    Example: altsel select examples/data/ionosphere.csv.gz --target target -k 5 --tau 0.4
    """
    check_output(output)
    look = _search(search, total, solver, time_limit)
    apart: Dissimilarity = altsel.Dice(tau) if dissimilarity is Distance.DICE else altsel.Jaccard(tau)
    sizes = _sizes(k)
    weigh = _objective(objective, measure, seed, normalize)
    missing = "drop rows" if drop_missing else "error"
    with progress(quiet):
        table = altsel.Dataset(data, target, task, missing=missing)
        if table.dropped:
            typer.echo(f"note: rows dropped for missing values: {table.dropped}", err=True)
        held = None if test_data is None else table.holdout(test_data, target, missing=missing)
        found = look(altsel.Problem(weigh(table), sizes), apart, alternatives)
        if held is not None:
            found = found.with_holdout(weigh(held))
    deliver(rendered(found, format), output)
    raise typer.Exit(explained_exit(found, alternatives + 1, search))


@app.command()
def solvers(
    file: Annotated[Path | None, typer.Option(help="A solvers.toml; default: the one in force.")] = None,
) -> None:
    """List every solver profile: found or not, version, limits and what it can do."""
    rows = []
    for one in altsel.profiles(file):
        profile = one.profile
        runs = f"pyomo: {profile.solver}" if profile.solver else profile.engine
        limit = "none" if profile.time_limit is None else f"{profile.time_limit:g} s"
        can = ", ".join(sorted(one.abilities))
        found = one.version or "not installed"
        rows.append([one.name, runs, found, limit, f"{profile.gap:g}", str(profile.threads), can])
    head = ["profile", "engine", "version", "time limit", "gap", "threads", "can do besides solving"]
    typer.echo("\n".join(text_table(head, rows, right={3, 4, 5})))


def _sizes(text: str) -> int | tuple[int, int]:
    parts = text.split(":")
    try:
        numbers = [int(part) for part in parts]
    except ValueError as fault:
        raise ArgumentError(f"-k {text!r}; use a whole number, or two as in 3:5") from fault
    if len(numbers) > 2:
        raise ArgumentError(f"-k {text!r}; use a whole number, or two as in 3:5")
    return numbers[0] if len(numbers) == 1 else (numbers[0], numbers[1])


def _objective(
    criterion: ObjectiveName, name: MeasureName, seed: int, normalize: bool
) -> Callable[[altsel.Dataset], altsel.Objective]:
    if seed < 0:
        raise ArgumentError(f"--seed {seed}; use a number of at least 0")
    measures: dict[MeasureName, altsel.Measure] = {
        MeasureName.MI: MutualInformation(random_state=seed),
        MeasureName.SU: altsel.symmetric_uncertainty,
        MeasureName.PEARSON: altsel.absolute_pearson,
        MeasureName.SPEARMAN: altsel.absolute_spearman,
        MeasureName.IMPORTANCES: altsel.importances(random_state=seed),
        MeasureName.PERMUTATION: altsel.permutation_importance(random_state=seed),
        MeasureName.RELIEF: altsel.Relief(random_state=seed),
    }

    criteria: dict[ObjectiveName, Callable[[altsel.Dependence], altsel.Objective]] = {
        ObjectiveName.UNIVARIATE: altsel.Univariate,
        ObjectiveName.FCBF: altsel.FCBF,
        ObjectiveName.MRMR: altsel.MRMR,
        ObjectiveName.CFS: altsel.CFS,
    }

    def weigh(rows: altsel.Dataset) -> altsel.Objective:
        dependence = altsel.dependence(rows, measures[name])
        return criteria[criterion](dependence.normalized() if normalize else dependence)

    return weigh


def _search(name: SearchName, total: Total, solver: str, time_limit: float | None) -> Search:
    if name is SearchName.REPLACEMENT:
        return altsel.greedy_replacement
    if name is SearchName.BALANCING:
        return altsel.greedy_balancing
    auto = solver == "auto"
    engine = automatic(time_limit) if auto else altsel.solver(solver, time_limit=time_limit)
    if name is SearchName.SEQUENTIAL:
        return partial(altsel.sequential, solver=engine)
    return partial(altsel.simultaneous, total=total.value, solver=engine)


def _note(message: Any, *_: Any, **__: Any) -> None:
    typer.echo(f"note: {message}", err=True)


def main() -> None:
    """Run the command line; every error of altsel is one line on stderr."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", DataWarning)
        warnings.showwarning = _note
        try:
            app()
        except AltselError as fault:
            typer.echo(f"altsel: {fault}", err=True)
            sys.exit(fault.exit_code)
        except KeyboardInterrupt:
            typer.echo("interrupted", err=True)
            sys.exit(130)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
