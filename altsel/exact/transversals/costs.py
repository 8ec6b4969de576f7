"""The sets of a diagram in order of a linear cost, without listing all."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import isfinite, lcm
from numbers import Rational, Real
from operator import itemgetter
from typing import Any, NamedTuple

from altsel.errors import ArgumentError, listing
from altsel.exact.transversals.diagram import EMPTY, UNIT, Diagram
from altsel.exact.transversals.hypergraph import Names

BITS = 19
"""Of the numbers that a solver is given at a time."""

Taken = tuple[int, Any] | None
"""Levels of the features taken, the last first: ``(level, those before)``."""


@dataclass(frozen=True)
class Priced:
    """A set and what it costs.

    Attributes
    ----------
    features
        The set.
    cost
        Sum of the costs of its features, rounded once.
    """

    features: Names
    cost: float


@dataclass(frozen=True)
class Costs:
    """Costs of features as integers over one denominator, so that sums are exact.

    Attributes
    ----------
    units
        By feature.
    per_unit
        How many units are 1.
    """

    units: Mapping[str, int]
    per_unit: int

    def __getitem__(self, name: str) -> int:
        return self.units[name]

    def value(self, units: int) -> float:
        """Return a sum of units as a cost."""
        return float(Fraction(units, self.per_unit))


def exact_costs(cost: Mapping[str, Any], names: Sequence[str]) -> Costs:
    """Read the costs of features exactly; a float is the decimal number that it is written as.

    Raises
    ------
    ArgumentError
        If one is missing, or no finite number.

    Examples
    --------
    >>> exact_costs({"a": 0.1, "b": -2}, ["a", "b"])
    Costs(units={'a': 1, 'b': -20}, per_unit=10)
    """
    if not hasattr(cost, "keys"):
        raise ArgumentError(f"cost={cost!r:.60}; give the costs by feature: {{'age': 2}}")
    missing = [name for name in names if name not in cost]
    if missing:
        raise ArgumentError(f"cost: none for {listing(missing)}; give the cost of every feature")
    fractions = {name: _exact(name, cost[name]) for name in names}
    per_unit = lcm(*(one.denominator for one in fractions.values()))
    return Costs({name: int(one * per_unit) for name, one in fractions.items()}, per_unit)


def _exact(name: str, given: Any) -> Fraction:
    if isinstance(given, Rational) and not isinstance(given, bool):  # an integer, too
        return Fraction(int(given.numerator), int(given.denominator))
    if isinstance(given, bool) or not isinstance(given, Real) or not isfinite(given):
        raise ArgumentError(f"cost of {name!r}: {given!r:.60}; use a finite number")
    return Fraction(repr(float(given)))


def by_digits(costs: Mapping[str, int]) -> Iterator[tuple[dict[str, int], int]]:
    """Yield the leading digits of costs, rounded down, then the next ones, and so on to the last.

    Solvers work to 1e-9, and do not see 1 beside more than 1e6: they are given `BITS` at a time. Along with
    later digits they minimise by how much a set exceeds the least of those before, which is less than the
    number of features, times what one of them counts: so the later ones have fewer bits.

    Yields
    ------
    tuple
        The digits of each feature, not negative but for the first, and how many bits are left: with d digits
        and s bits, ``c_j = 2^s_0 d_0j + ... + 2^s_m d_mj``, where ``s_m = 0``.

    Examples
    --------
    >>> list(by_digits({"a": 3, "b": -2})), [bits for _, bits in by_digits({"a": 10**12, "b": 1})]
    ([({'a': 3, 'b': -2}, 0)], [21, 4, 0])
    """
    longest = max((abs(cost).bit_length() for cost in costs.values()), default=0)
    width = max(2, BITS - len(costs).bit_length())
    before = left = max(0, longest - BITS)
    yield {name: cost >> left for name, cost in costs.items()}, left
    while left:
        before, left = left, max(0, left - width)
        yield {name: (cost >> left) % (1 << before - left) for name, cost in costs.items()}, left


def in_order(diagram: Diagram, costs: Costs) -> Iterator[tuple[list[str], int]]:
    """Yield sets and their costs in units, the cheapest first; ties always in the same order.

    What the rest costs at least is known at each node from a pass from below, and is reached. So the
    cheapest set of an open node is read by going where it is reached, and each end passed by is a new
    open node, whose cheapest set is known too: no set is made that is not yielded.

    Examples
    --------
    >>> from altsel.exact.transversals.construction import diagram_of
    >>> found = in_order(diagram_of([["a", "b"], ["b", "c"]]), exact_costs({"a": 1, "b": 4, "c": 2}, "abc"))
    >>> list(found)
    [(['a', 'c'], 3), (['b'], 4)]
    """
    if diagram.root == EMPTY:
        return
    least = cheapest_below(diagram, costs)
    ties = count()
    opened = [(least[diagram.root], next(ties), _Open(diagram.root, 0, None))]
    while opened:
        # 1. The open node with the cheapest set.
        total, _, best = heapq.heappop(opened)
        while best.node != UNIT:
            # 2. Go where the least is reached; the other end is open from now on.
            ends = [(end.spent + least[end.node], end) for end in _ends(diagram, costs, best)]
            (_, best), *others = sorted(ends, key=itemgetter(0))
            for at_least, end in others:
                heapq.heappush(opened, (at_least, next(ties), end))
        yield _names(diagram, best.taken), total


class _Open(NamedTuple):
    """A node on a path, and what the features taken before it cost."""

    node: int
    spent: int
    taken: Taken


def _ends(diagram: Diagram, costs: Costs, start: _Open) -> Iterator[_Open]:
    """Yield the ends of a node that have sets."""
    node, spent, taken = start
    if diagram.low[node] != EMPTY:
        yield _Open(diagram.low[node], spent, taken)
    level = diagram.levels[node]
    yield _Open(diagram.high[node], spent + costs[diagram.features[level]], (level, taken))


def cheapest_below(diagram: Diagram, costs: Costs) -> list[int]:
    """Return what the cheapest set of each node costs; that of ``EMPTY``, which has none, says nothing."""
    least = [0, 0]
    for node in diagram.inner:
        taken = least[diagram.high[node]] + costs[diagram.features[diagram.levels[node]]]
        out = diagram.low[node]
        least.append(taken if out == EMPTY else min(least[out], taken))
    return least


def _names(diagram: Diagram, taken: Taken) -> list[str]:
    names = []
    while taken is not None:
        level, taken = taken
        names.append(diagram.features[level])
    return names[::-1]
