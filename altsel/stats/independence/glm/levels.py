"""Which level of a category each row has, and sums over the rows of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from altsel._types import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Levels:
    """The levels of a category that occur, without a column for each.

    Attributes
    ----------
    codes
        Level of each row, from 0, shape (rows,); every level occurs.

    Examples
    --------
    >>> levels = Levels(np.array([0, 1, 1]))
    >>> levels.sums(np.array([[1.0, 2, 3]])).tolist()
    [[1.0, 5.0]]
    """

    codes: IntArray

    @cached_property
    def number(self) -> int:
        """How many there are."""
        return int(self.codes.max()) + 1

    @cached_property
    def _order(self) -> IntArray:
        return np.argsort(self.codes, kind="stable")

    @cached_property
    def _starts(self) -> IntArray:
        return np.searchsorted(self.codes[self._order], np.arange(self.number))

    def sums(self, values: FloatArray) -> FloatArray:
        """Sum the rows of each level; rows are on the last axis of `values`, levels on that of the result."""
        return np.asarray(np.add.reduceat(values[..., self._order], self._starts, axis=-1))

    def centred(self, columns: FloatArray, counts: FloatArray | None) -> FloatArray:
        """Take the mean of its level off each number; shape (rows, columns)."""
        rows = columns.T
        weights = np.ones(len(self.codes)) if counts is None else counts
        means = self.sums(rows * weights) / self.sums(weights)
        return np.asarray((rows - means[:, self.codes]).T)

    def indicators(self) -> FloatArray:
        """Return a column of 0 and 1 for each level but the first."""
        return np.asarray(self.codes[:, None] == np.arange(1, self.number), dtype=float)
