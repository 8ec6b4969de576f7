"""Variables of a data set as responses of regressions, and as what regressions are on."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.columns import moderate
from altsel.data.dataset import Dataset
from altsel.data.schema import Kind
from altsel.runtime.on_demand import OnDemand
from altsel.stats.independence.cache import Memory

preprocessing: Any = OnDemand("sklearn.preprocessing")

RARE = 10
"""Levels of fewer rows are taken together."""
CURVES = 512
"""Variables whose splines are remembered."""
LINEAR = 10.0
"""Length of the column of the value itself, beside a curve's columns of length 1: it is shrunk less."""


@dataclass(frozen=True, eq=False)
class Columns:
    """All variables of a data set, the target last.

    Attributes
    ----------
    values
        Numbers, and codes of categories; shape (rows, variables).
    categories
        Which variables are categories, or ordered ones; two values are numbers.
    ordered
        Which are ordered.
    """

    values: FloatArray
    categories: tuple[bool, ...]
    ordered: tuple[bool, ...]
    _curves: Memory[FloatArray] = field(default_factory=lambda: Memory[FloatArray](CURVES), repr=False)
    _indicators: dict[int, FloatArray] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, data: Dataset) -> Columns:
        """Read the features and the target."""
        values = moderate(np.column_stack([data.matrix(), data.target_values()]))
        kinds = [*data.kinds.values(), data.target_kind]
        ordered = tuple(kind is Kind.ORDINAL for kind in kinds)
        return cls(values, tuple(kind in {Kind.CATEGORICAL, Kind.ORDINAL} for kind in kinds), ordered)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.values)

    @cached_property
    def standard(self) -> FloatArray:
        """All variables with mean 0 and variance 1."""
        return standardised(self.values)

    def response(self, j: int) -> FloatArray:
        """Return a variable as it is regressed: a number (an ordered category by its codes), or indicators.

        Shape (rows, 1), or (rows, levels).
        """
        return self.indicators(j) if self.categories[j] and not self.ordered[j] else self.standard[:, [j]]

    def indicators(self, j: int) -> FloatArray:
        """Return one column of 0 and 1 for each level of a category; rare levels have one together."""
        if j not in self._indicators:
            self._indicators[j] = _indicators(self.values[:, j])
        return self._indicators[j]

    def straight(self, j: int) -> FloatArray:
        """Return a variable as numbers, or indicators of mean square 1; shape (rows, columns)."""
        if self.categories[j]:
            return standardised(self.indicators(j))
        return LINEAR * self.standard[:, [j]]

    def curve(self, j: int) -> FloatArray:
        """Return a variable's column and, of numbers, its cubic B-splines with knots at quantiles."""
        return self._curves(j, lambda: self._curve(j))

    def _curve(self, j: int) -> FloatArray:
        straight = self.straight(j)
        number = int(np.clip(round(self.rows ** (1 / 3)), 4, 10))
        column = self.standard[:, [j]]
        if self.categories[j] or len(np.unique(column)) < 4:
            return straight
        return np.hstack([straight, splines(column, number)])

    def numbers(self, known: IntArray | list[int]) -> FloatArray:
        """Return variables as estimators get them: numbers as they are, categories as indicators."""
        blocks = [self.indicators(j) if self.categories[j] else self.values[:, [j]] for j in known]
        return np.hstack([self.values[:, :0], *blocks])


def standardised(columns: FloatArray) -> FloatArray:
    """Centre columns, and scale them to a mean square of 1; constants become 0."""
    centred = columns - columns.mean(axis=0)
    size = np.sqrt((centred**2).mean(axis=0))
    return np.asarray(centred / np.where(size > 0, size, 1.0))


def splines(column: FloatArray, number: int) -> FloatArray:
    """Return cubic B-splines of mean square 1 with knots at quantiles; none of fewer than three knots.

    Parameters
    ----------
    column
        Shape (rows, 1).
    number
        Of knots, fewer where quantiles are the same.
    """
    knots = np.unique(np.quantile(column, np.linspace(0, 1, number)))
    if len(knots) < 3:
        return np.empty((len(column), 0))
    made = preprocessing.SplineTransformer(
        degree=3, knots=knots[:, None], extrapolation="linear", include_bias=False
    )
    return standardised(made.fit_transform(column))


def _indicators(codes: FloatArray) -> FloatArray:
    """Return a column of 0 and 1 for each level, rare ones together; shape (rows, levels)."""
    _, level, counts = np.unique(codes, return_inverse=True, return_counts=True)
    rare = counts < RARE
    if rare.sum() > 1 and not rare.all():
        level = np.where(rare, rare.argmax(), np.arange(len(counts)))[level]
        _, level = np.unique(level, return_inverse=True)
    return np.asarray(level[:, None] == np.arange(level.max() + 1), dtype=float)
