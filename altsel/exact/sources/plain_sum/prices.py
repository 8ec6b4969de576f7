"""Prices of rows: with any of them at least 0, a bound on the sum of every set that keeps the rows."""

from __future__ import annotations

import numpy as np

from altsel._types import FloatArray
from altsel.exact.sources.plain_sum.compiled import LOOPS

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
    ordered = np.sort(weights)
    gap = FIRST * float(ordered[-need:].sum() - ordered[:need].sum())
    steps = STEPS if start is None else STEPS_ON
    price = np.zeros(len(limits)) if start is None else start
    return LOOPS.ready().descend(weights, rows, limits, need, price, gap, steps, WAIT)
