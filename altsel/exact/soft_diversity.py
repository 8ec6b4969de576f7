"""Searches for sets that differ on average, or at a penalty; see `altsel.models.soft_diversity`."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import combinations
from math import inf
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.local_search import exchange_search
from altsel.exact.milp import Build, Sets, best_sets, by_model, started
from altsel.exact.neighbour_check import unbeaten
from altsel.exact.pool import MOST_WORK, Pool, windows
from altsel.exact.quadratic import by_branching
from altsel.exact.run import Run
from altsel.exact.warm_start import good_set
from altsel.models.cross_set_rules import after
from altsel.models.dissimilarity import Dice, Dissimilarity
from altsel.models.dominance import candidates
from altsel.models.objective import Separable
from altsel.models.problem import Problem, formulate
from altsel.models.soft_diversity import (
    Average,
    SoftDiversity,
    differ_leniently,
    differ_leniently_from,
    penalty_paid,
    propose_loads,
)
from altsel.results.solutions import Proof, Stop
from altsel.runtime.clock import clock
from altsel.solvers import Outcome

Known = Sequence[Collection[str]]
ROUNDING = 1e-9
DISTINCT = Average(Dice(0))
"""Keeps sets from being the same, and no more."""


def next_leniently(
    run: Run, diversity: SoftDiversity, known: Sequence[Collection[str]]
) -> tuple[list[str], Outcome, float]:
    """Find the best set after known ones: ``max Q(s) - penalty * sum of similarities``.

    Returns
    -------
    list of str
        The set; empty if none was found.
    Outcome
        Its value is the quality less what is paid.
    float
        What is paid.
    """
    began = time.perf_counter()
    pool = run.pool(diversity.distance)
    if pool is None:
        sets, outcome = _next_by_model(run, diversity, known)
    else:
        indices, value = _following(pool, diversity, known)
        sets, outcome = [pool.names(index) for index in indices], _proved(value, began)
    if not sets:
        return [], outcome, 0.0
    return sets[0], outcome, penalty_paid(diversity, [(subset, sets[0]) for subset in known])


def together_leniently(
    run: Run, diversity: SoftDiversity, count: int, total: str
) -> tuple[Sets, Outcome, float]:
    """Find sets at once, with the largest sum or minimum of qualities less the penalty of all similarities.

    Arguments and result as in `next_leniently`.
    """
    began = time.perf_counter()
    pool = None if run.problem.across else run.pool(diversity.distance)
    sets: Sets = []
    open_bound = inf
    if pool is not None:
        family = Family(pool, diversity, count, total)
        family.extend([], np.arange(len(pool.scores)), np.zeros(len(pool.scores)), 0.0)
        sets, open_bound = [pool.names(index) for index in family.best], family.open
        value, outcome = family.value, _proved(family.value, began)
    if pool is None or open_bound > value:
        sets, outcome = _together_by_model(run, diversity, count, total, sets)
        if outcome.proof is Proof.FEASIBLE and open_bound < inf:
            outcome = replace(outcome, bound=min(open_bound, inf if outcome.bound is None else outcome.bound))
    return sets, outcome, penalty_paid(diversity, combinations(sets, 2))


def _proved(value: float, began: float) -> Outcome:
    seconds = time.perf_counter() - began
    if value == -inf:
        return Outcome(Stop.INFEASIBLE, None, None, None, seconds)
    return Outcome(Stop.EXHAUSTED, Proof.OPTIMAL, value, value, seconds)


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
    """Tabulate loads of sets of one size with sets of all sizes, by size and number of common features."""
    table = np.zeros((largest + 1, min(size, largest) + 1))
    for other in range(1, largest + 1):
        similarities = diversity.similarities(size, other)
        table[other, : len(similarities)] = similarities
    return table


class Family:
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
        """Go on with every set allowed, the most promising first; `spent` is the load so far."""
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
        """Add the loads of the pairs with a set just chosen."""
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


def _next_by_model(
    run: Run, diversity: SoftDiversity, known: Sequence[Collection[str]]
) -> tuple[Sets, Outcome]:
    problem = run.problem
    among = candidates(problem, list(known), problem.sizes[1])

    def build(stated: Problem, start: Sets) -> Any:
        model = formulate(stated, among=None if among is None else among.tolist())
        differ_leniently_from(diversity, model, known, problem.sizes)
        return started(model, stated, start, lambda: propose_loads(diversity, model, known))

    some = exchange_search(problem, DISTINCT if diversity.penalty else diversity, known)
    if some is None and not known and isinstance(problem.objective, Separable):
        some = good_set(problem, diversity.distance, [])
    start = [some] if some else []
    ask = by_branching(run, diversity, known)
    if ask:
        return best_sets(run, ask, start, "min")
    return unbeaten(
        run, diversity, known, start, lambda sets: _asked(run, diversity, build, "min", sets, known)
    )


def _together_by_model(
    run: Run, diversity: SoftDiversity, count: int, total: str, start: Sets
) -> tuple[Sets, Outcome]:
    problem = run.problem
    among = candidates(problem, [], count * problem.sizes[1])

    def build(stated: Problem, start: Sets) -> Any:
        allowed = None if among is None else among.tolist()
        model = formulate(stated, count, total=total, among=allowed)
        differ_leniently(diversity, model, problem.sizes)
        return started(model, stated, start, lambda: propose_loads(diversity, model, []))

    start = sorted(start or _one_after_another(problem, diversity, count), key=lambda one: -run.score(one))
    total = "min" if count == 1 else total
    return unbeaten(run, diversity, [], start, lambda sets: _asked(run, diversity, build, total, sets), total)


def _one_after_another(problem: Problem, diversity: SoftDiversity, count: int) -> Sets:
    """Return good sets of which each pair keeps the diversity, or is distinct where it has its penalty."""
    ways: list[Dissimilarity | SoftDiversity] = [diversity.distance] if diversity.distance.tau > 0 else []
    for way in [*ways, DISTINCT] if diversity.penalty or not ways else ways:
        sets: Sets = []
        while len(sets) < count:
            one = exchange_search(after(problem, sets), way, sets)
            if one is None:
                break
            sets.append(one)
        if len(sets) == count:
            return sets
    return []


def _asked(
    run: Run, diversity: SoftDiversity, build: Build, total: str, start: Sets | None = None, known: Known = ()
) -> tuple[Sets, Outcome]:
    """Ask a solver; ratios by levels only where nothing is paid."""
    ask = by_model(run, build)
    if not diversity.penalty:
        return best_sets(run, ask, start or [], total)

    def penalty(sets: Sets) -> float:
        return penalty_paid(diversity, [(subset, sets[0]) for subset in known] or combinations(sets, 2))

    return best_sets(run, ask, start or [], total, penalty)
