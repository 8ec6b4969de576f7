"""Sets with few common features and a large sum, or smallest sum, by simulated annealing: no proof."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import exp, inf
from typing import Any

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.compiling import Sources
from altsel.runtime.clock import clock

COMPILED_STEPS, PLAIN_STEPS = 300_000, 15_000
"""Steps of one annealing, with numba and without: many short ones find more than few long ones."""
PLAIN_SHARE = 4
"""Without numba one of so many annealings is made: a step takes far longer."""
MANNERS = ((2.5, 0.5, 0.25), (2.5, 0.4, 0.2), (2.5, 0.7, 0.35), (2.0, 0.4, 0.15), (3.2, 0.6, 0.3))
"""Cost of a common feature too many, relative to the price of a pair; temperature at first and at last."""
SPARE = 8
"""Features beyond those of the best profile that are looked at."""


@dataclass(frozen=True, eq=False)
class Wanted:
    """What a family is to be.

    Attributes
    ----------
    weights
        Qualities in falling order.
    sets, k, overlap
        Number of sets, their size, and most common features of two.
    price
        Of a pair of memberships of one feature, above 0.
    smallest
        Whether the smallest sum counts, not the sum of all.
    rows, limits
        What each set keeps: ``rows @ x <= limits``, each row scaled so that 1 is much to break it by.
    """

    weights: FloatArray
    sets: int
    k: int
    overlap: int
    price: float
    smallest: bool = False
    rows: FloatArray | None = None
    limits: FloatArray | None = None

    def value(self, inside: BoolArray) -> float:
        """Evaluate a family, shape (sets, features)."""
        each = inside @ self.weights
        return float(each.min() if self.smallest else each.sum())


def good_family(
    wanted: Wanted, counts: IntArray, goal: float, runs: int, fixed: bool = False
) -> BoolArray | None:
    """Anneal again and again, and return the best family that keeps overlaps and rows, if any was met.

    Parameters
    ----------
    wanted
        What it is to be.
    counts
        In how many sets each feature is, to begin with; of those not named, the best ones are tried too.
    goal
        Value at which to stop.
    runs
        Number of annealings; fewer are made without numba.
    fixed
        Keep the counts.

    Examples
    --------
    >>> wanted = Wanted(np.array([3.0, 2.0, 1.0, 0.5]), 2, 2, 1, 0.5)
    >>> good_family(wanted, np.array([2, 1, 1]), 9.0, 3).astype(int).sum(axis=0).tolist()
    [2, 1, 1, 0]
    """
    annealed, steps = _kernel()
    columns = np.flatnonzero(counts)
    if not fixed:
        columns = np.arange(min(len(wanted.weights), len(counts) + SPARE))
    weights = np.ascontiguousarray(wanted.weights[columns])
    memberships = np.append(counts, np.zeros(SPARE, dtype=np.int64))[columns]
    rows, limits = wanted.rows, wanted.limits
    rows = np.zeros((0, len(columns))) if rows is None else np.ascontiguousarray(rows[:, columns])
    limits = np.zeros(0) if limits is None else limits
    kept = np.zeros((wanted.sets, len(columns)), dtype=np.int64)
    best = -inf
    for run in range(runs if steps >= COMPILED_STEPS else -(-runs // PLAIN_SHARE)):
        if clock().over or best >= goal:
            break
        rng = np.random.default_rng(run)
        inside = _begun(memberships, wanted, rng)
        penalty, hot, cold = (1.0, 0.4, 0.15) if fixed else MANNERS[run % len(MANNERS)]
        numbers = np.array(
            [
                wanted.k,
                wanted.overlap,
                penalty,
                wanted.price,
                hot,
                cold,
                not fixed,
                wanted.smallest,
                best,
                goal,
            ]
        )
        try:
            best = annealed(inside, weights, rows, limits, numbers, rng.random((steps, 6)), kept)
        except KeyboardInterrupt as fault:  # the best families before are kept
            clock().note(fault)
            break
    if best == -inf:
        return None
    family = np.zeros((wanted.sets, len(wanted.weights)), dtype=bool)
    family[:, columns] = kept > 0
    return family


def _begun(memberships: IntArray, wanted: Wanted, rng: np.random.Generator) -> IntArray:
    """Give each feature to the sets that lack most, ties by lot."""
    inside = np.zeros((wanted.sets, len(memberships)), dtype=np.int64)
    need = np.full(wanted.sets, wanted.k)
    for feature in np.argsort(-memberships, kind="stable").tolist():
        count = memberships[feature]
        chosen = np.argsort(-(need + 0.99 * rng.random(wanted.sets)))[:count]
        inside[chosen, feature] = 1
        need[chosen] -= 1
    return inside


@cache
def _kernel() -> tuple[Callable[..., float], int]:
    """Compile the loop if numba is installed; and how many steps it makes."""
    compile_ = Sources((__name__,)).compiler()
    return (compile_(_annealed), COMPILED_STEPS) if compile_ else (_annealed, PLAIN_STEPS)


def _annealed(  # noqa: PLR0912, PLR0915 (one loop, compiled)
    inside: Any, weights: Any, rows: Any, limits: Any, numbers: Any, draws: Any, kept: Any
) -> float:
    """Exchange members of two sets, or a member for a feature of about its rank; keep the best family.

    Costs: common features too many, rows broken, and what the sum lacks, or what each set lacks to a target.
    Returns the value of the best family that breaks neither, which `kept` holds.
    """
    m, s = inside.shape
    ruled = len(limits)
    loads = np.zeros((m, ruled))
    k, overlap, penalty, price = int(numbers[0]), int(numbers[1]), numbers[2], numbers[3]
    temperature, shifts, smallest, best, goal = numbers[4], numbers[6], numbers[7] > 0, numbers[8], numbers[9]
    cooling = (numbers[5] / numbers[4]) ** (1.0 / len(draws))
    members, common, values = np.zeros((m, k), np.int64), np.zeros((m, m), np.int64), np.zeros(m)
    excess = 0
    for i in range(m):
        count = 0
        for f in range(s):
            if inside[i, f]:
                members[i, count] = f
                count += 1
                values[i] += weights[f]
                for r in range(ruled):
                    loads[i, r] += rows[r, f]
        for j in range(i):
            for f in range(s):
                common[i, j] += inside[i, f] * inside[j, f]
            common[j, i] = common[i, j]
            excess += max(0, common[i, j] - overlap)
    target = goal
    for step in range(len(draws)):
        temperature *= cooling
        i, a = int(draws[step, 0] * m), int(draws[step, 1] * k)
        f, j = members[i, a], -1
        if shifts > 0 and draws[step, 2] < 0.5:
            g, b = f + int(draws[step, 3] * 9) - 4, 0
            if g < 0 or g >= s or inside[i, g]:
                continue
        else:
            j, b = int(draws[step, 3] * (m - 1)), int(draws[step, 4] * k)
            if j >= i:
                j += 1
            g = members[j, b]
            if inside[j, f] or inside[i, g]:
                continue
        more = 0
        for h in range(m):
            e = inside[h, g] - inside[h, f]
            if e != 0 and h not in (i, j):
                more += max(0, common[i, h] + e - overlap) - max(0, common[i, h] - overlap)
                if j >= 0:
                    more += max(0, common[j, h] - e - overlap) - max(0, common[j, h] - overlap)
        gain = weights[g] - weights[f]
        broken = 0.0
        for r in range(ruled):
            e = rows[r, g] - rows[r, f]
            if e != 0.0:
                broken += max(0.0, loads[i, r] + e - limits[r]) - max(0.0, loads[i, r] - limits[r])
                if j >= 0:
                    broken += max(0.0, loads[j, r] - e - limits[r]) - max(0.0, loads[j, r] - limits[r])
        change = penalty * (more + broken)
        if smallest:
            change += (max(0.0, target - values[i] - gain) - max(0.0, target - values[i])) / price
            if j >= 0:
                change += (max(0.0, target - values[j] + gain) - max(0.0, target - values[j])) / price
        elif j < 0:
            change -= gain / price
        if change > 0 and draws[step, 5] >= exp(-change / temperature):
            continue
        for h in range(m):
            e = inside[h, g] - inside[h, f]
            if e != 0 and h not in (i, j):
                common[i, h] += e
                common[h, i] += e
                if j >= 0:
                    common[j, h] -= e
                    common[h, j] -= e
        for r in range(ruled):
            e = rows[r, g] - rows[r, f]
            loads[i, r] += e
            if j >= 0:
                loads[j, r] -= e
        inside[i, f], inside[i, g], members[i, a] = 0, 1, g
        values[i] += gain
        if j >= 0:
            inside[j, g], inside[j, f], members[j, b] = 0, 1, f
            values[j] -= gain
        excess += more
        if excess == 0:
            worst = 0.0
            for h in range(m):
                for r in range(ruled):
                    worst = max(worst, loads[h, r] - limits[r])
            if worst > 1e-9:
                continue
            value = values.min() if smallest else values.sum()
            if value > best:
                best = value
                kept[:] = inside
                if best >= goal:
                    break
    return float(best)
