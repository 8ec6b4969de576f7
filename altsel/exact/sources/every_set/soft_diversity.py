"""The best sets of a list that differ on average, or at a penalty; see `altsel.models.soft_diversity`."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from math import inf

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.question import Answer, Question
from altsel.exact.sources.every_set.pool import MOST_WORK, Pool, windows
from altsel.models.soft_diversity import SoftDiversity
from altsel.results.stop import Stop, stopped
from altsel.runtime.clock import clock
from altsel.solvers import Outcome

ROUNDING = 1e-9


def soft_answer(pool: Pool, question: Question) -> Answer:
    """Find the sets of a list with the largest quality less the penalty of their similarities.

    ``max Q(s) - penalty * sum of similarities`` of one set with known ones, or the same with the sum or
    the minimum over several sets and the similarities of all pairs.
    """
    began = time.perf_counter()
    diversity, bound = question.diversity, -inf
    assert isinstance(diversity, SoftDiversity)
    if question.count == 1:
        indices, value = _following(pool, diversity, question.known)
    else:
        family = FamilySearch(pool, diversity, question.count, question.total)
        family.extend([], np.arange(len(pool.scores)), np.zeros(len(pool.scores)), 0.0)
        indices, value, bound = family.best, family.value, family.open
    sets = [pool.names(index) for index in indices]
    seconds = time.perf_counter() - began
    if bound > value:
        outcome = Outcome.unfinished(given_up(), value if sets else None, bound, seconds)
        return Answer(sets, outcome, question.penalty_of(sets), cut_short=True)
    if not sets:
        return Answer([], Outcome.infeasible(seconds))
    return Answer(sets, Outcome.optimal(value, seconds), question.penalty_of(sets))


def given_up() -> Stop:
    """Return why a list was not searched to its end: the clock, or too much work."""
    return stopped(clock()) if clock().over else Stop.LIMIT


def _following(
    pool: Pool, diversity: SoftDiversity, known: Sequence[Collection[str]]
) -> tuple[list[int], float]:
    """Choose the best set of a pool after known ones."""
    similarities = np.zeros(len(pool.scores))
    distinct = np.ones(len(pool.scores), dtype=bool)
    for subset in known:
        common = pool.common(pool.packed(subset))
        similarities += _table(diversity, len(subset), int(pool.sizes.max(initial=0)))[pool.sizes, common]
        distinct &= len(subset) + pool.sizes - 2 * common >= 1
    values = pool.scores - diversity.penalty * similarities
    values[~distinct | (similarities > diversity.limit(len(known)) + ROUNDING)] = -inf
    if not len(values) or values.max() == -inf:
        return [], -inf
    return [int(values.argmax())], float(values.max())


def _table(diversity: SoftDiversity, size: int, largest: int) -> FloatArray:
    """Tabulate similarities of sets of one size with all others, by size and number of common features."""
    table = np.zeros((largest + 1, min(size, largest) + 1))
    for other in range(1, largest + 1):
        similarities = diversity.similarities(size, other)
        table[other, : len(similarities)] = similarities
    return table


class FamilySearch:
    """Branch and bound for the best family of a pool; `open` bounds what was left out."""

    def __init__(self, pool: Pool, diversity: SoftDiversity, count: int, total: str) -> None:
        self.pool, self.diversity, self.count, self.sum = pool, diversity, count, total == "sum"
        self.limit = diversity.limit(count * (count - 1) // 2) + ROUNDING
        top = int(pool.sizes.max(initial=0))
        self.tables = [_table(diversity, size, top) for size in range(top + 1)]
        self.best: list[int] = []
        self.value = self.open = -inf
        self.work = 0
        self.clock = clock()

    def extend(self, chosen: list[int], allowed: IntArray, similarities: FloatArray, spent: float) -> None:
        """Go on with every set allowed, the most promising first; `spent` is the similarity so far."""
        need = self.count - len(chosen)
        gains = self.pool.scores[allowed] - (self.diversity.penalty * similarities if self.sum else 0.0)
        order = np.argsort(-gains, kind="stable")
        allowed, similarities, gains = allowed[order], similarities[order], gains[order]
        for p, promise in enumerate(self._promises(chosen, gains, need, spent)):
            if promise <= self.value:
                return
            if self.work >= MOST_WORK or self.clock.over:
                self.open = max(self.open, float(promise))
                return
            index, onward = int(allowed[p]), spent + float(similarities[p])
            if need == 1:
                self._offer([*chosen, index], onward)
                continue
            rest, more = self._after(index, allowed[p + 1 :], similarities[p + 1 :])
            kept = onward + more <= self.limit
            self.extend([*chosen, index], rest[kept], more[kept], onward)

    def _after(self, index: int, rest: IntArray, similarities: FloatArray) -> tuple[IntArray, FloatArray]:
        """Add the similarities of the pairs with a set just chosen."""
        self.work += len(rest)
        size = int(self.pool.sizes[index])
        common = self.pool.common(self.pool.bits[index], rest)
        return rest, similarities + self.tables[size][self.pool.sizes[rest], common]

    def _promises(self, chosen: list[int], gains: FloatArray, need: int, spent: float) -> FloatArray:
        """Bound the families that go on with each set as the next."""
        if len(gains) < need:
            return np.empty(0)
        penalty_paid = self.diversity.penalty * spent
        scores = self.pool.scores[chosen]
        if self.sum:
            return np.asarray(scores.sum() - penalty_paid + windows(gains, need))
        return np.asarray(np.minimum(gains[need - 1 :], scores.min(initial=inf)) - penalty_paid)

    def _offer(self, indices: list[int], spent: float) -> None:
        scores = self.pool.scores[indices]
        value = float(scores.sum() if self.sum else scores.min()) - self.diversity.penalty * spent
        if value > self.value:
            self.best, self.value = indices, value
