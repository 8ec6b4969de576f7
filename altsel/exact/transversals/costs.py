"""The sets of a diagram in order of a linear cost, without listing all."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import isfinite, lcm
from numbers import Integral, Real
from typing import Any

from altsel.errors import ArgumentError, listing
from altsel.exact.transversals.diagram import EMPTY, UNIT, Diagram
from altsel.exact.transversals.hypergraph import Names

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
    if isinstance(given, bool) or not isinstance(given, Real) or not isfinite(given):
        raise ArgumentError(f"cost of {name!r}: {given!r:.60}; use a finite number")
    if isinstance(given, Fraction):
        return given
    return Fraction(int(given)) if isinstance(given, Integral) else Fraction(repr(float(given)))


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
    other: tuple[int, int, Taken]
    ties = count(1)
    opened: list[tuple[int, int, int, int, Taken]] = [(least[diagram.root] or 0, 0, diagram.root, 0, None)]
    while opened:
        # 1. The open node with the cheapest set; its features so far cost `spent`.
        total, _, node, spent, taken = heapq.heappop(opened)
        while node != UNIT:
            # 2. Go where the least is reached; the other end is open from now on.
            level = diagram.levels[node]
            price = costs[diagram.features[level]]
            left_out = (diagram.low[node], spent, taken)
            chosen = (diagram.high[node], spent + price, (level, taken))
            rest, rest_out = least[chosen[0]], least[left_out[0]]
            assert rest is not None
            if rest_out is not None and rest_out <= rest + price:
                other, (node, spent, taken) = chosen, left_out
                heapq.heappush(opened, (other[1] + rest, next(ties), *other))
            else:
                other, (node, spent, taken) = left_out, chosen
                if rest_out is not None:
                    heapq.heappush(opened, (other[1] + rest_out, next(ties), *other))
        yield _names(diagram, taken), total


def cheapest_below(diagram: Diagram, costs: Costs) -> list[int | None]:
    """Return what the cheapest set of each node costs; None where there is no set."""
    least: list[int | None] = [None, 0]
    for node in diagram.inner:
        out, rest = least[diagram.low[node]], least[diagram.high[node]]
        assert rest is not None
        taken = rest + costs[diagram.features[diagram.levels[node]]]
        least.append(taken if out is None else min(out, taken))
    return least


def _names(diagram: Diagram, taken: Taken) -> list[str]:
    names = []
    while taken is not None:
        level, taken = taken
        names.append(diagram.features[level])
    return names[::-1]
