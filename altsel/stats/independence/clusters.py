"""Groups of rows that belong together, and the F test of scores that are summed over each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.stats.independence.protocol import TestResults
from altsel.stats.log_p import log_variance_ratio


@dataclass(frozen=True, eq=False)
class Clusters:
    """Numbers 0, 1, … of the groups of rows, shape (rows,)."""

    groups: IntArray

    @cached_property
    def number(self) -> int:
        """How many groups there are."""
        return int(self.groups.max()) + 1

    @cached_property
    def _order(self) -> IntArray:
        return np.argsort(self.groups, kind="stable")

    @cached_property
    def _starts(self) -> IntArray:
        return np.searchsorted(self.groups[self._order], np.arange(self.number))

    def summed(self, values: FloatArray) -> FloatArray:
        """Sum the rows of each group; shape (groups, …)."""
        return np.asarray(np.add.reduceat(values[self._order], self._starts, axis=0))

    def results(
        self, candidates: Sequence[str], statistic: FloatArray, dof: FloatArray, fixed: int, samples: float
    ) -> TestResults:
        """Compare ``F = T / (G - T) (G - q - d) / d`` of each candidate with the F distribution.

        Parameters
        ----------
        candidates
            Their names.
        statistic, dof
            T and d of each.
        fixed
            Columns q of what is given.
        samples
            A candidate is tested with at least so many groups beyond the coefficients.
        """
        freedom = self.number - fixed - dof
        tested = (freedom >= samples) & (freedom > 0)
        rest = np.clip(1 - statistic / self.number, np.finfo(float).eps, 1.0)
        log_p = log_variance_ratio(rest, dof, np.maximum(freedom, 1))
        ratio = (1 / rest - 1) * np.maximum(freedom, 1)
        return TestResults(tuple(candidates), np.where(tested, log_p, 0.0), ratio, dof, 1 - rest, tested)
