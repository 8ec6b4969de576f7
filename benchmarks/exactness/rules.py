"""Rules as data: linear rows over the features, the quality and groups, with a verdict of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

from benchmarks.exactness.criteria import Value

RELATIVE, FLOOR = 1e-9 * (1 + 1e-6), 1e-12
"""Violation of a row that is put down to rounding: relative to its absolute terms, and at least. What misses
it by a billionth, but for a millionth of that, may be said to keep it or not."""


@dataclass(frozen=True)
class Row:
    """``low <= sum_i c_i x_i + sum_g c_g [any of g] + c Q <= high``.

    Attributes
    ----------
    costs
        Pairs (index, c_i).
    low, high
        Limits; None if there is none.
    panels
        Pairs (c_g, group), the group by bits.
    quality
        Coefficient of the quality.
    over
        All other numbers are integers over this one, if it is above 1: altsel gets them rounded, the verdict
        takes them as they are.
    """

    costs: tuple[tuple[int, float], ...]
    low: float | None = None
    high: float | None = None
    panels: tuple[tuple[float, int], ...] = ()
    quality: float = 0.0
    over: int = 1

    @property
    def rounded(self) -> Row:
        """The row in floats."""
        if self.over == 1:
            return self
        return Row(
            tuple((index, cost / self.over) for index, cost in self.costs),
            None if self.low is None else self.low / self.over,
            None if self.high is None else self.high / self.over,
            tuple((cost / self.over, group) for cost, group in self.panels),
        )

    def total(self, mask: int, value: Value) -> tuple[list[float], float]:
        """Return the terms at a set, and their absolute sum."""
        terms = [cost for index, cost in self.costs if mask >> index & 1]
        terms += [cost for cost, group in self.panels if mask & group]
        size = fsum(map(abs, terms))
        if self.quality:
            terms.append(self.quality * value.score)
            size += abs(self.quality) * value.terms
        return terms, size

    def verdict(self, mask: int, value: Value) -> bool | None:
        """Return whether a set keeps the row; None if that is a matter of rounding."""
        terms, size = self.total(mask, value)
        if self.over > 1:
            total = sum(terms)
            return (self.low is None or total >= self.low) and (self.high is None or total <= self.high)
        ends = [] if self.low is None else [fsum([*terms, -self.low])]
        ends += [] if self.high is None else [fsum([self.high, *(-term for term in terms)])]
        least, hair = min(ends), max(RELATIVE * size, FLOOR)
        if abs(least) <= hair and (self.quality or least < 0):
            return None
        return least >= 0


@dataclass(frozen=True)
class Rule:
    """A rule: how altsel takes it, and the rows it means."""

    kind: str
    given: tuple[Any, ...]
    rows: tuple[Row, ...]

    @property
    def on_quality(self) -> bool:
        """Whether it names the quality."""
        return any(row.quality for row in self.rows)

    def verdict(self, mask: int, value: Value) -> bool | None:
        """Return whether a set keeps the rule."""
        return every(row.verdict(mask, value) for row in self.rows)


@dataclass(frozen=True)
class Across:
    """A rule on all sets together: each feature in few of them, or a budget for all."""

    kind: str
    costs: tuple[tuple[int, float], ...]
    most: float

    def verdict(self, masks: Sequence[int]) -> bool | None:
        """Return whether sets keep it."""
        if self.kind == "in_at_most":
            return all(sum(mask >> index & 1 for mask in masks) <= self.most for index, _ in self.costs)
        together = [cost for mask in masks for index, cost in self.costs if mask >> index & 1]
        spare = fsum([self.most, *(-cost for cost in together)])
        hair = max(RELATIVE * fsum(map(abs, together)), FLOOR)
        return spare >= 0 or (None if spare >= -hair else False)


def every(verdicts: Any) -> bool | None:
    """Join verdicts: False if one is, else None if one is."""
    found = list(verdicts)
    if any(subset is False for subset in found):
        return False
    return None if any(subset is None for subset in found) else True
