"""Columns that are copies or recodings of each other."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import FloatArray, IntArray
from altsel.data.columns import codes, is_discrete, level_numbers, moderate, numbers
from altsel.data.intake.blocks import blocks
from altsel.data.intake.checks import SAMPLE, sums_of_bits
from altsel.data.schema import CLASSES, Kind

CLOSE = 1e-9
"""Share of their range by which numbers may be off a line and still count as recoded."""
HEAD, PARTS = 64, 4
"""First rows, and the parts they are divided into, whose extremes tell columns of numbers apart."""


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
    _, alike, times = np.unique(_signs(table, kinds), return_inverse=True, return_counts=True)
    for name in map(str, table.columns[times[alike] > 1]):
        kind = kinds[name]
        if kind in CLASSES:
            own = names_rows(table[name])
            _put(found, ("labels" if own else "classes", _coded(table[name], own)), name)
        else:
            ordinal = kind is Kind.ORDINAL
            scale = "ranks" if ordinal else is_discrete(table[name], kind)
            _put(found, (scale, _digest(_ranks(table[name]))), name, None if ordinal else table)
    return _in_order([group for groups in found.values() for group in groups], table)


def _signs(table: pd.DataFrame, kinds: Mapping[str, Kind]) -> npt.NDArray[np.uint64]:
    """Return a number of each column that recoding leaves as it is: few others have it, and are compared.

    Of classes it is made of the first rows that have the first one's value; of numbers of the rows with the
    smallest and the largest, of all and in parts of the first rows, in the order of those of all rows.
    """
    signs = np.zeros(table.shape[1], dtype=np.uint64)
    classes = np.fromiter((kinds[str(name)] in CLASSES for name in table), dtype=bool, count=len(signs))
    for indices, values, _ in blocks(table):
        of_class = classes[indices]
        head = values[of_class, :SAMPLE]
        signs[indices[of_class]] = sums_of_bits(head == head[:, :1])
        signs[indices[~of_class]] = sums_of_bits(_extremes(values[~of_class]))
    return signs


def _extremes(values: npt.NDArray[Any]) -> IntArray:
    """Return where the smallest and the largest numbers are, whichever is first; shape (columns, numbers)."""
    parts = [values, *(values[:, begin:HEAD:PARTS] for begin in range(min(PARTS, values.shape[1])))]
    ends = np.array([[part.argmin(axis=1), part.argmax(axis=1)] for part in parts])
    turned = ends[0, 0] > ends[0, 1]
    return np.asarray(np.where(turned, ends[:, ::-1], ends).reshape(2 * len(parts), len(values)).T)


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
