"""The bound of a node as loops over free features, for numba.

The twin, which says what it does in numpy, is `altsel.exact.sources.quadratic.convexified.node_bound`. Sums
are rounded otherwise than there; bounds are true with either.
"""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

import numpy as np

from altsel.exact.kernels.programs import (
    FAR,
    NO_PART,
    NOISE,
    PRICED,
    TINY,
    WHOLE_PART,
    Bound,
    Node,
    Program,
    Wanted,
)
from altsel.exact.sources.quadratic.lagrangian_bound import ENTRY

SETTLED = 0.1
"""Share of what is missing to the cut that a further round must be able to gain: else the node branches. Its
twin has .3: with .1 numpy takes up to a quarter longer, as its rounds cost more than its nodes; here .3 takes
up to a twentieth longer."""


class Working(NamedTuple):
    """Features among which parts are exchanged, of f free ones; the first w lines count."""

    inside: Any
    """Shape (f,): whether a free feature is in it."""
    which: Any
    """Which free feature a line is."""
    feature: Any
    """Which feature of all."""
    slope: Any
    """Its entry of the gradient."""
    part: Any
    far_if_full: Any
    """`FAR` where the part is 1: it can take no more; else 0."""
    far_if_none: Any
    """-`FAR` where the part is 0: it has nothing to give; else 0."""
    copied: Any
    """Whether its line of S is in `lines`."""
    lines: Any
    """Shape of S: lines of S, of the features of the working set."""


def relaxed(program: Program, node: Node, wanted: Wanted, space: Any) -> tuple[float, float, float]:
    """Bound the costs of the sets of a node; `space`, of the shape of S, may be filled with anything.

    Returned are the parts of a `Bound`.
    """
    n, m, need, cut, prices = len(node.x), len(node.prices), wanted.need, wanted.cut, node.prices
    # 1. costs of the free features alone, given those inside
    free, alone, over, constant = alone_costs(program, node)
    f, rows, convex = len(free), program.rows, program.convex
    parts, g, whole, least_ones = node.x[free], np.empty(f), np.empty(n), np.empty(need + 1)
    working, w = empty(f, space), 0
    found, bound, value = Bound(-inf, 0.0, 0.0), -inf, inf
    kept, peak, pricings = prices.copy(), prices.copy(), wanted.pricings
    slopes(convex, free, alone, parts, whole, g)
    while True:
        hidden = 0.0  # of rounding, by prices that may be large
        for r in range(m):
            hidden += PRICED * (wanted.pricings + 2 + m / 8) * peak[r] * (abs(over[r]) + ENTRY * n)
        for _ in range(wanted.rounds):
            # 2. exchange parts within the working set: features with a part, and those that cost less
            w = widened(working, w, free, parts, g)
            done, high = exchanged(convex, working, w, parts, g, program.tolerance)
            # 3. the gradient anew: steps add up their rounding, and leave out who is not in the working set
            slopes(convex, free, alone, parts, whole, g)
            # 4. the bound: the linearisation at this point
            value, slope = 0.0, 0.0
            for a in range(f):
                value += alone[a] * parts[a]
                slope += g[a] * parts[a]
                if done and not working.inside[a] and g[a] < high - program.tolerance:
                    done = False
            value = constant + (value + slope) / 2
            least, following, last = cheapest(g, need, least_ones)
            bound = value - slope + least - hidden
            if bound > found.value:
                found = Bound(bound, last, following)
                node.gradient[:] = FAR
                node.gradient[free] = g
                kept[:] = prices
            if (
                found.value >= cut
                or done
                or (value < cut and value - found.value < SETTLED * (cut - found.value))
            ):
                break
        # 5. move the prices of rows against what the point breaks
        if found.value >= cut or pricings == 0 or m == 0:
            break
        pricings -= 1
        broken = excess(rows, prices, over, working, w, n)
        size = 0.0
        for r in range(m):
            size += broken[r] * broken[r]
        if size == 0:
            break
        missing = cut - bound if cut < FAR else 0.1 * abs(bound) + 1e4 * program.tolerance
        for r in range(m):
            change = max(prices[r] + missing / size * broken[r], 0.0) - prices[r]
            prices[r] += change
            peak[r] = max(peak[r], prices[r])
            constant += change * over[r]
            for a in range(f):
                alone[a] += change * rows[r, free[a]]
                g[a] += change * rows[r, free[a]]
    node.x[free] = parts
    prices[:] = kept
    return found.value, found.last, found.following


def alone_costs(program: Program, node: Node) -> Any:
    """Return the free features, what each costs alone, what rows are above limits, and what is certain."""
    convex, pairs, single, rows = program.convex, program.pairs, program.single, program.rows
    status, constant = node.status, program.constant
    free = np.flatnonzero(status == 0)
    alone, over, n, m = single[free], -program.limits.copy(), len(status), len(program.limits)
    for i in range(n):
        if status[i] == 1:
            constant += single[i]
            for a in range(len(free)):
                alone[a] += 2 * (convex[i, free[a]] + pairs[i, free[a]])
            for j in range(n):
                if status[j] == 1:
                    constant += convex[i, j] + pairs[i, j]
            for r in range(m):
                over[r] += rows[r, i]
    for r in range(m):
        constant += node.prices[r] * over[r]
        for a in range(len(free)):
            alone[a] += node.prices[r] * rows[r, free[a]]
    return free, alone, over, constant


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


def empty(f: int, space: Any) -> Working:
    """Build an empty working set."""
    return Working(
        np.zeros(f, dtype=np.bool_),
        np.empty(f, dtype=np.int32),
        np.empty(f, dtype=np.int32),
        np.empty(f),
        np.empty(f),
        np.empty(f),
        np.empty(f),
        np.zeros(f, dtype=np.bool_),
        space,
    )


def widened(working: Working, w: int, free: Any, parts: Any, g: Any) -> int:
    """Add features with a part, and those that cost less than these do; return how many there are."""
    level, total, before = 0.0, 0.0, w
    for a in range(len(free)):
        if parts[a] > 0 and parts[a] < 1:
            level += parts[a] * g[a]
            total += parts[a]
    level = level / total if total > 0 else FAR
    for a in range(len(free)):
        if not working.inside[a] and (parts[a] > 0 or g[a] < level):
            working.inside[a] = True
            working.which[w], working.feature[w] = a, free[a]
            w += 1
    if w > before:
        for b in range(w):
            working.copied[b] = False
    return w


def exchanged(  # noqa: PLR0912 (one loop, compiled)
    convex: Any, working: Working, w: int, parts: Any, g: Any, tolerance: float
) -> tuple[bool, float]:
    """Exchange a part of the feature that costs most for one of that which costs least, again and again.

    Invariant: `high` is the largest entry of the gradient of those that can give, `low` the smallest of those
    that can take. Returns whether these no longer differ, and `high`.
    """
    which, feature, own, at = working.which, working.feature, working.slope, working.part
    far_if_full, far_if_none, copied, lines = (
        working.far_if_full,
        working.far_if_none,
        working.copied,
        working.lines,
    )
    low, high, done = FAR, -FAR, False
    for b in range(w):
        own[b], at[b] = g[which[b]], parts[which[b]]
        far_if_full[b] = FAR if at[b] >= 1 else 0.0
        far_if_none[b] = 0.0 if at[b] > 0 else -FAR
        low, high = min(low, own[b] + far_if_full[b]), max(high, own[b] + far_if_none[b])
    for _step in range(max(30, w)):
        if high <= -FAR or low >= FAR or high - low < tolerance:
            done = True
            break
        # 1. who gives, who takes
        i, j = 0, 0
        while i < w - 1 and (own[i] != high or far_if_none[i] < 0):
            i += 1
        while j < w - 1 and (own[j] != low or far_if_full[j] > 0):
            j += 1
        for c in (i, j):
            if not copied[c]:
                copied[c] = True
                line, full = lines[c], convex[feature[c]]
                for b in range(w):
                    line[b] = full[feature[b]]
        # 2. how much: to the lowest point on the way, or until one is full or empty
        up, down = lines[j], lines[i]
        part = min(at[i], 1 - at[j])
        curve = 2 * (down[i] + up[j] - 2 * up[i])
        if curve > TINY:
            part = min(part, (high - low) / curve)
        at[i] -= part
        far_if_full[i] = 0.0
        if at[i] <= NO_PART:
            at[i], far_if_none[i] = 0.0, -FAR
        at[j] += part
        far_if_none[j] = 0.0
        if at[j] > WHOLE_PART:
            at[j], far_if_full[j] = 1.0, FAR
        # 3. the gradient there
        low, high, part = FAR, -FAR, 2 * part
        for b in range(w):
            own[b] += part * (up[b] - down[b])
            low = min(low, own[b] + far_if_full[b])
            high = max(high, own[b] + far_if_none[b])
    for b in range(w):
        parts[which[b]] = at[b]
    return done, high


def cheapest(g: Any, need: int, least: Any) -> tuple[float, float, float]:
    """Return the sum of the smallest entries, the next one, and the last of the sum.

    `least` is memory for one more than are needed.
    """
    count = 0
    for b in range(need + 1):
        least[b] = FAR
    for b in range(len(g)):  # invariant: `least` holds the smallest entries so far, in order
        entry = g[b]
        if entry < least[need]:
            place = min(count, need)
            while place > 0 and least[place - 1] > entry:
                least[place] = least[place - 1]
                place -= 1
            least[place] = entry
            count += 1
    total = 0.0
    for b in range(need):
        total += least[b]
    return total, least[need], least[need - 1]


def excess(rows: Any, prices: Any, over: Any, working: Working, w: int, n: int) -> Any:
    """Return what a point breaks rows by; 0 where that may be rounding, or a price of 0 would fall."""
    broken = over.copy()
    for r in range(len(over)):
        for b in range(w):
            broken[r] += rows[r, working.feature[b]] * working.part[b]
        if abs(broken[r]) <= NOISE * (abs(over[r]) + ENTRY * n) or (prices[r] <= 0 and broken[r] <= 0):
            broken[r] = 0.0
    return broken
