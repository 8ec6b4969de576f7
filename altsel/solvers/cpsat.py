"""CP-SAT of OR-Tools: integers only, so rows and cost are made integer first.

Rows of decimal fractions become integers exactly. Others are rounded at 2**45 times their
largest term and loosened by the rounding, so that a bound stays a bound; a row for which
that would loosen more than 1e-9 of it is refused. A continuous variable that is integer in
some optimum is declared integer; another is given steps of a power of two.
"""

from __future__ import annotations

from fractions import Fraction
from importlib import util
from math import inf, lcm
from pathlib import Path
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.errors import ConfigurationError, SolverError, listing
from altsel.results.stop import Stop
from altsel.runtime.clock import clock
from altsel.runtime.on_demand import OnDemand
from altsel.solvers.engine import Ability, Answer, SolveLimits, version_of, watched
from altsel.solvers.rows import Rows, unbounded_variables

cp_model: Any = OnDemand("ortools.sat.python.cp_model")
LARGEST = 2.0**50
"""Largest activity of a row of integer coefficients."""
SOON = 0.01
"""Seconds before its limit at which CP-SAT may stop for it."""
JUST = 1e-9
"""Share of the largest term of a row with a limit by which it may be missed: 5/3 - 1 is 2/3, or nearly."""


class CpSat:
    """Adapter of CP-SAT."""

    package = "ortools"
    abilities = frozenset(Ability)

    def version(self) -> str | None:
        """Version of ortools."""
        return version_of("ortools") if util.find_spec("ortools") else None

    def solve(self, rows: Rows, limits: SolveLimits) -> Answer:
        """Minimise with a gap of 0 unless requested otherwise."""
        if free := unbounded_variables(rows):
            raise SolverError(
                f"CP-SAT needs bounds on every variable; give them to {free}, or use HiGHS or SCIP"
            )
        step = _steps(rows)
        model = cp_model.CpModel()
        # integer variables: inwards to integers; others: outwards to a step, so that nothing is cut off
        slack = np.where(rows.integer | rows.implied, 1 - 1e-9, 0.0)
        bounds = zip(np.floor(rows.lower / step + slack), np.ceil(rows.upper / step - slack), strict=True)
        variables = [model.new_int_var(int(low), int(high), "") for low, high in bounds]
        _add_rows(model, variables, rows, step)
        scale, error = _add_cost(model, variables, rows, step)
        if rows.any_start:
            for j in np.flatnonzero(np.isfinite(rows.start)):
                model.add_hint(variables[j], round(rows.start[j] / step[j]))
        engine = cp_model.CpSolver()
        handle = _configure(engine, limits.within(clock().wall_left), integer=bool((step == 1).all()))
        ended: list[Any] = []
        interrupted = watched(lambda: ended.append(_run(engine, model, handle)), engine.stop_search)
        status = engine.status_name(ended[0])
        stop = _stop(status, interrupted, limits.within(clock().left + engine.wall_time), engine.wall_time)
        point = None
        if status in {"OPTIMAL", "FEASIBLE"}:
            point = np.array([engine.value(v) for v in variables], dtype=float) * step
        # without an answer the bound may still be its first value, 0
        known = status in {"OPTIMAL", "FEASIBLE"}
        return Answer(stop, point, engine.best_objective_bound / scale - error if known else -inf)


def _run(engine: Any, model: Any, handle: Any) -> Any:
    try:
        return engine.solve(model)
    finally:
        if handle:
            handle.close()


def _configure(engine: Any, limits: SolveLimits, integer: bool) -> Any:
    options: dict[str, Any] = {
        "num_workers": limits.threads,
        "relative_gap_limit": float(limits.gap),
        "absolute_gap_limit": 0.0,
        "catch_sigint_signal": False,
        "random_seed": limits.seed or 0,
        # A presolve rule sums coefficients in 32 bits and then proves what is wrong (google/or-tools#5293).
        "presolve_inclusion_work_limit": 0,
        # With finely stepped variables it called feasible models infeasible (ortools 9.15).
        "cp_model_presolve": integer,
        **({"max_time_in_seconds": float(limits.time_limit)} if limits.time_limit is not None else {}),
        **limits.options,
    }
    handle = None
    if limits.log:
        handle = Path(limits.log).open("a", encoding="utf-8", newline="\n")  # noqa: SIM115  (closed after the solve)
        options |= {"log_search_progress": True, "log_to_stdout": False}
        engine.log_callback = handle.write
    for name, value in options.items():
        try:
            setattr(engine.parameters, name, value)
        except (AttributeError, TypeError, ValueError) as fault:
            raise ConfigurationError(f"CP-SAT refuses its option {name!r} = {value!r}: {fault}") from fault
    return handle


def _steps(rows: Rows) -> FloatArray:
    """Size of one step of each variable: 1, or a power of two for truly continuous ones."""
    span = np.maximum(np.abs(rows.lower), np.abs(rows.upper))
    fine = 2.0 ** np.floor(np.log2(np.maximum(span, 1e-12)) - 40)
    return np.where(rows.integer | rows.implied, 1.0, fine)


def _add_rows(model: Any, variables: list[Any], rows: Rows, step: FloatArray) -> None:
    reach = np.maximum(np.abs(rows.lower), np.abs(rows.upper)) / step
    current = clock()
    for i in range(rows.matrix.shape[0]):
        current.check()
        indices = slice(rows.matrix.indptr[i], rows.matrix.indptr[i + 1])
        index = rows.matrix.indices[indices]
        terms = rows.matrix.data[indices] * step[index]
        try:
            integer, factor, error = _whole(terms, reach[index], [rows.low[i], rows.high[i]])
        except OverflowError as fault:
            raise _too_fine(f"row {rows.constraints[i].name!r}", rows, index, step) from fault
        error += _moved(integer, rows, index)
        limited = any(abs(end) < inf and end for end in (rows.low[i], rows.high[i]))
        if limited and (rows.integer | rows.implied)[index].all():
            error += JUST * factor * float(np.abs(terms).max(initial=0.0))
        low, high = rows.low[i] * factor - error, rows.high[i] * factor + error
        expression = cp_model.LinearExpr.weighted_sum([variables[j] for j in index], integer)
        least, most = np.ceil(low - 1e-9), np.floor(high + 1e-9)
        model.add_linear_constraint(expression, _side(least), _side(most))


def _side(limit: float) -> int:
    """Turn a row's limit into an integer; what no activity reaches is as good as infinite."""
    if abs(limit) < 2.0**62:
        return int(limit)
    return int(cp_model.INT_MAX if limit > 0 else cp_model.INT_MIN)


def _add_cost(model: Any, variables: list[Any], rows: Rows, step: FloatArray) -> tuple[float, float]:
    """Set the objective; return its scale and how far rounding may put the bound off."""
    used = np.flatnonzero(rows.cost)
    if not len(used):
        return 1.0, 0.0
    reach = np.maximum(np.abs(rows.lower), np.abs(rows.upper))[used] / step[used]
    try:
        integer, scale, error = _whole(rows.cost[used] * step[used], reach, [])
    except OverflowError as fault:
        raise _too_fine("the objective", rows, used, step) from fault
    model.minimize(cp_model.LinearExpr.weighted_sum([variables[j] for j in used], integer))
    return scale, (error + _moved(integer, rows, used)) / scale


def _moved(terms: list[int], rows: Rows, index: Any) -> float:
    """Return by how much a sum may change as its continuous variables go to the nearest step."""
    still = (rows.integer | rows.implied | ((rows.lower == 0) & (rows.upper == 0)))[index]
    return 0.5 * sum(abs(term) for term, one in zip(terms, still, strict=True) if not one)


def _whole(terms: FloatArray, reach: FloatArray, sides: list[float]) -> tuple[list[int], float, float]:
    """Scale coefficients to integers; return them, the factor and the largest error of a row.

    Raises
    ------
    OverflowError
        If they would be too large, or too much would be lost by rounding.
    """
    exact = _decimal_factor([*terms.tolist(), *(side for side in sides if np.isfinite(side))])
    activity = float(np.abs(terms) @ np.maximum(reach, 1))
    if activity == 0:  # a row without terms
        return [0] * len(terms), 1.0, 0.0
    if exact and exact * activity < LARGEST:
        return [round(term * exact) for term in terms.tolist()], float(exact), 0.0
    factor = 2.0 ** np.floor(np.log2(LARGEST / activity))
    rounded = np.round(terms * factor)
    error = float(np.abs(rounded - terms * factor) @ reach)
    if error > 1e-9 * factor * float(np.abs(terms).max()):
        raise OverflowError
    return [int(value) for value in rounded], float(factor), error


def _too_fine(where: str, rows: Rows, index: Any, step: FloatArray) -> SolverError:
    """Return the error that a row cannot be held as integers; name it, the reason and the fix."""
    continuous = [rows.variables[j].name for j in index if step[j] != 1]
    why = f"for {listing(continuous, 3)} {'is' if len(continuous) == 1 else 'are'} continuous"
    fix = f"declare {'it' if len(continuous) == 1 else 'them'} integer, or use HiGHS or SCIP"
    if not continuous:
        why, fix = "whose numbers have too many digits", "round them, or use HiGHS or SCIP"
    return SolverError(f"CP-SAT works with integers, and cannot hold {where} as such, {why}; {fix}")


def _decimal_factor(numbers: list[float]) -> int | None:
    """Smallest factor that makes decimal numbers integers, or None where it would be large."""
    factor = 1
    for number in numbers:
        if number != int(number):
            factor = lcm(factor, Fraction(repr(float(number))).denominator)
            if factor > 10**9:
                return None
    return factor


def _stop(status: str, interrupted: bool, limits: SolveLimits, seconds: float) -> Stop:
    ends = {"OPTIMAL": Stop.EXHAUSTED, "INFEASIBLE": Stop.INFEASIBLE}
    if status in ends:
        return ends[status]
    if status == "MODEL_INVALID":
        raise SolverError("CP-SAT refused the model")
    if interrupted:
        return Stop.INTERRUPT
    timed = limits.time_limit is not None and seconds >= 0.9 * limits.time_limit - SOON
    return Stop.TIME if timed else Stop.LIMIT
