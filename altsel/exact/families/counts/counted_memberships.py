"""Several sets at once under a plain sum and rules: how many sets hold each feature, as bound and target."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from math import comb, inf

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.errors import SolverError
from altsel.exact.families.counts.annealing import Wanted, good_family
from altsel.exact.families.counts.name import COUNTS
from altsel.exact.families.counts.profiles import prices
from altsel.exact.question import SIMILAR, Answer, Question, Sets
from altsel.exact.rules.linear_rules import rule_system
from altsel.exact.rules.rule_system import System
from altsel.exact.run import Run, log
from altsel.exact.sources.plain_sum.conditions import MOST_ROWS, read_conditions
from altsel.exact.starts.warm_start import starting_sets
from altsel.exact.verification.neighbour_check import better_neighbours
from altsel.exact.verification.solver_claims import refuse_false_claims
from altsel.models.dissimilarity import largest_overlap
from altsel.models.membership_counts import SummedRules, counts_of, exclude_counts, membership_counts
from altsel.models.objective import Kind
from altsel.models.ruled_patterns import (
    FamilyConditions,
    design_of_counts,
    patterns_model,
    propose_sets,
    sets_of,
)
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.runtime.clock import STOPPED, OutOfTimeError, clock, turn
from altsel.solvers import CLOSED, Outcome

MOST_LEVELS = 20_000
"""Features times sets, above which the model of the counts is as large as that of the sets."""
MOST_COUNTED, SECONDS, COUNTING = 60, 3.0, 20.0
"""Best counts for which sets are looked for, and CPU seconds for each and for all."""
MOST_PATTERNS = 8_000
"""Features times patterns, above which their model is too large."""
ANNEALINGS = 120
SOFTNESS = 4.0
"""What breaking a row by its largest coefficient costs, in common features too many."""


class CountsUnderRules:
    """Count in how many sets each feature is, under the sums of all rules, and look for such sets.

    The best counts bound the total. Sets that have them, and keep the rules each, are optimal; where there
    are none, the next best counts are tried. Else annealings find good sets, and few sets are proved by a
    model of patterns: which of the sets hold which feature. Conditions of a criterion that is a sum but for
    them are rules too.
    """

    name = COUNTS

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot answer, if it cannot."""
        low, high = question.problem.sizes
        if question.count > 1 and not question.named:
            question = question.as_sum
        reasons = {
            "a solver is named": question.named,
            f"a {question.kind} is no plain sum": question.kind is not Kind.SUM,
            "only for several sets together": question.count == 1,
            "the poorest set counts, not the sum": question.total != "sum",
            "there are no rules on each set": not question.problem.subject_to,
            "there are rules across sets": bool(question.problem.across),
            SIMILAR: question.soft is not None,
            "the size of the sets is free": low != high,
        }
        found = next((reason for reason, holds in reasons.items() if holds), None)
        if found is not None:
            return found
        system = _system(question)
        if system is None:
            return "a rule is more than linear rows, or names the quality"
        if system.helpers.any() and question.structure.rules is None:
            return "a rule has variables of its own that stay: no sets to begin with"
        return None

    def answer(self, question: Question, run: Run) -> Answer | None:
        """Solve for counts, for sets that have them, and for the best sets."""
        question = question.as_sum
        system = _system(question)
        assert system is not None
        counted = Counted(question, system)
        if len(counted.features) * question.count > MOST_LEVELS:
            return None
        began = time.perf_counter()
        try:
            found = counted.answer(run)
        except SolverError as fault:  # numbers that no solver can hold in these models: the next one may
            log.info("%s: %s", self.name, fault)
            return None
        if found is None:
            return None
        return replace(found, outcome=replace(found.outcome, seconds=time.perf_counter() - began))


def _system(question: Question) -> System | None:
    """Read the rules, once for a problem; None if one is no row, or names the quality."""
    kept = question.structure.kept
    if CountsUnderRules not in kept:
        system = rule_system(question.problem)
        if system is not None and any(row[-1] for row, _, _ in system.rows):
            system = None
        kept[CountsUnderRules] = system
    found = kept[CountsUnderRules]
    assert found is None or isinstance(found, System)
    return found


@dataclass
class Met:
    """The best sets met so far, and the smallest bound."""

    sets: Sets = field(default_factory=list)
    bound: float = inf


@dataclass(frozen=True, eq=False)
class Counted:
    """A question on several sets, and its rules as rows over features and helper variables."""

    question: Question
    system: System

    @cached_property
    def features(self) -> IntArray:
        """Indices of the features that suffice, in falling quality."""
        weights, among = self.question.problem.objective.weights, self.question.among
        among = np.arange(len(weights)) if among is None else among
        return np.asarray(among[np.argsort(-weights[among], kind="stable")])

    @property
    def weights(self) -> FloatArray:
        """Their qualities."""
        return np.asarray(self.question.problem.objective.weights[self.features], dtype=float)

    @cached_property
    def family(self) -> FamilyConditions:
        """What the sets have in common; features that do not suffice are in none."""
        k, rows = self.question.problem.sizes[1], self.system.rows
        table = np.array([row[self.features] for row, _, _ in rows]).reshape(-1, len(self.features))
        low, high = (np.array([limits[i] for limits in rows], dtype=float) for i in (1, 2))
        system = self.system
        rules = SummedRules(table, system.helpers, low, high, system.least, system.most, system.integer)
        return FamilyConditions(self.question.count, k, largest_overlap(self.question.distance, k, k), rules)

    def named(self, sets: list[list[int]]) -> Sets:
        """Name the features of sets."""
        names = self.question.problem.objective.features
        return [[names[self.features[j]] for j in sorted(one)] for one in sets]

    def answer(self, run: Run) -> Answer | None:
        """Take counts, then patterns; the best sets and the bound where the clock ends that."""
        met = Met()
        try:
            return self._count_down(run, met)
        except STOPPED as fault:
            if not met.sets:
                raise
            run.clock.note(fault)
            bound = met.bound if met.bound < inf else None
            return Answer(met.sets, Outcome.unfinished(run.stop, self.question.value(met.sets), bound))

    def _count_down(self, run: Run, met: Met) -> Answer | None:
        """Take counts in falling order, down to the best sets met; then the model of patterns."""
        family = self.family
        made = starting_sets(self.question, run.incumbent)
        met.sets = made if made and self._keeps_all(made) else []
        model = membership_counts(self.weights, family.sets, family.k, family.overlap, family.rules)
        began = time.process_time()
        for tried in range(MOST_COUNTED):
            outcome = run.solve(model)
            if outcome.stop is Stop.INFEASIBLE and not tried:
                return None if met.sets else Answer([], Outcome.infeasible())
            if outcome.value is None or outcome.bound is None:
                break
            met.bound, counts = min(met.bound, outcome.bound), counts_of(model)
            if met.sets and self._reaches(met.sets, met.bound):
                return self._answer_of_counts(met.sets, replace(outcome, bound=met.bound))
            found, stop = self._sets_with(run, counts)
            if found:
                return self._answer_of_counts(found, outcome)
            if not tried:
                met.sets = self._better_annealed(met.sets, counts, met.bound)
                found, stop = self._sets_with(run, counts) if stop is Stop.TIME else (found, stop)
                if found:  # at first loading the solver took part of the time
                    return self._answer_of_counts(found, outcome)
            if stop is not Stop.INFEASIBLE or outcome.stop is not Stop.EXHAUSTED:
                break
            if time.process_time() - began > COUNTING:
                break
            log.info("no sets have the counts of the sum %.9g", float(self.weights @ counts))
            exclude_counts(model, counts)
        return self._by_patterns(run, met.sets, met.bound)

    def _reaches(self, sets: Sets, bound: float) -> bool:
        """Return whether sets are worth as much as all are at most, but for rounding."""
        return self.question.value(sets) >= bound - CLOSED * float(np.abs(self.weights).max()) * len(sets)

    def _sets_with(self, run: Run, counts: IntArray) -> tuple[Sets, Stop]:
        """Look for sets that have given counts; and why none were found."""
        family = self.family
        if sum(comb(family.sets, int(count)) for count in counts if count) > MOST_PATTERNS:
            return [], Stop.LIMIT
        model = design_of_counts(counts, family)
        try:
            with turn(SECONDS):
                outcome = run.solve(model, packing=True)
        except OutOfTimeError:
            clock().check()
            return [], Stop.TIME
        return (self.named(sets_of(model, family.sets)) if outcome.value is not None else []), outcome.stop

    def _answer_of_counts(self, found: Sets, outcome: Outcome) -> Answer:
        """Return sets that no counts exceed: optimal, if the solver proved the counts to be the best ones."""
        value = self.question.value(found)
        proved = Outcome.optimal(value)
        better = better_neighbours(self.question, found, proved)
        if better is not None:  # the solver's claim on the counts was wrong
            value = self.question.value(better)
            return Answer(better, Outcome.unfinished(Stop.LIMIT, value), cut_short=True)
        if outcome.stop is Stop.EXHAUSTED:
            return Answer(found, proved)
        return Answer(found, Outcome.unfinished(Stop.LIMIT, value, outcome.bound), cut_short=True)

    def _better_annealed(self, before: Sets, counts: IntArray, bound: float) -> Sets:
        """Return annealed sets, if they keep all conditions and are better than those before."""
        found = self._anneal(counts, bound)
        if not found or not self._keeps_all(found):
            return before
        return max((one for one in (found, before) if one), key=self.question.value)

    def _keeps_all(self, sets: Sets) -> bool:
        """Return whether sets keep all rules, and differ enough."""
        most = self.family.overlap
        near = any(len(set(one) & set(other)) > most for one, other in combinations(sets, 2))
        return not near and self.question.keeps_all(sets)

    def _by_patterns(self, run: Run, best: Sets, bound: float) -> Answer | None:
        """Solve the model of patterns from the best sets, if it is small enough."""
        question, family = self.question, self.family
        known = question.value(best) if best else None
        if len(self.features) * 2**family.sets > MOST_PATTERNS:
            outcome = Outcome.unfinished(Stop.LIMIT, known, bound if bound < inf else None)
            return Answer(best, outcome, cut_short=True)
        model = patterns_model(self.weights, family)
        place = {question.problem.objective.features[j]: at for at, j in enumerate(self.features)}
        if best and all(f in place for one in best for f in one):
            propose_sets(model, [[place[f] for f in one] for one in best])
        solved = run.solve(model)
        sets = self.named(sets_of(model, family.sets)) if solved.value is not None else []
        return self._conclude(run, sets, solved, best, bound)

    def _conclude(self, run: Run, sets: Sets, solved: Outcome, best: Sets, bound: float) -> Answer | None:
        """Compare what the model of patterns says with the best sets and the bound of the counts."""
        question = self.question
        if best:
            refuse_false_claims(run, solved, question.value(best), best)
        if solved.proof is Proof.OPTIMAL and better_neighbours(question, sets, solved) is not None:
            return None
        if solved.proof is Proof.OPTIMAL or solved.stop is Stop.INFEASIBLE:
            return Answer(sets, solved)
        both = [sets for sets in (sets, best) if sets]
        best = max(both, key=question.value, default=[])
        bound = min(bound, inf if solved.bound is None else solved.bound)
        value = question.value(best) if best else None
        return Answer(best, Outcome.unfinished(solved.stop, value, bound if bound < inf else None))

    def _anneal(self, counts: IntArray, bound: float) -> Sets:
        """Anneal under the rules, if they are rows over the features; none if no sets were met."""
        question, family = self.question, self.family
        rules = question.structure.rules
        if rules is None or rules.on_quality:
            return []
        stated = read_conditions(question.problem.objective.weights, rules)
        if len(stated.rows) > MOST_ROWS or not stated.admit(family.k):
            return []
        own = np.flatnonzero(np.isin(self.features, stated.required))
        free = np.flatnonzero(~stated.excluded[self.features] & ~np.isin(self.features, stated.required))
        weights = self.weights[free]
        fewer = family.k - len(own), family.overlap - len(own)
        if min(fewer) < 0 or fewer[0] == 0:
            return []
        scale = SOFTNESS / np.maximum(np.abs(stated.rows).max(axis=1, initial=0.0), 1e-300)
        limits = (stated.limits - stated.rows[:, stated.required].sum(axis=1)) * scale
        rows = (stated.rows * scale[:, None])[:, self.features[free]]
        price = _price(weights, family.sets, *fewer)
        wanted = Wanted(weights, family.sets, *fewer, price, False, rows, limits)
        goal = bound - family.sets * float(self.weights[own].sum())
        found = good_family(wanted, counts[free], goal - 1e-12 * abs(goal), ANNEALINGS)
        return [] if found is None else self.named(_with(found, free, own))


def _price(weights: FloatArray, sets: int, k: int, overlap: int) -> float:
    """Price a pair of memberships of one feature, as without rules."""
    price = prices(weights, sets, k, overlap * sets * (sets - 1) // 2)[1]
    return max(price, 1e-9 * float(np.ptp(weights)) + 1e-300)


def _with(family: BoolArray, free: IntArray, own: IntArray) -> list[list[int]]:
    """Add the required features to annealed sets."""
    return [[*own.tolist(), *free[np.flatnonzero(row)].tolist()] for row in family]
