"""The steps of an annealing of several sets: plain Python that numba compiles as it is."""

from __future__ import annotations

from math import exp
from typing import Any, NamedTuple

import numpy as np

NEAR = 4
"""A member is exchanged for a feature at most so many ranks from it."""
KEPT = 1e-9
"""What a scaled row may be broken by."""


class Terms(NamedTuple):
    """What the sets are to be; s features in falling weight, r rows."""

    weights: Any
    """Shape (s,)."""
    rows: Any
    """Shape (r, s), each scaled so that 1 is much to break it by."""
    limits: Any
    """Shape (r,)."""
    size: int
    overlap: int
    """Most common features of two sets."""
    penalty: float
    """Cost of a common feature too many, and of breaking a row by 1."""
    price: float
    """What the sum of weights is divided by."""
    shifts: bool
    """Whether counts of features may change, by exchanges for features of about the same rank."""
    smallest: bool
    """Whether the smallest sum counts, not the sum of all."""
    goal: float
    """Value at which to stop."""


class Sets(NamedTuple):
    """The sets, m of them, and what is known of them."""

    inside: Any
    """Shape (m, s): 1 of a member."""
    members: Any
    """Shape (m, size)."""
    common: Any
    """Shape (m, m): common features."""
    values: Any
    """Shape (m,): sums of weights."""
    loads: Any
    """Shape (m, r): sums of the rows' coefficients."""


class Exchange(NamedTuple):
    """Set i gives its member f, at place a, for g; set j gives g, at place b, for f, unless j is -1."""

    i: int
    a: int
    f: int
    j: int
    b: int
    g: int


def annealed(terms: Terms, hot: float, cold: float, best: float, inside: Any, draws: Any, kept: Any) -> float:
    """Exchange members of two sets, or a member for a feature of about its rank; keep the best family.

    Costs: common features too many, rows broken, and what the sum lacks, or what each set lacks to a target.
    Steps take six numbers each from `draws`; temperatures fall from hot to cold. Returns the value of the
    best family that breaks neither, which `kept` holds, if it is above `best`.
    """
    sets, excess = begun(terms, inside)
    m, temperature, cooling = len(inside), hot, (cold / hot) ** (1.0 / len(draws))
    for step in range(len(draws)):
        temperature *= cooling
        # 1. draw an exchange
        move = drawn(terms, sets, draws[step])
        if move.i < 0:
            continue
        # 2. accept it, as its costs and the temperature say
        more, change = costs(terms, sets, move)
        if change > 0 and draws[step, 5] >= exp(-change / temperature):
            continue
        make(terms, sets, move)
        excess += more
        # 3. keep what breaks nothing and is better than all before
        if excess == 0:
            worst = 0.0
            for h in range(m):
                for r in range(len(terms.limits)):
                    worst = max(worst, sets.loads[h, r] - terms.limits[r])
            if worst > KEPT:
                continue
            value = sets.values.min() if terms.smallest else sets.values.sum()
            if value > best:
                best = value
                kept[:] = inside
                if best >= terms.goal:
                    break
    return float(best)


def begun(terms: Terms, inside: Any) -> tuple[Sets, int]:
    """Sum up what is known of sets, and how many common features are too many."""
    (m, s), ruled, excess = inside.shape, len(terms.limits), 0
    members, common, values = np.zeros((m, terms.size), np.int64), np.zeros((m, m), np.int64), np.zeros(m)
    loads = np.zeros((m, ruled))
    for i in range(m):
        count = 0
        for f in range(s):
            if inside[i, f]:
                members[i, count] = f
                count += 1
                values[i] += terms.weights[f]
                for r in range(ruled):
                    loads[i, r] += terms.rows[r, f]
        for j in range(i):
            for f in range(s):
                common[i, j] += inside[i, f] * inside[j, f]
            common[j, i] = common[i, j]
            excess += max(0, common[i, j] - terms.overlap)
    return Sets(inside, members, common, values, loads), excess


def drawn(terms: Terms, sets: Sets, draw: Any) -> Exchange:
    """Draw an exchange; i is -1 where it is none."""
    (m, s), inside, members = sets.inside.shape, sets.inside, sets.members
    i, a = int(draw[0] * m), int(draw[1] * terms.size)
    f = members[i, a]
    if terms.shifts and draw[2] < 0.5:
        g = f + int(draw[3] * (2 * NEAR + 1)) - NEAR
        possible = 0 <= g < s and not inside[i, g]
        return Exchange(i if possible else -1, a, f, -1, 0, g)
    j, b = int(draw[3] * (m - 1)), int(draw[4] * terms.size)
    if j >= i:
        j += 1
    g = members[j, b]
    possible = not (inside[j, f] or inside[i, g])
    return Exchange(i if possible else -1, a, f, j, b, g)


def costs(terms: Terms, sets: Sets, move: Exchange) -> tuple[int, float]:
    """Return how many more common features there are too many, and by what all costs change."""
    i, j, f, g, overlap, more = move.i, move.j, move.f, move.g, terms.overlap, 0
    inside, common, values, target = sets.inside, sets.common, sets.values, terms.goal
    for h in range(len(inside)):
        e = inside[h, g] - inside[h, f]
        if e != 0 and h not in (i, j):
            more += max(0, common[i, h] + e - overlap) - max(0, common[i, h] - overlap)
            if j >= 0:
                more += max(0, common[j, h] - e - overlap) - max(0, common[j, h] - overlap)
    gain, broken = terms.weights[g] - terms.weights[f], 0.0
    for r in range(len(terms.limits)):
        e, limit, loads = terms.rows[r, g] - terms.rows[r, f], terms.limits[r], sets.loads
        if e != 0.0:
            broken += max(0.0, loads[i, r] + e - limit) - max(0.0, loads[i, r] - limit)
            if j >= 0:
                broken += max(0.0, loads[j, r] - e - limit) - max(0.0, loads[j, r] - limit)
    change = terms.penalty * (more + broken)
    if terms.smallest:
        change += (max(0.0, target - values[i] - gain) - max(0.0, target - values[i])) / terms.price
        if j >= 0:
            change += (max(0.0, target - values[j] + gain) - max(0.0, target - values[j])) / terms.price
    elif j < 0:
        change -= gain / terms.price
    return more, change


def make(terms: Terms, sets: Sets, move: Exchange) -> None:
    """Apply an exchange."""
    i, a, f, j, b, g = move
    inside, members, common, values, loads = sets
    for h in range(len(inside)):
        e = inside[h, g] - inside[h, f]
        if e != 0 and h not in (i, j):
            common[i, h] += e
            common[h, i] += e
            if j >= 0:
                common[j, h] -= e
                common[h, j] -= e
    gain = terms.weights[g] - terms.weights[f]
    for r in range(len(terms.limits)):
        e = terms.rows[r, g] - terms.rows[r, f]
        loads[i, r] += e
        if j >= 0:
            loads[j, r] -= e
    inside[i, f], inside[i, g], members[i, a] = 0, 1, g
    values[i] += gain
    if j >= 0:
        inside[j, g], inside[j, f], members[j, b] = 0, 1, f
        values[j] -= gain
