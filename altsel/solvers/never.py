"""Variables that a row does not let be 1, such as what costs 1e9 where 10 may be spent: they become 0."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from altsel.runtime.on_demand import OnDemand
from altsel.solvers.row_scaling import extremes, factors_of, times
from altsel.solvers.rows import NEGLIGIBLE_TERM, ROW_TOLERANCE, Rows

if TYPE_CHECKING:
    import scipy.sparse as sp
else:
    sp: Any = OnDemand("scipy.sparse")


def without_never(rows: Rows) -> Rows:
    """Fix the binary variables that alone break a row, and leave them out of it: what is left can be seen.

    Engines do not see terms of 1 beside one of 1e9, and are not believed. A variable is fixed if its row is
    missed by more than rounding where it is 1 and all others are as favourable as their bounds let them be:
    there is no solution if it must be 1.

    Examples
    --------
    >>> from altsel.solvers.rows import binary_rows
    >>> rows = replace(binary_rows(["a", "b"]), matrix=sp.csr_array([[1e9, 1.0]]), low=np.array([-np.inf]))
    >>> fixed = without_never(replace(rows, high=np.array([10.0])))
    >>> fixed.upper.tolist(), fixed.matrix.toarray().tolist()
    ([0.0, 1.0], [[0.0, 1.0]])
    """
    smallest, largest = extremes(np.minimum, rows), extremes(np.maximum, rows)
    wide = np.flatnonzero(smallest < NEGLIGIBLE_TERM * largest)
    if not len(wide):
        return rows
    matrix, upper = rows.matrix.copy(), rows.upper.copy()
    binary = rows.integer & (rows.lower >= 0) & (rows.upper == 1)
    for i in wide:
        part = slice(matrix.indptr[i], matrix.indptr[i + 1])
        data, where = matrix.data[part], matrix.indices[part]
        # 1. The least and the most that each term can be.
        with np.errstate(invalid="ignore"):
            ends = np.sort(np.nan_to_num([data * rows.lower[where], data * upper[where]], nan=0.0), axis=0)
        # 2. By how much the row is missed if a term is there in full and all others are at their best.
        above = ends[0].sum() - ends[0] + data - rows.high[i]
        below = rows.low[i] - (ends[1].sum() - ends[1] + data)
        never = binary[where] & (np.maximum(above, below) > 2 * ROW_TOLERANCE * np.abs(data))
        upper[where[never]] = 0.0
    matrix.data[((rows.lower == 0) & (upper == 0))[matrix.indices]] = 0.0
    matrix.eliminate_zeros()
    # 3. What is left of a row was scaled along with what is gone.
    left = replace(rows, matrix=matrix, upper=upper)
    largest = extremes(np.maximum, left)
    return times(left, factors_of(largest, (largest > 0) & (largest < 1)))
