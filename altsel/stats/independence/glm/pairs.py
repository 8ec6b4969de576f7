"""Products of pairs of columns, summed over the rows by many weights at once, or over the pairs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from altsel._types import FloatArray, IntArray

FEW = 2
"""Where weights are fewer than the columns by this factor, products are made weight by weight."""
CELLS = 1 << 16
"""Products that are held at once: about what a core's own memory takes."""


@lru_cache(maxsize=64)
def pairs(size: int) -> tuple[IntArray, IntArray]:
    """Return the places of the first and second of each pair of equal or different things."""
    first, second = np.triu_indices(size)
    return first, second


@lru_cache(maxsize=64)
def places(size: int) -> IntArray:
    """Return the place of each pair among `pairs`, shape (size, size)."""
    found = np.empty((size, size), dtype=np.int64)
    first, second = pairs(size)
    found[first, second] = found[second, first] = np.arange(len(first))
    return found


def weighted_squares(columns: FloatArray, weights: FloatArray) -> FloatArray:
    """``columns' diag(w) columns`` for each weight of the rows.

    Parameters
    ----------
    columns
        Shape (rows, columns).
    weights
        Shape (weights, rows).

    Returns
    -------
    array
        Shape (weights, columns, columns).
    """
    size = columns.shape[1]
    if FEW * len(weights) <= size + 1 or not size:
        return np.array([(columns.T * one) @ columns for one in weights])
    sums = np.zeros((len(weights), size * (size + 1) // 2))
    for rows, products in _products(columns):
        sums += weights[:, rows] @ products.T
    return sums[:, places(size)]


def row_squares(columns: FloatArray, matrices: FloatArray) -> FloatArray:
    """``z' M z`` of each row z of the columns, for symmetric matrices.

    Parameters
    ----------
    columns
        Shape (rows, columns).
    matrices
        Shape (matrices, columns, columns).

    Returns
    -------
    array
        Shape (matrices, rows).
    """
    first, second = pairs(columns.shape[1])
    factors = matrices[:, first, second] + np.where(first == second, 0.0, matrices[:, second, first])
    return np.hstack([factors @ products for _, products in _products(columns)])


def _products(columns: FloatArray) -> Iterator[tuple[slice, FloatArray]]:
    """Multiply the columns of each pair, some rows after another; shape (pairs, rows), written over."""
    size = columns.shape[1]
    turned = np.ascontiguousarray(columns.T)
    ends = np.cumsum(np.arange(size, 0, -1)).tolist()
    step = max(1, CELLS // max(ends[-1], 1))
    held = np.empty((ends[-1], min(step, len(columns))))
    for start in range(0, len(columns), step):
        part = turned[:, start : start + step]
        products = held[:, : part.shape[1]]
        for j, end in enumerate(ends):
            np.multiply(part[j:], part[j], out=products[end - size + j : end])
        yield slice(start, start + step), products
