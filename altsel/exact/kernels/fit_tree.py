"""The branch and bound on linear fits, in the part of numpy that numba compiles; its twin is itself.

Without numba it runs as it is, with steps in numpy, of `conditioning` and
`altsel.exact.sources.least_squares.prices`; compiled it calls those of `fit_steps`.

Floats only find sets and bounds: bounds are raised by what rounding may have taken off them, and what may be
good enough is evaluated by `altsel.stats.least_squares.explained`, which alone decides.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from altsel.exact.kernels.conditioning import afresh, cleared, inner, swept, unbounded
from altsel.exact.kernels.fit_data import (
    CLOSE,
    CUTOFF,
    DONE,
    FOUND,
    FULL,
    HAS_BEST,
    LEAST,
    LEVEL,
    NODES,
    VALUE,
    Fit,
    Found,
    Left,
    Levels,
    Rules,
)
from altsel.exact.sources.least_squares.prices import FEW, good_pairs, priced, shares, top
from altsel.stats.least_squares import explained

BLURRED = 1e-10
"""Rounding of products from which they are made afresh from the columns."""
HANGING = 1e-13
"""The same where features hang together, whose prices are rounding times their coefficients."""
LIMIT_ROUNDING = 1e-9
"""Share of its terms by which a row may exceed its limit: it is rounding."""
LEAST_STEP = 1e-13
"""By how much more than the best set another one must explain, at least, to be looked for."""
SURELY, PATIENT = 3, 0.05
"""Weightings that are always made; share of the excess that a further one must take."""
LITTLE = 0.02
"""What a share of 0, or of 1, counts for where the feature to branch on is chosen."""


def searched(  # noqa: PLR0915 (one loop, compiled)
    fit: Fit, rules: Rules, levels: Levels, found: Found, most: int, rounds: int
) -> None:
    """Search on, depth first, until all is done, so many nodes were looked at, or there is no room.

    Invariant: all sets that may be good enough and were not looked at are below a node ``0 .. LEVEL`` that is
    not dead, among its living columns, and `bounds` there bounds them.
    """
    counters, members, k = found.counters, levels.members, len(levels.members)
    until = counters[NODES] + most
    while counters[LEVEL] >= 0 and counters[NODES] < until:
        level = counters[LEVEL]
        q = k - level
        if levels.dead[level]:
            counters[LEVEL] = level - 1
            continue
        counters[NODES] += 1
        # 1. leave out what rules forbid
        alive, own = levels.alive[level, : levels.size[level]], levels.ids[level, : levels.size[level]]
        forced = np.zeros(len(own), dtype=np.bool_)
        slack, room = left_over(rules, members[:level])
        if not propagated(alive, forced, own, q, rules.rows, slack):
            counters[LEVEL] = level - 1
            continue
        free = np.flatnonzero(alive)
        left = what_is_left(fit, rules, levels, level, free, room)
        useless, share = np.zeros(len(free), dtype=np.bool_), levels.z[level][free]
        # 2. a column of which products tell nothing is chosen first
        pick = unbounded(left.a)
        clear = pick < 0
        if not clear and q == 1:
            alive[free[pick]] = False
            members[level] = left.names[pick]
            has_room = offered_if_kept(fit, rules, members, found)
            counters[DONE] = counters[FOUND]
            if not has_room:
                return
            continue
        if clear and q <= 2:
            # 3. evaluate what is good enough where one or two are missing
            if not finished(fit, rules, levels, found, left):
                return
            counters[LEVEL] = level - 1
            continue
        if clear:
            # 4. bound what sets explain, leave out who is of no use, and choose whom to branch on
            need = found.numbers[CUTOFF] - levels.base[level]
            start = shares(np.maximum(share, 1e-6), q)
            bound, prices, share, useless, needed = bounded(left, start, q, need, rounds)
            bound = min(bound, fit.whole - levels.base[level])
            levels.bounds[level] = min(levels.bounds[level], levels.base[level] + bound)
            if bound <= need:
                counters[LEVEL] = level - 1
                continue
            levels.z[level][free] = share
            alive[free[useless]] = False
            pick = sole_choice(forced[free], useless, needed)
            if pick >= 0:
                levels.dead[level] = True
            else:
                pick = branching(prices, share, useless)
            if useless[pick]:
                counters[LEVEL] = level - 1
                continue
        # 5. the sets with it are next, then those without
        alive[free[pick]] = False
        useless[pick] = True
        open_child(fit, levels, level, left, share, pick, np.flatnonzero(~useless))
        counters[LEVEL] = level + 1


def what_is_left(fit: Fit, rules: Rules, levels: Levels, level: int, free: Any, room: Any) -> Left:
    """Gather what a node has of the columns that may be chosen."""
    names = levels.ids[level][free]
    return Left(
        names,
        inner(levels.a[level], free),
        levels.b[level][free],
        fit.d[names],
        rules.group[names],
        room,
        levels.rounding[level],
        fit.steepest,
    )


def left_over(rules: Rules, members: Any) -> Any:
    """Return what the members leave of the limits, and of the groups' capacities."""
    slack, room = rules.loose.copy(), rules.capacity.copy()
    for j in members:
        slack -= rules.rows[:, j]
        if rules.group[j] >= 0:
            room[rules.group[j]] -= 1
    return slack, room


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
        if total > limits[e] + LIMIT_ROUNDING * max(size, terms):
            return False
    return True


def offered_if_kept(fit: Fit, rules: Rules, members: Any, found: Found) -> bool:
    """Evaluate a set that keeps all rules; keep it if it is good enough; False if there is no more room."""
    if not keeps(rules.rows, rules.limits, members):
        return True
    value = explained(fit.columns[np.sort(members)], fit.target)
    numbers, counters = found.numbers, found.counters
    if numbers[LEAST] > -np.inf:
        if value >= numbers[LEAST]:
            found.sets[counters[FOUND]] = members
            found.values[counters[FOUND]] = value
            counters[FOUND] += 1
            counters[FULL] = counters[FOUND] >= len(found.sets)
    elif value > numbers[VALUE] or not counters[HAS_BEST]:
        found.sets[0] = members
        counters[HAS_BEST] = 1
        numbers[VALUE] = value
        numbers[CUTOFF] = value + max(numbers[CLOSE] * value, LEAST_STEP)
    return not counters[FULL]


def finished(fit: Fit, rules: Rules, levels: Levels, found: Found, left: Left) -> bool:
    """Evaluate good sets where one or two are missing; False if there is no room."""
    numbers, level, members, k = found.numbers, found.counters[LEVEL], levels.members, len(levels.members)
    base = levels.base[level]
    need = max(numbers[CUTOFF] - base, -1.0)
    spread = np.sqrt(np.diag(left.a))
    g = left.b / spread
    blur = left.rounding * (16 * np.sqrt(max(need, 0.0)) + 4 * left.rounding) / (spread * spread) + 1e-15
    if k - level == 1:
        most = g * g + blur
        first, second = np.arange(len(g)), np.arange(len(g))
    else:
        first, second, most = good_pairs(left.a, g, spread, g * g + blur, need)
    for i in np.argsort(-most):
        if most[i] <= numbers[CUTOFF] - base:
            break
        members[level] = left.names[first[i]]
        members[k - 1] = left.names[second[i]]
        if not offered_if_kept(fit, rules, members, found):
            return False
    found.counters[DONE] = found.counters[FOUND]
    return True


def bounded(left: Left, z: Any, q: int, need: float, rounds: int) -> Any:
    """Bound what q of some features explain, weighting anew while that helps.

    Parameters
    ----------
    left
        The features.
    z
        Their shares in the relaxation to begin with, from 0 to 1.
    q
        How many more are chosen.
    need
        What they must explain.
    rounds
        Weightings at most.

    Returns
    -------
    tuple
        The bound, its prices, the shares, features that no better set has, and one that each has, or -1.
    """
    d, m = left.d, len(left.d)
    useless = np.zeros(m, dtype=np.bool_)
    best, before, needed = np.inf, np.inf, -1
    prices = np.zeros(m)
    for step in range(rounds):
        # 1. the bound of these shares
        constant, price, _ = priced(left.a, left.b, d, z, left.rounding, left.steepest)
        order = np.argsort(-price)
        total, taken = top(price, order, q, left.group, left.room)
        if taken < q:
            return -np.inf, price, z, useless, -1
        if constant + total < best:
            best, prices = constant + total, price
        if best <= need:
            break
        # 2. who is in no better set, or in each
        last = price[order[q - 1]]
        if m > q:  # sums without a price, not less it: it may be 1e9 times the others
            others = constant + price[order[: q - 1]].sum()
            for j in order[q:]:
                if others + price[j] <= need:
                    useless[j] = True
            if constant + price[order[1 : q + 1]].sum() <= need:
                needed = order[0]
        if step >= SURELY and before - best < PATIENT * (best - need):
            break
        # 3. shares by prices
        before = best
        least = FEW * np.minimum(1.0, 20.0 * d + 1e-6)
        z = shares((z > least) * z * np.sqrt(price), q)
        for j in range(m):
            if z[j] <= least[j] and price[j] > last and not useless[j]:
                z[j] = 2 * least[j]
    return best, prices, z, useless, needed


def sole_choice(forced: Any, useless: Any, needed: int) -> int:
    """Return a feature without which no set is left, by a rule or the bound, or -1."""
    pick = needed if needed >= 0 and not useless[needed] else -1
    for j in range(len(forced)):
        if forced[j] and not useless[j]:
            pick = j
    return pick


def branching(prices: Any, share: Any, useless: Any) -> int:
    """Return the feature to branch on: one with a large price whose share is neither 0 nor 1."""
    worth = prices * (1 + LITTLE - share) * np.minimum(1.0, share + LITTLE)
    worth[useless] = -1.0
    return int(np.argmax(worth))


def open_child(fit: Fit, levels: Levels, level: int, left: Left, share: Any, pick: int, others: Any) -> None:
    """Fill the next level: the node that chooses a feature too, and has the others to choose from."""
    members, count, names = levels.members, len(others), left.names[others]
    members[level] = left.names[pick]
    most_blur, blur = HANGING if (fit.d[names] <= 0).any() else BLURRED, np.inf
    # 1. condition on it by a step of elimination, or afresh from the columns
    if unbounded(left.a) < 0:
        a, b, gain, blur = swept(left.a, left.b, pick, others, left.rounding)
        base = levels.base[level] + gain
    if blur > most_blur:
        a, b, base, blur = afresh(fit.columns, fit.target, members[: level + 1], names, fit.steepest)
    # 2. columns of which nearly nothing is left
    base += cleared(a, b, names, fit.columns, members[: level + 1], blur, fit.steepest)
    levels.a[level + 1, :count, :count] = a
    levels.b[level + 1, :count] = b
    levels.ids[level + 1, :count] = names
    levels.alive[level + 1, :count] = True
    levels.z[level + 1, :count] = share[others]
    levels.size[level + 1] = count
    levels.dead[level + 1] = False
    levels.base[level + 1] = base
    levels.rounding[level + 1] = blur
    levels.bounds[level + 1] = levels.bounds[level]
