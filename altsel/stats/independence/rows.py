"""What is known of rows besides features and target: weights, groups and events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.data.columns import codes, normal
from altsel.data.dataset import Dataset, checked_dataset, derived
from altsel.data.dealing import subset
from altsel.data.scanning import Scan, Statistics
from altsel.errors import ArgumentError, DataError, absence, listing

Given = str | npt.ArrayLike | None
"""Name of a column of the data, which then is no feature, or an array of shape (rows,)."""

LARGEST_SUM = 1e15
"""Integers of a larger sum are no exact floats, or soon will be."""
WIDEST = 1e12
"""The largest weight divided by the smallest above 0 in tables and correlations; beyond, sums lose rows."""
WIDEST_OF_REGRESSIONS = 1e6
"""The same where models are fitted by Newton's method, which at 1e8 no longer finds the maximum."""


@dataclass(frozen=True, eq=False)
class Rows:
    """A data set of the rows that count, how often they do, and which belong together.

    Attributes
    ----------
    data
        Without the columns that weights or groups were taken from, and without rows of weight 0.
    counts
        Frequency weights, shape (rows,); None where each row counts once.
    groups
        Numbers 0, 1, … of the groups, shape (rows,), or None.
    seen
        Whether the event was seen at the time that is the target, shape (rows,), or None.
    """

    data: Dataset | Any
    counts: FloatArray | None = None
    groups: IntArray | None = None
    seen: BoolArray | None = None

    @property
    def total(self) -> float:
        """Sum of the weights, which stands for the number of rows."""
        if isinstance(self.data, (Scan, Statistics)):
            return float(self.data.rows)
        return float(len(self.data.y) if self.counts is None else self.counts.sum())


def rows_of(
    data: Dataset,
    weights: Given = None,
    groups: Given = None,
    *,
    event: Given = None,
    widest: float = WIDEST,
) -> Rows:
    """Take frequency weights, groups and events out of a data set, or check arrays of them.

    Parameters
    ----------
    data
        The data set.
    weights, groups, event
        Name of a column, or one value a row; events are 1 (or true) where they were seen, else 0.
    widest
        The largest weight may be so many times the smallest above 0.

    Raises
    ------
    ArgumentError
        If the data are no `Dataset`, or there is no such column, or no other one.
    DataError
        If there is not one value a row, a weight is negative or no number, weights sum to more than 1e15 or
        differ too widely, there is one group only, or no event was seen.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [1.5, 2, 3], "n": [2, 0, 1]}, [0.5, 1, 2])
    >>> rows = rows_of(data, "n")
    >>> rows.data.features, rows.counts.tolist()
    (('a',), [2.0, 1.0])
    """
    checked_dataset("a test", data)
    whole = data
    data, members = _taken(data, groups, "groups")
    data, weighed = _taken(data, weights, "weights")
    data, happened = _taken(data, event, "event")
    belongs = None if members is None else _numbered(members)
    seen = None if happened is None else _seen(happened)
    if weighed is None:
        return Rows(derived(data, whole), None, belongs, seen)
    counts = _checked(weighed, widest)
    positive = counts > 0
    if not positive.all():
        data = subset(data, np.flatnonzero(positive), data.features)
        counts, belongs = counts[positive], None if belongs is None else _numbered(belongs[positive])
        seen = None if seen is None else _seen(seen[positive])
    return Rows(derived(data, whole), None if (counts == 1).all() else counts, belongs, seen)


def rows_or_scan(data: Any, weights: Given = None, groups: Given = None) -> Rows:
    """Do as `rows_of`; a scan, or its statistics, stays as it is, and takes neither weights nor groups.

    Raises
    ------
    ArgumentError
        If weights or groups of a scan are given.
    """
    if not isinstance(data, (Scan, Statistics)):
        return rows_of(data, weights, groups)
    for what, given in (("weights", weights), ("groups", groups)):
        if given is not None:
            raise ArgumentError(
                f"{what}= of a scan: its rows count once each and are independent; use scan.sample(100_000, "
                f"random_state=0) with {what}"
            )
    return Rows(data)


def refuse_groups(name: str, groups: Given, instead: str) -> None:
    """Raise an ArgumentError if groups are given to a test that takes rows for independent."""
    if groups is not None:
        raise ArgumentError(f"the {name} takes rows for independent, so groups= cannot be heeded: {instead}")


def _taken(data: Dataset, given: Any, what: str) -> tuple[Dataset, Any]:
    """Take a column out of the features, or check the length of an array."""
    if isinstance(given, str):
        if given in data.constant:
            raise DataError(
                f"{what}={given!r} has the same value in all rows in use; give an array, or no {what}"
            )
        if given == data.target:
            raise ArgumentError(f"{what}={given!r} is the target: name a column besides it")
        others = [name for name in data.features if name != given]
        if len(others) == len(data.features) or not others:
            hint = absence(given, data.features, data.absent) or f"; there are {listing(data.features)}"
            raise ArgumentError(f"{what}={given!r} names no column besides features{hint}")
        return subset(data, slice(None), others), data.X[given]
    if given is None:
        return data, None
    if isinstance(given, pd.Series) and not given.index.equals(pd.RangeIndex(len(given))):
        has = "has" if what == "event" else "have"
        raise DataError(
            f"{what} {has} an index, which says which rows the values belong to, but rows have numbers here: "
            f"give the name of a column of the data, or {what}.to_numpy() in the order of the rows"
        )
    values = given if isinstance(given, pd.Series) else np.asarray(given)
    if values.ndim != 1 or len(values) != len(data.y):
        dropped = f"; {data.dropped} rows were dropped for missing values" if data.dropped else ""
        raise DataError(
            f"{what} of shape {values.shape}, but the data have {len(data.y)} rows{dropped}: give one value "
            "a row, or the name of a column"
        )
    return data, pd.Series(values)


def _checked(weights: pd.Series[Any], widest: float) -> FloatArray:
    """Check that weights are numbers of at least 0, and that sums of them are."""
    if weights.dtype.kind == "c":
        raise DataError("weights must be numbers of at least 0, not complex ones")
    values = normal(weights)
    if isinstance(values.dtype, pd.CategoricalDtype):
        which = "weights" if weights.name is None else f"weights={str(weights.name)!r}"
        raise DataError(
            f"weights must be numbers; {which} hold text or categories ({listing(values.unique()[:3])})"
        )
    counts = values.to_numpy(dtype=float)
    bad = np.flatnonzero(~(np.isfinite(counts) & (counts >= 0)))
    if len(bad):
        raise DataError(
            f"weights must be finite numbers of at least 0; row {bad[0]} (from 0) has {counts[bad[0]]:g}; "
            f"rows with such weights: {len(bad)}"
        )
    if not counts.any():
        raise DataError("all weights are zero: no row counts")
    _refuse_extreme(counts, widest)
    return np.asarray(counts)


def _refuse_extreme(counts: FloatArray, widest: float) -> None:
    """Raise a DataError if sums of weights are too large, or would lose the small ones."""
    least, most = counts[counts > 0].min(), counts.max()
    if most > LARGEST_SUM or counts.sum() > LARGEST_SUM:
        raise DataError(
            f"weights say how often each row counts, and may sum to {LARGEST_SUM:g} at most; these sum to "
            f"{counts.sum():g}: scale them to the number of rows observed"
        )
    if most > widest * least:
        raise DataError(
            f"weights from {least:g} to {most:g} are too different for this test: the largest may be "
            f"{widest:g} times the smallest above 0; give 0 to rows that hardly count"
        )


def _seen(happened: Any) -> BoolArray:
    """Check that events were seen or not, and one at least."""
    column = normal(pd.Series(happened).reset_index(drop=True))
    values = column.to_numpy()
    if isinstance(column.dtype, pd.CategoricalDtype) or not np.isin(values, [0, 1]).all():
        raise DataError(
            f"event holds {listing(pd.unique(column)[:3])}; it is to be 1 where the event was seen, else 0"
        )
    seen = np.asarray(values, dtype=float) > 0
    if not seen.any():
        raise DataError("event: no event was seen in the rows in use, so times alone say nothing")
    return np.asarray(seen)


def _numbered(groups: Any) -> IntArray:
    column = pd.Series(groups).reset_index(drop=True)
    if column.isna().any():
        raise DataError(
            f"groups: {int(column.isna().sum())} rows have no group; give each its own, or drop them"
        )
    numbers = codes(column if column.dtype.kind in "iuf" else column.astype("category"))
    if numbers.max() == 0:
        raise DataError(
            "groups: all rows belong to one group, which tells nothing about variation between groups"
        )
    return numbers
