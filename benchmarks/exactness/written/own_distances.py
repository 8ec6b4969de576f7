"""Distances of the user's own, as classes with `rows` or `share`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pyomo.environ as pyo
from pyomo.gdp import Disjunction

Names = Collection[str]


def _overlap_of(first: Names, second: Names) -> int:
    return len(set(first) & set(second))


@dataclass(frozen=True)
class ByProducts:
    """The share of features in common, some of which count twice; by rows with products."""

    tau: float
    twice: tuple[str, ...] = ()

    def __call__(self, first: Names, second: Names) -> float:
        common = set(first) & set(second)
        return 1 - (len(common) + len(common & set(self.twice))) / (len(first) + len(second))

    def rows(self, block: Any, first: Mapping[str, Any], second: Mapping[str, Any]) -> Any:
        common = sum((2 if f in self.twice else 1) * first[f] * second[f] for f in first)
        return common <= (1 - self.tau) * (sum(first.values()) + sum(second.values()))


@dataclass(frozen=True)
class InSpace:
    """The share of the first set's features that have no neighbour in the second: not the same both ways."""

    tau: float
    labels: tuple[str, ...] = ("near",)
    attached: bool = False

    def __call__(self, first: Names, second: Names) -> float:
        one, other = ([int(f[1:]) for f in each] for each in (first, second))
        return 1 - sum(min(abs(i - j) for j in other) < 2 for i in one) / len(one)

    def rows(self, block: Any, first: Mapping[str, Any], second: Mapping[str, Any]) -> Any:
        near = pyo.Var(list(first), bounds=(0, 1))
        setattr(block, self.labels[0], near)
        made = [
            near[f] >= first[f] + second[g] - 1
            for f in first
            for g in second
            if abs(int(f[1:]) - int(g[1:])) < 2
        ]
        made.append(sum(near.values()) <= (1 - self.tau) * sum(first[f] for f in first))
        if not self.attached:
            return iter(made)
        for label, row in zip(self.labels[1:], made[-1:], strict=False):
            setattr(block, label, pyo.Constraint(expr=row))
        return made[:-1]


@dataclass(frozen=True)
class ByShare:
    """Dice dissimilarity, told by the share of an overlap."""

    tau: float

    @property
    def share(self) -> Fraction:
        return (1 - Fraction(self.tau).limit_denominator(10**6)) / 2

    def __call__(self, first: Names, second: Names) -> float:
        return 1 - 2 * _overlap_of(first, second) / (len(first) + len(second))


@dataclass(frozen=True)
class BySize:
    """1 if sets are of different size, or have no more than one feature in common; by a disjunction."""

    tau: float
    label: str = "either"

    def __call__(self, first: Names, second: Names) -> float:
        return float(len(first) != len(second) or _overlap_of(first, second) <= 1)

    def rows(self, block: Any, first: Mapping[str, Any], second: Mapping[str, Any]) -> Any:
        if self.tau <= 0:
            return True
        one, other = (sum(each[f] for f in each) for each in (first, second))
        common = sum(first[f] * second[f] for f in first)
        setattr(block, self.label, Disjunction(expr=[[one >= other + 1], [other >= one + 1], [common <= 1]]))
        return None


@dataclass(frozen=True)
class Lenient(ByProducts):
    """Its rows allow more than its definition."""

    def __call__(self, first: Names, second: Names) -> float:
        return ByProducts.__call__(self, first, second)

    def rows(self, block: Any, first: Mapping[str, Any], second: Mapping[str, Any]) -> Any:
        return ByProducts.rows(replace(self, tau=self.tau / 2), block, first, second)
