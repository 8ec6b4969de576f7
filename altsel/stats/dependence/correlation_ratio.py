"""The correlation ratio of numbers across classes, and its partners for two numbers and for two groupings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import FloatArray, IntArray
from altsel.data.columns import codes, kind_of, normal, numbers
from altsel.data.dataset import Dataset
from altsel.data.intake.blocks import matrix
from altsel.data.scanning import Statistics
from altsel.data.schema import Kind, Task
from altsel.errors import DataError, flags
from altsel.runtime.progress import counted
from altsel.stats.dependence import of_counts
from altsel.stats.dependence.correlation import standardised
from altsel.stats.dependence.in_parts import in_parts
from altsel.stats.dependence.ratios import above_chance, cramer, eta


@dataclass(frozen=True)
class CorrelationRatio:
    r"""Correlation ratio ``eta = sqrt(SS_between / SS_total)`` of a number across classes, above chance.

    Each pair of columns is measured by what its kinds allow, on one scale and symmetrically:

    - a number and classes: eta, whose square is the share of the number's variance that the class
      means explain, ``eta^2 = F d_1 / (F d_1 + d_2)`` of the one-way analysis of variance;
    - two numbers: \|r\|, the absolute Pearson correlation, which is eta under a linear fit;
    - classes and classes: Cramér's ``V = sqrt(chi^2 / (n (min(levels) - 1)))``.

    Two values count as numbers. They fit all three: for two classes eta is \|r\| (point-biserial),
    and the eta of a binary column across classes is the V of the two. Categories are classes, ordered
    ones too; so is a multi-class target. Integers and ordinal numbers are numbers, unless their kind is
    ``"categorical"``. A constant has 0.

    Of a number that is independent of c classes in n rows the mean of ``eta^2`` over all orders of its rows
    is ``e = (c - 1) / (n - 1)``, so that a category of many levels would win. It is subtracted:
    ``sqrt((eta^2 - e) / (1 - e))``, or 0 if that is negative, whose square is Kelley's epsilon squared,
    ``1 - (n - 1) / (n - c) (1 - eta^2)``. So it is with r^2 (c = 2: adjusted R^2) and V^2 (c: the larger
    number of levels). Perfect dependence stays 1; what no order of the rows could change has 0.

    Parameters
    ----------
    debiased
        Whether what chance gives is subtracted; if not, it is eta, \|r\| or V.

    References
    ----------
    Pearson, Drapers' Company Research Memoirs, Biometric Series 2 (1905); Fisher, Statistical Methods
    for Research Workers (1925), section 45; Cramér, Mathematical Methods of Statistics (1946), 21.9; Kelley,
    Proceedings of the National Academy of Sciences 21 (1935); Bergsma, Journal of the Korean Statistical
    Society 42 (2013), whose corrected V subtracts the same.

    Examples
    --------
    >>> from altsel.measures import correlation_ratio
    >>> numbers, classes = [1, 2, 3, 6], ["a", "a", "b", "c"]
    >>> round(CorrelationRatio(debiased=False)(numbers, classes) ** 2, 4)  # 13.5 of 14
    0.9643
    >>> round(correlation_ratio(numbers, classes) ** 2, 4)  # 1 - 3 (1 - .9643)
    0.8929
    """

    debiased: bool = True
    by_level = True
    not_negative = True

    def __post_init__(self) -> None:
        flags(debiased=self.debiased)

    @property
    def name(self) -> str:
        """Name of the measure."""
        return "correlation ratio" + ", debiased" * self.debiased

    def __call__(self, a: npt.ArrayLike, b: npt.ArrayLike) -> float:
        """Measure two columns; text and categories are classes."""
        pair = prepared(a, b)
        (first, classes), (second, others) = sorted(pair, key=lambda one: (one[1], one[0].tobytes()))
        rows = len(first)
        if classes:
            return float(self._of(cramer(first, second), rows, _most(first, second)))
        standard = standardised(first[:, None])
        if others:
            return float(self._of(eta(standard, second)[0], rows, _most(second)))
        return float(self._of(_absolute(standard, standardised(second[:, None]))[0], rows))

    @in_parts
    def relevance(self, data: Dataset) -> FloatArray:
        """Measure each feature and the target."""
        result, nominal, rows = np.zeros(len(data.features)), _nominal(data), len(data.X)
        standard = standardised(columns_of_numbers(data, ~nominal))
        levels = {j: codes(data.X[data.features[j]]) for j in np.flatnonzero(nominal).tolist()}
        if data.task is not Task.MULTICLASS:
            target = standardised(data.target_values()[:, None])
            result[~nominal] = self._of(_absolute(standard, target), rows)
            for j, one in levels.items():
                result[j] = self._of(eta(target, one)[0], rows, _most(one))
            return result
        classes = codes(data.y)
        result[~nominal] = self._of(eta(standard, classes), rows, _most(classes))
        for j, one in levels.items():
            result[j] = self._of(cramer(one, classes), rows, _most(one, classes))
        return result

    def redundancy(self, data: Dataset) -> FloatArray:
        """Measure each pair of features."""
        nominal, rows = _nominal(data), len(data.X)
        rest, groupings = np.flatnonzero(~nominal), np.flatnonzero(nominal).tolist()
        result = np.zeros((len(nominal), len(nominal)))
        standard = standardised(columns_of_numbers(data, ~nominal))
        table = np.abs(standard.T @ standard)
        result[np.ix_(rest, rest)] = self._of(np.minimum((table + table.T) / 2, 1.0), rows)
        levels = {j: codes(data.X[data.features[j]]) for j in groupings}
        most = {j: _most(one) for j, one in levels.items()}
        for place, j in enumerate(counted(groupings, len(groupings), "categorical features")):
            result[rest, j] = result[j, rest] = self._of(eta(standard, levels[j]), rows, most[j])
            others = groupings[: place + 1]
            plain = np.array([cramer(levels[other], levels[j]) for other in others])
            larger = np.maximum([most[other] for other in others], most[j])
            result[others, j] = result[j, others] = self._of(plain, rows, larger)
        return result

    def _of(self, plain: npt.ArrayLike, rows: float, levels: npt.ArrayLike = 2) -> FloatArray:
        """Correct ratios of so many levels."""
        return above_chance(plain, rows, levels) if self.debiased else np.asarray(plain)

    def name_of(self, statistics: Statistics) -> str:
        """Name of the measure."""
        del statistics
        return self.name

    def relevance_of(self, statistics: Statistics) -> FloatArray:
        """Measure each feature and the target, from moments, sums by level and counts."""
        groupings, goal = of_counts.nominal(statistics), len(statistics.features)
        rows, most = statistics.rows, of_counts.occurring(statistics)
        if statistics.task is not Task.MULTICLASS:
            result = self._of(np.abs(statistics.correlations[goal, :goal]), rows)
            for j in np.flatnonzero(groupings).tolist():
                result[j] = self._of(of_counts.eta(statistics, j)[goal], rows, most[j])
            return result
        result = self._of(of_counts.eta(statistics, goal)[:goal], rows, most[goal])
        for j in np.flatnonzero(groupings).tolist():
            plain = of_counts.cramer(statistics.counts_of(j, goal))
            result[j] = self._of(plain, rows, max(most[j], most[goal]))
        return result

    def redundancy_of(self, statistics: Statistics) -> FloatArray:
        """Measure each pair of features, from moments, sums by level and counts."""
        groupings, goal = of_counts.nominal(statistics), len(statistics.features)
        rows, most = statistics.rows, of_counts.occurring(statistics)
        result = self._of(np.abs(statistics.correlations[:goal, :goal]), rows)
        places = np.flatnonzero(groupings).tolist()
        for place, j in enumerate(places):
            across = of_counts.eta(statistics, j)[:goal][~groupings]
            result[~groupings, j] = result[j, ~groupings] = self._of(across, rows, most[j])
            for other in places[: place + 1]:
                plain = of_counts.cramer(statistics.counts_of(other, j))
                found = self._of(plain, rows, max(most[other], most[j]))
                result[other, j] = result[j, other] = found
        return result


def _most(*groupings: IntArray) -> int:
    """Count the levels of the grouping that has most; every one occurs."""
    return max(int(one.max()) + 1 for one in groupings)


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
    return matrix(data.X.loc[:, chosen])


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
