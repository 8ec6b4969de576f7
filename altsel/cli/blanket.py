"""``altsel blanket``: one Markov blanket by tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

import typer

import altsel
from altsel import catalogue
from altsel.catalogue import LEARNERS
from altsel.catalogue.independence import PREDICTIVE
from altsel.cli.blanket_options import BlanketOptions, PredictiveOptions
from altsel.cli.entry_names import entry_option
from altsel.cli.grouping_options import GroupingOptions
from altsel.cli.groups import grouped
from altsel.cli.leaks import note_leaks
from altsel.cli.messages import announce, progress
from altsel.cli.options import ResultOptions, TableOptions, seconds_left
from altsel.cli.output import Forms
from altsel.cli.reading_options import ReadingOptions
from altsel.cli.recorded import recorded
from altsel.cli.rendering import blanket_table, blanket_text
from altsel.cli.sides_options import SidesOptions
from altsel.errors import ArgumentError, listing
from altsel.parallel import workers
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.runtime.clock import in_force, opened
from altsel.search.blankets.folds import Learned
from altsel.stats.independence.g_square import WhenUntestable

PPFS = "ppfs"


@dataclass(frozen=True)
class LearningOptions:
    """How one blanket is learned."""

    method: Annotated[
        str | None,
        entry_option(
            LEARNERS,
            text="The search. Default: hiton-mb; iamb for times to an event, ppfs with --test predictive.",
        ),
    ] = None
    max_conditioning: Annotated[
        int | None, typer.Option(help="Largest set given, in searches by subsets; -1: any. Default: 3.")
    ] = None
    samples_per_cell: Annotated[
        float | None, typer.Option(help="Fewest rows a cell of a table. Default: none for g2, 5 for chi2.")
    ] = None
    untestable: Annotated[WhenUntestable, typer.Option(help="What fewer rows mean.")] = WhenUntestable.SKIPPED
    expected_counts: Annotated[
        bool | None,
        typer.Option(help="Permute where a table expects few rows in its cells (Cochran). Default: in chi2."),
    ] = None
    folds: Annotated[
        int | None,
        typer.Option(help="Learn on so many parts of the rows, and return the blanket they agree on."),
    ] = None
    part: Annotated[
        Learned | None, typer.Option(help="Rows of each part: all but a fold, or the fold. Default: rest.")
    ] = None

    def search(
        self, search: BlanketOptions, predictive: PredictiveOptions, sides: SidesOptions
    ) -> Callable[[altsel.Dataset, float | None], Solutions]:
        """Check what can be checked without a table; return what finds the blanket of one in seconds."""
        method, search = _usual(self.method, search)
        sides.check(method, folds=self.folds is not None)
        if self.folds is not None and search.groups is not None:
            raise ArgumentError(
                "--folds divides rows, not groups: rows of one group would be in several folds"
            )
        learn = partial(catalogue.learner(method), **_subsets(method, self.max_conditioning))
        make = partial(
            search.of_rows,
            predictive=predictive.given(search.test, search.seed),
            samples_per_cell=self.samples_per_cell,
            untestable=self.untestable,
            expected_counts=self.expected_counts,
        )
        division = _folds(self.folds, self.part, search.seed)

        def found_in(table: altsel.Dataset, seconds: float | None = None) -> Solutions:
            cut = search.cut(table)
            limits = altsel.blankets.Limits(*search.names(), search.max_tests, seconds)
            if division is not None and catalogue.is_several(table):
                raise ArgumentError(
                    "--folds divides the rows of one table: use --missing category or drop-rows"
                )
            if division is None:
                clock, test = opened(seconds), make(cut)
                found = learn(test, search.alpha, limits=limits)
                with in_force(clock):
                    return sides.told(found, test, search.alpha)
            return altsel.blankets.aggregated(
                cut, make, search.alpha, learner=learn, folds=division, limits=limits
            )

        return found_in


@grouped
def blanket(
    ctx: typer.Context,
    source: TableOptions,
    *,
    how: LearningOptions,
    search: BlanketOptions,
    predictive: PredictiveOptions,
    sides: SidesOptions,
    grouping: GroupingOptions,
    reading: ReadingOptions,
    result: ResultOptions,
) -> None:
    """Find the Markov blanket of the target: the features that make all others superfluous.

    Example: altsel blanket examples/data/ionosphere.csv.gz --target target --method iamb
    """
    form, found_in = result.form(source.data), how.search(search, predictive, sides)
    clock = opened(search.time_limit)
    with progress(result.quiet), workers(predictive.jobs):
        with in_force(clock):
            rows = grouping.tested_rows(reading, source, search)
        clock.check()
        table = rows.table
        found = found_in(table, seconds_left(clock))
        judged = len(found[0]) or found.stop.finished
        in_memory = isinstance(table, altsel.Dataset)
        if in_memory and table.discrete_target and judged and not search.rows:  # of rows that count once
            found = altsel.blankets.with_error_bounds(found, table, bins=search.bins or 5)
        found = recorded(found, ctx, rows)
    ways = Forms(lambda: blanket_text(found), lambda: blanket_table(found[0]), found.to_json)
    ways.deliver(form, result.output, result.then("performance {}", source.data))
    note_leaks(found, table, source.data)
    if not found.stop.finished:
        announce(f"the search ended early ({found.stop.value}); this is what it had")
    code = 130 if found.stop is Stop.INTERRUPT else 4 if len(found[0]) else 1
    raise typer.Exit(0 if found.stop.finished else code)


def _usual(method: str | None, search: BlanketOptions) -> tuple[str, BlanketOptions]:
    """Choose PPFS for its test, and its test for PPFS, where the other was not chosen; IAMB for times."""
    of_times = "iamb" if search.test == "cox" or search.event is not None else "hiton-mb"
    chosen = method or (PPFS if search.test == PREDICTIVE else of_times)
    if chosen == PPFS and search.test == "auto":
        return chosen, replace(search, test=PREDICTIVE)
    return chosen, search


def _folds(number: int | None, part: Learned | None, seed: int) -> altsel.blankets.Folds | None:
    """Return how the rows are divided, if that is wanted."""
    if number is None:
        if part is not None:
            raise ArgumentError(
                f"--part {part} says which rows of --folds; give their number, such as --folds 5"
            )
        return None
    return altsel.blankets.Folds(number, part or Learned.REST, seed)


def _subsets(method: str, largest: int | None) -> dict[str, int | None]:
    """Return how many features a search by subsets conditions on; no other has such a limit."""
    if not LEARNERS[method].by_subsets:
        if largest is not None:
            able = listing((name for name, entry in LEARNERS.own.items() if entry.by_subsets), 20)
            raise ArgumentError(
                f"--max-conditioning is for searches by subsets ({able}); {method} conditions on all members"
            )
        return {}
    most = 3 if largest is None else largest
    if most < -1:
        raise ArgumentError(f"--max-conditioning {most}; use at least 0, or -1 for any")
    return {"max_conditioning": None if most == -1 else most}
