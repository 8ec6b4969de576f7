"""What a score card may look at: thresholds of numbers, levels of categories, columns as they are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from altsel._types import BoolArray, FloatArray
from altsel.data.dataset import Dataset
from altsel.data.schema import Kind
from altsel.errors import ArgumentError, DataError, absence, checked_integer, list_of_names, listing
from altsel.results.score_card import CardItem

Thresholds = int | Mapping[str, Sequence[float]]


def candidates(
    data: Dataset, names: Collection[str], thresholds: Thresholds, as_is: Collection[str], kept: BoolArray
) -> list[CardItem]:
    """Return all lines that a card may have, with points of 0.

    A column of zeros and ones is one candidate. Another column of numbers gives one for each threshold,
    ``x >= cut``; the cuts are values of the column at quantiles, or those given. A category gives one for
    each level, of two levels one for the second. A candidate that holds in all rows or in none, or in the
    same rows as one of its column before, is left out.

    Parameters
    ----------
    data
        The table.
    names
        Features to make candidates of.
    thresholds
        How many quantiles; or cuts of columns by name, the others at four.
    as_is
        Columns of integers whose points are per unit.
    kept
        Rows of positive weight, shape (rows,): candidates differ among them.

    Raises
    ------
    ArgumentError, DataError
        If a name is unknown, or a column cannot be taken so.
    """
    count, given = _checked(data, names, thresholds)
    for name in (as_is := list_of_names("as_is", as_is)):
        _check_name("as_is", data, names, name)
        _check_integers(data, name)
    if both := [name for name in as_is if name in given]:
        raise ArgumentError(f"as_is and thresholds name {listing(both)}; a column is taken in one way")
    found: list[CardItem] = []
    for name in names:
        column = (
            [CardItem(name, 0, name)] if name in as_is else _of_column(data, name, given.get(name, count))
        )
        found += _different(column, data.X[kept])
    if not found:
        raise DataError("no column gives a candidate that differs between rows")
    titles = [item.name for item in found]
    if twice := [title for title in dict.fromkeys(titles) if titles.count(title) > 1]:
        raise DataError(f"{listing(twice)} would stand for two candidates; rename the column")
    return found


def _checked(
    data: Dataset, names: Collection[str], thresholds: Any
) -> tuple[int, Mapping[str, Sequence[float]]]:
    """Return the number of quantiles, and the cuts that are given."""
    if not isinstance(thresholds, Mapping):
        return checked_integer("thresholds", thresholds, 1), {}
    for name, cuts in thresholds.items():
        _check_name("thresholds", data, names, name)
        if _levels(data, name) is not None:
            raise ArgumentError(f"thresholds: {name!r} is a category; it enters by its levels")
        numbers = isinstance(cuts, Sequence | np.ndarray) and not isinstance(cuts, str)
        if not numbers or not len(cuts) or not all(_is_number(one) for one in cuts):
            raise ArgumentError(f"thresholds[{name!r}]={cuts!r}; give a list of numbers: [40, 60]")
    return QUANTILES, thresholds


QUANTILES = 4
"""Thresholds of a column if only those of others are given."""


def _is_number(one: Any) -> bool:
    return isinstance(one, int | float | np.number) and not isinstance(one, bool) and bool(np.isfinite(one))


def _check_name(what: str, data: Dataset, names: Collection[str], name: Any) -> None:
    if name not in names:
        raise ArgumentError(f"{what}: no feature {name!r}{absence(str(name), names, data.absent)}")


def _check_integers(data: Dataset, name: str) -> None:
    if _levels(data, name) is not None:
        raise ArgumentError(f"as_is: {name!r} is a category; it enters by its levels")
    values = data.X[name].to_numpy(dtype=float)
    if (values != np.rint(values)).any():
        raise ArgumentError(f"as_is: {name!r} holds numbers that are no integers; give it thresholds")


def _levels(data: Dataset, name: str) -> list[Any] | None:
    """Return the levels of a category; None of numbers."""
    column = data.X[name]
    if isinstance(column.dtype, pd.CategoricalDtype):
        return list(column.cat.categories)
    return sorted(column.unique().tolist()) if data.kinds[name] is Kind.CATEGORICAL else None


def _of_column(data: Dataset, name: str, cuts: int | Sequence[float]) -> Iterator[CardItem]:
    levels = _levels(data, name)
    if levels is not None:
        for level in levels[1:] if len(levels) == 2 else levels:
            yield CardItem(f"{name} = {level}", 0, name, level=str(level))
        return
    values = data.X[name].to_numpy(dtype=float)
    zero_one = bool(np.isin(values, (0.0, 1.0)).all())
    for cut in _quantiles(values, cuts) if isinstance(cuts, int) else sorted(map(float, cuts)):
        shown = repr(cut).removesuffix(".0")
        yield CardItem(name if zero_one and cut == 1 else f"{name} >= {shown}", 0, name, at_least=cut)


def _quantiles(values: FloatArray, count: int) -> list[float]:
    """Return values of a column at quantiles; of few different ones all but the least."""
    different = np.unique(values)
    if len(different) <= count + 1:
        return [float(one) for one in different[1:]]
    levels = np.arange(1, count + 1) / (count + 1)
    return [float(one) for one in np.unique(np.quantile(values, levels, method="higher"))]


def _different(items: Iterable[CardItem], table: pd.DataFrame) -> Iterator[CardItem]:
    """Leave out candidates that hold in all rows or in none, or in the same rows as one before."""
    seen = set[bytes]()
    for item in items:
        values = item.values(table)
        if values.min() < values.max() and values.tobytes() not in seen:
            seen.add(values.tobytes())
            yield item
