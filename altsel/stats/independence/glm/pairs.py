"""Products of pairs of columns, summed over the rows by many weights at once, or over the pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np
from scipy.linalg import blas

from altsel._types import FloatArray, IntArray

FEW = 4
"""Where weights are fewer than the columns by so many, products are made weight by weight,"""
SCALED = 1 << 14
"""of rows with so many numbers at once."""
CELLS = 1 << 18
"""Numbers of some rows that are held at once: about what a core's own memory takes,"""
LEAST = 512
"""of no fewer rows, so that a product of matrices is worth its start."""


@lru_cache(maxsize=64)
def pairs(size: int) -> tuple[IntArray, IntArray]:
    """Return the places of the first and second of each pair of equal or different things."""
    first, second = np.triu_indices(size)
    return first, second


@lru_cache(maxsize=64)
def diagonal(size: int) -> IntArray:
    """Return the places of the pairs of equal things; those of each with the ones after it follow."""
    first, second = pairs(size)
    return np.flatnonzero(first == second)


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
    return squares_by(columns, len(weights), lambda rows: weights[:, rows], len(weights))


def squares_by(
    columns: FloatArray, number: int, weights: Callable[[slice], FloatArray], width: int
) -> FloatArray:
    """Do the same for weights, of that number, that are computed for some rows after another.

    Each time they have shape (weights, rows); so many numbers a row are held for them.
    """
    size = columns.shape[1]
    if _few(number, size):
        squares = np.zeros((number, size, size))
        for rows in _parts(len(columns), size, SCALED):
            part = columns[rows]
            squares += [(part.T * one) @ part for one in weights(rows)]
        return squares
    sums = np.zeros((size * (size + 1) // 2, number), order="F")
    for rows, products in _products(columns, width):
        # sums += products @ weights', without a second array of that size
        sums = blas.dgemm(1.0, products.T, weights(rows).T, 1.0, sums, trans_a=True, overwrite_c=True)
    return np.asarray(sums.T[:, places(size)])


def row_squares(columns: FloatArray, matrices: FloatArray, width: int) -> Iterator[tuple[slice, FloatArray]]:
    """``z' M z`` of each row z of the columns, for symmetric matrices, some rows after another.

    Parameters
    ----------
    columns
        Shape (rows, columns).
    matrices
        Shape (matrices, columns, columns).
    width
        Numbers a row that are held for what is made of them.

    Yields
    ------
    tuple
        The rows, and an array of shape (matrices, these rows).
    """
    size = columns.shape[1]
    if _few(len(matrices), size):
        for rows in _parts(len(columns), max(width, size * len(matrices)), CELLS):
            part = columns[rows]
            yield rows, np.einsum("kni,ni->kn", part @ matrices, part)
        return
    first, second = pairs(size)
    factors = matrices[:, first, second] + np.where(first == second, 0.0, matrices[:, second, first])
    for rows, products in _products(columns, width):
        yield rows, factors @ products


def _few(number: int, size: int) -> bool:
    """Return whether so many weights are so few that no products of pairs of so many columns are made."""
    return number + FEW <= size or not size


def _parts(rows: int, width: int, cells: int) -> Iterator[slice]:
    """Divide rows into parts in which arrays so wide have so many numbers."""
    step = max(LEAST, cells // max(width, 1))
    return (slice(start, start + step) for start in range(0, rows, step))


def _products(columns: FloatArray, width: int) -> Iterator[tuple[slice, FloatArray]]:
    """Multiply the columns of each pair, some rows after another, in the same memory; shape (pairs, rows)."""
    size = columns.shape[1]
    turned, held = np.ascontiguousarray(columns.T), np.empty(0)
    ends = np.cumsum(np.arange(size, 0, -1)).tolist()
    for rows in _parts(len(columns), max(width, ends[-1]), CELLS):
        part = turned[:, rows]
        count = ends[-1] * part.shape[1]
        held = held if len(held) >= count else np.empty(count)  # new memory takes as long as the products
        products = held[:count].reshape(ends[-1], -1)
        for j, end in enumerate(ends):
            np.multiply(part[j:], part[j], out=products[end - size + j : end])
        yield rows, products
