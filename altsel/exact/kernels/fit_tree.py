"""The branch and bound on linear fits, in the part of numpy that numba compiles; its twin is itself.

Without numba it runs as it is, with steps in numpy, of `conditioning` and of `prices` and `pairs` in
`altsel.exact.sources.least_squares`; compiled it calls those of `fit_steps`.

Floats only find sets and bounds: bounds are raised by what rounding may have taken off them, and what may be
good enough is evaluated by `altsel.stats.least_squares.explained`, which alone decides.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from altsel.exact.kernels.conditioning import afresh, cleared, inner, swept, unbounded
from altsel.exact.kernels.fit_data import (
    AT_ONCE,
    CUTOFF,
    LEVEL,
    NODES,
    START,
    WORK,
    Fit,
    Found,
    Left,
    Levels,
    Listing,
    Portion,
    Rules,
)
from altsel.exact.kernels.fit_list import PATH, begin_list, list_on
from altsel.exact.kernels.fit_rules import left_over, propagated
from altsel.exact.sources.least_squares.prices import FEW, priced, shares, top

BLURRED = 1e-10
"""Rounding of products from which they are made afresh from the columns."""
HANGING = 1e-13
"""The same where features hang together, whose prices are rounding times their coefficients."""
SURELY, PATIENT = 3, 0.05
"""Weightings that are always made; share of the excess that a further one must take."""
LITTLE = 0.02
"""What a share of 0, or of 1, counts for where the feature to branch on is chosen."""


def searched(  # noqa: PLR0915 (one loop, compiled)
    fit: Fit, rules: Rules, levels: Levels, listing: Listing, found: Found, portion: Portion
) -> None:
    """Search on, depth first, until all or a portion is done, or there is no room.

    Invariant: all sets that may be good enough and were not looked at are below a node ``0 .. LEVEL`` that is
    not dead, among its living columns, and `bounds` there bounds them.
    """
    counters, numbers, members, k = found.counters, found.numbers, levels.members, len(levels.members)
    until, enough = counters[NODES] + portion.nodes, numbers[WORK] + portion.work
    while counters[LEVEL] >= 0 and counters[NODES] < until and numbers[WORK] < enough:
        level = counters[LEVEL]
        # 1. a list that is not at its end goes on
        if counters[START] >= 0:
            if not list_on(fit, rules, levels, listing, found, enough):
                return
            counters[START] = -1
            counters[LEVEL] = level - 1
            continue
        if levels.dead[level]:
            counters[LEVEL] = level - 1
            continue
        counters[NODES] += 1
        # 2. leave out what rules forbid
        q, alive = k - level, levels.alive[level, : levels.size[level]]
        own = levels.ids[level, : levels.size[level]]
        forced = np.zeros(len(own), dtype=np.bool_)
        slack, room = left_over(rules, members[:level])
        if not propagated(alive, forced, own, q, rules.rows, slack):
            counters[LEVEL] = level - 1
            continue
        free = np.flatnonzero(alive)
        left = what_is_left(fit, rules, levels, level, free, room, slack)
        effort = portion.bound + portion.entry * len(free) * len(free)
        # 3. where that is no more work than a bound, look at all sets
        if q <= 2 or list_work(len(free), q) <= max(numbers[AT_ONCE], effort):
            begin_list(fit, rules, levels, listing, found, left)
            continue
        # 4. a column of which products tell nothing is chosen first
        useless, share = np.zeros(len(free), dtype=np.bool_), levels.z[level][free]
        pick = unbounded(left.a)
        if pick < 0:
            # 5. bound what sets explain, leave out who is of no use
            numbers[WORK] += effort
            need = numbers[CUTOFF] - levels.base[level]
            start = shares(np.maximum(share, 1e-6), q)
            bound, prices, share, useless, needed = bounded(left, start, q, need, portion.rounds)
            bound = min(bound, fit.whole - levels.base[level])
            levels.bounds[level] = min(levels.bounds[level], levels.base[level] + bound)
            if bound <= need:
                counters[LEVEL] = level - 1
                continue
            levels.z[level][free] = share
            alive[free[useless]] = False
            # 6. look at all sets if that is little beside what was done here; else choose whom to branch on
            rest = np.flatnonzero(~useless)
            if list_work(len(rest), q) <= portion.again * (numbers[WORK] - levels.opened[level]):
                left = what_is_left(fit, rules, levels, level, free[rest], room, slack)
                begin_list(fit, rules, levels, listing, found, left)
                continue
            pick = sole_choice(forced[free], useless, needed)
            if pick >= 0:
                levels.dead[level] = True
            else:
                pick = branching(prices, share, useless)
            if useless[pick]:
                counters[LEVEL] = level - 1
                continue
        # 7. the sets with it are next, then those without
        alive[free[pick]] = False
        useless[pick] = True
        open_child(fit, levels, found, level, left, share, pick, np.flatnonzero(~useless))
        counters[LEVEL] = level + 1


def list_work(m: int, q: int) -> float:
    """Return how much work the list of the sets of q of m columns is: one a set, and more a path."""
    count, paths = 1.0, 1.0
    for i in range(q):
        count *= (m - i) / (i + 1)
        paths = count if i < q - 2 else paths
    return count + PATH * paths


def what_is_left(
    fit: Fit, rules: Rules, levels: Levels, level: int, free: Any, room: Any, slack: Any
) -> Left:
    """Gather what a node has of the columns that may be chosen."""
    names = levels.ids[level][free]
    return Left(
        names,
        inner(levels.a[level], free),
        levels.b[level][free],
        fit.d[names],
        rules.group[names],
        room,
        slack,
        levels.rounding[level],
        fit.steepest,
    )


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


def open_child(  # noqa: PLR0913, PLR0917 (arrays, as compiled loops take them)
    fit: Fit, levels: Levels, found: Found, level: int, left: Left, share: Any, pick: int, others: Any
) -> None:
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
    levels.opened[level + 1] = found.numbers[WORK]
    levels.base[level + 1] = base
    levels.rounding[level + 1] = blur
    levels.bounds[level + 1] = levels.bounds[level]
