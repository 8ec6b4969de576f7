"""Good sets without proof: the best exchange of one feature, again and again, from many beginnings."""

from __future__ import annotations

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.kernels.climbs import LEAST, Quadratic


def beginnings(count: int, size: int, chances: FloatArray, rng: np.random.Generator) -> IntArray:
    """Draw sets of a size without replacement, features by their chances, shape (count, size)."""
    keys = rng.exponential(size=(count, len(chances))) / chances
    return np.asarray(np.argpartition(keys, size - 1, axis=1)[:, :size], dtype=np.int64)


def climbed(costs: Quadratic, members: IntArray, values: FloatArray) -> None:
    """Descend from sets by the best exchange until none lowers the costs.

    Parameters
    ----------
    costs
        What is minimised.
    members
        Indices of the features, shape (beginnings, size); become those of the last sets.
    values
        Become their costs.
    """
    single, double, rows, limits, penalty = costs
    n, size = len(single), members.shape[1]
    active = np.arange(len(members))
    for _ in range(20 * size + 100):
        if not len(active) or size == n:
            break
        sets = members[active]
        slope = single + 2 * double[sets].sum(axis=1)
        change = slope[:, None, :] - np.take_along_axis(slope, sets, axis=1)[:, :, None] - 2 * double[sets]
        for row, limit in zip(rows, limits, strict=True):
            used = row[sets].sum(axis=1)
            after = used[:, None, None] - row[sets][:, :, None] + row[None, None, :] - limit
            before = np.maximum(used - limit, 0.0)[:, None, None]
            change += penalty * (np.maximum(after, 0.0) - before)
        np.put_along_axis(change, np.broadcast_to(sets[:, None, :], (len(sets), size, size)), np.inf, axis=2)
        flat = change.reshape(len(sets), -1)
        best = flat.argmin(axis=1)
        gains = flat[np.arange(len(sets)), best] < -LEAST * penalty
        active, best = active[gains], best[gains]
        members[active, best // n] = best % n
    inner = double[members[:, :, None], members[:, None, :]].sum(axis=(1, 2))
    values[:] = single[members].sum(axis=1) + inner
    for row, limit in zip(rows, limits, strict=True):
        values += penalty * np.maximum(row[members].sum(axis=1) - limit, 0.0)
