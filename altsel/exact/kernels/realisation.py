"""The steps of a search for sets in which features have given counts: loops for numba.

Plain Python that numba compiles as it is; without numba they are not run, as they take too long.

A set is a number of 64 bits, one for each feature.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

ONE, NONE = np.uint64(1), np.uint64(0)
TOO_MANY = -1
"""What `listed` returns when its arrays are full."""


class Rules(NamedTuple):
    """What the sets are to be."""

    sets: int
    """How many are wanted."""
    overlap: int
    fewest: int
    """Most and least common features of two."""


class Levels(NamedTuple):
    """The search, a line a depth, 0 to the number of sets wanted; r features."""

    candidates: Any
    """Shape (depths, sets): which may be chosen; the last line holds the best sets found."""
    left: Any
    """Shape (depths, r): counts that sets still to come have to make up."""
    before: Any
    """Shape (depths, r): the feature before each that is alike until here, plus one; 0 for the first."""
    sizes: Any
    """Number of candidates."""
    position: Any
    """Number of candidates tried."""
    branch: Any
    """The feature by which sets are chosen: the next set has it, or has it not."""
    sense: Any
    """1 if the next set has it, 0 if not."""
    chosen: Any
    """The set chosen."""
    rest: Any
    """What the qualities of sets still to come sum to."""


DEPTH, FRESH, NODES = range(3)
"""What the state of a search holds: its depth, 1 if a node begins there, and nodes until now."""


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


def searched(
    sets: Any, qualities: Any, rules: Rules, levels: Levels, state: Any, above: Any, nodes: int
) -> int:
    """Go on with a search for as many nodes; return 1 once it has ended.

    Parameters
    ----------
    sets, qualities
        All sets that can be chosen.
    rules, levels, state
        What is wanted, and where the search is.
    above
        One number: the quality to be above; rises to that of the poorest of the best sets found.
    nodes
        After how many to come back.
    """
    wanted, position, d = rules.sets, levels.position, state[DEPTH]
    fresh, number = state[FRESH] > 0, np.zeros(levels.left.shape[1], np.int64)
    while d >= 0:
        # 1. a node: which feature leaves the fewest sets to choose from?
        if fresh:
            if nodes == 0:
                state[DEPTH], state[FRESH] = d, 1
                return 0
            nodes -= 1
            state[NODES] += 1
            position[d], fresh = 0, False
            if not branched(sets, levels, d, wanted - d, number):
                d -= 1
                continue
        # 2. the next set
        if not chosen_next(sets, qualities, levels, d, wanted - d, above[0]):
            d -= 1
            continue
        # 3. what the others have to make up, and which of them still fit
        absent, present, possible = counts_left(sets, levels, d, wanted - d)
        if not possible:
            continue
        if wanted - d == 1:
            above[0] = qualities[levels.chosen[:wanted]].min()
            levels.candidates[wanted, :wanted] = levels.chosen[:wanted]
            continue
        narrow(sets, qualities, rules, levels, d, absent, present, above[0])
        d, fresh = d + 1, True
    state[DEPTH] = -1
    return 1


def branched(sets: Any, levels: Levels, d: int, t: int, number: Any) -> bool:
    """Choose what t sets to come have, or lack, with the fewest candidates; False if these are too few.

    `number` is memory for the number of candidates with each feature.
    """
    left, before, size, candidates = levels.left, levels.before, levels.sizes[d], levels.candidates
    r, fewest = left.shape[1], levels.sizes[d] + 1
    number[:] = 0
    for p in range(size):
        x = sets[candidates[d, p]]
        while x != NONE:
            low = x & (~x + ONE)
            number[ones(low - ONE)] += 1
            x ^= low
    for j in range(r):
        without = size - number[j]
        if number[j] < left[d, j] or without < t - left[d, j]:
            return False
        if left[d, j] > 0 and number[j] < fewest and before[d, j] == 0:
            levels.branch[d], levels.sense[d], fewest = j, 1, number[j]
        if left[d, j] < t and without < fewest:
            last = True
            for i in range(j + 1, r):
                last = last and before[d, i] != j + 1
            if last:
                levels.branch[d], levels.sense[d], fewest = j, 0, without
    return bool(size >= t)


def chosen_next(sets: Any, qualities: Any, levels: Levels, d: int, t: int, above: float) -> bool:
    """Choose the next candidate of a depth that may be the next of t sets; return whether there is one."""
    branch, sense, rest, position = levels.branch[d], levels.sense[d], levels.rest[d], levels.position
    while position[d] < levels.sizes[d]:
        i = levels.candidates[d, position[d]]
        position[d] += 1
        if (
            inside(sets[i], branch) == sense
            and qualities[i] > above
            and rest - qualities[i] >= (t - 1) * above
            and canonical(sets[i], levels.before[d])
        ):
            levels.chosen[d] = i
            return True
    return False


def counts_left(sets: Any, levels: Levels, d: int, t: int) -> tuple[Any, Any, bool]:
    """Return which features no set to come may have, which all must, and whether counts can be made up."""
    left, x = levels.left, sets[levels.chosen[d]]
    possible, absent, present = True, NONE, NONE
    for j in range(left.shape[1]):
        now = left[d, j] - inside(x, j)
        left[d + 1, j] = now
        possible = possible and 0 <= now <= t - 1
        if now == 0:
            absent |= ONE << np.uint64(j)
        if now == t - 1:
            present |= ONE << np.uint64(j)
    return absent, present, possible


def narrow(  # noqa: PLR0913, PLR0917 (part of the loop)
    sets: Any, qualities: Any, rules: Rules, levels: Levels, d: int, absent: Any, present: Any, above: float
) -> None:
    """List the candidates of the next depth: those that fit to the set chosen, and come after it."""
    candidates, before, t = levels.candidates, levels.before, rules.sets - d
    branch, sense, tried, x = levels.branch[d], levels.sense[d], levels.position[d], sets[levels.chosen[d]]
    # 1. features that are alike stay so where the set has both or neither
    for j in range(before.shape[1]):
        i = before[d, j]
        while i > 0 and inside(x, i - 1) != inside(x, j):
            i = before[d, i - 1]
        before[d + 1, j] = i
    # 2. sets
    rest, n = levels.rest[d] - qualities[levels.chosen[d]], 0
    levels.rest[d + 1] = rest
    for p in range(levels.sizes[d]):
        e = candidates[d, p]
        y = sets[e]
        if (
            y & absent != NONE
            or y & present != present
            or not rules.fewest <= ones(x & y) <= rules.overlap
            or qualities[e] <= above
            or rest - qualities[e] < (t - 2) * above
            or (p < tried and inside(y, branch) == sense and canonical(y, before[d]))
        ):
            continue
        candidates[d + 1, n] = e
        n += 1
    levels.sizes[d + 1] = n
