"""What is left of columns given those chosen, also of columns that nearly depend on each other.

The products of columns are conditioned on a feature by a step of elimination, and made afresh from the
columns where rounding has grown. Of a column of which nearly nothing is left products tell nothing; what is
left is then found in pairs of floats (`double_double`), in which the direction is exact but for rounding,
however short it is. Counted in full it bounds what sets with the column explain, whether or not the rule of
`altsel.stats.least_squares` leaves the column out of their fit.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from altsel.exact.kernels.double_double import added, dot, multiplied, normalised

NEARLY_NOTHING = 1e-11
"""Squared length left below which a column is looked at itself, not by its products."""
NOTHING = 1e-5
"""What columns that are left out may explain, at most, by their largest coefficients."""
APART = 1e-3
"""Length left from which floats find a basis well enough."""
EPSILON = 2.2e-16
VAST = 250
"""Columns from which the bound on coefficients stays: times any rounding it is above what is explained."""


def steepest(k: int) -> float:
    """Return a bound on the coefficients of the fit of a set of k columns of length 1.

    Of the columns that are fitted the least length left, by Gram and Schmidt with the longest first, is a
    millionth; so the least singular value is at least ``3e-6 / sqrt(4^k + 6k - 1)`` (C. L. Lawson and
    R. J. Hanson, *Solving Least Squares Problems*, 1974, theorem 6.31), and target lengths are at most 1.

    Examples
    --------
    >>> f"{steepest(1):.2g} {steepest(6):.2g}"
    '1e+06 2.2e+07'
    """
    return 1.01e6 * sqrt(4.0 ** min(k, VAST) + 6 * k - 1) / 3


def inner(a: Any, index: Any) -> Any:
    """Return the products of some features with each other."""
    return a[index][:, index]


def swept(a: Any, b: Any, j: int, left: Any, rounding: float) -> Any:
    """Condition those left on a feature: their products, what it explains, and the products' rounding."""
    pivot = a[j, j]
    factor = a[j][left] / pivot
    a2 = inner(a, left) - factor.reshape(-1, 1) * a[j][left]
    b2 = b[left] - factor * b[j]
    worst = 1.0 + (np.abs(factor).max() if len(left) else 0.0)
    return a2, b2, b[j] * b[j] / pivot, rounding * worst * worst + 2 * EPSILON


def rough_basis(columns: Any, members: Any) -> Any:
    """Return an orthonormal basis of members in floats, and the least length left, relative to its own."""
    basis = np.zeros((len(members), columns.shape[1]))
    least = 1.0
    for i in range(len(members)):
        unit = columns[members[i]].copy()
        whole = np.sqrt((unit * unit).sum())
        for _ in range(2):
            for e in range(i):
                unit = unit - basis[e] * (basis[e] * unit).sum()
        left = np.sqrt((unit * unit).sum())
        if whole > 0:
            least = min(least, left / whole)
        if left > 0:
            basis[i] = unit / left
    return basis, least


def remainder(column: Any, basis: Any, low: Any, count: int) -> Any:
    """Return what of a column is outside the first vectors of a basis, in pairs, and its relative length."""
    rest, rest_low = column.copy(), np.zeros_like(column)
    whole = np.sqrt((column * column).sum())
    if whole <= 0:
        return rest, rest_low, 0.0
    for _ in range(2):
        for e in range(count):
            along, along_low = dot(basis[e], low[e], rest, rest_low)
            part, part_low = multiplied(basis[e], low[e], along, along_low)
            rest, rest_low = added(rest, rest_low, -part, -part_low)
    square, _ = dot(rest, rest_low, rest, rest_low)
    return rest, rest_low, np.sqrt(max(square, 0.0)) / whole


def exact_basis(columns: Any, members: Any, largest: float) -> Any:
    """Return an orthonormal basis of members in pairs, and what those left out of it may explain."""
    basis = np.zeros((len(members), columns.shape[1]))
    low, extra = np.zeros_like(basis), 0.0
    for i in range(len(members)):
        rest, rest_low, length = remainder(columns[members[i]], basis, low, i)
        if hidden(length, largest) <= NOTHING:
            extra += hidden(length, largest)
        else:
            basis[i], low[i] = normalised(rest, rest_low)
    return basis, low, extra


def hidden(length: float, largest: float) -> float:
    """Bound what a column with so much left explains, if no coefficient is larger.

    With e what it adds to the fit and v what the fit of the others leaves, the target's length is at most 1,
    and so is ``|v - e|``, and ``|v|^2 - |v - e|^2 <= 2 |v| |e| <= 2 (1 + |e|) |e|``.
    """
    return 2.0 * (1.0 + length * largest) * length * largest


def afresh(columns: Any, target: Any, members: Any, ids: Any, largest: float) -> Any:
    """Condition on members by their columns, where the products have lost too much to rounding."""
    basis, least = rough_basis(columns, members)
    extra, rounding = 0.0, 32 * EPSILON / max(least, APART)
    if least < APART:
        basis, _, extra = exact_basis(columns, members, largest)
        rounding = 32 * EPSILON
    rest = columns[ids]
    for _ in range(2):
        for e in range(len(members)):
            rest = rest - (rest @ basis[e]).reshape(-1, 1) * basis[e]
    along = basis @ target
    return rest @ rest.T, rest @ target, (along * along).sum() + extra, rounding


def cleared(a: Any, b: Any, ids: Any, columns: Any, members: Any, rounding: float, largest: float) -> float:
    """Find the columns of which nearly nothing is left; return what those that add nothing may explain.

    These are made orthogonal to all. Those of which more is left get products of 0: they are `unbounded`, and
    must be chosen, or left out, before sets are bounded.
    """
    few = np.flatnonzero(np.diag(a) <= max(NEARLY_NOTHING, 100 * rounding))
    return blanked(few, a, b, ids, columns, members, largest) if len(few) else 0.0


def blanked(few: Any, a: Any, b: Any, ids: Any, columns: Any, members: Any, largest: float) -> float:
    """Do what `cleared` does with some columns of which nearly nothing is left."""
    extra = 0.0
    basis, low, _ = exact_basis(columns, members, largest)
    for j in few:
        _, _, length = remainder(columns[ids[j]], basis, low, len(members))
        a[j, :] = 0.0
        a[:, j] = 0.0
        b[j] = 0.0
        if hidden(length, largest) <= NOTHING:
            extra += hidden(length, largest)
            a[j, j] = 1.0
    return extra


def unbounded(a: Any) -> int:
    """Return the first column whose products are 0, or -1."""
    for j in range(len(a)):
        if a[j, j] == 0.0:
            return j
    return -1
