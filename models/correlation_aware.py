"""A dissimilarity for which a feature exchanged for a correlated one is the same feature."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError, of_kind
from altsel.models.dissimilarity import Dice, Jaccard, exact, within_share
from altsel.pyomo_on_demand import pyo
from altsel.results.sets import checked_sets
from altsel.stats.dependence import Dependence, absolute_pearson, dependence


@dataclass(frozen=True, init=False)
class CorrelationAware:
    """Dissimilarity in which features correlated by at least r count as common: alternatives, not neighbours.

    ``|F & G|`` of `Dice` or `Jaccard` becomes the size of a largest matching of F and G: as many pairs (f, g)
    as possible, each feature in one pair at most, of the same feature or of two that are correlated by r or
    more. So exchanging a column of a spectrum for the next one changes nothing.

    Parameters
    ----------
    base
        `Dice` or `Jaccard` with its tau.
    correlation
        A data set of numbers, whose absolute Pearson correlation is used; a `Dependence`, whose redundancy
        is; or a square table of numbers.
    r
        Least absolute correlation at which two features count as the same, above 0.

    Attributes
    ----------
    alike
        Pairs of features that count as the same.

    Raises
    ------
    ArgumentError
        If the base is another, r is not above 0, the table is not square or of numbers, or pairs are none.

    Examples
    --------
    >>> names = ["900 nm", "902 nm", "1300 nm"]
    >>> table = pd.DataFrame([[1, 0.99, 0.2], [0.99, 1, 0.2], [0.2, 0.2, 1]], names, names)
    >>> measure = CorrelationAware(Dice(0.5), table, r=0.9)
    >>> measure({"900 nm"}, {"902 nm"}), measure({"900 nm"}, {"1300 nm"})
    (0.0, 1.0)
    >>> from altsel import Problem, Univariate, sequential
    >>> problem = Problem(Univariate(pd.Series([3, 2, 1], names)), k=1)
    >>> [one.features for one in sequential(problem, measure, alternatives=1)]
    [('900 nm',), ('1300 nm',)]
    """

    base: Dice | Jaccard
    alike: frozenset[tuple[str, str]] = field(repr=False)
    r: float
    tau: float = field(repr=False)

    def __init__(
        self,
        base: Dice | Jaccard,
        correlation: Any = None,
        r: float = 0.9,
        *,
        alike: Collection[tuple[str, str]] | None = None,
        tau: float | None = None,
    ) -> None:
        of_kind("base", base, (Dice, Jaccard), "Dice(tau) or Jaccard(tau)")
        if not isinstance(r, (int, float)) or not r > 0:
            raise ArgumentError(f"r={r!r}; use a number above 0, such as 0.9")
        if (correlation is None) == (alike is None):
            raise ArgumentError("give correlation, a Dataset or a table, or the pairs that are alike")
        pairs = _pairs(correlation, r) if alike is None else _checked(alike)
        object.__setattr__(self, "base", base if tau is None else type(base)(tau))
        object.__setattr__(self, "alike", frozenset((min(pair), max(pair)) for pair in pairs))
        object.__setattr__(self, "r", r)
        object.__setattr__(self, "tau", self.base.tau)

    def __call__(self, first: Collection[str], second: Collection[str]) -> float:
        """Dissimilarity of two sets, not both empty."""
        common = self.matched(first, second)
        if isinstance(self.base, Dice):
            return 1 - 2 * common / (len(first) + len(second))
        return 1 - common / (len(first) + len(second) - common)

    def matched(self, first: Collection[str], second: Collection[str]) -> int:
        """Return how many pairs of the same or correlated features two sets have: a largest matching."""
        partner: dict[str, str] = {}

        def augment(f: str, tried: set[str]) -> bool:
            for g in second:
                if g not in tried and self.is_same(f, g):
                    tried.add(g)
                    if g not in partner or augment(partner[g], tried):
                        partner[g] = f
                        return True
            return False

        return sum(augment(f, set()) for f in first)

    def is_same(self, one: str, other: str) -> bool:
        """Return whether two features count as the same."""
        return one == other or (min(one, other), max(one, other)) in self.alike

    def rows(self, block: Any, first: Mapping[str, Any], second: Mapping[str, Any]) -> Iterator[Any]:
        """Return a vertex cover of the pairs in both sets that is small enough for a largest matching.

        ``p_f + q_g >= x_f + y_g - 1`` for each pair, ``sum p + sum q <= share (|F| + |G|)`` (König 1931; the
        cover is integer where x and y are).
        """
        names = list(first)
        edges = [(f, f) for f in names]
        for f, g in sorted(self.alike):
            edges += [(f, g), (g, f)] if f in first and g in first else []
        block.p, block.q = pyo.Var(names, bounds=(0, 1)), pyo.Var(names, bounds=(0, 1))
        implied = block.model().component("implied")
        for one in (*block.p.values(), *block.q.values()) if implied is not None else ():
            implied[one] = 1
        for f, g in edges:
            yield block.p[f] + block.q[g] >= first[f] + second[g] - 1
        tau = exact(self.tau)
        share = (1 - tau) / 2 if isinstance(self.base, Dice) else Fraction(1 - tau) / (2 - tau)
        cover = sum(block.p.values()) + sum(block.q.values())
        yield within_share(share, cover, sum(first[f] + second[f] for f in names))


def _checked(alike: Collection[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """Return pairs that are given; refuse what is none, and texts, which would be taken letter by letter."""
    pairs = checked_sets(alike, "alike")
    if any(len(pair) != 2 for pair in pairs):
        raise ArgumentError("alike: give pairs of names: [('height', 'length')]")
    return pairs


def _pairs(correlation: Any, r: float) -> list[tuple[str, str]]:
    """Return the pairs of features that are correlated by at least r."""
    if isinstance(correlation, Dataset):
        correlation = dependence(correlation, absolute_pearson)
    table = correlation.redundancy if isinstance(correlation, Dependence) else correlation
    if not isinstance(table, pd.DataFrame) or list(table.index) != list(table.columns):
        raise ArgumentError(
            "correlation: give a Dataset, a Dependence, or a DataFrame with the same rows as columns"
        )
    try:
        size = np.abs(table.to_numpy(dtype=float))
    except (TypeError, ValueError) as fault:
        raise ArgumentError(f"correlation: {fault}; give a table of numbers") from fault
    names = [str(name) for name in table.index]
    return [(names[i], names[j]) for i, j in np.argwhere(np.triu(size >= r, 1)).tolist()]
