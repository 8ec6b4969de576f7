"""Greedy rankings by their names."""

from __future__ import annotations

from dataclasses import dataclass

from altsel.runtime.entries import Entry, Table


@dataclass(frozen=True, eq=False)
class RankingEntry(Entry):
    """A function of a table and a number of features; one that takes no ``k`` finds its own number.

    One that takes a ``measure`` is by dependences of pairs of columns, for which any measure does; the others
    are by information, of numbers in ``bins``, or by models.
    """

    @property
    def by_pairs(self) -> bool:
        """Whether any measure of dependence does."""
        return self.takes("measure")

    @property
    def sized(self) -> bool:
        """Whether it is told how many features to select."""
        return self.takes("k")


RANKINGS = Table(
    "ranking",
    "altsel.rankings",
    (
        RankingEntry("mim", "altsel.ranking:mim"),
        RankingEntry("mifs", "altsel.ranking:mifs"),
        RankingEntry("mrmr", "altsel.ranking:mrmr"),
        RankingEntry("miq", "altsel.ranking:miq"),
        RankingEntry("jmi", "altsel.ranking:jmi"),
        RankingEntry("jmim", "altsel.ranking:jmim"),
        RankingEntry("njmim", "altsel.ranking:jmim", {"normalised": True}),
        RankingEntry("cife", "altsel.ranking:cife"),
        RankingEntry("icap", "altsel.ranking:icap"),
        RankingEntry("cmim", "altsel.ranking:cmim"),
        RankingEntry("disr", "altsel.ranking:disr"),
        RankingEntry("relax-mrmr", "altsel.ranking:relax_mrmr"),
        RankingEntry("fcbf", "altsel.ranking:fcbf"),
        RankingEntry("gomp", "altsel.ranking:gomp"),
    ),
    page="reference/ranking",
)
"""Greedy criteria."""
