"""A criterion that finds all sets it admits equally good: the only question is whether there is one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.models.many_scores import scores_of
from altsel.models.objective import Kind, Objective
from altsel.models.own_model import express
from altsel.models.univariate import Univariate
from altsel.pyomo_on_demand import pyo


class FeasibilityOnly(Objective):
    """Admits what another criterion admits, and scores it 0.

    Parameters
    ----------
    objective
        A criterion with conditions of its own.
    """

    def __init__(self, objective: Objective) -> None:
        self.of = objective
        self.features = objective.features
        self.absent = objective.absent
        self.name = f"any set admitted by {objective.name}"

    def score(self, mask: BoolArray) -> float:
        """Score 0."""
        del mask
        return 0.0

    def is_feasible(self, mask: BoolArray) -> bool:
        """Return whether the criterion admits a set."""
        return self.of.checked_feasible(mask)

    def scores(self, members: IntArray) -> FloatArray:
        """Score 0 those that are feasible, -inf the others."""
        return np.where(scores_of(self.of, members) > -np.inf, 0.0, -np.inf)

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        """Add the criterion's conditions to the block, as rows if they are rows."""
        if self.of.rows is None:
            express(self.of, block, sizes)
            block.quality.set_value(0.0)
            return
        block.quality = pyo.Expression(expr=0.0)
        block.conditions = pyo.ConstraintList()
        for row, low, high in self.of.rows:
            total = pyo.quicksum(
                c * block.x[f] for f, c in zip(self.features, row.tolist(), strict=True) if c
            )
            ends = [None if np.isinf(limit) else limit for limit in (low, high)]
            block.conditions.add(pyo.inequality(ends[0], total, ends[1]))


class PairwiseFeasible(FeasibilityOnly):
    """The same for a criterion whose conditions are pairs that exclude each other.

    A quadratic form for branch and bound, as the model of many pairs is large.
    """

    kind = Kind.QUADRATIC
    exchangeable = True
    most = 0.0

    def __init__(self, objective: Objective) -> None:
        super().__init__(objective)
        self.conflict = objective.conflict
        self.relevance = objective.relevance

    def quadratic(self, k: int) -> tuple[FloatArray, FloatArray]:
        """Write 0, with infinite redundancy between features that exclude each other."""
        del k
        conflict = np.zeros((len(self.features),) * 2) if self.conflict is None else self.conflict
        return np.zeros(len(self.features)), np.where(conflict, np.inf, 0.0)

    def exchanged(self, members: IntArray) -> FloatArray:
        """Score all exchanges 0."""
        return np.zeros((len(members), len(self.features)))


def conditions_only(objective: Objective, wanted: bool) -> Objective:
    """Reduce a criterion to its conditions, or to none at all if they are not wanted."""
    if wanted and objective.conditional:
        return PairwiseFeasible(objective) if objective.conflict is not None else FeasibilityOnly(objective)
    return Univariate(pd.Series(0.0, index=list(objective.features)))
