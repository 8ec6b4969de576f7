"""Counting compiled by numba, where that is installed (``pip install "altsel[fast]"``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from altsel.compiling import Sources
from altsel.stats.discrete.strata_loop import g_tests_by_strata


@dataclass(frozen=True)
class Kernels:
    """Compiled loops.

    Attributes
    ----------
    grouped
        ``grouped(target, strata, groups, in_target)`` fills what `contingency.Groups` holds, rows of strata
        that tell nothing being in the last one, and returns how many strata tell something.
    count
        ``count(first, last, shift, rows, levels, groups, table)`` adds 1 to ``table[levels[e] + shift[j],
        groups[rows[e]]]`` for every entry e from ``first[j]`` to below ``last[j]``.
    fill
        ``fill(table, starts, sizes)`` sets the first level of every column to what the others leave.
    g_tests
        ``g_tests(counts, starts, in_target, logs, factorials, memory, found)`` fills for each column G-square
        and its degrees of freedom, then, if `found` has five rows, what `Tables.g_square_by_margins`
        returns; `factorials` are logarithms, `memory` keeps means of cells by n and the two margins.
    g_tests_by_strata
        The same without tables; see `g_tests.g_tests`.
    """

    grouped: Callable[..., int]
    count: Callable[..., None]
    fill: Callable[..., None]
    g_tests: Callable[..., None]
    g_tests_by_strata: Callable[..., None]


@cache
def compiled() -> Kernels | None:
    """Compile the kernels, or give None if numba is not installed."""
    compile_ = Sources((__name__, g_tests_by_strata.__module__)).compiler()
    if compile_ is None:
        return None
    return Kernels(*map(compile_, (_grouped, _count, _fill, _g_tests, g_tests_by_strata)))


def loaded() -> Kernels | None:
    """Return the kernels if something has compiled them: for work too short to import numba for it."""
    return compiled() if compiled.cache_info().currsize else None


def _grouped(target: Any, strata: Any, groups: Any, in_target: Any) -> int:
    classes, number = in_target.shape
    in_target[:] = 0
    for i in range(len(target)):
        in_target[target[i], strata[i]] += 1
    places, telling, rest = np.empty(number, dtype=np.int64), 0, np.zeros(classes, dtype=np.int64)
    for stratum in range(number):
        values = 0
        for code in range(classes):
            values += in_target[code, stratum] > 0
        places[stratum] = telling if values > 1 else -1
        telling += values > 1
    wanted = telling + (telling < number)
    for stratum in range(number):
        if places[stratum] < 0:
            rest += in_target[:, stratum]
        else:
            in_target[:, places[stratum]] = in_target[:, stratum]
    if telling < number:
        in_target[:, telling] = rest
    for i in range(len(target)):
        place = places[strata[i]]
        groups[i] = target[i] * wanted + (place if place >= 0 else telling)
    return telling


def _count(first: Any, last: Any, shift: Any, rows: Any, levels: Any, groups: Any, table: Any) -> None:
    for j in range(len(first)):
        for e in range(first[j], last[j]):
            table[levels[e] + shift[j], groups[rows[e]]] += 1


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


def _g_tests(  # noqa: PLR0912, PLR0915 (one loop, compiled)
    counts: Any, starts: Any, in_target: Any, logs: Any, factorials: Any, memory: Any, found: Any
) -> None:
    height, classes, strata = counts.shape
    sizes, remembered, corrected = np.empty(height, dtype=np.int64), len(memory), len(found) > 2
    for j in range(len(starts)):
        last = starts[j + 1] if j + 1 < len(starts) else height
        whole, dof, statistic, mean, free = 0.0, 0.0, 0.0, 0.0, 0.0
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
            if r < 2:
                continue
            own += logs[n]
            whole += joint + own
            dof += (r - 1) * (c - 1)
            if not corrected or max(r, c) == n:
                continue
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
        found[0, j], found[1, j] = max(2 * whole, 0.0), dof
        if corrected:
            found[2, j], found[3, j], found[4, j] = max(2 * statistic, 0.0), 2 * mean, free
