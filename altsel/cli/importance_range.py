"""``altsel importance-range``: which features good sets need, and what it costs to give one up."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import altsel
from altsel.cli.groups import grouped
from altsel.cli.messages import announce, progress
from altsel.cli.options import FoundOptions, ResultOptions, SolutionsFile, TimeLimit
from altsel.cli.output import Forms, check_output
from altsel.cli.reading_options import ReadingOptions
from altsel.cli.recorded import problem_of
from altsel.cli.solutions_file import read_result, read_solutions, table_of
from altsel.display.picture import PLOTS
from altsel.results.stability import Stability
from altsel.runtime.clock import limited
from altsel.runtime.files import check_picture


@grouped
def importance_range(
    solutions: SolutionsFile,
    *,
    data: Annotated[
        Path | None,
        typer.Option(
            help="Table of the search: solve exactly for what the list leaves open, a set a feature."
        ),
    ] = None,
    stability: Annotated[
        Path | None,
        typer.Option(help="JSON of 'altsel stability' of the same search: how stable classes are."),
    ] = None,
    time_limit: TimeLimit = None,
    plot: Annotated[Path | None, typer.Option(help="Draw it to this file, .png, .svg or .pdf.")] = None,
    reading: ReadingOptions,
    result: ResultOptions,
) -> None:
    """Show in how many near-optimal sets each feature is, and what it costs to give it up.

    It takes what 'altsel near-optimal' wrote.

    Example: altsel importance-range near.json --data examples/data/ionosphere.csv.gz --plot ranges.svg
    """
    form = result.form(solutions, data, stability)
    if plot is not None:
        check_output(plot, "--plot", solutions, data, stability, result.output)
        check_picture(plot, PLOTS, "matplotlib", "plot")
    found = read_solutions(solutions)
    drawn = None if stability is None else read_result(stability, Stability.from_json, "a stability")
    with progress(result.quiet), limited(time_limit):
        problem = None
        if data is not None:
            problem = problem_of(found.request, table_of(found, FoundOptions(solutions, data), reading))
        ranges = altsel.importance_range(found, problem, stability=drawn)
    Forms(lambda: str(ranges), ranges.to_frame, ranges.to_json).deliver(form, result.output, result.told)
    if plot is not None:
        ranges.draw(plot)
    if problem is not None and not all(one.without.exact and one.holding.exact for one in ranges):
        announce("a limit was reached, or the best set is not proved: some losses are bounds")
        raise typer.Exit(4)
