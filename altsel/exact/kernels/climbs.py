"""Descents from sets by the best exchange, as loops for numba; the twin is `convexified.climbs.climbed`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

LEAST = 1e-12
"""Relative to the penalty: what an exchange must gain."""


class Quadratic(NamedTuple):
    """Costs ``c's + s'Ws`` of sets of n features, and what a row is broken by, at a price."""

    single: Any
    """c, shape (n,)."""
    double: Any
    """W, shape (n, n), symmetric; its diagonal is 0."""
    rows: Any
    """Shape (m, n)."""
    limits: Any
    """Shape (m,): ``rows @ s <= limits``."""
    penalty: float
    """What a unit above a limit costs: more than any exchange gains."""


def climbed(costs: Quadratic, members: Any, values: Any) -> None:
    """Exchange members of each set, shape (sets, size), while that lowers its costs; fill in these."""
    single, double, rows, limits, penalty = costs
    n, m, k = len(single), len(limits), members.shape[1]
    slope, used, outside = np.empty(n), np.empty(m), np.empty(n, dtype=np.bool_)
    for start in range(len(members)):
        # 1. the gradient at the set, and what it uses of the limits
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
            # 2. the best exchange of a member
            p, a = best_exchange(costs, members[start], slope, used, outside)
            if p < 0:
                break
            # 3. make it
            i = members[start, p]
            members[start, p] = a
            outside[i], outside[a] = True, False
            for b in range(n):
                slope[b] += 2 * (double[a, b] - double[i, b])
            for r in range(m):
                used[r] += rows[r, a] - rows[r, i]
        # 4. its costs: half of them are the gradient's
        value = 0.0
        for p in range(k):
            i = members[start, p]
            value += (single[i] + slope[i]) / 2
        for r in range(m):
            value += penalty * max(used[r] - limits[r], 0.0)
        values[start] = value


def best_exchange(costs: Quadratic, members: Any, slope: Any, used: Any, outside: Any) -> tuple[int, int]:
    """Return which member to give for which feature; -1 if no exchange gains anything."""
    double, rows, limits, penalty = costs.double, costs.rows, costs.limits, costs.penalty
    n, m = len(slope), len(limits)
    best, place, into = -LEAST * penalty, -1, -1
    for p in range(len(members)):
        i = members[p]
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
    return place, into
