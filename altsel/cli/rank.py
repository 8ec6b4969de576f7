"""``altsel rank``: greedy rankings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

import altsel
from altsel import catalogue
from altsel.catalogue import MEASURES, RANKINGS
from altsel.catalogue.rankings import RankingEntry
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

    method: Annotated[str, entry_option(RANKINGS, text="The criterion.")] = "mrmr"
    k: Annotated[int | None, typer.Option("-k", help="Number of features; not for fcbf and gomp.")] = None
    measure: Annotated[
        str | None,
        entry_option(
            MEASURES,
            text="Dependence of features on the target and each other, for mim, mifs, mrmr and miq. "
            "Default: association, as of 'altsel select'; others need information.",
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
    alpha: Annotated[float, typer.Option(help="In gomp, the p of a feature above which it ends.")] = 0.01

    @property
    def entry(self) -> RankingEntry:
        """The criterion of that name."""
        return RANKINGS[self.method]

    def check(self) -> None:
        """Refuse what does not go together, before a table is read."""
        if (self.k is None) == self.entry.sized:
            needs = f"{self.method} needs -k"
            raise ArgumentError(f"{self.method} finds its own k" if self.k is not None else needs)
        for name, value in {**self._own, "measure": self.measure}.items():
            if not self.entry.takes(name) and value != RankOptions.__dataclass_fields__[name].default:
                takers = ", ".join(one.name for one in RANKINGS.own.values() if one.takes(name))
                raise ArgumentError(f"--{name}: for --method {takers}, not for --method {self.method}")
        if self.measure is not None and self.bins is not None:
            raise ArgumentError(f"--measure {self.measure} excludes --bins, which is by information")
        if self.plain and not self.entry.takes("debiased"):
            raise ArgumentError(f"--plain is of information: not for --method {self.method}")
        if self.plain and self.entry.by_pairs and self.bins is None:
            raise ArgumentError(
                "--plain is of information: give --bins 5, or --measure mutual-information-plain"
            )

    @property
    def _own(self) -> dict[str, Any]:
        """What only some criteria take."""
        names = "beta", "capped", "delta", "alpha", "bins"
        return {name: getattr(self, name) for name in names}

    def ranked(self, table: altsel.Dataset) -> Solutions:
        """Rank the features of a table."""
        size = () if self.k is None else (self.k,)
        told = {**self._own, "debiased": not self.plain}
        own = {name: value for name, value in told.items() if self.entry.takes(name)}
        if self.entry.by_pairs and self.bins is None:
            own |= {"measure": catalogue.measure(self.measure or "association", self.seed)}
        elif self.entry.takes("bins") and isinstance(table, Scan):
            table = table.with_bins(self.bins or BINS)
        found: Solutions = self.entry.make(table, *size, **own)
        return found

    @property
    def information_bins(self) -> int | None:
        """Bins of numbers where information is needed; None where it is not."""
        usual = BINS if self.entry.takes("bins") and not self.entry.by_pairs else None
        return usual if self.bins is None else self.bins


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
