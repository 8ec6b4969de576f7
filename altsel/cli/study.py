"""``altsel study``: a table from the look to the report, by a plan."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Annotated

import typer

import altsel
from altsel.cli.groups import grouped
from altsel.cli.messages import announce, note, progress
from altsel.cli.options import DataFile, Jobs, Quiet, Target, Verbose
from altsel.cli.output import check_output, deliver, laid_out
from altsel.cli.reading_options import ReadingOptions
from altsel.errors import DataError, DataWarning
from altsel.looking.result import Look
from altsel.studying.budget import budget
from altsel.studying.plan import Plan, read_plan
from altsel.studying.study import PAGE, study_of


@grouped
def study(
    data: DataFile,
    *,
    target: Target,
    plan: Annotated[
        Path | None,
        typer.Option(
            help="TOML file of what is tried and measured, as --write-plan writes it. Default: the usual."
        ),
    ] = None,
    write_plan: Annotated[
        Path | None,
        typer.Option(
            help="Write the plan to this file, to be edited, say what it will take, and do nothing else."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the page, the JSON and a file a step; the same command goes on where it was."
        ),
    ] = None,
    jobs: Jobs = None,
    reading: ReadingOptions,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Make a whole study of a table: look, tune within folds, correct the best, compare, and report.

    The table is read as 'altsel look' proposes, but for what options say. Rows are kept apart for the end;
    all that is chosen is chosen within folds of the others; the loss of the best is corrected for the choice.
    The target holds classes or numbers: times to an event, ordered classes and rows that belong together are
    not taken.

    Example: altsel study examples/data/heart.csv.gz --target disease --output study
    """
    del verbose
    check_output(write_plan, "--write-plan", data, plan)
    wanted = read_plan(plan)
    reading.refuse_several()
    with progress(quiet):
        seen = altsel.look(data, target, reading.kept())
        table = _table(data, target, seen)
    for one in seen.proposed():
        note(f"{one.message}; done here: {one.fix}")
    if write_plan is not None:
        _write(write_plan, wanted, table, quiet)
        return
    with progress(quiet):
        done = study_of(table, output, wanted, jobs, seen)
    deliver(laid_out(lambda: f"{done}\n"), None)
    if output is None:
        note("nothing was kept: --output FOLDER keeps the page, the sets and all that was measured")
    elif not quiet:
        announce(f"written: {output / PAGE}, and all that is on it beside")


def _table(data: Path, target: str, seen: Look) -> altsel.Dataset:
    """Read the table as the look proposes; what it says of it is noted already."""
    if seen.fault:
        raise DataError(seen.fault)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return altsel.Dataset(data, target, **seen.table.arguments())


def _write(path: Path, wanted: Plan, table: altsel.Dataset, quiet: bool) -> None:
    """Write the plan, and say what it will take."""
    with progress(quiet):
        takes = budget(table, wanted)
    deliver(wanted.for_data(table).text(), path)
    announce(f"written: {path}; it takes {takes}; edit it, then: --plan {path}")
