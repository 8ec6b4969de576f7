"""A problem's rules and distances as rows, and its form, for every size of the set."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from math import inf

import numpy as np

from altsel._types import IntArray
from altsel.exact.rules.linear_rules import dissimilarity_rows, keeps
from altsel.exact.sources.quadratic.lagrangian_bound import Form
from altsel.models.problem import Problem
from altsel.models.rule import Row
from altsel.models.soft_diversity import Diversity


@dataclass(frozen=True, eq=False)
class Conditions:
    """The conditions of a problem as rows, for every size of the set."""

    problem: Problem
    dissimilarity: Diversity
    known: Sequence[Collection[str]]
    rules: list[Row]
    _made: dict[int, list[Row]] = field(default_factory=dict)

    def of(self, size: int) -> list[Row]:
        """Rows over the features with their least and largest sums."""
        if size not in self._made:
            self._made[size] = self._make(size)
        return self._made[size]

    def _make(self, size: int) -> list[Row]:
        overlaps = dissimilarity_rows(self.problem, self.dissimilarity, self.known, size)
        return [*(overlaps or []), *self.rules, *(self.problem.objective.rows or ())]

    def form(self, size: int, among: IntArray | None = None) -> Form:
        """Quadratic form of a size, with all rows as upper limits; of a plain sum among some features."""
        objective = self.problem.objective
        if among is None:
            linear, pairs = objective.quadratic(size)
        else:
            linear, pairs = objective.weights[among], np.zeros((len(among), len(among)))
        upper = [(row, high) for row, _, high in self.of(size) if high < inf]
        upper += [(-row, -low) for row, low, _ in self.of(size) if low > -inf]
        table = np.array([row if among is None else row[among] for row, _ in upper])
        limits = np.array([limit for _, limit in upper], dtype=float)
        return Form(linear, pairs, size, table.reshape(-1, len(linear)), limits)

    def score(self, indices: IntArray) -> float:
        """Evaluate the objective's formula; -inf for a set that breaks a condition."""
        objective = self.problem.objective
        if not all(keeps(row[indices], low, high) for row, low, high in self.of(len(indices))):
            return -inf
        mask = np.zeros(len(objective.features), dtype=bool)
        mask[indices] = True
        return objective.checked_score(mask) if objective.checked_feasible(mask) else -inf
