"""What follows for a node from the size of the sets, their rows, and pairs that exclude each other."""

from __future__ import annotations

import numpy as np

from altsel._types import BoolArray, IntArray
from altsel.exact.convexified.dual import Costs
from altsel.exact.rules.linear_rules import FEASIBLE


def decide(status: np.ndarray, features: IntArray, side: int, clash: BoolArray | None) -> None:
    """Take features in, with which their rivals go, or leave them out.

    Parameters
    ----------
    status
        1 of a feature inside, 0 of a free one, -1 of one left out; all -1 where no set is left.
    features, side
        Which are decided, and what they become.
    clash
        Which pairs exclude each other, if any do.
    """
    status[features] = side
    if side == 1 and clash is not None:
        for j in features.tolist():
            rivals = clash[j]
            if (status[rivals] == 1).any():
                status[:] = -1  # no set is left
                return
            status[rivals] = -1


def propagated(status: np.ndarray, costs: Costs, clash: BoolArray | None) -> bool:
    """Decide what the size and the rows decide; False if no set is left."""
    while True:
        inside = status == 1
        need = costs.size - int(np.count_nonzero(inside))
        left = len(status) - int(np.count_nonzero(status))
        if need < 0 or left < need:
            return False
        if not len(costs.limits):
            return True
        free = np.flatnonzero(status == 0)
        slack = costs.limits - costs.rows[:, inside].sum(axis=1) + FEASIBLE
        if need == 0 or need == len(free):
            return True  # the end checks the rows
        reach = _reach(costs.rows[:, free], need, slack)
        if reach is None:
            return False
        useless, needed = reach
        if not useless.any() and not needed.any():
            return True
        decide(status, free[useless], -1, clash)
        decide(status, free[needed], 1, clash)


def _reach(rows: np.ndarray, need: int, slack: np.ndarray) -> tuple[BoolArray, BoolArray] | None:
    """Return which features no set can have by the rows, and which every set has; None if there is no set."""
    ordered = np.partition(rows, (need - 1, need), axis=1)
    cheapest = ordered[:, :need].sum(axis=1)
    if (cheapest > slack).any():
        return None
    marginal, following = ordered[:, [need - 1]], ordered[:, [need]]
    excess = np.where(rows > marginal, rows - marginal, 0.0)
    useless = (cheapest[:, None] + excess > slack[:, None]).any(axis=0)
    without = np.where(rows < following, following - rows, 0.0)
    needed = (cheapest[:, None] + without > slack[:, None]).any(axis=0)
    return None if (useless & needed).any() else (useless, needed)
