"""What a problem's rules say to a search among sets of one size, as numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import inf

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.exact.rules.linear_rules import ROUNDING, Rules, keeps

MOST_ROWS = 150
"""Rows after which a model is better: every branch looks at all of them."""
MOST_NUMBERS = 3_000_000
"""Coefficients, times features of a set, after which it is better too."""


@dataclass(frozen=True, eq=False)
class Conditions:
    """Rules as features that must or must not be there, rows with upper limits, and a floor.

    Attributes
    ----------
    weights
        What is summed.
    required
        Indices of the features that every set has.
    excluded
        Which features none has.
    rows, limits
        ``rows @ x <= limits`` for the other rules, one row each.
    floor
        What a set scores at least.
    counted
        Rows that count all features alike, as the size does: the coefficient and its limits.
    impossible
        Whether no set keeps the rules.
    """

    weights: FloatArray
    required: IntArray
    excluded: BoolArray
    rows: FloatArray
    limits: FloatArray
    floor: float = -inf
    counted: tuple[tuple[float, float, float], ...] = ()
    impossible: bool = False
    _heaviest: IntArray | None = field(default=None, init=False)

    def admit(self, size: int) -> bool:
        """Return whether the rules admit sets of a size, as far as they count all features alike."""
        return not self.impossible and all(
            bool(keeps(np.full(size, weight), low, high)) for weight, low, high in self.counted
        )

    @cached_property
    def touched(self) -> BoolArray:
        """Which features the rows name."""
        return np.asarray((self.rows != 0).any(axis=0))

    @cached_property
    def alike(self) -> BoolArray:
        """Which features no rule tells apart."""
        free = ~self.touched & ~self.excluded
        free[self.required] = False
        return np.asarray(free)

    def heaviest(self, count: int) -> IntArray:
        """Return so many of the features that no rule tells apart, or more, in falling weight."""
        if self._heaviest is None or count > len(self._heaviest):
            indices = np.flatnonzero(self.alike)
            weights, most = self.weights[indices], 4 * count + 1_000
            if most < len(indices):
                edge = np.partition(weights, len(weights) - most)[len(weights) - most]
                indices, weights = indices[weights >= edge], weights[weights >= edge]
            object.__setattr__(self, "_heaviest", indices[np.argsort(-weights, kind="stable")])
        assert self._heaviest is not None
        return self._heaviest

    @cached_property
    def named(self) -> IntArray:
        """The other features that may be chosen."""
        some = self.touched & ~self.excluded
        some[self.required] = False
        return np.flatnonzero(some)


def why_no_conditions(rules: Rules | None, sizes: tuple[int, int]) -> str | None:
    """Return why rules are none that a chain can keep, if they are not."""
    if rules is None:
        return "a rule is more than linear rows over the features"
    if any(not _is_floor(row, low, high, weight) for (row, low, high), weight in rules.on_quality):
        return "a rule on the quality is more than a least quality"
    several = [row for row, _, _ in rules.rows if np.count_nonzero(row) > 1 and not _counts(row)]
    if len(several) > MOST_ROWS:
        return f"{len(several):,} rows of rules are more than {MOST_ROWS:,}"
    if several and len(several) * len(several[0]) * sizes[1] > MOST_NUMBERS:
        return f"rules on so many features ({len(several[0]):,}) are looked at by a model sooner"
    return None


def read_conditions(weights: FloatArray, rules: Rules) -> Conditions:
    """Sort rules into those on one feature, rows with upper limits, and a floor."""
    required, excluded = np.zeros(len(weights), dtype=bool), np.zeros(len(weights), dtype=bool)
    upper: list[tuple[FloatArray, float]] = []
    counted: list[tuple[float, float, float]] = []
    impossible = False
    for row, low, high in rules.rows:
        where = np.flatnonzero(row)
        if len(where) > 1 and _counts(row):
            counted.append((float(row[0]), low, high))
            continue
        if len(where) > 1:
            upper += [(row, high)] if high < inf else []
            upper += [(-row, -low)] if low > -inf else []
            continue
        without = bool(keeps(np.zeros(1), low, high))
        if len(where) == 0:
            impossible |= not without
            continue
        with_it = bool(keeps(row[where], low, high))
        impossible |= not (without or with_it)
        excluded[where] |= not with_it
        required[where] |= not without
    floors = [_floor(low, high, weight) for (_, low, high), weight in rules.on_quality]
    table = np.array([row for row, _ in upper]).reshape(-1, len(weights))
    return Conditions(
        weights,
        np.flatnonzero(required),
        excluded,
        table,
        np.array([limit for _, limit in upper], dtype=float),
        max(floors, default=-inf),
        tuple(counted),
        impossible or bool((required & excluded).any()),
    )


def _counts(row: FloatArray) -> bool:
    return bool(row[0]) and bool((row == row[0]).all())


def _is_floor(row: FloatArray, low: float, high: float, weight: float) -> bool:
    return not row.any() and (high == inf if weight > 0 else low == -inf)


def _floor(low: float, high: float, weight: float) -> float:
    """Return the least score that a rule on the quality allows, but for rounding."""
    limit = low / weight if weight > 0 else high / weight
    return limit - ROUNDING * abs(limit)


def floor_of(rules: Rules) -> float | None:
    """Return what the rules on the quality say a set scores at least; None if they say more than that."""
    if any(not _is_floor(row, low, high, weight) for (row, low, high), weight in rules.on_quality):
        return None
    return max((_floor(low, high, weight) for (_, low, high), weight in rules.on_quality), default=-inf)
