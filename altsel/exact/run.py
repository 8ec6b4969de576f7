"""What all searches by optimisation share: a solver to call, an account of it, results in one form."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import fsum, inf
from typing import Any

from altsel.errors import ArgumentError, RangeError, SolverError, checked_integer
from altsel.exact.auto_solver import Auto, SolverLike, automatic, both_told
from altsel.exact.question import Question, Sets, Structure
from altsel.exact.quick_bound import quality_bound
from altsel.exact.shared_structures import structure_of
from altsel.exact.verification.dissimilarity_checks import distances
from altsel.exact.verification.own_dissimilarity import refuse_wrong_encoding
from altsel.exact.verification.verified_solutions import Request, checked_diversity, verify
from altsel.models.given_sets import given_sets
from altsel.models.objective import is_own
from altsel.models.problem import Problem, checked_problem, chosen, lowered, with_cuts
from altsel.models.rule import title_of
from altsel.models.rule_block import refuse_silent_rules
from altsel.models.soft_diversity import Diversity, is_soft
from altsel.results.effort import Effort
from altsel.results.feature_set import FeatureSet, Proof
from altsel.results.rounded_sum import sum_rounded_up
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop, stopped
from altsel.runtime.clock import Clock, OutOfTimeError, clock, in_force, turn
from altsel.runtime.memory import peak
from altsel.runtime.versions import versions
from altsel.solvers import CLOSED, Outcome, Solver
from altsel.solvers import solver as make_solver

log = logging.getLogger("altsel.search")

PER_SET, PER_MEMBER = 1_000, 700
"""Bytes a set found, and a feature of it, checks included; found by measuring."""
MONOTONE_CHECKED = 2
"""Sets of an answer near which rules that are declared monotone are checked."""
PATIENCE = 5.0
"""CPU seconds that the other solver has at least, where an answer of the first was refuted."""
PROVED = (Stop.INFEASIBLE, Stop.EXHAUSTED)
"""Ends that say that there is nothing more."""
SUM_ROUNDING = 1e-14
"""Relative error of a sum of floats: model and formula may differ by that."""


@dataclass
class Run:
    """One search under way.

    Parameters
    ----------
    problem
        What is wanted.
    solver
        A solver, the name of a profile, or None for `Auto` with the default profile.
    search
        The call in words, for the result.
    request
        What the answer is checked against, and what a file of solutions says was requested.
    start
        Sets to begin with, such as those of an earlier search.

    Attributes
    ----------
    structure
        What is known of the problem.
    engines
        Which engines have answered, or tried to, in order.
    solvers
        Which solvers were called.
    incumbent
        The best sets met for the question under way.
    answered_by
        The solver that answered last, or the choice of them if none has yet.
    distrusted
        The solver whose answer was refuted, if another one has taken its place.
    """

    problem: Problem
    solver: SolverLike
    search: str
    request: Request = field(default_factory=lambda: Request("search"))
    start: Sequence[Collection[str]] = ()
    solves: int = 0
    listed: int = 0
    nodes: int = 0
    began: float = field(default_factory=time.perf_counter)
    clock: Clock = field(default_factory=clock)
    structure: Structure = field(init=False)
    engines: dict[str, None] = field(default_factory=dict, init=False)
    solvers: dict[str, None] = field(default_factory=dict, init=False)
    incumbent: Sets = field(default_factory=list, init=False)
    answered_by: str = field(init=False)
    distrusted: str | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.structure = structure_of(self.problem)
        self.start = given_sets("start", self.start, self.problem)
        if self.solver is None or self.solver == "auto":
            self.engine: Solver = automatic()
        else:
            self.engine = make_solver(self.solver) if isinstance(self.solver, str) else self.solver
        checked_solver(self.engine)
        self.answered_by = self.engine.name
        wanted = self.request.options.get("alternatives", 0) + 1
        refuse_silent_rules(self.problem.across, self.problem.objective.features, wanted)

    @property
    def question_limit(self) -> float | None:
        """Seconds for each question, if the choice of solvers has such a limit."""
        return self.engine.time_limit if isinstance(self.engine, Auto) else None

    @property
    def stop(self) -> Stop:
        """Why the clock has ended the search."""
        return stopped(self.clock)

    def ended(self, fault: BaseException) -> Stop:
        """Note what was caught to keep what was found, and return why the search ends."""
        self.clock.note(fault)
        return self.stop

    def question(self, diversity: Diversity, count: int = 1, total: str = "min") -> Question:
        """State the question for the best sets; `Question.after` is that for the next one."""
        named = not isinstance(self.engine, Auto)
        return Question(self.structure, diversity, (), count, "min" if count == 1 else total, named)

    def confirmed(self, search: Callable[[], Solutions]) -> Solutions:
        """Return what a search finds; all of it once more by the other solver, if an answer was refuted.

        A solver that errs in one answer may have erred in those before. The other one has ten times as long:
        where what is refuted is a model of the user's own, it may never end.

        Raises
        ------
        SolverError
            If there is no other solver, or its answer is refuted, too.
        """
        began = time.process_time()
        try:
            return self._search_until_settled(search)
        except SolverError as fault:
            other = self.other_solver
            if other is None or isinstance(fault, RangeError):
                raise
            log.warning("%s; trying again with %s", fault, other.engine.name)
            self.distrusted, self.engine = self.answered_by, other
            self.structure.kept.clear()
            with both_told(fault), turn(PATIENCE + 10 * (time.process_time() - began)) as second:
                found = self._search_until_settled(search)
            if not found.proved and second.cpu_until <= time.process_time():
                raise
            return found

    def _search_until_settled(self, search: Callable[[], Solutions]) -> Solutions:
        """Return what a search finds; once more if a rule has withdrawn meanwhile what it had learned."""
        while True:
            before = self.structure.withdrawn
            found = search()
            if self.structure.withdrawn == before or not found.stop.finished:
                return found
            self.structure.evaluate_again()

    @property
    def other_solver(self) -> Auto | None:
        """The choice without the solver that answered last; None if none did, or it has no other one.

        Only the choice of ``"auto"`` is changed, and only once.
        """
        if self.distrusted or not self.solvers or not isinstance(self.engine, Auto):
            return None
        return self.engine.without(self.answered_by)

    def solve(self, model: Any, packing: bool = False, stated: Problem | None = None) -> Outcome:
        """Solve a model and count it; again while a quality that is only bounded was too high.

        `packing` tells that several sets of plain 0/1 variables share the features; `stated` is the
        problem that the model states, if it is another. Where a row that was added changes neither sets nor
        value, the solver's tolerance is met.
        """
        met: dict[tuple[frozenset[str], ...], float] = {}
        while True:
            clock().check()
            self.solves += 1
            outcome, solver = self._solve(model, packing)
            self.solvers[solver.name], self.answered_by = None, solver.name
            value = None if outcome.value is None else with_cuts(stated or self.problem, model)
            if value is None:
                return outcome
            if outcome.stop is not Stop.EXHAUSTED:
                return replace(outcome, proof=Proof.FEASIBLE, value=value)
            assert outcome.value is not None
            sets = tuple(map(chosen, model.sets.values()))
            if not lowered(met.get(sets, inf), outcome.value):
                return outcome
            met[sets] = outcome.value

    def _solve(self, model: Any, packing: bool) -> tuple[Outcome, Solver]:
        if isinstance(self.engine, Auto):
            return self.engine.solve(model, packing)
        return self.engine(model), self.engine

    def feature_set(self, names: Collection[str], outcome: Outcome, penalty_paid: float = 0.0) -> FeatureSet:
        """Describe one set; its score comes from the objective's formula, not from the solver.

        `penalty_paid` is what was paid of the quality for being similar to other sets.

        Raises
        ------
        SolverError
            If formula and model disagree: then one of the objective's two faces is wrong.
        """
        score = self.score(names)
        parts = [score, -penalty_paid]
        value = fsum(parts)
        _check_value(self.problem.objective.name, outcome, value, penalty_paid)
        return self._describe(names, score, outcome, parts, lambda: quality_bound(self.problem, value))

    def joint_sets(
        self, sets: Sequence[Collection[str]], total: str, outcome: Outcome, penalty_paid: float = 0.0
    ) -> list[FeatureSet]:
        """Describe sets found together, best first; bound and gap are those of their total.

        Rules across sets, and dissimilarities of the user's own, may tell the first set from the last: then
        the sets stay in an order in which they hold.
        """
        scores = [self.score(names) for names in sets]
        parts = [*(scores if total == "sum" else [min(scores)]), -penalty_paid]
        _check_value(self.problem.objective.name, outcome, fsum(parts), penalty_paid)
        indices = [sorted(self.problem.index[f] for f in names) for names in sets]
        order = sorted(range(len(sets)), key=lambda i: (-scores[i], indices[i]))
        if not self._stand_together([sets[i] for i in order]):
            order = list(range(len(sets)))
        share = replace(outcome, seconds=outcome.seconds / len(sets))

        def most() -> float:
            bound = quality_bound(self.problem, min(scores))
            return bound * len(sets) if total == "sum" else bound

        return [self._describe(sets[i], scores[i], share, parts, most) for i in order]

    def _stand_together(self, sets: Sequence[Collection[str]]) -> bool:
        """Return whether sets keep the rules across them, and differ enough, in this order."""
        named = [tuple(one) for one in sets]
        joint = self.structure.verifier.across(named)
        if joint is not None and not joint.holds:
            return False
        diversity = self.request.diversity
        checks = () if diversity is None else distances(diversity, named, (), together=True)
        return all(check.holds for check in checks)

    def unproved(self, names: Collection[str], proof: Proof) -> FeatureSet:
        """Describe a set that nothing was proved of; a feasible one has the bound that all sets have."""
        if proof is Proof.FEASIBLE:
            return self.feature_set(names, Outcome.unfinished(Stop.LIMIT, self.score(names)))
        return FeatureSet(self.problem.ordered(names), self.score(names), proof)

    def score(self, names: Collection[str]) -> float:
        """Evaluate the objective's formula."""
        return self.problem.objective.checked_score(self.problem.mask(names))

    def finish(self, sets: Sequence[FeatureSet], stop: Stop) -> Solutions:
        """Check every set against what was wanted, and put the result together.

        Raises
        ------
        SolverError
            If a set breaks a condition or has another score: it must not leave.
        ArgumentError
            If a rule that is declared monotone is not.
        """
        with in_force(Clock()):  # also where time is up: the rules may not have been read yet
            verify(self.structure.verifier, self.request, sets, self.answered_by)
            evaluated = self.structure.evaluated if sets else None
        if evaluated is not None:
            with suppress(OutOfTimeError):
                evaluated.check_monotone([subset.features for subset in sets[:MONOTONE_CHECKED]])
        doubts = self._doubts()
        if doubts:
            sets, stop = [_doubtful(one) for one in sets], Stop.HEURISTIC if stop in PROVED else stop
        objective = self.problem.objective
        found = Solutions(
            tuple(sets),
            stop,
            universe=tuple(objective.features),
            criterion=objective.name,
            target=objective.target,
            search=self._described_search(doubts),
            effort=Effort(0, self.solves, self.listed, self.nodes, time.perf_counter() - self.began, peak()),
            seed=objective.seed,
            versions=versions(self.engine.name),
            request=self.request.plain(self.problem),
            members=dict(objective.members),
        )
        return found.answering(self.problem, self.request.diversity)

    def _doubts(self) -> list[str]:
        """Return what is not confirmed of what rules have learned from sets."""
        try:
            return [words for rule in self.problem.learned for words in rule.doubts()]
        except OutOfTimeError:
            return ["time was up before tests confirmed it"]

    def _described_search(self, doubts: Sequence[str] = ()) -> str:
        """Describe the search, with the engines that answered and the solvers they called."""
        solvers = f" on {' and '.join(self.solvers)}" if self.engines and self.solvers else ""
        refuted = f", after an answer of {self.distrusted} was refuted" if self.distrusted else ""
        learned = [title_of(rule) for rule in self.problem.learned]
        rests = f", every set {' and '.join(learned)}" if learned else ""
        rests += f" ({', '.join(doubts)})" if doubts else ""
        return f"{self.search}{rests}{by_engines(self.engines)}{solvers}{refuted}"

    def _describe(
        self,
        names: Collection[str],
        score: float,
        outcome: Outcome,
        parts: Sequence[float],
        most: Callable[[], float],
    ) -> FeatureSet:
        """Describe a set; the outcome bounds the sum of the parts, `most` is a bound that always holds."""
        ordered, value, bound = self.problem.ordered(names), fsum(parts), outcome.bound
        close = max(CLOSED * abs(value), outcome.rounding)
        noise = max(close, SUM_ROUNDING * outcome.largest_term)
        if outcome.proof is Proof.OPTIMAL and (bound is None or bound - value <= noise):
            return FeatureSet(ordered, score, Proof.OPTIMAL, bound=score, gap=0.0, seconds=outcome.seconds)
        bound = min(inf if bound is None else bound, most())
        if bound - value <= close:
            return FeatureSet(ordered, score, Proof.OPTIMAL, bound=score, gap=0.0, seconds=outcome.seconds)
        if bound == inf:
            return FeatureSet(ordered, score, Proof.FEASIBLE, seconds=outcome.seconds)
        gap = max(bound - value, 0.0) / abs(value) if value else None
        beside = max(sum_rounded_up([score, bound, *(-part for part in parts)]), score)
        return FeatureSet(ordered, score, Proof.FEASIBLE, bound=beside, gap=gap, seconds=outcome.seconds)


def _doubtful(one: FeatureSet) -> FeatureSet:
    """Take back a proof that rests on what is not confirmed."""
    if one.proof is not Proof.OPTIMAL:
        return one
    return replace(one, proof=Proof.HEURISTIC, bound=None, gap=None)


BY = "; by "


def by_engines(engines: Iterable[str]) -> str:
    """Name the engines that answered, each once; nothing if there are none."""
    named = dict.fromkeys(engine for engine in engines if engine)
    return f"{BY}{', then '.join(named)}" if named else ""


def engines_of(found: Solutions) -> str:
    """Return which engines answered a search, as `by_engines` names them; nothing if none is named."""
    return found.search.partition(BY)[2]


def _check_value(name: str, outcome: Outcome, value: float, penalty_paid: float) -> None:
    """Check a model's value against the formula's; without a model it is the formula's.

    Where a solve ended early, a quality that is only bounded may still be off: then the formula counts.
    """
    if outcome.proof is not Proof.OPTIMAL:
        return
    slack = outcome.slack(max(abs(value), penalty_paid))
    modelled = outcome.value is not None and (penalty_paid or outcome.largest_term)
    if modelled and outcome.value is not None and abs(outcome.value - value) > slack:
        raise SolverError(f"{name}: the model's objective is {outcome.value!r}, the formula gives {value!r}")


def checked_solver(solver: object) -> None:
    """Raise an ArgumentError if something is no solver, nor the name of a profile or None."""
    if solver is not None and not isinstance(solver, str) and not callable(solver):
        raise ArgumentError(f"{solver!r} is no solver; give a profile's name or altsel.solver(name)")


def checked_question(problem: Problem, diversity: Any) -> None:
    """Raise an ArgumentError if one of them is none, or a dissimilarity is not what solvers keep of it."""
    checked_problem(problem)
    checked_diversity(diversity)
    measure = diversity.distance if is_soft(diversity) else diversity
    if is_own(measure):
        refuse_wrong_encoding(measure, problem)


def checked_total(total: object) -> None:
    """Raise an ArgumentError if something is no way to add qualities up."""
    if total not in ("sum", "min"):
        raise ArgumentError(f"total={total!r}; use 'sum' or 'min'")


def checked_count(alternatives: int) -> int:
    """Return the number of sets, the original included; refuse what is no integer of at least 0."""
    return checked_integer("alternatives", alternatives, 0) + 1
