"""The exact front of quality and dissimilarity, by the epsilon-constraint method (AFS 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import combinations

from altsel.errors import flags
from altsel.exact.auto_solver import SolverLike
from altsel.exact.run import checked_count, checked_question, checked_total, log
from altsel.exact.shared_structures import shared_structures
from altsel.models.given_sets import given_sets
from altsel.models.objective import Objective
from altsel.models.problem import Problem
from altsel.results.front import Front, Point
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.runtime.clock import STOPPED, clock, limited
from altsel.runtime.progress import parts
from altsel.search.alternatives.largest_dissimilarity import (
    Diversity,
    at,
    measure_of,
    measured,
    overall,
    step,
)
from altsel.search.alternatives.sequential import sequential
from altsel.search.alternatives.simultaneous import simultaneous

ROUNDING = 1e-12
"""Relative difference of qualities that are the same but for the order of their sums."""


def pareto_front(  # noqa: PLR0913  (two searches share them)
    problem: Problem,
    dissimilarity: Diversity,
    known: Sequence[Collection[str]] = (),
    solver: SolverLike = None,
    time_limit: float | None = None,
    *,
    together: bool = False,
    alternatives: int = 1,
    total: str = "sum",
    start: Sequence[Collection[str]] = (),
) -> Front:
    """Find all trade-offs between a set's quality and its dissimilarity from the best or from known sets.

    ``max Q(s)`` subject to ``d(s, s_i) >= epsilon``; each answer raises epsilon above the
    dissimilarity that it has. No set is better and at least as different, or as good and more
    different, than a point's; of a search that ended early see `Front`.

    Parameters
    ----------
    problem
        What is wanted of a set.
    dissimilarity
        `Dice` or `Jaccard`, or `Average` of one; the front begins at its tau.
    known
        Sets to differ from; default: the best set.
    solver
        A solver, a profile's name, or None for what does best.
    time_limit
        Seconds for the whole call.
    together
        Whether the sets are found at once: each point holds all of them, and nothing is known before.
    alternatives, total
        As in `simultaneous`, if they are.
    start
        Good sets to begin with, as in `sequential`.

    Returns
    -------
    Front
        From the best set to the most different one; means count as different if they differ by more
        than 1e-5.

    Raises
    ------
    ArgumentError, ConfigurationError, SolverError
        If an argument, the solver's profile or the model is wrong.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, pareto_front
    >>> front = pareto_front(Problem(Univariate([5, 4, 4, 3]), k=2), Dice(0))
    >>> [(point.dissimilarity, point.quality) for point in front]
    [(0.5, 9.0), (1.0, 7.0)]
    """
    checked_question(problem, dissimilarity)
    flags(together=together)
    checked_count(alternatives)
    checked_total(total)
    if together:
        return _pareto_front_together(problem, dissimilarity, alternatives, total, solver, time_limit, start)
    before = given_sets("known", known, problem)
    with limited(time_limit), parts(), shared_structures():
        proved = True
        if not before:
            best = sequential(problem, measured(dissimilarity), 0, solver, start=start)
            if not best.sets or best.stop is not Stop.COUNT:
                return _front(_first(best, dissimilarity), best.stop, dissimilarity, problem.objective)
            before, proved = [best[0].features], best.proved

        def solve(diversity: Diversity) -> Solutions:
            return sequential(problem, diversity, 1, solver, before, start=start)

        def overall_of(answer: Solutions) -> float:
            return overall(dissimilarity, [(subset, answer[0]) for subset in before])

        beyond = step(dissimilarity, [problem.sizes[1], *map(len, before)])
        points, stop = walk(
            solve, overall_of, lambda answer: answer[0].score, measured(dissimilarity), beyond
        )
        if not proved and stop in {Stop.EXHAUSTED, Stop.INFEASIBLE}:  # it is that of another beginning
            stop = _ended(Stop.EXHAUSTED, False)
    return _front(points, stop, dissimilarity, problem.objective, before)


def _pareto_front_together(
    problem: Problem,
    dissimilarity: Diversity,
    alternatives: int,
    total: str = "sum",
    solver: SolverLike = None,
    time_limit: float | None = None,
    start: Sequence[Collection[str]] = (),
) -> Front:
    """Find all trade-offs between the qualities of sets found at once and how different they are.

    ``max sum_i Q(s_i)`` or ``max min_i Q(s_i)`` subject to ``d(s_i, s_j) >= epsilon``, or the mean of
    all pairs. Arguments as in `simultaneous`, result as in `pareto_front`; each point holds all sets.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, pareto_front
    >>> front = pareto_front(Problem(Univariate([5, 4, 4, 3]), k=2), Dice(0), alternatives=1, together=True)
    >>> [(point.dissimilarity, point.quality) for point in front]
    [(0.5, 18.0), (1.0, 16.0)]
    """

    def solve(diversity: Diversity) -> Solutions:
        return simultaneous(problem, diversity, alternatives, total, solver, start=start)

    def overall_of(answer: Solutions) -> float:
        return overall(dissimilarity, list(combinations(answer, 2)))

    def quality(answer: Solutions) -> float:
        scores = [subset.score for subset in answer]
        return sum(scores) if total == "sum" else min(scores)

    with limited(time_limit), parts(), shared_structures():
        points, stop = walk(
            solve, overall_of, quality, measured(dissimilarity), step(dissimilarity, problem.sizes)
        )
    of = f"{total} over {alternatives + 1} sets, "
    return _front(points, stop, dissimilarity, problem.objective, of=of)


def walk(
    solve: Callable[[Diversity], Solutions],
    overall_of: Callable[[Solutions], float],
    quality: Callable[[Solutions], float],
    diversity: Diversity,
    beyond: float,
) -> tuple[tuple[Point, ...], Stop]:
    """Find the best answer that is more different than the last one, until there is none.

    Parameters
    ----------
    solve
        Gives the best sets under a diversity.
    overall_of, quality
        Dissimilarity and quality of an answer.
    diversity
        Measure, and the tau to begin with.
    beyond
        What an answer of larger dissimilarity is surely above; see `step`.
    """
    points: list[Point] = []
    try:
        stop = _walked(solve, overall_of, quality, diversity, beyond, points)
    except STOPPED as fault:
        clock().note(fault)
        stop = _ended(Stop.EXHAUSTED, False)
    return tuple(points), stop


def _walked(
    solve: Callable[[Diversity], Solutions],
    overall_of: Callable[[Solutions], float],
    quality: Callable[[Solutions], float],
    diversity: Diversity,
    beyond: float,
    points: list[Point],
) -> Stop:
    """Add to `points` and return why it ended."""
    epsilon, proved = measure_of(diversity).tau, True
    while True:
        answer = solve(at(diversity, epsilon))
        if not answer.sets:
            ended = Stop.EXHAUSTED if points else Stop.INFEASIBLE
            return _ended(ended if answer.stop is Stop.INFEASIBLE else answer.stop, proved)
        proved &= answer.proved
        point = Point(overall_of(answer), quality(answer), answer)
        while points and points[-1].quality <= point.quality + ROUNDING * abs(point.quality):
            points.pop()  # as good, and less different
        points.append(point)
        log.info("front: dissimilarity %.4g, quality %.6g", point.dissimilarity, point.quality)
        if point.dissimilarity >= 1 or answer.stop is Stop.INTERRUPT or clock().over:
            whole = point.dissimilarity >= 1 and proved
            return Stop.EXHAUSTED if whole else _ended(Stop.EXHAUSTED, False)
        epsilon = min(max(point.dissimilarity, epsilon) + beyond, 1.0)


def _ended(stop: Stop, proved: bool) -> Stop:
    """Return why a front ends; it is complete only if every answer on the way was proved."""
    if stop is not Stop.EXHAUSTED or proved:
        return stop
    if clock().interrupted:
        return Stop.INTERRUPT
    return Stop.TIME if clock().over else Stop.LIMIT


def _first(best: Solutions, diversity: Diversity) -> tuple[Point, ...]:
    """Return what a search for the best set had when it ended early, if a front may begin with it."""
    if not best.sets or measure_of(diversity).tau > 0:
        return ()
    return (Point(0.0, best[0].score, best),)


def _front(
    points: tuple[Point, ...],
    stop: Stop,
    diversity: Diversity,
    objective: Objective,
    reference: Sequence[tuple[str, ...]] = (),
    of: str = "",
) -> Front:
    name = type(measure_of(diversity)).__name__
    measure = name if measure_of(diversity) is diversity else f"average {name}"
    return Front(
        points,
        stop,
        measure,
        f"{of}{objective.name}",
        tuple(reference),
        objective.target,
        objective.fingerprint,
    )
