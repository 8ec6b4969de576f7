"""Shares of variance that classes explain: eta and Cramér's V of columns, and what chance gives of them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altsel._types import FloatArray, IntArray

ROUNDING = 1e-12
"""Shares of variance below this are rounding."""


def above_chance(plain: npt.ArrayLike, rows: float, levels: npt.ArrayLike) -> FloatArray:
    """Return ``sqrt(max(0, (v^2 - e) / (1 - e)))`` of ratios v, with ``e = (levels - 1) / (rows - 1)``.

    Parameters
    ----------
    plain
        Correlation ratios, or absolute correlations, or Cramér's V.
    rows
        Of the data.
    levels
        Of the classes; of two groupings the larger number; 2 for two numbers.
    """
    square = np.asarray(plain, dtype=float) ** 2
    expected = (np.asarray(levels, dtype=float) - 1) / max(rows - 1, 1)
    left = 1 - expected
    share = np.divide(square - expected, left, out=np.zeros(square.shape), where=left > ROUNDING)
    return np.asarray(np.sqrt(np.where(share > ROUNDING, share, 0.0)))


def eta(standard: FloatArray, classes: IntArray) -> FloatArray:
    """Correlation ratio of standardised columns across classes.

    Parameters
    ----------
    standard
        Shape (rows, columns): mean 0 and sum of squares 1, or all 0.
    classes
        Code 0, 1, … of each row; every one occurs.
    """
    sizes = np.bincount(classes)
    if len(sizes) < 2:
        return np.zeros(standard.shape[1])
    order = np.argsort(classes, kind="stable")
    sums = np.add.reduceat(standard[order], np.cumsum(sizes) - sizes, axis=0)
    return np.asarray(np.minimum(np.sqrt((sums**2 / sizes[:, None]).sum(axis=0)), 1.0))


def cramer(first: IntArray, second: IntArray) -> float:
    """Cramér's V of two codings of the same rows.

    Differences from the expected counts are taken in integers, so that independence gives 0.

    Examples
    --------
    >>> cramer(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))
    0.0
    >>> cramer(np.array([0, 1, 2]), np.array([1, 2, 0]))
    1.0
    """
    if (first.tobytes(), first.max()) > (second.tobytes(), second.max()):
        first, second = second, first  # one order of sums, so that V(a, b) = V(b, a) to the bit
    rows, in_first, in_second = len(first), np.bincount(first), np.bincount(second)
    if min(len(in_first), len(in_second)) < 2:
        return 0.0
    cells, counts = np.unique(first * len(in_second) + second, return_counts=True)
    margins = in_first[cells // len(in_second)] * in_second[cells % len(in_second)]
    empty = (rows**2 - int(margins.sum())) / rows**2  # expected share of rows in the empty cells
    excess = (counts * rows - margins) / rows
    chi_square = float((excess**2 / margins).sum()) + empty  # divided by the number of rows
    return min(float(np.sqrt(chi_square / (min(len(in_first), len(in_second)) - 1))), 1.0)
