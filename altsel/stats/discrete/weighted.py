"""Contingency tables of rows that count with weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from altsel._types import FloatArray, IntArray
from altsel.stats.discrete.contingency import Tables
from altsel.stats.discrete.counts import Columns, compact, count_logs

LARGEST_SUM = 1 << 24
"""Integer weights of a smaller sum make tables of counts, with logarithms of all counts up to it."""


@dataclass(frozen=True, eq=False)
class WeightedTables(Tables):
    """Sums of weights instead of counts: `Tables` without the table of logarithms of integers."""

    @cached_property
    def _sums(self) -> tuple[FloatArray, FloatArray]:
        joint = _log_sum(self.counts).reshape(len(self.counts), -1).sum(axis=1)
        return joint - _log_sum(self.in_level).sum(axis=1), (self.in_level > 0) @ self._freedom

    def g_square(self) -> FloatArray:
        """``2 sum n_xts log(n_xts n_s / (n_xs n_ts))`` of each candidate."""
        shared = _log_sum(self.in_stratum).sum() - _log_sum(self.in_target).sum()
        return np.asarray(np.maximum(2 * (self._summed(self._sums[0]) + shared), 0.0))


def logs_of_sums(weights: FloatArray) -> FloatArray | None:
    """Compute ``c log c`` of every sum c of integer weights; None for others, and for sums too large.

    Examples
    --------
    >>> logs_of_sums(np.array([2.0, 1.0])).round(3).tolist(), logs_of_sums(np.array([0.5, 1.5]))
    ([0.0, 0.0, 1.386, 3.296], None)
    """
    total = float(weights.sum())
    if total >= LARGEST_SUM or (weights != np.rint(weights)).any():
        return None
    return count_logs(round(total))


def crossed_weighted(
    weights: FloatArray,
    columns: Columns,
    indices: IntArray | None,
    target: IntArray,
    given: Sequence[int],
    logs: FloatArray | None = None,
) -> Iterator[Tables]:
    """Sum the weights of candidates x target in the strata of the given columns, one candidate at a time.

    Parameters
    ----------
    weights
        Of each row, above 0.
    columns, indices, target, given
        As of `contingency.crossed`.
    logs
        What `logs_of_sums` gives for the weights: tables are then of integers, as those of repeated rows.
    """
    classes = int(target.max()) + 1
    strata, number = compact(*columns.strata(given))
    groups = target.astype(np.int64) * number + strata
    in_target = np.bincount(groups, weights, minlength=classes * number).reshape(classes, number)
    telling = in_target.max(axis=0) < in_target.sum(axis=0)
    chosen = range(len(columns)) if indices is None else indices.tolist()
    for index in chosen:
        levels = int(columns.levels[index])
        cells = columns.codes[index].astype(np.int64) * (classes * number) + groups
        sums = np.bincount(cells, weights, minlength=levels * classes * number)
        shaped = sums.reshape(levels, classes, number)[:, :, telling]
        start, margin = np.zeros(1, dtype=np.int64), in_target[:, telling]
        if logs is None:
            yield WeightedTables(shaped, margin, start, columns.logs[:0])
        else:
            yield Tables(np.rint(shaped).astype(np.int64), np.rint(margin).astype(np.int64), start, logs)


def _log_sum(values: FloatArray | IntArray) -> FloatArray:
    """Compute ``c log c``."""
    return np.asarray(special.xlogy(values, values))
