"""Whether the variables of a rule's own can be chosen for a set: by bounds, or else by solvers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from altsel._types import FloatArray
from altsel.errors import SolverError
from altsel.exact.verification.own_rows import OwnRows, largest_side
from altsel.exact.verification.propagation import propagate
from altsel.pyomo_on_demand import pyo
from altsel.results.stop import Stop
from altsel.runtime.clock import Clock, in_force
from altsel.solvers.column_scaling import scaled_columns
from altsel.solvers.cpsat import CpSat
from altsel.solvers.engine import Engine, SolveLimits
from altsel.solvers.highs import Highs
from altsel.solvers.implied_bounds import Bounds
from altsel.solvers.row_solver import RowSolver
from altsel.solvers.rows import Rows
from altsel.solvers.standard_form import InfeasibleRowError, to_rows

if TYPE_CHECKING:
    from altsel.exact.verification.rule_reading import ReadRule

ENGINES: Mapping[str, Callable[[], Engine]] = {"highs": Highs, "cp-sat": CpSat}
"""Those asked whether a rule's own variables can be chosen, whatever profiles there are."""
EXACT = 1e-12
"""Share of its terms by which a row may be missed at a point that no solver has looked at."""


def can_be_chosen(model: Any, host: Any, rule: ReadRule, values: Mapping[int, float]) -> bool | None:
    """Return whether the variables of a rule can be chosen, with those of the sets at their values.

    Bounds that follow from each other decide most sets; solvers are asked of the others. None if no one can
    tell.

    Parameters
    ----------
    model
        Which the rule is stated on; values of the sets are on its variables.
    host
        Block that holds those of all rules.
    rule
        One that has variables of its own.
    values
        The value of each variable of the sets, by its identity.
    """
    with in_force(Clock()):  # an answer is checked even where time is up
        while True:
            try:
                found = _decided(_own_rows(model, host, rule, values), values)
            except SolverError:
                return None
            touched = [curve.touch() for curve in rule.curves] if found else []
            if not any(touched):
                return found
            rule.own_rows = None  # it has another tangent


def _own_rows(model: Any, host: Any, rule: ReadRule, values: Mapping[int, float]) -> OwnRows | None:
    """Translate a rule, once; None if it is broken whatever the sets are."""
    if rule.own_rows is None:
        for other in host.component_objects(pyo.Block, descend_into=False):
            other.deactivate()
        rule.block.activate()
        if model.component("nothing") is None:
            model.nothing = pyo.Objective(expr=0.0)
        try:
            rule.own_rows = OwnRows.of(to_rows(model), values)
        except InfeasibleRowError:
            return None
    return rule.own_rows


def _decided(rule: OwnRows | None, values: Mapping[int, float]) -> bool | None:
    """Decide by bounds, or else by solvers; the point that is found is on the variables."""
    rows = None if rule is None else rule.with_sets(values)
    if rows is None:
        return False
    scaled, units = scaled_columns(rows)
    bounds = propagate(scaled)
    if bounds is None:
        return False
    for point in _corners(bounds):
        if _holds(scaled, point):
            rows.load(point * units)
            return True
    return _has_solution(rows)


def _corners(bounds: Bounds) -> Iterator[FloatArray]:
    """Yield the points at which all variables have their least values, and their largest."""
    for first, other in ((bounds.lower, bounds.upper), (bounds.upper, bounds.lower)):
        near = np.where(np.isfinite(first), first, other)
        yield np.where(np.isfinite(near), near, 0.0)


def _holds(rows: Rows, point: FloatArray) -> bool:
    """Return whether a point within all bounds keeps all rows, but for the rounding of sums."""
    activity, size = rows.matrix @ point, abs(rows.matrix) @ np.abs(point)
    slack = EXACT * (size + largest_side(rows.low, rows.high))
    return bool(((activity <= rows.high + slack) & (activity >= rows.low - slack)).all())


def _has_solution(rows: Rows) -> bool | None:
    """Return whether rows have a solution: one that was found, and checked, is believed before "none"."""
    told = None
    for name, engine in ENGINES.items():
        solver = RowSolver(name, engine(), SolveLimits())
        if solver.version() is None:
            continue
        try:
            outcome = solver.solve(rows)
        except SolverError:
            continue
        if outcome.value is not None:
            return True
        if outcome.stop is Stop.INFEASIBLE:
            told = False
    return told
