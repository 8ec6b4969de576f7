"""Prices of rows: with any of them at least 0, a bound on the sum of every set that keeps the rows."""

from __future__ import annotations

import numpy as np

from altsel._types import FloatArray

STEPS, STEPS_ON = 160, 60
"""Steps of the subgradient method, from the beginning and from the prices of a step before."""
FIRST, WAIT = 0.02, 12
"""Gap aimed at, relative to the range of sums, and steps without progress after which it is halved."""


def prices(
    weights: FloatArray, rows: FloatArray, limits: FloatArray, need: int, start: FloatArray | None = None
) -> FloatArray:
    """Find prices that make the bound small.

    ``bound(p) = p @ limits + max {(weights - p @ rows) @ x : sum x = need}``, an upper bound on
    ``weights @ x`` under ``rows @ x <= limits`` for every p at least 0 (Held and Karp 1971; steps
    as Polyak 1969, with a target that draws nearer).

    Returns
    -------
    array
        A price a row.

    Examples
    --------
    >>> weights, rows, limits = np.array([5.0, 4.0, 1.0]), np.array([[1.0, 1.0, 0.0]]), np.array([1.0])
    >>> p = prices(weights, rows, limits, 2)
    >>> reduced = np.sort(weights - p @ rows)[::-1]
    >>> round(float(p @ limits + reduced[:2].sum()), 2)
    6.0
    """
    price = np.zeros(len(limits)) if start is None else start.copy()
    best, best_bound = price.copy(), np.inf
    ordered = np.sort(weights)
    gap = FIRST * float(ordered[-need:].sum() - ordered[:need].sum())
    since = 0
    for _ in range(STEPS if start is None else STEPS_ON):
        reduced = weights - price @ rows
        top = np.argpartition(-reduced, need - 1)[:need] if need < len(weights) else np.arange(need)
        bound = float(price @ limits + reduced[top].sum())
        since += 1
        if bound < best_bound:
            since = 0 if bound < best_bound - gap / 10 else since
            best, best_bound = price.copy(), bound
        if since > WAIT:
            gap, since, price = gap / 2, 0, best.copy()
            continue
        slope = limits - rows[:, top].sum(axis=1)
        length = float(slope @ slope)
        if not length:
            break
        price = np.maximum(price - (bound - best_bound + gap) / length * slope, 0.0)
        if not price.any() and not best.any() and bound == best_bound:
            break
    return best
