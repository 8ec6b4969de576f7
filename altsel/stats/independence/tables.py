"""Contingency tables of many candidates and one target within strata, and what is computed from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from altsel.stats.counting import Columns
from altsel.stats.independence.answers import FloatArray, IntArray

CELLS = 1 << 21
"""Cells of the tables made at once."""


@dataclass(frozen=True, eq=False)
class Tables:
    """Counts n_xts of candidates x target in the strata in which the target varies.

    The other strata add nothing to any statistic or its degrees of freedom.

    Attributes
    ----------
    counts
        Shape (levels of all candidates, strata, target levels).
    in_target
        n_ts, shape (strata, target levels).
    starts
        First level of each candidate.
    logs
        ``c log c`` for every count c.
    """

    counts: IntArray
    in_target: IntArray
    starts: IntArray
    logs: FloatArray

    @cached_property
    def in_level(self) -> IntArray:
        """n_xs, shape (levels, strata)."""
        return np.asarray(self.counts.sum(axis=2))

    @cached_property
    def in_stratum(self) -> IntArray:
        """n_s, shape (strata,)."""
        return np.asarray(self.in_target.sum(axis=1))

    def g_square(self) -> FloatArray:
        """``2 sum n_xts log(n_xts n_s / (n_xs n_ts))`` of each candidate."""
        logs = self.logs
        joint = logs[self.counts.reshape(len(self.counts), -1)].sum(axis=1)
        own = logs[self.in_stratum].sum() - logs[self.in_target].sum()
        return np.asarray(np.maximum(2 * (self._summed(joint - logs[self.in_level].sum(axis=1)) + own), 0.0))

    def chi_square(self) -> FloatArray:
        """``sum (n_xts - e_xts)^2 / e_xts``, ``e_xts = n_xs n_ts / n_s``, of each candidate."""
        expected = self.in_level[:, :, None] * (self.in_target / self.in_stratum[:, None])
        excess = np.divide(
            (self.counts - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0
        )
        return self._summed(excess.sum(axis=(1, 2)))

    def dof(self) -> FloatArray:
        """Sum over the strata of (values of the candidate there - 1)(values of the target there - 1)."""
        freedom = (self.in_target > 0).sum(axis=1) - 1.0
        return np.asarray(self._summed((self.in_level > 0) @ freedom) - freedom.sum())

    def _summed(self, by_level: FloatArray) -> FloatArray:
        return np.asarray(np.add.reduceat(by_level, self.starts))


def crossed(columns: Columns, asked: IntArray, target: IntArray, given: Sequence[int]) -> Iterator[Tables]:
    """Count candidates x target in the strata of the given columns, some candidates at a time.

    Parameters
    ----------
    columns
        The data.
    asked, given
        Places of the candidates and of the given columns.
    target
        Code of the target in each row.
    """
    if not len(asked):
        return
    classes = int(target.max()) + 1
    strata, number = columns.strata(given)
    groups = strata * classes + target
    in_target = np.bincount(groups, minlength=number * classes).reshape(number, classes)
    telling = (in_target > 0).sum(axis=1) > 1
    wanted = number = int(telling.sum())
    if not telling.all():
        wanted = number + 1  # rows that tell nothing are counted together, and then left out
        shift = np.where(telling, np.cumsum(telling) - 1, number) * classes
        groups = shift[strata] + target
    width = wanted * classes
    levels = np.cumsum(columns.levels[asked])
    for part in np.split(asked, np.flatnonzero(np.diff(levels * width // CELLS)) + 1):
        counts = columns.counts(groups, width, part)[:, : number * classes]
        shaped = counts.reshape(len(counts), number, classes)
        yield Tables(shaped, in_target[telling], columns.starts(part), columns.logs)
