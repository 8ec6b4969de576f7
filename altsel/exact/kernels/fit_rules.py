"""Rules as rows in the tree of linear fits, in the part of numpy that numba compiles."""

from __future__ import annotations

from typing import Any

import numpy as np

from altsel.exact.kernels.fit_data import Listing, Rules

LIMIT_ROUNDING = 1e-9
"""Share of its terms by which a row may exceed its limit: it is rounding."""


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
    """Return whether a set keeps all rows, but for rounding of their terms."""
    for e in range(rows.shape[0]):
        total, size = 0.0, abs(limits[e])
        terms = 0.0
        for j in members:
            total += rows[e, j]
            terms += abs(rows[e, j])
        if total > limits[e] + LIMIT_ROUNDING * max(size, terms):
            return False
    return True


def fill_least(rules: Rules, ids: Any, q: int, least: Any) -> None:
    """Fill ``least[e, s, i]`` with the least sum of row e of s of the first i columns."""
    for e in range(rules.rows.shape[0]):
        smallest = np.full(q, np.inf)  # in order
        least[e, 1:, 0] = np.inf
        for i in range(len(ids)):
            value = rules.rows[e, ids[i]]
            for s in range(q):
                if value < smallest[s]:
                    smallest[s], value = value, smallest[s]
            total = 0.0
            for s in range(q):
                total += smallest[s]
                least[e, s + 1, i + 1] = total


def may_keep(rules: Rules, listing: Listing, t: int, i: int, feature: int, missing: int) -> bool:
    """Return whether rows can be kept with a column, and some before; note what it leaves of them."""
    for e in range(rules.rows.shape[0]):
        slack = listing.slack[t, e] - rules.rows[e, feature]
        listing.slack[t + 1, e] = slack
        if listing.least[e, missing, i] > slack:
            return False
    return True
