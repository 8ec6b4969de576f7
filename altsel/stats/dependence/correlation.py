"""Absolute correlations of numeric columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import BoolArray, FloatArray
from altsel.data.columns import normal, numbers
from altsel.data.dataset import Dataset
from altsel.data.kinds import has_order
from altsel.data.scanning import Statistics
from altsel.data.scanning.scan import refuse_rows
from altsel.data.schema import Kind, Task
from altsel.errors import DataError, listing
from altsel.stats.dependence.in_parts import in_parts
from altsel.stats.dependence.of_counts import refuse_classes
from altsel.stats.gram import Parts, correlations, parts_of_array, parts_of_table

HEAD = 256
"""Rows by which most columns of more than two values are recognised."""


@dataclass(frozen=True)
class AbsoluteCorrelation:
    """Absolute Pearson correlation ``|cov(a, b)| / (sd(a) sd(b))`` of values or, Spearman's, of ranks.

    Constant columns have correlation 0. Binary columns count as 0 and 1, ordered categories as 0, 1, 2, …;
    more than two categories without an order are refused.

    Parameters
    ----------
    ranks
        Use ranks (mean rank of ties) instead of values.

    Examples
    --------
    >>> from altsel.measures import absolute_spearman
    >>> absolute_spearman([1, 2, 3], [9, 4, 1])
    1.0
    """

    ranks: bool = False
    by_level = False
    not_negative = True

    @property
    def name(self) -> str:
        """Name of the coefficient."""
        return "absolute Spearman correlation" if self.ranks else "absolute Pearson correlation"

    def __call__(self, a: npt.ArrayLike, b: npt.ArrayLike) -> float:
        """Absolute correlation of two arrays of numbers."""
        columns = np.column_stack(_pair_of_numbers(a, b))
        return abs(float(correlations(parts_of_array(self._values(columns)))[0, 1]))

    @in_parts
    def relevance(self, data: Dataset) -> FloatArray:
        """Absolute correlation of each feature and the target."""
        if data.task is Task.MULTICLASS and data.target_kind is not Kind.ORDINAL:
            numeric = not isinstance(data.y.dtype, pd.CategoricalDtype)
            fix = "; if it is a number, say task='regression' (--task regression)" if numeric else ""
            message = (
                f"{self.name} needs a numeric, ordinal or binary target; {data.target!r} has more classes: "
                "use correlation_ratio (command line: --measure correlation-ratio)"
            )
            raise DataError(message + fix)
        target = self._values(numeric_target(data)[:, None])[:, 0]
        return np.abs(correlations(self._parts(data), target))

    def redundancy(self, data: Dataset) -> FloatArray:
        """Absolute correlation of each pair of features."""
        table = np.abs(correlations(self._parts(data)))
        return np.asarray((table + table.T) / 2)

    def name_of(self, statistics: Statistics) -> str:
        """Name of the coefficient."""
        del statistics
        return self.name

    def relevance_of(self, statistics: Statistics) -> FloatArray:
        """Absolute correlation of each feature and the target, from moments."""
        self._refuse(statistics, target=True)
        return np.abs(statistics.correlations[:-1, -1])

    def redundancy_of(self, statistics: Statistics) -> FloatArray:
        """Absolute correlation of each pair of features, from moments."""
        self._refuse(statistics, target=False)
        return np.abs(statistics.correlations[:-1, :-1])

    def _refuse(self, statistics: Statistics, target: bool) -> None:
        if self.ranks or type(self) is not AbsoluteCorrelation:
            refuse_rows(self.name)
        refuse_classes(statistics, self.name, target)

    def _parts(self, data: Dataset) -> Parts:
        """Return what goes through the features, by rows."""
        nominal = [
            name
            for name in data.features
            if data.kinds[name] is Kind.CATEGORICAL
            and isinstance(data.X[name].dtype, pd.CategoricalDtype)
            and data.X[name].nunique() > 2
        ]
        if nominal:
            raise DataError(
                f"{self.name} needs numbers or an order; {listing(nominal)} hold categories: "
                "use correlation_ratio (command line: --measure correlation-ratio) or mutual information, or "
                f"leave them out (drop=[{listing(nominal)}], command line: --drop {nominal[0]})"
            )
        if type(self) is AbsoluteCorrelation and not self.ranks:
            return parts_of_table(data.X)
        return parts_of_array(self._values(data.matrix()))

    def _values(self, columns: FloatArray) -> FloatArray:
        """Return what is correlated: the values of columns, or their ranks."""
        return mid_ranks(columns) if self.ranks else columns


def mid_ranks(columns: FloatArray) -> FloatArray:
    """Rank each column from 1, ties at their mean rank; scipy's ranks would double the start-up.

    Examples
    --------
    >>> mid_ranks(np.array([[5.0], [2.0], [5.0]]))[:, 0].tolist()
    [2.5, 1.0, 2.5]
    """
    found = mostly_two_valued(columns)
    if found is None:
        return pd.DataFrame(columns).rank().to_numpy()
    two, high = found
    result = np.empty(columns.shape)
    result[:, ~two] = pd.DataFrame(columns[:, ~two]).rank().to_numpy()
    many = high[:, two].sum(axis=0)
    few = len(columns) - many
    result[:, two] = np.where(high[:, two], few + (many + 1) / 2, (few + 1) / 2)
    return result


def mostly_two_valued(columns: FloatArray) -> tuple[BoolArray, BoolArray] | None:
    """Return which columns have two values or one, and where each has its largest; None if most have more.

    Examples
    --------
    >>> two, high = mostly_two_valued(np.array([[5.0, 1.0], [2.0, 2.0], [5.0, 3.0]]))
    >>> two.tolist(), high[:, 0].tolist()
    ([True, False], [True, False, True])
    """
    for some in (columns[:HEAD], columns):
        if not len(some):
            return None
        high = some == some.max(axis=0)
        two = (high | (some == some.min(axis=0))).all(axis=0)
        if 2 * two.sum() < len(two):
            return None
    return two, high


def numeric_target(data: Dataset) -> FloatArray:
    """Return the target as numbers: its values, or the codes of ordered categories."""
    return numbers(data.y) if data.target_kind is Kind.ORDINAL else data.target_values()


def standardised(values: FloatArray) -> FloatArray:
    """Shift and scale columns to mean 0 and sum of squares 1; constant ones to 0.

    Examples
    --------
    >>> standardised(np.array([[1e200, 3.0], [3e200, 3.0]])).round(4).tolist()
    [[-0.7071, 0.0], [0.7071, 0.0]]
    """
    scale = np.abs(values).max(axis=0)
    values = values / np.where(scale > 0, scale, 1)  # squares of huge numbers would overflow
    centred = values - values.mean(axis=0)
    length = np.linalg.norm(centred, axis=0)
    flat = np.ptp(values, axis=0) == 0
    return np.where(flat, 0.0, centred / np.where(flat | (length == 0), 1.0, length))


def _pair_of_numbers(a: npt.ArrayLike, b: npt.ArrayLike) -> list[FloatArray]:
    """Return two columns as numbers; refuse what are none, or of different lengths."""
    try:
        pair = [_as_numbers(a), _as_numbers(b)]
    except (TypeError, ValueError) as fault:
        raise DataError(f"two columns of numbers are needed: {fault}") from fault
    first, second = (column.shape for column in pair)
    if first != second or len(first) != 1 or not first[0]:
        raise DataError(f"two columns of the same length are needed, not shapes {first} and {second}")
    return pair


def _as_numbers(values: npt.ArrayLike) -> FloatArray:
    if isinstance(values, pd.Series) and has_order(values):
        return numbers(normal(values))
    return np.asarray(values, dtype=float)


absolute_pearson = AbsoluteCorrelation()
absolute_spearman = AbsoluteCorrelation(ranks=True)
