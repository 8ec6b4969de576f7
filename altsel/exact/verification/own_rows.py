"""Rows of a rule that has variables of its own, translated once for all sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from altsel._types import FloatArray
from altsel.solvers.row_scaling import extremes, factors_of, times
from altsel.solvers.rows import Rows
from altsel.solvers.standard_form import ROUNDING

OF_COLUMNS = ("cost", "lower", "upper", "integer", "implied", "start")
"""What rows hold of each column."""
LEFT = 1e-14
"""Share of the terms of the sets and the limit up to which what is left of them is the rounding of 0."""
SMALL = 1.0
"""Largest coefficient of a row below which it is scaled again."""


@dataclass(frozen=True, eq=False)
class OwnRows:
    """Rows of a rule, divided into what they say of the sets and of its own variables.

    Attributes
    ----------
    own
        The rows as a model of the rule's own variables, their sides as if no feature were chosen.
    given
        Coefficients of the variables of the sets, shape (rows, variables).
    which
        The identity of each of these variables.
    """

    own: Rows
    given: FloatArray
    which: tuple[int, ...]

    @classmethod
    def of(cls, rows: Rows, sets: Mapping[int, float]) -> OwnRows:
        """Divide the columns of rows by whether a value is given for their variables."""
        ours = np.array([id(v) in sets for v in rows.variables], dtype=bool)
        columns, own = rows.matrix.tocsc(), np.flatnonzero(~ours)
        model = replace(
            rows,
            matrix=columns[:, own].tocsr(),
            **{name: getattr(rows, name)[own] for name in OF_COLUMNS},
            variables=[rows.variables[j] for j in own.tolist()],
        )
        which = tuple(id(rows.variables[j]) for j in np.flatnonzero(ours).tolist())
        return cls(model, columns[:, np.flatnonzero(ours)].toarray(), which)

    def with_sets(self, values: Mapping[int, float]) -> Rows | None:
        """Return the rows that are left once sets are chosen; None if one without own variables is broken."""
        terms = self.given * [values[v] for v in self.which]
        moved, rows = terms.sum(axis=1), self.own
        size = np.abs(terms).sum(axis=1) + largest_side(rows.low, rows.high)
        low, high = (
            np.where(np.abs(side) <= LEFT * size, 0.0, side) for side in (rows.low - moved, rows.high - moved)
        )
        idle = np.diff(rows.matrix.indptr) == 0
        miss = np.maximum(low, -high)
        if (idle & (miss > ROUNDING * size)).any():
            return None
        left = np.flatnonzero(~idle)
        kept = replace(
            rows,
            matrix=rows.matrix[left],
            low=low[left],
            high=high[left],
            constraints=[rows.constraints[i] for i in left.tolist()],
        )
        # a row of small terms was scaled along with others, now 0; what a solver is not exact about counts as
        # a share of all terms of a row, those of the sets, too
        largest = np.maximum(self._largest, np.abs(terms).max(axis=1, initial=0.0))[left]
        return times(kept, factors_of(largest, (largest > 0) & (largest < SMALL)))

    @cached_property
    def _largest(self) -> FloatArray:
        """The largest coefficient of a variable of the rule's own in each row."""
        return extremes(np.maximum, self.own)


def largest_side(low: FloatArray, high: FloatArray) -> FloatArray:
    """Return the largest finite side of each row, without its sign."""
    ends = np.abs([low, high])
    return np.asarray(np.where(np.isfinite(ends), ends, 0.0).max(axis=0))
