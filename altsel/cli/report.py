"""``altsel report``: one page of everything known of some solutions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from altsel.cli.analyse import rows_of_search
from altsel.cli.groups import grouped
from altsel.cli.messages import progress
from altsel.cli.options import FoundOptions, Quiet, SolutionsFile
from altsel.cli.output import check_output, deliver
from altsel.cli.reading_options import ReadingOptions
from altsel.cli.recorded import BY_OPTIMISATION, command_in, problem_of
from altsel.cli.score_card import read_cards
from altsel.cli.solutions_file import Result, read_result, read_solutions, rows_of
from altsel.data.dataset import Dataset
from altsel.errors import ConfigurationError
from altsel.models.problem import Problem
from altsel.report.front import sets_of
from altsel.report.page import checked_path, page
from altsel.report.parts import Parts
from altsel.results.front import Front
from altsel.results.kinds import A_FRONT, kind_of
from altsel.results.performance import Performance
from altsel.results.solutions import Solutions
from altsel.results.stability import Stability

WANTED = "solutions or a front"
Measured = Annotated[Path | None, typer.Option(help="JSON of the command of that name, of the same sets.")]


@grouped
def report(
    solutions: SolutionsFile,
    *,
    data: Annotated[
        Path | None, typer.Option(help="Table of the search: tests which sets are equivalent, and features.")
    ] = None,
    target: Annotated[str | None, typer.Option(help="Target column; default: that of the solutions.")] = None,
    other_data: Annotated[
        bool,
        typer.Option(
            "--other-data", help="Data, or what else is given, are meant to be of others than the search's."
        ),
    ] = False,
    performance: Measured = None,
    stability: Measured = None,
    front: Measured = None,
    score_card: Annotated[
        Path | None, typer.Option(help="JSON of 'altsel score-card' for the same target, to show its cards.")
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(
            help="Certificate of the sets: check it, show what it proves, and let the page check it."
        ),
    ] = None,
    audit: Annotated[
        bool,
        typer.Option(
            "--audit",
            help="Compute sizes, rules, differences and scores again on the data; say if they hold.",
        ),
    ] = False,
    title: Annotated[str | None, typer.Option(help="Title of the page.")] = None,
    output: Annotated[
        Path | None, typer.Option(help="Write the page to this file, .html; default: to stdout.")
    ] = None,
    reading: ReadingOptions,
    quiet: Quiet = False,
) -> None:
    """Write one page that shows the sets and all that is known of them, for any browser.

    It needs no network and no other file.

    Example: altsel report found.json --data examples/data/ionosphere.csv.gz --output report.html
    """
    if output is not None:
        checked_path(output)
    check_output(output, "--output", solutions, data, performance, stability, front, score_card, certificate)
    found = _found(solutions)
    if audit and (data is None or other_data):
        raise ConfigurationError(
            "--audit: scores are computed again on the table of the search; give --data TABLE"
        )
    with progress(quiet):
        table = held = problem = None
        if data is not None:
            sets = sets_of(found) if isinstance(found, Front) else found
            rows_of_search(sets, "tests of the page take")
            source = FoundOptions(solutions, data, target, other_data)
            table, held = rows_of(sets, source, reading, "losses of sets are judged on them")
            if (certificate is not None and not other_data) or audit:
                problem = _problem(found, table)
        given = {"performance": performance, "stability": stability, "front": front}
        parts = Parts(
            table,
            _given(performance, Performance.from_json, "a performance"),
            _given(stability, Stability.from_json, "a stability"),
            _given(front, Front.from_json, "a front"),
            other_data,
            {name: f"{file} (--{name})" for name, file in given.items() if file is not None}
            | {"score_cards": f"{score_card} (--score-card)"},
            held,
            () if score_card is None else read_cards(score_card),
            certificate,
            problem,
            audit,
        )
        made = page(found, parts, title=title)
    deliver(made, output, None if quiet else "")


def _found(path: Path) -> Solutions | Front:
    """Read solutions, or the points of a front."""
    if read_result(path, kind_of, WANTED) is A_FRONT:
        return read_result(path, Front.from_json, "a front")
    return read_solutions(path, WANTED, repeated=True)


def _problem(found: Solutions | Front, table: Dataset) -> Problem | None:
    """Build the problem of the command that found some sets, so that a certificate's numbers are compared."""
    if isinstance(found, Front) or "command" not in found.request:
        return None
    return problem_of(found.request, table) if command_in(found.request)[0] in BY_OPTIMISATION else None


def _given(path: Path | None, reader: Callable[[str], Result], what: str) -> Result | None:
    return None if path is None else read_result(path, reader, what)
