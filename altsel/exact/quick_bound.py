"""A bound on every set of a problem in no time, for answers that a limit leaves without one."""

from __future__ import annotations

from math import inf

import numpy as np

from altsel.exact.sources.quadratic.lagrangian_bound import Form, root_bound
from altsel.models.objective import Kind, Objective
from altsel.models.pair_criterion import PairCriterion
from altsel.models.problem import Problem
from altsel.results.rounded_sum import sum_rounded_up

MOST_FEATURES = 2_000
"""Features above which pairs are bounded all by the best one."""


def quality_bound(problem: Problem, level: float = 0.0) -> float:
    """Bound the quality of every set of the sizes wanted; infinite if nothing is known.

    Pairs of very many features: ideal ones. Sums: the largest weights. Quadratic forms: every feature with
    its cheapest partners. Ratios: what a set can exceed a level by, as a bound on the ratio.

    Parameters
    ----------
    problem
        The criterion and the sizes; rules and distances only make less possible.
    level
        Quality of a set that is known, for ratios.

    Examples
    --------
    >>> from altsel import Problem, Univariate
    >>> quality_bound(Problem(Univariate([3, 2, 1]), k=2)) >= 5
    True
    """
    objective = problem.objective
    low, high = problem.sizes
    if isinstance(objective, PairCriterion) and objective.wide:
        return objective.ideal_bound(problem.sizes)
    if objective.kind is Kind.SUM:
        ordered = np.sort(objective.weights)[::-1][:high]
        count = max(low, int((ordered > 0).sum()))
        return sum_rounded_up(ordered[:count].tolist())
    if objective.kind is Kind.RATIO:
        excess = _form_bound(objective.parametric(max(level, 0.0)), low, high)
        return objective.bound_from_excess(max(level, 0.0), excess, problem.sizes)
    return _form_bound(objective, low, high) if objective.kind is Kind.QUADRATIC else objective.most


def _form_bound(objective: Objective, low: int, high: int) -> float:
    bound = -inf
    for size in range(low, high + 1):
        linear, pairs = objective.quadratic(size)
        if len(linear) > MOST_FEATURES:
            helped = linear - (size - 1) / 2 * float(pairs.min())
            bound = max(bound, float(np.partition(helped, -size)[-size:].sum() * (1 + 1e-12)))
        else:
            form = Form(linear, pairs, size, np.empty((0, len(linear))), np.empty(0))
            bound = max(bound, root_bound(form))
    return bound
