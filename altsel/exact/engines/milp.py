"""The engine of models: one MILP on a solver, or several for a ratio; never worse than the start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from math import inf
from typing import Any

from altsel.errors import SolverError, listing
from altsel.exact.question import Answer, Question, Sets
from altsel.exact.quick_bound import quality_bound
from altsel.exact.run import Run, log
from altsel.exact.verification.neighbour_check import unbeaten
from altsel.exact.warm_start import starting_sets
from altsel.models.objective import Kind, Objective, is_own
from altsel.models.overlap_rows import differ_from
from altsel.models.problem import (
    Problem,
    chosen,
    clear_start,
    complete_products,
    exclude,
    holds,
    model_of_sets,
    start_from,
)
from altsel.models.ranges import refuse_wide_rules
from altsel.models.rule_slack import widen_rules
from altsel.models.simultaneous import formulate_together
from altsel.models.soft_diversity import (
    SoftDiversity,
    differ_softly,
    differ_softly_from,
    propose_similarities,
)
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.runtime.clock import STOPPED
from altsel.solvers import CLOSED, Outcome

Solve = Callable[[Problem, Sets], tuple[Sets, Outcome]]
"""Solves a problem, from a start."""


class Model:
    """Formulate the question, and let a solver answer it."""

    name = "model"

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot answer, if it cannot."""
        return "nothing is known of a black box but its values" if question.kind is Kind.BLACK_BOX else None

    def answer(self, question: Question, run: Run) -> Answer:
        """Solve it from the best sets at hand."""
        start = starting_sets(question, run.incumbent)
        solve = by_model(question, run)
        sets, outcome = unbeaten(question, run, start, lambda sets: best_sets(question, run, solve, sets))
        return Answer(sets, outcome, question.penalty_of(sets))


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
    refuse_lies(run, outcome, known, start)
    if found and (outcome.proof is Proof.OPTIMAL or (outcome.value is not None and outcome.value >= known)):
        return found, outcome
    return start, replace(outcome, proof=Proof.FEASIBLE, value=known)


def refuse_lies(run: Run, outcome: Outcome, known: float, start: Sets) -> None:
    """Refuse an answer that a set at hand refutes.

    Raises
    ------
    SolverError
        If the solver calls the problem infeasible, or a poorer set optimal.
    """
    names = "; ".join(listing(subset) for subset in start)
    who, or_model = f"solver {run.answered_by!r}", or_the_model(run.problem.objective)
    slack = outcome.slack(known)
    if outcome.stop is Stop.INFEASIBLE:
        raise SolverError(f"{who} calls the problem infeasible, yet {names} keeps all conditions{or_model}")
    if outcome.proof is Proof.OPTIMAL and (outcome.value is None or known - outcome.value > slack):
        raise SolverError(f"{who} calls {outcome.value!r} optimal, yet {names} has {known!r}{or_model}")
    if outcome.bound is not None and known - outcome.bound > slack:
        raise SolverError(f"{who} claims a bound of {outcome.bound!r}, yet {names} has {known!r}{or_model}")


def or_the_model(objective: Objective) -> str:
    """Say in a message that blames a solver that a model of the user's own may be wrong instead."""
    return f"; the model of {objective.name} is wrong, or the solver" if is_own(objective) else ""


def by_model(question: Question, run: Run) -> Solve:
    """Solve by a model.

    Some models only bound the quality from above, and rows of rules have room for rounding. Where the set
    found breaks a rule by what lies between, it is excluded, and the model is solved again.
    """
    objective = question.problem.objective
    on_quality = question.structure.on_quality

    def solve(stated: Problem, start: Sets) -> tuple[Sets, Outcome]:
        refuse_wide_rules(question.problem)
        model = _formulated(question, stated, start)
        more = question.structure.breaking() if on_quality else iter(())
        while True:
            outcome = run.solve(model, question.packing, stated)
            blocks = list(model.sets.values())
            sets = [] if outcome.value is None else map(chosen, blocks)
            found = [list(question.problem.ordered(subset)) for subset in sets]
            broken = [
                subset for subset in found if not objective.checked_feasible(question.problem.mask(subset))
            ]
            broken += [subset for subset in found if not question.keeps_rules(subset)]
            if not broken:
                return found, outcome
            broken += map(
                list, more
            )  # at once: one by one, a model that is loose from one side takes very many solves
            for block, one in product(blocks, broken):
                exclude(block, one)

    return solve


def _formulated(question: Question, problem: Problem, start: Sets) -> Any:
    """Make the model of a question, with another problem that has the same rules, and a start."""
    diversity, count, total = question.diversity, question.count, question.total
    among = None if question.among is None else question.among.tolist()
    if isinstance(diversity, SoftDiversity):
        model = model_of_sets(problem, count, total=total, among=among)
        if count > 1:
            differ_softly(diversity, model, problem.sizes)
        else:
            differ_softly_from(diversity, model, question.known, problem.sizes)
    else:
        model = formulate_together(problem, diversity, count, total, among)
        for subset in question.known:
            differ_from(diversity, model.sets[0], subset, problem.sizes)
    widen_rules(model, problem.sizes[1])
    if start:
        _begin(question, problem, model, start)
    return model


def _begin(question: Question, problem: Problem, model: Any, start: Sets) -> None:
    """Propose sets to a model, if they hold there; one set surely does where there are no rules."""
    blocks = list(model.sets.values())
    for block, subset in zip(blocks, start, strict=True):
        start_from(problem, block, subset)
    soft = question.soft
    if soft is not None or question.count > 1:
        complete_products(model)
    if soft is not None:
        propose_similarities(soft, model, question.known)
    sure = soft is None and question.count == 1 and not problem.subject_to and not problem.across
    if not sure and not holds(model):
        for block in blocks:
            clear_start(block)


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
            refuse_lies(run, outcome, level, best)
        rises = value > level * (1 + 1e-12) or (bool(found) and not best)
        if rises and outcome.stop is Stop.EXHAUSTED:
            best, level = found, value
            continue
        best, level = (found, value) if rises else (best, level)
        outcome = replace(outcome, bound=None if limit == inf else limit, seconds=seconds)
        if best:
            refuse_lies(run, Outcome.unfinished(outcome.stop, level, outcome.bound), level, best)
        return _concluded(question, outcome, best)


def _concluded(question: Question, outcome: Outcome, best: Sets) -> tuple[Sets, Outcome]:
    """Say what the levels have shown; the outcome's bound is one on the ratio."""
    if not best:
        return [], replace(outcome, largest_term=0.0)
    value, bound = question.quality(best), outcome.bound
    bound = None if bound is None else max(bound, value)  # below it by rounding alone
    if outcome.stop is Stop.EXHAUSTED and bound is not None and bound - value <= CLOSED * value:
        return best, Outcome.optimal(value, outcome.seconds)
    return best, Outcome.unfinished(outcome.stop, value, bound, outcome.seconds)
