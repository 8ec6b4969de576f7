"""All sets that are nearly as good as the best one, with a certificate that there are no others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import islice
from math import inf

import numpy as np

from altsel.errors import ArgumentError, checked_integer
from altsel.exact.auto import answer, refuse_black_box
from altsel.exact.auto_solver import SolverLike
from altsel.exact.question import Question, Structure
from altsel.exact.run import PER_MEMBER, PER_SET, Run, checked_question, log
from altsel.exact.sources.every_set.engine import MOST_SETS, AllSets, are_listed, every_set
from altsel.exact.sources.every_set.pool import Pool, pool_of
from altsel.exact.sources.source import Above, Source
from altsel.exact.sources.table import list_above, source_of
from altsel.exact.stages.screening import is_screened, list_among_few
from altsel.exact.starts.warm_start import proposed_sets, starting_sets
from altsel.exact.verification.verified_solutions import Request
from altsel.models.dissimilarity import Dice, Dissimilarity, asks_nothing
from altsel.models.problem import Problem
from altsel.models.soft_diversity import DISTINCT, Diversity
from altsel.models.stated_dissimilarity import each_once
from altsel.results.feature_set import FeatureSet, Proof
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.runtime.clock import STOPPED, clock, limited
from altsel.runtime.memory import require
from altsel.search.alternatives.quality_loss import Loss, checked_loss, plain_loss
from altsel.solvers import Outcome

ROUNDING = 1e-9
LIST = "list of the sets above a floor"
"""What is said to have found them."""


def near_optimal(
    problem: Problem,
    within: Loss,
    limit: int = 1000,
    dissimilarity: Dissimilarity | None = None,
    solver: SolverLike = None,
    time_limit: float | None = None,
    start: Sequence[Collection[str]] = (),
) -> Solutions:
    """Find all sets whose quality is within a loss of the best, in falling order.

    ``{s : Q(s) >= floor}`` with ``floor = best - amount`` or ``best - share |best|``. Few admissible
    sets are all listed; sums and quadratic criteria are listed by branch and bound; else one set after
    another is found by a solver, each model excluding the sets before by a row. `altsel.importance_range`
    tells which features they need.

    Parameters
    ----------
    problem
        What is wanted of every set.
    within
        `AbsoluteLoss` or `RelativeLoss`, against the best set. Where that one is not proved in
        time, it is the only set that is given.
    limit
        Most sets; the best ones are given.
    dissimilarity
        `Dice` or `Jaccard`: keep a set only if it differs enough from all better ones kept.
    solver
        A solver, a profile's name, or None for what does best.
    time_limit
        Seconds for the whole call.
    start
        Good sets to begin with, as in `sequential`.

    Returns
    -------
    Solutions
        Each set is optimal but for those before it, unless it says ``feasible``. ``stop`` is ``EXHAUSTED``
        if it is proved that there are no others, ``COUNT`` if the limit was reached, ``INFEASIBLE`` if
        there is no set at all, ``TIME``, ``LIMIT`` or ``INTERRUPT`` if the search ended early.

    Raises
    ------
    ArgumentError, ConfigurationError, SolverError
        If an argument, the solver's profile or the model is wrong.

    Examples
    --------
    >>> from altsel import AbsoluteLoss, Problem, Univariate, near_optimal
    >>> found = near_optimal(Problem(Univariate([5, 4, 3, 1]), k=2), AbsoluteLoss(2))
    >>> [(subset.features, subset.score) for subset in found], found.stop.value
    ([(('x0', 'x1'), 9.0), (('x0', 'x2'), 8.0), (('x1', 'x2'), 7.0)], 'exhausted')
    """
    checked_question(problem, DISTINCT if dissimilarity is None else dissimilarity)
    checked_integer("limit", limit, 1)
    within = checked_loss(within, problem.objective)
    if problem.across:
        raise ArgumentError("near-optimal sets are looked at one by one: they cannot keep rules across sets")
    if dissimilarity is not None and asks_nothing(dissimilarity):
        dissimilarity = None  # tau is 0: all sets differ enough, and each is to be found once
    difference = "" if dissimilarity is None else f", {dissimilarity}"
    options = {"within": plain_loss(within), "limit": limit}
    request = Request("near_optimal", dissimilarity or DISTINCT, options=options)
    with limited(time_limit):
        title = f"near_optimal, {within}, limit={limit}{difference}"
        run = Run(problem, solver, title, request, start)
        apart = None if dissimilarity is None else each_once(dissimilarity)
        return run.confirmed(lambda: run.finish(*_search(run, within, limit, apart)))


def _search(
    run: Run, within: Loss, limit: int, dissimilarity: Dissimilarity | None
) -> tuple[list[FeatureSet], Stop]:
    """Find the sets, or those met when time is up; and why it ended."""
    found: list[FeatureSet] = []
    try:
        with limited(run.question_limit):
            return found, _all_near(run, within, limit, dissimilarity, found)
    except STOPPED as fault:
        return found, run.ended(fault)


def _all_near(
    run: Run, within: Loss, limit: int, dissimilarity: Dissimilarity | None, found: list[FeatureSet]
) -> Stop:
    """Find the sets, by a list of all where there is one; adds to `found` and returns why it ended."""
    every = run.question(DISTINCT)
    refuse_black_box(every)
    lister, pool = _lister(every) if dissimilarity is None else None, None
    if are_listed(every):
        pool = every_set(run.structure, dissimilarity or Dice(0))
        run.engines[AllSets.name] = None
        run.listed = len(pool.scores)
    elif lister is not None and lister.lists_at_once:
        pool = _listed_at_once(every, run, within, limit)
    if pool is None:
        first, stop = _next(run, DISTINCT, [])
        if first is None:
            return stop
        found.append(first)
        if not _may_go_on(first, stop, dissimilarity):
            return _early(stop)
        if dissimilarity is None and every.structure.evaluated is not None:
            pool = _listed_and_evaluated(every, run, _least(within, first.score), first.features)
        elif lister is not None:
            listed = _screened_listed if is_screened(every) else _best_listed
            pool = listed(every, run, _least(within, first.score), limit, [first.features])
    if pool is not None:
        sets, stop = _from_pool(run, pool, within, limit, dissimilarity is not None)
        found[:] = sets
        return stop
    return _one_by_one(run, within, limit, dissimilarity, found)


def _may_go_on(one: FeatureSet, stop: Stop, dissimilarity: object) -> bool:
    """Return whether the search may go on after a set.

    An engine's tolerances may leave open whether a later set is better by as little. Where sets need
    not differ both are listed; else the better one might rule the other out.
    """
    return one.proof is Proof.OPTIMAL or (stop is Stop.EXHAUSTED and dissimilarity is None)


def _early(stop: Stop) -> Stop:
    """Return why a search ends at a set that is not proved; a solver may have searched to its end."""
    return Stop.LIMIT if stop is Stop.EXHAUSTED else stop


def _lister(every: Question) -> Source | None:
    """Return the source that lists all sets above a score without a solver; None if there is none."""
    source = None if every.named else source_of(every)
    return source if source is not None and source.why_no_list(every) is None else None


def _least(within: Loss, best: float) -> float:
    return least_listed(within.floor(best), best)


def least_listed(floor: float, best: float) -> float:
    """Lower the floor of a list by what rounding may take off a score; sets from there on are listed."""
    return floor - ROUNDING * max(abs(floor), abs(best))


def _from_pool(run: Run, pool: Pool, within: Loss, limit: int, differ: bool) -> tuple[list[FeatureSet], Stop]:
    """Take the best sets of a pool that is complete down to the floor, or to the limit."""
    best = next(filter(pool.admits, range(len(pool.scores))), None)
    if best is None:
        return [], Stop.INFEASIBLE
    near = int(np.searchsorted(-pool.scores, -_least(within, float(pool.scores[best])), side="right"))
    if differ:
        indices = pool.first(near).following(limit + 1)
    else:
        indices = list(islice(filter(pool.admits, range(best, near)), limit + 1))
    each = PER_SET + PER_MEMBER * run.problem.sizes[1]
    require(each * len(indices), f"{len(indices):,} near-optimal sets", "lower limit, or allow less loss")
    sets = [run.feature_set(pool.names(index), Outcome.optimal(None)) for index in indices[:limit]]
    if not differ:
        sets.sort(key=lambda subset: -subset.score)  # sums of a list are rounded otherwise than the formula
    return sets, Stop.COUNT if len(indices) > limit else Stop.EXHAUSTED


def _listed_at_once(every: Question, run: Run, within: Loss, limit: int) -> Pool | None:
    """List the sets near a good one, which mostly is the best: to prove that before would take as long.

    Half of the time that is left is for it.
    """
    run.incumbent = proposed_sets(every, run.start) or starting_sets(every, run.incumbent)
    if not run.incumbent or not every.keeps_all(run.incumbent):
        return None
    left = clock().left
    try:
        with limited(left / 2 if 0 < left < inf else None):
            floor = _least(within, every.quality(run.incumbent))
            found = _best_listed(every, run, floor, limit, run.incumbent)
    except STOPPED as fault:
        clock().note(fault)
        found = None
    if found is None:  # what comes next begins from it
        run.start = [*run.start, *run.incumbent]
    return found


def _best_listed(
    every: Question, run: Run, floor: float, limit: int, known: Sequence[Collection[str]]
) -> Pool | None:
    """List the sets down to the floor; where they are too many, the best of them.

    Sets listed so far raise the floor to the last of the best `limit`; those strictly above it are
    listed anew, until they are few enough. None if that is given up, or the list lacks a known set.
    """
    strictly, most = False, 4 * limit + 100
    kept: Pool | None = None
    while most <= MOST_SETS:
        sets, complete = list_above(every, run, Above(floor, most, strictly), known)
        pool = pool_of(every.problem, Dice(0), sets)
        if kept is not None:
            pool = pool.joined(kept)
        if complete:
            run.listed = len(pool.scores)
            run.engines[LIST] = None
            return pool
        if len(pool.scores) <= limit:
            return None
        kept, floor, strictly = pool.first(limit + 1), float(pool.scores[limit]), True
        log.info("%d sets or more; going on with those above %.6g", len(pool.scores), floor)
        most *= 2
    return None


def _screened_listed(
    every: Question, run: Run, floor: float, limit: int, known: Sequence[Collection[str]]
) -> Pool | None:
    """List the sets of very many features as `_best_listed` does, among those that may be in one.

    Where the features searched have more sets than are wanted, these raise the floor for all.
    """

    def listed(alone: Question, floor: float) -> tuple[Pool | None, float]:
        pool = _best_listed(alone, run, floor, limit, known)
        if pool is None or len(pool.scores) <= limit:
            return pool, floor
        last = float(pool.scores[limit])
        return pool, max(floor, least_listed(last, last))

    return list_among_few(every, run, floor, listed, answer)


def _listed_and_evaluated(every: Question, run: Run, floor: float, known: Collection[str]) -> Pool | None:
    """List the sets down to the floor by the rules that are rows, for the others to be evaluated on them."""
    rules = every.structure.evaluated
    assert rules is not None
    narrowed = replace(every, structure=Structure(rules.narrow()))
    if _lister(narrowed) is None:
        return None
    sets, complete = list_above(narrowed, run, Above(floor, MOST_SETS), [known])
    if not complete:
        return None
    run.engines[LIST] = None
    pool = pool_of(narrowed.problem, Dice(0), sets)
    run.listed = len(pool.scores)
    return replace(pool, keeps=every.structure.admits)


def _next(run: Run, diversity: Diversity, known: list[FeatureSet]) -> tuple[FeatureSet | None, Stop]:
    """Find the best set after known ones."""
    best = answer(run.question(diversity).after([subset.features for subset in known]), run)
    found = [run.feature_set(names, best.outcome, best.penalty_paid) for names in best.sets]
    return (found[0] if found else None), best.outcome.stop


def _one_by_one(
    run: Run, within: Loss, limit: int, dissimilarity: Dissimilarity | None, found: list[FeatureSet]
) -> Stop:
    """Find one set after another until they are too poor; adds to `found` and says why it ended."""
    diversity = dissimilarity or DISTINCT
    met = list(found)
    while True:
        one, stop = _next(run, diversity, met)
        if one is None:
            return Stop.EXHAUSTED if stop is Stop.INFEASIBLE else stop
        met.append(one)
        least = _least(within, found[0].score)
        if one.bound is not None and one.bound < least:
            return Stop.EXHAUSTED  # also where the set found is not proved best: none can be good enough
        if one.score >= least:
            if len(found) == limit:
                return Stop.COUNT
            found.append(one)
        log.info("near-optimal set %d: %.6g, %s", len(found), one.score, one.proof)
        if not _may_go_on(one, stop, dissimilarity):
            return _early(stop)
        found.sort(key=lambda kept: -kept.score)
        found[:] = [kept for kept in found if kept.score >= _least(within, found[0].score)]
