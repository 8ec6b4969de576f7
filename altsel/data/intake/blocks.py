"""Blocks of columns of one type: what goes through a table goes through these, not column by column."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import BoolArray, FloatArray, IntArray

CELLS = 1 << 19
"""Cells of a table that are looked at at once, so that they stay in the processor's cache."""


class Block(NamedTuple):
    """Columns of one type.

    Attributes
    ----------
    indices
        Where they are in the table, ascending.
    values
        Shape (columns, rows); of categories their codes, -1 if missing.
    categories
        Whether they are categories.
    """

    indices: IntArray
    values: npt.NDArray[Any]
    categories: bool


def blocks(table: pd.DataFrame) -> Iterator[Block]:
    """Divide a table into blocks of columns of one type.

    Parameters
    ----------
    table
        Columns of numbers and of categories.

    Yields
    ------
    Block
        Nothing of a table without columns.

    Examples
    --------
    >>> table = pd.DataFrame({"a": [1, 2], "b": [0.5, 0.1], "c": [3, 4]})
    >>> [(block.indices.tolist(), block.values.tolist()) for block in blocks(table)]
    [([1], [[0.5, 0.1]]), ([0, 2], [[1, 2], [3, 4]])]
    """
    names = type_names(table)
    width = max(1, CELLS // max(len(table), 1))
    for name in np.unique(names):
        everything = np.flatnonzero(names == name)
        for indices in np.split(everything, range(width, len(everything), width)):
            yield Block(indices, _values(table, indices, name == "category"), bool(name == "category"))


def type_names(table: pd.DataFrame) -> npt.NDArray[np.str_]:
    """Return the name of each column's type, ``"category"`` of all categories.

    Examples
    --------
    >>> type_names(pd.DataFrame({"a": [1, 2], "b": pd.Categorical(["x", "y"]), "c": [3, 4]})).tolist()
    ['int64', 'category', 'int64']
    """
    kinds, which = _types(table)
    names = ["category" if isinstance(kind, pd.CategoricalDtype) else str(kind) for kind in kinds]
    return np.array(names, dtype=np.str_)[which]


def columns_where(table: pd.DataFrame, holds: Callable[[Any], bool]) -> BoolArray:
    """Return which columns are of types of which something holds, without a look at each column.

    Examples
    --------
    >>> table = pd.DataFrame({"a": [1, 2], "b": [0.5, 0.1], "c": [3, 4]})
    >>> columns_where(table, lambda kind: kind.kind == "f").tolist()
    [False, True, False]
    """
    kinds, which = _types(table)
    return np.array(list(map(holds, kinds)), dtype=bool)[which]


def is_plain(kind: Any) -> bool:
    """Return whether a type is one of numpy's numbers, or of true and false."""
    return isinstance(kind, np.dtype) and kind.kind in "biuf"


def matrix(table: pd.DataFrame) -> FloatArray:
    """Return a table as floats, categories by their codes; shape (rows, columns), a copy."""
    result = np.empty(table.shape)
    for indices, values, _ in blocks(table):
        first, last = int(indices[0]), int(indices[-1])
        here = slice(first, last + 1) if last - first < len(indices) else indices
        result[:, here] = values.T
    return result


def _types(table: pd.DataFrame) -> tuple[npt.NDArray[np.object_], IntArray]:
    """Return the types in a table, and which each column has; columns of a block share one object."""
    types = table.dtypes.to_numpy()
    same = np.fromiter(map(id, types), dtype=np.int64, count=len(types))
    _, first, which = np.unique(same, return_index=True, return_inverse=True)
    return types[first], which


def _values(table: pd.DataFrame, indices: IntArray, categories: bool) -> npt.NDArray[Any]:
    first, last = int(indices[0]), int(indices[-1])
    if categories:
        codes = [table.iloc[:, index].array.codes for index in indices.tolist()]
        return codes[0][None] if len(codes) == 1 else np.array(codes)
    part = table.iloc[:, first : last + 1] if last - first < len(indices) else table.iloc[:, indices]
    return part.to_numpy().T
