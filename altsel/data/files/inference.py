"""Columns of text that are read again: as if the rows that were left out had never been in the file."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from altsel._types import BoolArray
from altsel.data.columns import LARGEST_EXACT
from altsel.data.findings.numerals import grouped_numbers

if TYPE_CHECKING:
    from altsel.data.reading import Reading


def read_again(frame: pd.DataFrame, reading: Reading) -> pd.DataFrame:
    """Infer the types of columns of text anew, as a CSV file of these rows alone would be read.

    Examples
    --------
    >>> from altsel.data import Reading
    >>> table = pd.DataFrame({"a": pd.Series(["1", "2"], dtype=object), "b": ["x", "2"]})
    >>> read_again(table, Reading()).dtypes.astype(str).tolist()[0]
    'int64'
    """
    changed = {}
    for index in _of_text(frame):
        column = frame.iloc[:, index]
        codes, labels = pd.factorize(column)
        if len(labels) and all(isinstance(label, str) for label in labels):
            values = _inferred(list(labels), reading)
            if values.dtype.kind in "iufb":
                changed[index] = _taken(values, codes)
    return _with(frame, changed)


def without_rows(frame: pd.DataFrame, kept: BoolArray) -> pd.DataFrame:
    """Leave rows out; columns that are floats only because they had no value there become integers.

    Examples
    --------
    >>> table = pd.DataFrame({"nr": [1.0, 2.0, None], "size": [1.5, 2.0, None]})
    >>> without_rows(table, np.array([True, True, False])).dtypes.astype(str).tolist()
    ['int64', 'float64']
    """
    rest = frame[kept].reset_index(drop=True)
    changed = {}
    for index, kind in enumerate(rest.dtypes):
        if kind == np.float64 and frame.iloc[:, index].hasnans and not rest.iloc[:, index].hasnans:
            values = rest.iloc[:, index].to_numpy()
            if len(values) and (values == np.rint(values)).all() and np.abs(values).max() < LARGEST_EXACT:
                changed[index] = values.astype(np.int64)
    return _with(rest, changed)


def with_thousands(frame: pd.DataFrame, thousands: str | None, decimal: str) -> pd.DataFrame:
    """Read columns of text as numbers where each label is one, with or without marks between thousands."""
    changed = {}
    for index in _of_text(frame) if thousands is not None else []:
        codes, labels = pd.factorize(frame.iloc[:, index])
        values = grouped_numbers(list(labels), str(thousands), decimal)
        if values is not None:
            changed[index] = _taken(values, codes)
    return _with(frame, changed)


def known_logic(column: pd.Series[Any]) -> pd.Series[Any]:
    """Keep a column of ``True`` and ``False`` with missing values one of logic, not of objects."""
    present = column.dropna()
    if column.dtype == object and present.map(lambda value: isinstance(value, bool)).all():
        return column.astype("boolean").astype("Float64").astype("float64")
    return column


def _of_text(frame: pd.DataFrame) -> list[int]:
    return [
        index
        for index, kind in enumerate(frame.dtypes)
        if isinstance(kind, pd.StringDtype) or kind == np.dtype(object)
    ]


def _inferred(labels: Sequence[Any], reading: Reading) -> Any:
    buffer = StringIO()
    csv.writer(buffer, quoting=csv.QUOTE_ALL).writerows([label] for label in labels)
    buffer.seek(0)
    form: dict[str, Any] = {
        "decimal": reading.decimal,
        "keep_default_na": False,
        "na_values": reading.tokens(),
    }
    read = pd.read_csv(buffer, header=None, skip_blank_lines=False, low_memory=False, **form)
    return read.iloc[:, 0].to_numpy()


def _taken(values: Any, codes: Any) -> Any:
    """Return the value of each row's label; missing where it has none."""
    if (codes < 0).any():
        values = np.append(np.asarray(values, dtype=float), np.nan)
    return values[codes]


def _with(frame: pd.DataFrame, changed: dict[int, Any]) -> pd.DataFrame:
    if not changed:
        return frame
    made = frame.copy(deep=False)
    for index, values in changed.items():
        made.isetitem(index, values)
    return made
