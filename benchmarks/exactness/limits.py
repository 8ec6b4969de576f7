"""The family of searches that are stopped early: by the clock, or by a solver that says its time is up."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pyomo.environ as pyo

import altsel
from altsel import Proof, Stop
from altsel.solvers import Outcome
from benchmarks.exactness.instance import Instance, Ready

SECONDS = (1e-6, 1e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1)
WAYS = ("whole call", "whole call", "each solve", "silent", "from then on", "loose", "poor")


@dataclass
class Stopping:
    """A solver that is honest, but stops early.

    Attributes
    ----------
    inner
        The solver that does the work.
    at
        Number of the call at which it stops.
    way
        ``silent``: no answer; ``from then on``: at all later calls too; ``loose``: the optimum with a
        bound above it; ``poor``: any feasible point, with a true bound.
    slack
        How far above the optimum the bound is, as a share.
    """

    inner: Any
    at: int
    way: str
    slack: float
    calls: int = 0
    name = "stopping"

    def __call__(self, model: Any) -> Outcome:
        """Solve a model, or stop."""
        self.calls += 1
        if self.calls < self.at or (self.calls > self.at and self.way != "from then on"):
            return self._solved(model)
        if self.way in {"silent", "from then on"}:
            return Outcome(Stop.TIME, None, None, None, 0.0)
        outcome = self._solved(model)
        if outcome.value is None or outcome.bound is None:
            return Outcome(Stop.TIME, None, None, None, 0.0)
        sign = 1 if _objective(model).sense == pyo.maximize else -1
        bound = outcome.bound + sign * self.slack * max(abs(outcome.bound), 1e-3)
        value = self._poorer(model) if self.way == "poor" else outcome.value
        if value is None or sign * (bound - value) <= 0:
            return outcome if value is not None else Outcome(Stop.TIME, None, None, bound, 0.0)
        return Outcome(Stop.TIME, Proof.FEASIBLE, value, bound, 0.0)

    def _solved(self, model: Any) -> Outcome:
        outcome: Outcome = self.inner(model)
        return outcome

    def _poorer(self, model: Any) -> float | None:
        """Find any point that keeps all rows, and what it is worth."""
        objective = _objective(model)
        for variable in model.component_data_objects(pyo.Var):
            if not variable.fixed:
                variable.set_value(None)
        objective.deactivate()
        model.any_point = pyo.Objective(expr=0.0)
        try:
            found = self._solved(model)
        finally:
            model.del_component("any_point")
            objective.activate()
        worth = pyo.value(objective.expr, exception=False)
        return None if found.value is None or worth is None else float(worth)


def _objective(model: Any) -> Any:
    return next(iter(model.component_data_objects(pyo.Objective, active=True)))


Draws = dict[str, Callable[[Random], Instance]]


def draw_limits(draws: Draws) -> Callable[[Random], Instance]:
    """Draw a question of another family, and how it is stopped."""

    def draw(rng: Random) -> Instance:
        base = rng.choice(list(draws))
        instance = replace(draws[base](rng), family="limits")
        way = rng.choice(WAYS)
        instance.more.update(base=base, way=way, seconds=rng.choice(SECONDS), at=rng.randint(1, 6))
        instance.more["slack"] = rng.choice([1e-6, 0.01, 0.5])
        if way not in {"whole call", "each solve"} and instance.solver == "auto":
            return replace(instance, solver=rng.choice(["highs", "highs", "scip"]))
        return instance

    return draw


def limited(ready: Ready, search: Callable[..., Any]) -> Ready:
    """Give an instance its limit, as far as altsel knows such a limit."""
    wanted, more = ready.instance, ready.instance.more
    if more["way"] == "whole call" and "time_limit" in inspect.signature(search).parameters:
        return replace(ready, seconds=more["seconds"])
    if more["way"] in {"whole call", "each solve"}:
        return replace(ready, solver=solver(wanted.solver, max(more["seconds"], 1e-3)))
    inner = altsel.solver(wanted.solver)
    return replace(ready, solver=Stopping(inner, more["at"], more["way"], more["slack"]))


def solver(name: str, seconds: float) -> Any:
    """Make a solver with a limit for each call of it."""
    if name != "auto":
        return altsel.solver(name, time_limit=seconds)
    try:
        return altsel.solver("auto", time_limit=seconds)
    except altsel.ConfigurationError:
        from altsel.exact.auto_solver import automatic  # noqa: PLC0415  (the only way before `time_limit=`)

        return automatic(seconds)
