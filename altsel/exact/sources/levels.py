"""The best sets by a method that solves one problem: at once, or level by level of a ratio."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf

from altsel.exact.question import Question, Sets
from altsel.exact.quick_bound import quality_bound
from altsel.exact.run import Run, log
from altsel.exact.verification.solver_claims import refuse_false_claims
from altsel.models.problem import Problem
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.runtime.clock import STOPPED
from altsel.solvers import CLOSED, Outcome

Solve = Callable[[Problem, Sets], tuple[Sets, Outcome]]
"""Solves a problem, from a start."""


def best_sets(question: Question, run: Run, solve: Solve, start: Sets) -> tuple[Sets, Outcome]:
    """Find the best sets by some method.

    Parameters
    ----------
    question
        What is wanted.
    run
        The search.
    solve
        Solves the problem, or the problem at a level.
    start
        Sets to begin with, or none; those that break a rule are not used. The answer is never worse.

    Returns
    -------
    list of list of str
        The sets; empty if there are none or none was found.
    Outcome
        Value and bound of what is maximised.
    """
    start = start if question.keeps_all(start) else []
    if solved_by_levels(question):
        return _by_levels(question, run, solve, start)
    known = question.value(start) if start else None
    try:
        found, outcome = solve(_easier(question, start), start)
    except STOPPED as fault:
        run.clock.note(fault)
        return start, Outcome.unfinished(run.stop, known)
    if found and outcome.proof is Proof.FEASIBLE:  # a quality that is only bounded may be off in the model
        outcome = replace(outcome, value=question.value(found))
    if known is None:
        return found, outcome
    refuse_false_claims(run, outcome, known, start)
    if found and (outcome.proof is Proof.OPTIMAL or (outcome.value is not None and outcome.value >= known)):
        return found, outcome
    return start, replace(outcome, proof=Proof.FEASIBLE, value=known)


def _easier(question: Question, start: Sets) -> Problem:
    """Clip the criterion's numbers by what a start shows, unless a rule names the quality."""
    problem = question.problem
    if not start or question.structure.on_quality:
        return problem
    level = question.value(start)
    if question.total == "sum" and len(start) > 1:
        level -= (len(start) - 1) * quality_bound(problem, level / len(start))
    objective = problem.objective.clipped(level, problem.sizes)
    return problem if objective is problem.objective else replace(problem, objective=objective)


def solved_by_levels(question: Question) -> bool:
    """Return whether a question is solved as several, each about what exceeds a level of a ratio."""
    if question.penalty or question.total != "min" or not question.problem.objective.by_levels:
        return False
    return not question.structure.on_quality


def _by_levels(question: Question, run: Run, solve: Solve, start: Sets) -> tuple[Sets, Outcome]:
    """Find what exceeds the best ratio known, until nothing does (Dinkelbach 1967).

    What the search of one level shows bounds the ratio as well, and stands where the next one is cut short.
    """
    ratio, sizes = question.problem.objective, question.problem.sizes
    best, level, seconds, limit = start, question.quality(start) if start else 0.0, 0.0, inf
    while True:
        try:
            found, outcome = solve(replace(question.problem, objective=ratio.parametric(level)), best)
        except STOPPED as fault:
            run.clock.note(fault)
            known = None if limit == inf else limit
            return best, Outcome.unfinished(run.stop, level if best else None, known)
        seconds += outcome.seconds
        if outcome.bound is not None:
            limit = min(limit, ratio.bound_from_excess(level, outcome.bound, sizes))
        value = question.quality(found) if found else -1.0
        log.info("level %.6g: %s", level, outcome.proof or outcome.stop)
        if best and outcome.stop is Stop.INFEASIBLE:
            refuse_false_claims(run, outcome, level, best)
        rises = value > level * (1 + 1e-12) or (bool(found) and not best)
        if rises and outcome.stop is Stop.EXHAUSTED:
            best, level = found, value
            continue
        best, level = (found, value) if rises else (best, level)
        outcome = replace(outcome, bound=None if limit == inf else limit, seconds=seconds)
        if best:
            refuse_false_claims(run, Outcome.unfinished(outcome.stop, level, outcome.bound), level, best)
        return _conclude(question, outcome, best)


def _conclude(question: Question, outcome: Outcome, best: Sets) -> tuple[Sets, Outcome]:
    """Return what the levels have shown; the outcome's bound is one on the ratio."""
    if not best:
        return [], replace(outcome, largest_term=0.0)
    value, bound = question.quality(best), outcome.bound
    bound = None if bound is None else max(bound, value)  # below it by rounding alone
    if outcome.stop is Stop.EXHAUSTED and bound is not None and bound - value <= CLOSED * value:
        return best, Outcome.optimal(value, outcome.seconds)
    return best, Outcome.unfinished(outcome.stop, value, bound, outcome.seconds)
