"""Redundancies of some features of a table, where those of all pairs would be too many."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.dataset import Dataset
from altsel.runtime.memory import require, tables
from altsel.runtime.phases import MEASURES, phase
from altsel.stats.dependence.given import named_pairs
from altsel.stats.dependence.in_parts import columns_of

TABLES = 3
"""Tables of all pairs held while one is measured and checked; found by measuring."""
FEWER = "choose among fewer features first, such as the best by relevance"
"""What to do where a table of pairs is too large."""


@dataclass(eq=False)
class MeasuredPairs:
    """What measures redundancies among some features of a table.

    Parameters
    ----------
    data
        The table.
    measure
        Measures all pairs of a table; a pair's value must not depend on other columns.
    not_negative
        Whether no value is below 0, whatever the table.
    scale
        What the values are multiplied by, above 0.
    """

    data: Dataset
    measure: Callable[[Dataset], FloatArray]
    not_negative: bool
    scale: float = 1.0
    _largest: tuple[IntArray, FloatArray] = field(
        default_factory=lambda: (np.zeros(0, dtype=np.int64), np.zeros((0, 0))), init=False
    )

    def scaled(self, factor: float) -> MeasuredPairs:
        """Return what measures so many times the values."""
        return replace(self, scale=self.scale * factor)

    def among(self, features: IntArray) -> FloatArray:
        """Measure each pair of some features; the largest table so far is kept, and read where it suffices.

        Parameters
        ----------
        features
            Their indices, ascending.

        Returns
        -------
        array
            Shape (features, features).
        """
        known, table = self._largest
        if np.isin(features, known, assume_unique=True).all():
            place = np.searchsorted(known, features)
            return table[np.ix_(place, place)]
        needed, what = tables(len(features), TABLES)
        require(needed, f"redundancies: {what}", FEWER)
        part = columns_of(self.data, features)
        with phase(MEASURES):
            values = self.measure(part) * self.scale
        measured = named_pairs(values, list(part.features)).to_numpy(dtype=float)
        if len(features) > len(known):
            self._largest = features.copy(), measured
        return measured.copy()
