"""Nodes of convex programs under way, a line each, and what changes them: steps of `convex_tree`."""

from __future__ import annotations

from typing import Any, NamedTuple

from altsel.exact.kernels.node_bound import Working
from altsel.exact.kernels.open_nodes import Pool, add
from altsel.exact.kernels.programs import Program

OLD, BESIDES = 4, 100
"""For each of n features and so many more: updates of a gradient after which it is computed anew. A form is
charged four times what these may be off (`convexified.rewriting`)."""


class Lines(NamedTuple):
    """Nodes under way, a line each; entries of a line are those of its free features, in their order."""

    place: Any
    """Which feature an entry is."""
    x: Any
    """Parts."""
    alone: Any
    """Costs alone, given those inside."""
    slope: Any
    """Twice S times x."""
    inside: Any
    """Shape (lines, size): features inside."""
    taken: Any
    """Shape (lines,): how many."""
    free: Any
    """Shape (lines,): number of free features."""
    age: Any
    """Shape (lines,): updates of `slope` since it was begun, each by how much it has grown since."""
    constant: Any
    """Shape (lines,): cost of those inside."""
    bound: Any
    """Shape (lines,): on the costs of the node's sets."""


class Space(NamedTuple):
    """Memory for n features."""

    working: Working
    """Of n lines."""
    vectors: Any
    """Shape (4, n + 1)."""
    sets: Any
    """Shape (room, size): become sets that may cost less than the cut."""


def load(program: Program, pool: Pool, slot: int, lines: Lines, t: int) -> None:
    """Take an open node into a line."""
    convex, pairs, status = program.convex, program.pairs, pool.status[slot]
    place, x, alone, inside = lines.place[t], lines.x[t], lines.alone[t], lines.inside[t]
    # 1. free features, and where they have a part
    f, taken, p = 0, 0, 0
    for j in range(len(status)):
        if status[j] == 1:
            inside[taken] = j
            taken += 1
        elif status[j] == 0:
            place[f], x[f], alone[f] = j, 0.0, program.single[j]
            if p < pool.feature.shape[1] and pool.feature[slot, p] == j:
                x[f] = pool.part[slot, p]
                p += 1
            f += 1
    # 2. what those inside cost, and bring to the others
    constant = program.constant
    for c in range(taken):
        own, other = convex[inside[c]], pairs[inside[c]]
        constant += program.single[inside[c]]
        for d in range(taken):
            constant += own[inside[d]] + other[inside[d]]
        for b in range(f):
            alone[b] += 2 * (own[place[b]] + other[place[b]])
    lines.free[t], lines.taken[t], lines.constant[t] = f, taken, constant
    lines.bound[t] = pool.bound[slot]
    afresh(convex, lines, t)


def put(pool: Pool, slot: int, lines: Lines, t: int) -> None:
    """Write a line into a slot. Where parts are more than there is room for, the last ones are left out."""
    status, p = pool.status[slot], 0
    status[:] = -1
    for c in range(lines.taken[t]):
        status[lines.inside[t, c]] = 1
    for b in range(lines.free[t]):
        status[lines.place[t, b]] = 0
        if lines.x[t, b] > 0 and p < pool.feature.shape[1]:
            pool.feature[slot, p], pool.part[slot, p] = lines.place[t, b], lines.x[t, b]
            p += 1
    if p < pool.feature.shape[1]:
        pool.feature[slot, p] = -1


def keep_open(pool: Pool, lines: Lines, t: int, fresh: bool) -> None:
    """Open the node of a line."""
    put(pool, add(pool, lines.bound[t], fresh), lines, t)


def settled(  # noqa: PLR0913, PLR0917 (part of the loop)
    convex: Any,
    pairs: Any,
    lines: Lines,
    t: int,
    need: int,
    g: Any,
    best: float,
    last: float,
    following: float,
    cut: float,
) -> bool:
    """Decide what a bound decides; return whether a feature was taken in."""
    place, x, alone, slope, f = lines.place[t], lines.x[t], lines.alone[t], lines.slope[t], lines.free[t]
    taken, left = 0, 0
    for b in range(f):
        if g[b] < following and best + following - g[b] >= cut and not (g[b] > last):
            taken += 1
            if taken <= need:
                include(convex, pairs, lines, t, b)
    if taken > need:
        lines.free[t] = -1
        return True
    for b in range(f):
        out = g[b] > last and best + g[b] - last >= cut
        if out and x[b] > 0:
            shift(slope, convex[place[b]], place, f, -2 * x[b])
            lines.age[t] += 1
        inside = g[b] < following and best + following - g[b] >= cut and not (g[b] > last)
        if out or inside:
            continue
        place[left], x[left], alone[left], slope[left] = place[b], x[b], alone[b], slope[b]
        left += 1
    lines.free[t] = left
    return taken > 0


def include(convex: Any, pairs: Any, lines: Lines, t: int, p: int) -> None:
    """Take in the feature of an entry, which stays in its place, without a part."""
    place, alone, slope, at = lines.place[t], lines.alone[t], lines.slope[t], lines.place[t, p]
    lines.constant[t] += alone[p] + convex[at, at]
    lines.inside[t, lines.taken[t]] = at
    lines.taken[t] += 1
    part = 2 * lines.x[t, p]
    lines.x[t, p] = 0.0
    lines.age[t] += 1
    for b in range(lines.free[t]):
        alone[b] += 2 * (convex[at, place[b]] + pairs[at, place[b]])
        slope[b] -= part * convex[at, place[b]]


def branched(convex: Any, pairs: Any, lines: Lines, t: int, p: int) -> None:
    """Put a node with the feature of an entry into the other line, and leave it out of this one."""
    u, f, at = 1 - t, lines.free[t], lines.place[t, p]
    for c in range(lines.taken[t]):
        lines.inside[u, c] = lines.inside[t, c]
    lines.taken[u], lines.free[u], lines.age[u] = lines.taken[t], f, lines.age[t]
    lines.constant[u], lines.bound[u] = lines.constant[t], lines.bound[t]
    for b in range(f):
        lines.place[u, b], lines.x[u, b] = lines.place[t, b], lines.x[t, b]
        lines.alone[u, b], lines.slope[u, b] = lines.alone[t, b], lines.slope[t, b]
    shift(lines.slope[t], convex[at], lines.place[t], f, -2 * lines.x[t, p])
    lines.age[t] += 1
    include(convex, pairs, lines, u, p)
    remove(lines, t, p)
    remove(lines, u, p)


def remove(lines: Lines, t: int, p: int) -> None:
    """Remove an entry of a line."""
    place, x, alone, slope = lines.place[t], lines.x[t], lines.alone[t], lines.slope[t]
    for b in range(p, lines.free[t] - 1):
        place[b], x[b], alone[b], slope[b] = place[b + 1], x[b + 1], alone[b + 1], slope[b + 1]
    lines.free[t] -= 1


def shift(slope: Any, line: Any, place: Any, f: int, by: float) -> None:
    """Add a multiple of a line of S to a gradient."""
    for b in range(f):
        slope[b] += by * line[place[b]]


def afresh(convex: Any, lines: Lines, t: int) -> None:
    """Compute a line's gradient from its parts."""
    place, x, slope, f = lines.place[t], lines.x[t], lines.slope[t], lines.free[t]
    for b in range(f):
        slope[b] = 0.0
    lines.age[t] = 0.0
    for b in range(f):
        if x[b] > 0:
            lines.age[t] += 1
            shift(slope, convex[place[b]], place, f, 2 * x[b])


def refill(convex: Any, lines: Lines, t: int, need: int) -> None:
    """Scale parts to the features needed; where some would be above 1, share what is missing."""
    x, slope, f = lines.x[t], lines.slope[t], lines.free[t]
    total, most, some = 0.0, 0.0, 0
    for b in range(f):
        total += x[b]
        most = max(most, x[b])
        if x[b] > 0:
            some += 1
    if total * 2 >= need and most * need <= total:
        scale = need / total
        for b in range(f):
            x[b] *= scale
            slope[b] *= scale
        lines.age[t] = scale * lines.age[t] + 1
        return
    everyone = some <= need
    room = (f if everyone else some) - total
    share = (need - total) / room
    for b in range(f):
        if everyone or x[b] > 0:
            x[b] += (1 - x[b]) * share
    afresh(convex, lines, t)
