"""Counting compiled by numba, where that is installed (``pip install "altsel[fast]"``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Kernels:
    """Compiled loops.

    Attributes
    ----------
    count
        ``count(levels, rows, groups, table)`` adds 1 to ``table[levels[e], groups[rows[e]]]`` for
        every entry e.
    fill
        ``fill(table, starts, sizes)`` sets the first level of every column to what the others leave.
    sums
        ``sums(counts, freedom, logs, own, free)`` fills for every level ``sum c log c`` over its
        cells less that over its strata, and the freedom of the strata in which it occurs.
    by_margins
        ``by_margins(counts, starts, in_target, target, moments)`` fills for every column the chi-square
        statistic, and its mean and variance given the margins, as `chi_square_moments` computes them;
        `target` has of each stratum its rows, the target's values there, and their terms a and b.
    """

    count: Callable[..., None]
    fill: Callable[..., None]
    sums: Callable[..., None]
    by_margins: Callable[..., None]


@cache
def compiled() -> Kernels | None:
    """Compile the kernels, or give None if numba is not installed."""
    try:
        import numba  # noqa: PLC0415  (optional, and slow to import)
    except ImportError:
        return None
    try:
        compile_ = numba.njit(cache=True, nogil=True)
        return Kernels(*(compile_(loop) for loop in (_count, _fill, _sums, _by_margins)))
    except RuntimeError:  # no folder to keep the compiled code in
        compile_ = numba.njit(nogil=True)
        return Kernels(*(compile_(loop) for loop in (_count, _fill, _sums, _by_margins)))


def _count(levels: Any, rows: Any, groups: Any, table: Any) -> None:
    for e in range(len(levels)):
        table[levels[e], groups[rows[e]]] += 1


def _fill(table: Any, starts: Any, sizes: Any) -> None:
    height, width = table.shape
    for j in range(len(starts)):
        first = starts[j]
        last = starts[j + 1] if j + 1 < len(starts) else height
        for group in range(width):
            rest = sizes[group]
            for level in range(first + 1, last):
                rest -= table[level, group]
            table[first, group] = rest


def _sums(counts: Any, freedom: Any, logs: Any, own: Any, free: Any) -> None:
    levels, classes, strata = counts.shape
    for level in range(levels):
        total, dof = 0.0, 0.0
        for stratum in range(strata):
            size = 0
            for code in range(classes):
                count = counts[level, code, stratum]
                size += count
                total += logs[count]
            if size:
                total -= logs[size]
                dof += freedom[stratum]
        own[level], free[level] = total, dof


def _by_margins(counts: Any, starts: Any, in_target: Any, target: Any, moments: Any) -> None:
    height, classes, strata = counts.shape
    squares, values, inverses = np.empty(strata), np.empty(strata), np.empty(strata)
    for j in range(len(starts)):
        squares[:], values[:], inverses[:] = 0.0, 0.0, 0.0
        last = starts[j + 1] if j + 1 < len(starts) else height
        for level in range(starts[j], last):
            for stratum in range(strata):
                size, total = 0, 0.0
                for code in range(classes):
                    count = counts[level, code, stratum]
                    if count:
                        size += count
                        total += count * count / in_target[code, stratum]
                if size:
                    squares[stratum] += total / size
                    values[stratum] += 1.0
                    inverses[stratum] += 1.0 / size
        statistic, mean, variance = 0.0, 0.0, 0.0
        for stratum in range(strata):
            n, c, a, b = target[0, stratum], target[1, stratum], target[2, stratum], target[3, stratum]
            r = values[stratum]
            if r < 2:
                continue
            statistic += n * (squares[stratum] - 1)
            mean += n / (n - 1) * (r - 1) * (c - 1)
            if n > 3:
                own_a = (n * inverses[stratum] - r * r) / (n - 2)
                own_b = (r - 1) * (n - r) / (n - 1)
                share = 2 * n / (n - 3) * (own_b - own_a) * (b - a) + n * n / (n - 1) * own_a * a
                variance += max(share, 0.0)
            elif n == 3 and r == 2 and c == 2:
                variance += 1.125
        moments[0, j], moments[1, j], moments[2, j] = max(statistic, 0.0), mean, variance
