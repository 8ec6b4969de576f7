"""Simultaneous univariate alternatives with the largest sum, by counting memberships.

The sum depends only on the *profile*: how many features are in exactly 1, 2, … of the sets.
Profiles are few. They are taken in falling order of their sum, and for each a small model
asks whether sets with that profile exist. The first that does is optimal. Where profiles
are many, or sizes free, the whole is one model (`count_model`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.run import Run, log
from altsel.models.dissimilarity import Dissimilarity, largest_overlap
from altsel.models.dominance import candidates
from altsel.models.membership_patterns import count_model, design_model, read_patterns, set_profile
from altsel.models.problem import Problem
from altsel.results.solutions import Proof, Stop
from altsel.solvers import Outcome

MOST_SETS = 12
"""A model over the subsets of more sets would be larger than the one over features."""
MOST_PROFILES = 200_000
MOST_DESIGNS = 400


def by_counting(run: Run, sets: int, dissimilarity: Dissimilarity) -> tuple[list[list[str]], Outcome]:
    """Find the sets with the largest sum of qualities.

    Parameters
    ----------
    run
        A search whose problem has a separable objective and no domain constraints.
    sets
        Number of sets.
    dissimilarity
        Measure and threshold.

    Returns
    -------
    list of list of str
        The sets; empty if there are none.
    Outcome
        What was proved of their sum.
    """
    problem = run.problem
    weights, names = ranked(problem, sets)
    began = time.perf_counter()
    profiles = None
    if problem.sizes[0] == problem.sizes[1]:
        cap = largest_overlap(dissimilarity, *problem.sizes) * sets * (sets - 1) // 2
        profiles = feasible_profiles(sets, problem.sizes[1], cap, len(weights))
    patterns: list[int] = []
    outcome = None
    if profiles is not None:
        patterns, outcome = _by_profiles(run, profiles, weights, dissimilarity)
    if outcome is None:
        model = count_model(weights, sets, problem.sizes, dissimilarity)
        outcome = run.solve(model)
        patterns = read_patterns(model) if outcome.value is not None else []
    seconds = time.perf_counter() - began
    outcome = Outcome(outcome.stop, outcome.proof, outcome.value, outcome.bound, seconds)
    found = [[f for f, p in zip(names, patterns, strict=False) if p >> i & 1] for i in range(sets)]
    return (found if patterns else []), outcome


def ranked(problem: Problem, sets: int) -> tuple[FloatArray, list[str]]:
    """Sort the features that can matter by weight: the best ``sets * k`` are enough."""
    among = candidates(problem, [], sets * problem.sizes[1])
    objective: Any = problem.objective
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
    run: Run, profiles: IntArray, weights: FloatArray, dissimilarity: Dissimilarity
) -> tuple[list[int], Outcome | None]:
    """Realise the best profile that can be realised; no outcome if too many cannot."""
    design = design_model(profiles.shape[1], run.problem.sizes[1], dissimilarity)
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
                return found, Outcome(Stop.EXHAUSTED, Proof.OPTIMAL, value, value, 0.0)
            return found, Outcome(last, Proof.FEASIBLE, value, bound, 0.0)
        if answer.stop is not Stop.INFEASIBLE:
            bound, last = bound if bound is not None else value, answer.stop
        if answer.stop is Stop.INTERRUPT:
            break
    return [], Outcome(last, None, None, bound, 0.0)
