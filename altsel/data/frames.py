"""From whatever a user has (frame, array, file) to a pandas table with checked column names."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd

from altsel.data.files.inference import with_thousands
from altsel.data.files.names import refuse_unnamed, unique_names, unnamed_of
from altsel.data.files.raw_table import RawTable
from altsel.data.files.refusals import refuse_unknown
from altsel.data.intake.arrow import from_arrow
from altsel.data.intake.blocks import columns_where
from altsel.data.intake.sparse import from_sparse
from altsel.data.reading import Reading
from altsel.errors import ArgumentError, DataError, checked_path, listing


def to_table(source: Any, reading: Reading | None = None, unused: Collection[str] = ()) -> pd.DataFrame:
    """Turn whatever is a table into pandas, as `raw_table`; each column must have a name.

    Raises
    ------
    ArgumentError
        If the file does not exist or the object is no table.
    DataError
        If the file cannot be read, or a name is empty or occurs twice.
    """
    raw = raw_table(source, reading, unused)
    refuse_unnamed(raw.frame, raw.unnamed)
    return raw.frame


def raw_table(source: Any, reading: Reading | None = None, unused: Collection[str] = ()) -> RawTable:
    """Turn a frame (pandas, polars, pyarrow, …), a 2-d array or the path of a file into pandas.

    Columns of an array are named ``x0``, ``x1``, …; other names become strings. `reading` says how a file is
    written; `unused` names columns that may hold anything.
    """
    if isinstance(source, (str, Path)):
        return (reading or Reading()).table(checked_path("X", source), unused)
    if isinstance(source, np.ndarray) and source.dtype.names:
        return raw_table(as_frame(source))
    if hasattr(source, "toarray") and hasattr(source, "nnz"):
        return RawTable(from_sparse(source))
    if isinstance(source, (list, tuple)):
        raise ArgumentError(f"X is a {type(source).__name__}; give numpy.array(X), or a DataFrame with names")
    if isinstance(source, np.ndarray):
        if source.ndim != 2:
            raise DataError(f"X has shape {source.shape}; it must be a table of rows and columns")
        names = [f"x{j}" for j in range(source.shape[1])]
        own = source if _is_fixed(source) else source.copy()
        return RawTable(pd.DataFrame(own, columns=names, copy=False))
    if isinstance(source, pd.DataFrame):
        if source.columns.nlevels > 1:
            raise DataError("X has several header levels; join them into one name a column")
        table = source.copy()
        table.index = pd.RangeIndex(len(table))
    else:
        table = _from_narwhals(source)
    names = unique_names(table.columns)
    unnamed = unnamed_of(table.columns, names)
    table.columns = pd.Index(names, dtype=object)
    form = reading or Reading()
    table = with_thousands(_with_numpy_floats(table), form.thousands, form.decimal)
    return RawTable(table, unnamed=unnamed, decimal=form.decimal)


def _is_fixed(array: Any) -> bool:
    """Return whether neither an array nor what it is a view of can be written, so that no copy is needed."""
    while isinstance(array, np.ndarray):
        if array.flags.writeable:
            return False
        array = array.base
    return True


def _with_numpy_floats(table: pd.DataFrame) -> pd.DataFrame:
    """Bring floats of other libraries to numpy's, for which NaN is a missing value."""

    def foreign(kind: Any) -> bool:
        return not isinstance(kind, (np.dtype, pd.SparseDtype)) and bool(pd.api.types.is_float_dtype(kind))

    for index in np.flatnonzero(columns_where(table, foreign)).tolist():
        table.isetitem(index, table.iloc[:, index].to_numpy(dtype=float, na_value=np.nan))
    return table


def as_frame(source: Any) -> pd.DataFrame:
    """Build a table of columns by name, or of records.

    Raises
    ------
    DataError
        If columns differ in length, or are no columns.
    """
    try:
        return pd.DataFrame(source)
    except Exception as fault:  # what pandas raises is not documented
        raise DataError(f"X cannot be a table of columns of one length: {fault}") from fault


def without(table: pd.DataFrame, drop: Collection[str]) -> pd.DataFrame:
    """Leave columns out.

    Raises
    ------
    ArgumentError
        If there is no such column.
    """
    refuse_unknown(drop, list(table.columns))
    return table.drop(columns=list(drop))


def _from_narwhals(source: Any) -> pd.DataFrame:
    try:
        frame = nw.from_native(source, eager_only=True)
    except TypeError as fault:
        raise ArgumentError(
            f"X is a {type(source).__name__}; give a DataFrame (collect a lazy one), a 2-d array or a path"
        ) from fault
    except Exception as fault:  # each library has errors of its own
        raise DataError(f"X cannot be read: {fault}") from fault
    names = unique_names(frame.columns)
    table, rest = from_arrow(frame, names)
    own = dict(zip(names, frame.columns, strict=True))
    values = {name: _values(frame, own[name]) for name in rest}
    nested = [name for name, one in values.items() if one.ndim != 1]
    if nested:
        raise DataError(f"columns {listing(nested)} hold several values a row; make one column of each")
    others = pd.DataFrame(values)
    if table is None:
        return others
    return table if not rest else pd.concat([table, others], axis=1)[names]


def _values(frame: Any, name: str) -> Any:
    try:
        column = frame[name]
        if column.dtype.is_integer() and column.null_count():
            return pd.array(column.to_list(), dtype="Int64")  # an array would make floats of them
        return np.array(column.to_numpy())
    except Exception as fault:  # each library has errors of its own
        raise DataError(f"column {name!r} ({frame[name].dtype}) cannot become an array: {fault}") from fault
