"""The mean of G-square over all contingency tables with the same margins, as under permutations."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.runtime.on_demand import OnDemand

special: Any = OnDemand("scipy.special")

MANY = 10.0
"""Expected count from which the mean of ``k log k`` is a series (error below 1e-3)."""


def mean_log(rows: IntArray, first: IntArray, second: IntArray, logs: FloatArray) -> FloatArray:
    """Return the mean of ``k log k``, k being hypergeometric: a cell of a table with fixed margins.

    Parameters
    ----------
    rows, first, second
        Rows of each table, and the cell's two margins; arrays that broadcast.
    logs
        ``c log c`` of every count c.

    Returns
    -------
    array
        The means; 0 where a margin is 0. The compiled twin is `mean_loop.mean_of_cell`.

    Examples
    --------
    >>> logs = np.array([0, 0, 2 * np.log(2), 3 * np.log(3), 4 * np.log(4)])
    >>> mean_log(np.array([4]), np.array([2]), np.array([2]), logs).round(4).tolist()  # P(k = 2) is 1/6
    [0.231]
    """
    n, a, b = (np.asarray(part) for part in np.broadcast_arrays(rows, first, second))
    mean, occurs = np.zeros(n.shape), (a > 0) & (b > 0)
    e = np.where(occurs, a * b / n, 0.0)
    many = e >= MANY
    mean[many] = _series(*(part[many].astype(float) for part in (n, a, b)))
    few = occurs & ~many
    mean[few] = _sums(n[few], a[few], b[few], logs)
    return mean


def _series(n: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    """Expand ``k log k`` around the mean of k, with its second to fourth moments."""
    e = a * b / n
    v = e * (n - a) / n * (n - b) / (n - 1)
    skew = v * (n - 2 * a) / n * (n - 2 * b) / (n - 2)
    return np.asarray(e * np.log(e) + v / (2 * e) - skew / (6 * e * e) + v * v / (4 * e**3))


def _sums(n: IntArray, a: IntArray, b: IntArray, logs: FloatArray) -> FloatArray:
    """Sum over the values of k; those farther than six standard deviations from the mean are left out."""
    e = a * b / n
    width = 6 * np.sqrt(e * (n - a) / n * (n - b) / np.maximum(n - 1, 1)) + 6
    low = np.maximum(np.maximum(0, a + b - n), (e - width).astype(int))
    high = np.minimum(np.minimum(a, b), (e + width).astype(int))
    facts = log_factorials(len(logs)) if isinstance(logs, np.ndarray) else logs.factorials
    weight = np.exp(
        facts[a]
        - facts[low]
        - facts[a - low]
        + facts[n - a]
        - facts[b - low]
        - facts[n - a - b + low]
        + facts[b]
        + facts[n - b]
        - facts[n]
    )
    mean = np.zeros(len(n))
    for step in range(int((high - low).max(initial=-1)) + 1):
        k = np.minimum(low + step, high)
        mean += np.where(low + step <= high, weight * logs[k], 0.0)
        weight = weight * ((a - k) / (k + 1.0) * (b - k) / (n - a - b + k + 1.0))
    return mean


REMEMBERED = 80
"""Tables of fewer rows have the means of their cells remembered by the compiled loop."""


SLOTS = 1 << 17
"""Means of cells of larger tables that are remembered; a power of two."""


class _Remembered(threading.local):
    """Of each thread its own: a key and its mean are not written at once."""

    def __init__(self) -> None:
        self.keys, self.values = np.zeros(SLOTS, dtype=np.int64), np.zeros(SLOTS)


_LARGER = _Remembered()


@lru_cache(maxsize=1)
def means_of_cells() -> FloatArray:
    """Means of ``k log k`` by the rows of a table and a cell's two margins, filled as they are needed."""
    return np.full((REMEMBERED, REMEMBERED, REMEMBERED), np.nan)


def means_of_larger() -> tuple[IntArray, FloatArray]:
    """Keys and means of cells of larger tables, each in a slot found from its key."""
    return _LARGER.keys, _LARGER.values


@lru_cache(maxsize=4)
def log_factorials(count: int) -> FloatArray:
    """Logarithms of the factorials of 0, 1, …, `count` - 1."""
    return np.asarray(special.gammaln(np.arange(1.0, count + 1)))
