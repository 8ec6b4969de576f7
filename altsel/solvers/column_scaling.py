"""Continuous variables of small values, in units of their own: engines keep bounds to 1e-9 in any unit."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from altsel._types import BoolArray, FloatArray
from altsel.runtime.on_demand import OnDemand
from altsel.solvers.implied_bounds import Bounds, Caution, implied_bounds
from altsel.solvers.row_scaling import extremes, factors_of, times
from altsel.solvers.rows import Rows

if TYPE_CHECKING:
    import scipy.sparse as sp
else:
    sp: Any = OnDemand("scipy.sparse")

SMALL, SMALLEST = 0.5, 1e-100
"""Between what the largest value of a variable is that is scaled."""
ROUNDS = 32
"""How often all rows are gone through for how large variables can be."""
ROUNDED = Caution(0.0, 1e-14)
"""Share of its terms that a sum may be off."""


def scaled_columns(rows: Rows) -> tuple[Rows, FloatArray]:
    """Return rows in which small continuous variables reach from 1 to 2, and the unit of each variable.

    A point of the new rows times the units is one of the old. Units are powers of two, so that nothing is
    rounded.
    """
    units = units_of(rows)
    if (units == 1).all():
        return rows, units
    scaled = replace(
        rows,
        cost=rows.cost * units,
        matrix=sp.csr_array(rows.matrix * units),
        lower=rows.lower / units,
        upper=rows.upper / units,
        start=rows.start / units,
    )
    largest = extremes(np.maximum, scaled)
    return times(scaled, factors_of(largest, _have(rows, units != 1) & (largest > 0))), units


def units_of(rows: Rows) -> FloatArray:
    """Return a power of two for each continuous variable that is small, else 1."""
    units = np.ones(len(rows.lower))
    free = ~(rows.integer | rows.implied)
    if free.any():
        size = np.where(free, _reach(rows, free), 1.0)
        small = (size > SMALLEST) & (size < SMALL)
        units[small] = 2.0 ** np.floor(np.log2(size[small]))
    return units


def _reach(rows: Rows, free: BoolArray) -> FloatArray:
    """Return how large each variable can be, as the rows of continuous ones say: a unit, no bound.

    Of ``y <= 1e-5 x``, ``z <= 1e-5 y`` both get theirs, in two rounds.
    """
    about = _have(rows, free)
    part = replace(rows, matrix=rows.matrix[about], low=rows.low[about], high=rows.high[about])
    bounds = Bounds(rows.lower, rows.upper)
    for _ in range(ROUNDS):
        before, found = bounds, implied_bounds(part, bounds, ROUNDED)
        lower, upper = np.maximum(bounds.lower, found.lower), np.minimum(bounds.upper, found.upper)
        least, most = np.minimum(lower, upper), np.maximum(lower, upper)  # nothing is feasible if they cross
        bounds = Bounds(np.where(free, least, bounds.lower), np.where(free, most, bounds.upper))
        halved = _size(bounds) < SMALL * _size(before)
        ended = np.isfinite([bounds.lower, bounds.upper]) & np.isinf([before.lower, before.upper])
        if not halved.any() and not ended.any():
            break
    return _size(bounds)


def _have(rows: Rows, columns: BoolArray) -> BoolArray:
    """Return which rows have a term of some columns."""
    of_row = np.repeat(np.arange(len(rows.low)), np.diff(rows.matrix.indptr))
    return np.asarray(np.bincount(of_row, columns[rows.matrix.indices], len(rows.low)) > 0)


def _size(bounds: Bounds) -> FloatArray:
    """Return the largest absolute value within bounds."""
    return np.maximum(np.abs(bounds.lower), np.abs(bounds.upper))
