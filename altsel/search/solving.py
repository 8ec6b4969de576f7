"""One question to a solver: the best sets of a model, never worse than the start; ratios by levels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from altsel.models.dominance import rules_on_quality
from altsel.models.objective import Separable, solved_by_levels
from altsel.models.problem import Problem, chosen, complete, holds, propose, withdraw
from altsel.result import Proof, Stop
from altsel.search.run import Run, log
from altsel.solvers import Outcome

Sets = list[list[str]]
Build = Callable[[Problem, Sets], Any]
"""Makes the model of a problem, with a start."""
Ask = Callable[[Problem, Sets], tuple[Sets, Outcome]]
"""Solves a problem, from a start."""


def best_sets(run: Run, ask: Ask, start: Sets, total: str) -> tuple[Sets, Outcome]:
    """Find one set, or sets with the largest sum or minimum.

    Parameters
    ----------
    run
        The search.
    ask
        Solves the problem, or the problem at a level.
    start
        Sets to begin with, or none. Unless the objective is separable they keep all
        conditions, and the answer is never worse.
    total
        ``"sum"`` or ``"min"``; for one set ``"min"``.

    Returns
    -------
    list of list of str
        The sets; empty if there are none or none was found.
    Outcome
        Value and bound of the total.
    """
    objective = run.problem.objective
    if solved_by_levels(objective) and total == "min" and not rules_on_quality(run.problem):
        return _by_levels(run, ask, start)
    found, outcome = ask(run.problem, start)
    if outcome.proof is Proof.OPTIMAL or not start or isinstance(objective, Separable):
        return found, outcome
    known = run.total(start, total)
    if found and outcome.value is not None and outcome.value >= known:
        return found, outcome
    return start, replace(outcome, proof=Proof.FEASIBLE, value=known)


def by_model(run: Run, build: Build, packing: bool = False) -> Ask:
    """Ask a solver, by a model; see `Run.solve` for packing."""

    def ask(stated: Problem, start: Sets) -> tuple[Sets, Outcome]:
        model = build(stated, start)
        outcome = run.solve(model, packing)
        found = [] if outcome.value is None else [list(chosen(block)) for block in model.sets.values()]
        return found, outcome

    return ask


def started(model: Any, problem: Problem, sets: Sets, fill: Callable[[], None] | None = None) -> Any:
    """Propose sets to a model, if they hold there; `fill` gives values to variables of its own."""
    blocks = list(model.sets.values())
    if sets:
        for block, one in zip(blocks, sets, strict=True):
            propose(problem, block, one)
        complete(model)
        if fill is not None:
            fill()
        if not holds(model):
            for block in blocks:
                withdraw(block)
    return model


def _by_levels(run: Run, ask: Ask, start: Sets) -> tuple[Sets, Outcome]:
    """Ask what exceeds the best ratio known, until nothing does (Dinkelbach 1967)."""
    ratio: Any = run.problem.objective
    best, level, seconds = start, run.total(start, "min") if start else 0.0, 0.0
    while True:
        found, outcome = ask(replace(run.problem, objective=ratio.at(level)), best)
        seconds += outcome.seconds
        value = run.total(found, "min") if found else -1.0
        log.info("level %.6g: %s", level, outcome.proof or outcome.stop)
        rises = value > level * (1 + 1e-12) or (bool(found) and not best)
        if outcome.proof is Proof.OPTIMAL and rises:
            best, level = found, value
        elif outcome.proof is Proof.OPTIMAL:
            return best, Outcome(Stop.EXHAUSTED, Proof.OPTIMAL, level, level, seconds)
        else:
            return _unfinished(run, outcome, level, found if rises else best)


def _unfinished(run: Run, outcome: Outcome, level: float, best: Sets) -> tuple[Sets, Outcome]:
    """Turn a bound on the excess over a level into one on the ratio."""
    ratio: Any = run.problem.objective
    bound = None if outcome.bound is None else ratio.ceiling(level, outcome.bound, run.problem.sizes)
    if not best:
        return [], replace(outcome, bound=bound)
    return best, replace(outcome, proof=Proof.FEASIBLE, value=run.total(best, "min"), bound=bound)
