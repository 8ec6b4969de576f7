"""Solver-assisted hill climbing for qualities that are black boxes, after AFS algorithm 1 or as printed."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from altsel.errors import ArgumentError, flags, of_kind
from altsel.exact.auto_solver import SolverLike
from altsel.exact.question import Question
from altsel.exact.run import Run, checked_count, checked_question, checked_total, log
from altsel.exact.starts.nearest_valid import Closest, Sets
from altsel.exact.verification.verified_solutions import Request
from altsel.models.given_sets import given_sets
from altsel.models.problem import Problem
from altsel.models.rules_alone import rules_on_quality
from altsel.models.soft_diversity import Diversity
from altsel.results.feature_set import FeatureSet, Proof
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.runtime.clock import STOPPED, limited
from altsel.search.alternatives.hill_climbing import HillClimbing, Value, climbed
from altsel.search.alternatives.ordered_flips import OrderedFlips, flipped_in_order

CLIMB = HillClimbing()
Climb = HillClimbing | OrderedFlips


def wrapper(  # noqa: PLR0913  (two searches share them)
    problem: Problem,
    dissimilarity: Diversity,
    alternatives: int,
    climb: Climb = CLIMB,
    solver: SolverLike = None,
    time_limit: float | None = None,
    *,
    together: bool = False,
    total: str = "sum",
) -> Solutions:
    """Find good sets one after another by hill climbing, where a solver keeps every attempt valid.

    From a valid set, features change sides one by one (or two by two); the closest set that has the
    change and satisfies all conditions is evaluated, and taken if it is better. It ends when no change
    helps. Sets are tried in random order and none is evaluated twice. This is adapted from AFS algorithm 1;
    ``climb=OrderedFlips()`` is that algorithm as printed.

    Parameters
    ----------
    problem
        What is wanted of every set; the objective is usually a `BlackBox`.
    dissimilarity, alternatives
        As in `sequential`.
    climb
        Attempts, kind of change, beginnings, seed; or `OrderedFlips`.
    solver
        A solver or a profile's name, for the conditions.
    time_limit
        Seconds for the whole call; one evaluation is never cut short.
    together
        Whether the sets are found at once: each attempt changes one, and the closest valid family is
        evaluated.
    total
        ``"sum"`` or ``"min"`` of the qualities, if they are.

    Returns
    -------
    Solutions
        ``HEURISTIC`` sets; ``stop`` is ``COUNT``, or ``INFEASIBLE`` if it is proved that no further set
        is valid, ``TIME`` or ``LIMIT`` if the solver found none, ``INTERRUPT``.

    Raises
    ------
    ArgumentError
        If an argument is wrong, or a rule names the quality, which no model knows.

    References
    ----------
    Bach, Finding Optimal Diverse Feature Sets via Alternative Feature Selection (AFS, v1), section 3.3.2.

    Examples
    --------
    >>> from altsel import BlackBox, Dice, Problem, wrapper
    >>> value = lambda names: 1.5 * ("a" in names) * ("d" in names) - ("b" in names)
    >>> product = BlackBox(value, ["a", "b", "c", "d", "e"])
    >>> [subset.features for subset in wrapper(Problem(product, k=2), Dice(1), alternatives=1)]
    [('a', 'd'), ('c', 'e')]
    """
    checked_question(problem, dissimilarity)
    of_kind("climb", climb, HillClimbing | OrderedFlips, "altsel.HillClimbing() or altsel.OrderedFlips()")
    flags(together=together)
    checked_total(total)
    if together:
        return _wrapper_together(problem, dissimilarity, alternatives, total, climb, time_limit)
    count = checked_count(alternatives)
    given_sets("start", climb.start, problem)
    request = Request("wrapper", dissimilarity, options={"alternatives": alternatives, "climb": repr(climb)})
    with limited(time_limit):
        title = f"wrapper, {dissimilarity}, alternatives={alternatives}, {climb}"
        run = _run(problem, solver, title, request)
        return run.confirmed(lambda: run.finish(*_search(run, dissimilarity, count, climb)))


def _search(run: Run, dissimilarity: Diversity, count: int, climb: Climb) -> tuple[list[FeatureSet], Stop]:
    """Find up to `count` sets, or those met when time is up; and why it ended."""
    found: list[FeatureSet] = []
    try:
        return found, _one_after_another(run, dissimilarity, count, climb, found)
    except STOPPED as fault:
        return found, run.ended(fault)


def _one_after_another(
    run: Run,
    dissimilarity: Diversity,
    count: int,
    climb: Climb,
    found: list[FeatureSet],
) -> Stop:
    """Climb a hill for each set; adds to `found` and returns why it ended."""
    problem, rng = run.problem, np.random.default_rng(climb.random_state)
    starts = given_sets("start", climb.start, problem)
    while len(found) < count:
        known = [subset.features for subset in found]
        question = run.question(dissimilarity).after(known)
        nearest = Closest(run, question)
        sets, stop = _climbed(nearest, question.value, climb, starts[len(found) : len(found) + 1], rng)
        if sets:
            found.append(run.unproved(sets[0], Proof.HEURISTIC))
            log.info("set %d of %d: %.6g", len(found), count, found[-1].score)
        if stop is not Stop.COUNT:
            return stop
    return Stop.COUNT


def _wrapper_together(
    problem: Problem,
    dissimilarity: Diversity,
    alternatives: int,
    total: str = "sum",
    climb: Climb = CLIMB,
    time_limit: float | None = None,
) -> Solutions:
    """Find good sets at once by hill climbing on the sum, or the minimum, of their qualities.

    Each attempt changes one set; the closest valid family is evaluated. Arguments and result as in
    `wrapper`, `total` as in `simultaneous`.

    Examples
    --------
    >>> from altsel import BlackBox, Dice, Problem, wrapper
    >>> value = lambda names: 1.5 * ("a" in names) * ("d" in names) - ("b" in names)
    >>> product = BlackBox(value, ["a", "b", "c", "d", "e"])
    >>> [subset.features for subset in wrapper(Problem(product, k=2), Dice(1), alternatives=1, together=True)]
    [('a', 'd'), ('c', 'e')]
    """
    count = checked_count(alternatives)
    start = given_sets("start", climb.start, problem)
    if start and len(start) != count:
        raise ArgumentError(f"start has {len(start)} sets; {count} are wanted")
    options = {"alternatives": alternatives, "total": total, "climb": repr(climb)}
    request = Request("wrapper_together", dissimilarity, together=True, options=options)
    title = f"wrapper_together, {dissimilarity}, alternatives={alternatives}, total={total}, {climb}"
    with limited(time_limit):
        run = _run(problem, None, title, request)
        question = run.question(dissimilarity, count, total)
        return run.confirmed(lambda: run.finish(*_searched_together(run, question, climb, start)))


def _searched_together(
    run: Run, question: Question, climb: Climb, start: Sequence[Collection[str]]
) -> tuple[list[FeatureSet], Stop]:
    """Climb one hill for all sets; no sets when time is up."""
    try:
        rng = np.random.default_rng(climb.random_state)
        sets, stop = _climbed(Closest(run, question), question.value, climb, start, rng)
    except STOPPED as fault:
        return [], run.ended(fault)
    found = [run.unproved(subset, Proof.HEURISTIC) for subset in sets]
    if not run.problem.across:
        found.sort(key=lambda subset: (-subset.score, subset.features))
    return found, stop


def _climbed(
    nearest: Closest,
    value: Value,
    climb: Climb,
    start: Sequence[Collection[str]],
    rng: np.random.Generator,
) -> tuple[Sets, Stop]:
    """Climb one hill in the way wanted."""
    if isinstance(climb, OrderedFlips):
        return flipped_in_order(nearest, value, climb.max_iters)
    return climbed(nearest, value, climb, start, rng)


def _run(problem: Problem, solver: SolverLike, search: str, request: Request) -> Run:
    if rules_on_quality(problem):
        raise ArgumentError("a wrapper cannot keep rules on the quality; it is a black box to the solver")
    return Run(problem, solver, search, request)
