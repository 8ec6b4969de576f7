"""The third formulation of AFS 3.1: sets as different as can be that lose little quality."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import combinations
from math import inf
from typing import Any

from altsel.errors import flags
from altsel.exact.auto_solver import SolverLike
from altsel.exact.run import by_engines, checked_count, checked_question, engines_of, log
from altsel.exact.shared_structures import shared_structures
from altsel.exact.verification.verified_solutions import plain_diversity
from altsel.models.problem import Problem
from altsel.results.feature_set import FeatureSet
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.runtime.clock import limited
from altsel.runtime.progress import parts
from altsel.search.alternatives.largest_dissimilarity import (
    Diversity,
    Furthest,
    furthest,
    measured,
    overall,
    step,
    unproved,
)
from altsel.search.alternatives.quality_loss import Loss, checked_loss, plain_loss
from altsel.search.alternatives.sequential import sequential
from altsel.search.alternatives.simultaneous import simultaneous


def most_different(  # noqa: PLR0913  (two searches share them)
    problem: Problem,
    dissimilarity: Diversity,
    alternatives: int,
    within: Loss,
    solver: SolverLike = None,
    time_limit: float | None = None,
    *,
    together: bool = False,
    start: Sequence[Collection[str]] = (),
) -> Solutions:
    """Find the best set, then again and again the set most different from all before, at little loss.

    ``max min_i d(s, s_i)`` (or the mean) subject to ``Q(s) >= floor``; of the sets that are as
    different, the best one. The largest tau at which the best set still reaches the floor is found
    by bisection, each question being one of `sequential`.

    Parameters
    ----------
    problem
        What is wanted of every set.
    dissimilarity
        `Dice` or `Jaccard`, or `Average` of one; its tau is the least dissimilarity wanted.
    alternatives
        Number of alternatives a. No set is given twice, at tau = 0 neither.
    within
        `AbsoluteLoss` or `RelativeLoss` loss of quality, against the best set; where time is up before that
        one is proved, against the best that was met.
    solver
        A solver, a profile's name, or None for what does best.
    time_limit
        Seconds for the whole call.
    together
        Whether the sets are found at once: ``max min_{i<j} d(s_i, s_j)`` (or the mean), and bounds say what a
        set might have.
    start
        Good sets to begin with, as in `sequential`.

    Returns
    -------
    Solutions
        The best set and its alternatives; ``OPTIMAL`` says that no set within the loss is more
        different (means: by more than 1e-5), and none as different is better. ``stop`` is
        ``INFEASIBLE`` if no further set is within the loss and differs.

    Raises
    ------
    ArgumentError, ConfigurationError, SolverError
        If an argument, the solver's profile or the model is wrong.

    Examples
    --------
    >>> from altsel import Dice, Problem, RelativeLoss, Univariate, most_different
    >>> problem = Problem(Univariate([5, 4, 4, 3]), k=2)
    >>> [subset.features for subset in most_different(problem, Dice(0), 1, RelativeLoss(0.25))]
    [('x0', 'x1'), ('x2', 'x3')]
    """
    checked_question(problem, dissimilarity)
    flags(together=together)
    within = checked_loss(within, problem.objective)
    if together:
        return _most_different_together(
            problem, dissimilarity, alternatives, within, solver, time_limit, start
        )
    count = checked_count(alternatives)
    with limited(time_limit), parts(), shared_structures():
        found = sequential(problem, measured(dissimilarity), 0, solver, start=start)
        sets, stop, effort = list(found.sets), found.stop, found.effort
        engines = [engines_of(found)]
        while sets and len(sets) < count and stop is Stop.COUNT:
            further = _further(problem, dissimilarity, sets, within, solver, start)
            sets += further.sets if found.proved else unproved(further.sets)
            stop, effort = further.stop, effort + further.effort
            engines += further.engines
            log.info("set %d of %d: stop %s", len(sets), count, stop)
    search = f"most_different, {dissimilarity}, {within}, alternatives={alternatives}{by_engines(engines)}"
    request = _request("most_different", dissimilarity, within, alternatives, found)
    found = replace(found, sets=tuple(sets), search=search, stop=stop, effort=effort, request=request)
    return found.answering(problem, dissimilarity)


def _request(
    name: str, diversity: Diversity, within: Loss, alternatives: int, found: Solutions
) -> dict[str, Any]:
    """State what was requested, on top of what the first search in it was."""
    wanted = {"search": name, "alternatives": alternatives, "within": plain_loss(within)}
    return {**found.request, **wanted, "diversity": plain_diversity(diversity)}


def _further(
    problem: Problem,
    diversity: Diversity,
    sets: Sequence[FeatureSet],
    within: Loss,
    solver: SolverLike,
    start: Sequence[Collection[str]],
) -> Furthest:
    """Find the set most different from those before."""
    known = [subset.features for subset in sets]

    def solve(wanted: Diversity) -> Solutions:
        return sequential(problem, wanted, 1, solver, known, start=start)

    def overall_of(answer: Solutions) -> float:
        return overall(diversity, [(subset, answer[0]) for subset in known])

    beyond = step(diversity, [problem.sizes[1], *map(len, known)])
    return furthest(solve, overall_of, diversity, within.floor(sets[0].score), beyond)


def _most_different_together(
    problem: Problem,
    dissimilarity: Diversity,
    alternatives: int,
    within: Loss,
    solver: SolverLike = None,
    time_limit: float | None = None,
    start: Sequence[Collection[str]] = (),
) -> Solutions:
    """Find all sets at once, as different from each other as can be, each within the loss of the best.

    ``max min_{i<j} d(s_i, s_j)`` (or the mean) subject to ``Q(s_i) >= floor``; of the families that are
    as different, the one whose poorest set is best. Arguments and result as in `most_different`; bounds
    say what a set might have.

    Examples
    --------
    >>> from altsel import Dice, Problem, RelativeLoss, Univariate, most_different
    >>> problem = Problem(Univariate([5, 4, 4, 3]), k=2)
    >>> [subset.features for subset in most_different(problem, Dice(0), 1, RelativeLoss(0.2), together=True)]
    [('x0', 'x3'), ('x1', 'x2')]
    """
    checked_count(alternatives)

    def solve(diversity: Diversity) -> Solutions:
        return simultaneous(problem, diversity, alternatives, "min", solver, start=start)

    def overall_of(answer: Solutions) -> float:
        return overall(dissimilarity, list(combinations(answer, 2)))

    with limited(time_limit), parts(), shared_structures():
        best = sequential(problem, measured(dissimilarity), 0, solver, start=start)
        if not best.sets or alternatives == 0 or best.stop is not Stop.COUNT:
            return best if alternatives == 0 else replace(best, sets=())
        beyond, top, cost = step(dissimilarity, problem.sizes), best[0].score, best.effort
        engines = [engines_of(best)]
        while True:
            found = furthest(solve, overall_of, dissimilarity, within.floor(top), beyond)
            sets, stop, cost = found.sets, found.stop, cost + found.effort
            engines += found.engines
            better = max((subset.score for subset in sets), default=-inf)
            if better <= top + 1e-9 * abs(top):
                break
            top = better  # the best set was not proved, and a better one was met: less may be lost
    search = f"most_different_together, {dissimilarity}, {within}, alternatives={alternatives}"
    search += by_engines(engines)
    sets = sets if best.proved else unproved(sets)
    request = _request("most_different_together", dissimilarity, within, alternatives, best) | {"best": top}
    best = replace(best, sets=sets, search=search, stop=stop, effort=cost, request=request)
    return best.answering(problem, dissimilarity)
