"""Columns that are copies or recodings of each other."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from hashlib import sha256
from typing import Any

import numpy as np
import pandas as pd

from altsel._types import FloatArray
from altsel.data.columns import codes, is_discrete, level_numbers, moderate, numbers
from altsel.data.schema import CLASSES, Kind

CLOSE = 1e-9
"""Share of their range by which numbers may be off a line and still count as recoded."""


def copies(table: pd.DataFrame, kinds: Mapping[str, Kind]) -> list[list[str]]:
    """Group the columns that are equal, or recoded, in the order of the table; groups of one are left out.

    Recoded are categories and columns of two values if their values go with each other one to one; where
    most rows have a value of their own that says nothing, and the labels must be the same. Numbers are if
    they are ``a + b x`` up to 1e-9 of their range and tie the same rows, both treated as discrete or neither;
    ordinal columns if their ranks are the same or reversed.

    Examples
    --------
    >>> table = pd.DataFrame({"c": [20.0, 25.5, 31.0], "sex": [0, 1, 1], "f": [68.0, 77.9, 87.8]})
    >>> copies(table, {"c": Kind.CONTINUOUS, "sex": Kind.BINARY, "f": Kind.CONTINUOUS})
    [['c', 'f']]
    """
    found: dict[Hashable, list[list[str]]] = {}
    ends: dict[Hashable, list[str]] = {}
    for name in map(str, table):
        if kinds[name] in CLASSES:
            own = names_rows(table[name])
            _put(found, ("labels" if own else "classes", _coded(table[name], own)), name)
        else:  # sorted only if the smallest and the largest number of another column are in the same rows
            values = numbers(table[name])
            scale = "ranks" if kinds[name] is Kind.ORDINAL else is_discrete(table[name], kinds[name])
            extremes = frozenset((int(values.argmin()), int(values.argmax())))
            ends.setdefault((scale, extremes), []).append(name)
    for names in ends.values():
        for name in names if len(names) > 1 else ():
            ordinal = kinds[name] is Kind.ORDINAL
            scale = "ranks" if ordinal else is_discrete(table[name], kinds[name])
            _put(found, (scale, _digest(_ranks(table[name]))), name, None if ordinal else table)
    return _in_order([group for groups in found.values() for group in groups], table)


def names_rows(column: pd.Series[Any]) -> bool:
    """Return whether most rows have a value of their own, so that any two such columns go one to one."""
    return column.nunique() > max(2, len(column) // 2)


def _coded(column: pd.Series[Any], by_label: bool) -> bytes:
    """Return a digest of which rows have the same value, or of the labels themselves."""
    if by_label:
        return sha256("\x00".join(map(repr, column.tolist())).encode("utf-8", "surrogatepass")).digest()
    return _digest(pd.factorize(codes(column))[0])


def _put(
    found: dict[Hashable, list[list[str]]], key: Hashable, name: str, table: pd.DataFrame | None = None
) -> None:
    """Add a column to the first group of its key; with a table only if it is on a line with that."""
    groups = found.setdefault(key, [])
    for group in groups:
        if table is None or _on_a_line(numbers(table[group[0]]), numbers(table[name])):
            group.append(name)
            return
    groups.append([name])


def _on_a_line(x: FloatArray, y: FloatArray) -> bool:
    x, y = moderate(x), moderate(y)
    low, high = int(x.argmin()), int(x.argmax())
    reach = y[high] - y[low]
    off = y - y[low] - (x - x[low]) * (reach / (x[high] - x[low]))
    return bool(np.abs(off).max() <= CLOSE * abs(reach))


def _ranks(column: pd.Series[Any]) -> Any:
    """Return the distinct values numbered in their order, or in the reverse one, whichever begins lower."""
    ranks = level_numbers(numbers(column))
    turned = ranks.max() - ranks
    differ = np.flatnonzero(ranks != turned)
    return turned if len(differ) and turned[differ[0]] < ranks[differ[0]] else ranks


def _digest(values: Any) -> bytes:
    return sha256(np.ascontiguousarray(values, dtype=np.int64).tobytes()).digest()


def _in_order(groups: list[list[str]], table: pd.DataFrame) -> list[list[str]]:
    place = {str(name): j for j, name in enumerate(table)}
    several = [sorted(group, key=place.__getitem__) for group in groups if len(group) > 1]
    return sorted(several, key=lambda group: place[group[0]])
