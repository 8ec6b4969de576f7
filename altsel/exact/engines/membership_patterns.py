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
from altsel.exact.engines.milp import refuse_lies
from altsel.exact.profiles import MOST_PROFILES, realisable
from altsel.exact.question import Answer, Question
from altsel.exact.run import Run, log
from altsel.exact.warm_start import good_sets
from altsel.models.dissimilarity import largest_overlap
from altsel.models.dominance import candidates
from altsel.models.membership_patterns import count_model, design_model, read_patterns, set_profile
from altsel.models.objective import Kind
from altsel.models.problem import Problem
from altsel.models.soft_diversity import SoftDiversity
from altsel.results.stop import Stop
from altsel.solvers import Outcome

MOST_SETS = 12
"""A model over the subsets of more sets would be larger than the one over features."""
MOST_DESIGNS = 400


class MembershipPatterns:
    """Count how many features are in which of the sets, where nothing else tells features apart."""

    name = "membership patterns"

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot answer, if it cannot."""
        if question.kind is not Kind.SUM:
            return f"a {question.kind} is no plain sum"
        if question.problem.subject_to or question.problem.across:
            return "rules tell features apart"
        if isinstance(question.diversity, SoftDiversity):
            return "sets may be similar at a penalty, or on average"
        if question.total != "sum":
            return (
                "only for several sets together"
                if question.count == 1
                else "the poorest set counts, not the sum"
            )
        return f"{question.count} sets are more than {MOST_SETS}" if question.count > MOST_SETS else None

    def answer(self, question: Question, run: Run) -> Answer:
        """Count; where that says there are no such sets, look for some: a solver's word is checked."""
        sets, outcome = by_counting(question, run)
        if outcome.stop is Stop.INFEASIBLE:
            some = good_sets(question, None)
            if some:
                refuse_lies(run, outcome, question.value(some), some)
        return Answer(sets, outcome, final=bool(run.incumbent))


def by_counting(question: Question, run: Run) -> tuple[list[list[str]], Outcome]:
    """Find the sets with the largest sum of qualities, and what was proved of it."""
    problem, sets, dissimilarity = question.problem, question.count, question.distance
    weights, names = ranked(problem, sets)
    began = time.perf_counter()
    profiles = None
    if problem.sizes[0] == problem.sizes[1]:
        cap = largest_overlap(dissimilarity, *problem.sizes) * sets * (sets - 1) // 2
        profiles = feasible_profiles(sets, problem.sizes[1], cap, len(weights))
        if profiles is None and run.incumbent:
            return run.incumbent, Outcome.unfinished(Stop.LIMIT, question.value(run.incumbent))
    patterns: list[int] = []
    outcome = None
    if profiles is not None:
        patterns, outcome = _by_profiles(question, run, profiles, weights)
    if outcome is None:
        model = count_model(weights, sets, problem.sizes, dissimilarity)
        outcome = run.solve(model)
        patterns = read_patterns(model) if outcome.value is not None else []
    seconds = time.perf_counter() - began
    outcome = replace(outcome, seconds=seconds, largest_term=0.0, rounding=0.0)
    found = [[f for f, p in zip(names, patterns, strict=False) if p >> i & 1] for i in range(sets)]
    return (found if patterns else []), outcome


def ranked(problem: Problem, sets: int) -> tuple[FloatArray, list[str]]:
    """Sort the features that can matter by weight: the best ``sets * k`` are enough."""
    among = candidates(problem, [], sets * problem.sizes[1])
    objective = problem.objective
    assert among is not None
    order = among[np.argsort(-objective.weights[among], kind="stable")]
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
    question: Question, run: Run, profiles: IntArray, weights: FloatArray
) -> tuple[list[int], Outcome | None]:
    """Realise the best profile that can be realised; no outcome if too many cannot."""
    k = question.problem.sizes[1]
    profiles = profiles[realisable(profiles, k, largest_overlap(question.distance, k, k))]
    design = design_model(question.count, k, question.distance)
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
