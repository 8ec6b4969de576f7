"""Losses that a list of good sets leaves open, each by one exact solve under one rule more."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import isclose
from typing import Any

from altsel.analysis.good_sets import GoodSets
from altsel.errors import ArgumentError, listing
from altsel.exact.auto import answer
from altsel.exact.auto_solver import SolverLike
from altsel.exact.run import Run
from altsel.exact.verification.verified_solutions import Request
from altsel.models.domain import forbid, require
from altsel.models.problem import Problem
from altsel.models.rule import Rule
from altsel.models.soft_diversity import DISTINCT
from altsel.results.feature_set import FeatureSet, Proof
from altsel.results.importance_range import FeatureRange
from altsel.results.least_loss import Known, LeastLoss
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.results.text import json_text
from altsel.runtime.clock import OutOfTimeError, limited
from altsel.runtime.progress import report

log = logging.getLogger("altsel.search")
ROUNDING = 1e-8
"""Share of a score that is rounding."""
QUESTION = {"k": "sizes", "criterion": "criterion", "rules": "rules", "data": "data"}
"""What a request says of the problem, and in words."""


def solved_beyond(
    features: Sequence[FeatureRange],
    listed: GoodSets,
    problem: Problem,
    solver: SolverLike,
    time_limit: float | None,
) -> list[FeatureRange]:
    """Solve for the losses that a list leaves open, until time is up."""
    solved = list(features)
    if not listed.best_is_proved:
        return solved
    ask = partial(_best, listed, problem, solver)
    with limited(time_limit), suppress(OutOfTimeError):
        for place, one in enumerate(features):
            report(log, "feature %d of %d: %s", place + 1, len(features), one.feature)
            score, loss = ask(forbid(*one.names), one.best_without, one.without)
            solved[place] = replace(one, best_without=score, without=loss)
            score, loss = ask(require(one.feature), one.best_with, one.holding)
            solved[place] = replace(solved[place], best_with=score, holding=loss)
    return solved


def _best(
    listed: GoodSets, problem: Problem, solver: SolverLike, rule: Rule, score: float | None, loss: LeastLoss
) -> tuple[float | None, LeastLoss]:
    """Return score and loss of the best set that keeps a rule: those known, if they are exact or time is up.

    Raises
    ------
    ArgumentError
        If the list should have that set and has not: then the problem is another one.
    """
    if loss.exact:
        return score, loss
    found = best_under(problem, rule, solver)
    if not found.sets:
        return score, LeastLoss(Known.NO_SET) if found.stop is Stop.INFEASIBLE else loss
    one = found[0]
    lost = max(listed.best - one.score, 0.0)
    if one.proof is Proof.OPTIMAL:
        if score is None and lost < (listed.tolerance or 0.0) - ROUNDING * abs(listed.best):
            raise ArgumentError(
                f"the problem is not that of the list, which lacks {listing(one)} with a loss of {lost:.3g}"
            )
        return one.score, LeastLoss(Known.EXACTLY, lost)
    if loss.known is Known.AT_MOST:
        return score, LeastLoss(Known.AT_MOST, min(lost, loss.value or 0.0))
    least = 0.0 if one.bound is None else listed.best - one.bound
    return score, LeastLoss(Known.AT_LEAST, least) if least > (loss.value or 0.0) else loss


def best_under(problem: Problem, rule: Rule, solver: SolverLike = None) -> Solutions:
    """Find the best set of a problem that keeps one rule more.

    Returns
    -------
    Solutions
        One set, with what is proved of it; none, and ``INFEASIBLE``, where no set keeps all rules.

    Raises
    ------
    KeyboardInterrupt
        If the user stopped it.
    OutOfTimeError
        If the clock in force has run out and nothing is known.
    """
    narrowed = replace(problem, subject_to=[*problem.subject_to, rule])
    run = Run(narrowed, solver, "the best set", Request("sequential", DISTINCT))
    found = run.confirmed(lambda: run.finish(*_answered(run)))
    if found.stop is Stop.INTERRUPT:
        raise KeyboardInterrupt
    return found


def _answered(run: Run) -> tuple[list[FeatureSet], Stop]:
    best = answer(run.question(DISTINCT), run)
    return [run.feature_set(names, best.outcome) for names in best.sets], best.outcome.stop


def refuse_other_problem(found: Solutions, problem: Problem) -> None:
    """Refuse a problem that is not the one that solutions were found for, as far as they say.

    Raises
    ------
    ArgumentError
        Names what differs.
    """
    own, its = (_plain(one) for one in (found.request, Request("near_optimal").plain(problem)))
    other = [words for key, words in QUESTION.items() if own.get(key) != its.get(key)]
    if found.universe != tuple(problem.objective.features):
        other.append("features")
    if not other:
        best = found[0]
        score = problem.objective.checked_score(problem.mask(best.features))
        other = [] if isclose(score, best.score, rel_tol=ROUNDING, abs_tol=1e-12) else ["numbers"]
    if other:
        raise ArgumentError(
            f"the problem has other {' and '.join(other)} than that of the list: give the same"
        )


def _plain(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return a request as JSON has it, where tuples are lists."""
    return dict(json.loads(json_text({key: request.get(key) for key in QUESTION})))
