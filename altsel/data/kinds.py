"""Kinds of columns that a user declares: what the values alone do not say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from altsel.data.columns import Kind, Task
from altsel.errors import ArgumentError, DataError, did_you_mean, listing

Declared = Kind | str | list[Any] | tuple[Any, ...]
"""A kind by its name, or the values of an ordinal column from the lowest to the highest."""
OF_TARGETS = {Kind.ORDINAL, Kind.COUNT}
"""Kinds that a target may be declared to have; other targets are described by their task."""


def without_orders(
    table: pd.DataFrame, target: pd.Series[Any], kinds: Mapping[str, Declared]
) -> tuple[pd.DataFrame, pd.Series[Any], dict[str, Kind | str]]:
    """Make ordered categories of the columns whose values are listed in order; their kind is ordinal.

    Raises
    ------
    DataError
        If a column has values that are not listed.
    """
    plain: dict[str, Kind | str] = {}
    for name, kind in kinds.items():
        if not isinstance(kind, (list, tuple)):
            plain[name] = kind
        elif name == target.name:
            target, plain[name] = ordered(target, kind), Kind.ORDINAL
        elif name in table:
            table, plain[name] = table.assign(**{name: ordered(table[name], kind)}), Kind.ORDINAL
        else:
            plain[name] = Kind.ORDINAL
    return table, target, plain


def ordered(column: pd.Series[Any], values: list[Any] | tuple[Any, ...]) -> pd.Series[Any]:
    """Make ordered categories of a column, whose values are given from the lowest to the highest.

    Raises
    ------
    ArgumentError
        If a value is named twice.
    DataError
        If the column has values that are not named.

    Examples
    --------
    >>> ordered(pd.Series(["low", "high", "low"]), ["low", "mid", "high"]).cat.codes.tolist()
    [0, 1, 0]
    """
    named, values = {str(value): rank for rank, value in enumerate(values)}, list(values)
    if len(named) < len(values):
        raise ArgumentError(f"kinds: a value of {column.name!r} is named twice among {listing(values, 20)}")
    found = column.drop_duplicates()
    absent = [value for value in found if _text(value) not in named]
    if absent:
        raise DataError(
            f"column {column.name!r} holds {listing(absent)}, which the order {listing(values, 20)} does not "
            "name; add it"
        )
    kind = pd.CategoricalDtype([values[rank] for rank in sorted(named[_text(one)] for one in found)], True)
    whole = column.map({value: values[named[_text(value)]] for value in found})
    return pd.Series(whole.astype(kind), name=column.name)


def overridden(kinds: dict[str, Kind], given: Mapping[str, Any], table: pd.DataFrame) -> dict[str, Kind]:
    """Apply a user's kinds over the inferred ones.

    Raises
    ------
    ArgumentError
        If a name or kind is unknown, or a column cannot be of its kind.
    """
    for name, kind in given.items():
        if name not in kinds:
            hint = did_you_mean(str(name), kinds)
            raise ArgumentError(f"kinds names {name!r}, which is not a usable feature{hint}")
        kinds[name] = declared(kind, table[name])
    return kinds


def declared(kind: Any, column: pd.Series[Any]) -> Kind:
    """Check that a column can be of a kind; ordinal columns of two values are binary.

    Raises
    ------
    ArgumentError
        If the kind is unknown, a column of categories is called a number or has no order, or a column
        that is called a count has values that are none.
    """
    try:
        wanted = Kind(kind)
    except ValueError as fault:
        raise ArgumentError(f"unknown kind {kind!r} of {column.name!r}; use {listing(Kind, 9)}") from fault
    categories = isinstance(column.dtype, pd.CategoricalDtype)
    if categories and wanted in {Kind.CONTINUOUS, Kind.INTEGER, Kind.COUNT}:
        raise ArgumentError(f"{column.name!r} holds categories; its kind cannot be {str(kind)!r}")
    if wanted is Kind.COUNT and not are_counts(column):
        raise ArgumentError(f"{column.name!r} is called a count, but holds other than integers of at least 0")
    if wanted is not Kind.ORDINAL:
        return wanted
    if column.nunique() == 2:
        return Kind.BINARY
    if categories and not column.cat.ordered:
        levels = list(column.cat.categories)
        values = ", ".join([*map(repr, levels[:3]), *(["…"] if len(levels) > 3 else [])])
        raise ArgumentError(
            f"{column.name!r} is called ordinal, but the order of its categories is not known: list them "
            f"from the lowest to the highest, kinds={{{str(column.name)!r}: [{values}]}} "
            f"(--kind {column.name}=ordinal:LOWEST,…,HIGHEST), or give an ordered pandas Categorical"
        )
    return Kind.ORDINAL


def kind_of_target(target: pd.Series[Any], task: Task | str | None, given: Any) -> Kind | None:
    """Return the kind that a target was declared to have, or None.

    Raises
    ------
    ArgumentError
        If it is one that the task says, or contradicts the task.
    """
    if given is None:
        return None
    kind = declared(given, target)
    unordered = kind is Kind.CATEGORICAL and has_order(target)
    if kind not in OF_TARGETS and not unordered and given != Kind.ORDINAL:
        raise ArgumentError(
            f"kinds names the target {target.name!r}, which can be declared ordinal or a count only: give "
            "task='regression' for numbers, 'multiclass' for classes (command line: --task)"
        )
    wrong = {Task.REGRESSION} if kind is not Kind.COUNT else {Task.BINARY, Task.MULTICLASS}
    if task in wrong:
        fits = Task.REGRESSION if kind is Kind.COUNT else Task.MULTICLASS
        raise ArgumentError(
            f"task={str(task)!r} and the kind {str(kind)!r} of the target {target.name!r} contradict each "
            f"other; leave out one of them, or give task={str(fits)!r}"
        )
    return kind


def has_order(column: pd.Series[Any]) -> bool:
    """Return whether a column holds ordered categories."""
    return isinstance(column.dtype, pd.CategoricalDtype) and bool(column.cat.ordered)


def levels_as_in(column: pd.Series[Any], known: pd.Series[Any], kind: Kind) -> pd.Series[Any]:
    """Give the categories of other rows the codes and the order that they have in known ones.

    Raises
    ------
    DataError
        If the known ones are ordered, and these have other levels or another order.
    """
    if has_order(known) and kind is not Kind.CATEGORICAL:
        return _ranked_as_in(column, known)
    if not all(isinstance(one.dtype, pd.CategoricalDtype) for one in (column, known)):
        return column
    categories = known.cat.categories
    unseen = [value for value in column.cat.categories if value not in categories]
    return column.astype(pd.CategoricalDtype([*categories, *unseen], known.cat.ordered))


def _ranked_as_in(column: pd.Series[Any], known: pd.Series[Any]) -> pd.Series[Any]:
    categories = list(known.cat.categories)
    ranks = {_text(value): rank for rank, value in enumerate(categories)}
    found = list(column.cat.categories if has_order(column) else column.drop_duplicates())
    unseen = [value for value in found if _text(value) not in ranks]
    if unseen:
        raise DataError(
            f"column {known.name!r} holds {listing(unseen)}, which the order {listing(categories, 20)} of "
            "the rows to learn from does not name; leave such rows out, or learn from rows of all levels"
        )
    own = [ranks[_text(value)] for value in found]
    if has_order(column) and own != sorted(own):
        raise DataError(
            f"column {known.name!r} has the order {listing(found, 20)} here and {listing(categories, 20)} in "
            "the rows to learn from; give both the same"
        )
    whole = column.map({value: categories[rank] for value, rank in zip(found, own, strict=True)})
    return pd.Series(whole.astype(known.dtype), name=column.name)


def are_counts(column: pd.Series[Any]) -> bool:
    """Return whether all values are integers of at least 0."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return False
    values = column.to_numpy(dtype=float)
    return bool((values >= 0).all() and (values == np.round(values)).all())


def _text(value: Any) -> str:
    """Write a value as in a list of values: 1.0 is the same as 1."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
