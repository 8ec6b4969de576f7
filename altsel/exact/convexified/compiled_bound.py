"""The bound of a node as one loop over free features, for numba; `node_bound.relaxed` says what it does."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from altsel.exact.convexified.node_bound import PRICED, TINY


def relaxed(  # noqa: PLR0912, PLR0913, PLR0915, PLR0917 (one loop, compiled)
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
    """Bound the costs of the sets of a node; arguments and values are those of `node_bound.relaxed`."""
    far = 1e300
    n, m = len(x), len(prices)
    need, cut, tolerance = int(numbers[0]), numbers[1], numbers[2]
    rounds, pricings, constant = int(numbers[3]), int(numbers[4]), numbers[5]
    free = np.flatnonzero(status == 0)
    f = len(free)
    alone, over = single[free], -limits.copy()
    for i in range(n):
        if status[i] == 1:
            constant += single[i]
            for a in range(f):
                alone[a] += 2 * both[i, free[a]]
            for j in range(n):
                if status[j] == 1:
                    constant += both[i, j]
            for r in range(m):
                over[r] += rows[r, i]
    for r in range(m):
        constant += prices[r] * over[r]
        for a in range(f):
            alone[a] += prices[r] * rows[r, free[a]]
    # rows of the convex form are copied for the free features alone, once they are met: it halves the time
    parts, g, full = x[free], alone.copy(), np.zeros(f)
    square, there = np.empty((f, f)), np.zeros(f, dtype=np.bool_)
    count, support = 0, np.empty(f + 1, dtype=np.int64)
    for i in range(f):
        if parts[i] > 0:
            support[count] = i
            count += 1
            there[i] = True
            line, whole, part = square[i], convex[free[i]], 2 * parts[i]
            for a in range(f):
                line[a] = whole[free[a]]
                g[a] += part * line[a]
        if parts[i] >= 1:
            full[i] = far
    best, last, following, bound, kept = -inf, 0.0, 0.0, -inf, prices.copy()
    steps = max(30, f)
    peak, moves, rounded = prices.copy(), 0, False
    while True:
        hidden = 0.0
        for r in range(m):
            hidden += PRICED * (numbers[4] + 2) * peak[r] * (abs(over[r]) + n)
        for _ in range(rounds):
            done = False
            low, j = far, -1
            for a in range(f):
                low = min(low, g[a] + full[a])
            for _step in range(steps):
                i, high = -1, -far
                for b in range(count):
                    if g[support[b]] > high:
                        i, high = support[b], g[support[b]]
                if i < 0 or low >= far or high - low < tolerance:
                    done = True
                    break
                for a in range(f):
                    if g[a] == low and full[a] == 0:
                        j = a
                        break
                if not there[j]:
                    there[j] = True
                    line, whole = square[j], convex[free[j]]
                    for a in range(f):
                        line[a] = whole[free[a]]
                up, down = square[j], square[i]
                part = min(parts[i], 1 - parts[j])
                curve = 2 * (down[i] + up[j] - 2 * up[i])
                if curve > TINY:
                    part = min(part, (high - low) / curve)
                if parts[j] == 0:
                    support[count] = j
                    count += 1
                full[i] = 0.0
                moves += 1
                parts[i] -= part
                if parts[i] <= 1e-13:
                    rounded = rounded or parts[i] != 0
                    parts[i] = 0.0
                    for b in range(count):
                        if support[b] == i:
                            count -= 1
                            support[b] = support[count]
                            break
                parts[j] += part
                if parts[j] > 1 - 1e-13:
                    rounded = rounded or parts[j] != 1
                    parts[j] = 1.0
                    full[j] = far
                low, part = far, 2 * part
                for a in range(f):
                    g[a] += part * (up[a] - down[a])
                    low = min(low, g[a] + full[a])
            if rounded or moves > n + 100:  # steps add up their rounding
                moves, rounded = 0, False
                g[:] = alone
                for b in range(count):
                    line, part = square[support[b]], 2 * parts[support[b]]
                    for a in range(f):
                        g[a] += part * line[a]
            value, slope = 0.0, 0.0
            for b in range(count):
                a = support[b]
                value += alone[a] * parts[a]
                slope += g[a] * parts[a]
            value = constant + (value + slope) / 2
            least = np.partition(g, min(need, f - 1))
            total, top = 0.0, -far
            for b in range(need):
                total += least[b]
                top = max(top, least[b])
            bound = value - slope + total - hidden
            if bound > best:
                best, last = bound, top
                following = least[need] if need < f else far
                gradient[:] = far
                gradient[free] = g
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
                broken[r] += rows[r, free[support[b]]] * parts[support[b]]
            if prices[r] <= 0 and broken[r] <= 0:
                broken[r] = 0.0
            size += broken[r] * broken[r]
        if size < 1e-18:
            break
        missing = cut - bound if cut < far else 0.1 * abs(bound) + 1e4 * tolerance
        for r in range(m):
            change = max(prices[r] + missing / size * broken[r], 0.0) - prices[r]
            prices[r] += change
            peak[r] = max(peak[r], prices[r])
            constant += change * over[r]
            for a in range(f):
                alone[a] += change * rows[r, free[a]]
                g[a] += change * rows[r, free[a]]
    x[free] = parts
    prices[:] = kept
    return best, last, following
