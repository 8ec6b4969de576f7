"""The question of a certificate in plain numbers: what a set scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from altsel.auditing.certificates.bounds.tables import TableBounds
from altsel.auditing.certificates.criterion import Stated, of_all_sizes
from altsel.auditing.certificates.fits import of_least_squares, of_model
from altsel.auditing.certificates.lines import hexadecimal
from altsel.auditing.certificates.rows import MOST_LISTED, NotCoveredError
from altsel.auditing.certificates.sums_and_pairs import of_pairs, of_ratio, of_sum
from altsel.models.cfs import CFS
from altsel.models.objective import Kind
from altsel.models.pair_criterion import PairCriterion
from altsel.models.problem import Problem

MOST_MEASURED = 2_000
"""Features of which all pairs are measured for a certificate."""


def with_all_pairs(problem: Problem) -> Problem:
    """Return a problem whose criterion holds the redundancies of all pairs, if these are not too many."""
    objective = problem.objective
    if not isinstance(objective, PairCriterion) or not objective.wide or len(problem.index) > MOST_MEASURED:
        return problem
    whole = objective.redundancy_among(np.arange(len(problem.index)))
    return replace(problem, objective=objective.with_redundancy(objective.relevance, whole))


def stated(problem: Problem, penalised: bool = False) -> Stated:
    """State the criterion of a problem: by its numbers, or else the score of each set.

    Raises
    ------
    NotCoveredError
        If it is of a kind that certificates do not know, or cannot bound less a penalty, and there are many
        sets.
    """
    sizes = range(problem.sizes[0], problem.sizes[1] + 1)
    try:
        known = _by_numbers(problem.objective, sizes)
        if penalised and not known.unit(sizes[0]):
            raise NotCoveredError(f"{problem.objective.name} less a penalty")
    except NotCoveredError as fault:
        if sum(comb(len(problem.index), size) for size in sizes) > MOST_LISTED:
            raise NotCoveredError(f"{fault}, and there are more than {MOST_LISTED:,} sets") from fault
        return _table(problem, sizes)
    return known


def _by_numbers(objective: Any, sizes: range) -> Stated:
    if isinstance(objective, PairCriterion) and objective.wide:
        raise NotCoveredError(f"{objective.name} of so many features that not all pairs are measured")
    if objective.as_sum is not None:
        return of_sum(objective.as_sum[0], sizes)
    known = KINDS.get(objective.kind)
    if known is None or (objective.kind is Kind.RATIO and not isinstance(objective, CFS)):
        raise NotCoveredError(f"{objective.name} is not known by its numbers")
    return known(objective, sizes)


def _table(problem: Problem, sizes: range) -> Stated:
    """State the score of each set that the criterion admits."""
    n, objective = len(problem.index), problem.objective
    scores = {}
    for one in (frozenset(one) for size in sizes for one in combinations(range(n), size)):
        mask = np.isin(np.arange(n), list(one))
        if objective.checked_feasible(mask):
            scores[one] = float(objective.checked_score(mask))
    line = {"kind": "table", "sets": [*map(sorted, scores)], "scores": hexadecimal(scores.values())}
    return Stated(
        of_all_sizes(sizes, line),
        lambda size, limit, rows, name: TableBounds(limit),
        max(map(abs, scores.values()), default=0.0),
        exact=lambda members: Fraction(scores[frozenset(members)]),
    )


KINDS: dict[Kind, Callable[[Any, range], Stated]] = {
    Kind.SUM: of_sum,
    Kind.QUADRATIC: of_pairs,
    Kind.RATIO: of_ratio,
    Kind.LEAST_SQUARES: of_least_squares,
    Kind.MODEL_FIT: of_model,
}
"""Kinds of criteria that certificates know, and what states each."""
