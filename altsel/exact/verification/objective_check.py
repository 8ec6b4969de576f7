"""Whether a criterion's formula, its model and what it declares besides say the same: tried on many sets."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb, inf, isfinite
from typing import Any

from altsel.errors import ArgumentError, DataError, SolverError, checked_integer, list_of_names, of_kind
from altsel.exact.verification.declared_abilities import ABILITIES
from altsel.models.declarations import check_declared, check_forms
from altsel.models.objective import Kind, Objective
from altsel.models.problem import Problem, lowered, model_of_sets, start_from, with_cuts
from altsel.pyomo_on_demand import expressions, pyo
from altsel.results.stop import Stop
from altsel.solvers import Solver, profiles
from altsel.solvers import solver as make_solver

CLOSE = 1e-6
"""Relative difference of model and formula that is put down to a solver's tolerance."""
SMALL = 2_000
"""Sets of one and of two features up to which all are tried by the formula."""
SOLVED = 24
"""Sets for each of which a model is solved, by every solver."""
Names = tuple[str, ...]


def check_objective(
    objective: Objective,
    k: int | tuple[int, int] | None = None,
    solvers: Sequence[str] | None = None,
    random_state: int = 0,
) -> None:
    """Compare a formula with its model and all that is declared; see `altsel.models.check_objective`."""
    of_kind("objective", objective, Objective, "an altsel.models.Objective")
    check_declared(objective)
    checked_integer("random_state", random_state, 0)
    n = len(objective.features)
    problem = Problem(objective, (1, min(5, n)) if k is None else k)
    check_forms(objective, problem.sizes)
    tried = _Tried(problem, random_state)
    for names in tried.all_small():
        tried.check_score(names)
    for ability in ABILITIES:
        ability(objective, tried.members(), problem.sizes)
    if objective.kind is not Kind.BLACK_BOX:
        low, high = problem.sizes
        sizes = [(low, low)] if low == high else [(high, high), (low, high)]
        for pair in sizes:
            _check_model(tried, Problem(objective, pair), _solvers(solvers))


def _solvers(names: Sequence[str] | None) -> list[Solver]:
    if names is None:
        names = [one.name for one in profiles() if one.version]
    return [make_solver(name) for name in list_of_names("solvers", names)]


@dataclass(frozen=True)
class _Tried:
    """The sets that are tried.

    Attributes
    ----------
    problem
        Criterion and sizes.
    seed
        Of those drawn.
    """

    problem: Problem
    seed: int

    def all_small(self) -> Iterator[Names]:
        """Return all sets of one and of two features, up to a number, and some of the sizes wanted."""
        features = self.problem.objective.features
        for size in (1, 2):
            yield from islice(combinations(features, size), SMALL if size <= len(features) else 0)
        yield from self.drawn(*self.problem.sizes)

    def drawn(self, low: int, high: int) -> list[Names]:
        """Draw sets of some sizes; all of them where they are few."""
        features, draw = self.problem.objective.features, random.Random(self.seed)
        if sum(comb(len(features), size) for size in range(low, high + 1)) <= SOLVED:
            return [one for size in range(low, high + 1) for one in combinations(features, size)]
        sets = (draw.sample(list(features), draw.randint(low, high)) for _ in range(SOLVED))
        return [self.problem.ordered(one) for one in sets]

    def members(self) -> list[Names]:
        """Draw sets of the sizes wanted."""
        return self.drawn(*self.problem.sizes)

    def check_score(self, names: Collection[str]) -> float:
        """Return the value of a set; it must be a finite number, and the same when asked again."""
        objective, mask = self.problem.objective, self.problem.mask(names)
        try:
            value, again = objective.evaluated_score(mask), objective.evaluated_score(mask.copy())
        except DataError as fault:
            raise ArgumentError(str(fault)) from fault
        if objective.checked_feasible(mask) and not isfinite(value):
            raise ArgumentError(
                f"{objective.name}: score gives {value!r} for {tuple(names)!r}; return a finite number"
            )
        if value != again:
            raise ArgumentError(
                f"{objective.name}: score gives {value!r}, then {again!r} for {tuple(names)!r}"
            )
        return value


def _check_model(tried: _Tried, problem: Problem, solvers: Sequence[Solver]) -> None:
    """Compare the model of some sizes with the formula."""
    model = model_of_sets(problem)
    block = model.sets[0]
    own = {id(x) for x in block.x.values()}
    if all(id(v) in own for v in expressions.identify_variables(block.quality.expr)):
        for names in _of_sizes(tried.all_small(), problem.sizes):
            start_from(problem, block, names)
            if problem.objective.checked_feasible(problem.mask(names)):
                _compare(problem, names, float(pyo.value(block.quality)), tried.check_score(names), "express")
    able = [solver for solver in solvers if _takes(model, solver)]
    if solvers and not able:
        raise ArgumentError(f"{problem.objective.name}: no solver takes the model that express makes")
    for names in tried.drawn(*problem.sizes):
        for solver in able:
            _check_fixed(tried, problem, model, names, solver)


def _takes(model: Any, solver: Solver) -> bool:
    """Return whether a solver takes a model at all: not all take every coefficient."""
    try:
        solver(model)
    except SolverError:
        return False
    return True


def _of_sizes(sets: Iterator[Names], sizes: tuple[int, int]) -> Iterator[Names]:
    return (one for one in sets if sizes[0] <= len(one) <= sizes[1])


def _check_fixed(tried: _Tried, problem: Problem, model: Any, names: Names, solver: Solver) -> None:
    """Fix a set in the model, and compare the quality that a solver gives it with the formula."""
    objective, x = problem.objective, model.sets[0].x
    left_out = any(x[f].fixed and x[f].value != (f in names) for f in x)  # express fixes what is in no set
    added = [f for f in x if not x[f].fixed]
    for f in added:
        x[f].fix(int(f in names))
    try:
        outcome, before = solver(model), inf
        while outcome.value is not None and lowered(before, outcome.value):
            before = outcome.value
            if with_cuts(problem, model) is None:
                break
            outcome = solver(model)
    except SolverError:
        return  # its own tolerances, say: nothing of the criterion
    finally:
        for f in added:
            x[f].unfix()
    admitted = objective.checked_feasible(problem.mask(names))
    if (left_out or outcome.stop is Stop.INFEASIBLE) == admitted:
        says = "has no value" if admitted else "has a value"
        raise ArgumentError(
            f"{objective.name}: {names!r} {says} in the model that express makes for sizes {problem.sizes}, "
            f"by {solver.name}, and is_feasible says {admitted}"
        )
    if admitted and outcome.value is not None:
        _compare(problem, names, outcome.value, tried.check_score(names), "express")


def _compare(problem: Problem, names: Names, value: float, score: float, where: str) -> None:
    if abs(value - score) > CLOSE * max(1e-3, abs(score)):
        raise ArgumentError(
            f"{problem.objective.name}: for {names!r} {where} gives {value:.9g}, and score gives {score:.9g}"
        )
