"""Rules given by numbers: linear rows over the features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from altsel.models.rule import Row
from altsel.pyomo_on_demand import pyo


@dataclass(frozen=True, eq=False)
class GivenRows:
    """A rule: sums of numbers of the chosen features keep their limits.

    Attributes
    ----------
    features
        Names of all features.
    rows
        A number a feature, and the least and largest sum.
    title
        The rule in words.

    Examples
    --------
    >>> rule = GivenRows(["a", "b"], [(np.array([1.0, 1.0]), -inf, 1.0)], "one of a and b")
    >>> rule.__name__, len(rule.given_rows())
    ('one of a and b', 1)
    """

    features: Sequence[str]
    rows: Sequence[Row]
    title: str
    may_be_silent = True

    def __call__(self, block: Any) -> None:
        """Add the rows to a block."""
        block.given_rows = pyo.ConstraintList()
        for row, low, high in self.rows:
            total = pyo.quicksum(row[j] * block.x[self.features[j]] for j in np.flatnonzero(row).tolist())
            if not row.any():
                total = 0 * block.x[self.features[0]]
            block.given_rows.add((None if low == -inf else low, total, None if high == inf else high))

    def given_rows(self) -> list[Row]:
        """Return the rows, which no model needs to be made for."""
        return list(self.rows)

    @property
    def __name__(self) -> str:
        return self.title
