"""``altsel equivalence``, ``taxonomy``, ``graph``: what several solutions tell."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import altsel
from altsel import catalogue
from altsel.cli.blanket_options import PredictiveOptions, rows_options
from altsel.cli.groups import grouped
from altsel.cli.kept_apart import parted
from altsel.cli.kept_reading import options_of
from altsel.cli.messages import note, progress
from altsel.cli.options import (
    Alpha,
    FoundOptions,
    Holdout,
    IndependenceOption,
    Level,
    ResultOptions,
    Seed,
    SolutionsFile,
)
from altsel.cli.output import Forms, check_output, deliver, laid_out
from altsel.cli.reading_options import ReadingOptions
from altsel.cli.rendering import taxonomy_text
from altsel.cli.solutions_file import read_solutions, rows_of, table_of
from altsel.errors import ArgumentError, listing
from altsel.parallel import workers
from altsel.results.solutions import Solutions
from altsel.results.text import text_table
from altsel.stats.corrections import Correction, FamilyWise


@grouped
def equivalence(
    source: FoundOptions,
    *,
    level: Level = 0.05,
    holdout: Holdout = 0.0,
    margin: Annotated[
        float | None, typer.Option(help="Add TOST: share of the loss that may be lost.")
    ] = None,
    all_pairs: Annotated[bool, typer.Option("--all-pairs", help="Compare all, not only with set 0.")] = False,
    correction: Annotated[
        FamilyWise, typer.Option(help="Of p, for the number of pairs: holm or none.")
    ] = FamilyWise.HOLM,
    seed: Seed = 0,
    reading: ReadingOptions,
    result: ResultOptions,
) -> None:
    """Test which solutions are equivalent: as good in prediction, and as informative.

    Example: altsel equivalence found.json examples/data/ionosphere.csv.gz --all-pairs
    """
    form = result.form(source.solutions, source.data)
    found = read_solutions(source.solutions)
    if len(found) < 2:
        message = f"holds {len(found)} set; there is nothing to compare it with"
        note(f"{source.solutions} {message}")
    with progress(result.quiet):
        train, rest = rows_of(found, source, reading, "losses are judged on them")
        if rest is None:
            train, rest = parted(train, holdout, seed)
        elif holdout:
            raise ArgumentError(f"--holdout {holdout}: the search kept rows apart, which are judged")
        rows_of_search(found, "tests of equivalence take")
        tests = altsel.comparison.default_tests(train, rest, margin, seed)
        against = None if all_pairs else 0
        correct = correction is FamilyWise.HOLM
        compared = altsel.equivalence(found, tests, against=against, alpha=level, correct=correct)
    Forms(lambda: str(compared), compared.to_frame, compared.to_json).deliver(
        form, result.output, result.told
    )


@grouped
def taxonomy(
    source: FoundOptions,
    *,
    test: IndependenceOption = "auto",
    predictive: PredictiveOptions,
    alpha: Alpha = 0.01,
    correction: Annotated[
        Correction, typer.Option(help="Of p, for the number of features in no solution.")
    ] = Correction.HOLM,
    seed: Seed = 0,
    reading: ReadingOptions,
    result: ResultOptions,
) -> None:
    """Show which features are indispensable, replaceable (and by what), redundant or irrelevant.

    Of sets that were not found by 'altsel blankets' only those count that tests find equivalent to set 0.

    Example: altsel taxonomy found.json examples/data/ionosphere.csv.gz
    """
    form, options = result.form(source.solutions, source.data), predictive.given(test, seed)
    found = read_solutions(source.solutions)
    with progress(result.quiet), workers(predictive.jobs):
        table = table_of(found, source, reading)
        rows = rows_of_search(found, "classes heed that, but what replaces what is by tests that take")
        asked = catalogue.independence_test(test, table, seed, options, rows)
        classes = altsel.taxonomy(
            found,
            asked,
            alpha,
            correction=correction,
            other_data=True,  # what is meant was checked as the table was read
        )
        tests = altsel.comparison.default_tests(table, random_state=seed)
        ways = altsel.substitutions(classes.among(found), tests[0])
    forms = Forms(lambda: taxonomy_text(classes, ways), classes.to_frame, classes.to_json)
    forms.deliver(form, result.output, result.told)


def rows_of_search(found: Solutions, which: str) -> dict[str, str]:
    """Return the columns of groups and weights of the search, and say which tests do not heed them."""
    before = options_of(found.request)
    rows = rows_options(before)
    if rows:
        told = listing(f"--{what} {name}" for what, name in rows.items())
        times = ", and times for numbers" if "event" in rows else ""
        message = f"{which} each row once, and for independent{times}"
        note(f"the search was told {told}; {message}")
    return rows


def graph(
    solutions: SolutionsFile,
    *,
    or_nodes: Annotated[bool, typer.Option(help="Merge alternatives into one node.")] = True,
    savings: Annotated[
        bool, typer.Option("--savings", help="Add what each operation saved that compressed the graph.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option(help="A file in .svg, .png, .pdf, .dot or .json; default: a table.")
    ] = None,
) -> None:
    """Draw all solutions as one compact graph; every path from start to target is a solution.

    Example: altsel graph found.json --output msg.svg
    """
    check_output(output, "--output", solutions)
    made = altsel.msg(read_solutions(solutions), or_nodes=or_nodes)
    if output is None:
        deliver(laid_out(lambda: f"{made}\n"), None)
    elif output.suffix == ".json":
        deliver(made.to_json() + "\n", output)
    elif output.suffix == ".dot":
        deliver(made.to_dot(), output)
    else:
        made.draw(output)
    if savings:
        deliver(laid_out(lambda: "\n".join(["", *_savings_text(made), ""])), None)


def _savings_text(made: altsel.MSG) -> list[str]:
    """Tabulate what each operation saved."""
    table = made.savings()
    rows = [list(map(str, row)) for row in table.itertuples(index=False)]
    return text_table(list(table.columns), rows, right=set(range(1, len(table.columns))))
