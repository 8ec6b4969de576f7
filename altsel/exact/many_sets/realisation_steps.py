"""The steps of a search for sets in which features have given counts: loops over arrays, to be compiled.

A set is a number of 64 bits, one for each feature.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from altsel.compiling import Sources

ONE, NONE = np.uint64(1), np.uint64(0)
TOO_MANY = -1
"""What `listed` returns when its arrays are full."""


Loops = tuple[Callable[..., int], Callable[..., int]]
"""`listed` and `searched`, compiled."""


SOURCES = Sources((__name__,))
COMPILING = 5.0
"""CPU seconds of compiling the loops."""


def kernels() -> Loops | None:
    """Return both loops, compiled; None without numba or time for it: as they are they take too long."""
    return _compiled() if SOURCES.in_time(searched, COMPILING) else None


@cache
def _compiled() -> Loops | None:
    compile_ = SOURCES.compiler()
    if compile_ is None:
        return None
    names = {"np": np, "ONE": ONE, "NONE": NONE, "TOO_MANY": TOO_MANY}
    names |= {one.__name__: compile_(one, names) for one in (ones, inside, canonical)}
    return compile_(listed, names), compile_(searched, names)


def listed(weights: Any, counts: Any, size: Any, least: Any, sets: Any, qualities: Any) -> int:
    """List the sets of features that can be among those wanted; return their number.

    Of ``size`` features each, with counts that sum to at least ``least[0]``, and qualities between
    ``least[1]`` and ``least[2]``. Features come in falling order of their qualities.
    """
    r, n = len(weights), 0
    most = np.zeros((size + 1, r + 2))
    for t in range(1, size + 1):
        for j in range(r - t, -1, -1):
            most[t, j] = counts[j] + most[t - 1, j + 1]
            if j < r - t:
                most[t, j] = max(most[t, j], most[t, j + 1])
    sums = np.zeros(r + 1)
    for j in range(r):
        sums[j + 1] = sums[j] + weights[j]
    place = np.zeros(size, np.int64)
    quality, count, bits = np.zeros(size + 1), np.zeros(size + 1), np.zeros(size + 1, np.uint64)
    place[0], d = -1, 0
    while d >= 0:
        place[d] += 1
        j, t = place[d], size - d
        if j > r - t or quality[d] + sums[j + t] - sums[j] < least[1] or count[d] + most[t, j] < least[0]:
            d -= 1
            continue
        q, c, b = quality[d] + weights[j], count[d] + counts[j], bits[d] | (ONE << np.uint64(j))
        if q + sums[r] - sums[r - t + 1] > least[2]:
            continue
        if t == 1:
            if c < least[0] or q < least[1]:
                continue
            if n == len(sets):
                return TOO_MANY
            sets[n], qualities[n] = b, q
            n += 1
            continue
        d += 1
        quality[d], count[d], bits[d], place[d] = q, c, b, j
    return n


def ones(x: Any) -> int:
    """Return how many bits are set."""
    n = 0
    while x != NONE:
        x &= x - ONE
        n += 1
    return n


def inside(x: Any, j: int) -> int:
    """Return whether a feature is in a set, as 0 or 1."""
    return int((x >> np.uint64(j)) & ONE)


def canonical(x: Any, before: Any) -> bool:
    """Return whether a set has the first of features that are alike: one before it, where it has any.

    ``before[j]`` is the place of the feature before j of its kind, plus one; 0 for the first.
    """
    for j in range(len(before)):  # noqa: SIM110 (compiled)
        if before[j] > 0 and inside(x, j) > inside(x, before[j] - 1):
            return False
    return True


def searched(sets: Any, qualities: Any, rules: Any, state: Any, levels: Any, found: Any, nodes: int) -> int:  # noqa: PLR0912, PLR0915 (one loop, compiled)
    """Go on with a search for as many nodes; return 1 once it has ended.

    ``rules``: sets wanted, most and least common features. ``levels``, each by depth: candidates, counts
    that are left, features before of their kind, number of candidates, position, branching feature, whether
    it is in the next set, and the set chosen. ``state``: depth, whether a node begins, nodes. ``found``: the
    quality to be above, and what the qualities of sets still to come sum to, by depth. The best sets stand
    in the last row of candidates.
    """
    candidates, left, before, sizes, at, branch, sense, chosen = levels
    m, overlap, fewest = rules[0], rules[1], rules[2]
    above, rest = found
    r = left.shape[1]
    d, fresh = state[0], state[1] > 0
    number = np.zeros(r, np.int64)
    while d >= 0:
        t = m - d
        if fresh:
            if nodes == 0:
                state[0], state[1] = d, 1
                return 0
            nodes -= 1
            state[2] += 1
            at[d], fresh, possible = 0, False, sizes[d] >= t
            number[:] = 0
            for p in range(sizes[d]):
                x = sets[candidates[d, p]]
                while x != NONE:
                    low = x & (~x + ONE)
                    number[ones(low - ONE)] += 1
                    x ^= low
            fewest_branches = sizes[d] + 1
            for j in range(r):
                without = sizes[d] - number[j]
                if number[j] < left[d, j] or without < t - left[d, j]:
                    possible = False
                    break
                if left[d, j] > 0 and number[j] < fewest_branches and before[d, j] == 0:
                    branch[d], sense[d], fewest_branches = j, 1, number[j]
                if left[d, j] < t and without < fewest_branches:
                    last = True
                    for i in range(j + 1, r):
                        last = last and before[d, i] != j + 1
                    if last:
                        branch[d], sense[d], fewest_branches = j, 0, without
            if not possible:
                d -= 1
                continue
        more = False
        while at[d] < sizes[d] and not more:
            i = candidates[d, at[d]]
            at[d] += 1
            more = (
                inside(sets[i], branch[d]) == sense[d]
                and qualities[i] > above[0]
                and rest[d] - qualities[i] >= (t - 1) * above[0]
                and canonical(sets[i], before[d])
            )
        if not more:
            d -= 1
            continue
        chosen[d], x = i, sets[i]
        possible, absent, present = True, NONE, NONE
        for j in range(r):
            now = left[d, j] - inside(x, j)
            left[d + 1, j] = now
            possible = possible and 0 <= now <= t - 1
            if now == 0:
                absent |= ONE << np.uint64(j)
            if now == t - 1:
                present |= ONE << np.uint64(j)
        if not possible:
            continue
        if t == 1:
            above[0] = qualities[chosen[:m]].min()
            candidates[m, :m] = chosen[:m]
            continue
        for j in range(r):
            i = before[d, j]
            while i > 0 and inside(x, i - 1) != inside(x, j):
                i = before[d, i - 1]
            before[d + 1, j] = i
        rest[d + 1] = rest[d] - qualities[chosen[d]]
        n = 0
        for p in range(sizes[d]):
            e = candidates[d, p]
            y = sets[e]
            if (
                y & absent != NONE
                or y & present != present
                or not fewest <= ones(x & y) <= overlap
                or qualities[e] <= above[0]
                or rest[d + 1] - qualities[e] < (t - 2) * above[0]
                or (p < at[d] and inside(y, branch[d]) == sense[d] and canonical(y, before[d]))
            ):
                continue
            candidates[d + 1, n] = e
            n += 1
        sizes[d + 1] = n
        d, fresh = d + 1, True
    state[0] = -1
    return 1
