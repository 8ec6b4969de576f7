"""The fourth formulation of AFS 3.1: any sets that are good enough and differ enough."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from numbers import Real

from altsel.errors import flags, of_kind
from altsel.exact.auto_solver import SolverLike
from altsel.exact.rules.linear_rules import keeps_rows, rule_rows
from altsel.exact.run import Run, checked_count, checked_question, engines_of
from altsel.exact.stages.screening import is_screened, searched_alone
from altsel.exact.starts.local_search import exchange_search
from altsel.exact.starts.warm_start import good_set, proposed_sets
from altsel.exact.verification.verified_solutions import Request
from altsel.models.dissimilarity import Dice, Dissimilarity, share_of
from altsel.models.objective import Kind
from altsel.models.problem import Problem
from altsel.models.soft_diversity import SoftDiversity, unpaid
from altsel.models.stated_dissimilarity import differ_by_rule
from altsel.results.feature_set import FeatureSet, Proof
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.runtime.clock import STOPPED, clock, limited
from altsel.search.alternatives.sequential import sequential
from altsel.search.alternatives.simultaneous import simultaneous


def satisfying(  # noqa: PLR0913  (two searches share them)
    problem: Problem,
    dissimilarity: Dissimilarity | SoftDiversity,
    alternatives: int,
    least: float,
    solver: SolverLike = None,
    time_limit: float | None = None,
    *,
    together: bool = False,
    start: Sequence[Collection[str]] = (),
) -> Solutions:
    """Find any set of enough quality, then again and again any that differs enough from all before.

    Find s with ``Q(s) >= least`` and ``d(s, s') >= tau``. An exchange search is tried first; where it
    fails, the best set is found, and if that is too poor there is none.

    Parameters
    ----------
    problem, dissimilarity, alternatives, solver, time_limit
        As in `sequential`.
    least
        Least quality of every set.
    together
        Whether the sets are found at once: if one after another does not do, the sets whose poorest is best
        are sought.
    start
        Good sets to begin with, as in `sequential`; those that are good enough are taken first.

    Returns
    -------
    Solutions
        ``FEASIBLE`` sets, or ``OPTIMAL`` where the best set had to be found. ``stop`` is ``COUNT``, or
        ``INFEASIBLE`` if it is proved that no further set is good and different enough.

    Raises
    ------
    ArgumentError, ConfigurationError, SolverError
        If an argument, the solver's profile or the model is wrong.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, satisfying
    >>> found = satisfying(Problem(Univariate([5, 4, 2, 1]), k=2), Dice(0.5), 9, least=6)
    >>> [subset.score for subset in found], found.stop.value
    ([9.0, 7.0, 6.0, 6.0], 'infeasible')
    """
    checked_question(problem, dissimilarity)
    flags(together=together)
    of_kind("least", least, Real, "a number, the least quality")
    if together:
        return _satisfying_together(problem, dissimilarity, alternatives, least, solver, time_limit, start)
    count = checked_count(alternatives)
    options = {"alternatives": alternatives, "least": least}
    request = Request("satisfying", dissimilarity, options=options)
    with limited(time_limit):
        title = f"satisfying, {dissimilarity}, alternatives={alternatives}, least={least:g}"
        run = Run(problem, solver, title, request, start)
        found: list[FeatureSet] = []
        try:
            stop = _one_after_another(run, dissimilarity, count, least, found)
        except STOPPED as fault:
            stop = run.ended(fault)
        return run.finish(found, stop)


def _one_after_another(
    run: Run, dissimilarity: Dissimilarity | SoftDiversity, count: int, least: float, found: list[FeatureSet]
) -> Stop:
    """Find up to `count` sets; adds to `found` and returns why it ended."""
    problem = run.problem
    while len(found) < count:
        clock().check()
        known = [subset.features for subset in found]
        names = _proposed(run, dissimilarity, known, least)
        names = names or _at_hand(run, dissimilarity, known)
        if names is not None and run.score(names) >= least:
            found.append(run.unproved(names, Proof.FEASIBLE))
            continue
        best = sequential(
            problem, unpaid(dissimilarity), 1 if known else 0, run.solver, known, start=run.start
        )
        run.engines |= dict.fromkeys([engines_of(best)] if engines_of(best) else [])
        run.solves, run.nodes = run.solves + best.effort.solves, run.nodes + best.effort.nodes
        if not best.sets or best[0].score < least:
            refuted = not best.sets or (best[0].bound is not None and best[0].bound < least)
            stop = Stop.INFEASIBLE if best.sets and refuted else best.stop
            return _unfinished(stop)
        found += best.sets
        if best.stop is Stop.INTERRUPT:
            return best.stop
    return Stop.COUNT


def _proposed(
    run: Run, dissimilarity: Dissimilarity | SoftDiversity, known: list[tuple[str, ...]], least: float
) -> list[str] | None:
    """Return a set to begin with that is good enough, and differs enough from known ones; None if none is."""
    good = [one for one in run.start if run.score(one) >= least]
    sets = proposed_sets(run.question(dissimilarity).after(known), good) if good else []
    return sets[0] if sets else None


def _satisfying_together(
    problem: Problem,
    dissimilarity: Dissimilarity | SoftDiversity,
    alternatives: int,
    least: float,
    solver: SolverLike = None,
    time_limit: float | None = None,
    start: Sequence[Collection[str]] = (),
) -> Solutions:
    """Find any sets of enough quality that all differ enough from each other.

    Arguments and result as in `satisfying`. If one set after another does not do, the sets whose
    poorest is best are found at once, and if that is too poor there are none.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, satisfying
    >>> found = satisfying(Problem(Univariate([5, 4, 2, 1]), k=2), Dice(1), 1, least=6, together=True)
    >>> [subset.features for subset in found]
    [('x0', 'x3'), ('x1', 'x2')]
    """
    with limited(time_limit):
        found = satisfying(problem, dissimilarity, alternatives, least, solver, start=start)
        search = found.search.replace("satisfying", "satisfying_together", 1)
        if found.stop in {Stop.COUNT, Stop.INTERRUPT}:
            request = {**found.request, "search": "satisfying_together"}
            return replace(found, search=search, request=request).answering(problem, dissimilarity)
        best = simultaneous(problem, unpaid(dissimilarity), alternatives, "min", solver, start=start)
    request = {**found.request, "search": "satisfying_together"}
    best = replace(best, search=search, effort=found.effort + best.effort, request=request)
    poor = [subset for subset in best if subset.score < least]
    if poor:
        refuted = all(subset.bound is not None and subset.bound < least for subset in poor[-1:])
        best = replace(best, sets=(), stop=Stop.INFEASIBLE if refuted else _unfinished(best.stop))
    return best.answering(problem, dissimilarity)


def _unfinished(stop: Stop) -> Stop:
    return Stop.LIMIT if stop is Stop.COUNT else stop


def _at_hand(
    run: Run, diversity: Dissimilarity | SoftDiversity, known: Sequence[Collection[str]]
) -> list[str] | None:
    """Find a good set without proof; None if there is none at hand."""
    question = run.question(diversity).after(known)
    problem = (searched_alone(question) if is_screened(question) else question).problem
    if isinstance(diversity, SoftDiversity):
        return exchange_search(problem, diversity, known)
    if share_of(diversity) is None:
        problem, diversity, known = differ_by_rule(problem, diversity, known), Dice(0), []
    names = good_set(problem, diversity, known)
    if names is None or problem.objective.kind is not Kind.SUM:
        return names
    rows = rule_rows(problem)  # a sum's greedy set does not look at the rules
    return names if rows is not None and keeps_rows(rows, problem.mask(names)) else None
