"""``altsel rank``: greedy rankings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

import altsel
from altsel import catalogue
from altsel.catalogue import FilterName
from altsel.cli.grouping_options import GroupingOptions
from altsel.cli.groups import grouped
from altsel.cli.messages import progress
from altsel.cli.options import ResultOptions, TableOptions
from altsel.cli.output import Forms
from altsel.cli.reading_options import ReadingOptions
from altsel.cli.recorded import recorded
from altsel.cli.rendering import ranking_table, ranking_text
from altsel.data.scanning import Scan
from altsel.errors import ArgumentError
from altsel.results.solutions import Solutions


@dataclass(frozen=True)
class RankOptions:
    """The criterion, and what it takes."""

    method: Annotated[FilterName, typer.Option(help="The criterion.")] = FilterName.MRMR
    k: Annotated[int | None, typer.Option("-k", help="Number of features; fcbf finds its own.")] = None
    bins: Annotated[int, typer.Option(help="Bins of equal frequency for numbers.")] = 5
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

    def ranked(self, table: altsel.Dataset) -> Solutions:
        """Rank the features of a table."""
        options: dict[FilterName, dict[str, Any]] = {
            FilterName.MIFS: {"beta": self.beta},
            FilterName.CMIM: {"capped": self.capped},
            FilterName.FCBF: {"delta": self.delta},
        }
        size = () if self.k is None else (self.k,)
        own = options.get(self.method, {})
        if isinstance(table, Scan):
            table = table.with_bins(self.bins)
        return catalogue.ranking(self.method)(table, *size, bins=self.bins, **own)


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
    """Rank features by a greedy information-theoretic criterion.

    Example: altsel rank examples/data/ionosphere.csv.gz --target target --method jmi -k 10
    """
    form = result.form(source.data)
    how.check()
    with progress(result.quiet):
        rows = grouping.rows(reading, source, bins=how.bins)
        found = recorded(how.ranked(rows.table), ctx, rows)
    ways = Forms(lambda: ranking_text(found), lambda: ranking_table(found[0]), found.to_json)
    ways.deliver(form, result.output)
