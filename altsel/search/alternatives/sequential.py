"""Sequential search for alternatives: one set after another, each different from all before (AFS 3.2.2)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from altsel.errors import RangeError
from altsel.exact.dominance import Reduction, reduction
from altsel.exact.milp import Sets, best_sets, by_model, keeps_all
from altsel.exact.neighbour_check import unbeaten
from altsel.exact.quadratic import by_branching
from altsel.exact.run import Auto, Run, SolverLike, checked_count, checked_known, log
from altsel.exact.soft_diversity import next_leniently
from altsel.exact.verified_solutions import Request
from altsel.exact.warm_start import good_set
from altsel.models.black_box import BlackBox
from altsel.models.cross_set_rules import after
from altsel.models.dissimilarity import Dissimilarity, differ_from
from altsel.models.feasibility_only import conditions_only
from altsel.models.objective import Separable
from altsel.models.problem import Problem, formulate, holds, propose, withdraw
from altsel.models.soft_diversity import SoftDiversity
from altsel.results.solutions import FeatureSet, Proof, Solutions, Stop
from altsel.runtime.clock import STOPPED, OutOfTimeError, grace, limited
from altsel.runtime.progress import report
from altsel.solvers import Outcome

PROVED = Outcome(Stop.EXHAUSTED, Proof.OPTIMAL, None, None, 0.0)
IMPOSSIBLE = Outcome(Stop.INFEASIBLE, None, None, None, 0.0)


def sequential(
    problem: Problem,
    dissimilarity: Dissimilarity | SoftDiversity,
    alternatives: int,
    solver: SolverLike = None,
    known: Sequence[Collection[str]] = (),
    time_limit: float | None = None,
) -> Solutions:
    """Find the best set, then again and again the best set that differs from all sets before.

    ``max Q(s)`` subject to ``d(s, s') >= tau`` for every earlier set s': one added row a set.
    For a separable objective only features that can be in an optimum enter the model, and
    each solve starts from a greedy set improved by swaps.

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
        alternatives to them are found.
    time_limit
        Seconds for the whole call.

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
    >>> [one.features for one in found]
    [('x0', 'x1'), ('x0', 'x2'), ('x1', 'x2')]
    """
    before = checked_known(problem, known)
    count = checked_count(alternatives) - (1 if before else 0)
    note = f", known={len(before)}" if before else ""
    request = Request("sequential", dissimilarity, before, options={"alternatives": alternatives})
    with limited(time_limit):
        title = f"sequential, {dissimilarity}, alternatives={alternatives}{note}"
        run = Run(problem, solver, title, request)
        found: list[FeatureSet] = []
        try:
            stop = _one_after_another(run, dissimilarity, count, found)
        except STOPPED as fault:
            stop = run.ended(fault)
            if not found:
                found = _at_hand(run, dissimilarity)
        return run.finish(found, stop)


def _at_hand(run: Run, dissimilarity: Dissimilarity | SoftDiversity) -> list[FeatureSet]:
    """Make a set, without proof, where time was up before the first was found."""
    problem, known = run.problem, run.request.known
    if isinstance(dissimilarity, SoftDiversity) or problem.across or isinstance(problem.objective, BlackBox):
        return []
    with grace(), suppress(OutOfTimeError):
        names = good_set(problem, dissimilarity, known)
        if names and keeps_all(run, [names]):
            return [run.unproved(names, Proof.FEASIBLE)]
    return []


def _one_after_another(
    run: Run, dissimilarity: Dissimilarity | SoftDiversity, count: int, found: list[FeatureSet]
) -> Stop:
    """Find up to `count` sets; adds to `found` and returns why it ended."""
    problem, before = run.problem, run.request.known
    at_once = not isinstance(problem.objective, Separable) and not problem.across
    pool = run.pool(dissimilarity) if at_once and not isinstance(dissimilarity, SoftDiversity) else None
    if pool is not None:
        indices = pool.following(count, before)
        found += [run.feature_set(pool.names(index), PROVED) for index in indices]
        return Stop.COUNT if len(found) == count else Stop.INFEASIBLE
    reduced = reduction(problem)
    while len(found) < count:
        earlier = [*before, *(subset.features for subset in found)]
        run.problem = after(problem, earlier)
        with limited(run.question_limit):
            names, outcome, penalty_paid = next_of(run, dissimilarity, earlier, reduced)
        if not names:
            return outcome.stop
        found.append(run.feature_set(names, outcome, penalty_paid))
        report(log, "set %d of %d: %.6g, %s", len(found), count, found[-1].score, found[-1].proof)
        if run.clock.over and len(found) < count:
            return run.stop
        if outcome.stop is Stop.INTERRUPT:
            return Stop.INTERRUPT
    return Stop.COUNT


def next_of(
    run: Run,
    diversity: Dissimilarity | SoftDiversity,
    known: Sequence[Collection[str]],
    reduced: Reduction | None,
) -> tuple[list[str], Outcome, float]:
    """Find the next set under any diversity, and what it pays for being similar."""
    if isinstance(diversity, SoftDiversity):
        return next_leniently(run, diversity, known)
    if isinstance(run.problem.objective, BlackBox):
        names, outcome = _listed(run, diversity, known) or ([], IMPOSSIBLE)
        return names, outcome, 0.0
    try:
        names, outcome = next_set(run, diversity, known, reduced)
    except RangeError:
        listed = _listed(run, diversity, known) if isinstance(run.engine, Auto) else None
        if listed is None:
            raise
        return (*listed, 0.0)
    if outcome.proof is Proof.FEASIBLE and outcome.stop is Stop.EXHAUSTED and isinstance(run.engine, Auto):
        # numbers too far apart for a solver to be sure; where sets are few they can all be looked at
        names, outcome = _listed(run, diversity, known) or (names, outcome)
    return names, outcome, 0.0


def _listed(
    run: Run, dissimilarity: Dissimilarity, known: Sequence[Collection[str]]
) -> tuple[list[str], Outcome] | None:
    """Find the next set in the list of all; None if there are too many."""
    pool = run.pool(dissimilarity)
    if pool is None:
        return None
    indices = pool.following(1, known)
    if not indices:
        return [], IMPOSSIBLE
    return pool.names(indices[0]), PROVED


def next_set(
    run: Run, dissimilarity: Dissimilarity, known: Sequence[Collection[str]], reduced: Reduction | None
) -> tuple[list[str], Outcome]:
    """Find the best set that differs enough from all known ones; `reduced` as `reduction` gives it."""
    problem = run.problem
    among = None if reduced is None else reduced.among(problem, known, problem.sizes[1])

    def build(stated: Problem, start: Sets) -> Any:
        model = formulate(stated, among=None if among is None else among.tolist())
        block = model.sets[0]
        for subset in known:
            differ_from(dissimilarity, block, subset, problem.sizes)
        if start:
            propose(stated, block, start[0])
            if problem.subject_to and not holds(block):
                withdraw(block)
        return model

    start = good_set(problem, dissimilarity, known, among)
    ask = by_branching(run, dissimilarity, known)
    if ask and not start and problem.subject_to:
        impossible = _impossible(run, dissimilarity, known)
        if impossible:
            return [], impossible
    begin = [start] if start else []
    if ask:
        sets, outcome = best_sets(run, ask, begin, "min")
    else:
        by_solver = by_model(run, build)
        sets, outcome = unbeaten(
            run, dissimilarity, known, begin, lambda sets: best_sets(run, by_solver, sets, "min")
        )
    return (sets[0] if sets else []), outcome


def _impossible(run: Run, dissimilarity: Dissimilarity, known: Sequence[Collection[str]]) -> Outcome | None:
    """Ask a solver whether any set keeps rules and distances, whatever it is worth; None if it may."""
    problem = replace(run.problem, objective=conditions_only(run.problem.objective, wanted=False))
    model = formulate(problem)
    for subset in known:
        differ_from(dissimilarity, model.sets[0], subset, problem.sizes)
    outcome = run.solve(model)
    return outcome if outcome.stop is Stop.INFEASIBLE else None
