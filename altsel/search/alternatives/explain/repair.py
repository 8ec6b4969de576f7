"""What would fix a search that finds too few sets, and how it is put into words."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from itertools import product
from math import inf
from typing import Any

from altsel.models.dissimilarity import Dissimilarity, exact, largest_overlap, share_of
from altsel.models.problem import Problem
from altsel.models.soft_diversity import Average, SoftDiversity, similarities
from altsel.results.explanation import Repair
from altsel.search.alternatives.largest_dissimilarity import at, measure_of

STEPS = 20
"""Values of tau that are tried where a dissimilarity may have any value."""
MOST_TRIALS = 60
"""Values of tau tried before none is offered."""
Works = Callable[[Problem, Any, int], bool]
"""Returns whether a problem, with a diversity and a number of alternatives, has all its sets."""


def repairs(
    problem: Problem, diversity: Any, alternatives: int, works: Works, kinds: Collection[str]
) -> tuple[Repair, ...]:
    """Find the nearest tau, k and number of alternatives that work.

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
    counts = range(alternatives - 1, -1, -1)
    most = next((count for count in counts if works(problem, diversity, count)), None)
    if most is not None and "tau" in kinds:
        tau = _nearest_tau(problem, diversity, lambda changed: works(problem, changed, alternatives))
        offers += [] if tau is None else [Repair("tau", tau)]
    if "k" in kinds:
        size = _nearest_size(problem, lambda changed: works(changed, diversity, alternatives))
        offers += [] if size is None else [Repair("k", size)]
    offers += [] if most is None else [Repair("alternatives", most)]
    return tuple(offers)


def most_apart(problem: Problem, diversity: Any) -> float:
    """Bound how many sets can differ as wanted, by their sizes alone (Johnson 1962).

    With sets of k features or more out of n, any two of which share at most o < k, o + 1 features are
    together in one of them at most: there are no more than ``C(n, o + 1) / C(k, o + 1)``, and by the sets
    that hold one feature, and so on, than ``floor(n / k floor((n - 1) / (k - 1) ...))``, o + 1 factors.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate
    >>> most_apart(Problem(Univariate([1] * 7), k=3), Dice(0.6))
    7
    """
    n, (low, high) = len(problem.objective.features), problem.sizes
    sizes = range(low, high + 1)
    if isinstance(diversity, SoftDiversity) or share_of(diversity) is None:
        return inf
    shared = max(largest_overlap(diversity, one, other) for one, other in product(sizes, sizes))
    if shared >= low:
        return inf
    most = 1
    for taken in range(shared, -1, -1):
        most = (n - taken) * most // (low - taken)
    return most


def _nearest_tau(problem: Problem, diversity: Any, works: Callable[[Any], bool]) -> float | None:
    """Find the largest tau below the one requested at which all sets exist."""
    if isinstance(diversity, SoftDiversity) and not isinstance(diversity, Average):
        return None
    measure: Dissimilarity = measure_of(diversity)
    sizes = range(problem.sizes[0], problem.sizes[1] + 1)
    if share_of(measure) is None:
        values = {exact(step / STEPS) for step in range(STEPS)}
    else:
        values = {
            exact(1 - float(similarities(measure, a, b)[common]))
            for a, b in product(sizes, sizes)
            for common in range(min(a, b) + 1)
        }
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
