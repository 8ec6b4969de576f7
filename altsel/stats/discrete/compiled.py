"""Counting compiled by numba, where that is installed (``pip install "altsel[fast]"``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any


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
    """

    count: Callable[..., None]
    fill: Callable[..., None]
    sums: Callable[..., None]


@cache
def compiled() -> Kernels | None:
    """Compile the kernels, or give None if numba is not installed."""
    try:
        import numba  # noqa: PLC0415  (optional, and slow to import)
    except ImportError:
        return None
    try:
        compile_ = numba.njit(cache=True, nogil=True)
        return Kernels(compile_(_count), compile_(_fill), compile_(_sums))
    except RuntimeError:  # no folder to keep the compiled code in
        compile_ = numba.njit(nogil=True)
        return Kernels(compile_(_count), compile_(_fill), compile_(_sums))


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
