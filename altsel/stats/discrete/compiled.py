"""Counting compiled by numba, where that is installed (``pip install "altsel[fast]"``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel.compiling import Loops, Sources
from altsel.stats.discrete import fixed_margins, mean_loop, strata_loop


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
    means
        As `mean_loop.means`.
    g_tests_by_strata
        As `strata_loop.g_tests_by_strata`.
    """

    grouped: Callable[..., int]
    count: Callable[..., None]
    fill: Callable[..., None]
    means: Callable[..., None]
    g_tests_by_strata: Callable[..., None]


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


def _compiled() -> Kernels | None:
    compile_, step = SOURCES.compiler(), SOURCES.compiler(**STEP)
    if compile_ is None or step is None:
        return None
    own = dict(vars(mean_loop))
    for one in (mean_loop.hypergeometric_sum, mean_loop.mean_of_cell):
        own[one.__name__] = step(one, own)
    by_strata = vars(strata_loop) | {"mean_of_cell": own["mean_of_cell"]}
    by_strata |= {one.__name__: compile_(one) for one in strata_loop.WHOLE_STEPS}
    for part in strata_loop.STEPS:
        by_strata[part.__name__] = step(part, by_strata)
    return Kernels(
        compile_(_grouped),
        compile_(_count),
        compile_(_fill),
        compile_(mean_loop.means, own),
        compile_(strata_loop.g_tests_by_strata, by_strata),
    )


SOURCES = Sources((__name__, mean_loop.__name__, strata_loop.__name__, fixed_margins.__name__))
STEP = {"forceinline": True, "_nrt": False}
"""How functions are compiled that others call: within these, and without counts of who uses an array."""
LOOPS: Loops[Kernels | None] = Loops(None, SOURCES, strata_loop.g_tests_by_strata, 8.0, _compiled)
"""The loops where they are compiled; None: numpy does without."""
