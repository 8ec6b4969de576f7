"""One set after another under a plain sum: lists above a threshold that answer several questions each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile

import numpy as np

from altsel._types import IntArray
from altsel.exact.chains.chain import Chain, Step
from altsel.exact.chains.conditions import read_conditions, why_no_conditions
from altsel.exact.chains.race import Race
from altsel.exact.engines.quadratic import impossible
from altsel.exact.question import SIMILAR, Answer, Question
from altsel.exact.run import Run
from altsel.models.dissimilarity import largest_overlap
from altsel.models.objective import Kind
from altsel.results.stop import Stop, stopped
from altsel.runtime.clock import clock
from altsel.solvers import Outcome

AT_FIRST = 0.002
"""Share of its work after which a list under rules asks a solver whether any set keeps them."""


class Chains:
    """List the sets above a threshold, and take from the list one after another while it lasts.

    Sets that share as much with an earlier one as they may are not continued with its other features. The
    proof, also for the end of a chain: `altsel.exact.chains`. A list that takes too long is left to the
    model, with the best set and the bound that were found.
    """

    name = "list of the next sets"

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot answer, if it cannot."""
        if question.named:
            return "a solver is named"
        if question.kind is not Kind.SUM:
            return f"a {question.kind} is no plain sum"
        if question.count > 1 or question.problem.across:
            return "several sets are wanted together"
        if question.soft is not None:
            return SIMILAR
        return why_no_conditions(question.structure.rules, question.problem.sizes)

    def answer(self, question: Question, run: Run) -> Answer | None:
        """Give the next set, if it is known ahead; else make a list."""
        ahead = _ahead(question)
        reached = question.value(run.incumbent) if run.incumbent else -np.inf
        if ahead.chain is None and question.problem.subject_to:
            ahead.race.patience = AT_FIRST
            step, stop = ahead.answer(question, run, reached)
            ahead.race.patience = 1.0
            if step is not None and not step.proved and stop is Stop.LIMIT:
                if step.members is None and (outcome := impossible(question, run, run.incumbent)) is not None:
                    return Answer([], outcome)
                step, stop = ahead.answer(question, run, reached)
        else:
            step, stop = ahead.answer(question, run, reached)
        if step is None:
            return None
        if step.proved:
            return replace(ahead.proved(question, step), following=partial(ahead.following, question))
        names = [] if step.members is None else [_names(question, step.members)]
        bound = step.bound if step.bound < np.inf else None
        value = question.value(names) if names else None
        return Answer(names, Outcome.unfinished(stop, value, bound), cut_short=stop is Stop.LIMIT)


def _ahead(question: Question) -> Ahead:
    """Return what is known ahead of a problem and its diversity, in the structure of the problem."""
    key = (Chains.name, question.distance)
    if key not in question.structure.kept:
        question.structure.kept[key] = Ahead(float(np.abs(question.problem.objective.weights).max()))
    found = question.structure.kept[key]
    assert isinstance(found, Ahead)
    return found


@dataclass(eq=False)
class Ahead:
    """A chain, the known sets up to which it has come, and the largest absolute weight."""

    largest: float
    chain: Chain | None = None
    known: list[Collection[str]] = field(default_factory=list)
    given: frozenset[str] | None = None
    race: Race = field(default_factory=lambda: Race(lambda: clock().over))

    def answer(self, question: Question, run: Run, reached: float) -> tuple[Step | None, Stop]:
        """Return the next step, and why it was not proved, if it was not; `reached` is what a set scores."""
        chain = self._reached(question)
        chain.reached = reached
        before, now = self.race.total, clock()
        self.race.begin()
        try:
            step = chain.next()
        except KeyboardInterrupt as fault:
            now.note(fault)
            chain.ahead.clear()
            step = Step(self.race.members, self.race.best, chain.ceiling, proved=False)
        run.nodes += self.race.total - before
        self.given = _given(question, step)
        if step.proved or not now.over:
            self.race.patience = self.race.patience if step.proved else max(self.race.patience / 4, 1e-3)
            return step, Stop.LIMIT
        return (step if step.members is not None else None), stopped(now)

    def proved(self, question: Question, step: Step) -> Answer:
        """Return a step that was proved as an answer; its score is compared with the formula."""
        if step.members is None:
            return Answer([], Outcome.infeasible())
        outcome = Outcome.optimal(step.score, largest_term=self.largest)
        return Answer([_names(question, step.members)], outcome)

    def following(self, question: Question) -> list[Answer]:
        """Return the answers known ahead; none where each set changes the rules of the next."""
        if question.fresh or self.chain is None:
            return []
        good = takewhile(lambda step: step.proved and step.members is not None, self.chain.ahead)
        return [self.proved(question, step) for step in good]

    def _reached(self, question: Question) -> Chain:
        """Return the chain after the known sets: the same one, if they are those it was at, and more."""
        known = list(question.known)
        number = len(self.known)
        if self.chain is None or known[:number] != self.known or len(known) == number:
            self.chain, self.known, number = _begun(question, self.race), [], 0
        for at in range(number, len(known)):
            one = _indices(question, known[at])
            if self.given is not None and frozenset(known[at]) == self.given:
                self.chain.follow(one)
                more = at + 1 < len(known) and self.chain.ahead
                self.given = _given(question, self.chain.next()) if more else None
            else:
                self.chain.leave(one)
                self.given = None
        self.known = known
        return self.chain


def _begun(question: Question, race: Race) -> Chain:
    """Begin a chain."""
    problem, distance = question.problem, question.distance
    rules = question.structure.rules
    assert rules is not None
    conditions = question.structure.kept.get(Chains)
    if conditions is None:
        conditions = question.structure.kept[Chains] = read_conditions(problem.objective.weights, rules)
    limits: dict[tuple[int, int], int] = {}

    def limit(one: int, other: int) -> int:
        if (one, other) not in limits:
            limits[one, other] = largest_overlap(distance, one, other)
        return limits[one, other]

    return Chain(conditions, problem.sizes, limit, race)


def _given(question: Question, step: Step) -> frozenset[str] | None:
    """Return the features of a step that was proved, by which it is known again."""
    return frozenset(_names(question, step.members)) if step.proved and step.members is not None else None


def _names(question: Question, members: Sequence[int]) -> list[str]:
    return [question.problem.objective.features[j] for j in members]


def _indices(question: Question, one: Collection[str]) -> IntArray:
    index = question.problem.index
    return np.array(sorted(index[f] for f in one), dtype=np.int64)
