"""From whatever a user has (frame, array, file) to a pandas table with checked column names."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd

from altsel.errors import AltselError, ArgumentError, ConfigurationError, DataError, listing

MISSING_TOKENS = frozenset({"NA", "N/A", "NaN", "nan", "null", "NULL", "None", "?", "."})


def to_table(source: Any) -> pd.DataFrame:
    """Turn a frame (pandas, polars, pyarrow, …), a 2-d array or a CSV or Parquet path into pandas.

    Columns of an array are named ``x0``, ``x1``, …; other names become strings.

    Raises
    ------
    ArgumentError
        If the file does not exist or the object is no table.
    DataError
        If the file cannot be read, or a name is empty or occurs twice.
    """
    if isinstance(source, (str, Path)):
        return read_table(Path(source))
    if isinstance(source, np.ndarray):
        if source.ndim != 2:
            raise DataError(f"X has shape {source.shape}; it must be a table of rows and columns")
        return pd.DataFrame(source.copy(), columns=[f"x{j}" for j in range(source.shape[1])])
    if isinstance(source, pd.DataFrame):
        if source.columns.nlevels > 1:
            raise DataError("X has several header levels; join them into one name a column")
        table = source.reset_index(drop=True)
    else:
        table = _from_narwhals(source)
    table.columns = pd.Index(checked_names(table.columns), dtype=object)
    return table


def read_table(path: Path) -> pd.DataFrame:
    """Read a CSV (any compression pandas knows) or Parquet file; an empty field is a missing value."""
    if not path.is_file():
        raise ArgumentError(f"no such file: {path}")
    try:
        table = _read_parquet(path) if path.suffix.lower() in {".parquet", ".pq"} else _read_csv(path)
    except AltselError:
        raise
    except (pd.errors.ParserError, pd.errors.ParserWarning, pd.errors.EmptyDataError) as fault:
        raise DataError(f"{path} is not a table with a header line: {fault}") from fault
    except (UnicodeDecodeError, OSError, EOFError, ValueError) as fault:
        raise DataError(f"cannot read {path}: {fault}") from fault
    table.columns = pd.Index(checked_names(table.columns), dtype=object)
    return table


def checked_names(names: Iterable[Any]) -> list[str]:
    """Return the names as strings.

    Raises
    ------
    DataError
        If one is empty or occurs twice: everything after is keyed by name.
    """
    texts = ["" if name is None or name != name else str(name) for name in names]  # noqa: PLR0124  (NaN)
    empty = [place for place, name in enumerate(texts, 1) if not name]
    if empty:
        raise DataError(
            f"column {empty[0]} has no name; name it or leave it out "
            "(pandas writes such a column unless to_csv is given index=False)"
        )
    if len(set(texts)) < len(texts):
        twice = [name for name, times in Counter(texts).items() if times > 1]
        raise DataError(f"column names occur more than once: {listing(twice)}; rename them")
    return texts


def _from_narwhals(source: Any) -> pd.DataFrame:
    try:
        frame = nw.from_native(source, eager_only=True)
    except TypeError as fault:
        raise ArgumentError(
            f"X is a {type(source).__name__}; give a DataFrame (collect a lazy one), a 2-d array or a path"
        ) from fault
    names = checked_names(frame.columns)
    return pd.DataFrame({name: np.array(frame[name].to_numpy()) for name in names})


def _read_parquet(path: Path) -> pd.DataFrame:
    try:
        return pd.read_parquet(path)
    except ImportError as fault:
        raise ConfigurationError("Parquet files need pyarrow: pip install 'altsel[parquet]'") from fault


def _read_csv(path: Path) -> pd.DataFrame:
    # pandas renames a second "a" to "a.1"; the header is read by itself so that this is noticed.
    header = pd.read_csv(path, header=None, nrows=1, dtype=str, keep_default_na=False)
    names = checked_names(header.iloc[0])
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)
        table = pd.read_csv(
            path,
            header=0,
            names=names,
            index_col=False,
            keep_default_na=False,
            na_values=[""],
            skip_blank_lines=len(names) > 1,
            low_memory=False,
        )
    return table.apply(_numbers_with_tokens) if len(table) else table


def _numbers_with_tokens(column: pd.Series[Any]) -> pd.Series[Any]:
    """Read a column of numbers and ``NA``, ``?`` … as numbers with missing values, not as categories."""
    if pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column):
        return column
    text = column.where(column.notna(), other=np.nan)
    token = text.isin(MISSING_TOKENS)
    if not token.any() or token.all():
        return column
    numbers = pd.to_numeric(text.mask(token), errors="coerce")
    return numbers if (numbers.isna() == (token | text.isna())).all() else column
