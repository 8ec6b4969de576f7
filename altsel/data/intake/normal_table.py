"""A table of any types brought to the few that a `Dataset` holds, all columns of one type at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from altsel.data.columns import LARGEST_EXACT, normal
from altsel.data.intake.blocks import blocks
from altsel.data.intake.sparse import dense

BECOME = {
    "bool": "uint8",
    "int8": "int8",
    "uint8": "uint8",
    "int16": "int64",
    "uint16": "int64",
    "int32": "int64",
    "uint32": "int64",
    "int64": "int64",
    "float16": "float64",
    "float32": "float64",
    "float64": "float64",
}
"""Types of numpy of which no value says whether a column can be used, and what they become."""
OF_ONE_BYTE = {"boolean": "uint8", "Int8": "int8", "UInt8": "uint8", **BECOME}
"""Types whose integers of one byte are kept as such."""


def normal_table(table: pd.DataFrame) -> pd.DataFrame:
    """Bring columns to ``float64``, ``int64``, ``int8``, ``uint8`` or ``category``; missing stays missing.

    Raises
    ------
    DataError
        As `altsel.data.columns.normal` does, which looks at columns that are not plain numbers.

    Examples
    --------
    >>> normal_table(pd.DataFrame({"a": [True, False], "b": ["x", "y"]})).dtypes.astype(str).tolist()
    ['uint8', 'category']
    """
    table = dense(table)
    types = table.dtypes.to_numpy()
    unique = {kind: BECOME.get(str(kind)) for kind in set(types)}
    if all(str(kind) == wanted for kind, wanted in unique.items()):
        plain = table
    elif len(unique) == 1 and None not in unique.values():
        plain = table.astype(np.dtype(str(unique[types[0]])))
    else:
        plain = _by_columns(table, [unique[kind] == str(kind) for kind in types])
    _refuse_collapsed(plain)
    return plain


def narrow(column: pd.Series[Any]) -> pd.Series[Any]:
    """Bring a column to a normal type; integers of one byte, and true and false, stay of one byte."""
    wanted = OF_ONE_BYTE.get(str(column.dtype))
    result = normal(column)
    short = wanted in {"int8", "uint8"} and result.dtype.kind == "i"
    return result.astype(np.dtype(str(wanted))) if short else result


def _by_columns(table: pd.DataFrame, as_they_are: list[bool]) -> pd.DataFrame:
    """Look at the columns that are not normal one by one, and leave the others in their blocks."""
    kept = np.flatnonzero(as_they_are)
    rest = np.flatnonzero(~np.array(as_they_are))
    columns = {index: narrow(table.iloc[:, index]) for index in rest.tolist()}
    changed = pd.DataFrame(columns, index=table.index)
    if not len(kept):
        changed.columns = table.columns
        return changed
    both = pd.concat([table.iloc[:, kept], changed], axis=1)
    order = np.empty(len(as_they_are), dtype=np.int64)
    order[np.concatenate([kept, rest])] = np.arange(len(order))
    both = both.iloc[:, order]
    both.columns = table.columns
    return both


def _refuse_collapsed(plain: pd.DataFrame) -> None:
    """Look at columns of large integers one by one: floats must tell their values apart."""
    integers = plain.loc[:, (plain.dtypes == "int64").to_numpy()]
    for indices, values, _ in blocks(integers) if len(plain) else ():
        large = np.maximum(values.max(axis=1), -(values.min(axis=1) + 1)) >= LARGEST_EXACT
        for index in indices[large].tolist():
            normal(integers.iloc[:, index])
