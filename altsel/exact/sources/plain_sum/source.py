"""One set after another under a plain sum: lists above a threshold that answer several questions each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile

import numpy as np

from altsel._types import IntArray
from altsel.exact.infeasibility import prove_infeasible
from altsel.exact.question import SIMILAR, Answer, Question
from altsel.exact.run import Run
from altsel.exact.sources.plain_sum.chain import Chain, Step
from altsel.exact.sources.plain_sum.conditions import read_conditions, why_no_conditions
from altsel.exact.sources.plain_sum.race import Race
from altsel.exact.sources.quadratic.branch_and_bound import CLOSE
from altsel.exact.sources.quadratic.listing import TreeList
from altsel.exact.sources.source import Above
from altsel.models.dissimilarity import largest_overlap
from altsel.models.objective import Kind
from altsel.models.problem import Problem
from altsel.results.stop import Stop, stopped
from altsel.runtime.clock import clock
from altsel.solvers import Outcome

MOST_FEATURES = 3_000
"""Features after which listing is given up."""
FEW_FEATURES = 500
"""Features looked at where that happens."""
AT_FIRST = 0.002
"""Share of its work after which a list under rules asks a solver whether any set keeps them."""


class PlainSum:
    """List the sets above a threshold, and take from the list one after another while it lasts.

    Sets that share as much with an earlier one as they may are not continued with its other features. The
    proof, also for the end of a chain: `altsel.exact.sources.plain_sum`. A list that takes too long is left
    to the model, with the best set and the bound that were found.
    """

    name, criterion = "list of the next sets", "plain sum"
    lists_at_once = False

    def reads(self, question: Question) -> bool:
        """Return whether the criterion is a plain sum."""
        return question.kind is Kind.SUM

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot answer, if it cannot."""
        if question.soft is not None:
            return SIMILAR
        return why_no_conditions(question.structure.rules, question.problem.sizes)

    def best_after(self, question: Question, run: Run) -> Answer | None:
        """Return the next set, if it is known ahead; else make a list."""
        ahead = _ahead(question)
        reached = question.value(run.incumbent) if run.incumbent else -np.inf
        if ahead.chain is None and question.problem.subject_to:
            ahead.race.patience = AT_FIRST
            step, stop = ahead.answer(question, run, reached)
            ahead.race.patience = 1.0
            if step is not None and not step.proved and stop is Stop.LIMIT:
                none = prove_infeasible(question, run, run.incumbent) if step.members is None else None
                if none is not None:
                    return Answer([], none)
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

    def why_no_list(self, question: Question) -> str | None:
        """Return why its sets cannot be listed, if they cannot."""
        return "a rule is more than linear rows" if question.structure.rows is None else None

    def above(self, question: Question, run: Run, wanted: Above) -> tuple[list[IntArray], bool]:
        """List the sets above a floor, of the features that reach it in some set."""

        def features(size: int) -> tuple[IntArray, bool]:
            among = features_reaching(question.problem, size, wanted.floor)
            few = len(among) <= MOST_FEATURES
            return (among if few else _heaviest(question.problem, among)), few

        return TreeList(question, run, wanted, question.problem, features=features).sets()


def _ahead(question: Question) -> Ahead:
    """Return what is known ahead of a problem and its diversity, in the structure of the problem."""
    key = (PlainSum.name, question.distance)
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
        chain = self._chain_after(question)
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
        self.given = _features_given(question, step)
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

    def _chain_after(self, question: Question) -> Chain:
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
                self.given = _features_given(question, self.chain.next()) if more else None
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
    conditions = question.structure.kept.get(PlainSum)
    if conditions is None:
        conditions = question.structure.kept[PlainSum] = read_conditions(problem.objective.weights, rules)
    limits: dict[tuple[int, int], int] = {}

    def limit(one: int, other: int) -> int:
        if (one, other) not in limits:
            limits[one, other] = largest_overlap(distance, one, other)
        return limits[one, other]

    return Chain(conditions, problem.sizes, limit, race)


def _features_given(question: Question, step: Step) -> frozenset[str] | None:
    """Return the features of a step that was proved, by which it is known again."""
    return frozenset(_names(question, step.members)) if step.proved and step.members is not None else None


def _names(question: Question, members: Sequence[int]) -> list[str]:
    return [question.problem.objective.features[j] for j in members]


def _indices(question: Question, one: Collection[str]) -> IntArray:
    index = question.problem.index
    return np.array(sorted(index[f] for f in one), dtype=np.int64)


def _heaviest(problem: Problem, among: IntArray) -> IntArray:
    """Keep some of the best features: enough to raise a floor by the sets they make."""
    objective = problem.objective
    order = np.argsort(-objective.weights[among], kind="stable")
    return np.sort(among[order[:FEW_FEATURES]])


def features_reaching(problem: Problem, size: int, floor: float) -> IntArray:
    """Return the features that are in a set of at least a score, by a plain sum.

    A feature outside the best k costs at least what it is below the k-th best.
    """
    objective = problem.objective
    n = len(objective.weights)
    best = np.partition(objective.weights, n - size)[n - size :]
    least = floor - best.sum() + best.min() - CLOSE * max(1.0, float(np.abs(best).sum()))
    return np.flatnonzero(objective.weights >= least)
