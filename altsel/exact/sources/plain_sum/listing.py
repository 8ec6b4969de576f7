"""One list of all compatible sets above a threshold, of all sizes wanted; and a race of ways to make it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.kernels.listing import ROUNDING
from altsel.exact.sources.plain_sum.compiled import Loops
from altsel.exact.sources.plain_sum.ground import Ground
from altsel.exact.sources.plain_sum.tree import Tree, Way

Listed = list[tuple[IntArray, FloatArray]]
"""Sets as indices of their features without the required ones, one array a size, and their scores."""


@dataclass(frozen=True, eq=False)
class Complete:
    """A complete list: all sets of more than `low`, and perhaps some that score just that."""

    sets: Listed
    low: float


@dataclass(eq=False)
class Listing:
    """Searches size after size; what a larger threshold leaves out of one is left out of the next.

    Parameters
    ----------
    grounds
        The sizes, the most promising first.
    way, loops, keep
        See `Tree`.
    low, high
        Sets of at least `low` are listed; none exceeds `high`.
    strict
        Whether only those above `low` are.
    """

    grounds: Sequence[Ground]
    way: Way
    loops: Loops
    keep: int
    low: float
    high: float
    strict: bool = False

    def __post_init__(self) -> None:
        self.done: list[Tree] = []
        self.sets: Listed = []
        self.tree: Tree | None = None
        self.work = 0

    def run(self, work: int) -> bool:
        """Search on for so much work; return whether the list is complete."""
        while True:
            if self.tree is None and not self._begin():
                return True
            tree = self.tree
            if tree is None:
                continue
            before = tree.work
            ended = tree.run(work)
            self.work += tree.work - before
            work -= tree.work - before
            self.low, self.strict = tree.low, tree.strict
            if not ended:
                return False
            self.done.append(tree)
            self.tree = None

    def _begin(self) -> bool:
        """Begin with the next size; return whether there is one."""
        number = len(self.done) + len(self.sets)
        if number == len(self.grounds):
            return False
        ground = self.grounds[number]
        if ground.need:
            self.tree = Tree(ground, self.way, self.loops, self.low, self.strict, self.high, self.keep)
        else:
            self.sets.append(self._required_alone(ground))
        return True

    def _required_alone(self, ground: Ground) -> tuple[IntArray, FloatArray]:
        """List the set of the required features, if it is one."""
        score = sum(ground.constant)
        left, limits, own = ground.exact_rows.T
        good = bool((left + ROUNDING * np.maximum(own, limits) >= 0).all())
        good &= score > self.low or (score == self.low and not self.strict)
        number = int(good)
        if good and self.keep == 1:
            self.low, self.strict = score, True
        return np.zeros((number, 0), dtype=np.int64), np.full(number, score)

    def raise_low(self, low: float) -> None:
        """Look only for better sets than one that was found elsewhere."""
        if low > self.low or (low == self.low and not self.strict):
            self.low, self.strict = low, True
        if self.tree is not None:
            self.tree.raise_low(low)

    def shorten(self, keep: int) -> None:
        """Keep fewer sets."""
        self.keep = keep
        if self.tree is not None:
            self.tree.shorten(keep)
            self.low, self.strict = self.tree.low, self.tree.strict

    def listed(self) -> Listed:
        """Return the sets found so far, size by size."""
        trees = [*self.done, *([self.tree] if self.tree is not None else [])]
        found: Listed = list(self.sets)
        for tree in trees:
            members, scores = tree.chosen()
            found.append((tree.ground.features[members], scores))
        return found

    def best(self) -> float:
        """Return the best score found so far."""
        return max((float(scores.max()) for _, scores in self.listed() if len(scores)), default=-inf)
