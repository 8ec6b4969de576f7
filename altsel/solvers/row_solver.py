"""A solver made of an engine that takes sparse rows."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from math import nan
from typing import Any

from altsel._types import FloatArray
from altsel.errors import SolverError
from altsel.results.stop import Stop
from altsel.runtime.clock import clock
from altsel.solvers.column_scaling import scaled_columns
from altsel.solvers.engine import Ability, Answer, Engine, SolveLimits, solved
from altsel.solvers.never import without_never
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
        return self.solve(rows, began)

    def solve(self, rows: Rows, began: float | None = None) -> Outcome:
        """Solve rows; the incumbent's values are on the variables they are of.

        Parameters
        ----------
        rows
            A model that is lowered already, such as one that is asked again under other bounds.
        began
            When the work began, on the clock of `time.perf_counter`; default: now.

        Raises
        ------
        SolverError, OutOfTimeError
            As for a model.
        """
        began = time.perf_counter() if began is None else began
        rows = without_never(rows)
        if (rows.lower > rows.upper).any():
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
        scaled, units = scaled_columns(rows)
        answer = self.engine.solve(scaled, self.limits.within(clock().wall_left))
        if answer.stop is Stop.INFEASIBLE:
            refuse_infeasible(rows)
        value, own = None, 0.0
        point = _checked(answer, scaled)
        if point is not None:
            point = point * units
            rows.load(point)
            own = rows.own_terms(point)
            value = rows.unscaled(float(rows.cost @ point))
        bound = rows.unscaled(answer.bound) if rows.cost.any() else (value if value is not None else nan)
        return conclude(answer.stop, value, bound, rows, time.perf_counter() - began, own)


def _checked(answer: Answer, rows: Rows) -> FloatArray | None:
    """Round and check a point; one that breaks rows is none where the engine was stopped early.

    SCIP then hands back a start that it has not looked at.
    """
    if answer.point is None:
        return None
    try:
        return rows.rounded_and_checked(answer.point)
    except SolverError:
        if answer.stop not in {Stop.TIME, Stop.INTERRUPT}:
            raise
        return None
