"""Sets with few common features and a large sum, or smallest sum, by simulated annealing: no proof."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.exact.families.counts.compiled import ANNEALINGS, Annealing
from altsel.exact.kernels.annealing import Terms
from altsel.runtime.clock import clock

STEP = 4e-6
"""CPU seconds that a step takes without numba."""
MANNERS = ((2.5, 0.5, 0.25), (2.5, 0.4, 0.2), (2.5, 0.7, 0.35), (2.0, 0.4, 0.15), (3.2, 0.6, 0.3))
"""Cost of a common feature too many, relative to the price of a pair; temperature at first and at last."""
FIXED_MANNER = (1.0, 0.4, 0.15)
TEETH, TOOTH, SLOW_STEPS = 16, 16, 1_000_000
"""A slow annealing cools so many times, each time in so many parts of so many steps."""
SLOW_PENALTY, WARM, COOL, SHARPER = 2.0, 0.36, 0.26, 1.25
"""Its cost of a common feature too many, its temperatures, and what the cost grows by until sets are met."""
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
    wanted: Wanted,
    counts: IntArray,
    goal: float,
    runs: int,
    fixed: bool = False,
    begun: Begun | None = None,
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
    begun
        What earlier calls for the same sets have done: it is gone on with, and not done again.

    Examples
    --------
    >>> wanted = Wanted(np.array([3.0, 2.0, 1.0, 0.5]), 2, 2, 1, 0.5)
    >>> good_family(wanted, np.array([2, 1, 1]), 9.0, 3).astype(int).sum(axis=0).tolist()
    [2, 1, 1, 0]
    """
    begun, key = {} if begun is None else begun, (counts.tobytes(), fixed)
    annealing, done = begun.get(key) or (_Annealing(wanted, counts, goal, fixed), 0)
    annealing.goal = goal
    for run in range(done, runs):
        loops, rng = ANNEALINGS.after(STEP * ANNEALINGS.plain.steps), np.random.default_rng(run)
        if run >= -(-runs // loops.share):
            break
        manner = FIXED_MANNER if fixed else MANNERS[run % len(MANNERS)]
        if not annealing.goes_on(annealing.assign_features(rng), manner, rng, loops):
            break
        begun[key] = annealing, run + 1
    return annealing.family()


def slowly_annealed(wanted: Wanted, counts: IntArray, goal: float) -> BoolArray | None:
    """Anneal once, slowly: warm and cool by turns where most is decided; None without numba.

    A family that many short annealings find is often bettered by it, in some fifteen seconds.

    Parameters
    ----------
    wanted, counts, goal
        As of `good_family`.

    Examples
    --------
    >>> wanted = Wanted(np.array([3.0, 2.0, 1.0, 0.5]), 2, 2, 1, 0.5)
    >>> family = slowly_annealed(wanted, np.array([2, 1, 1]), 9.0)
    >>> family is None or family.astype(int).sum(axis=0).tolist() == [2, 1, 1, 0]
    True
    """
    loops = ANNEALINGS.ready()
    if loops.share > 1:
        return None
    annealing, rng, loops = (
        _Annealing(wanted, counts, goal),
        np.random.default_rng(0),
        replace(loops, steps=SLOW_STEPS),
    )
    inside, penalty = annealing.assign_features(rng), SLOW_PENALTY
    temperatures = np.geomspace(WARM, COOL, TOOTH + 1).tolist()
    for _ in range(TEETH):
        for hot, cold in pairwise(temperatures):
            if not annealing.goes_on(inside, (penalty, hot, cold), rng, loops):
                return annealing.family()
        penalty *= SHARPER if annealing.best == -inf else 1.0
    return annealing.family()


class _Annealing:
    """Annealings of one family, and the best that all of them met."""

    def __init__(self, wanted: Wanted, counts: IntArray, goal: float, fixed: bool = False) -> None:
        self.wanted, self.goal, self.fixed = wanted, goal, fixed
        self.columns = np.flatnonzero(counts)
        if not fixed:
            self.columns = np.arange(min(len(wanted.weights), len(counts) + SPARE))
        self.weights = np.ascontiguousarray(wanted.weights[self.columns])
        self.memberships = np.append(counts, np.zeros(SPARE, dtype=np.int64))[self.columns]
        rows, limits, features = wanted.rows, wanted.limits, len(self.columns)
        self.rows = np.zeros((0, features)) if rows is None else np.ascontiguousarray(rows[:, self.columns])
        self.limits = np.zeros(0) if limits is None else limits
        self.kept = np.zeros((wanted.sets, features), dtype=np.int64)
        self.best = -inf

    def goes_on(
        self,
        inside: IntArray,
        manner: tuple[float, float, float],
        rng: np.random.Generator,
        loops: Annealing,
    ) -> bool:
        """Anneal for so many steps, and return whether there is time and reason for more."""
        if clock().over or self.best >= self.goal:
            return False
        wanted, (penalty, hot, cold) = self.wanted, manner
        terms = Terms(
            self.weights,
            self.rows,
            self.limits,
            wanted.k,
            wanted.overlap,
            float(penalty),
            float(wanted.price),
            not self.fixed,
            wanted.smallest,
            float(self.goal),
        )
        try:
            draws = rng.random((loops.steps, 6))
            self.best = loops.annealed(terms, hot, cold, float(self.best), inside, draws, self.kept)
        except KeyboardInterrupt as fault:  # the best families before are kept
            clock().note(fault)
            return False
        return True

    def family(self) -> BoolArray | None:
        """Return the best family met, shape (sets, features), if any."""
        if self.best == -inf:
            return None
        family = np.zeros((self.wanted.sets, len(self.wanted.weights)), dtype=bool)
        family[:, self.columns] = self.kept > 0
        return family

    def assign_features(self, rng: np.random.Generator) -> IntArray:
        """Assign each feature to the sets that lack most, ties by lot."""
        inside = np.zeros(self.kept.shape, dtype=np.int64)
        need = np.full(self.wanted.sets, self.wanted.k)
        for feature in np.argsort(-self.memberships, kind="stable").tolist():
            count = self.memberships[feature]
            chosen = np.argsort(-(need + 0.99 * rng.random(len(need))))[:count]
            inside[chosen, feature] = 1
            need[chosen] -= 1
        return inside


Begun = dict[tuple[bytes, bool], tuple[_Annealing, int]]
"""Annealings by the counts that they began with and whether these are fixed, and how many runs were made."""
