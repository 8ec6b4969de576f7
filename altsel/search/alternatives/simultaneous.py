"""Simultaneous search for alternatives: all sets at once (AFS 3.2.2)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from altsel.exact.auto import answer, best_known
from altsel.exact.auto_solver import SolverLike
from altsel.exact.question import Question
from altsel.exact.run import PER_MEMBER, PER_SET, Run, checked_count, checked_question, checked_total, log
from altsel.exact.verification.verified_solutions import Request
from altsel.models.problem import Problem
from altsel.models.soft_diversity import Diversity
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.runtime.clock import STOPPED, limited
from altsel.runtime.memory import require
from altsel.runtime.progress import report


def simultaneous(
    problem: Problem,
    dissimilarity: Diversity,
    alternatives: int,
    total: str = "sum",
    solver: SolverLike = None,
    time_limit: float | None = None,
    start: Sequence[Collection[str]] = (),
) -> Solutions:
    """Find all sets at once: the largest sum, or the largest minimum, of their qualities.

    ``max sum_i Q(s_i)`` or ``max min_i Q(s_i)`` subject to ``d(s_i, s_j) >= tau`` for all pairs.
    The question is answered by the first engine of `altsel.exact.auto` that can, such as counting
    memberships, a list of all sets, or one model; ``Solutions.search`` names those that did.

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
    start
        Good sets to begin with, as in `sequential`; as many as are wanted must keep all conditions.

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
    >>> [subset.features for subset in simultaneous(problem, Dice(1), alternatives=1, total="min")]
    [('x0', 'x3'), ('x1', 'x2')]
    """
    checked_question(problem, dissimilarity)
    checked_total(total)
    count = checked_count(alternatives)
    needed = count * (PER_SET + PER_MEMBER * problem.sizes[1])
    require(needed, f"{count:,} sets at once", "ask for fewer alternatives")
    options = {"alternatives": alternatives, "total": total}
    request = Request("simultaneous", dissimilarity, together=True, options=options)
    with limited(time_limit):
        title = f"simultaneous, {dissimilarity}, alternatives={alternatives}, total={total}"
        run = Run(problem, solver, title, request, start)
        return run.confirmed(lambda: _search(run, run.question(dissimilarity, count, total), total))


def _search(run: Run, question: Question, total: str) -> Solutions:
    """Find the sets, or those at hand when time is up."""
    try:
        with limited(run.question_limit):
            best = answer(question, run)
    except STOPPED as fault:
        run.ended(fault)
        best = best_known(question, run)
    report(log, "%d sets together: %s, stop: %s", len(best.sets), best.outcome.proof, best.outcome.stop)
    if not best.sets:
        return run.finish([], best.outcome.stop)
    stop = Stop.INTERRUPT if best.outcome.stop is Stop.INTERRUPT else Stop.COUNT
    return run.finish(run.joint_sets(best.sets, total, best.outcome, best.penalty_paid), stop)
