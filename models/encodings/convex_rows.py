"""Rows with a convex quadratic form of a rule's own variables, by tangents that no solution breaks.

With ``Q = sum_k l_k v_k v_k'``, l_k > 0, the row ``a(x, u) + u' Q u <= c`` is
``a(x, u) + sum_k l_k t_k <= c`` and ``t_k >= (v_k' u)^2``. Tangents of each square, spread over its
range, are linear rows that hold wherever the row does (Kelley 1960; one variable a square: Tawarmalani and
Sahinidis 2005). What they admit beyond the row is found where sets are evaluated: further tangents are added
there until the row holds or no values are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.models.encodings.polynomials import NoPolynomialError, Polynomial
from altsel.models.rule import unique_name
from altsel.pyomo_on_demand import pyo

SPREAD = 17
"""Tangents of each square at first: they are off by a thousandth of the square's range at most."""
NOTHING, TINY = 1e-12, 1e-7
"""Parts of an eigenvector that are rounding, and what is squared where the tangent is that at 0."""
CONVEX = 1e-9
"""Share of the largest eigenvalue up to which a negative one is rounding."""
CLOSE = 1e-6
"""By how much a solver may miss each row."""


@dataclass(frozen=True, eq=False)
class Curve:
    """A convex row and its squares: ``linear + sum_k weight_k square_k <= 0``.

    Attributes
    ----------
    linear
        The row's other terms, as an expression.
    weights
        One a square, above 0.
    roots
        What is squared, as expressions of the rule's own variables.
    squares
        A variable at or above each square.
    tangents
        Where the tangents stand.
    """

    linear: Any
    weights: FloatArray
    roots: Sequence[Any]
    squares: Sequence[Any]
    tangents: Any

    def touch(self) -> bool:
        """Add a tangent for each square at the values of the variables, if they break the row; tell."""
        linear = float(pyo.value(self.linear))
        at = np.array([float(pyo.value(root)) for root in self.roots])
        terms = self.weights * at**2
        slack = CLOSE * (1 + abs(linear) + float((self.weights + terms).sum()))
        if linear + float(terms.sum()) <= slack:
            return False
        for square, root, value in zip(self.squares, self.roots, at.tolist(), strict=True):
            self.tangents.add(_tangent(square, root, value))
        return True


def curve_of(
    polynomial: Polynomial, low: Any, high: Any, binary: Sequence[bool]
) -> tuple[Polynomial, Polynomial]:
    """Split a row into its quadratic form of own variables and the rest, both to be at most something.

    Parameters
    ----------
    polynomial
        The row's body.
    low, high
        Its ends; None where there is none.
    binary
        Which variables of the polynomial are 0/1, by index.

    Returns
    -------
    tuple of dict
        The rest, with the limit taken off, and the form: their sum is to be at most 0. Both are divided by
        the largest coefficient, as solvers miss rows by the same absolute amount.

    Raises
    ------
    NoPolynomialError
        If it is more than that, or not convex.
    """
    if (low is None) == (high is None):
        raise NoPolynomialError("it is bounded from both sides, so it is not convex")
    sign, limit = (1.0, high) if low is None else (-1.0, low)
    whole = {m: c for m, c in polynomial.items() if c}
    whole[()] = whole.get((), 0.0) - float(pyo.value(limit))
    scale = sign / max(map(abs, whole.values()))
    curved = {m for m in whole if len(m) == 2 and not any(binary[j] for j in m)}
    rest = {m: scale * c for m, c in whole.items() if m not in curved}
    return rest, {m: scale * whole[m] for m in curved}


def add_curve(block: Any, linear: Any, form: Polynomial, variables: Sequence[Any]) -> Curve:
    """Add a convex row to a block by tangents.

    Parameters
    ----------
    block
        Where its variables and rows go.
    linear
        The rest of the row, as a linear expression; with the form it is to be at most 0.
    form, variables
        The quadratic form, and the variables by index.

    Raises
    ------
    NoPolynomialError
        If it is not convex, or a variable has no bounds.
    """
    own = sorted({j for monomial in form for j in monomial})
    free = [variables[j].local_name for j in own if variables[j].lb is None or variables[j].ub is None]
    if free:
        raise NoPolynomialError(f"it squares {free[0]!r}, which has no bounds")
    values, vectors = np.linalg.eigh(_matrix(form, own))
    vectors = np.where(np.abs(vectors) < NOTHING, 0.0, vectors)
    largest = float(np.abs(values).max())
    if values.min() < -CONVEX * largest:
        raise NoPolynomialError("it multiplies variables that are not 0/1, and is not convex")
    used = values > CONVEX * largest
    host = pyo.Block()
    block.add_component(unique_name(block, "curve"), host)
    host.square = pyo.Var(range(int(used.sum())))
    host.tangents = pyo.ConstraintList()
    roots = []
    for k, vector in enumerate(vectors.T[used]):
        roots.append(pyo.quicksum(float(w) * variables[j] for w, j in zip(vector, own, strict=True) if w))
        ends = [sorted((w * variables[j].lb, w * variables[j].ub)) for w, j in zip(vector, own, strict=True)]
        _spread(host.tangents, host.square[k], roots[k], sum(end[0] for end in ends), sum(e[1] for e in ends))
    weights = values[used]
    host.row = pyo.Constraint(
        expr=linear + pyo.quicksum(float(w) * t for w, t in zip(weights, host.square.values(), strict=True))
        <= 0
    )
    return Curve(linear, weights, roots, list(host.square.values()), host.tangents)


def _matrix(form: Polynomial, own: Sequence[int]) -> FloatArray:
    place, matrix = {j: i for i, j in enumerate(own)}, np.zeros((len(own), len(own)))
    for (i, j), coefficient in form.items():
        matrix[place[i], place[j]] += coefficient / 2
        matrix[place[j], place[i]] += coefficient / 2
    return matrix


def _spread(tangents: Any, square: Any, root: Any, low: float, high: float) -> None:
    """Bound a square, and spread tangents over the range of what is squared."""
    square.setlb(0.0)
    square.setub(max(low**2, high**2))
    for at in np.linspace(low, high, SPREAD).tolist():
        tangents.add(_tangent(square, root, at))


def _tangent(square: Any, root: Any, at: float) -> Any:
    """Return the tangent of a square; near 0 the one at 0, as its numbers would be rounding."""
    return square >= 0 if abs(at) < TINY else square >= 2 * at * root - at**2
