"""Discrete versions of all columns, and the information they share."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.binning import cut
from altsel.data.columns import codes, numbers
from altsel.data.dataset import Dataset, checked_dataset
from altsel.data.scanning import Scan, Statistics
from altsel.errors import ArgumentError, checked_integer
from altsel.stats.discrete.coding import coded
from altsel.stats.discrete.counts import Columns
from altsel.stats.discrete.levels import CELLS
from altsel.stats.discrete.scanned import ScannedInformation, scanned_columns

BINS = 5
"""Bins of equal frequency into which numbers are cut, if nothing else is said."""


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
    checked_dataset("a ranking", data)
    checked_integer("bins", bins, 2)
    target = codes(data.y) if data.discrete_target else cut(numbers(data.y), bins)
    return Columns(coded(data, bins)), target


def information_of(data: Dataset | Scan, bins: int | None) -> Information | ScannedInformation:
    """Return the information that columns share, of a scan with its bins; if bins are given, with these.

    Raises
    ------
    ArgumentError
        If a scan has cut numbers into other bins.
    DataError
        If it has cut none of its numbers.
    """
    if not isinstance(data, (Scan, Statistics)):
        return Information(*discretised(data, BINS if bins is None else bins))
    scanned_columns(data, "a ranking")
    if bins is not None and data.bins not in {None, bins}:
        raise ArgumentError(
            f"bins={bins}, but the scan has cut numbers into {data.bins}: give bins={data.bins}"
        )
    return ScannedInformation(data)


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
        self.entropies = self._entropy(columns.totals[:, None])
        self._with_target = self._joint(target)
        self.relevance = np.maximum(self.entropies + self.target_entropy - self._with_target, 0.0)

    @cached_property
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

    def of_pairs(self, first: IntArray, second: IntArray) -> tuple[FloatArray, FloatArray]:
        """Give ``I(X; F)`` and ``I(X; F | C)`` of chosen pairs of features X and F, by their indices."""
        levels, classes = self.columns.levels, int(self.target.max()) + 1
        cells = levels[first] * levels[second] * classes
        rows = np.arange(1, len(first) + 1) * self.columns.rows
        parts = np.flatnonzero(np.diff((np.cumsum(cells) + rows) // CELLS)) + 1
        counted = [
            self._of_pairs(*pair, classes)
            for pair in zip(np.split(first, parts), np.split(second, parts), strict=True)
        ]
        joint_pair, joint = (np.concatenate(part) for part in zip(*counted, strict=True))
        shared = self.entropies[first] + self.entropies[second] - joint_pair
        own = self._with_target[second] - self.target_entropy
        given = self._with_target[first] + own - joint
        return np.maximum(shared, 0.0), np.maximum(given, 0.0)

    def _of_pairs(self, first: IntArray, second: IntArray, classes: int) -> tuple[FloatArray, FloatArray]:
        """Give the joint entropies ``H(X, F)`` and ``H(X, F, C)``."""
        codes_, levels = self.columns.codes, self.columns.levels
        widths = levels[second] * classes
        ends = np.cumsum(levels[first] * widths)
        starts = ends - levels[first] * widths
        keys = codes_[first] * widths[:, None]
        keys += codes_[second] * np.int64(classes)
        keys += self.target + starts[:, None]
        counts = np.bincount(keys.ravel(), minlength=int(ends[-1]))
        pairs = counts.reshape(-1, classes).sum(axis=1)
        logs, total = self.columns.logs, np.log(self.columns.rows)
        sums = np.add.reduceat(logs[pairs], starts // classes), np.add.reduceat(logs[counts], starts)
        return total - sums[0] / self.columns.rows, total - sums[1] / self.columns.rows

    def _shared(self, other: IntArray) -> FloatArray:
        return np.maximum(self.entropies + self._alone(np.bincount(other)) - self._joint(other), 0.0)

    def _joint(self, other: IntArray) -> FloatArray:
        return self._entropy(self.columns.counts(other, int(other.max()) + 1))

    def _of_three(self, first: IntArray, second: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        rows, width = int(first.max()) + 1, int(second.max()) + 1
        table = self.columns.counts(first * width + second, rows * width)
        cube = table.reshape(len(table), rows, width)
        margin = np.bincount(first * width + second, minlength=rows * width).reshape(rows, width)
        joint, with_first, with_second = (
            self._entropy(part) for part in (table, np.einsum("xfc->xf", cube), np.einsum("xfc->xc", cube))
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
