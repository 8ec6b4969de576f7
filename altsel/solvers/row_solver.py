"""A solver made of an engine that takes sparse rows."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from math import nan
from typing import Any

from altsel.results.stop import Stop
from altsel.runtime.clock import clock
from altsel.solvers.engine import Ability, Engine, SolveLimits, solved
from altsel.solvers.outcome import Outcome, conclude, refuse_infeasible
from altsel.solvers.rows import Rows
from altsel.solvers.standard_form import InfeasibleRowError, to_rows


@dataclass(frozen=True)
class RowSolver:
    """Lower a model to rows, let an engine solve them, check and load the answer.

    Parameters
    ----------
    name
        Name of the profile.
    engine
        The adapter.
    limits
        Time, gap, threads, native options, log.
    """

    name: str
    engine: Engine = field(repr=False)
    limits: SolveLimits

    def __call__(self, model: Any) -> Outcome:
        """Solve the model; values on its variables are the start, afterwards the incumbent.

        Raises
        ------
        SolverError
            If the model is not linear or unbounded, the answer violates it, or the engine fails.
        OutOfTimeError
            If the search's time is up before the engine begins.
        """
        began = time.perf_counter()
        try:
            rows = to_rows(model)
        except InfeasibleRowError:
            return Outcome.infeasible(time.perf_counter() - began)
        if not rows.variables:  # all are fixed, and no row is broken
            total = rows.unscaled(0.0)
            return conclude(Stop.EXHAUSTED, total, total, rows, time.perf_counter() - began)
        clock().check()
        return solved(self.name, self.engine.package, self.version, lambda: self._solved(rows, began))

    def version(self) -> str | None:
        """Version of the installed engine; None if it is not installed."""
        return self.engine.version()

    @property
    def abilities(self) -> frozenset[Ability]:
        """What the engine can do."""
        return self.engine.abilities

    def _solved(self, rows: Rows, began: float) -> Outcome:
        """Solve rows, check the answer, put it on the model, and say what it proves."""
        answer = self.engine.solve(rows, self.limits.within(clock().left))
        if answer.stop is Stop.INFEASIBLE:
            refuse_infeasible(rows)
        value, own = None, 0.0
        if answer.point is not None:
            point = rows.rounded_and_checked(answer.point)
            rows.load(point)
            own = rows.own_terms(point)
            value = rows.unscaled(float(rows.cost @ point))
        bound = rows.unscaled(answer.bound) if rows.cost.any() else (value if value is not None else nan)
        return conclude(answer.stop, value, bound, rows, time.perf_counter() - began, own)
