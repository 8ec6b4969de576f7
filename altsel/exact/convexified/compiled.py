"""Loops compiled by numba, where that is installed (``pip install "altsel[fast]"``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import inf
from typing import Any

import numpy as np

from altsel.compiling import Sources
from altsel.exact.convexified import climbs, compiled_bound, node_bound, propagation
from altsel.exact.convexified.propagation import FULL
from altsel.exact.sources.quadratic import lagrangian_bound


@dataclass(frozen=True)
class Kernels:
    """Loops: as those of `node_bound`, `climbs` and `propagation` are."""

    relaxed: Callable[..., tuple[float, float, float]]
    climbed: Callable[..., None]
    branching: Callable[..., int]
    fitted: Callable[..., None]
    decided: Callable[..., int]


PLAIN = Kernels(
    node_bound.relaxed, climbs.climbed, node_bound.branching, propagation.fitted, propagation.decided
)
"""The same without numba."""


MODULES = compiled_bound, node_bound, propagation, lagrangian_bound
SOURCES = Sources((__name__, *(one.__name__ for one in MODULES)))
COMPILING = 10.0
"""CPU seconds of compiling the loops."""


@cache
def compiled() -> Kernels | None:
    """Compile the loops, or give None if numba is not installed."""
    compile_ = SOURCES.compiler(fastmath={"reassoc", "contract", "nsz"})
    if compile_ is None:
        return None
    own = vars(compiled_bound) | {"slopes": compile_(compiled_bound.slopes)}
    return Kernels(
        compile_(compiled_bound.relaxed, own),
        compile_(_climbed),
        compile_(_branching),
        compile_(_fitted),
        compile_(_decided),
    )


def kernels() -> Kernels:
    """Return the compiled loops, or else those of numpy, also where there is no time to compile them."""
    in_time = SOURCES.in_time(compiled_bound.relaxed, COMPILING)
    return (compiled() if in_time else None) or PLAIN


def _branching(convex: Any, pairs: Any, status: Any, x: Any) -> int:
    n, count = len(x), 0
    support, best, feature = np.empty(n, dtype=np.int64), -inf, -1
    for a in range(n):
        if x[a] > 0:
            support[count] = a
            count += 1
    for b in range(count):
        a = support[b]
        if x[a] < 1:
            worth = convex[a, a] * (1 - x[a])
            for c in range(count):
                worth += pairs[a, support[c]] * x[support[c]]
            if worth * x[a] > best:
                best, feature = worth * x[a], a
    if feature >= 0:
        return feature
    for a in range(n):
        if status[a] == 0:
            worth = 0.0
            for c in range(count):
                worth += pairs[a, support[c]] * x[support[c]]
            if worth * x[a] > best:
                best, feature = worth * x[a], a
    return feature


def _fitted(x: Any, status: Any, need: int) -> None:
    total, taken, free, n = 0.0, 0, 0, len(x)
    for a in range(n):
        if status[a] != 0:
            x[a] = 0.0
        else:
            free += 1
            total += x[a]
            if x[a] > 0:
                taken += 1
    if total >= need:
        for a in range(n):
            x[a] *= need / total
        return
    everyone = taken <= need
    room = (free if everyone else taken) - total
    if room > FULL:
        share = (need - total) / room
        for a in range(n):
            if status[a] == 0 and (everyone or x[a] > 0):
                x[a] += (1 - x[a]) * share


def _decided(status: Any, gradient: Any, bounds: Any, clash: Any) -> int:
    bound, last, following, cut = bounds[0], bounds[1], bounds[2], bounds[3]
    n, taken = len(status), 0
    fate = np.zeros(n, dtype=np.int8)
    for a in range(n):
        if status[a] == 0:
            if gradient[a] > last and bound + gradient[a] - last >= cut:
                fate[a] = -1
            elif gradient[a] < following and bound + following - gradient[a] >= cut:
                fate[a] = 1
                taken += 1
    for a in range(n):
        if fate[a] != 0:
            status[a] = fate[a]
    for a in range(len(clash)):
        if fate[a] == 1:
            for b in range(n):
                if clash[a, b]:
                    if status[b] == 1:
                        status[:] = -1
                        return taken
                    status[b] = -1
    return taken


def _climbed(  # noqa: PLR0912 (one loop, compiled)
    single: Any, double: Any, rows: Any, limits: Any, penalty: Any, members: Any, values: Any
) -> None:
    n, m = len(single), len(limits)
    restarts, k = members.shape
    slope, used, outside = np.empty(n), np.empty(m), np.empty(n, dtype=np.bool_)
    for start in range(restarts):
        slope[:] = single
        used[:] = 0.0
        outside[:] = True
        for p in range(k):
            i = members[start, p]
            outside[i] = False
            for a in range(n):
                slope[a] += 2 * double[i, a]
            for r in range(m):
                used[r] += rows[r, i]
        for _ in range(20 * k + 100):
            best, place, into = -1e-12 * penalty, -1, -1
            for p in range(k):
                i = members[start, p]
                for a in range(n):
                    if outside[a]:
                        change = slope[a] - slope[i] - 2 * double[i, a]
                        if change < best or m:
                            for r in range(m):
                                before = max(used[r] - limits[r], 0.0)
                                after = max(used[r] - rows[r, i] + rows[r, a] - limits[r], 0.0)
                                change += penalty * (after - before)
                            if change < best:
                                best, place, into = change, p, a
            if place < 0:
                break
            i = members[start, place]
            members[start, place] = into
            outside[i] = True
            outside[into] = False
            for a in range(n):
                slope[a] += 2 * (double[into, a] - double[i, a])
            for r in range(m):
                used[r] += rows[r, into] - rows[r, i]
        value = 0.0
        for p in range(k):
            i = members[start, p]
            value += (single[i] + slope[i]) / 2
        for r in range(m):
            value += penalty * max(used[r] - limits[r], 0.0)
        values[start] = value
