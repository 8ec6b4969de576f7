"""Continuous variables of small values, in units of their own: engines keep bounds to 1e-9 in any unit."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from altsel._types import FloatArray
from altsel.runtime.on_demand import OnDemand
from altsel.solvers.rows import Rows

if TYPE_CHECKING:
    import scipy.sparse as sp
else:
    sp: Any = OnDemand("scipy.sparse")

SMALL = 0.5
"""Largest value of a variable that is scaled."""
SMALLEST = 1e-9
"""What is smaller is what rounding left of terms that cancel, and is taken for 0."""
LARGEST = 512.0
"""Coefficients of a row are brought to so much, as where the model is lowered."""


def scaled_columns(rows: Rows) -> tuple[Rows, FloatArray]:
    """Return rows in which small continuous variables reach from 1 to 2, and the unit of each variable.

    A point of the new rows times the units is one of the old. Units are powers of two, so that nothing is
    rounded.
    """
    units = _units(rows)
    if (units == 1).all():
        return rows, units
    matrix = sp.csr_array(rows.matrix * units)
    factor = np.ones(matrix.shape[0])
    for i in range(matrix.shape[0]):
        part = slice(matrix.indptr[i], matrix.indptr[i + 1])
        largest = np.abs(matrix.data[part]).max(initial=0.0)
        if largest > 0 and (units[matrix.indices[part]] != 1).any():
            factor[i] = LARGEST / 2.0 ** np.floor(np.log2(largest))
    matrix.data *= np.repeat(factor, np.diff(matrix.indptr))
    return replace(
        rows,
        cost=rows.cost * units,
        matrix=matrix,
        low=rows.low * factor,
        high=rows.high * factor,
        lower=rows.lower / units,
        upper=rows.upper / units,
        start=rows.start / units,
    ), units


def _units(rows: Rows) -> FloatArray:
    """Return a power of two for each continuous variable that is small, else 1."""
    reach = np.maximum(np.abs(rows.lower), np.abs(rows.upper))
    free = np.flatnonzero(~(rows.integer | rows.implied))
    columns = rows.matrix.tocsc() if np.isinf(reach[free]).any() else None
    units = np.ones(len(reach))
    for j in free.tolist():
        size = reach[j] if reach[j] < inf else _implied_reach(rows, columns, j, reach)
        if SMALLEST < size < SMALL:
            units[j] = 2.0 ** np.floor(np.log2(size))
    return units


def _implied_reach(rows: Rows, columns: Any, j: int, reach: FloatArray) -> float:
    """Estimate the largest value of a variable without bounds: what equations, or else other rows, say."""
    equations, others = list[float](), list[float]()
    where = slice(columns.indptr[j], columns.indptr[j + 1])
    for i, own in zip(columns.indices[where], columns.data[where], strict=True):
        part = slice(rows.matrix.indptr[i], rows.matrix.indptr[i + 1])
        index, data = rows.matrix.indices[part], np.abs(rows.matrix.data[part])
        ends = np.abs([end for end in (rows.low[i], rows.high[i]) if abs(end) < inf])
        size = float((data * reach[index])[index != j].sum() + ends.max(initial=0.0)) / abs(own)
        if 0 < size < inf:
            (equations if rows.low[i] == rows.high[i] else others).append(size)
    return min(equations, default=max(others, default=inf))
