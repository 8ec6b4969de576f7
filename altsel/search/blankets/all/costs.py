"""Costs of features, several one after another, as one integer each: sums of it are exact."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf, nextafter

from altsel.errors import ArgumentError
from altsel.exact.transversals.costs import Costs, exact_costs
from altsel.models.given_by_feature import by_feature
from altsel.results.members import costs_of_units, known_names
from altsel.search.blankets.blanket_search import BlanketSearch
from altsel.stats.independence.base import members_of

Given = Mapping[str, float]

LARGEST = int(sys.float_info.max)
"""Largest cost of a set, which is a score."""


@dataclass(frozen=True)
class InOrder:
    """Costs of which the second decides between sets of the same first, and so on.

    With weights ``W_i = W_{i+1} (1 + sum_j |c_{i+1,j}|)`` and 1 for the last, ``sum_i W_i c_ij`` orders sets
    as the costs one after another do: all later ones together are less than one unit of an earlier one.

    Parameters
    ----------
    each
        The costs, of all features, exactly.

    Examples
    --------
    >>> costs = InOrder((exact_costs({"a": 0.5, "b": 0.5}, "ab"), exact_costs({"a": 3, "b": 1e30}, "ab")))
    >>> costs.of("a") < costs.of("b"), costs.first("ab"), costs.first_at_least(costs.of("b"))
    (True, 1.0, 0.5)
    """

    each: tuple[Costs, ...]

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """How much one unit of each counts."""
        weights = [1]
        for costs in reversed(self.each[1:]):
            weights.insert(0, weights[0] * (1 + sum(map(abs, costs.units.values()))))
        return tuple(weights)

    @cached_property
    def units(self) -> dict[str, int]:
        """The one cost of each feature."""
        pairs = list(zip(self.weights, self.each, strict=True))
        return {name: sum(weight * costs[name] for weight, costs in pairs) for name in self.each[0].units}

    def of(self, names: Iterable[str]) -> int:
        """Return what a set costs."""
        return sum(self.units[name] for name in names)

    def first(self, names: Iterable[str]) -> float:
        """Return what a set costs by the first of the costs, rounded once."""
        return self.each[0].value(sum(self.each[0][name] for name in names))

    def first_at_least(self, cost: float) -> float:
        """Return what sets that cost so much cost at least by the first of the costs, rounded down."""
        if cost in {inf, -inf}:
            return cost
        pairs = list(zip(self.weights, self.each, strict=True))[1:]
        most = sum(weight * sum(max(0, cost) for cost in costs.units.values()) for weight, costs in pairs)
        exact = Fraction(-((most - int(cost)) // self.weights[0]), self.each[0].per_unit)
        value = float(exact)
        return value if Fraction(value) <= exact else nextafter(value, -inf)


def checked_costs(given: Given | Sequence[Given] | None, search: BlanketSearch) -> InOrder:
    """Return the costs of all features, 1 for each if none are given.

    Raises
    ------
    ArgumentError
        If one is missing or no finite number, or names no feature.
    """
    features, members = search.test.features, members_of(search.test)
    if given is None:
        return InOrder((Costs(dict.fromkeys(features, 1), 1),))
    known = {*known_names(features, members), *getattr(search.test, "absent", {})}
    free = set(search.candidates)
    checked = []
    for costs in listed_costs(given):
        exact = exact_costs(costs, list(costs))
        units = [f for f in features if f in free or any(name in costs for name in members.get(f, (f,)))]
        own = costs_of_units(exact.units, units, known, members)
        if sum(map(abs, own.values())) > LARGEST * exact.per_unit:
            raise ArgumentError(
                f"costs: the sum is beyond {LARGEST:.2g}, the largest number; use another unit"
            )
        checked.append(Costs({name: own.get(name, 0) for name in features}, exact.per_unit))
    return InOrder(tuple(checked))


def listed_costs(given: object) -> list[Given]:
    """Return costs as a list of mappings, whether one is given or several.

    Raises
    ------
    ArgumentError
        If they are none.
    """
    one = by_feature(given)
    several = [by_feature(each) for each in one] if isinstance(one, Sequence) else [one]
    if not several or not all(isinstance(each, Mapping) for each in several):
        raise ArgumentError("costs: give a cost by feature, {'age': 2.0}, or a list of such mappings")
    return several
