"""Columns of numbers as neighbours are searched in: scaled, with noise that breaks ties, sorted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.columns import moderate

SIZE = 1e-10
"""Standard deviation of the noise, for columns whose mean absolute value is at most 1."""


@dataclass(frozen=True, eq=False)
class Noise:
    """Noise of the two columns of any pair, as scikit-learn draws it: for one of them, then for the other.

    Parameters
    ----------
    rows
        Number of rows.
    seed
        Seed of ``numpy.random.RandomState``.
    """

    rows: int
    seed: int

    @cached_property
    def _drawn(self) -> FloatArray:
        return np.random.RandomState(self.seed).standard_normal((2, self.rows))

    def first(self, columns: FloatArray) -> Sorted:
        """Scale columns, shape (columns, rows), each as the first of a pair."""
        return self._noisy(columns, 0)

    def second(self, columns: FloatArray) -> Sorted:
        """Scale columns, each as the second of a pair."""
        return self._noisy(columns, 1)

    def _noisy(self, columns: FloatArray, place: int) -> Sorted:
        result = np.empty(columns.shape)
        for column, found in zip(columns, result, strict=True):
            plain = moderate(column)
            spread = np.nanstd(plain)  # one column at a time: the last bit of a sum over a table may differ
            scaled = plain / (spread or 1.0)
            found[:] = scaled + SIZE * max(1.0, float(np.mean(np.abs(scaled)))) * self._drawn[place]
        return Sorted.of(result)


@dataclass(frozen=True, eq=False)
class Sorted:
    """Columns and their order.

    Attributes
    ----------
    values
        Shape (columns, rows).
    order
        Rows of each column by ascending value.
    ascending
        The values in that order.
    """

    values: FloatArray
    order: IntArray
    ascending: FloatArray

    @classmethod
    def of(cls, values: FloatArray) -> Sorted:
        """Sort each column."""
        order = np.argsort(values, axis=1)
        ascending = np.take_along_axis(values, order, axis=1)
        for line in np.flatnonzero((ascending[:, 1:] == ascending[:, :-1]).any(axis=1)).tolist():
            order[line] = np.argsort(values[line], kind="stable")  # in order of the rows, on any processor
        return cls(values, order, ascending)

    def part(self, start: int, stop: int) -> Sorted:
        """Return some of the columns."""
        return Sorted(self.values[start:stop], self.order[start:stop], self.ascending[start:stop])
