"""Relief: features that differ between neighbours of different targets, and not of the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.data.dataset import Dataset
from altsel.data.schema import Kind
from altsel.errors import ArgumentError, checked_integer, flags
from altsel.runtime.progress import counted
from altsel.stats.dependence.shadows import above_shadows

CHUNK = 4_000_000
"""Largest number of distances held at once."""


@dataclass(frozen=True)
class Relief:
    """Relief, ReliefF and RReliefF, by the task (AFS appendix; Robnik-Sikonja and Kononenko 2003).

    Classes: ``W_A = mean over rows i of [ sum_{C != c(i)} P(C) / (1 - P(c(i))) * M_C - H ]`` with
    H and M_C the mean ``diff(A, i, j)`` over the nearest rows j of i's own class and of class C.
    Numbers as target: ``W_A = N_dCdA / N_dC - (N_dA - N_dCdA) / (m - N_dC)``, where the N are sums
    over m rows of the mean over their neighbours of diff of the target, of A, and their product.

    ``diff`` is the distance over the range for numbers, 0 or 1 (the same or not) for categories;
    rows are as far apart as the sum of the diffs of their features. Equally near rows count
    in the order of the table; a class with fewer rows than `neighbours` gives those it has.

    Rows that have a rare level in common are near, and there are more of them in a large class, or in that
    which other features tell of: so noise of many levels has weights above 0. Therefore each weight is less
    that of a permuted copy of the feature in the same table (the mean of three draws), so that noise has 0
    in the mean. Beside copies distances are less sharp: where all features are numbers, or have few levels,
    ``debiased=False`` finds a little more.

    Parameters
    ----------
    neighbours
        Nearest rows looked at, in each class. 1 is Relief (Kira and Rendell 1992).
    samples
        Rows i looked at, drawn at random if the table has more; None: all.
    random_state
        Seed of the draw.
    debiased
        Whether the weights of permuted copies are subtracted.

    Raises
    ------
    ArgumentError
        If `neighbours` or `samples` is no integer of at least 1.

    Examples
    --------
    >>> from altsel import Dataset, dependence
    >>> from altsel.measures import relief
    >>> data = Dataset({"a": [0, 0, 1, 1.0], "b": [0, 1, 0, 1.0]}, ["no", "no", "yes", "yes"])
    >>> dependence(data, Relief(1, debiased=False)).relevance.to_dict()
    {'a': 1.0, 'b': -1.0}
    >>> dependence(data, relief).relevance.idxmax()
    'a'
    """

    neighbours: int = 10
    samples: int | None = 1000
    random_state: int = 0
    debiased: bool = True

    def __post_init__(self) -> None:
        checked_integer("random_state", self.random_state, 0)
        flags(debiased=self.debiased)
        for name in ("neighbours", "samples"):
            value = getattr(self, name)
            if (value is None and name == "samples") or (type(value) is int and value >= 1):
                continue
            raise ArgumentError(f"{name}={value!r}; use an integer of at least 1")

    @property
    def name(self) -> str:
        """Name with the number of neighbours."""
        several = "" if self.neighbours == 1 else f", {self.neighbours} neighbours"
        return f"Relief{several}{', debiased' * self.debiased}"

    def relevance(self, data: Dataset) -> FloatArray:
        """Weight each feature; 0 without relevance, or below."""
        nominal = np.array(
            [data.kinds[f] is Kind.CATEGORICAL or data.X[f].dtype == "category" for f in data.features]
        )
        if not self.debiased:
            return self._weights(data, _scaled(data.matrix(), nominal))
        both = np.tile(nominal, 2)
        return above_shadows(
            data.matrix(), lambda table: self._weights(data, _scaled(table, both)), self.random_state
        )

    def _weights(self, data: Dataset, table: _Table) -> FloatArray:
        target = data.target_values()
        if data.discrete_target:
            return self._classes(table, np.unique(target, return_inverse=True)[1])
        return self._numbers(table, _scaled(target[:, None], np.array([False])).values[:, 0])

    def redundancy(self, data: Dataset) -> FloatArray:
        """Refuse: the weights are of single features."""
        raise ArgumentError(
            f"{self.name} gives relevances only; for FCBF, MRMR, CFS take redundancies of another measure: "
            "Dependence(dependence(data, relieff).relevance, dependence(data, measure).redundancy)"
        )

    def _classes(self, table: _Table, classes: IntArray) -> FloatArray:
        share = np.bincount(classes) / len(classes)
        rows = self._rows(len(classes))
        total = np.zeros(table.values.shape[1])
        for some, distance in counted(table.distances(rows), table.steps(rows), "blocks of rows"):
            for c in range(len(share)):
                near, counts = self._nearest(distance, np.flatnonzero(classes == c), some)
                own = classes[some] == c
                weight = np.where(own, -1.0, share[c] / np.maximum(1 - share[classes[some]], 1e-300))
                weight = weight / np.maximum(counts, 1)
                total += table.differences(some, near, counts, weight)
        return total / len(rows)

    def _numbers(self, table: _Table, target: FloatArray) -> FloatArray:
        rows = self._rows(len(target))
        both, of_target, of_feature = np.zeros(table.values.shape[1]), 0.0, np.zeros(table.values.shape[1])
        for some, distance in counted(table.distances(rows), table.steps(rows), "blocks of rows"):
            near, counts = self._nearest(distance, np.arange(len(target)), some)
            for r in range(near.shape[1]):
                difference = np.abs(target[some] - target[near[:, r]]) / counts
                diff = table.difference(some, near[:, r])
                both += difference @ diff
                of_target += float(difference.sum())
                of_feature += (diff / counts[:, None]).sum(axis=0)
        if not 0 < of_target < len(rows):
            return np.zeros(table.values.shape[1])
        return np.asarray(both / of_target - (of_feature - both) / (len(rows) - of_target))

    def _rows(self, count: int) -> IntArray:
        if self.samples is None or self.samples >= count:
            return np.arange(count)
        return np.sort(np.random.default_rng(self.random_state).choice(count, self.samples, replace=False))

    def _nearest(self, distance: FloatArray, among: IntArray, rows: IntArray) -> tuple[IntArray, IntArray]:
        """Nearest rows of some, not themselves, shape (rows, neighbours), and how many there are."""
        part = distance[:, among].copy()
        itself = rows[:, None] == among[None, :]
        part[itself] = np.inf
        most = min(self.neighbours, len(among))
        order = np.argsort(part, axis=1, kind="stable")[:, :most]
        counts = np.minimum(most, len(among) - itself.sum(axis=1))
        return among[order], counts


@dataclass(frozen=True, eq=False)
class _Table:
    """Features scaled to [0, 1], and which of them are categories."""

    values: FloatArray
    category: BoolArray

    def distances(self, rows: IntArray) -> Iterator[tuple[IntArray, FloatArray]]:
        """Yield rows in chunks with their distances to all rows, free of rounding in the last digits."""
        step = self._step()
        for start in range(0, len(rows), step):
            some = rows[start : start + step]
            distance = np.zeros((len(some), len(self.values)))
            for a, column in enumerate(self.values.T):
                difference = np.abs(column[some][:, None] - column[None, :])
                distance += (difference > 0) if self.category[a] else difference
            yield some, distance.round(9)

    def steps(self, rows: IntArray) -> int:
        """Count the chunks of `distances`."""
        return -(-len(rows) // self._step())

    def _step(self) -> int:
        return max(1, CHUNK // len(self.values))

    def difference(self, rows: IntArray, others: IntArray) -> FloatArray:
        """Diff of every feature between pairs of rows, shape (rows, features)."""
        difference = np.abs(self.values[rows] - self.values[others])
        return np.where(self.category, difference > 0, difference)

    def differences(self, rows: IntArray, near: IntArray, counts: IntArray, weight: FloatArray) -> FloatArray:
        """Weighted sum of the diffs between rows and their nearest ones."""
        total = np.zeros(self.values.shape[1])
        for r in range(near.shape[1]):
            there = r < counts
            total += (weight[there, None] * self.difference(rows[there], near[there, r])).sum(axis=0)
        return total


def _scaled(values: FloatArray, category: BoolArray) -> _Table:
    low, high = values.min(axis=0), values.max(axis=0)
    span = np.where(high > low, high - low, 1.0)
    return _Table((values - low) / span, category)


relief = Relief(neighbours=1)
"""Relief with one neighbour a class; see `Relief`."""

relieff = Relief()
"""ReliefF, or RReliefF for numbers, with ten neighbours; see `Relief`."""
