"""HiGHS by its own Python interface; the default engine."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
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

highspy: Any = OnDemand("highspy")
WIDE = 1e-6
"""Smallest term of a row, as a share of its largest, below which presolve is not believed."""
PRESOLVE, OF_CLIQUES = 3e-6, 1e-6
"""Seconds of presolve for each term of a model, and for each pair of terms of a row "at most one of these".
It does not look at the clock."""


class Highs:
    """Adapter of HiGHS; every option is passed at every call, none persists."""

    package = "highspy"
    abilities = frozenset(Ability)

    def version(self) -> str | None:
        """Version of highspy."""
        return version_of("highspy") if util.find_spec("highspy") else None

    def solve(self, rows: Rows, limits: SolveLimits) -> Answer:
        """Minimise with a gap of 0 unless requested otherwise.

        Where a row's terms range widely, or rows are almost parallel, HiGHS up to 1.16.0 calls models
        infeasible in its presolve that are not: then, and with continuous variables, it solves again without.
        """
        answer = self._solved(rows, limits)
        delicate = rows.narrower(WIDE) or not (rows.integer | rows.implied).all()
        if answer.stop is Stop.INFEASIBLE and delicate and "presolve" not in limits.options:
            plain = replace(limits.within(clock().wall_left), options={**limits.options, "presolve": "off"})
            return self._solved(rows, plain)
        return answer

    def _solved(self, rows: Rows, limits: SolveLimits) -> Answer:
        engine = _silent()()
        _configure(engine, _without_a_long_presolve(rows, limits))
        if engine.passModel(_model(rows)) == highspy.HighsStatus.kError:
            raise SolverError("HiGHS refused the model")
        if rows.any_start:
            known = np.flatnonzero(np.isfinite(rows.start))
            engine.setSolution(len(known), known.astype(np.int32), rows.start[known])
        engine.HandleUserInterrupt = True
        if limits.time_limit is not None and "time_limit" not in limits.options:  # after all that took time
            engine.setOptionValue("time_limit", limits.within(clock().wall_left).time_limit)
        interrupted = watched(engine.run, engine.cancelSolve)
        info = engine.getInfo()
        status = _stop(engine, interrupted, rows)
        found = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
        point = np.array(engine.getSolution().col_value, dtype=float) if found else None
        bound = info.mip_dual_bound if rows.integer.any() else info.objective_function_value
        return Answer(status, point, bound if status is not Stop.INFEASIBLE else inf)


def silent() -> Any:
    """Return a HiGHS that prints nothing."""
    engine = _silent()()
    engine.setOptionValue("output_flag", False)
    return engine


@cache
def _silent() -> Any:
    """Return the class of a HiGHS that prints nothing.

    From 1.16 on, highspy introduces itself on the process's stdout where it is made, before any option can be
    set: its constructor states callbacks, which writes the head of a log.
    """

    class Silent(highspy.Highs):  # type: ignore[misc]
        """HiGHS whose first act is to switch its output off."""

        def enableCallbacks(self) -> None:  # noqa: N802  (the constructor's call)
            self.setOptionValue("output_flag", False)
            super().enableCallbacks()

    return Silent


def _without_a_long_presolve(rows: Rows, limits: SolveLimits) -> SolveLimits:
    """Switch presolve off where it would take longer than there is time."""
    if limits.time_limit is None or _presolve_seconds(rows) < min(limits.time_limit, clock().left):
        return limits
    return replace(limits, options={"presolve": "off", **limits.options})


def _presolve_seconds(rows: Rows) -> float:
    """Estimate how long presolve takes."""
    terms = np.diff(rows.matrix.indptr).astype(float)
    ones = np.bincount(np.repeat(np.arange(len(terms)), terms.astype(int)), rows.matrix.data == 1, len(terms))
    cliques = (ones == terms) & (rows.high == 1)
    return float(PRESOLVE * terms.sum() + OF_CLIQUES * (terms[cliques] ** 2).sum())


def _configure(engine: Any, limits: SolveLimits) -> None:
    options: dict[str, Any] = {
        "log_to_console": False,
        "output_flag": limits.log is not None,
        "threads": limits.threads,
        "mip_rel_gap": float(limits.gap),
        "mip_abs_gap": 0.0,
        "mip_feasibility_tolerance": 1e-9,
        "primal_feasibility_tolerance": 1e-9,
        "dual_feasibility_tolerance": 1e-9,
        **({"log_file": str(limits.log)} if limits.log else {}),
        **({} if limits.seed is None else {"random_seed": limits.seed}),
        **limits.options,
    }
    for name, value in options.items():
        kind = engine.getOptionType(name)
        known = kind[0] if isinstance(kind, tuple) else kind
        if known != highspy.HighsStatus.kOk:
            raise ConfigurationError(f"HiGHS has no option {name!r}")
        if engine.setOptionValue(name, value) != highspy.HighsStatus.kOk:
            raise ConfigurationError(f"HiGHS refuses the value {value!r} of its option {name!r}")


def _model(rows: Rows) -> Any:
    lp = highspy.HighsLp()
    lp.num_row_, lp.num_col_ = rows.matrix.shape
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = rows.cost, rows.lower, rows.upper
    lp.row_lower_, lp.row_upper_ = rows.low, rows.high
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = rows.matrix.indptr, rows.matrix.indices
    lp.a_matrix_.value_ = rows.matrix.data
    kinds = highspy.HighsVarType
    lp.integrality_ = [kinds.kInteger if integer else kinds.kContinuous for integer in rows.integer]
    return lp


def _stop(engine: Any, interrupted: bool, rows: Rows) -> Stop:
    status = engine.getModelStatus()
    known = highspy.HighsModelStatus
    if interrupted or status == known.kInterrupt:
        return cancelled(interrupted)
    if status in {known.kUnbounded, known.kUnboundedOrInfeasible}:
        raise unbounded(rows)
    ends = {
        known.kOptimal: Stop.EXHAUSTED,
        known.kInfeasible: Stop.INFEASIBLE,
        known.kTimeLimit: Stop.TIME,
        known.kIterationLimit: Stop.LIMIT,
        known.kSolutionLimit: Stop.LIMIT,
        known.kObjectiveBound: Stop.LIMIT,
        known.kModelEmpty: Stop.EXHAUSTED,
    }
    if status not in ends:
        raise SolverError(f"HiGHS ended with {engine.modelStatusToString(status)!r}")
    return ends[status]
