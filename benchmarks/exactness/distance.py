"""How far apart sets are, in exact fractions, and what is demanded of them, as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any

import altsel

TAUS = (0.0, 1e-9, 1e-6, 0.1, 0.25, 1 / 3, 0.4, 0.5, 2 / 3, 0.693168123456, 0.75, 0.9, 0.999999, 1.0)
HAIR = Fraction(1, 10**9)
"""What a mean may be below its tau."""
Pair = tuple[int, int]


@dataclass(frozen=True)
class Diversity:
    """Dice or Jaccard of at least tau: for each pair, on average, or at a price."""

    measure: str
    tau: float
    kind: str = "each"
    penalty: float = 0.0

    @property
    def least(self) -> Fraction:
        """The fraction that tau stands for."""
        near = Fraction(self.tau).limit_denominator(10_000)
        return near if abs(near - Fraction(self.tau)) <= Fraction(1, 10**12) else Fraction(self.tau)

    @property
    def lenient(self) -> bool:
        """Whether sets must only be distinct one by one."""
        return self.kind != "each"

    def apart(self, one: int, other: int) -> Fraction:
        """Dissimilarity of two sets."""
        return _apart(self.measure, (one & other).bit_count(), one.bit_count(), other.bit_count())

    def pair(self, one: int, other: int) -> bool:
        """Return whether two sets may stand beside each other, whatever the others are."""
        return one != other if self.lenient else self.apart(one, other) >= self.least

    def mean(self, pairs: Sequence[Pair]) -> bool | None:
        """Return whether a mean is large enough; None if that is a matter of rounding."""
        if self.kind != "average" or not pairs:
            return True
        short = self.least - sum((self.apart(*pair) for pair in pairs), Fraction(0)) / len(pairs)
        return short <= 0 or (None if short <= HAIR else False)

    def keeps(self, pairs: Sequence[Pair]) -> bool | None:
        """Return whether some pairs are as different as demanded."""
        return self.mean(pairs) if all(self.pair(*pair) for pair in pairs) else False

    def penalty_paid(self, pairs: Sequence[Pair]) -> float:
        """Price of some pairs for being similar."""
        if self.kind != "penalised":
            return 0.0
        missing = sum((max(Fraction(0), self.least - self.apart(*pair)) for pair in pairs), Fraction(0))
        return float(Fraction(self.penalty) * missing)

    def gathered(self, pairs: Sequence[Pair]) -> Fraction:
        """Least dissimilarity of some pairs, or the mean; 1 without a pair."""
        values = [self.apart(*pair) for pair in pairs]
        if not values:
            return Fraction(1)
        return sum(values, Fraction(0)) / len(values) if self.kind == "average" else min(values)

    def build(self) -> Any:
        """Make altsel's diversity."""
        measure = altsel.Dice(self.tau) if self.measure == "dice" else altsel.Jaccard(self.tau)
        if self.kind == "penalised":
            return altsel.Penalised(measure, self.penalty)
        return altsel.Average(measure) if self.kind == "average" else measure


ANY = Diversity("dice", 0.0, "average")
"""Sets must only be distinct."""
MEANS = Fraction(2, 10**5)
"""Difference of means that need not be distinguished."""


@lru_cache(maxsize=100_000)
def _apart(measure: str, common: int, first: int, second: int) -> Fraction:
    if measure == "dice":
        return 1 - Fraction(2 * common, first + second)
    return 1 - Fraction(common, first + second - common)


def draw_demand(rng: Random, kinds: Sequence[str] = ("each",), scale: float = 1.0) -> Diversity:
    """Draw a diversity; penalties are of the scale of the qualities."""
    kind, measure, tau = rng.choice(kinds), rng.choice(["dice", "jaccard"]), rng.choice(TAUS)
    penalty = rng.choice([0.0, 0.1, 0.5, 1.0, 5.0]) * scale
    return Diversity(measure, tau, kind, penalty if kind == "penalised" else 0.0)


def all_pairs(masks: Sequence[int]) -> list[Pair]:
    """List the pairs of some sets."""
    return list(combinations(masks, 2))


def pairs_with(masks: Sequence[int], one: int) -> list[Pair]:
    """List the pairs of known sets and a new one."""
    return [(other, one) for other in masks]
