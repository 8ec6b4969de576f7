"""What follows for a node from the size of the sets, their rows, and pairs that exclude each other."""

from __future__ import annotations

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.exact.kernels.programs import NO_ROOM, Bound
from altsel.exact.rules.linear_rules import FEASIBLE
from altsel.exact.sources.quadratic.convexified.dual import Costs


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


def decided(status: np.ndarray, gradient: FloatArray, bound: Bound, cut: float, clash: BoolArray) -> int:
    """Decide what a node's bound decides: a feature whose other side would cost as much as the best set.

    Parameters
    ----------
    status
        As in `decide`.
    gradient, bound
        The gradient at the node's bound, and the bound.
    cut
        The cost at which to stop.
    clash
        Which pairs exclude each other; of shape (0, 0) if none do.

    Returns
    -------
    int
        How many features were taken in.
    """
    value, last, following = bound
    free = status == 0
    useless = free & (gradient > last) & (value + gradient - last >= cut)
    needed = free & ~useless & (value + following - gradient >= cut) & (gradient < following)
    decide(status, np.flatnonzero(useless), -1, None)
    decide(status, np.flatnonzero(needed), 1, clash if len(clash) else None)
    return int(needed.sum())


def propagated(status: np.ndarray, costs: Costs, clash: BoolArray | None) -> int:
    """Decide what the size and the rows decide; return how many features are missing, -1 for no set left."""
    while True:
        inside = status == 1
        need = costs.size - int(np.count_nonzero(inside))
        left = len(status) - int(np.count_nonzero(status))
        if need < 0 or left < need:
            return -1
        if not len(costs.limits):
            return need
        free = np.flatnonzero(status == 0)
        slack = costs.limits - costs.rows[:, inside].sum(axis=1) + FEASIBLE
        if need == 0 or need == len(free):
            return need  # the end checks the rows
        reach = _reach(costs.rows[:, free], need, slack)
        if reach is None:
            return -1
        useless, needed = reach
        if not useless.any() and not needed.any():
            return need
        decide(status, free[useless], -1, clash)
        decide(status, free[needed], 1, clash)


def fitted(x: FloatArray, status: np.ndarray, need: int) -> None:
    """Scale a point to the features needed of the free ones, and to 0 of the others.

    No feature gets a first part as long as others have room: each would have to be taken back by a step.
    """
    free = status == 0
    x[~free] = 0.0
    total = float(x.sum())
    if total >= need:
        x *= need / total
        return
    taken = x > 0
    if int(taken.sum()) <= need:
        taken = free
    room = float(taken.sum()) - total
    if room > NO_ROOM:
        x[taken] += (1 - x[taken]) * ((need - total) / room)


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
