"""SCIP by PySCIPOpt."""

from __future__ import annotations

from importlib import util
from math import inf
from typing import Any

import numpy as np

from altsel.errors import ConfigurationError, SolverError
from altsel.results.stop import Stop
from altsel.runtime.clock import clock
from altsel.runtime.on_demand import OnDemand
from altsel.solvers.engine import Ability, Answer, SolveLimits, cancelled, version_of, watched
from altsel.solvers.rows import Rows, unbounded
from altsel.solvers.terminal import without

pyscipopt: Any = OnDemand("pyscipopt")
NOISE = b"Cannot set feasibility tolerance"
"""SoPlex says so whenever SCIP tightens its tolerance of 1e-9; no option of either turns it off."""


class Scip:
    """Adapter of SCIP."""

    package = "PySCIPOpt"
    abilities = frozenset(Ability) - {Ability.THREADS}  # it is called to solve on one

    def version(self) -> str | None:
        """Version of PySCIPOpt."""
        return version_of("pyscipopt") if util.find_spec("pyscipopt") else None

    def solve(self, rows: Rows, limits: SolveLimits) -> Answer:
        """Minimise with a gap of 0 unless requested otherwise."""
        engine = pyscipopt.Model()
        _configure(engine, limits)
        variables = _build(engine, rows)
        if rows.any_start:
            _start(engine, variables, rows)
        left = limits.within(clock().wall_left).time_limit
        if left is not None:
            engine.setParam("limits/time", float(left))

        def solve() -> None:
            with without(NOISE):  # in the thread of the solve: signals do not reach it
                engine.optimizeNogil()

        interrupted = watched(solve, engine.interruptSolve)
        status = _stop(engine, interrupted, rows)
        point = None
        if engine.getNSols():
            best = engine.getBestSol()
            point = np.array([engine.getSolVal(best, variable) for variable in variables], dtype=float)
        bound = engine.getDualbound()
        return Answer(status, point, bound if abs(bound) < engine.infinity() else -inf)


def _configure(engine: Any, limits: SolveLimits) -> None:
    engine.hideOutput()  # the screen; a log file is written all the same
    if limits.log:
        engine.setLogfile(str(limits.log))
    options: dict[str, Any] = {
        "limits/gap": float(limits.gap),
        "limits/absgap": 0.0,
        "numerics/feastol": 1e-9,
        "misc/catchctrlc": False,
        "heuristics/completesol/maxunknownrate": 1.0,
        **({} if limits.seed is None else {"randomization/randomseedshift": limits.seed}),
        **limits.options,
    }
    for name, value in options.items():
        try:
            engine.setParam(name, value)
        except (KeyError, ValueError, TypeError, OSError, LookupError) as fault:
            raise ConfigurationError(f"SCIP refuses its option {name!r} = {value!r}: {fault}") from fault


def _build(engine: Any, rows: Rows) -> list[Any]:
    kinds = np.where(rows.integer, "I", "C")
    kinds = np.where(rows.integer & (rows.lower == 0) & (rows.upper == 1), "B", kinds)
    variables = [
        engine.addVar(
            vtype=str(kind), lb=None if low == -inf else low, ub=None if high == inf else high, obj=cost
        )
        for kind, low, high, cost in zip(kinds, rows.lower, rows.upper, rows.cost, strict=True)
    ]
    current = clock()
    for i, (low, high) in enumerate(zip(rows.low, rows.high, strict=True)):
        current.check()
        indices = slice(rows.matrix.indptr[i], rows.matrix.indptr[i + 1])
        terms = zip(rows.matrix.data[indices], rows.matrix.indices[indices], strict=True)
        body = pyscipopt.quicksum(float(value) * variables[j] for value, j in terms)
        if low == high:
            engine.addCons(body == low)
        elif np.isfinite(low) and np.isfinite(high):
            engine.addCons((low <= body) <= high)
        else:
            engine.addCons(body <= high if np.isfinite(high) else body >= low)
    engine.setMinimize()
    return variables


def _start(engine: Any, variables: list[Any], rows: Rows) -> None:
    complete_products = bool(np.isfinite(rows.start).all())
    solution = engine.createSol() if complete_products else engine.createPartialSol()
    for variable, value in zip(variables, rows.start, strict=True):
        if np.isfinite(value):
            engine.setSolVal(solution, variable, value)
    engine.addSol(solution)


def _stop(engine: Any, interrupted: bool, rows: Rows) -> Stop:
    status = engine.getStatus()
    if interrupted or status == "userinterrupt":
        return cancelled(interrupted)
    if status in {"unbounded", "inforunbd"}:
        raise unbounded(rows)
    if status in {"optimal", "gaplimit"}:
        return Stop.EXHAUSTED
    if status == "infeasible":
        return Stop.INFEASIBLE
    if status == "timelimit":
        return Stop.TIME
    if status.endswith("limit"):
        return Stop.LIMIT
    raise SolverError(f"SCIP ended with {status!r}")
