"""Contingency tables of many candidates and one target within strata, and what is computed from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.stats.discrete.compiled import LOOPS
from altsel.stats.discrete.counts import Columns
from altsel.stats.discrete.fixed_margins import mean_log
from altsel.stats.discrete.mean_loop import known_means

CELLS = 1 << 21
"""Cells of the tables made at once."""
CELL = 2e-6
"""CPU seconds that the mean of a cell takes without numba."""


@dataclass(frozen=True, eq=False)
class Tables:
    """Counts n_xts of candidates x target in the strata in which the target varies.

    The other strata add nothing to any statistic or its degrees of freedom.

    Attributes
    ----------
    counts
        Shape (levels of all candidates, target levels, strata).
    in_target
        n_ts, shape (target levels, strata).
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
        return np.asarray(self.counts.sum(axis=1))

    @cached_property
    def in_stratum(self) -> IntArray:
        """n_s, shape (strata,)."""
        return np.asarray(self.in_target.sum(axis=0))

    @cached_property
    def _freedom(self) -> FloatArray:
        """Values of the target in each stratum, less 1."""
        return np.asarray((self.in_target > 0).sum(axis=0) - 1.0)

    @cached_property
    def _own_sums(self) -> FloatArray:
        """``sum c log c`` over the cells of each level less that over its strata."""
        joint = self._log(self.counts).reshape(len(self.counts), -1).sum(axis=1)
        return np.asarray(joint - self._log(self.in_level).sum(axis=1))

    def g_square(self) -> FloatArray:
        """``2 sum n_xts log(n_xts n_s / (n_xs n_ts))`` of each candidate."""
        shared = self._log(self.in_stratum).sum() - self._log(self.in_target).sum()
        return np.asarray(np.maximum(2 * (self._summed(self._own_sums) + shared), 0.0))

    def g_tests(self, corrected: bool) -> FloatArray:
        """G-square of each candidate and its degrees of freedom; if corrected, `g_square_by_margins` too.

        Returns
        -------
        array of shape (2 or 5, candidates)
        """
        found = np.array([self.g_square(), self.dof()])
        return np.vstack([found, self.g_square_by_margins()]) if corrected else found

    @cached_property
    def _means(self) -> FloatArray:
        """Return the mean of ``k log k`` of each cell given the margins, shape of the counts."""
        logs, seconds = self._logs_in_memory(), CELL * self.counts.size
        kernels = None if logs is None else LOOPS.after(seconds)
        if kernels is None or logs is None:
            return mean_log(self.in_stratum, self.in_level[:, None, :], self.in_target[None, :, :], self.logs)
        found = np.empty(self.counts.shape)
        kernels.means(self.in_stratum, self.in_level, self.in_target, known_means(logs), found)
        return found

    def _logs_in_memory(self) -> FloatArray | None:
        """Return ``c log c`` of all counts of a stratum; None where they would be too many."""
        return self.logs

    @cached_property
    def _expected(self) -> FloatArray:
        """``e_xts = n_xs n_ts / n_s``, shape (levels, target levels, strata)."""
        return np.asarray(self.in_level[:, None, :] * (self.in_target / self.in_stratum))

    def chi_square(self) -> FloatArray:
        """``sum (n_xts - e_xts)^2 / e_xts``, ``e_xts = n_xs n_ts / n_s``, of each candidate."""
        expected = self._expected
        excess = np.divide(
            (self.counts - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0
        )
        return self._summed(excess.sum(axis=(1, 2)))

    def g_square_by_margins(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """G-square of each candidate, its mean given the margins, and degrees of freedom.

        Strata in which all rows differ in one of the two variables leave only one value, and are left out.
        """
        rows, classes = self.in_stratum, (self.in_target > 0).sum(axis=0)
        values = np.add.reduceat(self.in_level > 0, self.starts, axis=0, dtype=int)
        telling = (values > 1) & (values < rows) & (classes < rows)
        joint, expected = self.logs[self.counts], self._means
        shared = self.logs[rows] - self.logs[self.in_target].sum(axis=0)
        own = shared - np.add.reduceat(self.logs[self.in_level], self.starts, axis=0)
        statistic, mean = (
            2 * ((np.add.reduceat(part.sum(axis=1), self.starts, axis=0) + own) * telling).sum(axis=1)
            for part in (joint, expected)
        )
        return np.maximum(statistic, 0.0), mean, ((values - 1) * (classes - 1) * telling).sum(axis=1)

    def expected_enough(self) -> BoolArray:
        """Return for which candidates chi-square follows its distribution closely enough.

        No expected count is below 1, and at most a fifth of them are below 5 (Cochran 1954), of the cells of
        all strata in which both variables vary.
        """
        occurs = self.in_level > 0
        varies = np.add.reduceat(occurs, self.starts, axis=0, dtype=np.int64) > 1
        lengths = np.diff([*self.starts, len(occurs)])
        occurs = occurs & np.repeat(varies, lengths, axis=0)
        cell = occurs[:, None, :] & (self.in_target > 0)
        counted = (cell, cell & (self._expected < 5), cell & (self._expected < 1))
        cells, below_5, below_1 = (self._summed(part.sum(axis=(1, 2))) for part in counted)
        return np.asarray((below_1 == 0) & (5 * below_5 <= cells))

    def of_each(self) -> list[IntArray]:
        """Return the counts of each candidate, shape (its levels, target levels, strata)."""
        return np.split(self.counts, self.starts[1:])

    def dof(self) -> FloatArray:
        """Sum over the strata of (values of the candidate there - 1)(values of the target there - 1)."""
        occurs = (self.in_level > 0) @ self._freedom
        return np.asarray(self._summed(occurs) - self._freedom.sum())

    def _log(self, counts: IntArray) -> FloatArray:
        """``c log c`` of each count."""
        return self.logs[counts]

    def _summed(self, by_level: FloatArray) -> FloatArray:
        return np.asarray(np.add.reduceat(by_level, self.starts))


def crossed(
    columns: Columns, indices: IntArray | None, target: IntArray, given: Sequence[int]
) -> Iterator[Tables]:
    """Count candidates x target in the strata of the given columns, some candidates at a time.

    Parameters
    ----------
    columns
        The data.
    indices, given
        Places of the candidates (None: all columns) and of the given columns.
    target
        Code of the target in each row.
    """
    groups, sizes, number = _grouped(columns, target, given)
    classes, wanted = sizes.shape
    height = columns.levels.sum() if indices is None else columns.levels[indices].sum()
    for part in _parts(columns, indices, int(height) * wanted * classes):
        counts = columns.counts(groups, wanted * classes, part, sizes.ravel())
        shaped = counts.reshape(len(counts), classes, wanted)[:, :, :number]
        starts = columns.all_starts if part is None else columns.starts(part)
        yield Tables(shaped, sizes[:, :number], starts, columns.logs)


def _grouped(columns: Columns, target: IntArray, given: Sequence[int]) -> tuple[IntArray, IntArray, int]:
    """Group rows by target and stratum.

    Returns
    -------
    tuple
        Group of each row, ``code * strata + stratum``; rows in each, shape (target levels, strata); and the
        number of strata in which the target varies, the first ones: rows of others are counted together.
    """
    classes = int(target.max()) + 1
    strata, number = columns.strata(given)
    kernels = LOOPS.ready()
    if kernels is not None:
        groups, sizes = np.empty(len(target), dtype=np.int64), np.empty((classes, number), dtype=np.int64)
        telling = kernels.grouped(target, strata, groups, sizes)
        return groups, np.ascontiguousarray(sizes[:, : min(number, telling + 1)]), telling
    groups = target * np.int64(number) + strata if number > 1 else target.astype(np.int64)
    sizes = np.bincount(groups, minlength=number * classes).reshape(classes, number)
    varies = sizes.max(axis=0) < sizes.sum(axis=0)  # not all in one class
    if varies.all():
        return groups, sizes, number
    telling = int(varies.sum())
    rank = np.where(varies, np.cumsum(varies) - 1, telling)
    rest = sizes[:, ~varies].sum(axis=1, keepdims=True)
    groups = target * np.int64(telling + 1) + rank[strata]
    return groups, np.hstack([sizes[:, varies], rest]), telling


def _parts(columns: Columns, indices: IntArray | None, cells: int) -> Iterator[IntArray | None]:
    """Divide candidates so that the tables of each part have at most `CELLS` cells or so."""
    if cells <= CELLS:
        yield indices
        return
    everything = np.arange(len(columns)) if indices is None else indices
    ends = np.cumsum(columns.levels[everything])
    yield from np.split(everything, np.flatnonzero(np.diff(ends * (cells / ends[-1]) // CELLS)) + 1)
