"""Are there sets in which features have given counts? A search that ends, or says that it did not."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.exact.families.counts.compiled import REALISATIONS, Realisation
from altsel.exact.kernels.realisation import NODES, TOO_MANY, Levels, Rules
from altsel.runtime.clock import clock

MOST_SETS = 200_000
MOST_FEATURES = 64
"""Features that are in some, but not in all, of the sets: one bit each."""
REALISING = 0.015
"""CPU seconds that a search would take about, for each feature and set, were there a loop without numba."""
NODES_AT_ONCE = 50_000
"""Nodes between two looks at the clock: less than a tenth of a second."""


@dataclass(frozen=True, eq=False)
class Asked:
    """Sets that are asked for.

    Attributes
    ----------
    weights
        Qualities, in falling order.
    sets, k, overlap
        Number of sets, their size, and most common features of two.
    """

    weights: FloatArray
    sets: int
    k: int
    overlap: int

    @property
    def cap(self) -> int:
        """Most common features of all pairs together."""
        return self.overlap * self.sets * (self.sets - 1) // 2

    def slack(self, counts: IntArray) -> int:
        """Return how many fewer all pairs together have in common; below 0 there are no such sets."""
        return self.cap - int((counts * (counts - 1) // 2).sum())


@dataclass(frozen=True, eq=False)
class Realised:
    """What was found: sets, shape (sets, features), if any; whether all were searched; and nodes."""

    family: BoolArray | None
    decided: bool
    nodes: int = 0


NOWHERE = Realised(None, decided=True)
UNDECIDED = Realised(None, decided=False)


def realise(asked: Asked, counts: IntArray, nodes: int, above: float | None = None) -> Realised:
    """Search for sets in which features have these counts, or for those of the best poorest set.

    A set has ``sum_{j in S} (c_j - 1)`` features in common with the others, which is at least ``o (m - 1)``
    less the slack. That leaves few sets. One after the other is chosen among those that still fit: the
    next one has, or lacks, the feature that leaves the fewest. Of features that are alike so far, those
    before are taken first.

    Parameters
    ----------
    asked
        The sets.
    counts
        In how many of them each feature is to be.
    nodes
        Choices after which it is given up.
    above
        What the poorest set is to be above; the best such sets are found. None: any sets will do.

    Examples
    --------
    >>> six = np.full(4, 6.0)
    >>> found = realise(Asked(six, 2, 2, 1), np.array([2, 1, 1, 0]), 100)
    >>> found.family is None or found.family.astype(int).sum(axis=0).tolist() == [2, 1, 1, 0]
    True
    """
    everywhere = np.flatnonzero(counts == asked.sets)
    some = np.flatnonzero((counts > 0) & (counts < asked.sets))
    size, overlap = asked.k - len(everywhere), asked.overlap - len(everywhere)
    if asked.overlap >= asked.k:
        return UNDECIDED  # sets may be the same
    wrong = int(counts.sum()) != asked.sets * asked.k
    if wrong or asked.slack(counts) < 0 or overlap < 0 or not 0 < size <= len(some):
        return NOWHERE
    loops = REALISATIONS.after(REALISING * asked.sets * len(some))
    if loops is None or len(some) > MOST_FEATURES:
        return UNDECIDED
    search = _Search(asked, counts, some, float(asked.weights[everywhere].sum()), above)
    try:
        return search.result(loops, size, overlap, nodes)
    except KeyboardInterrupt as fault:  # what was found before is kept
        clock().note(fault)
        return UNDECIDED


@dataclass(frozen=True, eq=False)
class _Search:
    """A search: features that are in some sets, and the quality of those that are in all."""

    asked: Asked
    counts: IntArray
    some: IntArray
    common: float
    above: float | None

    def result(self, loops: Realisation, size: int, overlap: int, nodes: int) -> Realised:
        """List the sets that can be chosen, and search among them."""
        asked, slack = self.asked, self.asked.slack(self.counts)
        weights, counts = np.ascontiguousarray(asked.weights[self.some]), self.counts[self.some]
        sets, qualities = np.empty(MOST_SETS, dtype=np.uint64), np.empty(MOST_SETS)
        number = loops.listed(
            weights, counts.astype(float), size, self._least(size, overlap), sets, qualities
        )
        if number == TOO_MANY:
            return UNDECIDED
        sets, qualities = sets[:number].copy(), qualities[:number].copy()
        if self.above is None:
            qualities[:] = 1.0
        levels = _levels(number, asked.sets, len(self.some))
        levels.left[0], levels.before[0], levels.sizes[0] = counts, self._before(), number
        total = asked.sets + 1.0 if self.above is None else float(counts @ weights)
        levels.rest[:] = total + self._rounding
        least = 0.0 if self.above is None else self.above - self.common
        above = np.array([least])
        rules = Rules(asked.sets, overlap, max(overlap - slack, 0))
        state, ended = np.array([0, 1, 0]), 0
        while not ended and state[NODES] < nodes and not clock().over:
            step = min(NODES_AT_ONCE, nodes - int(state[NODES]))
            ended = loops.searched(sets, qualities, rules, levels, state, above, step)
        best = self._family(sets[levels.candidates[-1, : asked.sets]]) if above[0] > least else None
        return Realised(best, bool(ended), int(state[NODES]))

    def _least(self, size: int, overlap: int) -> FloatArray:
        """Return the least sum of counts of a set, and between what its quality is."""
        asked = self.asked
        counts = size + overlap * (asked.sets - 1) - asked.slack(self.counts)
        if self.above is None:
            return np.array([counts, -inf, inf])
        total = float(self.counts @ asked.weights) - (asked.sets - 1) * self.above
        return np.array([counts, self.above - self.common, total - self.common + self._rounding])

    @property
    def _rounding(self) -> float:
        return 1e-12 * float(np.abs(self.asked.weights).sum()) * self.asked.sets

    def _before(self) -> IntArray:
        """Return the place of the feature before each that is alike, plus one; 0 if there is none."""
        before, last = np.zeros(len(self.some), dtype=np.int64), dict[tuple[int, float], int]()
        for place, feature in enumerate(self.some.tolist()):
            weight = 0.0 if self.above is None else float(self.asked.weights[feature])
            kind = int(self.counts[feature]), weight
            before[place] = last.get(kind, 0)
            last[kind] = place + 1
        return before

    def _family(self, sets: Any) -> BoolArray:
        """Return sets as rows of features."""
        family = np.zeros((self.asked.sets, len(self.counts)), dtype=bool)
        family[:, self.counts == self.asked.sets] = True
        bits = (sets[:, None] >> np.arange(len(self.some), dtype=np.uint64)) & np.uint64(1)
        family[:, self.some] = bits > 0
        return family


def _levels(sets: int, wanted: int, features: int) -> Levels:
    """Build the arrays of a search, one row a depth."""
    depth = wanted + 1
    candidates = np.zeros((depth, max(sets, wanted)), dtype=np.int32)
    candidates[0, :sets] = np.arange(sets)
    left, before = (np.zeros((depth, features), dtype=np.int64) for _ in range(2))
    sizes, position, branch, sense, chosen = (np.zeros(depth, dtype=np.int64) for _ in range(5))
    return Levels(candidates, left, before, sizes, position, branch, sense, chosen, np.zeros(depth))
