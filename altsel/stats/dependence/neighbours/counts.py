"""How many rows of a column lie within a radius of each row."""

from __future__ import annotations

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.stats.dependence.neighbours.compiled import LEAST, Kernels

BEYOND = 1e300
"""Further away than any number of a scaled column; stands for no row."""


def within(values: FloatArray, radius: FloatArray, kernels: Kernels | None) -> IntArray:
    """Count the rows that are nearer than the radius, each row itself among them.

    Differences are compared, ``|v_j - v_i| < r_i``, not values with ``v_i + r_i``, which is rounded.
    A radius of 0 has the rows of the same value within.

    Parameters
    ----------
    values
        Ascending in each line, shape (lines, rows).
    radius
        Of each row in the same order.
    kernels
        Compiled loops, if any.

    Returns
    -------
    ndarray
        Number of rows, of the same shape.

    Examples
    --------
    >>> within(np.array([[0.0, 1.0, 3.0]]), np.array([[1.5, 1.0, 5.0]]), None).tolist()
    [[2, 1, 3]]
    """
    lines, rows = values.shape
    size = (1 << rows.bit_length()) - 1
    padded = np.full((lines, size), BEYOND)
    padded[:, :rows] = values
    reach = np.maximum(radius, LEAST)
    if kernels is not None:
        found = np.empty((lines, rows), dtype=np.int64)
        kernels.within(padded, reach, found)
        return found
    before = np.arange(-1, lines * size - 1, size)[:, None]  # index of the value before a line's first
    low, high = np.repeat(before, rows, axis=1), np.repeat(before, rows, axis=1)
    flat, half = padded.ravel(), (size + 1) >> 1
    while half:
        low += half * (values - flat[low + half] >= reach)
        high += half * (flat[high + half] - values < reach)
        half >>= 1
    return np.asarray(high - low)
