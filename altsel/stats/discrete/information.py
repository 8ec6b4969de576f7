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
from altsel.stats.discrete.chance import above_chance, expected_in_strata
from altsel.stats.discrete.coding import CodedTable, coded
from altsel.stats.discrete.counts import Columns
from altsel.stats.discrete.levels import CELLS
from altsel.stats.discrete.scanned import ScannedInformation, scanned_columns

HELD = 1 << 28
"""Cells up to which codes are held; of more they are made again when they are wanted."""
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
    if data.X.size <= HELD:
        return Columns(coded(data, bins)), target
    return Columns(CodedTable(data.X, list(data.kinds.values()), bins)), target


def information_of(
    data: Dataset | Scan, bins: int | None, debiased: bool
) -> Information | ScannedInformation:
    """Return the information that columns share, of a scan with its bins; if bins are given, with these.

    Raises
    ------
    ArgumentError
        If a scan has cut numbers into other bins.
    DataError
        If it has cut none of its numbers.
    """
    if not isinstance(data, (Scan, Statistics)):
        return Information(*discretised(data, BINS if bins is None else bins), debiased)
    scanned_columns(data, "a ranking")
    if bins is not None and data.bins not in {None, bins}:
        raise ArgumentError(
            f"bins={bins}, but the scan has cut numbers into {data.bins}: give bins={data.bins}"
        )
    return ScannedInformation(data, debiased)


class Information:
    """Entropies and mutual informations of all features with some others, in nats.

    Informations are plug-in estimates, less what chance gives: the mean if the rows of one feature are
    permuted, in the strata of what is given. They are not cut at 0, so that sums of many have no bias.

    Parameters
    ----------
    columns
        The features.
    target
        Code of the target in each row.
    debiased
        Whether what chance gives is subtracted; if not, they are the plug-in estimates.
    """

    def __init__(self, columns: Columns, target: IntArray, debiased: bool) -> None:
        self.columns, self.target, self._debiased = columns, target, debiased
        self._starts = columns.all_starts
        self.entropies = self._entropy(columns.totals[:, None])
        self._with_target = self._joint(target)
        shared = self.entropies + self.target_entropy - self._with_target
        self.relevance = above_chance(shared, self.target_chance)
        self._chances: dict[int, tuple[FloatArray, FloatArray]] = {}

    @cached_property
    def target_entropy(self) -> float:
        """``H(C)``."""
        return self._alone(np.bincount(self.target))

    @cached_property
    def target_chance(self) -> FloatArray | None:
        """What chance gives of ``I(X; C)``; None if it is not subtracted."""
        return self._chance(self.columns.totals[:, None], np.bincount(self.target)[:, None])

    def chance_with(self, index: int) -> FloatArray | None:
        """Return what chance gives of ``I(X; F)`` of every feature X and one feature F."""
        return self._chance(
            self.columns.totals[:, None], self._levels_of(index, self.columns.totals[:, None])
        )

    def with_feature(self, index: int) -> FloatArray:
        """Return ``I(X; F)`` of every feature X and one feature F."""
        other = self.columns.code(index).astype(np.int64)
        shared = self.entropies + self.entropies[index] - self._joint(other)
        return above_chance(shared, self.chance_with(index))

    def with_feature_and_target(self, index: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return ``I(X; F)``, ``I(X; F | C)`` and the joint entropy ``H(X, F, C)`` of every feature X."""
        return self._of_three(index, self.target)

    def given_feature(self, index: int, given: int) -> FloatArray:
        """Return ``I(X; F | G)`` of every feature X and two features F and G."""
        return self._of_three(index, self.columns.code(given).astype(np.int64))[1]

    def of_pairs(self, first: IntArray, second: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return ``I(X; F)`` and ``I(X; F | C)`` of chosen pairs of features X and F, by their indices."""
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
        if not self._debiased:
            return above_chance(shared, None), above_chance(given, None)
        for index in np.unique(second).tolist():
            which = np.flatnonzero(second == index)
            chance, chance_given = self._chances_with(index)
            shared[which] -= chance[first[which]]
            given[which] -= chance_given[first[which]]
        return shared, given

    def _of_pairs(self, first: IntArray, second: IntArray, classes: int) -> tuple[FloatArray, FloatArray]:
        """Return the joint entropies ``H(X, F)`` and ``H(X, F, C)``."""
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

    def _chances_with(self, index: int) -> tuple[FloatArray, FloatArray]:
        """Return what chance gives of ``I(X; F)`` and ``I(X; F | C)`` of every feature X; they are kept."""
        if index not in self._chances:
            own = self._levels_of(index, self._in_classes)
            starts = self._starts
            self._chances[index] = (
                expected_in_strata(self.columns.totals[:, None], starts, own.sum(axis=1, keepdims=True)),
                expected_in_strata(self._in_classes, starts, own),
            )
        return self._chances[index]

    @cached_property
    def _in_classes(self) -> IntArray:
        return self.columns.counts(self.target, int(self.target.max()) + 1)

    def _levels_of(self, index: int, table: IntArray) -> IntArray:
        start = self._starts[index]
        return table[start : start + self.columns.levels[index]]

    def _chance(self, counts: IntArray, other: IntArray) -> FloatArray | None:
        return expected_in_strata(counts, self._starts, other) if self._debiased else None

    def _joint(self, other: IntArray) -> FloatArray:
        return self._entropy(self.columns.counts(other, int(other.max()) + 1))

    def _of_three(self, index: int, second: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        first = self.columns.code(index).astype(np.int64)
        rows, width = int(first.max()) + 1, int(second.max()) + 1
        table = self.columns.counts(first * width + second, rows * width)
        cube = table.reshape(len(table), rows, width)
        margin = np.bincount(first * width + second, minlength=rows * width).reshape(rows, width)
        in_second = np.einsum("xfc->xc", cube)
        joint, with_first, with_second = (
            self._entropy(part) for part in (table, np.einsum("xfc->xf", cube), in_second)
        )
        shared = self.entropies + self._alone(margin.sum(axis=1)) - with_first
        own = self._alone(margin) - self._alone(margin.sum(axis=0))
        given = above_chance(with_second + own - joint, self._chance(in_second, margin))
        return above_chance(shared, self.chance_with(index)), given, joint

    def _entropy(self, table: IntArray) -> FloatArray:
        sums = self.columns.logs[table].sum(axis=1)
        shares = np.add.reduceat(sums, self._starts) / self.columns.rows
        return np.asarray(np.log(self.columns.rows) - shares)

    def _alone(self, counts: IntArray) -> float:
        return float(np.log(self.columns.rows) - self.columns.logs[counts].sum() / self.columns.rows)
