"""Several sets in one model, all different enough from each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from altsel.models.dissimilarity import Dissimilarity
from altsel.models.overlap_rows import bound_memberships, differ
from altsel.models.problem import Problem, model_of_sets
from altsel.runtime.memory import require

PER_VARIABLE, PER_COMMON = 600, 2_000
"""Bytes of a feature in a set, and in a pair of sets, once the model is written; found by measuring."""


def formulate_together(
    problem: Problem,
    dissimilarity: Dissimilarity,
    sets: int,
    total: str = "sum",
    among: Sequence[int] | None = None,
) -> Any:
    """Build the model of simultaneous search (AFS 3.2.2).

    ``max sum_i Q(s_i)`` or ``max min_i Q(s_i)`` subject to ``d(s_i, s_j) >= tau`` for all pairs.

    Parameters
    ----------
    problem
        What is wanted of every set.
    dissimilarity
        Measure and threshold between the sets.
    sets
        Number of sets.
    total
        ``"sum"`` or ``"min"``.
    among
        Places of the features that may be chosen; default: all.

    Returns
    -------
    pyomo.environ.ConcreteModel
        As made by `model_of_sets`, with the conditions between the sets.
    """
    features = len(problem.objective.features if among is None else among)
    needed = features * (PER_VARIABLE * sets + PER_COMMON * (sets * (sets - 1) // 2))
    require(needed, f"a model of {sets:,} sets of {features:,} features", "ask for fewer sets")
    model = model_of_sets(problem, sets, total=total, among=among)
    if sets > 1:
        differ(dissimilarity, model, problem.sizes)
        if total == "sum":
            bound_memberships(dissimilarity, model, problem.sizes)
    return model
