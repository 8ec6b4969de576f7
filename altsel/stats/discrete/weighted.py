"""Contingency tables of rows that count with weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.runtime.on_demand import OnDemand
from altsel.stats.discrete.contingency import Tables
from altsel.stats.discrete.counts import Columns, compact, count_logs

special: Any = OnDemand("scipy.special")

LARGEST_SUM = 1 << 24
"""Integer weights of a smaller sum make tables of counts, with logarithms of all counts up to it."""


@dataclass(frozen=True, eq=False)
class WeightedTables(Tables):
    """Sums of weights instead of counts: `Tables` without the table of logarithms of integers."""

    def g_tests(self, corrected: bool) -> FloatArray:
        """G-square of each candidate and its degrees of freedom; sums are not corrected."""
        del corrected
        return np.array([self.g_square(), self.dof()])

    def _log(self, counts: FloatArray | IntArray) -> FloatArray:
        return np.asarray(special.xlogy(counts, counts))


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
