"""One question to a solver: the best sets of a model, never worse than the start; ratios by levels."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from itertools import product
from math import inf
from typing import Any

from altsel.errors import SolverError, listing
from altsel.exact.quick_bound import quality_bound
from altsel.exact.run import Run, log
from altsel.models.dominance import rules_on_quality
from altsel.models.objective import solved_by_levels
from altsel.models.problem import Problem, chosen, complete, exclude, holds, propose, withdraw
from altsel.models.ranges import refuse_wide_rules
from altsel.results.solutions import Proof, Stop
from altsel.runtime.clock import STOPPED
from altsel.solvers import CLOSED, Outcome

Sets = list[list[str]]
Build = Callable[[Problem, Sets], Any]
"""Makes the model of a problem, with a start."""
Ask = Callable[[Problem, Sets], tuple[Sets, Outcome]]
"""Solves a problem, from a start."""


def best_sets(
    run: Run, ask: Ask, start: Sets, total: str, penalty_paid: Callable[[Sets], float] | None = None
) -> tuple[Sets, Outcome]:
    """Find one set, or sets with the largest sum or minimum.

    Parameters
    ----------
    run
        The search.
    ask
        Solves the problem, or the problem at a level.
    start
        Sets to begin with, or none; those that break a rule are not used. The answer is never worse.
    total
        ``"sum"`` or ``"min"``; for one set ``"min"``.
    paid
        What sets pay of their total for being similar; None: nothing.

    Returns
    -------
    list of list of str
        The sets; empty if there are none or none was found.
    Outcome
        Value and bound of the total.
    """
    objective = run.problem.objective
    start = start if keeps_all(run, start) else []
    known = run.total(start, total) - (penalty_paid(start) if penalty_paid else 0.0) if start else -inf
    try:
        if (
            penalty_paid is None
            and solved_by_levels(objective)
            and total == "min"
            and not rules_on_quality(run.problem)
        ):
            return _by_levels(run, ask, start)
        found, outcome = ask(_easier(run, start, total, known), start)
    except STOPPED as fault:
        run.clock.note(fault)
        return _salvaged(run, start, known)
    if found and outcome.proof is Proof.FEASIBLE:  # a quality that is only bounded may be off in the model
        outcome = replace(
            outcome, value=run.total(found, total) - (penalty_paid(found) if penalty_paid else 0.0)
        )
    if not start:
        return found, outcome
    refuse_lies(run, outcome, known, start)
    if found and outcome.value is not None and outcome.value >= known:
        return found, outcome
    if found and outcome.proof is Proof.OPTIMAL:
        return found, outcome
    return start, replace(outcome, proof=Proof.FEASIBLE, value=known)


def keeps_all(run: Run, start: Sets) -> bool:
    """Return whether sets to begin with keep the rules; those that differ too little are never made."""
    joint = run.verifier.across(start)
    return (joint is None or joint.holds is not False) and all(keeps_rules(run, one) for one in start)


def keeps_rules(run: Run, one: Collection[str]) -> bool:
    """Return whether a set keeps the rules on each set."""
    return all(check.holds is not False for check in run.verifier.rules(one))


def refuse_lies(run: Run, outcome: Outcome, known: float, start: Sets) -> None:
    """Refuse an answer that a set at hand refutes.

    Raises
    ------
    SolverError
        If the solver calls the problem infeasible, or a poorer set optimal.
    """
    names = "; ".join(listing(one) for one in start)
    who = f"solver {run.engine.name!r}"
    slack = 1e-6 * max(abs(known), 1e-3 * outcome.largest_term)
    if outcome.stop is Stop.INFEASIBLE:
        raise SolverError(f"{who} calls the problem infeasible, yet {names} keeps all conditions")
    if outcome.proof is Proof.OPTIMAL and (outcome.value is None or known - outcome.value > slack):
        raise SolverError(f"{who} calls {outcome.value!r} optimal, yet {names} has {known!r}")
    if outcome.bound is not None and known - outcome.bound > slack:
        raise SolverError(f"{who} claims a bound of {outcome.bound!r}, yet {names} has {known!r}")


def _salvaged(run: Run, start: Sets, value: float) -> tuple[Sets, Outcome]:
    """Return what is at hand where the clock has ended the search."""
    if not start:
        return [], Outcome(run.stop, None, None, None, 0.0)
    return start, Outcome(run.stop, Proof.FEASIBLE, value, None, 0.0)


def by_model(run: Run, build: Build, packing: bool = False) -> Ask:
    """Ask a solver, by a model; see `Run.solve` for packing.

    Some models only bound the quality from above. Where a rule makes use of what lies between, the set
    found breaks it: it is excluded, and the solver is asked again.
    """
    on_quality = rules_on_quality(run.problem)

    def ask(stated: Problem, start: Sets) -> tuple[Sets, Outcome]:
        refuse_wide_rules(run.problem)
        model = build(stated, start)
        while True:
            outcome = run.solve(model, packing, stated)
            blocks = list(model.sets.values())
            found = [] if outcome.value is None else [list(chosen(block)) for block in blocks]
            broken = [subset for subset in found if not keeps_rules(run, subset)] if on_quality else []
            if not broken:
                return found, outcome
            for block, one in product(blocks, broken):
                exclude(block, one)

    return ask


def started(model: Any, problem: Problem, sets: Sets, fill: Callable[[], None] | None = None) -> Any:
    """Propose sets to a model, if they hold there; `fill` gives values to variables of its own."""
    blocks = list(model.sets.values())
    if sets:
        for block, subset in zip(blocks, sets, strict=True):
            propose(problem, block, subset)
        complete(model)
        if fill is not None:
            fill()
        if not holds(model):
            for block in blocks:
                withdraw(block)
    return model


def _easier(run: Run, start: Sets, total: str, known: float) -> Problem:
    """Clip the criterion's numbers by what a start of some total shows, unless a rule names the quality."""
    if not start or rules_on_quality(run.problem):
        return run.problem
    most = quality_bound(run.problem, known / len(start)) if total == "sum" and len(start) > 1 else 0.0
    return clipped(run.problem, known - (len(start) - 1) * most if total == "sum" else known)


def clipped(problem: Problem, level: float) -> Problem:
    """Make numbers no larger than it takes to keep hopeless sets below a level that is reached."""
    clip = getattr(problem.objective, "clipped", None)
    if clip is None or level == -inf:
        return problem
    objective = clip(level, problem.sizes)
    return problem if objective is problem.objective else replace(problem, objective=objective)


def _by_levels(run: Run, ask: Ask, start: Sets) -> tuple[Sets, Outcome]:
    """Ask what exceeds the best ratio known, until nothing does (Dinkelbach 1967)."""
    ratio: Any = run.problem.objective
    best, level, seconds = start, run.total(start, "min") if start else 0.0, 0.0
    while True:
        try:
            found, outcome = ask(replace(run.problem, objective=ratio.at(level)), best)
        except STOPPED as fault:
            run.clock.note(fault)
            return _salvaged(run, best, level)
        seconds += outcome.seconds
        value = run.total(found, "min") if found else -1.0
        log.info("level %.6g: %s", level, outcome.proof or outcome.stop)
        if best and outcome.stop is Stop.INFEASIBLE:
            refuse_lies(run, outcome, level, best)
        rises = value > level * (1 + 1e-12) or (bool(found) and not best)
        if rises and outcome.stop is Stop.EXHAUSTED:
            best, level = found, value
            continue
        return _concluded(run, replace(outcome, seconds=seconds), level, found if rises else best)


def _concluded(run: Run, outcome: Outcome, level: float, best: Sets) -> tuple[Sets, Outcome]:
    """Turn a bound on the excess over a level into one on the ratio."""
    ratio: Any = run.problem.objective
    bound = None if outcome.bound is None else ratio.ceiling(level, outcome.bound, run.problem.sizes)
    if not best:
        return [], replace(outcome, bound=bound, largest_term=0.0)
    value = run.total(best, "min")
    closed = outcome.stop is Stop.EXHAUSTED and bound is not None and bound - value <= CLOSED * value
    if closed:
        return best, Outcome(Stop.EXHAUSTED, Proof.OPTIMAL, value, value, outcome.seconds)
    return best, Outcome(outcome.stop, Proof.FEASIBLE, value, bound, outcome.seconds)
