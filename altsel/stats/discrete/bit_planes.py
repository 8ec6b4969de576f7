"""Contingency tables of columns of few levels from bits: 64 rows at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from altsel._types import BoolArray, IntArray
from altsel.stats.discrete.levels import CELLS

MANY, FEW = 4000, 10
"""From so many rows, up to so many levels, bits count a table sooner than products of indicators do."""
WORDS = 1 << 14
"""Words of each level that are counted at once: few enough for the processor's cache and for exact floats."""

Bits = npt.NDArray[np.uint64]


def packed(flags: BoolArray) -> Bits:
    """Pack the last axis of flags into words of 64 bits."""
    short = np.packbits(flags, axis=1)
    padded = np.zeros((len(short), (short.shape[1] + 7) // 8 * 8), dtype=np.uint8)
    padded[:, : short.shape[1]] = short
    return padded.view(np.uint64)


def planes(columns: Sequence[IntArray], levels: IntArray) -> Bits:
    """Say by bits which rows have each level above 0; shape (levels but the first of each column, words)."""
    return np.concatenate(
        [packed(column == np.arange(1, top)[:, None]) for column, top in zip(columns, levels, strict=True)]
    )


def in_both(first: Bits, second: Bits) -> IntArray:
    """Count the rows that are in each of the first and each of the second sets.

    Parameters
    ----------
    first, second
        Sets of rows as bits, shape (sets, words). If they are the same object only half is counted.

    Examples
    --------
    >>> sets = packed(np.array([[True, True, False], [False, True, True]]))
    >>> in_both(sets, sets).tolist()
    [[2, 1], [1, 2]]
    """
    same = first is second
    found = np.zeros((len(second), len(first)), dtype=np.int64)
    for start in range(0, first.shape[1], WORDS):
        one, other = first[:, start : start + WORDS], second[:, start : start + WORDS]
        ones, width = np.ones(one.shape[1], dtype=np.float32), max(1, CELLS // one.shape[1])
        for j, member in enumerate(other):
            for begin in range(j if same else 0, len(one), width):
                some = slice(begin, begin + width)
                with np.errstate(invalid="ignore"):  # BLAS may flag lanes of its registers without a number
                    sums = np.bitwise_count(one[some] & member).astype(np.float32) @ ones
                found[j, some] += sums.astype(np.int64)
    return np.asarray(np.triu(found) + np.triu(found, 1).T) if same else found.T


def tables(first: Bits, second: Bits, levels: tuple[IntArray, IntArray], rows: int) -> IntArray:
    """Count all levels of some columns with those of others.

    Parameters
    ----------
    first, second
        The columns' `planes`.
    levels
        Numbers of levels of the first and the second columns, at least 2.
    rows
        Number of rows.

    Returns
    -------
    array of shape (levels of the first, levels of the second)
    """
    own, others = (np.bitwise_count(bits).sum(axis=1, dtype=np.int64) for bits in (first, second))
    whole = _with_first(others[None], levels[1], np.array([rows]))[0]
    return _with_first(_with_first(in_both(first, second), levels[1], own).T, levels[0], whole).T


def _with_first(table: IntArray, levels: IntArray, totals: IntArray) -> IntArray:
    """Add what is left of the totals of each line for the first level of each column."""
    starts = np.cumsum(levels - 1) - (levels - 1)
    left = totals[:, None] - np.add.reduceat(table, starts, axis=1)
    return np.asarray(np.insert(table, starts, left, axis=1))
