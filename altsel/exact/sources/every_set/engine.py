"""The engine that lists all admissible sets, where they are few enough."""

from __future__ import annotations

import time
from dataclasses import replace
from math import comb, inf, isfinite

from altsel.exact.predicted_seconds import predicted
from altsel.exact.question import FEW_SETS, Answer, Question, Structure
from altsel.exact.rules.linear_rules import partial_rules
from altsel.exact.run import Run, log
from altsel.exact.sources.every_set.pool import Pool, list_all
from altsel.exact.sources.every_set.soft_diversity import given_up, soft_answer
from altsel.models.dissimilarity import Dissimilarity
from altsel.models.objective import Kind
from altsel.runtime.clock import clock
from altsel.runtime.memory import shortage
from altsel.solvers import Outcome

MOST_SETS = 1_000_000
MOST_EVALUATED = 20_000
"""Sets up to which a dissimilarity that is no share of an overlap is evaluated pair by pair."""
MOST_SOLVED = 2_000
"""Sets for each of which a solver may be asked whether it keeps a rule."""
LISTED_FIRST, MOST_TO_COME = 200_000, 10
"""Sets that are listed before one set is searched, as the next ones are looked up; and how many of these
count: few searches go on for more."""
PER_SET, PER_MEMBER = 100, 16
"""Bytes a set listed, and a feature of it; found by measuring."""
PACE = 8e-8
"""Seconds a feature of a set listed."""


class AllSets:
    """List all sets, sort them by score, and take the best that differ enough."""

    name = "list of all sets"

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot answer, if it cannot."""
        if question.named:
            return "a solver is named"
        if question.problem.across:
            return "rules across sets hold for all sets together"
        if question.by_rows and question.structure.number > MOST_EVALUATED:
            return f"the dissimilarity of {question.structure.number:,} sets would be evaluated pair by pair"
        return _why_not_evaluated(question) or why_not_listed(question.structure)

    def expected_seconds(self, question: Question) -> float:
        """Predict the CPU seconds it takes; one set is looked up once all are listed."""
        if question.count > 1:
            return predicted(self.name, question)
        if not are_listed(question):
            return inf
        known = AllSets in question.structure.lists or question.structure.number <= LISTED_FIRST
        listed = PACE * question.structure.number * question.problem.sizes[1]
        return 0.0 if known else listed / min(question.to_come, MOST_TO_COME)

    def answer(self, question: Question, run: Run) -> Answer:
        """Search the list."""
        return from_pool(question, run, every_set(question.structure, question.distance))


def are_listed(question: Question) -> bool:
    """Return whether all sets are listed before anything else is tried.

    The next set under a plain sum is found sooner than all are listed, and rules across sets would have them
    listed anew for every set found.
    """
    if question.count == 1 and question.soft is None and question.kind is not Kind.BLACK_BOX:
        sum_by_rows = question.kind is Kind.SUM and question.structure.evaluated is None
        if sum_by_rows or question.fresh:
            return False
    return AllSets().why_not(question) is None


def every_set(structure: Structure, distance: Dissimilarity) -> Pool:
    """List all sets that keep the rules that are rows, once; others are evaluated when it is asked."""
    known: Pool | None = structure.lists.get(AllSets)
    if known is None:
        complete = structure.rules is not None
        rules = structure.rules if structure.rules is not None else partial_rules(structure.problem)
        known = list_all(structure.problem, distance, rules, None if complete else structure.admits)
    elif known.dissimilarity != distance:
        known = replace(known, dissimilarity=distance)
    structure.lists[AllSets] = known
    return known


def _why_not_evaluated(question: Question) -> str | None:
    """Return why sets are not evaluated one by one: a rule that learns cuts off most of many sets."""
    if not question.problem.learned or question.kind is Kind.BLACK_BOX:
        return None
    many = question.structure.number > FEW_SETS
    return "a rule learns from few sets which others break it" if many else None


def why_not_listed(structure: Structure) -> str | None:
    """Return why the sets of a problem cannot be listed, if they cannot."""
    if AllSets in structure.lists:
        return None
    objective = structure.problem.objective
    most = MOST_SETS if objective.most_sets is None else min(MOST_SETS, objective.most_sets)
    if structure.number > most:
        return f"{structure.number:,} sets are more than {most:,}"
    if structure.rules is None and structure.evaluated is None:
        return _why_not_solved(structure)
    needed = structure.number * (PER_SET + PER_MEMBER * structure.problem.sizes[1])
    if (short := shortage(needed, f"{structure.number:,} sets in a list")) is not None:
        return short
    if isfinite(clock().left) and objective.most_sets is None:
        low, high = structure.problem.sizes
        work = sum(comb(len(structure.problem.index), size) * size for size in range(low, high + 1))
        if work * PACE > clock().left / 2:
            return "there would be no time left to do anything else"
    return None


def _why_not_solved(structure: Structure) -> str | None:
    """Return why sets cannot be listed where a solver says of each whether it keeps a rule."""
    if structure.problem.objective.kind is not Kind.BLACK_BOX:
        return "a rule has variables of its own, and a model takes them"
    if structure.number > MOST_SOLVED:
        return f"a rule has variables of its own, and {structure.number:,} sets would each take a solver"
    return None


def from_pool(question: Question, run: Run, pool: Pool) -> Answer:
    """Take the best sets of a list; what is cut short leaves a bound, for others to go on."""
    began = time.perf_counter()
    run.listed = len(pool.scores)
    if question.soft is not None:
        return soft_answer(pool.keep_valid(), question)
    if question.count == 1:
        indices = pool.following(1, question.known)
        found = [pool.names(index) for index in indices]
        return Answer(found, Outcome.optimal(None) if found else Outcome.infeasible())
    run.incumbent = [pool.names(index) for index in pool.following(question.count)]
    indices, value, bound = pool.together(question.count, question.total)
    sets = [pool.names(index) for index in indices]
    seconds = time.perf_counter() - began
    if bound > value:
        log.info("the list of %d sets leaves a gap", len(pool.scores))
        outcome = Outcome.unfinished(given_up(), value if sets else None, bound, seconds)
        return Answer(sets, outcome, cut_short=True)
    return Answer(sets, Outcome.optimal(value, seconds) if sets else Outcome.infeasible(seconds))
