"""Loops of the branch and bound, in the part of numpy that numba compiles; without it they run as they are.

Floats only find sets and bounds: bounds are raised by what rounding may have taken off them, and what may be
good enough is evaluated by `altsel.stats.least_squares.explained`, which alone decides.

A node has chosen ``members[:level]``, and may choose among ``ids[level, :size[level]]`` those that are
`alive`. Its arrays are in rows `level` of tables: products `a` and `b` given the members, `z` (shares in the
relaxation), `base` (what the members explain), `rounding` (of the products).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from altsel.exact.sources.least_squares.conditioning import afresh, cleared, inner, swept, unbounded
from altsel.exact.sources.least_squares.prices import FEW, good_pairs, priced, shares, top
from altsel.stats.least_squares import explained

BLURRED = 1e-10
"""Rounding of products from which they are made afresh from the columns."""
HANGING = 1e-13
"""The same where features hang together, whose prices are rounding times their coefficients."""
# counters (DONE: sets found by nodes that are done with; one that found no room begins again)
NODES, FOUND, FULL, LEVEL, HAS_BEST, DONE = 0, 1, 2, 3, 4, 5
# numbers (WHOLE: what no set explains more than; STEEPEST: what no coefficient exceeds)
CUTOFF, CLOSE, VALUE, LEAST, WHOLE, STEEPEST = 0, 1, 2, 3, 4, 5


def propagated(alive: Any, forced: Any, ids: Any, q: int, rows: Any, slack: Any) -> bool:
    """Leave out features with which a rule cannot be kept, note those without which; False if none can."""
    again = True
    while again:
        again = False
        free = np.flatnonzero(alive)
        if len(free) < q:
            return False
        for e in range(rows.shape[0]):
            own = rows[e][ids[free]]
            order = np.argsort(own)
            least = own[order[:q]].sum()
            if least > slack[e]:
                return False
            last = own[order[q - 1]]
            following = own[order[q]] if len(free) > q else np.inf
            for i in range(len(free)):
                if alive[free[i]] and own[i] > last and least - last + own[i] > slack[e]:
                    alive[free[i]] = False
                    again = True
                if own[i] < following and least - own[i] + following > slack[e]:
                    forced[free[i]] = True
            if again:
                break
    return True


def keeps(rows: Any, limits: Any, members: Any) -> bool:
    """Return whether a set keeps all rules, but for rounding of their terms."""
    for e in range(rows.shape[0]):
        total, size = 0.0, abs(limits[e])
        terms = 0.0
        for j in members:
            total += rows[e, j]
            terms += abs(rows[e, j])
        if total > limits[e] + 1e-9 * max(size, terms):
            return False
    return True


def offered(
    columns: Any, target: Any, members: Any, found: Any, values: Any, numbers: Any, counters: Any
) -> None:
    """Evaluate a set; keep it if it is above the floor, or better than the best."""
    value = explained(columns[np.sort(members)], target)
    if numbers[LEAST] > -np.inf:
        if value >= numbers[LEAST]:
            found[counters[FOUND]] = members
            values[counters[FOUND]] = value
            counters[FOUND] += 1
            counters[FULL] = counters[FOUND] >= len(found)
    elif value > numbers[VALUE] or not counters[HAS_BEST]:
        found[0] = members
        counters[HAS_BEST] = 1
        numbers[VALUE] = value
        numbers[CUTOFF] = value + max(numbers[CLOSE] * value, 1e-13)


def finished(  # noqa: PLR0913, PLR0917 (arrays, as compiled loops take them)
    a: Any, b: Any, ids: Any, base: float, rounding: float, members: Any, q: int, rows: Any, limits: Any,
    columns: Any, target: Any, found: Any, values: Any, numbers: Any, counters: Any,
) -> bool:  # fmt: skip
    """Evaluate sets with one or two features more that may be good enough; False if there is no room."""
    k = len(members)
    need = max(numbers[CUTOFF] - base, -1.0)
    spread = np.sqrt(np.diag(a))
    g = b / spread
    blur = rounding * (16 * np.sqrt(max(need, 0.0)) + 4 * rounding) / (spread * spread) + 1e-15
    if q == 1:
        gain = g * g + blur
        order = np.argsort(-gain)
        for i in order:
            if gain[i] <= numbers[CUTOFF] - base:
                break
            members[k - 1] = ids[i]
            if keeps(rows, limits, members):
                offered(columns, target, members, found, values, numbers, counters)
                if counters[FULL]:
                    return False
        return True
    first, second, most = good_pairs(a, g, spread, g * g + blur, need)
    for i in np.argsort(-most):
        if most[i] <= numbers[CUTOFF] - base:
            break
        members[k - 2] = ids[first[i]]
        members[k - 1] = ids[second[i]]
        if keeps(rows, limits, members):
            offered(columns, target, members, found, values, numbers, counters)
            if counters[FULL]:
                return False
    return True


def bounded(  # noqa: PLR0913, PLR0917 (arrays, as compiled loops take them)
    a: Any,
    b: Any,
    d: Any,
    z: Any,
    q: int,
    rounding: float,
    need: float,
    group: Any,
    capacity: Any,
    rounds: int,
    largest: float,
) -> Any:
    """Bound what q of some features explain, weighting anew while that helps.

    Returns
    -------
    tuple
        The bound, its prices, the shares, features that no better set has, and one that each has, or -1.
    """
    m = len(b)
    useless = np.zeros(m, dtype=np.bool_)
    best, before, needed = np.inf, np.inf, -1
    prices = np.zeros(m)
    for step in range(rounds):
        constant, price, _ = priced(a, b, d, z, rounding, largest)
        order = np.argsort(-price)
        total, taken = top(price, order, q, group, capacity)
        if taken < q:
            return -np.inf, price, z, useless, -1
        if constant + total < best:
            best, prices = constant + total, price
        if best <= need:
            break
        last = price[order[q - 1]]
        if m > q:  # sums without a price, not less it: it may be 1e9 times the others
            others = constant + price[order[: q - 1]].sum()
            for j in order[q:]:
                if others + price[j] <= need:
                    useless[j] = True
            if constant + price[order[1 : q + 1]].sum() <= need:
                needed = order[0]
        if step >= 3 and before - best < 0.05 * (best - need):
            break
        before = best
        least = FEW * np.minimum(1.0, 20.0 * d + 1e-6)
        z = shares((z > least) * z * np.sqrt(price), q)
        for j in range(m):
            if z[j] <= least[j] and price[j] > last and not useless[j]:
                z[j] = 2 * least[j]
    return best, prices, z, useless, needed


def searched(  # noqa: PLR0912, PLR0913, PLR0915, PLR0917 (one loop, compiled)
    columns: Any, target: Any, d: Any, rows: Any, limits: Any, loose: Any, group: Any, capacity: Any, ids:
    Any, size: Any, a: Any, b: Any, alive: Any, dead: Any, z: Any, base: Any, rounding: Any, members: Any,
    found: Any, values: Any, bounds: Any, numbers: Any, counters: Any, most: int, rounds: int,
) -> None:  # fmt: skip
    """Search on, depth first, until all is done, so many nodes were looked at, or `found` is full."""
    k = len(members)
    until = counters[NODES] + most
    while counters[LEVEL] >= 0 and counters[NODES] < until:
        level = counters[LEVEL]
        q = k - level
        if dead[level]:
            counters[LEVEL] = level - 1
            continue
        counters[NODES] += 1
        slack, room = loose.copy(), capacity.copy()
        for i in range(level):
            slack -= rows[:, members[i]]
            if group[members[i]] >= 0:
                room[group[members[i]]] -= 1
        m = size[level]
        own = ids[level, :m]
        forced = np.zeros(m, dtype=np.bool_)
        if not propagated(alive[level, :m], forced, own, q, rows, slack):
            counters[LEVEL] = level - 1
            continue
        free = np.flatnonzero(alive[level, :m])
        names = own[free]
        products, along = inner(a[level], free), b[level][free]
        pick = unbounded(products)
        if pick >= 0 and q == 1:
            alive[level, free[pick]] = False
            members[level] = names[pick]
            if keeps(rows, limits, members):
                offered(columns, target, members, found, values, numbers, counters)
                counters[DONE] = counters[FOUND]
                if counters[FULL]:
                    return
            continue
        blurred = pick >= 0
        if q <= 2 and not blurred:
            if not finished(
                products, along, names, base[level], rounding[level], members, q, rows, limits, columns,
                target, found, values, numbers, counters,
            ):  # fmt: skip
                return
            counters[DONE] = counters[FOUND]
            counters[LEVEL] = level - 1
            continue
        useless, share = np.zeros(len(free), dtype=np.bool_), z[level][free]
        if not blurred:
            need = numbers[CUTOFF] - base[level]
            start = shares(np.maximum(share, 1e-6), q)
            bound, prices, share, useless, needed = bounded(
                products, along, d[names], start, q, rounding[level], need, group[names], room, rounds,
                numbers[STEEPEST],
            )  # fmt: skip
            bound = min(bound, numbers[WHOLE] - base[level])
            bounds[level] = min(bounds[level], base[level] + bound)
            if bound <= need:
                counters[LEVEL] = level - 1
                continue
            z[level][free] = share
            alive[level][free[useless]] = False
            if needed >= 0 and not useless[needed]:
                pick = needed
            for j in range(len(free)):
                if forced[free[j]] and not useless[j]:
                    pick = j
            if pick >= 0:
                dead[level] = True
            else:
                worth = prices * (1.02 - share) * np.minimum(1.0, share + 0.02)
                worth[useless] = -1.0
                pick = int(np.argmax(worth))
            if useless[pick]:
                counters[LEVEL] = level - 1
                continue
        alive[level, free[pick]] = False
        members[level] = names[pick]
        useless[pick] = True
        left = np.flatnonzero(~useless)
        count, most_blur = len(left), HANGING if (d[names[left]] <= 0).any() else BLURRED
        blur = np.inf
        if not blurred:
            a2, b2, gain, blur = swept(products, along, pick, left, rounding[level])
            base[level + 1] = base[level] + gain
        if blur > most_blur:
            chosen = members[: level + 1]
            a2, b2, base[level + 1], blur = afresh(columns, target, chosen, names[left], numbers[STEEPEST])
        base[level + 1] += cleared(
            a2, b2, names[left], columns, members[: level + 1], blur, numbers[STEEPEST]
        )
        a[level + 1, :count, :count] = a2
        b[level + 1, :count] = b2
        ids[level + 1, :count] = names[left]
        alive[level + 1, :count] = True
        z[level + 1, :count] = share[left]
        size[level + 1] = count
        dead[level + 1] = False
        rounding[level + 1] = blur
        bounds[level + 1] = bounds[level]
        counters[LEVEL] = level + 1
