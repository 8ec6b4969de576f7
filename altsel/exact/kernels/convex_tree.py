"""The tree of convex programs without rows, the best bound first, as a loop for numba.

A line holds a node under way, in numbers of its own free features only, so that work shrinks with them.
Without numba the tree examines node by node (`altsel.exact.sources.quadratic.convexified.tree`), to the same
answers.
"""

from __future__ import annotations

from typing import Any

from altsel.exact.kernels.convex_nodes import (
    BESIDES,
    OLD,
    Lines,
    Space,
    afresh,
    branched,
    keep_open,
    load,
    put,
    refill,
    settled,
    shift,
)
from altsel.exact.kernels.node_bound import cheapest, exchanged, widened
from altsel.exact.kernels.open_nodes import HEAP, STACK, VACANT, Pool, take, vacate
from altsel.exact.kernels.programs import FAR, Program

ROUNDS, ENOUGH, WORTHWHILE = 4, 0.1, 0.3
"""Of exchanges at a node; at what difference of two entries of the gradient these end, relative to what the
bound lacks for each missing feature; and share of that which a further round must be able to gain. More work
saves nodes: with 0 for the second up to an eighth of them, in a third more time (500 features)."""
AHEAD = 0.1
"""Share of what the best bound lacks by which that of a node under way may be above it: it is then branched
on as it is, where the best one would have to be loaded."""
CLOSED, OPEN, NO_ROOM = 0, 1, 2
"""What comes of a node."""


def searched(  # noqa: PLR0912 (one loop, compiled)
    program: Program, pool: Pool, size: int, cut: float, most: int, lines: Lines, space: Space
) -> tuple[int, int, int]:
    """Search open nodes; return how many were examined, sets found, and the slot of one that is left.

    It ends when no node is open, `most` were examined, or there is no room for the sets of one: its slot is
    returned then, which is neither open nor vacant; else -1.
    """
    nodes, found, t, left, counts = 0, 0, -1, -1, pool.counts
    while left < 0 and nodes < most and (t >= 0 or counts[HEAP] + counts[STACK] > 0):
        # 1. the node under way, or the open one with the best bound
        first, last = 0, 1
        if t < 0:
            slot, t = take(pool), 0
            vacate(pool, slot)
            if pool.bound[slot] >= cut:
                t = -1
                continue
            load(program, pool, slot, lines, t)
            if pool.fresh[slot]:
                last = 0
        # 2. both sides of a feature, unless the node itself has no bound of its own yet
        if last == 1:
            branched(program.convex, program.pairs, lines, t, most_split(program, lines, t, space))
        t = -1
        for u in range(first, last + 1):
            if left >= 0:
                keep_open(pool, lines, u, True)
                continue
            nodes += 1
            fate, count = examined(program, lines, u, size, cut, space, found)
            found += count
            if fate == NO_ROOM:
                counts[VACANT] -= 1
                left = pool.vacant[counts[VACANT]]
                put(pool, left, lines, u)
            elif fate == OPEN:
                # 3. the better one goes on, if it is hardly worse than the best of all
                other = u
                if t < 0 or lines.bound[u] <= lines.bound[t]:
                    t, other = u, t
                if other >= 0:
                    keep_open(pool, lines, other, False)
        if t >= 0 and counts[HEAP] > 0 and counts[STACK] == 0:
            best = pool.bound[pool.heap[0]]
            if lines.bound[t] > best + AHEAD * (cut - best):
                keep_open(pool, lines, t, False)
                t = -1
    if t >= 0:
        keep_open(pool, lines, t, False)
    if counts[STACK] == 0:
        pool.under_way[0] = FAR
    return nodes, found, left


def examined(
    program: Program, lines: Lines, t: int, size: int, cut: float, space: Space, found: int
) -> tuple[int, int]:
    """Bound a line's node, or keep its sets where few features are missing; return its fate, and how many."""
    closed = bounded(program.convex, program.pairs, lines, t, size, cut, program.tolerance, space)
    missing = size - lines.taken[t]
    if closed or lines.free[t] < missing:
        return CLOSED, 0
    if missing > 2 and lines.free[t] > missing:
        return OPEN, 0
    count = completed(program.convex, program.pairs, lines, t, missing, cut, space.sets, found)
    return (NO_ROOM, 0) if count < 0 else (CLOSED, count)


def bounded(  # noqa: PLR0912, PLR0913, PLR0917 (part of the loop)
    convex: Any,
    pairs: Any,
    lines: Lines,
    t: int,
    size: int,
    cut: float,
    tolerance: float,
    space: Space,
) -> bool:
    """Bound a line's node, decide what the bound decides, and again; return whether it is closed."""
    place, x, alone, slope = lines.place[t], lines.x[t], lines.alone[t], lines.slope[t]
    g, kept, stays, smallest = space.vectors[0], space.vectors[1], space.vectors[2], space.vectors[3]
    working = space.working
    while True:
        f, need = lines.free[t], size - lines.taken[t]
        if need <= 2 or f <= need:
            return False
        # 1. a point that sums to the need, not too far from where it was computed
        refill(convex, lines, t, need)
        if lines.age[t] > OLD * (len(convex) + BESIDES):
            afresh(convex, lines, t)
        for b in range(f):
            g[b] = alone[b] + slope[b]
            working.inside[b] = False
        best, last, following, w, done = -FAR, 0.0, 0.0, 0, False
        for r in range(ROUNDS + 1):
            # 2. the bound: the linearisation at this point
            value, along = 0.0, 0.0
            for b in range(f):
                value += alone[b] * x[b]
                along += g[b] * x[b]
            value = lines.constant[t] + (value + along) / 2
            least, after, end = cheapest(g[:f], need, smallest)
            if value - along + least > best:
                best, last, following = value - along + least, end, after
                for b in range(f):
                    kept[b] = g[b]
            if best >= cut:
                return True
            if done or r == ROUNDS or (r > 0 and value - best < WORTHWHILE * (cut - best) and value < cut):
                break
            # 3. exchange parts within the working set
            w = widened(working, w, place[:f], x[:f], g[:f])
            for b in range(f):
                stays[b] = x[b]
            least = max(tolerance, ENOUGH * (cut - best) / need)
            done, high = exchanged(convex, working, w, x, g, least)
            for c in range(w):
                b = working.which[c]
                if x[b] != stays[b]:
                    shift(slope, convex[place[b]], place, f, 2 * (x[b] - stays[b]))
                    lines.age[t] += 1
            for b in range(f):
                g[b] = alone[b] + slope[b]
                if done and not working.inside[b] and g[b] < high - least:
                    done = False
        lines.bound[t] = max(lines.bound[t], best)
        # 4. whose other side would cost as much as the cut?
        if not settled(convex, pairs, lines, t, need, kept, best, last, following, cut):
            return False


def most_split(program: Program, lines: Lines, t: int, space: Space) -> int:
    """Return the entry that would cost most if its part became a whole; see `node_bound.branching`."""
    convex, pairs, place, x, f = program.convex, program.pairs, lines.place[t], lines.x[t], lines.free[t]
    with_part, count, best, entry = space.working.which, 0, -FAR, 0
    for b in range(f):
        if x[b] > 0:
            with_part[count] = b
            count += 1
    for whole in range(2):
        for b in range(f):
            if (x[b] > 0 and x[b] < 1) if whole == 0 else x[b] >= 0:
                other = pairs[place[b]]
                worth = convex[place[b], place[b]] * (1 - x[b])
                for c in range(count):
                    worth += other[place[with_part[c]]] * x[with_part[c]]
                worth = worth * x[b]
                if worth > best:
                    best, entry = worth, b
        if best > -FAR:
            break
    return entry


def completed(  # noqa: PLR0912, PLR0913, PLR0917 (part of the loop)
    convex: Any, pairs: Any, lines: Lines, t: int, need: int, cut: float, sets: Any, found: int
) -> int:
    """Keep the sets of a node that may cost less than the cut; return how many, -1 if there is no room."""
    place, alone, f, taken = lines.place[t], lines.alone[t], lines.free[t], lines.taken[t]
    count = 0
    if need == 0 or f == need:  # noqa: PLR1714 (numba)
        cost = lines.constant[t]
        for b in range(need):
            cost += alone[b] + convex[place[b], place[b]]
            for c in range(b):
                cost += 2 * (convex[place[b], place[c]] + pairs[place[b], place[c]])
        if cost < cut:
            if found == len(sets):
                return -1
            for c in range(taken + need):
                sets[found, c] = lines.inside[t, c] if c < taken else place[c - taken]
            count = 1
        return count
    for b in range(f):
        at = place[b]
        cost = lines.constant[t] + alone[b] + convex[at, at]
        for c in range(b if need == 2 else 1):
            both = cost
            if need == 2:
                other = place[c]
                both += alone[c] + convex[other, other] + 2 * (convex[at, other] + pairs[at, other])
            if both < cut:
                if found + count == len(sets):
                    return -1
                for d in range(taken):
                    sets[found + count, d] = lines.inside[t, d]
                sets[found + count, taken] = at
                if need == 2:
                    sets[found + count, taken + 1] = place[c]
                count += 1
    return count
