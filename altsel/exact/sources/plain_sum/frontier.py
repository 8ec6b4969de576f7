"""A tree of linear programs that grows from one step of a chain to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import inf

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.kernels import linear_tree, listing
from altsel.exact.sources.plain_sum.compiled import LINEAR_LOOPS, Linear
from altsel.exact.sources.plain_sum.ground import Ground

SHARE = 2_000_000
"""Most work between two looks at the clock."""
ROOM = 1_024
"""Leaves, and sets, that there is room for at first."""
GROWTH = 3
"""How many times as far below the last target the next one is."""
MOST_CELLS = 40_000_000
"""Numbers in the tableaus on the way to a node."""


@dataclass(eq=False)
class Frontier:
    """All sets of at least `low`: those met, and the leaves of the tree that may hold others.

    A step only adds rows. So a leaf that was no better than the last set need not be looked at again until
    the next sets are as poor as its bound, and sets that were met are kept while they keep the rows.

    Parameters
    ----------
    low
        Sets of less are left out.
    window
        Indices of the features it was begun with.
    features
        Indices of those that are left after the first linear program.
    gap
        How far below what bounds it a set is looked for first.

    Attributes
    ----------
    state, bound
        The leaves.
    members, scores
        The sets met, a row of marks each.
    work
        What the last step took.
    """

    low: float
    window: IntArray
    features: IntArray
    gap: float
    loops: Linear = field(default_factory=lambda: LINEAR_LOOPS.ready())  # noqa: PLW0108
    state: IntArray = field(init=False)
    bound: FloatArray = field(init=False)
    members: IntArray = field(init=False)
    scores: FloatArray = field(init=False)
    work: int = 0

    def __post_init__(self) -> None:
        n = len(self.features)
        self.state, self.bound = np.full((1, n), linear_tree.FREE, dtype=np.int64), np.array([1e300])
        self.members, self.scores = np.zeros((0, n), dtype=np.int64), np.zeros(0)

    @property
    def best(self) -> float:
        """The best score of a set met."""
        return float(self.scores.max(initial=-inf))

    def members_of_best(self) -> IntArray:
        """Return the features of that set."""
        chosen: IntArray = self.features[self.members[int(self.scores.argmax())] > 0]
        return chosen

    def grow(self, ground: Ground, high: float, go_on: Callable[[int], bool]) -> bool:
        """Grow until the best set met is the best one left, or none is; return whether that was reached.

        Parameters
        ----------
        ground
            What is left to choose, of the same features as before, or fewer.
        high
            What no set exceeds.
        go_on
            Whether to, after so much work.
        """
        # 1. what the new rows leave
        question = self.restrict(ground)
        nodes = _nodes(question)
        least = 1e-6 * question.scale + 1e-300  # also where all features weigh the same
        self.gap = max(self.gap, least)
        target, self.work = max(high - self.gap, self.low), 0
        # 2. a target below the bound, lowered until a set reaches it or it is the least
        while True:
            target, strict = max(target, self.best), target <= self.best
            if not self._pass(question, nodes, target, strict, go_on):
                return False
            if self.best >= target or target <= self.low:
                break
            self.gap *= GROWTH
            target = max(high - self.gap, self.low)
        # 3. the next set may be as far below this one
        if self.best > -inf:
            self.gap = max((high - self.best) / 2, self.gap / 2 / GROWTH)
        return True

    def restrict(self, ground: Ground) -> linear_tree.Question:
        """Collect rows and weights; drop leaves and sets that break a row."""
        position = np.full(max(int(self.features.max()), int(ground.features.max())) + 1, -1)
        position[ground.features] = np.arange(len(ground.features))
        index = position[self.features]
        here = index >= 0
        rows = np.vstack([ground.rows, ground.earlier.T.astype(float)])
        table = np.zeros((len(rows), len(index)))
        table[:, here] = rows[:, index[here]]
        limits = np.concatenate([ground.limits, ground.slack.astype(float)])
        weights = np.zeros(len(index))
        weights[here] = ground.weights[index[here]]
        # features that an earlier set forbids altogether
        kept = ~(self.state[:, ~here] == linear_tree.IN).any(axis=1)
        self.state, self.bound = self.state[kept], self.bound[kept]
        self.state[:, ~here] = linear_tree.OUT
        kept = ~self.members[:, ~here].any(axis=1)
        first = len(ground.rows)
        kept &= (self.members @ table[first:].T <= limits[first:]).all(axis=1)
        self.members, self.scores = self.members[kept], self.scores[kept]
        constant, error = ground.constant
        return linear_tree.Question(
            weights,
            table,
            limits,
            np.abs(table).sum(axis=1) + np.abs(limits),
            (table >= 0).all(axis=1),
            np.ascontiguousarray(ground.exact_rows, dtype=float).reshape(-1, 3),
            ground.need,
            float(constant),
            float(error),
            float(np.abs(weights).sum()) + abs(constant),
        )

    def _pass(
        self,
        question: linear_tree.Question,
        nodes: linear_tree.Nodes,
        target: float,
        strict: bool,
        go_on: Callable[[int], bool],
    ) -> bool:
        """Take up the leaves that may hold a set of at least a target; return whether it came to the end."""
        n, need = len(self.features), question.need
        order = np.argsort(-self.bound, kind="stable")
        order = order[self.bound[order] >= target]
        counters = np.array([-1, 0, strict, -1, 0, SHARE, len(self.bound), 0], dtype=np.int64)
        threshold = np.array([target])
        found = listing.Listed(np.zeros(ROOM * need, dtype=np.int64), np.zeros(ROOM))
        while True:
            if counters[linear_tree.LEAVES] == len(self.bound):
                more = len(self.bound) + ROOM
                self.state = np.vstack([self.state, np.zeros((more, n), dtype=np.int64)])
                self.bound = np.concatenate([self.bound, np.full(more, -inf)])
            leaves = linear_tree.Leaves(self.state, self.bound, order, self.low)
            before = int(counters[listing.WORK])
            why = self.loops.grow(question, nodes, leaves, found, threshold, counters)
            self.work += int(counters[listing.WORK]) - before
            if why == listing.DONE or counters[listing.FOUND] == len(found.scores):
                self._keep(found, int(counters[listing.FOUND]), need)
                counters[listing.FOUND] = 0
            if why == listing.DONE:
                break
            if not go_on(int(counters[listing.WORK]) - before):
                self._keep(found, int(counters[listing.FOUND]), need)
                return False
        live = self.bound >= self.low
        self.state, self.bound = self.state[live], self.bound[live]
        return True

    def _keep(self, found: listing.Listed, count: int, need: int) -> None:
        """Keep the sets met."""
        marks = np.zeros((count, len(self.features)), dtype=np.int64)
        np.put_along_axis(marks, found.members[: count * need].reshape(count, need), 1, axis=1)
        self.members = np.vstack([self.members, marks])
        self.scores = np.concatenate([self.scores, found.scores[:count]])


def begin(ground: Ground, window: IntArray, low: float, gap: float) -> Frontier:
    """Begin with the features that one linear program leaves above a threshold."""
    low = max(low, -2.0 * float(np.abs(ground.weights).sum() + abs(ground.constant[0])) - 1.0)
    first = Frontier(low, window, ground.features, gap)
    question = first.restrict(ground)
    nodes = _nodes(question, depths=1)
    leaves = linear_tree.Leaves(first.state, first.bound.copy(), np.zeros(1, dtype=np.int64), low)
    counters = np.zeros(8, dtype=np.int64)
    first.loops.plant(question, nodes, leaves, counters, 0)
    first.loops.solve(question, nodes, counters, 0, low, 0, low)
    left = nodes.state[0] != linear_tree.OUT
    return Frontier(low, window, ground.features[left if left.sum() > ground.need else slice(None)], gap)


def fits_memory(ground: Ground) -> bool:
    """Return whether the tableaus of a path are few numbers."""
    n, m = len(ground.features), len(ground.rows) + len(ground.slack)
    return n * n * m <= MOST_CELLS


def _nodes(question: linear_tree.Question, depths: int = 0) -> linear_tree.Nodes:
    """Make room for the nodes of a path."""
    (m, n), real, whole = question.rows.shape, np.zeros, partial(np.zeros, dtype=np.int64)
    depths = depths or n + 2
    return linear_tree.Nodes(
        tableau=real((depths, (m + 1) * n)),
        basic=whole((depths, m + 1)),
        value=real((depths, m + 1)),
        outside=whole((depths, n)),
        upper=whole((depths, n)),
        slope=real((depths, n)),
        height=whole(depths),
        width=whole(depths),
        total=real(depths),
        bound=real(depths),
        state=whole((depths, n)),
        left=real((depths, m)),
        open=whole(depths),
        next=whole(depths),
        feature=whole(depths),
        first=whole(depths),
        price=real(m + 1),
        reduced=real(n),
    )
