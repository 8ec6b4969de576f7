"""The bound of a node as one loop over free features, for numba; `node_bound.relaxed` says what it does."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from altsel.exact.convexified.node_bound import NOISE, PRICED, TINY
from altsel.exact.sources.quadratic.lagrangian_bound import ENTRY


def slopes(convex: Any, free: Any, alone: Any, parts: Any, whole: Any, g: Any) -> None:
    """Compute the gradient `g` of the free features at their parts; `whole` is memory for that of all."""
    whole[:] = 0.0
    for a in range(len(free)):
        if parts[a] > 0:
            line, part = convex[free[a]], 2 * parts[a]
            for b in range(len(whole)):
                whole[b] += part * line[b]
    for a in range(len(free)):
        g[a] = alone[a] + whole[free[a]]


def relaxed(  # noqa: PLR0912, PLR0913, PLR0915, PLR0917 (one loop, compiled)
    convex: Any,
    pairs: Any,
    single: Any,
    rows: Any,
    limits: Any,
    status: Any,
    x: Any,
    prices: Any,
    gradient: Any,
    numbers: Any,
    space: Any,
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
                alone[a] += 2 * (convex[i, free[a]] + pairs[i, free[a]])
            for j in range(n):
                if status[j] == 1:
                    constant += convex[i, j] + pairs[i, j]
            for r in range(m):
                over[r] += rows[r, i]
    for r in range(m):
        constant += prices[r] * over[r]
        for a in range(f):
            alone[a] += prices[r] * rows[r, free[a]]
    parts, g, whole = x[free], np.empty(f), np.empty(n)
    # exchanges are made within a working set: the features with a part, and those that cost less
    there, work, w = np.zeros(f, dtype=np.bool_), np.empty(f, dtype=np.int64), 0
    own, at, far_if_full, far_if_none = np.empty(f), np.empty(f), np.empty(f), np.empty(f)
    copied, place = np.zeros(f, dtype=np.bool_), np.empty(f, dtype=np.int64)
    best, last, following, bound, kept = -inf, 0.0, 0.0, -inf, prices.copy()
    peak = prices.copy()
    slopes(convex, free, alone, parts, whole, g)
    while True:
        hidden = 0.0
        for r in range(m):
            hidden += PRICED * (numbers[4] + 2 + m / 8) * peak[r] * (abs(over[r]) + ENTRY * n)
        for _ in range(rounds):
            level, total, before = 0.0, 0.0, w
            for a in range(f):
                if parts[a] > 0 and parts[a] < 1:
                    level += parts[a] * g[a]
                    total += parts[a]
            level = level / total if total > 0 else far
            for a in range(f):
                if not there[a] and (parts[a] > 0 or g[a] < level):
                    there[a] = True
                    work[w], place[w] = a, free[a]
                    w += 1
            if w > before:
                copied[:] = False
            low, high, done = far, -far, False
            for b in range(w):
                own[b], at[b] = g[work[b]], parts[work[b]]
                far_if_full[b] = far if at[b] >= 1 else 0.0
                far_if_none[b] = 0.0 if at[b] > 0 else -far
                low, high = min(low, own[b] + far_if_full[b]), max(high, own[b] + far_if_none[b])
            for _step in range(max(30, w)):
                if high <= -far or low >= far or high - low < tolerance:
                    done = True
                    break
                i, j = 0, 0
                while i < w - 1 and (own[i] != high or far_if_none[i] < 0):
                    i += 1
                while j < w - 1 and (own[j] != low or far_if_full[j] > 0):
                    j += 1
                for c in (i, j):
                    if not copied[c]:
                        copied[c] = True
                        line, full = space[c], convex[place[c]]
                        for b in range(w):
                            line[b] = full[place[b]]
                up, down = space[j], space[i]
                part = min(at[i], 1 - at[j])
                curve = 2 * (down[i] + up[j] - 2 * up[i])
                if curve > TINY:
                    part = min(part, (high - low) / curve)
                at[i] -= part
                far_if_full[i] = 0.0
                if at[i] <= 1e-13:
                    at[i], far_if_none[i] = 0.0, -far
                at[j] += part
                far_if_none[j] = 0.0
                if at[j] > 1 - 1e-13:
                    at[j], far_if_full[j] = 1.0, far
                low, high, part = far, -far, 2 * part
                for b in range(w):
                    own[b] += part * (up[b] - down[b])
                    low = min(low, own[b] + far_if_full[b])
                    high = max(high, own[b] + far_if_none[b])
            for b in range(w):
                parts[work[b]] = at[b]
            # steps add up their rounding, and leave out who is not in the working set
            slopes(convex, free, alone, parts, whole, g)
            value, slope = 0.0, 0.0
            for a in range(f):
                value += alone[a] * parts[a]
                slope += g[a] * parts[a]
                if done and not there[a] and g[a] < high - tolerance:
                    done = False
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
            if best >= cut or done or (value < cut and value - best < 0.1 * (cut - best)):
                break
        if best >= cut or pricings == 0 or m == 0:
            break
        pricings -= 1
        size = 0.0
        broken = over.copy()
        for r in range(m):
            for b in range(w):
                broken[r] += rows[r, place[b]] * at[b]
            if abs(broken[r]) <= NOISE * (abs(over[r]) + ENTRY * n) or (prices[r] <= 0 and broken[r] <= 0):
                broken[r] = 0.0
            size += broken[r] * broken[r]
        if size == 0:
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
