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
from altsel.data.intake.blocks import columns_where
from altsel.data.intake.gaps import gaps

if TYPE_CHECKING:
    from altsel.data.reading import Reading


def only_rows(frame: pd.DataFrame, rows: BoolArray, reading: Reading) -> pd.DataFrame:
    """Take some rows of a table, with types as if a CSV file of these rows alone had been read.

    Examples
    --------
    >>> from altsel.data import Reading
    >>> table = pd.DataFrame({"a": pd.Series(["1", "2", "x"], dtype=object), "b": [1, 2, None]})
    >>> only_rows(table, np.array([True, True, False]), Reading()).dtypes.astype(str).tolist()
    ['int64', 'int64']
    """
    kept = frame[rows].reset_index(drop=True)
    changed: dict[int, Any] = {}
    floats = np.flatnonzero(columns_where(frame, lambda kind: kind == np.dtype(float)))
    for index in floats[gaps(frame.iloc[:, floats])[1] > 0].tolist():
        values = kept.iloc[:, index].to_numpy()
        if ((values == np.rint(values)) & (np.abs(values) < LARGEST_EXACT)).all():
            changed[index] = values.astype(np.int64)
    frame = kept
    for index in _of_text(frame):
        column = frame.iloc[:, index]
        codes, labels = pd.factorize(column)
        if len(labels) and all(isinstance(label, str) for label in labels):
            values = _inferred(list(labels), reading)
            if values.dtype.kind in "iufb":
                changed[index] = _taken(values, codes)
        elif len(labels):  # cells of a spreadsheet have types of their own
            changed[index] = column.infer_objects()
    return _with(frame, changed)


def with_thousands(frame: pd.DataFrame, thousands: str | None, decimal: str) -> pd.DataFrame:
    """Read columns of text as numbers where each label is one, with or without marks between thousands."""
    changed = {}
    for index in _of_text(frame) if thousands is not None else []:
        codes, labels = pd.factorize(frame.iloc[:, index])
        values = grouped_numbers(list(labels), str(thousands), decimal)
        if values is not None:
            changed[index] = _taken(values, codes)
    return _with(frame, changed)


def with_logic(frame: pd.DataFrame) -> pd.DataFrame:
    """Read columns of ``True`` and ``False`` with missing values as numbers, not as objects."""
    changed: dict[int, Any] = {}
    for index in np.flatnonzero(columns_where(frame, lambda kind: kind == np.dtype(object))).tolist():
        column = frame.iloc[:, index]
        if column.dropna().map(lambda value: isinstance(value, bool)).all():
            changed[index] = column.astype("boolean").astype("Float64").astype("float64").to_numpy()
    return _with(frame, changed)


def _of_text(frame: pd.DataFrame) -> list[int]:
    found = columns_where(frame, lambda kind: isinstance(kind, pd.StringDtype) or kind == np.dtype(object))
    indices: list[int] = np.flatnonzero(found).tolist()
    return indices


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
