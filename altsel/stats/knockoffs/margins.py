"""Columns of numbers as standardised ones, by themselves or by their normal scores, and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.runtime.on_demand import OnDemand

special: Any = OnDemand("scipy.special")
stats: Any = OnDemand("scipy.stats")


@dataclass(frozen=True, eq=False)
class Margins:
    """How each column became one of mean 0 and variance 1.

    Attributes
    ----------
    centre, spread
        Mean and standard deviation of the columns, or of their normal scores.
    ordered
        The values of each column, ascending, shape (rows, columns); None if columns stand for themselves.
    """

    centre: FloatArray
    spread: FloatArray
    ordered: FloatArray | None

    @classmethod
    def of(cls, values: FloatArray, by_scores: bool) -> tuple[Margins, FloatArray]:
        """Return margins, and the standardised table; normal scores are ``Phi^-1((rank - 1/2) / n)``."""
        table = values
        if by_scores:
            table = special.ndtri((stats.rankdata(values, axis=0) - 0.5) / len(values))
        centre, spread = table.mean(axis=0), table.std(axis=0)
        ordered = np.sort(values, axis=0) if by_scores else None
        return cls(centre, spread, ordered), (table - centre) / spread

    def standard(self, values: FloatArray) -> FloatArray:
        """Return the standardised ones of values that the columns have, as `of` does."""
        table = values
        if self.ordered is not None:
            pairs = list(zip(self.ordered.T, values.T, strict=True))
            below = [np.searchsorted(known, column, side="left") for known, column in pairs]
            until = [np.searchsorted(known, column, side="right") for known, column in pairs]
            table = special.ndtri((np.column_stack(below) + np.column_stack(until)) / 2 / len(self.ordered))
        return np.asarray((table - self.centre) / self.spread)

    def back(self, standard: FloatArray) -> FloatArray:
        """Return values whose standardised ones are given; by scores always values that the column has.

        Examples
        --------
        >>> margins, table = Margins.of(np.array([[3.0], [1.0], [8.0]]), by_scores=True)
        >>> margins.back(table).ravel().tolist()
        [3.0, 1.0, 8.0]
        """
        table = standard * self.spread + self.centre
        if self.ordered is None:
            return table
        rows = len(self.ordered)
        ranks = np.minimum((special.ndtr(table) * rows).astype(np.int64), rows - 1)
        return np.take_along_axis(self.ordered, ranks, axis=0)
