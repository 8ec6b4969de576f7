"""Loops over neighbours compiled by numba, where that is installed (``pip install "altsel[fast]"``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

SOON = 1_000_000
"""Rows times pairs up to which importing numba takes longer than doing without."""


@dataclass(frozen=True)
class Kernels:
    """Compiled loops.

    Attributes
    ----------
    radii
        ``radii(x, y, k, found)``: x ascending, shape (rows,); y in the order of x, shape (rows, columns). Fills
        found[i, b] with the distance, the larger of \\|x_i - x_j\\| and \\|y_ib - y_jb\\|, to the k-th nearest row j.
    within
        ``within(values, radius, found)``: values ascending in each line, shape (lines, size), filled up by huge ones
        to 2^m - 1; fills found[b, i], shape (lines, rows), with the number of rows j for which
        ``|values[b, j] - values[b, i]| < radius[b, i]``.
    """

    radii: Callable[..., None]
    within: Callable[..., None]


@cache
def compiled() -> Kernels | None:
    """Compile the kernels, or give None if numba is not installed."""
    try:
        import numba  # noqa: PLC0415  (optional, and slow to import)
    except ImportError:
        return None
    # no column holds NaN, and 0 is as good as -0: then minima are vectorised
    how = {"nogil": True, "error_model": "numpy", "fastmath": {"nnan", "nsz"}}
    try:
        compile_ = numba.njit(cache=True, **how)
        return Kernels(compile_(_radii), compile_(_within))
    except RuntimeError:  # no folder to keep the compiled code in
        compile_ = numba.njit(**how)
        return Kernels(compile_(_radii), compile_(_within))


def kernels_for(work: int) -> Kernels | None:
    """Return the kernels if they are compiled already, or the work, rows times pairs, is worth it."""
    return compiled() if work > SOON or compiled.cache_info().currsize else None


def _radii(x: Any, y: Any, k: int, found: Any) -> None:
    """Go from each row outwards in the order of x, four rows at a time, all columns of y at once."""
    rows, columns = y.shape
    near, distance = np.empty((k, columns)), np.empty((4, columns))
    index, in_x = np.empty(4, dtype=np.int64), np.empty(4)
    for i in range(rows):
        near[:] = np.inf
        below, above, widest = i - 1, i + 1, np.inf
        while True:
            for step in range(4):
                left = x[i] - x[below] if below >= 0 else np.inf
                right = x[above] - x[i] if above < rows else np.inf
                if left <= right:  # both infinite: no rows are left
                    in_x[step], index[step] = left, max(below, 0)
                    below -= 1
                else:
                    in_x[step], index[step] = right, above
                    above += 1
            if in_x[0] >= widest or in_x[0] == np.inf:
                break
            a, b, c, d = index[0], index[1], index[2], index[3]
            x_a, x_b, x_c, x_d = in_x[0], in_x[1], in_x[2], in_x[3]
            for j in range(columns):
                own = y[i, j]
                distance[0, j] = max(abs(y[a, j] - own), x_a)
                distance[1, j] = max(abs(y[b, j] - own), x_b)
                distance[2, j] = max(abs(y[c, j] - own), x_c)
                distance[3, j] = max(abs(y[d, j] - own), x_d)
            for rank in range(k):  # insert the four into the nearest ones, in ascending order
                for j in range(columns):
                    nearest, far = near[rank, j], distance[0, j]
                    distance[0, j], nearest = max(nearest, far), min(nearest, far)
                    far = distance[1, j]
                    distance[1, j], nearest = max(nearest, far), min(nearest, far)
                    far = distance[2, j]
                    distance[2, j], nearest = max(nearest, far), min(nearest, far)
                    far = distance[3, j]
                    distance[3, j], nearest = max(nearest, far), min(nearest, far)
                    near[rank, j] = nearest
            widest = near[k - 1, 0]
            for j in range(1, columns):
                widest = max(widest, near[k - 1, j])
        for j in range(columns):
            found[i, j] = near[k - 1, j]


def _within(values: Any, radius: Any, found: Any) -> None:
    """Search both ends of every row's range by halving, without a branch."""
    lines, rows = radius.shape
    low, high = np.empty(rows, dtype=np.int32), np.empty(rows, dtype=np.int32)
    for line in range(lines):
        own, reach = values[line], radius[line]
        low[:] = 0
        high[:] = 0
        half = (values.shape[1] + 1) >> 1
        while half:
            for i in range(rows):
                lower, upper = low[i] + half, high[i] + half
                low[i] = low[i] if own[i] - own[lower - 1] < reach[i] else lower
                high[i] = upper if own[upper - 1] - own[i] < reach[i] else high[i]
            half >>= 1
        for i in range(rows):
            found[line, i] = high[i] - low[i]
