"""The pool: all admissible sets, listed and sorted, and the best families of them that differ enough.

Where the admissible sets are few (a million or so), listing them is faster than any model, and
exact for every objective, also one that is a black box.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import combinations
from math import inf

import numpy as np
import numpy.typing as npt

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.exact.rules.linear_rules import Rules, keeps
from altsel.models.dissimilarity import Dissimilarity, asks_nothing, largest_overlap, share_of
from altsel.models.many_scores import scores_of
from altsel.models.problem import Problem
from altsel.models.rule import Row
from altsel.models.stated_dissimilarity import differ_enough
from altsel.runtime.clock import clock

MOST_WORK = 500_000_000
"""Pairs of sets compared before a search for a family is given up; some ten seconds."""
DEEPEST = 500
"""Sets of a family up to which it is searched for: each is a call within the one before."""
MOST_EVALUATED = 2_000_000
"""The same for a dissimilarity that is evaluated pair by pair."""
CHUNK = 100_000
ALL = slice(None)
ONE_BIT = np.uint64(1) << np.arange(64, dtype=np.uint64)
"""Words of one bit each."""


@dataclass(frozen=True, eq=False)
class Pool:
    """Admissible sets in falling order of score.

    Attributes
    ----------
    features
        Names.
    bits
        Membership as bits, shape (sets, words of 64 features).
    sizes, scores
        Of each set.
    dissimilarity
        Measure and threshold between sets.
    keeps
        Evaluates whether a set, given by names, is valid; None: all are.
    """

    features: tuple[str, ...]
    bits: npt.NDArray[np.uint64]
    sizes: IntArray
    scores: FloatArray
    dissimilarity: Dissimilarity
    keeps: Callable[[Sequence[str]], bool] | None = None
    _left: list[tuple[list[Collection[str]], IntArray]] = field(default_factory=list, init=False)

    def names(self, index: int) -> list[str]:
        """Names of a set."""
        words = self.bits[index]
        return [f for j, f in enumerate(self.features) if int(words[j // 64]) >> (j % 64) & 1]

    def admits(self, index: int) -> bool:
        """Return whether a set is valid; evaluated when it is asked, as that may take long."""
        return self.keeps is None or self.keeps(self.names(index))

    def keep_valid(self) -> Pool:
        """Keep the sets that are valid; all are evaluated."""
        if self.keeps is None:
            return self
        kept = np.array([self.admits(index) for index in range(len(self.scores))], dtype=bool)
        return replace(
            self, bits=self.bits[kept], sizes=self.sizes[kept], scores=self.scores[kept], keeps=None
        )

    @cached_property
    def by_overlap(self) -> bool:
        """Whether how many features two sets share decides, with their sizes, that they differ enough."""
        return share_of(self.dissimilarity) is not None

    @cached_property
    def _limits(self) -> IntArray:
        top = int(self.sizes.max(initial=0)) + 1
        return np.array([[largest_overlap(self.dissimilarity, a, b) for b in range(top)] for a in range(top)])

    def first(self, count: int) -> Pool:
        """Keep the best sets only."""
        return replace(self, bits=self.bits[:count], sizes=self.sizes[:count], scores=self.scores[:count])

    def joined(self, other: Pool) -> Pool:
        """Join two pools of the same problem; sets that are in both are kept once."""
        bits, first = np.unique(np.concatenate([self.bits, other.bits]), axis=0, return_index=True)
        sizes, scores = np.concatenate([self.sizes, other.sizes]), np.concatenate([self.scores, other.scores])
        order = np.argsort(-scores[first], kind="stable")
        return replace(self, bits=bits[order], sizes=sizes[first][order], scores=scores[first][order])

    def packed(self, one: Collection[str]) -> npt.NDArray[np.uint64]:
        """Write a set's names as bits."""
        members = [j for j, f in enumerate(self.features) if f in set(one)]
        bits = _packed(np.array([members], dtype=np.int64), len(self.features))
        return bits.reshape(-1)

    def common(self, bits: npt.NDArray[np.uint64], others: IntArray | slice = ALL) -> IntArray:
        """Count the features that sets of the pool have in common with one given as bits."""
        return np.asarray(np.bitwise_count(self.bits[others] & bits).sum(axis=1), dtype=np.int64)

    def compatible(self, index: int, others: IntArray) -> BoolArray:
        """Return which other sets differ enough from one."""
        if not self.by_overlap:
            return self._evaluate(self.names(index), others)
        common = self.common(self.bits[index], others)
        return np.asarray(common <= self._limits[self.sizes[index], self.sizes[others]])

    def dissimilar_enough(self, one: Collection[str], others: IntArray) -> BoolArray:
        """Return which sets differ enough from one that need not be in the pool."""
        if not self.by_overlap:
            return self._evaluate(one, others)
        limits = [largest_overlap(self.dissimilarity, len(one), b) for b in range(len(self._limits))]
        return np.asarray(self.common(self.packed(one), others) <= np.array(limits)[self.sizes[others]])

    def _evaluate(self, one: Collection[str], others: IntArray) -> BoolArray:
        """Return which sets differ enough from one, by the definition of the dissimilarity, pair by pair."""
        current, enough = clock(), []
        for other in others.tolist():
            current.check()
            enough.append(differ_enough(self.dissimilarity, one, self.names(other)))
        return np.array(enough, dtype=bool)

    def in_some_order(self, index: int, others: IntArray) -> BoolArray:
        """Return which other sets differ enough from one, before it or after it."""
        enough = self.compatible(index, others)
        if not self.by_overlap:
            names = self.names(index)
            for place in np.flatnonzero(~enough).tolist():
                enough[place] = differ_enough(self.dissimilarity, self.names(int(others[place])), names)
        return enough

    def ordered(self, indices: list[int]) -> list[int] | None:
        """Return sets in an order in which each differs enough from those before; None if there is none.

        A measure of the user's own may tell the first of two sets from the second.
        """
        if self.by_overlap:
            return indices
        sets = list(map(self.names, indices))
        order = TopologicalSorter[int](dict.fromkeys(range(len(indices)), ()))
        for i, j in combinations(range(len(indices)), 2):
            if not differ_enough(self.dissimilarity, sets[i], sets[j]):
                order.add(i, j)
            elif not differ_enough(self.dissimilarity, sets[j], sets[i]):
                order.add(j, i)
        try:
            return [indices[i] for i in order.static_order()]
        except CycleError:
            return None

    def remaining(self, known: Sequence[Collection[str]]) -> IntArray:
        """Return the sets that differ enough from known ones; goes on from those of the call before."""
        before, left = self._left.pop() if self._left else ([], np.arange(len(self.scores)))
        if list(known[: len(before)]) != before:
            before, left = [], np.arange(len(self.scores))
        for subset in known[len(before) :]:
            left = left[self.dissimilar_enough(subset, left)]
        self._left.append((list(known), left))
        return left

    def following(self, count: int, known: Sequence[Collection[str]] = ()) -> list[int]:
        """Choose up to `count` sets one after another: always the best that differs from all before."""
        left = self.remaining(known)
        found: list[int] = []
        at = 0
        while at < len(left):
            clock().check()
            index = int(left[at])
            if not self.admits(index):
                at += 1
                continue
            found.append(index)
            if len(found) == count:
                break
            left, at = left[self.compatible(index, left)], 0
        return found

    def together(self, count: int, total: str) -> tuple[list[int], float, float]:
        """Find the best family of `count` sets, by branch and bound over sets in falling order.

        Returns
        -------
        list of int
            Indices of the sets, best first; empty if there is no family.
        float
            The total of their scores.
        float
            Bound on the total: the total itself if the search was completed.
        """
        search = _Family(self, count, total)
        search.run()
        return search.best, search.value, max(search.value, search.open)


class _Family:
    """Branch and bound for one family; `open` is the largest bound of what was left out."""

    def __init__(self, pool: Pool, count: int, total: str) -> None:
        self.pool, self.count, self.sum = pool, count, total == "sum"
        self.repeats = asks_nothing(pool.dissimilarity) or self._some_repeat()
        self.most_work = MOST_WORK if pool.by_overlap else MOST_EVALUATED
        self.best: list[int] = []
        self.value = -inf
        self.open = -inf
        self.work = 0
        self.clock = clock()
        first = pool.following(count) if not asks_nothing(pool.dissimilarity) else []
        if len(first) == count:
            scores = pool.scores[first]
            self.best, self.value = first, float(scores.sum() if self.sum else scores.min())

    def run(self) -> None:
        """Search; sets that may be the same are all the best one, and very many are only bounded."""
        scores = self.pool.scores
        if asks_nothing(self.pool.dissimilarity):
            for best in self.pool.following(1):
                self.best = [best] * self.count
                self.value = float(scores[best] * (self.count if self.sum else 1))
        elif self.count > DEEPEST:
            self.open = max(self._promises(scores, self.count, 0.0), default=-inf)
        else:
            self.extend([], np.arange(len(scores)), 0.0)

    def _some_repeat(self) -> bool:
        """Return whether a set may differ enough from itself: so a measure of the user's own may say."""
        pool = self.pool
        if pool.by_overlap:
            return False
        return any(pool.compatible(i, np.array([i])).all() for i in range(len(pool.scores)))

    def extend(self, chosen: list[int], allowed: IntArray, value: float) -> None:
        need = self.count - len(chosen)
        allowed = self._worthwhile(allowed, need, value)
        promises = self._promises(self.pool.scores[allowed], need, value)
        for p, promise in enumerate(promises):
            if promise <= self.value:
                return
            if self.work >= self.most_work or self.clock.over:
                self.open = max(self.open, float(promise))
                return
            index = int(allowed[p])
            if not self.pool.admits(index):
                continue
            if need == 1:
                family = self.pool.ordered([*chosen, index])
                if family is None:
                    continue
                self.best, self.value = family, float(promise)
                return
            onward = value + float(self.pool.scores[index])
            rest = self._worthwhile(allowed[p if self.repeats else p + 1 :], need - 1, onward)
            self.work += len(rest)
            rest = rest[self.pool.in_some_order(index, rest)]
            self.extend([*chosen, index], rest, onward)

    def _worthwhile(self, allowed: IntArray, need: int, value: float) -> IntArray:
        """Leave out sets that cannot be in a better family, even with the best others allowed."""
        if not len(allowed) or self.value == -inf:
            return allowed
        scores = self.pool.scores[allowed]
        others = value + (need - 1) * scores[0] if self.sum else 0.0
        return allowed[: int(np.searchsorted(-scores, others - self.value))]

    def _promises(self, scores: FloatArray, need: int, value: float) -> FloatArray:
        """Bound the total of families that go on with each allowed set as their next best."""
        if self.repeats:
            return value + need * scores if self.sum else scores
        if len(scores) < need:
            return np.empty(0)
        if not self.sum:
            return scores[need - 1 :]
        return value + windows(scores, need)


def windows(numbers: FloatArray, width: int) -> FloatArray:
    """Sum every run of so many numbers, each for itself: no large one rounds the others away.

    Examples
    --------
    >>> windows(np.array([1e20, 1.0, 2.0]), 2).tolist()
    [1e+20, 3.0]
    """
    total = numbers[: len(numbers) - width + 1].copy()
    for shift in range(1, width):
        total += numbers[shift : len(numbers) - width + 1 + shift]
    return total


def list_all(
    problem: Problem,
    dissimilarity: Dissimilarity,
    rules: Rules,
    keeps: Callable[[Sequence[str]], bool] | None = None,
) -> Pool:
    """List all admissible sets of a problem, whose rules are given as rows; `keeps` evaluates the others."""
    n = len(problem.objective.features)
    low, high = problem.sizes
    listed = [_kept_sets(n, size, rules.rows) for size in range(low, high + 1)]
    return replace(pool_of(problem, dissimilarity, listed, rules), keeps=keeps)


def _kept_sets(n: int, size: int, rows: Sequence[Row]) -> IntArray:
    """List the sets of a size that keep rows, shape (sets, size)."""
    members = every_subset(n, size)
    if not rows:
        return members
    parts = [np.empty((0, size), dtype=np.int64)]
    for first in range(0, len(members), CHUNK):
        clock().check()
        part = members[first : first + CHUNK]
        for row, least, most in rows:
            part = part[keeps(row[part], least, most)]
        parts.append(part)
    return np.concatenate(parts)


def every_subset(n: int, size: int) -> IntArray:
    """List all subsets of so many of n indices, in the order of `itertools.combinations`, a column a place.

    Each subset of one less goes on with every index behind its last one that leaves enough for the rest.

    Examples
    --------
    >>> every_subset(4, 3).tolist()
    [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]
    """
    columns = [np.arange(n - size + 1)]
    for place in range(1, size):
        last = columns[-1]
        follow = n - size + place - last
        before = np.repeat(np.arange(len(last)), follow)
        ahead = np.arange(len(before)) - (np.cumsum(follow) - follow)[before]
        columns = [*(column[before] for column in columns), last[before] + 1 + ahead]
    return np.array(columns).T


def pool_of(
    problem: Problem, dissimilarity: Dissimilarity, listed: Sequence[IntArray], rules: Rules | None = None
) -> Pool:
    """Build a pool of sets given by the indices of their features, one array of shape (sets, k) a size."""
    n = len(problem.objective.features)
    bits, sizes, scores = [], [], []
    for members in listed:
        parts = [scores_of(problem.objective, members[i : i + CHUNK]) for i in range(0, len(members), CHUNK)]
        score = np.concatenate(parts) if parts else np.empty(0)
        kept = score > -inf
        if rules is not None and rules.on_quality:
            kept &= rules.admit(members, np.where(kept, score, 0.0))
        bits.append(_packed(members if kept.all() else members[kept], n))
        sizes.append(np.full(int(kept.sum()), members.shape[1]))
        scores.append(score[kept])
    order = np.argsort(-np.concatenate(scores), kind="stable")
    return Pool(
        tuple(problem.objective.features),
        np.concatenate(bits)[order],
        np.concatenate(sizes)[order],
        np.concatenate(scores)[order],
        dissimilarity,
    )


def _packed(members: IntArray, n: int) -> npt.NDArray[np.uint64]:
    bits = np.zeros((len(members), (n + 63) // 64), dtype=np.uint64)
    if n <= 64:
        for column in members.T:
            bits[:, 0] |= ONE_BIT[column]
        return bits
    row = np.arange(len(members))
    for column in members.T:
        bits[row, column // 64] |= ONE_BIT[column % 64]
    return bits
