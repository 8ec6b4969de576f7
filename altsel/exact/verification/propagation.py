"""Bounds of a few variables that follow from rows and from each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from altsel._types import BoolArray, FloatArray
from altsel.solvers.rows import Rows

ROUNDS = 8
"""How often all rows are gone through."""
CELLS = 1 << 14
"""Rows times variables up to which bounds are looked for."""
CLEAR, SHARE = 1e-6, 1e-9
"""By how much a bound must be missed, and by what share of the terms it follows from: no solver sees less."""


@dataclass(frozen=True, eq=False)
class Bounds:
    """Between what each variable must be.

    Attributes
    ----------
    lower, upper
        One number a variable.
    """

    lower: FloatArray
    upper: FloatArray


def propagate(rows: Rows) -> Bounds | None:
    """Return bounds that every solution keeps; None if there clearly is none.

    Of ``low <= sum_j a_j x_j <= high`` each variable must make up for what the others can be at most, and
    leave what they are at least. Bounds are moved inwards only by what is more than rounding, so that what is
    nearly feasible is left to solvers.

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
    if rows.matrix.shape[0] * len(lower) > CELLS:
        return Bounds(lower, upper)
    matrix = rows.matrix.toarray()
    for _ in range(ROUNDS):
        inner = _inner(matrix, rows, lower, upper)
        if (inner.lower > inner.upper + CLEAR).any():
            return None
        lower, before = np.maximum(lower, np.minimum(inner.lower, inner.upper)), (lower, upper)
        upper = np.maximum(np.minimum(upper, inner.upper), lower)
        if (lower <= before[0]).all() and (upper >= before[1]).all():
            break
    return Bounds(lower, upper)


def _inner(matrix: FloatArray, rows: Rows, lower: FloatArray, upper: FloatArray) -> Bounds:
    """Return the bounds that follow from the given ones by one pass over all rows."""
    used, positive = matrix != 0, matrix > 0
    safe = np.where(used, matrix, 1.0)
    # 1. The least and the most that each term can be, and that the others of its row can be together.
    least = np.where(used, safe * np.where(positive, lower, upper), 0.0)
    most = np.where(used, safe * np.where(positive, upper, lower), 0.0)
    others_least, others_most = _without_each(least), _without_each(most)
    # 2. What is left for the term, in units of its variable, and how exact that is.
    above, below = (rows.high[:, None] - others_least) / safe, (rows.low[:, None] - others_most) / safe
    at_most, at_least = np.where(positive, above, below), np.where(positive, below, above)
    at_most, at_least = np.where(used, at_most, np.inf), np.where(used, at_least, -np.inf)
    ends = [least, most, *(np.broadcast_to(side[:, None], matrix.shape) for side in (rows.low, rows.high))]
    size = np.sum([np.where(np.isfinite(end), np.abs(end), 0.0) for end in ends], axis=(0, 2))
    room = CLEAR + SHARE * size[:, None] / np.abs(safe)
    # 3. The tightest of all rows; integers to integers.
    found = Bounds(
        (at_least - room).max(axis=0, initial=-np.inf), (at_most + room).min(axis=0, initial=np.inf)
    )
    return Bounds(
        np.maximum(lower, np.where(rows.integer, np.ceil(found.lower), found.lower)),
        np.minimum(upper, np.where(rows.integer, np.floor(found.upper), found.upper)),
    )


def _without_each(terms: FloatArray) -> FloatArray:
    """Sum the terms of each row but one, infinite if another one is."""
    endless: BoolArray = np.isinf(terms)
    finite = np.where(endless, 0.0, terms)
    rest = finite.sum(axis=1, keepdims=True) - finite
    others = endless.sum(axis=1, keepdims=True) > endless
    sign = np.where((terms == np.inf).any(axis=1, keepdims=True), np.inf, -np.inf)
    return np.asarray(np.where(others, sign, rest))
