"""A table of any types brought to the few that a `Dataset` holds, all columns of one type at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel.data.columns import LARGEST_EXACT, normal
from altsel.data.intake.blocks import blocks, type_names
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
    names = type_names(table)
    wanted = np.array([BECOME.get(name, "") for name in names], dtype=np.str_)
    if len(set(names)) == 1 and wanted[0]:
        plain = table if wanted[0] == names[0] else table.astype(np.dtype(str(wanted[0])))
    else:
        plain = table if (wanted == names).all() else _by_types(table, names, wanted)
    _refuse_collapsed(plain)
    return plain


def narrow(column: pd.Series[Any]) -> pd.Series[Any]:
    """Bring a column to a normal type; integers of one byte, and true and false, stay of one byte."""
    wanted = OF_ONE_BYTE.get(str(column.dtype))
    result = normal(column)
    short = wanted in {"int8", "uint8"} and result.dtype.kind == "i"
    return result.astype(np.dtype(str(wanted))) if short else result


def _by_types(table: pd.DataFrame, names: npt.NDArray[np.str_], wanted: npt.NDArray[np.str_]) -> pd.DataFrame:
    """Bring plain columns of each type to what they become at once, and look at the others one by one."""
    kept, others = np.flatnonzero(wanted == names), np.flatnonzero(wanted == "")
    parts, order = [table.iloc[:, kept]], [kept]
    for name in np.unique(names[(wanted != "") & (wanted != names)]):
        order.append(np.flatnonzero(names == name))
        parts.append(table.iloc[:, order[-1]].astype(np.dtype(BECOME[str(name)])))
    parts.append(
        pd.DataFrame({index: narrow(table.iloc[:, index]) for index in others.tolist()}, index=table.index)
    )
    order.append(others)
    both = pd.concat(parts, axis=1).iloc[:, np.argsort(np.concatenate(order))]
    both.columns = table.columns
    return both


def _refuse_collapsed(plain: pd.DataFrame) -> None:
    """Look at columns of large integers one by one: floats must tell their values apart."""
    integers = plain.loc[:, (plain.dtypes == "int64").to_numpy()]
    for indices, values, _ in blocks(integers) if len(plain) else ():
        large = np.maximum(values.max(axis=1), -(values.min(axis=1) + 1)) >= LARGEST_EXACT
        for index in indices[large].tolist():
            normal(integers.iloc[:, index])
