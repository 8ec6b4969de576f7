"""From a Pyomo model to sparse rows, once, for every engine."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt
import pyomo.environ as pyo
import scipy.sparse as sp
from pyomo.common.errors import InfeasibleConstraintException as Infeasible
from pyomo.repn import generate_standard_repn
from pyomo.repn.plugins.standard_form import LinearStandardFormCompiler

from altsel.errors import SolverError
from altsel.runtime.clock import OutOfTimeError, clock

log = logging.getLogger("altsel.solvers")
__all__ = ["FloatArray", "Infeasible", "Rows", "lower"]

FloatArray = npt.NDArray[np.float64]
ROUNDING = 1e-12
"""Violation of a row without free variables that is put down to rounding."""
NUMERICS = 4e-12
"""How far an engine's bound may be off, relative to the objective's largest term.

Costs are scaled so that the largest is 512 or more, and engines work to 1e-9.
"""
WHOLE = 2.0**20
"""Largest integer coefficient of a row that is left as it is."""
FEASIBLE = 1e-6
"""Violation of a row that is put down to rounding, relative to the row's largest term."""


WITHIN = 2e-9
"""How near to a whole number a whole variable's bound counts as that number."""
BLIND = 1e-6
"""Terms, relative to the largest one, below which an engine's bound says nothing of them."""
HIDDEN = 1e-8
"""Terms below this share of the largest one of their row are lost in an engine's arithmetic."""


@dataclass(frozen=True, eq=False)
class Rows:
    """``minimise cost @ x + offset`` subject to ``low <= matrix @ x <= high``, ``lower <= x <= upper``.

    A maximisation is lowered with its cost negated. Rows and cost with fractions are scaled
    by powers of two, which is exact, so that an engine's absolute tolerances become small
    relative ones; `unscaled` takes an objective back.

    Attributes
    ----------
    whole
        Variables that must be whole.
    implied
        Variables declared continuous that are whole in some optimum.
    start
        Values on the model's variables, NaN where there is none.
    imprecision
        By how much a model says that it magnifies an engine's tolerance.
    extent
        Smallest and largest of the rows' (and the objective's) largest coefficients, before scaling.
    """

    cost: FloatArray
    offset: float
    maximise: bool
    matrix: sp.csr_array[Any]
    low: FloatArray
    high: FloatArray
    lower: FloatArray
    upper: FloatArray
    integer: npt.NDArray[np.bool_]
    implied: npt.NDArray[np.bool_]
    start: FloatArray
    scale: float
    variables: list[Any]
    imprecision: float = 1.0
    extent: tuple[float, float] = (1.0, 1.0)

    def unscaled(self, objective: float) -> float:
        """Turn a value of ``cost @ x`` into one of the model's objective."""
        value = objective / self.scale
        return (-value if self.maximise else value) + self.offset

    @property
    def _terms(self) -> FloatArray:
        """What each variable can bring to ``-cost @ x`` at most, with its sign, where bounded."""
        reach = np.maximum(np.abs(self.lower), np.abs(self.upper))
        used = (self.cost != 0) & np.isfinite(reach)
        return np.asarray(-self.cost[used] * reach[used] / self.scale)

    @property
    def largest_term(self) -> float:
        """Largest absolute value one variable can bring to the objective, where bounded."""
        return float(np.abs(self._terms).max(initial=0.0))

    def too_wide(self, value: float, share: float) -> bool:
        """Return whether terms hide others: a loss far above every gain, or a term far above the value."""
        terms = self._terms
        if not len(terms):
            return False
        size, losses = np.abs(terms), -terms[terms < 0]
        usual = float(np.median(losses)) if len(losses) else 0.0
        gain = max(float(terms.max(initial=0.0)), usual)
        hidden = max(abs(value), float(np.median(size))) < share * size.max()
        hidden = hidden or any(
            max(abs(value), float(np.median(held))) < share * held.max() for held in self._held
        )
        return bool(hidden or (len(losses) and gain < share * losses.max()))

    @property
    def _held(self) -> Iterator[FloatArray]:
        """What the variables of each row can bring to a continuous variable of the objective, in its unit."""
        wanted = np.flatnonzero((self.cost != 0) & ~self.integer & ~self.implied)
        if not len(wanted):
            return
        columns = self.matrix.tocsc()
        reach = np.maximum(np.abs(self.lower), np.abs(self.upper))
        for j in wanted:
            indices = slice(columns.indptr[j], columns.indptr[j + 1])
            for i, own in zip(columns.indices[indices], columns.data[indices], strict=True):
                row = slice(self.matrix.indptr[i], self.matrix.indptr[i + 1])
                others = self.matrix.indices[row] != j
                sizes = np.abs(self.matrix.data[row][others] / own * self.cost[j] / self.scale)
                sizes = sizes * reach[self.matrix.indices[row][others]]
                sizes = sizes[(sizes > 0) & np.isfinite(sizes)]
                if len(sizes):
                    yield sizes

    @property
    def _row_sizes(self) -> Iterator[FloatArray]:
        """The absolute coefficients of every row, but for zeros."""
        for data in np.split(np.abs(self.matrix.data), self.matrix.indptr[1:-1]):
            sizes = data[data > 0]
            if len(sizes):
                yield sizes

    def narrower(self, share: float) -> bool:
        """Return whether a row has a term below a share of the row's largest."""
        return self._ranges(share) and any(sizes.min() < share * sizes.max() for sizes in self._row_sizes)

    def hides(self, share: float) -> bool:
        """Return whether a row has a term beside which most of its others are below a share."""
        return self._ranges(share) and any(
            np.median(sizes) < share * sizes.max() for sizes in self._row_sizes
        )

    def _ranges(self, share: float) -> bool:
        """Tell whether any term is below a share of any other: most models need no look at their rows."""
        everything = np.abs(self.matrix.data[self.matrix.data != 0])
        return bool(len(everything) and everything.min() < share * everything.max())

    @property
    def unbelievable(self) -> bool:
        """Whether numbers range too widely to believe an engine that calls the model infeasible."""
        return self.too_wide(inf, BLIND) or self.hides(HIDDEN)

    @property
    def error(self) -> float:
        """How far an engine's bound on the objective may be off."""
        return NUMERICS * self.largest_term * self.imprecision

    @property
    def step(self) -> float:
        """Number that all values of the objective are multiples of, but for the offset; 0 if there is none.

        Numbers of few decimals have one: then a bound can be rounded to the next value there is.
        """
        used = self.cost != 0
        if not (self.integer | self.implied)[used].all():
            return 0.0
        numbers = self.cost[used] / self.scale
        for step in (1.0, 1e-3, 1e-6):
            multiples = numbers / step
            if (np.abs(multiples - np.round(multiples)) <= 1e-12 * np.abs(multiples)).all():
                return step if step > 1e4 * self.error else 0.0
        return 0.0

    def settled(self, values: FloatArray) -> FloatArray:
        """Round the whole variables and check bounds and rows.

        Raises
        ------
        SolverError
            If the rounded point is not feasible: the engine's tolerances hid a violation; or if a
            value is no number.
        """
        if not np.isfinite(values).all():
            raise SolverError("the solver's answer holds values that are no numbers")
        point = np.where(self.integer, np.round(values), values)
        magnitude = np.maximum(abs(self.matrix) @ np.abs(point), 1.0)
        activity = self.matrix @ point
        excess = np.maximum(activity - self.high, self.low - activity) / magnitude
        outside = np.maximum(point - self.upper, self.lower - point)
        if max(excess.max(initial=0.0), outside.max(initial=0.0)) > FEASIBLE:
            raise SolverError("the solver's answer violates a constraint once its variables are rounded")
        return point

    def own_terms(self, point: FloatArray) -> float:
        """Sum the absolute terms of the objective at a point."""
        return float(np.abs(self.cost * point).sum() / self.scale)

    def load(self, point: FloatArray) -> None:
        """Put a point on the model's variables."""
        for variable, value, integer in zip(
            self.variables, point.tolist(), self.integer.tolist(), strict=True
        ):
            variable.set_value(round(value) if integer else value, skip_validation=True)

    @property
    def complete_start(self) -> bool:
        """Whether every whole variable has a start value."""
        return bool(np.isfinite(self.start[self.integer]).all()) and bool(self.integer.any())


def lower(model: Any) -> Rows:
    """Lower a linear Pyomo model with one objective.

    Raises
    ------
    SolverError
        If the model has no objective or several, or an expression that is not linear.
    Infeasible
        If a constraint without free variables does not hold.
    """
    objectives = list(model.component_data_objects(pyo.Objective, active=True))
    if len(objectives) != 1:
        raise SolverError(f"the model has {len(objectives)} objectives; one is needed")
    _refuse_late(model)
    began = time.perf_counter()
    try:
        form = _compiled(model)
    except Infeasible:
        raise
    except Exception as fault:  # Pyomo raises its own and built-in errors for what it cannot linearise
        raise SolverError(f"the model is not linear or not supported: {fault}") from fault
    _pace.append((time.perf_counter() - began) / (len(form.rows) + 100))
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
    # inwards to whole numbers: HiGHS 1.13 errs where a 0/1 variable is at most a half
    bounds[integer, 0] = np.ceil(bounds[integer, 0] - WITHIN)
    bounds[integer, 1] = np.floor(bounds[integer, 1] + WITHIN)
    start = [np.nan if v.value is None else v.value for v in variables]
    return Rows(
        cost,
        float(np.asarray(form.c_offset).reshape(-1)[0]),
        maximise,
        matrix,
        low,
        high,
        bounds[:, 0],
        bounds[:, 1],
        integer,
        np.array([_is_implied(model, v) for v in variables], dtype=bool),
        np.array(start, dtype=float),
        scale,
        variables,
        getattr(model, "imprecision", 1.0),
        extent,
    )


_pace: deque[float] = deque([1e-5], maxlen=5)
"""Seconds a row of the last translations."""


def _refuse_late(model: Any) -> None:
    """Raise what ends the search if the translation would take longer than it has left.

    Pyomo's compiler cannot be stopped half-way.
    """
    current = clock()
    current.check()
    if current.left < inf:
        rows = sum(len(one) for one in model.component_objects(pyo.Constraint, active=True))
        if rows * max(_pace) > current.left:
            log.info("no time is left to translate %d rows", rows)
            raise OutOfTimeError


def _compiled(model: Any) -> Any:
    """Compile a model; constraints without free variables that hold but for rounding are no obstacle."""
    try:
        return LinearStandardFormCompiler().write(model, mixed_form=True, set_sense=None)
    except Infeasible:
        idle = [row for row in model.component_data_objects(pyo.Constraint, active=True) if _settled(row)]
        if not idle:
            raise
        for row in idle:
            row.deactivate()
        try:
            return LinearStandardFormCompiler().write(model, mixed_form=True, set_sense=None)
        finally:
            for row in idle:
                row.activate()


def _settled(row: Any) -> bool:
    """Return whether a constraint has no free variable and holds to within rounding."""
    form = generate_standard_repn(row.body)
    if not form.is_constant():
        return False
    body, low, high = pyo.value(form.constant), row.lb, row.ub
    slack = ROUNDING * max(abs(limit) for limit in (body, low, high) if limit is not None)
    return (low is None or low - slack <= body) and (high is None or body <= high + slack)


def _rows(form: Any) -> tuple[sp.csr_array[Any], FloatArray, FloatArray, FloatArray]:
    """Give the rows, scaled, their sides, and their largest coefficients before that."""
    matrix = sp.csr_array(form.A, dtype=float)
    rhs = np.asarray(form.rhs, dtype=float)
    sense = np.array([row.bound_type for row in form.rows], dtype=int)
    low = np.where(sense <= 0, rhs, -np.inf)
    high = np.where(sense >= 0, rhs, np.inf)
    factor, largest = np.ones(len(rhs)), np.zeros(len(rhs))
    for i in range(len(rhs)):
        entries = matrix.data[matrix.indptr[i] : matrix.indptr[i + 1]]
        largest[i] = np.abs(entries).max(initial=0.0)
        if len(entries) and ((entries != np.round(entries)).any() or largest[i] > WHOLE):
            factor[i] = _power(largest[i])
    matrix.data *= np.repeat(factor, np.diff(matrix.indptr))
    return matrix, low * factor, high * factor, largest


def _scaled(cost: FloatArray, integer: npt.NDArray[np.bool_]) -> tuple[FloatArray, float]:
    """Scale a cost that may take fractions, by its coefficients or by a continuous variable."""
    largest = np.abs(cost).max(initial=0.0)
    fractions = (cost != np.round(cost)).any() or cost[~integer].any()
    scale = _power(largest) if largest > 0 and fractions else 1.0
    return cost * scale, scale


def _power(largest: float) -> float:
    """Power of two that brings a positive number to [512, 1024), unless it is tiny or huge."""
    return float(2.0 ** np.clip(9 - np.floor(np.log2(largest)), -500, 500))


def _bounds(variable: Any) -> tuple[float, float]:
    low, high = variable.bounds
    return (-np.inf if low is None else low, np.inf if high is None else high)


def _is_implied(model: Any, variable: Any) -> bool:
    suffix = model.component("implied")
    return suffix is not None and variable in suffix
