"""Sequential search for alternatives: one set after another, each different from all before (AFS 3.2.2)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from altsel.exact.auto import answer, best_known
from altsel.exact.auto_solver import SolverLike
from altsel.exact.run import Run, checked_count, checked_question, log
from altsel.exact.verification.verified_solutions import Request
from altsel.models.given_sets import given_sets
from altsel.models.problem import Problem
from altsel.models.soft_diversity import Diversity
from altsel.results.feature_set import FeatureSet
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.runtime.clock import STOPPED, limited
from altsel.runtime.progress import report


def sequential(
    problem: Problem,
    dissimilarity: Diversity,
    alternatives: int,
    solver: SolverLike = None,
    known: Sequence[Collection[str]] = (),
    time_limit: float | None = None,
    start: Sequence[Collection[str]] = (),
) -> Solutions:
    """Find the best set, then again and again the best set that differs from all sets before.

    ``max Q(s)`` subject to ``d(s, s') >= tau`` for every earlier set s'. Each question is answered by the
    first engine of `altsel.exact.auto` that can; ``Solutions.search`` names those that did.

    Parameters
    ----------
    problem
        What is wanted of every set.
    dissimilarity
        `Dice` or `Jaccard` with its threshold tau; or `Average` or `Penalised` of one, where sets
        need only be distinct one by one.
    alternatives
        Number of alternatives a; the original makes a + 1 sets.
    solver
        A solver, a profile's name, or None for the default.
    known
        Sets to differ from that are there already, say the one in use: then only the a
        alternatives to them are found. They may be of any size, and need not keep the rules.
    time_limit
        Seconds for the whole call.
    start
        Good sets to begin with, such as `Solutions` of an earlier search. Those that keep all conditions save
        work where the best set is hard to find; the proof is the same. No answer is worse than they are.

    Returns
    -------
    Solutions
        ``stop`` is ``COUNT``, or ``INFEASIBLE`` if it is proved that no further set exists,
        ``TIME`` or ``LIMIT`` if the solver found none within its limits, ``INTERRUPT``. The
        sets found until then are there in each case. Where sets pay a penalty, bound and gap
        are those of the quality less the penalty.

    Raises
    ------
    ArgumentError, ConfigurationError, SolverError
        If an argument, the solver's profile or the model is wrong.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> found = sequential(Problem(Univariate([0.5, 0.4, 0.2, 0.1]), k=2), Dice(0.5), alternatives=2)
    >>> [subset.features for subset in found]
    [('x0', 'x1'), ('x0', 'x2'), ('x1', 'x2')]
    """
    checked_question(problem, dissimilarity)
    before = given_sets("known", known, problem)
    count = checked_count(alternatives) - (1 if before else 0)
    note = f", known={len(before)}" if before else ""
    request = Request("sequential", dissimilarity, before, options={"alternatives": alternatives})
    with limited(time_limit):
        title = f"sequential, {dissimilarity}, alternatives={alternatives}{note}"
        run = Run(problem, solver, title, request, start)
        # a later set may show that one called optimal is not
        return run.confirmed(lambda: run.finish(*_search(run, dissimilarity, count)))


def _search(run: Run, diversity: Diversity, count: int) -> tuple[list[FeatureSet], Stop]:
    """Find up to `count` sets, or what is at hand when time is up; and why it ended."""
    found: list[FeatureSet] = []
    try:
        return found, _one_after_another(run, diversity, count, found)
    except STOPPED as fault:
        stop = run.ended(fault)
        if not found:
            best = best_known(run.question(diversity).after(run.request.known), run)
            found = [run.feature_set(names, best.outcome) for names in best.sets]
        return found, stop


def _one_after_another(run: Run, diversity: Diversity, count: int, found: list[FeatureSet]) -> Stop:
    """Find up to `count` sets; adds to `found` and returns why it ended."""
    question, known = run.question(diversity), list(run.request.known)
    while len(found) < count:
        with limited(run.question_limit):
            best = answer(replace(question, to_come=count - len(found)).after(known.copy()), run)
        if not best.sets:
            return best.outcome.stop
        for one in [best, *best.following()][: count - len(found)]:
            found.append(run.feature_set(one.sets[0], one.outcome, one.penalty_paid))
            known.append(found[-1].features)
            report(log, "set %d of %d: %.6g, %s", len(found), count, found[-1].score, found[-1].proof)
        if run.clock.over and len(found) < count:
            return run.stop
        if best.outcome.stop is Stop.INTERRUPT:
            return Stop.INTERRUPT
    return Stop.COUNT
