"""The command line: ``altsel select`` and ``altsel solvers``.

Results go to stdout, notes and progress to stderr. Exit codes: 0 done and proved; 1 failure;
2 wrong usage or configuration; 3 proved infeasible; 4 a limit was reached, with what was found
until then; 130 interrupted.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import tempfile
import time
import warnings
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

import altsel
from altsel.errors import AltselError, ArgumentError, DataWarning
from altsel.layout import text_table
from altsel.result import Proof, Solutions, Stop

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, help=__doc__)


class MeasureName(StrEnum):
    """Measures of dependence."""

    MI = "mutual-information"
    SU = "symmetric-uncertainty"
    PEARSON = "absolute-pearson"
    SPEARMAN = "absolute-spearman"
    IMPORTANCES = "importances"
    PERMUTATION = "permutation-importance"


class SearchName(StrEnum):
    """Searches."""

    SEQUENTIAL = "sequential"
    SIMULTANEOUS = "simultaneous"
    REPLACEMENT = "greedy-replacement"
    BALANCING = "greedy-balancing"


class Distance(StrEnum):
    """Dissimilarities."""

    DICE = "dice"
    JACCARD = "jaccard"


class Total(StrEnum):
    """Totals of a simultaneous search."""

    SUM = "sum"
    MIN = "min"


class Format(StrEnum):
    """Forms of the result."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


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
    normalize: Annotated[bool, typer.Option(help="Scale relevances to sum 1.")] = False,
    search: Annotated[SearchName, typer.Option(help="How sets are searched.")] = SearchName.SEQUENTIAL,
    total: Annotated[Total, typer.Option(help="What a simultaneous search maximises.")] = Total.SUM,
    solver: Annotated[str | None, typer.Option(help="Profile of solvers.toml; see 'altsel solvers'.")] = None,
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
    _check_output(output)
    apart = {Distance.DICE: altsel.Dice, Distance.JACCARD: altsel.Jaccard}[dissimilarity](tau)
    engine = None
    if search in {SearchName.SEQUENTIAL, SearchName.SIMULTANEOUS}:
        engine = altsel.solver(solver, time_limit=time_limit)
    sizes = _sizes(k)
    missing = "drop rows" if drop_missing else "error"
    _show_progress(quiet)
    table = altsel.Dataset(data, target, task, missing=missing)
    if table.dropped:
        typer.echo(f"note: rows dropped for missing values: {table.dropped}", err=True)
    chosen = _measure(measure, seed)

    def objective(rows: altsel.Dataset) -> altsel.Univariate:
        dependence = altsel.dependence(rows, chosen)
        return altsel.Univariate(dependence.normalized() if normalize else dependence)

    problem = altsel.Problem(objective(table), sizes)
    held = None if test_data is None else objective(table.holdout(test_data, target, missing=missing))
    found = _search(search, problem, apart, alternatives, total, engine)
    if held is not None:
        found = found.with_holdout(held)
    _deliver(_rendered(found, format), output)
    raise typer.Exit(_explained_exit(found, alternatives + 1, search))


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


def _measure(name: MeasureName, seed: int) -> altsel.Measure:
    from altsel.stats.dependence import MutualInformation  # noqa: PLC0415

    if seed < 0:
        raise ArgumentError(f"--seed {seed}; use a number of at least 0")
    measures: dict[MeasureName, altsel.Measure] = {
        MeasureName.MI: MutualInformation(random_state=seed),
        MeasureName.SU: altsel.symmetric_uncertainty,
        MeasureName.PEARSON: altsel.absolute_pearson,
        MeasureName.SPEARMAN: altsel.absolute_spearman,
        MeasureName.IMPORTANCES: altsel.importances(random_state=seed),
        MeasureName.PERMUTATION: altsel.permutation_importance(random_state=seed),
    }
    return measures[name]


def _search(
    name: SearchName, problem: altsel.Problem, apart: Any, alternatives: int, total: Total, engine: Any
) -> Solutions:
    if name is SearchName.SIMULTANEOUS:
        return altsel.simultaneous(problem, apart, alternatives, total.value, engine)
    if name is SearchName.SEQUENTIAL:
        return altsel.sequential(problem, apart, alternatives, engine)
    heuristic = altsel.greedy_balancing if name is SearchName.BALANCING else altsel.greedy_replacement
    return heuristic(problem, apart, alternatives)


def _rendered(found: Solutions, form: Format) -> str:
    if form is Format.JSON:
        return found.to_json() + "\n"
    if form is Format.CSV:
        frame = found.to_frame()
        frame["features"] = [json.dumps(list(one), ensure_ascii=False) for one in found]
        return str(frame.to_csv(index_label="set"))
    return f"{found}\n"


def _explained_exit(found: Solutions, wanted: int, search: SearchName) -> int:
    if found.stop is Stop.INTERRUPT:
        typer.echo("interrupted; these are the sets found until then", err=True)
        return 130
    if found.stop is Stop.INFEASIBLE:
        told = f"proved infeasible: no set number {len(found) + 1} of {wanted} differs enough from the others"
        if not found.sets:
            told = f"proved infeasible: there are no {wanted} sets that differ enough from each other"
        typer.echo(f"{told}; lower --tau, -k or --alternatives", err=True)
        return 3
    if search in {SearchName.REPLACEMENT, SearchName.BALANCING}:
        if len(found) < wanted:
            told = f"the heuristic found {len(found)} of {wanted} sets; there may be more"
            typer.echo(f"{told}: try --search sequential", err=True)
        return 0 if len(found) == wanted else 4 if found.sets else 1
    if not found.sets:
        typer.echo("nothing was found within the limits; raise --time-limit or try another solver", err=True)
        return 1
    limited = found.stop in {Stop.TIME, Stop.LIMIT} or any(one.proof is Proof.FEASIBLE for one in found)
    if limited:
        typer.echo("a limit was reached: not every set asked for was found and proved optimal", err=True)
    return 4 if limited else 0


def _check_output(output: Path | None) -> None:
    if output is not None and (output.is_dir() or not output.absolute().parent.is_dir()):
        raise ArgumentError(f"--output {output} cannot be written: no such folder, or it is one")


def _deliver(text: str, output: Path | None) -> None:
    """Print the result, or write it whole or not at all."""
    if output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    try:
        handle, name = tempfile.mkstemp(dir=output.absolute().parent, prefix=f".{output.name}.")
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as part:
            part.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(output)
    except OSError as fault:
        raise ArgumentError(f"--output {output} cannot be written: {fault}") from fault


class _Patient(logging.Handler):
    """Show messages on stderr once a search has taken longer than a second."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.began = time.perf_counter()

    def emit(self, record: logging.LogRecord) -> None:
        passed = time.perf_counter() - self.began
        if passed > 1:
            typer.echo(f"[{passed:6.1f} s] {record.getMessage()}", err=True)


def _show_progress(quiet: bool) -> None:
    logger = logging.getLogger("altsel")
    logger.handlers.clear()
    if not quiet:
        logger.addHandler(_Patient())
        logger.setLevel(logging.INFO)


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
        finally:
            logging.getLogger("altsel").handlers.clear()


if __name__ == "__main__":
    main()
