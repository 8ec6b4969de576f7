"""Simultaneous search for alternatives: all sets at once (AFS 3.2.2)."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from altsel.errors import ArgumentError
from altsel.exact.dominance import reduction
from altsel.exact.linear_rules import kept, rule_rows
from altsel.exact.membership_patterns import MOST_SETS, by_counting
from altsel.exact.milp import Sets, best_sets, by_model, keeps_all, refuse_lies, started
from altsel.exact.neighbour_check import unbeaten
from altsel.exact.quadratic import by_branching
from altsel.exact.run import Run, SolverLike, checked_count, log
from altsel.exact.soft_diversity import together_leniently
from altsel.exact.threshold import promising_pool
from altsel.exact.verified_solutions import Request
from altsel.exact.warm_start import good_set
from altsel.models.black_box import BlackBox
from altsel.models.cross_set_rules import after
from altsel.models.dissimilarity import Dissimilarity, largest_overlap
from altsel.models.objective import Separable
from altsel.models.problem import Problem
from altsel.models.simultaneous import formulate_together
from altsel.models.soft_diversity import SoftDiversity
from altsel.results.solutions import Proof, Solutions, Stop
from altsel.runtime.clock import STOPPED, OutOfTimeError, grace, limited
from altsel.runtime.progress import report
from altsel.search.alternatives.greedy import balanced
from altsel.solvers import Outcome


def simultaneous(
    problem: Problem,
    dissimilarity: Dissimilarity | SoftDiversity,
    alternatives: int,
    total: str = "sum",
    solver: SolverLike = None,
    time_limit: float | None = None,
) -> Solutions:
    """Find all sets at once: the largest sum, or the largest minimum, of their qualities.

    ``max sum_i Q(s_i)`` or ``max min_i Q(s_i)`` subject to ``d(s_i, s_j) >= tau`` for all pairs.
    The sum of a separable objective without domain constraints is solved by counting
    memberships (`altsel.models.membership_patterns`); everything else from the pool of all admissible sets
    where they are few and no solver is forced (`altsel.exact.pool`), or by one block a set with
    products for the pairs (`altsel.models.dissimilarity.differ`).

    Parameters
    ----------
    problem
        What is wanted of every set.
    dissimilarity
        `Dice` or `Jaccard` with its threshold tau; or `Average` or `Penalised` of one, where sets
        need only be distinct one by one.
    alternatives
        Number of alternatives a; with the original there are a + 1 sets.
    total
        ``"sum"`` or ``"min"``.
    solver
        A solver, a profile's name, or None for the default.
    time_limit
        Seconds for the whole call.

    Returns
    -------
    Solutions
        The sets, best first, or none. ``proof`` is that of the total; a set's ``bound`` is
        its score plus what the total might still rise, its ``gap`` that of the total.

    Raises
    ------
    ArgumentError, ConfigurationError, SolverError
        If an argument, the solver's profile or the model is wrong.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, simultaneous
    >>> problem = Problem(Univariate([5, 4, 2, 1]), k=2)
    >>> [one.features for one in simultaneous(problem, Dice(1), alternatives=1, total="min")]
    [('x0', 'x3'), ('x1', 'x2')]
    """
    if total not in {"sum", "min"}:
        raise ArgumentError(f"total={total!r}; use 'sum' or 'min'")
    count = checked_count(alternatives)
    options = {"alternatives": alternatives, "total": total}
    request = Request("simultaneous", dissimilarity, together=True, options=options)
    with limited(time_limit):
        title = f"simultaneous, {dissimilarity}, alternatives={alternatives}, total={total}"
        run = Run(problem, solver, title, request)
        with limited(run.question_limit):
            sets, outcome, penalty_paid = _together(run, dissimilarity, count, total)
        report(log, "%d sets together: %s, stop: %s", len(sets), outcome.proof, outcome.stop)
        if not sets:
            return run.finish([], outcome.stop)
        stop = Stop.INTERRUPT if outcome.stop is Stop.INTERRUPT else Stop.COUNT
        return run.finish(run.joint_sets(sets, total, outcome, penalty_paid), stop)


def _together(
    run: Run, dissimilarity: Dissimilarity | SoftDiversity, count: int, total: str
) -> tuple[Sets, Outcome, float]:
    """Find the sets; where the clock ends the search, those at hand."""
    problem = run.problem
    separable = isinstance(problem.objective, Separable) and not problem.subject_to and not problem.across
    family: Sets = []
    try:
        if isinstance(dissimilarity, SoftDiversity):
            return together_leniently(run, dissimilarity, count, total)
        if separable and total == "sum" and count <= MOST_SETS:
            sets, outcome = by_counting(run, count, dissimilarity)
            if outcome.stop is Stop.INFEASIBLE:  # is it? a solver's word is checked
                some = _start(problem, dissimilarity, count, total, np.arange(len(problem.index)))
                if some:
                    refuse_lies(run, outcome, run.total(some, total), some)
        else:
            sets, outcome = _exhausted(run, dissimilarity, count, total, family)
        return sets, outcome, 0.0
    except STOPPED as fault:
        run.clock.note(fault)
        if len(family) < count and not problem.across and not isinstance(dissimilarity, SoftDiversity):
            with grace(), suppress(OutOfTimeError):
                family = _start(problem, dissimilarity, count, total, np.arange(len(problem.index)))
        if len(family) < count or not keeps_all(run, family):
            return [], Outcome(run.stop, None, None, None, 0.0), 0.0
        value = run.total(family, total)
        return family, Outcome(run.stop, Proof.FEASIBLE, value, None, 0.0), 0.0


def _exhausted(
    run: Run, dissimilarity: Dissimilarity, count: int, total: str, family: Sets
) -> tuple[Sets, Outcome]:
    """Search the pool; without one, or where that leaves a gap, solve a model."""
    began, problem = time.perf_counter(), run.problem
    if problem.across and isinstance(problem.objective, BlackBox):
        raise ArgumentError(
            f"{problem.objective.name} is a black box: rules across sets need wrapper(..., together=True)"
        )
    if problem.across:
        return _by_model(run, dissimilarity, count, total, [])
    pool = run.pool(dissimilarity)
    if pool is not None:
        family += [pool.names(index) for index in pool.following(count)]
    elif count > 1:
        pool = promising_pool(run, dissimilarity, count, total, family)
    if pool is None:
        start = family if len(family) == count else []
        return _by_model(run, dissimilarity, count, total, start)
    run.listed = len(pool.scores)
    indices, value, bound = pool.together(count, total)
    sets = [pool.names(index) for index in indices]
    seconds = time.perf_counter() - began
    if bound > value:
        log.info("the pool of %d sets leaves a gap; solving a model", len(pool.scores))
        family[:] = sets or family
        sets, outcome = _by_model(run, dissimilarity, count, total, sets)
        if outcome.proof is Proof.FEASIBLE:
            outcome = replace(outcome, bound=bound if outcome.bound is None else min(bound, outcome.bound))
        return sets, outcome
    if not sets:
        return [], Outcome(Stop.INFEASIBLE, None, None, None, seconds)
    return sets, Outcome(Stop.EXHAUSTED, Proof.OPTIMAL, value, value, seconds)


def _by_model(
    run: Run, dissimilarity: Dissimilarity, count: int, total: str, start: Sets
) -> tuple[Sets, Outcome]:
    """Solve one model of all sets, from a start or the best heuristic one."""
    problem = run.problem
    reduced = reduction(problem)
    among = None if reduced is None else reduced.among(problem, [], count * problem.sizes[1])

    def build(stated: Problem, start: Sets) -> Any:
        allowed = None if among is None else among.tolist()
        model = formulate_together(stated, dissimilarity, count, total, allowed)
        return started(model, stated, start)

    if not start:
        start = _start(problem, dissimilarity, count, total, among)
    packing = total == "min" and count > 1 and not hasattr(problem.objective, "fill")
    total = "min" if count == 1 else total
    ask = by_branching(run, dissimilarity, []) if count == 1 and not problem.across else None
    if ask:
        return best_sets(run, ask, start, total)
    by_solver = by_model(run, build, packing)
    return unbeaten(run, dissimilarity, [], start, lambda sets: best_sets(run, by_solver, sets, total), total)


def _start(
    problem: Problem, dissimilarity: Dissimilarity, count: int, total: str, among: np.ndarray | None
) -> Sets:
    """Return the better of sets made one after another and sets dealt out alike, best set first."""
    objective = problem.objective
    offers: list[Sets] = [[]]
    while len(offers[0]) < count:
        one = good_set(after(problem, offers[0]), dissimilarity, offers[0], among)
        if one is None:
            offers = []
            break
        offers[0].append(one)
    low, k = problem.sizes
    if low == k and among is not None and isinstance(objective, Separable):
        order = among[np.argsort(-objective.weights[among], kind="stable")]
        dealt = balanced(objective.weights[order], k, largest_overlap(dissimilarity, k, k), count)
        offers.extend([[[objective.features[order[j]] for j in one] for one in dealt]] if dealt else [])

    rows = rule_rows(problem) if problem.subject_to else None
    if rows is not None:
        offers = [offer for offer in offers if all(kept(rows, problem.mask(subset)) for subset in offer)]

    def value(offer: list[list[str]]) -> float:
        scores = [objective.score(problem.mask(subset)) for subset in offer]
        return sum(scores) if total == "sum" else min(scores)

    best = max(offers, key=value, default=[])
    return sorted(best, key=lambda one: -objective.score(problem.mask(one)))
