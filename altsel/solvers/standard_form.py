"""From a Pyomo model to sparse rows, once, for every engine."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from dataclasses import replace
from importlib import import_module
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from altsel._types import BoolArray, FloatArray
from altsel.errors import SolverError
from altsel.pyomo_on_demand import expressions, faults, pyo, standard_repn
from altsel.runtime.clock import OutOfTimeError, clock
from altsel.runtime.on_demand import OnDemand
from altsel.solvers.row_scaling import factors_of
from altsel.solvers.rows import Rows

if TYPE_CHECKING:
    import scipy.sparse as sp
else:
    sp: Any = OnDemand("scipy.sparse")

log = logging.getLogger("altsel.solvers")
ROUNDING = 1e-12
"""Violation of a row without free variables that is put down to rounding, relative to its terms."""
RESIDUE = 1e-15
"""Share of a row's largest coefficient below which others are rounding."""
COUNTS = 1e-9
"""Share of a row's limit by which a set may miss it."""
WHOLE = 2.0**20
"""Largest integer coefficient of a row that is left as it is."""
WITHIN = 2e-9
"""How near to an integer an integer variable's bound counts as that number."""


class InfeasibleRowError(Exception):
    """A constraint without free variables does not hold."""


def to_rows(model: Any) -> Rows:
    """Lower a linear Pyomo model with one objective.

    Raises
    ------
    SolverError
        If the model has no objective or several, or an expression that is not linear.
    InfeasibleRowError
        If a constraint without free variables does not hold.
    """
    objectives = list(model.component_data_objects(pyo.Objective, active=True))
    if len(objectives) != 1:
        raise SolverError(f"the model has {len(objectives)} objectives; one is needed")
    form = _translated(model)
    variables = list(form.columns)
    cost = np.asarray(form.c.toarray(), dtype=float).reshape(-1)
    maximise = objectives[0].sense == pyo.maximize
    integer = np.array([not v.is_continuous() for v in variables], dtype=bool)
    cost, scale = _scaled(-cost if maximise else cost, integer)
    matrix, low, high, largest = _rows(form)
    largest = np.append(largest, np.abs(cost).max(initial=0.0) / scale)
    largest = largest[largest > 0]
    extent = (float(largest.min(initial=1.0)), float(largest.max(initial=1.0)))
    bounds = np.array([_bounds(v) for v in variables], dtype=float).reshape(-1, 2)
    # inwards to integers, within rounding: all engines then take the same
    bounds[integer, 0] = np.ceil(bounds[integer, 0] - WITHIN)
    bounds[integer, 1] = np.floor(bounds[integer, 1] + WITHIN)
    sides = np.minimum(np.abs(low), np.abs(high))
    _drop_residues(matrix, sides, integer & (np.abs(bounds).max(axis=1, initial=0.0) <= 1))
    start = [np.nan if v.value is None else v.value for v in variables]
    return Rows(
        cost=cost,
        offset=float(np.asarray(form.c_offset).reshape(-1)[0]),
        maximise=maximise,
        matrix=matrix,
        low=low,
        high=high,
        lower=bounds[:, 0],
        upper=bounds[:, 1],
        integer=integer,
        implied=np.array([_is_implied(model, v) for v in variables], dtype=bool),
        start=np.array(start, dtype=float),
        scale=scale,
        variables=variables,
        imprecision=getattr(model, "imprecision", 1.0),
        extent=extent,
        constraints=[row.constraint for row in form.rows],
    )


def _translated(model: Any) -> Any:
    """Let Pyomo translate the model, and remember how long that took."""
    _refuse_late(model)
    began = time.perf_counter()
    try:
        form = _compiled(model)
    except InfeasibleRowError:
        raise
    except Exception as fault:  # Pyomo raises its own and built-in errors for what it cannot linearise
        raise SolverError(f"the model is not linear or not supported: {fault}") from fault
    _pace.append((time.perf_counter() - began) / (len(form.rows) + 100))
    return form


_pace: deque[float] = deque([1e-5], maxlen=5)
"""Seconds a row of the last translations."""


def _refuse_late(model: Any) -> None:
    """Raise what ends the search if the translation would take longer than it has left.

    Pyomo's compiler cannot be stopped half-way.
    """
    current = clock()
    current.check()
    if current.left < inf:
        rows = sum(len(component) for component in model.component_objects(pyo.Constraint, active=True))
        if rows * max(_pace) > current.left:
            log.info("no time is left to translate %d rows", rows)
            raise OutOfTimeError


def _compiled(model: Any) -> Any:
    """Compile a model; constraints without free variables that hold but for rounding are no obstacle."""
    try:
        return _written(model)
    except InfeasibleRowError:
        idle = [
            row for row in model.component_data_objects(pyo.Constraint, active=True) if _always_holds(row)
        ]
        if not idle:
            raise
        for row in idle:
            row.deactivate()
        try:
            return _written(model)
        finally:
            for row in idle:
                row.activate()


def _written(model: Any) -> Any:
    try:
        return _compiler().write(model, mixed_form=True, set_sense=None)
    except faults.InfeasibleConstraintException as fault:
        raise InfeasibleRowError(str(fault)) from fault
    except NameError as fault:
        if fault.name != "InfeasibleError":  # Pyomo before 6.10.1 lacks the name it raises
            raise
        raise InfeasibleRowError(str(fault)) from fault


def _compiler() -> Any:
    """Build Pyomo's compiler; it loads scipy when first used, which two threads must not do at once."""
    from pyomo.common.dependencies import scipy_available  # noqa: PLC0415  (heavy)
    from pyomo.repn.plugins.standard_form import LinearStandardFormCompiler  # noqa: PLC0415

    with _loading:
        _resolve_without_statistics(scipy_available)
    return LinearStandardFormCompiler()


def _resolve_without_statistics(scipy_available: Any) -> None:
    """Let Pyomo find scipy; where it does so it loads scipy.stats, .6 seconds that no compiler needs.

    Parts of scipy other than matrices are loaded where they are named: nothing of Pyomo's misses them.
    """
    if hasattr(scipy_available, "_callback"):
        scipy_available._callback = lambda *_: import_module("scipy.sparse")
    bool(scipy_available)


_loading = threading.Lock()


def _always_holds(row: Any) -> bool:
    """Return whether a constraint has no free variable and holds to within rounding of its terms."""
    form = standard_repn(row.body)
    if not form.is_constant():
        return False
    body, low, high = pyo.value(form.constant), row.lb, row.ub
    slack = ROUNDING * max(_terms(row), *(abs(limit) for limit in (low, high) if limit is not None))
    return (low is None or low - slack <= body) and (high is None or body <= high + slack)


def _terms(row: Any) -> float:
    """Sum the absolute terms of a linear constraint whose variables are fixed; of another, take its value."""
    fixed = [variable for variable in expressions.identify_variables(row.body) if variable.fixed]
    for variable in fixed:
        variable.unfix()
    try:
        form = standard_repn(row.body)
    finally:
        for variable in fixed:
            variable.fixed = True
    if not form.is_linear():
        return abs(float(pyo.value(row.body)))
    terms = (weight * x.value for weight, x in zip(form.linear_coefs, form.linear_vars, strict=True))
    return float(abs(form.constant) + sum(map(abs, terms)))


def _rows(form: Any) -> tuple[sp.csr_array[Any], FloatArray, FloatArray, FloatArray]:
    """Return the rows, scaled, their sides, and their largest coefficients before that."""
    matrix = sp.csr_array(form.A, dtype=float)
    rhs = np.asarray(form.rhs, dtype=float)
    sense = np.array([row.bound_type for row in form.rows], dtype=int)
    low = np.where(sense <= 0, rhs, -np.inf)
    high = np.where(sense >= 0, rhs, np.inf)
    scaled, largest = np.zeros(len(rhs), dtype=bool), np.zeros(len(rhs))
    for i in range(len(rhs)):
        entries = matrix.data[matrix.indptr[i] : matrix.indptr[i + 1]]
        largest[i] = np.abs(entries).max(initial=0.0)
        scaled[i] = len(entries) and ((entries != np.round(entries)).any() or largest[i] > WHOLE)
    factor = factors_of(largest, scaled)
    matrix.data *= np.repeat(factor, np.diff(matrix.indptr))
    return matrix, low * factor, high * factor, largest


def _drop_residues(matrix: sp.csr_array[Any], sides: FloatArray, binary: BoolArray) -> None:
    """Drop what rounding left of coefficients of 0/1 variables that cancel, as in .2 - (.1 + .2 + .3) / 3.

    Beside a limit that is not 0 they also must be too small to count: a price of 5e-9 does beside a budget of
    1e-5, whatever else costs 5e6.
    """
    everything = np.abs(matrix.data)
    if everything.min(initial=inf) > RESIDUE * everything.max(initial=0.0):
        return  # as of most models: no row needs a look
    for i in range(matrix.shape[0]):
        part = slice(matrix.indptr[i], matrix.indptr[i + 1])
        sizes = everything[part]
        most = min(RESIDUE * sizes.max(initial=0.0), COUNTS * sides[i] or inf)
        matrix.data[part][(sizes <= most) & binary[matrix.indices[part]]] = 0.0
    matrix.eliminate_zeros()


def _scaled(cost: FloatArray, integer: BoolArray) -> tuple[FloatArray, float]:
    """Scale a cost that may take fractions, by its coefficients or by a continuous variable."""
    largest = np.asarray(np.abs(cost).max(initial=0.0))
    fractions = (cost != np.round(cost)).any() or cost[~integer].any()
    scale = float(factors_of(largest, np.asarray(largest > 0 and fractions)))
    return cost * scale, scale


def priced(rows: Rows, cost: FloatArray, offset: float = 0.0) -> Rows:
    """Return rows to be minimised with another cost of each variable, and of what is fixed."""
    own, scale = _scaled(cost, rows.integer)
    return replace(rows, cost=own, scale=scale, offset=offset, maximise=False)


def _bounds(variable: Any) -> tuple[float, float]:
    low, high = variable.bounds
    return (-np.inf if low is None else low, np.inf if high is None else high)


def _is_implied(model: Any, variable: Any) -> bool:
    suffix = model.component("implied")
    return suffix is not None and variable in suffix
