"""A criterion that finds all sets it admits equally good: what is asked is only whether there is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.models.objective import Objective, Ratio
from altsel.models.univariate import Univariate
from altsel.pyomo_on_demand import pyo


class FeasibilityOnly:
    """Admits what another criterion admits, and scores it 0.

    Parameters
    ----------
    objective
        A criterion with conditions of its own: an attribute ``rows`` or a method ``is_feasible``.
    """

    def __init__(self, objective: Any) -> None:
        self.of = objective
        self.features: Sequence[str] = objective.features
        self.name = f"any set admitted by {objective.name}"
        if hasattr(objective, "scores"):
            self.scores = self._scores

    def score(self, mask: BoolArray) -> float:
        """Score 0."""
        del mask
        return 0.0

    def is_feasible(self, mask: BoolArray) -> bool:
        """Return whether the criterion admits a set."""
        return bool(self.of.is_feasible(mask))

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        """Put the criterion's conditions on the block, as rows if they are rows."""
        rows = _rows(self.of)
        if rows is None:
            self.of.express(block, sizes)
            block.quality.set_value(0.0)
            return
        block.quality = pyo.Expression(expr=0.0)
        block.conditions = pyo.ConstraintList()
        for row, low, high in rows:
            load = pyo.quicksum(c * block.x[f] for f, c in zip(self.features, row.tolist(), strict=True) if c)
            ends = [None if np.isinf(limit) else limit for limit in (low, high)]
            block.conditions.add(pyo.inequality(ends[0], load, ends[1]))

    def _scores(self, members: IntArray) -> FloatArray:
        return np.where(self.of.scores(members) > -np.inf, 0.0, -np.inf)


class PairwiseFeasible(FeasibilityOnly):
    """The same for a criterion whose conditions are pairs that exclude each other.

    A quadratic form for branch and bound, as the model of many pairs is large.
    """

    most = 0.0
    """No set scores more."""

    def __init__(self, objective: Any) -> None:
        super().__init__(objective)
        self.conflict: BoolArray = objective.conflict
        self.relevance: FloatArray = objective.relevance

    def quadratic(self, k: int) -> tuple[FloatArray, FloatArray]:
        """Write 0, with infinite redundancy between features that exclude each other."""
        del k
        return np.zeros(len(self.features)), np.where(self.conflict, np.inf, 0.0)

    def exchanged(self, members: IntArray) -> FloatArray:
        """Score all exchanges 0."""
        return np.zeros((len(members), len(self.features)))


def conditions_only(objective: Objective, wanted: bool) -> Objective:
    """Reduce a criterion to its conditions, or to none at all if they are not wanted."""
    if wanted and has_conditions(objective):
        return PairwiseFeasible(objective) if hasattr(objective, "conflict") else FeasibilityOnly(objective)
    return Univariate(pd.Series(0.0, index=list(objective.features)))


def has_conditions(objective: Any) -> bool:
    """Return whether a criterion admits only some sets."""
    if hasattr(objective, "conflict"):
        return bool(objective.conflict.any())
    rows = _rows(objective)
    return hasattr(objective, "is_feasible") if rows is None else bool(rows)


def _rows(objective: Any) -> Sequence[Any] | None:
    """Return the conditions that are rows; those of a ratio are the same at every level."""
    stated = objective.at(0.0) if isinstance(objective, Ratio) else objective
    rows: Sequence[Any] | None = getattr(stated, "rows", None)
    return rows
