"""Columns of a feature as a model has them, learned from some rows, and those of any other rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd

from altsel._types import FloatArray
from altsel.data.columns import numbers
from altsel.stats.generalised.splines import spline_knots, spline_pieces, turned
from altsel.stats.standardised import Scaling, level_columns, scaling


class LearnedColumns(Protocol):
    """What turns the values of a feature into columns."""

    def of(self, column: pd.Series[Any]) -> FloatArray:
        """Return the columns of any rows, shape (rows, columns)."""
        ...


@dataclass(frozen=True, eq=False)
class LearnedNumber:
    """A number, or its spline, centred and scaled as in the rows learned from.

    Attributes
    ----------
    exponent
        Of the power of 2 that values are divided by.
    knots
        Of the spline, shape (4,); None: there is none.
    scaling
        Of the column, or of the pieces of the spline.
    turn
        What makes the pieces orthogonal, shape (pieces, columns).
    """

    exponent: int
    knots: FloatArray | None
    scaling: Scaling
    turn: FloatArray

    def of(self, column: pd.Series[Any]) -> FloatArray:
        """Return the columns of any rows."""
        values = np.ldexp(numbers(column), -self.exponent)
        pieces = values[:, None] if self.knots is None else spline_pieces(values, self.knots)
        return np.asarray(self.scaling.of(pieces) @ self.turn)


@dataclass(frozen=True, eq=False)
class LearnedLevels:
    """The levels of a category; one that the rows learned from lack counts as the mean of all rows.

    Attributes
    ----------
    levels
        Their values.
    columns
        What each level has, shape (levels, columns).
    """

    levels: pd.Index[Any]
    columns: FloatArray

    def of(self, column: pd.Series[Any]) -> FloatArray:
        """Return the columns of any rows."""
        place = self.levels.get_indexer(pd.Index(column.astype(object)))
        return np.asarray(np.where(place[:, None] < 0, 0.0, self.columns[place]))


def learned_columns(
    column: pd.Series[Any], root: FloatArray, *, category: bool, expand: str | None
) -> LearnedColumns:
    """Learn the columns of a feature: of length 1 and orthogonal in rows, by the roots of their weights.

    Parameters
    ----------
    column
        Its values in these rows.
    root
        Above 0, one a row.
    category
        Whether it enters with all its levels.
    expand
        ``"spline"``: a number as a natural cubic spline; None: as it is.

    Examples
    --------
    >>> learned = learned_columns(pd.Series([1.0, 2.0, 3.0]), np.ones(3), category=False, expand=None)
    >>> learned.of(pd.Series([2.0, 5.0])).round(3).tolist()
    [[0.0], [2.121]]
    """
    if category:
        place, found = pd.factorize(column.astype(object), sort=False)
        return LearnedLevels(pd.Index(found), level_columns(np.bincount(place, root * root).astype(float)))
    values = numbers(column)
    exponent = int(np.frexp(np.abs(values).max())[1])
    values = np.ldexp(values, -exponent)
    knots = spline_knots(values) if expand else None
    if knots is None:
        return LearnedNumber(exponent, None, scaling(values[:, None], root), np.eye(1))
    pieces = spline_pieces(values, knots)
    by = scaling(pieces, root)
    turn = turned(root[:, None] * by.of(pieces))[1]
    if not turn.shape[1]:  # all values are the same but for rounding
        return LearnedNumber(exponent, None, scaling(values[:, None], root), np.eye(1))
    return LearnedNumber(exponent, knots, by, turn)
