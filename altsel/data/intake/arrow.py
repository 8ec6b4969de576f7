"""Arrow tables, Parquet files, and what lends its columns as such, without an object for each cell."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from altsel.errors import ConfigurationError, DataError
from altsel.runtime.memory import require
from altsel.runtime.on_demand import OnDemand

pa: Any = OnDemand("pyarrow")
compute: Any = OnDemand("pyarrow.compute")
parquet: Any = OnDemand("pyarrow.parquet")

AT_ONCE = 2048
"""Columns of a Parquet file that are read at once; an open reader keeps about 7 kB for each."""
OF_FOOTER, OF_COLUMN, OF_CELL = 17, 1_700, 8
"""Bytes in memory of a byte of a footer, of a column that is read, and of a number, at the least."""
FEWER = "write the columns that are needed to a file of their own, or of many rows scan them (--scan)"


def from_arrow(frame: Any, names: Sequence[str]) -> tuple[pd.DataFrame | None, list[str]]:
    """Build a pandas table of those columns of a frame that Arrow hands over as blocks or as categories.

    They are integers, true and false without missing values, floats, and text and dictionaries of it, whose
    levels are sorted, unless they are a dictionary of Arrow that says that it is ordered.

    Parameters
    ----------
    frame
        A frame of narwhals.
    names
        Names of its columns.

    Returns
    -------
    tuple
        The table, or None if there is no such column or no pyarrow; names of the other columns.
    """
    table = _as_arrow(frame)
    if table is None:
        return None, list(names)
    native = isinstance(frame.to_native(), pa.Table)
    table = table.rename_columns(list(names)).replace_schema_metadata(None)
    plain = [name for name in names if _is_plain(table.column(name))]
    labels = [name for name in names if _is_text(table.column(name).type)]
    rest = sorted(set(names) - {*plain, *labels}, key=list(names).index)
    parts = [table.select(plain).to_pandas()] if plain else []
    if labels:
        parts.append(pd.DataFrame({name: _categories(table.column(name), native) for name in labels}))
    if not parts:
        return None, rest
    held = {*plain, *labels}
    both = parts[0] if len(parts) == 1 else pd.concat(parts, axis=1)
    order = [name for name in names if name in held]
    return (both if list(both.columns) == order else both[order]), rest


def read_parquet(path: Path, unused: Collection[str]) -> pd.DataFrame:
    """Read a Parquet file; text becomes categories.

    Raises
    ------
    ConfigurationError
        Without pyarrow.
    """
    try:
        table, text = _as_stored(path)  # what a file says of itself is gone before anything is made of it
        return _with_sorted_categories(_with_text(table, unused).to_pandas(), text)
    except ImportError as fault:
        raise ConfigurationError("Parquet files need pyarrow: pip install 'altsel[parquet]'") from fault


def _as_stored(path: Path) -> tuple[Any, list[str]]:
    """Return the table of a Parquet file, and its columns of text, of which each level is read once.

    Raises
    ------
    ArgumentError
        If memory does not suffice; Arrow would end the process.
    """
    require(OF_FOOTER * _footer(path), f"what {path} says of its columns", FEWER)
    with parquet.ParquetFile(path) as file:
        known = file.metadata
        rows, columns = known.num_rows, known.num_columns
        what = f"{rows:,} rows of {columns:,} columns in {path}"
        require(columns * (OF_COLUMN + OF_CELL * rows), what, FEWER)
        text = [field.name for field in file.schema_arrow if _is_string(field.type)]
        if not text:
            return _whole(file), text
    with parquet.ParquetFile(path, metadata=known, read_dictionary=text) as file:
        return _whole(file), text


def _footer(path: Path) -> int:
    """Return the length of what a Parquet file says of itself, which is in the last eight bytes."""
    with path.open("rb") as file:
        file.seek(0, os.SEEK_END)
        file.seek(max(file.tell() - 8, 0))
        last = file.read()
    length = int.from_bytes(last[:4], "little")
    return length if last[4:] == b"PAR1" and length <= path.stat().st_size else 0


def _whole(file: Any) -> Any:
    """Read all columns of a Parquet file, some at a time: all readers that are open at once keep buffers."""
    count = file.metadata.num_columns
    if count <= AT_ONCE or count != len(file.schema_arrow):  # as of columns of several values a row
        return file.read(use_threads=False)
    firsts = range(0, count, AT_ONCE)
    read = file.reader.read_all  # `read` takes names, of which "a" would also be all that begin with "a."
    parts = [read([*range(first, min(first + AT_ONCE, count))], use_threads=False) for first in firsts]
    fields = [field for part in parts for field in part.schema]
    columns = [column for part in parts for column in part.columns]
    return pa.Table.from_arrays(columns, schema=pa.schema(fields, metadata=parts[0].schema.metadata))


def is_bytes(kind: Any) -> bool:
    """Return whether a type of Arrow is bytes, which may be text that is not marked as such."""
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind))


def as_text(array: Any) -> Any:
    """Return text that is stored as bytes, which some writers of Parquet do.

    Raises
    ------
    DataError
        If the bytes are no text.
    """
    try:
        return array.cast(pa.large_string() if pa.types.is_large_binary(array.type) else pa.string())
    except pa.ArrowInvalid as fault:
        raise DataError("holds bytes that are no text in UTF-8; leave it out (drop=)") from fault


def _with_text(table: Any, unused: Collection[str]) -> Any:
    """Return a table of Arrow with text in place of bytes, but for columns that may hold anything.

    Raises
    ------
    DataError
        If bytes are no text; names the column.
    """
    for index, field in enumerate(table.schema):
        if field.name not in unused and (
            pa.types.is_binary(field.type) or pa.types.is_large_binary(field.type)
        ):
            try:
                table = table.set_column(index, field.name, as_text(table.column(index)))
            except DataError as fault:
                raise DataError(f"column {field.name!r} {fault}") from fault
    return table


def _with_sorted_categories(table: pd.DataFrame, names: Collection[str]) -> pd.DataFrame:
    """Sort the levels of columns of text, as if they had been found in a column of objects."""
    for index in np.flatnonzero(table.columns.isin(list(names))).tolist():
        column = table.iloc[:, index]
        if isinstance(column.dtype, pd.CategoricalDtype):
            categories = column.cat.categories.sort_values()
            table.isetitem(index, column.cat.reorder_categories(categories).array)
    return table


def _as_arrow(frame: Any) -> Any:
    native = frame.to_native()
    try:
        if isinstance(native, pa.Table):
            return native
        broken = any("\0" in name for name in frame.columns)  # polars panics, which is no Exception
        return None if broken or isinstance(native, pd.DataFrame) else frame.to_arrow()
    except Exception:  # each library has errors of its own; columns are tried one by one
        return None


def _is_plain(column: Any) -> bool:
    kind = column.type
    whole = pa.types.is_integer(kind) or pa.types.is_boolean(kind)
    return bool(pa.types.is_floating(kind) or (whole and not column.null_count))


def _is_string(kind: Any) -> bool:
    types = pa.types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _is_text(kind: Any) -> bool:
    return _is_string(kind) or bool(pa.types.is_dictionary(kind) and _is_string(kind.value_type))


def _categories(column: Any, keep_order: bool) -> pd.Categorical:
    """Build categories of a chunked column of text."""
    if _is_string(column.type):
        column = compute.dictionary_encode(column)
    encoded = column.unify_dictionaries().combine_chunks()
    encoded = encoded.chunk(0) if hasattr(encoded, "chunk") else encoded
    labels = pd.Index(encoded.dictionary.to_pandas())
    codes = encoded.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    if keep_order and encoded.type.ordered:
        return pd.Categorical.from_codes(codes, labels, ordered=True)
    order = labels.argsort()
    ranks = np.append(np.argsort(order), -1)  # a missing value stays -1
    return pd.Categorical.from_codes(ranks[codes], labels[order])
