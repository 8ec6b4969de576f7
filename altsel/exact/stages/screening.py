"""Of very many features only those are searched that a best set may need; ideal ones bound all others."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, TypeVar

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.question import Answer, Question, Sets, Structure
from altsel.exact.run import Run, log
from altsel.exact.stages.stage import Rest
from altsel.exact.starts.warm_start import good_sets
from altsel.models.given_rows import GivenRows
from altsel.models.pair_criterion import PairCriterion
from altsel.models.problem import Problem
from altsel.models.rule import Row
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.runtime.clock import STOPPED, OutOfTimeError, clock, turn
from altsel.runtime.memory import shortage, tables
from altsel.solvers import CLOSED, Outcome

FIRST, GROWTH, MOST = 200, 3, 6_000
"""Features that are searched first, how many times as many then, and at most."""
TABLES = 7
"""Tables of all pairs of the features searched that are held at once."""
ROOM = 4
"""How many times as many features as the sets may hold are searched, at least."""
PATIENCE = 0.5
"""CPU seconds for the best sets of the features searched, beside twice those of the bound."""
NAME = "screening"
Listed = TypeVar("Listed")


class Screening:
    """Answer a question on very many features by questions on few of them, with a proof for all.

    Let U be the most relevant features, with those of known sets and of rules on few features, and let every
    set of the question hold at most m features outside U. These are exchanged for ideal features, that have
    the m largest relevances outside U and no redundancy: see `PairCriterion.relaxed`. They keep all
    conditions: no known set holds any of them, so that sets differ by no less; and in each row of a rule they
    have the coefficient, of those of all features outside U, that keeps it most easily. So the question on
    U and the ideal features is a relaxation of that on all:

    1. If it has no answer, that has none.
    2. If its best sets hold no ideal feature, they are sets of the question on all features, and its best.
    3. If sets of features in U are as good as its best ones, these are the best of all.
    4. Else more features are taken into U, and it is asked again; where they would be too many, the best sets
       within U are the answer, with the least bound so far.

    Pairs of features are measured within U alone.
    """

    def answer(self, question: Question, run: Run, rest: Rest) -> Answer:
        """Answer a question on few features, or one whose rules are more than rows, by what comes after."""
        if not is_screened(question):
            return rest(question, run)
        before = run.start
        try:
            return _Search(question, run, rest).answer()
        finally:
            run.start, run.incumbent = before, []


def is_screened(question: Question) -> bool:
    """Return whether a question has so many features that pairs are measured where they are needed."""
    wide = isinstance(question.problem.objective, PairCriterion) and question.problem.objective.wide
    return (
        wide
        and not question.problem.across
        and not question.own_measures
        and question.structure.rows is not None
    )


def searched_alone(question: Question) -> Question:
    """Return a screened question on the features that are searched first, as if there were no others."""
    return _Relaxations(question).on(_first_features(question, ()), 0)


def list_among_few(
    question: Question,
    run: Run,
    floor: float,
    listed: Callable[[Question, float], tuple[Listed | None, float]],
    rest: Rest,
) -> Listed | None:
    """List the sets of a screened question above a floor, among the features that may be in one.

    1. List those of the features searched; that may raise the floor.
    2. Ask the relaxation for the best set that has an ideal feature. Below the floor these are all.
    3. Else search more features.

    Parameters
    ----------
    question, run
        A question on one set, and the run it belongs to.
    floor
        The least score.
    listed
        Lists the sets of a question on few features down to a floor; returns them, or None if it gives up,
        and the floor down to which it did.
    rest
        What answers questions.

    Returns
    -------
    what was listed, or None
        None if `listed` gives up, or the features would be too many.
    """
    features: IntArray | None = _first_features(question, run.start)
    relaxations, before = _Relaxations(question), run.start
    while features is not None:
        found, floor = listed(relaxations.on(features, 0), floor)
        if found is None:
            return None
        relaxed = relaxations.on(features, question.problem.sizes[1], needed=1)
        try:
            run.start = []  # none has an ideal feature
            best = rest(relaxed, run)
        finally:
            run.start, run.incumbent = before, []
        if _below(relaxed, best, floor):
            question.structure.kept[Screening] = features
            _note(question, run, len(features))
            return found
        features = _more(question, features)
    return None


@dataclass(eq=False)
class _Search:
    """The search for the answer to one question: the steps of `Screening`.

    Attributes
    ----------
    starts
        Sets that the call began with.
    best
        The best sets met, of features of the table.
    bound
        No sets are worth more.
    """

    question: Question
    run: Run
    rest: Rest
    starts: Sets = field(default_factory=list, init=False)
    best: Sets = field(default_factory=list, init=False)
    bound: float = field(default=inf, init=False)

    def answer(self) -> Answer:
        """Ask with more and more features, until the answer is one for all."""
        self.starts = [list(one) for one in self.run.start]
        features: IntArray | None = _first_features(self.question, self.starts)
        stop = Stop.LIMIT
        try:
            while features is not None:
                found = self._among(features)
                if found is not None:
                    return found
                more = _more(self.question, features)
                if more is None:
                    self._say_open(len(features))
                features = more
        except STOPPED as fault:
            stop = self.run.ended(fault)
        bound = None if self.bound == inf else self.bound
        value = self.question.value(self.best) if self.best else None
        outcome = Outcome.unfinished(stop, value, bound)
        return Answer(self.best, outcome, self.question.penalty_of(self.best), final=True)

    def _among(self, features: IntArray) -> Answer | None:
        """Ask with some features and ideal ones; None if that leaves open what is best of all."""
        relaxations, began = _Relaxations(self.question), time.process_time()
        alone, relaxed = relaxations.on(features, 0), relaxations.on(features, self.question.problem.sizes[1])
        _note(self.question, self.run, len(features))
        self._take(good_sets(alone, alone.among), alone)
        found = self.rest(relaxed, self.run)
        if found.outcome.stop is Stop.INFEASIBLE:
            return found
        self.bound = min(self.bound, _bound(relaxed, found))
        if found.sets and all(name in self.question.problem.index for one in found.sets for name in one):
            self.question.structure.kept[Screening] = features
            return replace(found, outcome=replace(found.outcome, bound=self.bound), following=list)
        if not self._settled():
            with suppress(OutOfTimeError), turn(PATIENCE + 2 * (time.process_time() - began)):
                self._take(self.rest(alone, self.run).sets, alone)
            clock().check()
        if not self._settled():
            return None
        self.question.structure.kept[Screening] = features
        value = self.question.value(self.best)
        return Answer(self.best, Outcome.optimal(value), self.question.penalty_of(self.best))

    def _take(self, sets: Sets, asked: Question) -> None:
        """Keep sets if they keep all conditions, and are the best met: the next search begins with them."""
        admitted = len(sets) == asked.count and asked.differ(sets) and asked.keeps_all(sets)
        if admitted and (not self.best or self.question.value(sets) > self.question.value(self.best)):
            self.best = sets
        self.run.start = [*self.starts, *self.best]

    def _settled(self) -> bool:
        """Return whether the best sets are as good as any."""
        return bool(self.best) and self.question.value(self.best) >= self.bound - CLOSED * abs(self.bound)

    def _say_open(self, searched: int) -> None:
        """Say what was searched in vain, and what would help."""
        most = "" if self.bound == inf else f", and no set is worth more than {self.bound:.6g}"
        log.warning(
            "the %s most relevant of %s features were searched, which proves no best set%s; what would: "
            "a smaller k, fewer features, or a measure with less noise, as altsel.measures.association",
            f"{searched:,}",
            f"{len(self.question.problem.index):,}",
            most,
        )


def _note(question: Question, run: Run, searched: int) -> None:
    """Let the result say what was searched."""
    number = len(question.problem.index)
    said = f"{NAME} ({searched:,} of {number:,} features searched, the others bounded by ideal ones)"
    others = {name: None for name in run.engines if not name.startswith(NAME)}
    run.engines = {said: None, **others}
    log.info("%s", said)


@dataclass(frozen=True, eq=False)
class _Relaxations:
    """States a question on some of the features, and on ideal ones in place of the others.

    Attributes
    ----------
    question
        On all features.
    """

    question: Question

    def on(self, features: IntArray, ideal: int, needed: int = 0) -> Question:
        """Return the question on some features and, for each set, so many ideal ones; none: on these alone.

        Each set has at least as many ideal features as are needed. What is found out of it is kept as long as
        the features are the same.
        """
        kept, key = self.question.structure.kept, (ideal, self.question.count, needed)
        if _Relaxations not in kept or not np.array_equal(kept[_Relaxations][0], features):
            kept[_Relaxations] = features, {}
        made: dict[tuple[int, int, int], Structure] = kept[_Relaxations][1]
        if key not in made:
            made[key] = Structure(self._problem(features, ideal, needed))
        return replace(self.question, structure=made[key])

    def _problem(self, features: IntArray, ideal: int, needed: int) -> Problem:
        problem: Any = self.question.problem
        relevances = np.tile(problem.objective.best_outside(features, ideal), self.question.count)
        objective = problem.objective.relaxed(features, relevances)
        rows = [
            part
            for row in self.question.structure.rows or ()
            for part in _relaxed_row(row, features, len(relevances))
        ]
        if needed:
            rows.append((np.repeat([0.0, 1.0], [len(features), len(relevances)]), float(needed), inf))
        rules = [GivenRows(objective.features, rows, "rules on all features")] if rows else []
        low, high = problem.sizes
        return Problem(objective, (low, min(high, len(objective.features))), rules)


def _relaxed_row(row: Row, features: IntArray, ideal: int) -> list[Row]:
    """Return a row on some features, and on ideal ones that keep it at least as easily as any other."""
    numbers, low, high = row
    inside, outside = numbers[features], np.delete(numbers, features)
    if not ideal or outside.min() == outside.max():
        return [(np.append(inside, np.full(ideal, outside[0] if ideal else 0.0)), low, high)]
    least, most = (np.append(inside, np.full(ideal, end)) for end in (outside.min(), outside.max()))
    return [
        *([(most, low, inf)] if low > -inf else []),
        *([(least, -inf, high)] if high < inf else []),
    ]


def _first_features(question: Question, starts: Sequence[Collection[str]]) -> IntArray:
    """Return the most relevant features, those of known sets, and the most relevant that rows single out.

    Of a rule such as "one of these 800" sets can be found only where some of these are searched.
    """
    index, (_, high) = question.problem.index, question.problem.sizes
    relevance = _relevance(question)
    named = [index[name] for one in (*question.known, *starts) for name in one]
    for row, _, _ in question.structure.rows or ():
        values, counts = np.unique(row, return_counts=True)
        single = np.flatnonzero(row != values[counts.argmax()])
        named += single[_most_relevant(relevance[single], FIRST)].tolist()
    number = max(FIRST, ROOM * high * question.count)
    parts = [_most_relevant(relevance, number), np.array(named, dtype=np.int64)]
    before = question.structure.kept.get(Screening)
    return np.unique(np.concatenate(parts if before is None else [*parts, before]))


def _more(question: Question, features: IntArray) -> IntArray | None:
    """Return more features, the most relevant of the others; None if they would be too many."""
    relevance, number = _relevance(question), GROWTH * len(features)
    more = np.union1d(features, _most_relevant(relevance, number))
    needed, what = tables(len(more), TABLES)
    too_many = len(features) == len(relevance) or number > MOST or shortage(needed, what) is not None
    return None if too_many else more


def _most_relevant(relevance: FloatArray, number: int) -> IntArray:
    """Return the indices of the most relevant features, ascending; of equal ones the first."""
    return np.sort(np.argsort(-relevance, kind="stable")[:number])


def _relevance(question: Question) -> FloatArray:
    objective: Any = question.problem.objective
    return np.asarray(objective.relevance)


def _below(question: Question, found: Answer, floor: float) -> bool:
    """Return whether an answer shows that no set reaches a score."""
    bound = -inf if found.outcome.stop is Stop.INFEASIBLE else _bound(question, found)
    return bound + CLOSED * abs(bound) < floor


def _bound(question: Question, found: Answer) -> float:
    """Return what no sets are worth more than, as an answer says."""
    if found.outcome.proof is Proof.OPTIMAL:
        return question.value(found.sets)
    return inf if found.outcome.bound is None else found.outcome.bound
