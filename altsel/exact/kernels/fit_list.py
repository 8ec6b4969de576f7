"""All sets of a node of the tree of linear fits, in the part of numpy that numba compiles.

Its twin is itself, with `conditioned` and `good_pairs` of `altsel.exact.sources.least_squares.pairs` for
those of `fit_steps`. A path chooses columns of the node at falling positions; the products of the columns
before the last one are conditioned on it, and where two are missing all pairs of them are bounded in closed
form. What may be good enough is evaluated, and only that decides.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from altsel.exact.kernels.conditioning import EPSILON, afresh, blanked
from altsel.exact.kernels.fit_data import (
    CLOSE,
    COUNT,
    CUTOFF,
    DEPTH,
    DONE,
    FOUND,
    FULL,
    HAS_BEST,
    INFLATED,
    LEAST,
    LEVEL,
    START,
    UNCLEAR,
    VALUE,
    WORK,
    Fit,
    Found,
    Left,
    Levels,
    Listing,
    Rules,
)
from altsel.exact.kernels.fit_rules import fill_least, keeps, may_keep
from altsel.exact.sources.least_squares.pairs import conditioned, good_pairs
from altsel.stats.least_squares import explained

PATH, CHECK, EVALUATION = 40.0, 30.0, 5e3
"""Work to go on with a path, to check the rules of a set, and to evaluate it."""
ENDED, PAUSED, GOOD, UNTOLD = 0, 1, 2, 3
"""Why `walk` ends: all is done; work; sets that may be good enough; a column that products do not tell."""
LEAST_STEP = 1e-13
"""By how much more than the best set another one must explain, at least, to be looked for."""


def begin_list(fit: Fit, rules: Rules, levels: Levels, listing: Listing, found: Found, left: Left) -> None:
    """Start a list at a node: put its columns in a row, and sum what rules take of them at least."""
    level, m = found.counters[LEVEL], len(left.names)
    found.counters[START], found.counters[DEPTH] = level, level
    levels.size[level] = m
    levels.ids[level, :m] = left.names
    levels.a[level, :m, :m] = left.a
    levels.b[level, :m] = left.b
    listing.same[:m] = fit.same[left.names]
    listing.positions[level] = m
    listing.growth[level, :m] = 1.0
    listing.target_growth[level] = 1.0
    listing.slack[level] = left.slack
    fill_least(rules, left.names, len(levels.members) - level, listing.least)


def list_on(fit: Fit, rules: Rules, levels: Levels, listing: Listing, found: Found, until: float) -> bool:
    """Go on with a list until so much work is done, or there is no room; return whether all is done."""
    counters, event = found.counters, GOOD
    while event in (GOOD, UNTOLD):
        event = walk(rules, levels, listing, found, fit.copied, until)
        if event == GOOD:
            if not evaluated(fit, rules, levels, listing, found):
                return False
            counters[DONE] = counters[FOUND]
            counters[DEPTH] -= 1
        elif event == UNTOLD:
            open_untold(fit, levels, listing, counters[START], counters[DEPTH])
            counters[DEPTH] += 1
    return event == ENDED


def walk(rules: Rules, levels: Levels, listing: Listing, found: Found, copied: float, until: float) -> int:
    """Go on until there are good sets, or products do not tell a column, or so much work is done, or all.

    Invariant: at each depth t of the path, all sets were looked at that follow it to there and go on with a
    column at ``positions[t]`` or behind. Nothing is allocated here.
    """
    counters, numbers, k = found.counters, found.numbers, len(levels.members)
    start, t = counters[START], counters[DEPTH]
    while t >= start:
        counters[DEPTH] = t
        if numbers[WORK] >= until:
            return PAUSED
        # 1. where one or two are missing, is any set good enough?
        if t >= k - 2:
            w, need = listing.positions[t], numbers[CUTOFF] - levels.base[t]
            if t == k - 1:
                numbers[WORK] += PATH + w
                count = good_ones(levels, listing, t, need)
            else:
                numbers[WORK] += PATH + 0.5 * w * (w - 1)
                count = good_pairs(levels, listing, t, need, copied)
            if count > 0:
                counters[COUNT] = count
                return GOOD
            t -= 1
            continue
        # 2. else the path goes on with the next column, if there are enough before it
        i = listing.positions[t] - 1
        listing.positions[t] = i
        if i < k - 1 - t:
            t -= 1
            continue
        levels.members[t] = levels.ids[start, i]
        if may_keep(rules, listing, t, i, levels.members[t], k - 1 - t):
            if not opened(levels, listing, t):
                return UNTOLD
            t += 1
    return ENDED


def opened(levels: Levels, listing: Listing, t: int) -> bool:
    """Condition the columns before the last one of a path on it; return whether products tell all of them."""
    i, growth, rounding = listing.positions[t], listing.growth[t], levels.rounding[t]
    along, own = levels.b[t, i], levels.a[t, i, i]
    listing.positions[t + 1] = i
    if own <= UNCLEAR * rounding * growth[i] * growth[i]:
        return False
    coefficient = along / own
    levels.base[t + 1] = levels.base[t] + coefficient * along
    levels.rounding[t + 1] = rounding + 4 * EPSILON
    listing.target_growth[t + 1] = listing.target_growth[t] + abs(coefficient) * growth[i]
    least = conditioned(levels, listing, t, i)
    return bool(least > UNCLEAR * levels.rounding[t + 1])


def open_untold(fit: Fit, levels: Levels, listing: Listing, start: int, t: int) -> None:
    """Do what `opened` does by the columns where of the last one, or of others, nearly nothing is left."""
    i, members, names = listing.positions[t], levels.members[: t + 1], levels.ids[start]
    a, b, base, rounding = afresh(fit.columns, fit.target, members, names[:i], fit.steepest)
    few = np.flatnonzero(np.diag(a) <= UNCLEAR * rounding)
    if len(few):
        base += blanked(few, a, b, names[:i], fit.columns, members, fit.steepest)
    levels.a[t + 1, :i, :i] = a
    levels.b[t + 1, :i] = b
    levels.base[t + 1], levels.rounding[t + 1] = base, rounding
    listing.growth[t + 1, :i], listing.target_growth[t + 1] = 1.0, 1.0


def evaluated(fit: Fit, rules: Rules, levels: Levels, listing: Listing, found: Found) -> bool:
    """Evaluate the good sets that keep all rules, the best ones first; return whether there is room."""
    numbers, counters, members = found.numbers, found.counters, levels.members
    t, names, most = counters[DEPTH], levels.ids[counters[START]], listing.most[: counters[COUNT]]
    for e in np.argsort(-most):
        if most[e] <= numbers[CUTOFF] - levels.base[t]:
            break
        members[t] = names[listing.first[e]]
        members[len(members) - 1] = names[listing.second[e]]
        numbers[WORK] += CHECK
        if keeps(rules.rows, rules.limits, members):
            numbers[WORK] += EVALUATION
            if not offered(fit, members, found):
                return False
    return True


def good_ones(levels: Levels, listing: Listing, t: int, need: float) -> int:
    """Note the columns that may explain more than needed, and what each explains at most; return how many."""
    a, b, growth, rounding, count = levels.a[t], levels.b[t], listing.growth[t], levels.rounding[t], 0
    for j in range(listing.positions[t]):
        most = np.inf
        if a[j, j] > UNCLEAR * rounding * growth[j] * growth[j]:
            coefficient = b[j] / a[j, j]
            blur = listing.target_growth[t] + abs(coefficient) * growth[j]
            most = coefficient * b[j] + INFLATED * rounding * blur * blur
        if most > need:
            listing.first[count], listing.second[count], listing.most[count] = j, j, most
            count += 1
    return count


def offered(fit: Fit, members: Any, found: Found) -> bool:
    """Evaluate a set, and keep it if it is good enough; return whether there is room for more."""
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
