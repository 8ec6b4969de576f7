"""What would fix a search that finds too few sets, and how it is put into words."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from fractions import Fraction
from typing import Any

from altsel.exact.families.counts.too_few_features import most_apart
from altsel.models.dissimilarity import Dissimilarity, exact, share_of
from altsel.models.problem import Problem
from altsel.models.soft_diversity import Average, SoftDiversity, similarities
from altsel.results.explanation import Repair
from altsel.runtime.clock import clock
from altsel.search.alternatives.largest_dissimilarity import at, measure_of

STEPS = 20
"""Values of tau that are tried where a dissimilarity may have any value."""
MOST_TRIALS = 60
"""Values of tau tried before none is offered."""
MOST_SOUGHT = 2_000
"""Alternatives up to which a repair is tried: their sets have to be found."""
Works = Callable[[Problem, Any, int], bool]
"""Returns whether a problem, with a diversity and a number of alternatives, has all its sets."""


def repairs(
    problem: Problem, diversity: Any, alternatives: int, works: Works, kinds: Collection[str]
) -> tuple[Repair, ...]:
    """Find the nearest tau and k that work.

    Parameters
    ----------
    problem, diversity, alternatives
        What does not work.
    works
        Returns whether something does.
    kinds
        Which of ``"tau"`` and ``"k"`` may do.
    """
    offers = []
    if "tau" in kinds:
        tau = _nearest_tau(problem, diversity, lambda changed: works(problem, changed, alternatives))
        offers += [] if tau is None else [Repair("tau", tau)]
    if "k" in kinds:
        size = _nearest_size(problem, lambda changed: works(changed, diversity, alternatives))
        offers += [] if size is None else [Repair("k", size)]
    return tuple(offers)


def fewer_alternatives(problem: Problem, diversity: Any, alternatives: int, works: Works) -> int | None:
    """Find the largest number of alternatives below the one requested at which all sets exist at once."""
    most = int(min(alternatives, MOST_SOUGHT + 1, most_apart(problem, diversity)))
    counts = range(most - 1, -1, -1)
    return next((count for count in counts if not clock().over and works(problem, diversity, count)), None)


def _nearest_tau(problem: Problem, diversity: Any, works: Callable[[Any], bool]) -> float | None:
    """Find the largest tau below the one requested at which all sets exist."""
    if isinstance(diversity, SoftDiversity) and not isinstance(diversity, Average):
        return None
    measure: Dissimilarity = measure_of(diversity)
    low, high = problem.sizes
    if share_of(measure) is None:
        values = {exact(step / STEPS) for step in range(STEPS)}
    else:
        values = set[Fraction]()
        for total in range(2 * low, 2 * high + 1):  # how many features two may share is up to their total
            if clock().over:
                return None
            alike = similarities(measure, total // 2, (total + 1) // 2)
            values |= {exact(1 - float(load)) for load in alike}
    below = sorted((value for value in values if value < exact(measure.tau)), reverse=True)
    for value in below[:MOST_TRIALS]:
        if works(at(diversity, float(value))):
            return float(value)
    return None


def _nearest_size(problem: Problem, works: Callable[[Problem], bool]) -> int | None:
    """Find the largest k below the one requested at which all sets exist; else the smallest above."""
    low, high = problem.sizes
    n = len(problem.objective.features)
    for size in [*range(low - 1, 0, -1), *range(high + 1, min(n, 2 * high + 2) + 1)]:
        if works(replace(problem, k=size)):
            return int(size)
    return None
