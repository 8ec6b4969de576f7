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
    g_by_margins
        ``g_by_margins(counts, starts, in_target, logs, factorials, memory, found)`` fills for every column
        what `Tables.g_square_by_margins` returns; `factorials` are logarithms, `memory` keeps means
        of cells by n and the two margins.
    """

    count: Callable[..., None]
    fill: Callable[..., None]
    sums: Callable[..., None]
    g_by_margins: Callable[..., None]


@cache
def compiled() -> Kernels | None:
    """Compile the kernels, or give None if numba is not installed."""
    try:
        import numba  # noqa: PLC0415  (optional, and slow to import)
    except ImportError:
        return None
    try:
        compile_ = numba.njit(cache=True, nogil=True)
        return Kernels(*(compile_(loop) for loop in (_count, _fill, _sums, _g_by_margins)))
    except RuntimeError:  # no folder to keep the compiled code in
        compile_ = numba.njit(nogil=True)
        return Kernels(*(compile_(loop) for loop in (_count, _fill, _sums, _g_by_margins)))


def loaded() -> Kernels | None:
    """Return the kernels if something has compiled them: for work too short to import numba for it."""
    return compiled() if compiled.cache_info().currsize else None


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


def _g_by_margins(  # noqa: PLR0912 (one loop, compiled)
    counts: Any, starts: Any, in_target: Any, logs: Any, factorials: Any, memory: Any, found: Any
) -> None:
    height, classes, strata = counts.shape
    sizes, remembered = np.empty(height, dtype=np.int64), len(memory)
    for j in range(len(starts)):
        last = starts[j + 1] if j + 1 < len(starts) else height
        statistic, mean, free = 0.0, 0.0, 0.0
        for stratum in range(strata):
            n, c, own, joint, r = 0, 0, 0.0, 0.0, 0
            for code in range(classes):
                b = in_target[code, stratum]
                n += b
                own -= logs[b]
                c += b > 0
            for level in range(starts[j], last):
                size = 0
                for code in range(classes):
                    count = counts[level, code, stratum]
                    size += count
                    joint += logs[count]
                sizes[level] = size
                own -= logs[size]
                r += size > 0
            if r < 2 or max(r, c) == n:
                continue
            own += logs[n]
            expected = 0.0
            for level in range(starts[j], last):
                a = sizes[level]
                for code in range(classes):
                    b = in_target[code, stratum]
                    if a * b == 0:
                        continue
                    e = a * b / n
                    v = e * (n - a) * (n - b) / (n * (n - 1.0))
                    if e >= 10.0:
                        third = v * (n - 2.0 * a) * (n - 2.0 * b) / (n * (n - 2.0))
                        main = e * (logs[a] / a + logs[b] / b - logs[n] / n)
                        expected += main + (v / 2 + (v * v / (4 * e) - third / 6) / e) / e
                        continue
                    if n < remembered and not np.isnan(memory[n, a, b]):
                        expected += memory[n, a, b]
                        continue
                    width, value = 6 * np.sqrt(v) + 6, 0.0
                    low, high = max(0, a + b - n, int(e - width)), min(a, b, int(e + width))
                    log_weight = factorials[a] + factorials[n - a] + factorials[b] + factorials[n - b]
                    log_weight -= factorials[low] + factorials[a - low] + factorials[b - low]
                    weight = np.exp(log_weight - factorials[n - a - b + low] - factorials[n])
                    for k in range(low, high + 1):
                        value += weight * logs[k]
                        weight *= (a - k) * (b - k) / ((k + 1.0) * (n - a - b + k + 1.0))
                    expected += value
                    if n < remembered:
                        memory[n, a, b] = value
            statistic += joint + own
            mean += expected + own
            free += (r - 1) * (c - 1)
        found[0, j], found[1, j], found[2, j] = max(2 * statistic, 0.0), 2 * mean, free
