"""Measures of dependence from counts of pairs and from moments, where no row is held."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.data.scanning import Scan, Statistics
from altsel.data.scanning.coding import Coding
from altsel.data.scanning.scan import refuse_rows
from altsel.data.schema import Kind, Task
from altsel.errors import ArgumentError, DataError, listing
from altsel.runtime.on_demand import OnDemand
from altsel.stats.discrete.chance import Margins, expected_information

special: Any = OnDemand("scipy.special")


@runtime_checkable
class OfStatistics(Protocol):
    """A measure that counts or moments determine."""

    by_level: bool
    """Whether it needs sums of numbers by level."""

    def name_of(self, statistics: Statistics) -> str:
        """Name shown in results."""

    def relevance_of(self, statistics: Statistics) -> FloatArray:
        """Dependence of each feature and the target, shape (features,)."""

    def redundancy_of(self, statistics: Statistics) -> FloatArray:
        """Dependence of each pair of features, shape (features, features)."""


def statistics_for(data: Scan | Statistics, measure: object, name: str) -> tuple[Statistics, OfStatistics]:
    """Return the statistics that a measure needs, or say that it needs rows."""
    if not isinstance(measure, OfStatistics):
        refuse_rows(name)
    statistics = data.statistics(by_level=measure.by_level) if isinstance(data, Scan) else data
    return statistics, measure


def entropies(statistics: Statistics) -> FloatArray:
    """Plug-in entropy of each column, the target's last, in nats."""
    sums = [_sum(statistics.totals(j)) for j in range(len(statistics.place))]
    return np.asarray(np.log(statistics.rows) - np.array(sums) / statistics.rows)


def information(statistics: Statistics, what: str, instead: str = "") -> tuple[FloatArray, FloatArray]:
    """Plug-in mutual information of columns, and their entropies.

    Returns
    -------
    tuple
        Shape (columns, columns), or (columns, 1) if pairs were not counted; and (columns,). The target is
        last.

    Raises
    ------
    DataError
        If a column is a number that is not cut into bins.
    """
    refuse_uncut(statistics, what, instead)
    own = entropies(statistics)
    sums = np.add.reduceat(special.xlogy(statistics.counts, statistics.counts), statistics.starts, axis=0)
    sums = np.add.reduceat(sums, statistics.starts if statistics.pairs else [0], axis=1)
    joint = np.log(statistics.rows) - sums / statistics.rows
    table = np.maximum(own[:, None] + (own if statistics.pairs else own[-1:]) - joint, 0.0)
    return np.asarray((table + table.T) / 2 if statistics.pairs else table), own


def chance_information(statistics: Statistics) -> FloatArray:
    """Mean of that information if the rows of one column are permuted, of the same shape."""
    columns = range(len(statistics.place))
    all_ = Margins.of([statistics.totals(j) for j in columns])
    goal = all_ if statistics.pairs else Margins.of([statistics.totals(columns[-1])])
    table = expected_information(all_, goal, statistics.rows)
    return np.asarray((table + table.T) / 2 if statistics.pairs else table)


def refuse_uncut(statistics: Statistics, what: str, instead: str = "") -> None:
    """Raise a DataError that names the numbers that were not cut into bins."""
    uncut = [one.name for one in statistics.layout.columns if not one.size]
    if uncut:
        raise DataError(
            f"{what} of a scan needs counts; {listing(uncut)} hold numbers: cut them into bins, "
            f"Dataset.scan(…, bins=5){instead}, or use scan.sample(100_000, random_state=0), which has rows"
        )


def features_of(statistics: Statistics, table: FloatArray) -> FloatArray:
    """Return the part of a table of all pairs that is about features.

    Raises
    ------
    ArgumentError
        If pairs were not counted.
    """
    if not statistics.pairs:
        raise ArgumentError("redundancies need all pairs: scan.statistics(pairs=True)")
    return table[:-1, :-1]


def nominal(statistics: Statistics) -> BoolArray:
    """Return which features are classes to a correlation ratio."""
    return np.array([_is_nominal(one) for one in statistics.layout.columns[:-1]])


def occurring(statistics: Statistics) -> list[int]:
    """Count the levels of each column that occur, the target's last; 0 of numbers."""
    sizes = statistics.layout.sizes.tolist()
    return [int(np.count_nonzero(statistics.totals(j))) if size else 0 for j, size in enumerate(sizes)]


def eta(statistics: Statistics, index: int) -> FloatArray:
    """Correlation ratio of every numeric column across the levels of a column.

    Raises
    ------
    ArgumentError
        If sums by level were not taken.
    """
    if statistics.by_level is None:
        raise ArgumentError("the correlation ratio needs sums by level: scan.statistics(by_level=True)")
    sizes = statistics.totals(index)
    value = statistics.moments.value
    total, rows = value[0, 1:], value[0, 0]
    sums = statistics.by_level[statistics.slice_of(index)]
    means = sums / np.maximum(sizes, 1)[:, None] - total / rows
    between = (sizes[:, None] * means**2).sum(axis=0)
    within = np.diag(value[1:, 1:]) - total**2 / rows
    share = np.divide(between, within, out=np.zeros_like(between), where=within > 0)
    result = np.full(len(statistics.place), np.nan)
    result[statistics.layout.numeric] = np.minimum(np.sqrt(share), 1.0)
    return result


def cramer(counts: IntArray) -> float:
    """Cramér's V of a contingency table.

    Examples
    --------
    >>> cramer(np.array([[2, 2], [1, 1]])), cramer(np.array([[2, 0], [0, 1]]))
    (0.0, 1.0)
    """
    rows = int(counts.sum())
    first, second = counts.sum(axis=1), counts.sum(axis=0)
    levels = min(int((first > 0).sum()), int((second > 0).sum()))
    if levels < 2:
        return 0.0
    margins = first[:, None] * second
    there = margins > 0
    excess = counts[there] - margins[there] / rows
    return min(float(np.sqrt((excess**2 / margins[there]).sum() / (levels - 1))), 1.0)


def refuse_classes(statistics: Statistics, name: str, target: bool) -> None:
    """Raise a DataError if a column that is to be correlated holds classes without an order."""
    columns = statistics.layout.columns
    bad = [one.name for one in columns[:-1] if not one.numeric]
    if target and statistics.task is Task.MULTICLASS and statistics.target_kind is not Kind.ORDINAL:
        raise DataError(
            f"{name} needs a numeric, ordinal or binary target; {statistics.target!r} has more classes: use "
            "correlation_ratio (command line: --measure correlation-ratio)"
        )
    if bad:
        raise DataError(
            f"{name} needs numbers or an order; {listing(bad)} hold categories: use correlation_ratio "
            "(command line: --measure correlation-ratio) or mutual information, or leave them out (drop=)"
        )


def _is_nominal(one: Coding) -> bool:
    return one.kind is Kind.CATEGORICAL or (one.kind is Kind.ORDINAL and one.ordered)


def _sum(counts: IntArray) -> float:
    return float(special.xlogy(counts, counts).sum())
