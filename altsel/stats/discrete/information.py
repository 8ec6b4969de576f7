"""Discrete versions of all columns, and the information they share."""

from __future__ import annotations

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.binning import cut
from altsel.data.columns import codes, numbers
from altsel.data.dataset import Dataset
from altsel.errors import checked_integer
from altsel.stats.discrete.counts import Columns


def discretised(data: Dataset, bins: int) -> tuple[Columns, IntArray]:
    """Code the features and the target; numbers are cut into bins of equal frequency.

    Parameters
    ----------
    data
        The table.
    bins
        Number of bins, at least 2.

    Returns
    -------
    tuple
        The features, and the target's codes.
    """
    checked_integer("bins", bins, 2)
    flat = dict(zip(data.features, data.discrete(), strict=True))
    columns = [
        codes(data.X[name]) if flat[name] else cut(numbers(data.X[name]), bins) for name in data.features
    ]
    target = codes(data.y) if data.discrete_target else cut(numbers(data.y), bins)
    return Columns(columns), target


class Information:
    """Plug-in entropies and mutual informations of all features with some others, in nats.

    Parameters
    ----------
    columns
        The features.
    target
        Code of the target in each row.
    """

    def __init__(self, columns: Columns, target: IntArray) -> None:
        self.columns, self.target = columns, target
        self._starts = columns.all_starts
        self.entropies = self._entropy(columns.counts(np.zeros_like(target), 1))
        self.relevance = self._shared(target)

    @property
    def target_entropy(self) -> float:
        """``H(C)``."""
        return self._alone(np.bincount(self.target))

    def with_feature(self, index: int) -> FloatArray:
        """Give ``I(X; F)`` of every feature X and one feature F."""
        return self._shared(self.columns.codes[index].astype(np.int64))

    def with_feature_and_target(self, index: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Give ``I(X; F)``, ``I(X; F | C)`` and the joint entropy ``H(X, F, C)`` of every feature X."""
        return self._of_three(self.columns.codes[index].astype(np.int64), self.target)

    def given_feature(self, index: int, given: int) -> FloatArray:
        """Give ``I(X; F | G)`` of every feature X and two features F and G."""
        codes_ = self.columns.codes
        return self._of_three(codes_[index].astype(np.int64), codes_[given].astype(np.int64))[1]

    def _shared(self, other: IntArray) -> FloatArray:
        number = int(other.max()) + 1
        table = self.columns.counts(other, number)
        joint = self._entropy(table)
        return np.maximum(self.entropies + self._alone(np.bincount(other)) - joint, 0.0)

    def _of_three(self, first: IntArray, second: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        rows, width = int(first.max()) + 1, int(second.max()) + 1
        table = self.columns.counts(first * width + second, rows * width)
        cube = table.reshape(len(table), rows, width)
        margin = np.bincount(first * width + second, minlength=rows * width).reshape(rows, width)
        joint, with_first, with_second = (
            self._entropy(part) for part in (table, cube.sum(axis=2), cube.sum(axis=1))
        )
        shared = self.entropies + self._alone(margin.sum(axis=1)) - with_first
        own = self._alone(margin) - self._alone(margin.sum(axis=0))
        return np.maximum(shared, 0.0), np.maximum(with_second + own - joint, 0.0), joint

    def _entropy(self, table: IntArray) -> FloatArray:
        sums = self.columns.logs[table].sum(axis=1)
        shares = np.add.reduceat(sums, self._starts) / self.columns.rows
        return np.asarray(np.log(self.columns.rows) - shares)

    def _alone(self, counts: IntArray) -> float:
        return float(np.log(self.columns.rows) - self.columns.logs[counts].sum() / self.columns.rows)
