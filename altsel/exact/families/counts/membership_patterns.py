"""Simultaneous univariate alternatives with the largest sum, by counting memberships.

The sum depends only on the *profile*: how many features are in exactly 1, 2, … of the sets.
Profiles are few. They are taken in falling order of their sum, and for each a small model
checks whether sets with that profile exist. The first that does is optimal. Where profiles
are many, or sizes free, the whole is one model (`count_model`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.families.counts.name import COUNTS
from altsel.exact.families.counts.profiles import MOST_PROFILES, realisable
from altsel.exact.question import SIMILAR, Answer, Question
from altsel.exact.run import Run, log
from altsel.exact.sources.plain_sum.conditions import read_conditions
from altsel.exact.starts.warm_start import good_sets
from altsel.exact.verification.solver_claims import refuse_false_claims
from altsel.models.dissimilarity import largest_overlap
from altsel.models.dominance import candidates
from altsel.models.membership_patterns import count_model, design_model, read_patterns, set_profile
from altsel.models.objective import Kind
from altsel.models.problem import Problem
from altsel.results.stop import Stop
from altsel.solvers import Outcome

MOST_SETS = 12
"""A model over the subsets of more sets would be larger than the one over features."""
MOST_DESIGNS = 400


class Profiles:
    """Count how many features are in which of the sets, where nothing tells features apart.

    Required features are in all sets, and forbidden ones are left out, before anything is counted.
    """

    name = COUNTS

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot answer, if it cannot."""
        if question.kind is not Kind.SUM:
            return f"a {question.kind} is no plain sum"
        if question.soft is not None:
            return SIMILAR
        if question.total != "sum":
            return (
                "only for several sets together"
                if question.count == 1
                else "the poorest set counts, not the sum"
            )
        if question.count > MOST_SETS:
            return f"{question.count} sets are more than {MOST_SETS}"
        if question.problem.across or (question.problem.subject_to and single_features(question) is None):
            return "rules tell features apart"
        return None

    def answer(self, question: Question, run: Run) -> Answer:
        """Count; where that says there are no such sets, look for some: a solver's claim is checked."""
        sets, outcome = by_counting(question, run)
        if outcome.stop is Stop.INFEASIBLE:
            some = good_sets(question, None)
            if some:
                refuse_false_claims(run, outcome, question.value(some), some)
        return Answer(sets, outcome, final=bool(run.incumbent))


def single_features(question: Question) -> tuple[list[int], list[int]] | None:
    """Return the features that rules require and forbid, by index; None if they say more than that."""
    problem = question.problem
    if not problem.subject_to:
        return [], []
    rules = question.structure.rules
    if rules is None or rules.on_quality:
        return None
    stated = read_conditions(problem.objective.weights, rules)
    low, high = problem.sizes
    if len(stated.rows) or len(stated.required) >= low or not all(map(stated.admit, range(low, high + 1))):
        return None
    return stated.required.tolist(), np.flatnonzero(stated.excluded).tolist()


def by_counting(question: Question, run: Run) -> tuple[list[list[str]], Outcome]:
    """Find the sets with the largest sum of qualities, and what was proved of it.

    Required features are in all sets: the others are counted, with as much less of size and overlap.
    """
    problem, sets, dissimilarity = question.problem, question.count, question.distance
    required, excluded = single_features(question) or ([], [])
    weights, names = rank_features(problem, sets, [*required, *excluded])
    fixed = len(required)
    began = time.perf_counter()
    profiles = None
    if problem.sizes[0] == problem.sizes[1]:
        spare = largest_overlap(dissimilarity, *problem.sizes) - fixed
        if spare < 0:
            return [], Outcome.infeasible()
        cap = spare * sets * (sets - 1) // 2
        profiles = feasible_profiles(sets, problem.sizes[1] - fixed, cap, len(weights))
        if profiles is None and run.incumbent:
            return run.incumbent, Outcome.unfinished(Stop.LIMIT, question.value(run.incumbent))
    patterns: list[int] = []
    outcome = None
    if profiles is not None:
        patterns, outcome = _by_profiles(question, run, profiles, weights, fixed)
    if outcome is None:
        model = count_model(weights, sets, problem.sizes, dissimilarity, fixed)
        outcome = run.solve(model)
        patterns = read_patterns(model) if outcome.value is not None else []
    always = sets * float(problem.objective.weights[required].sum())
    value, bound = (None if one is None else one + always for one in (outcome.value, outcome.bound))
    seconds = time.perf_counter() - began
    outcome = replace(outcome, value=value, bound=bound, seconds=seconds, largest_term=0.0, rounding=0.0)
    own = [problem.objective.features[j] for j in required]
    found = [[*own, *(f for f, p in zip(names, patterns, strict=False) if p >> i & 1)] for i in range(sets)]
    return (found if patterns else []), outcome


def rank_features(problem: Problem, sets: int, apart: list[int]) -> tuple[FloatArray, list[str]]:
    """Sort the features that can matter by weight, without those apart: the best ``sets * k`` are enough."""
    objective, count = problem.objective, sets * problem.sizes[1]
    among = candidates(problem, [], count) if not problem.subject_to else None
    if among is None:
        among = np.setdiff1d(np.arange(len(objective.features)), apart)
    order = among[np.argsort(-objective.weights[among], kind="stable")][:count]
    return objective.weights[order], [objective.features[j] for j in order]


def feasible_profiles(sets: int, k: int, cap: int, features: int) -> IntArray | None:
    """List the profiles N with the right sizes and few enough common pairs.

    ``sum_l l N_l = sets k``, ``sum_l l (l - 1) / 2 N_l <= cap``, ``sum_l N_l <= features``.

    Returns
    -------
    array of shape (profiles, sets) or None
        Column l - 1 is N_l; None if there are more than `MOST_PROFILES`.

    Examples
    --------
    >>> feasible_profiles(2, 2, 1, 9).tolist()
    [[4, 0], [2, 1]]
    """
    partial = np.zeros((1, 0), dtype=np.int64)
    left, pairs = np.array([sets * k]), np.array([cap])
    for level in range(sets, 1, -1):
        most = np.minimum(left // level, pairs // (level * (level - 1) // 2))
        if (most + 1).sum() > MOST_PROFILES:
            return None
        parent = np.repeat(np.arange(len(left)), most + 1)
        number = np.arange(len(parent)) - np.repeat(np.cumsum(most + 1) - most - 1, most + 1)
        partial = np.column_stack([number, partial[parent]])
        left = left[parent] - level * number
        pairs = pairs[parent] - level * (level - 1) // 2 * number
    profiles = np.column_stack([left, partial])
    return np.asarray(profiles[profiles.sum(axis=1) <= features])


def _in_order(profiles: IntArray, weights: FloatArray) -> Iterator[tuple[IntArray, float]]:
    """Profiles by falling sum of qualities, which is ``sum_l (q_(1) + ... + q_(m_l))``."""
    sums = np.concatenate([[0.0], np.cumsum(weights)])
    values = sums[np.cumsum(profiles[:, ::-1], axis=1)].sum(axis=1)
    for i in np.argsort(-values, kind="stable"):
        yield profiles[i], float(values[i])


def _by_profiles(
    question: Question, run: Run, profiles: IntArray, weights: FloatArray, fixed: int
) -> tuple[list[int], Outcome | None]:
    """Realise the best profile that can be realised; no outcome if too many cannot."""
    k = question.problem.sizes[1]
    spare = largest_overlap(question.distance, k, k) - fixed
    profiles = profiles[realisable(profiles, k - fixed, spare)]
    design = design_model(question.count, k, question.distance, fixed)
    bound: float | None = None  # the sum of the best profile that is still undecided
    last = Stop.INFEASIBLE
    for tried, (profile, value) in enumerate(_in_order(profiles, weights)):
        if tried == MOST_DESIGNS:
            log.info("%d profiles cannot be realised; solving the whole as one model", tried)
            return [], None
        set_profile(design, profile.tolist())
        answer = run.solve(design)
        if answer.value is not None:
            found = read_patterns(design)
            if bound is None:
                return found, Outcome.optimal(value)
            return found, Outcome.unfinished(last, value, bound)
        if answer.stop is not Stop.INFEASIBLE:
            bound, last = bound if bound is not None else value, answer.stop
        if answer.stop is Stop.INTERRUPT or (bound is not None and run.incumbent):
            break  # sets are at hand, and what is best stays open
    return [], Outcome.unfinished(last, None, bound)
