"""Several sets at once: the best two, three, … in turn, each from the list of all that can be among them."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np

from altsel._types import BoolArray
from altsel.errors import SolverError
from altsel.exact.question import Answer, Question, Sets
from altsel.exact.run import Run, log
from altsel.exact.sources.every_set.pool import Pool, pool_of
from altsel.exact.sources.source import Above
from altsel.exact.sources.table import best_after, list_above, why_no_list
from altsel.exact.verification.neighbour_check import better_neighbours
from altsel.exact.verification.solver_claims import refuse_false_claims
from altsel.models.dissimilarity import largest_overlap
from altsel.models.listed_family import family_model, family_of, propose_family
from altsel.models.objective import Kind
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.runtime.clock import OutOfTimeError, clock, turn
from altsel.solvers import CLOSED, Outcome

FEWEST = 3
"""Sets from which on it is tried: two need one list, or a small model."""
MOST_LISTED = 1_500
"""Sets of a list, after which it is given up: their pairs are compared, and more take a solver long."""
SECONDS, OF_PLAIN_SUMS = 8.0, 1.0
"""CPU seconds for the model of one list; of plain sums, which others answer where lists are hard, less."""


def why_not_nested(question: Question) -> str | None:
    """Return why sets cannot be found two, three and more at a time, if they cannot."""
    low, high = question.problem.sizes
    if question.count < FEWEST:
        return f"only for {FEWEST} sets or more"
    if question.total != "sum":
        return "the poorest set counts, not the sum"
    if any(largest_overlap(question.distance, size, size) >= size for size in range(low, high + 1)):
        return "sets may be the same"
    return why_no_list(question.as_sum)


def by_nested_lists(question: Question, run: Run) -> Answer | None:
    """Go from one set to all; None, or the bound that follows, where a list is too long.

    Let ``B`` be the largest sum of i - 1 sets, and ``F`` that of some i sets, such as those that have it and
    the best set that differs from them. Sets below ``F - B`` are in no better i sets, as the others sum to
    ``B`` at most. Such lists are short where sets may be similar.
    """
    began = time.perf_counter()
    search = _Nested(question.as_sum, run)
    try:
        sets, bound = search.all_together()
    except SolverError as fault:
        log.info("nested lists: %s", fault)
        return None
    seconds = time.perf_counter() - began
    if not sets:
        return None if bound == inf else _open([], None, bound, seconds)
    value = question.value(sets)
    proved = bound <= value + CLOSED * max(abs(value), abs(bound))
    outcome = Outcome.optimal(value, seconds) if proved else None
    if outcome is None or better_neighbours(question, sets, outcome) is not None:
        return _open(sets, value, max(bound, value), seconds)
    return Answer(sets, outcome)


def _open(sets: Sets, value: float | None, bound: float, seconds: float) -> Answer:
    return Answer(sets, Outcome.unfinished(Stop.LIMIT, value, bound, seconds), cut_short=True)


@dataclass(eq=False)
class _Nested:
    """The search: the best sets so far, and bounds on the sums of one, two, three and more sets."""

    question: Question
    run: Run
    bounds: list[float] = field(default_factory=lambda: [0.0])
    best: Sets = field(default_factory=list)

    def all_together(self) -> tuple[Sets, float]:
        """Return the best sets, and the bound on their sum; no sets where it is given up."""
        for number in range(1, self.question.count + 1):
            if not self._one_more(number):
                return self._filled_up(), self._bound_by_fewer(number - 1)
        return self.best, self.bounds[-1]

    def _filled_up(self) -> Sets:
        """Return the best sets so far and those that follow, if that takes little: others begin with them."""
        while self.question.kind is Kind.SUM and len(self.best) < self.question.count:
            extended = self._extend()
            if extended is None:
                return []
            self.best = extended
        return self.best if len(self.best) == self.question.count else []

    def _bound_by_fewer(self, number: int) -> float:
        """Bound the sum of all sets by that of fewer: on average any so many of them have their share."""
        wanted = self.question.count
        return min((wanted * self.bounds[i] / i for i in range(1, number + 1)), default=inf)

    def _one_more(self, number: int) -> bool:
        """Find the best sets of a number; return whether they are proved to be."""
        extended = self._extend()
        if extended is None:
            return False
        if number == 1:
            self.best, value = extended, self.question.value(extended)
            self.bounds.append(value)
            return True
        value = self.question.quality(extended)
        scale = abs(value) + abs(self.bounds[-1])
        floor = value - self.bounds[-1] - 1e-12 * scale
        sets, complete = list_above(self.question, self.run, Above(floor, MOST_LISTED), extended)
        if not complete:
            return False
        pool = pool_of(self.question.problem, self.question.distance, sets)
        self.run.listed = max(self.run.listed, len(pool.scores))
        return self._choose(pool, extended, value)

    def _extend(self) -> Sets | None:
        """Return the best sets so far and the best one that differs from them; None if that is not known."""
        found = best_after(self.question, self.best, self.run)
        if found is None or not found.sets or found.outcome.proof is not Proof.OPTIMAL:
            clock().check()
            return None
        return [*self.best, *found.sets]

    def _choose(self, pool: Pool, extended: Sets, value: float) -> bool:
        """Choose the best sets of a list by a model; return whether it proved that they are."""
        model = family_model(pool.scores, _near(pool), len(extended))
        index = {frozenset(pool.names(i)): i for i in range(len(pool.scores))}
        start = [index[frozenset(subset)] for subset in extended if frozenset(subset) in index]
        if len(start) == len(extended):
            propose_family(model, start)
        outcome = self._solve(model)
        if outcome is None:
            return False
        refuse_false_claims(self.run, outcome, value, extended)
        if outcome.value is None:
            self.best = extended
            self.bounds.append(value)
            return outcome.stop is Stop.INFEASIBLE
        found = [pool.names(i) for i in family_of(model)]
        self.best = max(found, extended, key=self.question.quality)
        best = self.question.quality(self.best)
        known = outcome.bound if outcome.bound is not None else inf
        self.bounds.append(max(best, known))
        return outcome.proof is Proof.OPTIMAL and known <= best + CLOSED * abs(best)

    def _solve(self, model: Any) -> Outcome | None:
        """Solve the model of a list, if that does not take long."""
        seconds = OF_PLAIN_SUMS if self.question.kind is Kind.SUM else SECONDS
        try:
            with turn(seconds, 1 / 4):
                return self.run.solve(model)
        except OutOfTimeError:
            clock().check()
            return None


def _near(pool: Pool) -> BoolArray:
    """Return which pairs of listed sets are too similar."""
    every = np.arange(len(pool.scores))
    near: BoolArray = np.zeros((len(every), len(every)), dtype=bool)
    for i in range(len(every)):
        near[i] = ~pool.compatible(i, every)
    np.fill_diagonal(near, val=False)
    return near
