"""Arrow tables, and what lends its columns as such, without an object for each cell."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from altsel.runtime.on_demand import OnDemand

pa: Any = OnDemand("pyarrow")
compute: Any = OnDemand("pyarrow.compute")
parquet: Any = OnDemand("pyarrow.parquet")


def from_arrow(frame: Any, names: Sequence[str]) -> tuple[pd.DataFrame | None, list[str]]:
    """Make a pandas table of those columns of a frame that Arrow hands over as blocks or as categories.

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


def text_columns(path: Path) -> list[str]:
    """Name the columns of text in a Parquet file, so that each level is read once; none without pyarrow."""
    try:
        schema = parquet.read_schema(path)
    except Exception:  # whoever reads the file says what is wrong with it
        return []
    return [field.name for field in schema if _is_string(field.type)]


def with_sorted_categories(table: pd.DataFrame, names: Collection[str]) -> pd.DataFrame:
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
        return None if isinstance(native, pd.DataFrame) else frame.to_arrow()
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
    """Make categories of a chunked column of text."""
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
