"""Natural cubic splines of a column: four knots, three columns."""

from __future__ import annotations

import numpy as np

from altsel._types import FloatArray
from altsel.stats.standardised import units

KNOTS = (0.05, 0.35, 0.65, 0.95)
"""Quantiles of a column at which pieces of its spline meet (Harrell 2001, section 2.4.6)."""
SPAN = 1e-6
"""Length of a piece of a spline, relative to the longest, up to which the others determine it."""


def spline_block(values: FloatArray, root: FloatArray) -> FloatArray:
    """Return an orthonormal basis of a natural cubic spline of a column, of three columns at most.

    Its knots are at four quantiles; where these are not different, the column itself.
    """
    knots = spline_knots(values[root > 0])
    alone = units(values[:, None], root)
    if knots is None:
        return alone
    basis, _ = turned(units(spline_pieces(values, knots), root))
    return basis if basis.shape[1] else alone


def spline_knots(values: FloatArray) -> FloatArray | None:
    """Return the knots of a column; None where they are not different."""
    knots = np.quantile(values, KNOTS)
    return None if (np.diff(knots) <= 0).any() else np.asarray(knots)


def spline_pieces(values: FloatArray, knots: FloatArray) -> FloatArray:
    """Return the column and two functions that are straight beyond the outer knots, shape (rows, 3)."""
    first, *between, one, last = knots

    def cube(knot: float) -> FloatArray:
        return np.asarray(np.maximum((values - knot) / (last - first), 0.0) ** 3)

    def piece(knot: float) -> FloatArray:
        gap = last - one
        return np.asarray(cube(knot) - cube(one) * ((last - knot) / gap) + cube(last) * ((one - knot) / gap))

    return np.column_stack([values, *(piece(knot) for knot in (first, *between))])


def turned(pieces: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return an orthonormal basis of columns, and what turns them into it; none where all are 0."""
    left, sizes, right = np.linalg.svd(pieces, full_matrices=False)
    kept = sizes > SPAN * sizes[0] if sizes[0] > 0 else np.zeros(len(sizes), dtype=bool)
    return np.asarray(left[:, kept]), np.asarray(right[kept].T / sizes[kept])
