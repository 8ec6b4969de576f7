"""The best sets together from one list: of all that can be in a better family than the sequential one."""

from __future__ import annotations

from math import inf

from altsel.exact.question import Answer, Question, Sets
from altsel.exact.run import Run
from altsel.exact.sources.every_set.engine import MOST_SETS, from_pool
from altsel.exact.sources.every_set.pool import pool_of
from altsel.exact.sources.source import Above
from altsel.exact.sources.table import best_after, list_above
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.runtime.clock import clock

ROUNDING = 1e-12
"""Rounding of a sum of scores, relative to them."""


def by_threshold(question: Question, run: Run) -> Answer | None:
    """List the sets above a floor, and search the list; None if they are too many.

    With ``Q_1 >= Q_2 >= ...`` the scores of sets found one after another, a family with a larger sum has no
    set below ``sum_i Q_i - (count - 1) Q_1``, one with a larger minimum none below ``Q_count``.
    """
    family: Sets = []
    while len(family) < question.count:
        following = best_after(question, family, run)
        if following is None:
            return None
        if following.outcome.stop in {Stop.INTERRUPT, Stop.TIME}:
            clock().check()
        if following.outcome.stop is Stop.INFEASIBLE:
            break
        if following.outcome.proof is not Proof.OPTIMAL:
            return None
        family += following.sets
    if len(family) == question.count:
        run.incumbent = family
    sets, complete = list_above(question, run, Above(_floor(question, family), MOST_SETS), family)
    if not complete:
        return None
    return from_pool(question, run, pool_of(question.problem, question.distance, sets))


def _floor(question: Question, family: Sets) -> float:
    """Return what every set of a better family scores at least."""
    if len(family) < question.count:
        return -inf
    scores = [question.problem.objective.checked_score(question.problem.mask(subset)) for subset in family]
    floor = sum(scores) - (len(scores) - 1) * scores[0] if question.total == "sum" else min(scores)
    return floor - ROUNDING * sum(map(abs, scores))
