"""Loops compiled by numba, where that is installed (``pip install "altsel[fast]"``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import inf
from typing import Any

import numpy as np

from altsel.compiling import Sources
from altsel.exact.convexified import climbs, node_bound
from altsel.exact.convexified.node_bound import PRICED


@dataclass(frozen=True)
class Kernels:
    """Loops: as `node_bound.relaxed`, `climbs.climbed` and `node_bound.branching` are."""

    relaxed: Callable[..., tuple[float, float, float]]
    climbed: Callable[..., None]
    branching: Callable[..., int]


PLAIN = Kernels(node_bound.relaxed, climbs.climbed, node_bound.branching)
"""The same without numba."""


@cache
def compiled() -> Kernels | None:
    """Compile the loops, or give None if numba is not installed."""
    compile_ = Sources((__name__, node_bound.__name__)).compiler(fastmath={"reassoc", "contract", "nsz"})
    if compile_ is None:
        return None
    return Kernels(compile_(_relaxed), compile_(_climbed), compile_(_branching))


def kernels() -> Kernels:
    """Return the compiled loops, or else those of numpy."""
    return compiled() or PLAIN


def _relaxed(  # noqa: PLR0912, PLR0913, PLR0915, PLR0917 (one loop, compiled)
    convex: Any,
    both: Any,
    single: Any,
    rows: Any,
    limits: Any,
    status: Any,
    x: Any,
    prices: Any,
    gradient: Any,
    numbers: Any,
) -> tuple[float, float, float]:
    far = 1e300
    n, m = len(x), len(prices)
    need, cut, tolerance = int(numbers[0]), numbers[1], numbers[2]
    rounds, pricings, constant = int(numbers[3]), int(numbers[4]), numbers[5]
    alone, g, full = single.copy(), np.empty(n), np.zeros(n)
    over = -limits.copy()
    for i in range(n):
        if status[i] == 1:
            constant += single[i]
            for a in range(n):
                alone[a] += 2 * both[i, a]
            for j in range(n):
                if status[j] == 1:
                    constant += both[i, j]
            for r in range(m):
                over[r] += rows[r, i]
    for r in range(m):
        constant += prices[r] * over[r]
        for a in range(n):
            alone[a] += prices[r] * rows[r, a]
    g[:] = alone
    count, support = 0, np.empty(n, dtype=np.int64)
    for i in range(n):
        if x[i] > 0:
            support[count] = i
            count += 1
            part = 2 * x[i]
            for a in range(n):
                g[a] += part * convex[i, a]
    for a in range(n):
        if status[a] != 0:
            g[a] = far
            alone[a] = 0.0
        if status[a] != 0 or x[a] >= 1:
            full[a] = far
    best, last, following, bound, kept = -inf, 0.0, 0.0, -inf, prices.copy()
    steps = max(30, n // 2)
    peak, moves, rounded = prices.copy(), 0, False
    while True:
        hidden = 0.0
        for r in range(m):
            hidden += PRICED * (numbers[4] + 2) * peak[r] * (abs(over[r]) + n)
        for _ in range(rounds):
            done = False
            low, j = far, -1
            for a in range(n):
                low = min(low, g[a] + full[a])
            for _step in range(steps):
                i, high = -1, -far
                for b in range(count):
                    if g[support[b]] > high:
                        i, high = support[b], g[support[b]]
                if i < 0 or low >= far or high - low < tolerance:
                    done = True
                    break
                for a in range(n):
                    if g[a] == low and full[a] == 0:
                        j = a
                        break
                part = min(x[i], 1 - x[j])
                curve = 2 * (convex[i, i] + convex[j, j] - 2 * convex[i, j])
                if curve > 1e-14:
                    part = min(part, (high - low) / curve)
                if x[j] == 0:
                    support[count] = j
                    count += 1
                full[i] = 0.0
                moves += 1
                x[i] -= part
                if x[i] <= 1e-13:
                    rounded = rounded or x[i] != 0
                    x[i] = 0.0
                    for b in range(count):
                        if support[b] == i:
                            count -= 1
                            support[b] = support[count]
                            break
                x[j] += part
                if x[j] > 1 - 1e-13:
                    rounded = rounded or x[j] != 1
                    x[j] = 1.0
                    full[j] = far
                low, part = far, 2 * part
                up, down = convex[j], convex[i]
                for a in range(n):
                    g[a] += part * (up[a] - down[a])
                    low = min(low, g[a] + full[a])
            if rounded or moves > n + 100:  # steps add up their rounding
                moves, rounded = 0, False
                for a in range(n):
                    g[a] = alone[a] if status[a] == 0 else far
                for b in range(count):
                    part = 2 * x[support[b]]
                    for a in range(n):
                        g[a] += part * convex[support[b], a]
            value, slope = 0.0, 0.0
            for b in range(count):
                a = support[b]
                value += alone[a] * x[a]
                slope += g[a] * x[a]
            value = constant + (value + slope) / 2
            least = np.partition(g, min(need, n - 1))
            total, top = 0.0, -far
            for b in range(need):
                total += least[b]
                top = max(top, least[b])
            bound = value - slope + total - hidden
            if bound > best:
                best, last = bound, top
                following = least[need] if need < n else far
                gradient[:] = g
                kept[:] = prices
            if best >= cut or done or (value < cut and value - best < 0.3 * (cut - best)):
                break
        if best >= cut or pricings == 0 or m == 0:
            break
        pricings -= 1
        size = 0.0
        broken = over.copy()
        for r in range(m):
            for b in range(count):
                broken[r] += rows[r, support[b]] * x[support[b]]
            if prices[r] <= 0 and broken[r] <= 0:
                broken[r] = 0.0
            size += broken[r] * broken[r]
        if size < 1e-18:
            break
        missing = cut - bound if cut < far else 0.1 * abs(bound) + 1e-3
        for r in range(m):
            change = max(prices[r] + missing / size * broken[r], 0.0) - prices[r]
            prices[r] += change
            peak[r] = max(peak[r], prices[r])
            constant += change * over[r]
            for a in range(n):
                if status[a] == 0:
                    alone[a] += change * rows[r, a]
                    g[a] += change * rows[r, a]
    prices[:] = kept
    return best, last, following


def _branching(convex: Any, both: Any, status: Any, x: Any) -> int:
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
                worth += (both[a, support[c]] - convex[a, support[c]]) * x[support[c]]
            if worth * x[a] > best:
                best, feature = worth * x[a], a
    if feature >= 0:
        return feature
    for a in range(n):
        if status[a] == 0:
            worth = 0.0
            for c in range(count):
                worth += (both[a, support[c]] - convex[a, support[c]]) * x[support[c]]
            if worth * x[a] > best:
                best, feature = worth * x[a], a
    return feature


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
