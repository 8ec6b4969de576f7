"""``altsel rank``: greedy rankings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

import altsel
from altsel import catalogue
from altsel.catalogue import BY_PAIRS, MEASURES, FilterName
from altsel.cli.entry_names import entry_option
from altsel.cli.grouping_options import GroupingOptions
from altsel.cli.groups import grouped
from altsel.cli.leaks import note_leaks
from altsel.cli.messages import progress
from altsel.cli.options import ResultOptions, Seed, TableOptions
from altsel.cli.output import Forms
from altsel.cli.reading_options import ReadingOptions
from altsel.cli.recorded import recorded
from altsel.cli.rendering import ranking_table, ranking_text
from altsel.data.scanning import Scan
from altsel.errors import ArgumentError
from altsel.results.solutions import Solutions
from altsel.stats.discrete.information import BINS


@dataclass(frozen=True)
class RankOptions:
    """The criterion, and what it takes."""

    method: Annotated[FilterName, typer.Option(help="The criterion.")] = FilterName.MRMR
    k: Annotated[int | None, typer.Option("-k", help="Number of features; fcbf finds its own.")] = None
    measure: Annotated[
        str | None,
        entry_option(
            MEASURES,
            text="Dependence of features on the target and each other, for mim, mifs and mrmr. Default: "
            "association, as of 'altsel select'; others need information.",
        ),
    ] = None
    bins: Annotated[
        int | None,
        typer.Option(
            help="Information, of numbers in so many bins of equal frequency. Default where it is needed: 5."
        ),
    ] = None
    plain: Annotated[
        bool, typer.Option("--plain", help="Do not subtract the information that chance gives.")
    ] = False
    seed: Seed = 0
    beta: Annotated[float, typer.Option(help="Weight of redundancy in mifs.")] = 1.0
    capped: Annotated[
        bool, typer.Option("--capped", help="In cmim, no score above the relevance, as in FEAST and praznik.")
    ] = False
    delta: Annotated[float, typer.Option(help="Least relevance in fcbf.")] = 0.0

    def check(self) -> None:
        """Refuse what does not go together, before a table is read."""
        if (self.k is None) != (self.method is FilterName.FCBF):
            needs = f"{self.method.value} needs -k"
            raise ArgumentError("fcbf finds its own k" if self.k is not None else needs)
        if self.capped and self.method is not FilterName.CMIM:
            raise ArgumentError(f"--capped: for --method cmim, not for --method {self.method.value}")
        by_measure = self.method in BY_PAIRS
        if self.measure is not None and (self.bins is not None or not by_measure):
            other = "--bins" if by_measure else f"--method {self.method.value}"
            raise ArgumentError(f"--measure {self.measure} excludes {other}, which is by information")
        if self.plain and by_measure and self.bins is None:
            raise ArgumentError(
                "--plain is of information: give --bins 5, or --measure mutual-information-plain"
            )

    def ranked(self, table: altsel.Dataset) -> Solutions:
        """Rank the features of a table."""
        options: dict[FilterName, dict[str, Any]] = {
            FilterName.MIFS: {"beta": self.beta},
            FilterName.CMIM: {"capped": self.capped},
            FilterName.FCBF: {"delta": self.delta},
        }
        size = () if self.k is None else (self.k,)
        own = options.get(self.method, {}) | {"bins": self.bins, "debiased": not self.plain}
        if self.information_bins is None:
            own |= {"measure": catalogue.measure(self.measure or "association", self.seed)}
        elif isinstance(table, Scan):
            table = table.with_bins(self.information_bins)
        return catalogue.ranking(self.method)(table, *size, **own)

    @property
    def information_bins(self) -> int | None:
        """Bins of numbers where information is needed; None where a measure is."""
        return BINS if self.bins is None and self.method not in BY_PAIRS else self.bins


@grouped
def rank(
    ctx: typer.Context,
    source: TableOptions,
    how: RankOptions,
    *,
    grouping: GroupingOptions,
    reading: ReadingOptions,
    result: ResultOptions,
) -> None:
    """Rank features by a greedy criterion: relevance, less redundancy.

    Example: altsel rank examples/data/ionosphere.csv.gz --target target --method jmi -k 10
    """
    form = result.form(source.data)
    how.check()
    with progress(result.quiet):
        rows = grouping.rows(reading, source, bins=how.information_bins)
        found = recorded(how.ranked(rows.table), ctx, rows)
    ways = Forms(lambda: ranking_text(found), lambda: ranking_table(found[0]), found.to_json)
    ways.deliver(form, result.output, result.told)
    note_leaks(found, rows.table, source.data)
