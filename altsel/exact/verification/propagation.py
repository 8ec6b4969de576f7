"""Bounds of a few variables that follow from rows and from each other."""

from __future__ import annotations

import numpy as np

from altsel.solvers.implied_bounds import Bounds, Caution, implied_bounds
from altsel.solvers.rows import Rows

ROUNDS = 8
"""How often all rows are gone through."""
ENTRIES = 1 << 14
"""Coefficients of all rows up to which bounds are looked for."""
CLEAR = Caution(1e-6, 1e-9)
"""By how much a bound must be missed, and by what share of the terms it follows from: no solver sees less."""


def propagate(rows: Rows) -> Bounds | None:
    """Return bounds that every solution keeps; None if there clearly is none.

    Bounds are moved inwards only by what is more than rounding, so that what is nearly feasible is left to
    solvers.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from altsel.solvers.rows import binary_rows, sp
    >>> rows = replace(binary_rows(["a", "b"]), matrix=sp.csr_array([[2.0, 1.0]]), low=np.array([2.0]))
    >>> bounds = propagate(replace(rows, high=np.array([2.0])))
    >>> bounds.lower.tolist(), bounds.upper.tolist()
    ([1.0, 0.0], [1.0, 0.0])
    >>> propagate(replace(rows, low=np.array([4.0]), high=np.array([5.0]))) is None
    True
    """
    lower, upper = rows.lower.copy(), rows.upper.copy()
    if rows.matrix.nnz > ENTRIES:
        return Bounds(lower, upper)
    for _ in range(ROUNDS):
        found = implied_bounds(rows, Bounds(lower, upper), CLEAR)
        least = np.maximum(lower, np.where(rows.integer, np.ceil(found.lower), found.lower))
        most = np.minimum(upper, np.where(rows.integer, np.floor(found.upper), found.upper))
        if (least > most + CLEAR.amount).any():
            return None
        lower, before = np.maximum(lower, np.minimum(least, most)), (lower, upper)
        upper = np.maximum(np.minimum(upper, most), lower)
        if (lower <= before[0]).all() and (upper >= before[1]).all():
            break
    return Bounds(lower, upper)
