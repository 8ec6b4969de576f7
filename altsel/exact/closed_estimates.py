"""How good several sets can be on average, and how many sets are as good: estimates in closed form."""

from __future__ import annotations

import numpy as np

from altsel._types import FloatArray

HALVINGS = 7
"""Steps to the multiplier of a bound: a hundredth of its range is enough for an estimate."""
NEWTON = 8
"""Steps to a saddle point."""
FARTHEST, NEAR = 2.0, 0.05
"""How far a step may go, and the length of the last one."""
STEEPEST = 40.0
"""Largest multiplier of a floor, in units of one over the standard deviation."""
MOST_VALUES = 2_000
"""Values that are looked at, the largest."""


def average_bound(values: FloatArray, sets: int, k: int, shared: int) -> float:
    """Return about the largest average of the sums of several sets that share few features.

    A feature in c sets is shared by ``c (c - 1) / 2`` pairs of them. So the average is at most ``max sum_f
    v_f c_f / a`` subject to ``sum_f c_f = a k`` and ``sum_f c_f (c_f - 1) / 2 <= s a (a - 1) / 2``, here
    with a multiplier for the pairs.

    Parameters
    ----------
    values
        What each feature is worth, largest first.
    sets, k, shared
        Number a of sets, of features in each, and s of those that two may share.

    Examples
    --------
    Two sets of two, with nothing in common:

    >>> round(average_bound(np.array([4.0, 3.0, 2.0, 1.0]), 2, 2, 0), 1)
    5.0
    """
    needed, pairs = sets * k, shared * sets * (sets - 1) / 2
    values = values[:needed]
    worth = np.repeat(values, sets)
    meets = np.tile(np.arange(sets, dtype=float), len(values))
    low, high, least = 0.0, 2 * float(values[0] - values[-1]), np.inf
    for _ in range(HALVINGS):
        price = (low + high) / 2
        left = worth - price * meets
        best = np.argpartition(-left, needed - 1)[:needed]
        least = min(least, float(left[best].sum()) + price * pairs)
        low, high = (price, high) if meets[best].sum() > pairs else (low, price)
    return max(least / sets, k * float(values[-1]))


def log_number_above(values: FloatArray, k: int, floor: float) -> float:
    """Return about the log of the number of sets of k features whose values sum to a floor at least.

    By the saddle point (Daniels 1954) of the generating function: ``min over t >= 0 and u of
    sum_f log(1 + exp(t v_f + u)) - t floor - u k``, less the logs of the width in the size and in the sum.

    Parameters
    ----------
    values
        What each feature is worth, largest first.
    k, floor
        Size of the sets, and what their values sum to at least.

    Examples
    --------
    Of the 15,504 sets of five of twenty, whose log is 9.6, 408 sum to 75, and their log is 6.0:

    >>> values = np.arange(20.0, 0.0, -1.0)
    >>> [f"{log_number_above(values, 5, floor):.1f}" for floor in (0, 75)]
    ['9.7', '5.8']
    """
    if values[:k].sum() <= floor:
        return 0.0
    values = values[:MOST_VALUES]
    mean, scale = values.mean(), values.std() or 1.0
    v, f = (values - mean) / scale, (floor - k * mean) / scale
    t, u = 0.0, float(np.log(k / max(len(v) - k, 0.5)))
    for _ in range(NEWTON):
        p = 1 / (1 + np.exp(-np.clip(t * v + u, -STEEPEST, STEEPEST)))
        q = p * (1 - p)
        tt, tu, uu = q @ (v * v) + 1e-6, q @ v, q.sum() + 1e-6
        over, more, free = v @ p - f, p.sum() - k, tt * uu - tu * tu
        if t or f > 0:
            step_t, step_u = float(uu * over - tu * more) / free, float(tt * more - tu * over) / free
        else:  # the floor is below the mean of all sets
            step_t, step_u = 0.0, float(more) / uu
        step_t, step_u = (min(max(step, -FARTHEST), FARTHEST) for step in (step_t, step_u))
        t, u = min(max(t - step_t, 0.0), STEEPEST), u - step_u
        if max(abs(step_t), abs(step_u)) < NEAR:
            break
    exponent = np.logaddexp(0.0, t * v + u).sum() - t * f - u * k
    widths = 0.5 * np.log(2 * np.pi * uu) + np.log(1 + t * np.sqrt(2 * np.pi * free / uu))
    return max(float(exponent - widths), 0.0)
