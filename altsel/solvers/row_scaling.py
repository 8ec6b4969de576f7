"""Rows times powers of two, which is exact: engines' absolute tolerances then are small relative ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from altsel._types import BoolArray, FloatArray
from altsel.solvers.rows import Rows


def extremes(extreme: np.ufunc, rows: Rows) -> FloatArray:
    """Return the smallest or the largest absolute coefficient of each row; 0 for a row without any.

    Parameters
    ----------
    extreme
        ``np.minimum`` or ``np.maximum``.
    rows
        The rows.
    """
    starts, ends = rows.matrix.indptr[:-1], rows.matrix.indptr[1:]
    found = np.zeros(len(starts))
    used = starts < ends
    if used.any():
        found[used] = extreme.reduceat(np.abs(rows.matrix.data), starts[used])
    return found


def factors_of(largest: FloatArray, which: BoolArray) -> FloatArray:
    """Return powers of two that bring some numbers to [512, 1024), unless tiny or huge, and 1 for others.

    Examples
    --------
    >>> factors_of(np.array([3.0, 0.0, 2.0**-9]), np.array([True, False, True])).tolist()
    [256.0, 1.0, 262144.0]
    """
    exponents = 9 - np.floor(np.log2(np.where(which, largest, 1.0)))
    return np.asarray(np.where(which, 2.0 ** np.clip(exponents, -500, 500), 1.0))


def times(rows: Rows, factors: FloatArray) -> Rows:
    """Return the same rows, each times a factor above 0."""
    matrix = rows.matrix.copy()
    matrix.data = matrix.data * np.repeat(factors, np.diff(matrix.indptr))
    return replace(rows, matrix=matrix, low=rows.low * factors, high=rows.high * factors)
