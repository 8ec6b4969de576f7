"""Bounds of variables that follow from rows and from each other's bounds, one round over all rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from altsel._types import FloatArray
from altsel.solvers.rows import Rows


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


@dataclass(frozen=True)
class Caution:
    """How far outside of what follows a bound is put.

    Attributes
    ----------
    amount
        By how much, in the unit of the variable.
    share
        And by what share of the terms that it follows from.
    """

    amount: float
    share: float


def implied_bounds(rows: Rows, bounds: Bounds, caution: Caution) -> Bounds:
    """Return the bounds that follow from given ones by one round over all rows; infinite where none does.

    Of ``low <= sum_j a_j x_j <= high`` each variable must make up for what the others can be at most, and
    leave what they are at least. The given bounds are no part of the answer.

    Parameters
    ----------
    rows
        The rows.
    bounds
        Of all variables.
    caution
        Room for rounding, or for what solvers do not see.
    """
    entries = rows.matrix.tocoo()
    used = entries.data != 0
    i, j, weights = entries.row[used], entries.col[used], entries.data[used]
    positive = weights > 0
    # 1. The least and the most that each term can be, and that the others of its row can be together.
    least = weights * np.where(positive, bounds.lower[j], bounds.upper[j])
    most = weights * np.where(positive, bounds.upper[j], bounds.lower[j])
    number = len(rows.low)
    others_least, others_most = _without_each(least, i, number), -_without_each(-most, i, number)
    # 2. What is left for the term, in units of its variable, and how exact that is.
    above, below = (rows.high[i] - others_least) / weights, (rows.low[i] - others_most) / weights
    at_most, at_least = np.where(positive, above, below), np.where(positive, below, above)
    sizes = _finite_size(rows.low) + _finite_size(rows.high)
    sizes += np.bincount(i, _finite_size(least) + _finite_size(most), number)
    room = caution.amount + caution.share * sizes[i] / np.abs(weights)
    # 3. The tightest of all rows.
    lower, upper = np.full(len(bounds.lower), -np.inf), np.full(len(bounds.upper), np.inf)
    np.maximum.at(lower, j, at_least - room)
    np.minimum.at(upper, j, at_most + room)
    return Bounds(lower, upper)


def _finite_size(numbers: FloatArray) -> FloatArray:
    """Return the absolute values of numbers, 0 for infinite ones."""
    return np.where(np.isfinite(numbers), np.abs(numbers), 0.0)


def _without_each(terms: FloatArray, i: FloatArray, number: int) -> FloatArray:
    """Sum the terms of the row of each but itself; -infinite if another one is."""
    endless = np.isinf(terms)
    finite = np.where(endless, 0.0, terms)
    rest = np.bincount(i, finite, number)[i] - finite
    return np.where(np.bincount(i, endless, number)[i] > endless, -np.inf, rest)
