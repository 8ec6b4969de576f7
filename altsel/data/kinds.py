"""Kinds of columns that a user declares: what the values alone do not say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from altsel.data.columns import summary_of
from altsel.data.schema import Kind, declared
from altsel.errors import ArgumentError, DataError, did_you_mean, listing

Declared = Kind | str | list[Any] | tuple[Any, ...]
"""A kind by its name, or the values of an ordinal column from the lowest to the highest."""


def without_orders(
    table: pd.DataFrame, target: pd.Series[Any], kinds: Mapping[str, Declared]
) -> tuple[pd.DataFrame, pd.Series[Any], dict[str, Kind | str]]:
    """Turn the columns whose values are listed in order into ordered categories; their kind is ordinal.

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


def ordered(column: pd.Series[Any], values: Sequence[Any]) -> pd.Series[Any]:
    """Turn a column into ordered categories; its values are given from the lowest to the highest.

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
    found = column.drop_duplicates()
    levels = in_order(str(column.name), found, values)
    level = {str(one): one for one in levels}
    whole = column.map({value: level[_text(value)] for value in found})
    return pd.Series(whole.astype(pd.CategoricalDtype(levels, True)), name=column.name)


def in_order(name: str, found: Iterable[Any], values: Sequence[Any]) -> list[Any]:
    """Return those of the listed `values` that are found in a column; raises as `ordered` does."""
    ranks, found = {str(value): rank for rank, value in enumerate(values)}, list(found)
    if len(ranks) < len(values):
        raise ArgumentError(f"kinds: a value of {name!r} is named twice among {listing(values, 20)}")
    absent = [value for value in found if _text(value) not in ranks]
    if absent:
        raise DataError(
            f"column {name!r} holds {listing(absent)}, which the order {listing(values, 20)} does not name; "
            "add it"
        )
    return [values[rank] for rank in sorted(ranks[_text(value)] for value in found)]


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
        if kind != kinds[name]:  # what is inferred is so: values are counted for others only
            kinds[name] = declared(kind, summary_of(table[name]))
    return kinds


def has_order(column: pd.Series[Any]) -> bool:
    """Return whether a column holds ordered categories."""
    return isinstance(column.dtype, pd.CategoricalDtype) and bool(column.cat.ordered)


def levels_as_in(column: pd.Series[Any], known: pd.Series[Any], kind: Kind) -> pd.Series[Any]:
    """Recode the categories of other rows with the codes and the order that they have in known ones.

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


def _text(value: Any) -> str:
    """Write a value as in a list of values: 1.0 is the same as 1."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
