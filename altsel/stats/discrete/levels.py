"""How often each level of each column occurs, and the most frequent one as level 0."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from altsel._types import IntArray

CELLS = 1 << 18
"""Cells of a table that are counted or packed at once, so that they stay in the processor's cache."""
FEW = 12
"""Up to so many levels they are counted by bits, one after the other."""


def level_totals(codes: npt.NDArray[Any], levels: IntArray) -> IntArray:
    """Count how often each level of each column occurs, one column after the other.

    Parameters
    ----------
    codes
        Shape (columns, rows).
    levels
        Number of levels of each column.

    Examples
    --------
    >>> level_totals(np.array([[0, 1, 1], [0, 1, 2]]), np.array([2, 3])).tolist()
    [1, 2, 1, 1, 1]
    """
    width = max(1, CELLS // codes.shape[1])
    parts = (slice(first, first + width) for first in range(0, len(codes), width))
    return np.concatenate([_totals(codes[part], levels[part]) for part in parts])


def _totals(codes: npt.NDArray[Any], levels: IntArray) -> IntArray:
    ends = np.cumsum(levels)
    starts = ends - levels
    if levels.max() > FEW:
        return np.bincount((starts[:, None] + codes).ravel(), minlength=int(ends[-1]))
    totals = np.zeros(int(ends[-1]), dtype=np.int64)
    for level in range(1, int(levels.max())):
        has = np.flatnonzero(levels > level)
        bits = np.packbits((codes if len(has) == len(codes) else codes[has]) == level, axis=1)
        totals[starts[has] + level] = np.bitwise_count(bits).sum(axis=1, dtype=np.int64)
    totals[starts] = codes.shape[1] - np.add.reduceat(totals, starts)
    return totals


def exchange_with_first(codes: npt.NDArray[Any], tops: IntArray) -> None:
    """Exchange one level of each column and level 0, in place.

    Examples
    --------
    >>> codes = np.array([[0, 1, 1, 2, 1]])
    >>> exchange_with_first(codes, np.array([1]))
    >>> codes.tolist()
    [[1, 0, 0, 2, 0]]
    """
    for top in np.unique(tops[tops > 0]).tolist():
        indices = np.flatnonzero(tops == top)
        these = codes[indices]
        codes[indices] = these ^ ((these == 0) | (these == top)) * codes.dtype.type(top)


def most_frequent(totals: IntArray, starts: IntArray) -> IntArray:
    """Return the first most frequent level of each column."""
    lengths = np.diff(np.append(starts, len(totals)))
    largest = np.repeat(np.maximum.reduceat(totals, starts), lengths)
    hits = np.flatnonzero(totals == largest)
    return np.asarray(hits[np.searchsorted(hits, starts)] - starts)
