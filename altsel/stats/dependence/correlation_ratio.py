"""The correlation ratio of numbers across classes, and its partners for two numbers and for two groupings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import FloatArray, IntArray
from altsel.data.columns import Kind, Task, codes, kind_of, normal, numbers
from altsel.data.dataset import Dataset
from altsel.data.scanning import Statistics
from altsel.errors import DataError
from altsel.runtime.progress import counted
from altsel.stats.dependence import of_counts
from altsel.stats.dependence.correlation import standardised


@dataclass(frozen=True)
class CorrelationRatio:
    r"""Correlation ratio ``eta = sqrt(SS_between / SS_total)`` of a number across classes, in [0, 1].

    Each pair of columns is measured by what its kinds allow, on one scale and symmetrically:

    - a number and classes: eta, whose square is the share of the number's variance that the class
      means explain, ``eta^2 = F d_1 / (F d_1 + d_2)`` of the one-way analysis of variance;
    - two numbers: \|r\|, the absolute Pearson correlation, which is eta under a linear fit;
    - classes and classes: Cramér's ``V = sqrt(chi^2 / (n (min(levels) - 1)))``.

    Two values count as numbers. They fit all three: for two classes eta is \|r\| (point-biserial),
    and the eta of a binary column across classes is the V of the two. Categories are classes, ordered
    ones too; so is a multi-class target. Integers and ordinal numbers are numbers, unless their kind is
    ``"categorical"``. A constant has 0.

    None of the three is corrected for bias: of a number that is independent of c classes in n rows the
    mean of ``eta^2`` is ``(c - 1) / (n - 1)``, so columns with many levels look relevant.

    References
    ----------
    Pearson, Drapers' Company Research Memoirs, Biometric Series 2 (1905); Fisher, Statistical Methods
    for Research Workers (1925), section 45; Cramér, Mathematical Methods of Statistics (1946), 21.9.

    Examples
    --------
    >>> from altsel.measures import correlation_ratio
    >>> round(correlation_ratio([1, 2, 3, 6], ["a", "a", "b", "c"]) ** 2, 4)  # 13.5 of 14
    0.9643
    """

    name = "correlation ratio"
    by_level = True

    def __call__(self, a: npt.ArrayLike, b: npt.ArrayLike) -> float:
        """Measure two columns; text and categories are classes."""
        pair = prepared(a, b)
        (first, classes), (second, others) = sorted(pair, key=lambda one: (one[1], one[0].tobytes()))
        if classes:
            return cramer(first, second)
        standard = standardised(first[:, None])
        if others:
            return float(eta(standard, second)[0])
        return float(_absolute(standard, standardised(second[:, None]))[0])

    def relevance(self, data: Dataset) -> FloatArray:
        """Measure each feature and the target."""
        result, nominal = np.zeros(len(data.features)), _nominal(data)
        standard = standardised(columns_of_numbers(data, ~nominal))
        if data.task is not Task.MULTICLASS:
            target = standardised(data.target_values()[:, None])
            result[~nominal] = _absolute(standard, target)
            for j in np.flatnonzero(nominal).tolist():
                result[j] = eta(target, codes(data.X[data.features[j]]))[0]
            return result
        classes = codes(data.y)
        result[~nominal] = eta(standard, classes)
        for j in np.flatnonzero(nominal).tolist():
            result[j] = cramer(codes(data.X[data.features[j]]), classes)
        return result

    def redundancy(self, data: Dataset) -> FloatArray:
        """Measure each pair of features."""
        nominal = _nominal(data)
        rest, groupings = np.flatnonzero(~nominal), np.flatnonzero(nominal).tolist()
        result = np.zeros((len(nominal), len(nominal)))
        standard = standardised(columns_of_numbers(data, ~nominal))
        table = np.abs(standard.T @ standard)
        result[np.ix_(rest, rest)] = np.minimum((table + table.T) / 2, 1.0)
        levels = {j: codes(data.X[data.features[j]]) for j in groupings}
        for place, j in enumerate(counted(groupings, len(groupings), "categorical features")):
            result[rest, j] = result[j, rest] = eta(standard, levels[j])
            for other in groupings[: place + 1]:
                result[other, j] = result[j, other] = cramer(levels[other], levels[j])
        return result

    def name_of(self, statistics: Statistics) -> str:
        """Name of the measure."""
        del statistics
        return self.name

    def relevance_of(self, statistics: Statistics) -> FloatArray:
        """Measure each feature and the target, from moments, sums by level and counts."""
        groupings, goal = of_counts.nominal(statistics), len(statistics.features)
        if statistics.task is not Task.MULTICLASS:
            result = np.abs(statistics.correlations[goal, :goal])
            for j in np.flatnonzero(groupings).tolist():
                result[j] = of_counts.eta(statistics, j)[goal]
            return result
        result = of_counts.eta(statistics, goal)[:goal]
        for j in np.flatnonzero(groupings).tolist():
            result[j] = of_counts.cramer(statistics.counts_of(j, goal))
        return result

    def redundancy_of(self, statistics: Statistics) -> FloatArray:
        """Measure each pair of features, from moments, sums by level and counts."""
        groupings, goal = of_counts.nominal(statistics), len(statistics.features)
        result = np.abs(statistics.correlations[:goal, :goal])
        places = np.flatnonzero(groupings).tolist()
        for place, j in enumerate(places):
            result[~groupings, j] = result[j, ~groupings] = of_counts.eta(statistics, j)[:goal][~groupings]
            for other in places[: place + 1]:
                result[other, j] = result[j, other] = of_counts.cramer(statistics.counts_of(other, j))
        return result


def eta(standard: FloatArray, classes: IntArray) -> FloatArray:
    """Correlation ratio of standardised columns across classes.

    Parameters
    ----------
    standard
        Shape (rows, columns): mean 0 and sum of squares 1, or all 0.
    classes
        Code 0, 1, … of each row; every one occurs.
    """
    sizes = np.bincount(classes)
    if len(sizes) < 2:
        return np.zeros(standard.shape[1])
    order = np.argsort(classes, kind="stable")
    sums = np.add.reduceat(standard[order], np.cumsum(sizes) - sizes, axis=0)
    return np.asarray(np.minimum(np.sqrt((sums**2 / sizes[:, None]).sum(axis=0)), 1.0))


def cramer(first: IntArray, second: IntArray) -> float:
    """Cramér's V of two codings of the same rows.

    Differences from the expected counts are taken in integers, so that independence gives 0.

    Examples
    --------
    >>> cramer(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))
    0.0
    >>> cramer(np.array([0, 1, 2]), np.array([1, 2, 0]))
    1.0
    """
    if (first.tobytes(), first.max()) > (second.tobytes(), second.max()):
        first, second = second, first  # one order of sums, so that V(a, b) = V(b, a) to the bit
    rows, in_first, in_second = len(first), np.bincount(first), np.bincount(second)
    if min(len(in_first), len(in_second)) < 2:
        return 0.0
    cells, counts = np.unique(first * len(in_second) + second, return_counts=True)
    margins = in_first[cells // len(in_second)] * in_second[cells % len(in_second)]
    empty = (rows**2 - int(margins.sum())) / rows**2  # expected share of rows in the empty cells
    excess = (counts * rows - margins) / rows
    chi_square = float((excess**2 / margins).sum()) + empty  # divided by the number of rows
    return min(float(np.sqrt(chi_square / (min(len(in_first), len(in_second)) - 1))), 1.0)


def _absolute(standard: FloatArray, other: FloatArray) -> FloatArray:
    return np.asarray(np.minimum(np.abs(standard.T @ other[:, 0]), 1.0))


def _nominal(data: Dataset) -> npt.NDArray[np.bool_]:
    columns = zip(data.kinds.values(), data.X.dtypes, strict=True)
    return np.array([kind is Kind.CATEGORICAL or _ordered(kind, dtype) for kind, dtype in columns])


def _ordered(kind: Kind, dtype: Any) -> bool:
    """Return whether a column holds ordered categories; ordinal numbers are numbers."""
    return kind is Kind.ORDINAL and isinstance(dtype, pd.CategoricalDtype)


def columns_of_numbers(data: Dataset, chosen: npt.NDArray[np.bool_]) -> FloatArray:
    """Return the chosen features as numbers, shape (rows, features)."""
    indices = np.flatnonzero(chosen).tolist()
    columns = [numbers(data.X[data.features[j]]) for j in indices]
    return np.column_stack(columns) if columns else np.empty((len(data.X), 0))


def prepared(a: npt.ArrayLike, b: npt.ArrayLike) -> list[tuple[npt.NDArray[Any], bool]]:
    """Return the values of two columns of the same length, and whether they are classes."""
    if np.shape(a) != np.shape(b) or np.ndim(a) != 1 or not np.shape(a)[0]:
        raise DataError(
            f"two columns of the same length are needed, not shapes {np.shape(a)} and {np.shape(b)}"
        )
    return [_prepared(column) for column in (a, b)]


def _prepared(column: Any) -> tuple[npt.NDArray[Any], bool]:
    """Return the values of a column, and whether they are classes."""
    checked = normal(column if isinstance(column, pd.Series) else pd.Series(np.asarray(column)))
    kind = kind_of(checked)
    nominal = kind is Kind.CATEGORICAL or _ordered(kind, checked.dtype)
    values = codes(checked) if nominal else numbers(checked)
    if checked.isna().any() or not np.isfinite(values).all():
        raise DataError("missing or infinite values; leave their rows out of both columns")
    return values, nominal


correlation_ratio = CorrelationRatio()
