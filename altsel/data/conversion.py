"""Columns of text that are read as numbers because their kind was named: units, percent, dates."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pandas as pd

from altsel.data.columns import Kind
from altsel.data.dates import are_dates
from altsel.data.findings.numerals import MULTIPLES, numerals
from altsel.errors import DataError, DataWarning, listing

DATE, NUMERIC = "date", "numeric"
"""What a column may be read as, besides the kinds that it may have."""
NUMBERS = {NUMERIC, Kind.CONTINUOUS, Kind.INTEGER, Kind.COUNT}
DAY = pd.Timedelta(days=1)
SLASHES = re.compile(r"^\s*(\d{1,2})[/-](\d{1,2})[/-](\d{2,4})\b.*")
DOTS = re.compile(r"\s*\d{1,2}\.\d{1,2}\.\d{2,4}\b.*")
CLOCK = re.compile(r"\s*\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?\s*([ap]m)?\s*", re.IGNORECASE)


def is_conversion(kind: Any) -> bool:
    """Return whether a declared kind says what text is read as."""
    return isinstance(kind, str) and (kind == DATE or kind in NUMBERS)


def converted(column: pd.Series[Any], kind: str, decimal: str = ".") -> pd.Series[Any]:
    """Read a column as numbers; numbers stay as they are. No value is missing.

    Parameters
    ----------
    column
        Numbers, text, categories, dates.
    kind
        ``"date"``: days since 1970, times of a day in hours; or a kind of numbers: what stands around them
        goes, and so do marks between thousands.
    decimal
        The decimal sign that is tried first.

    Raises
    ------
    DataError
        If a label is no number, or no date, or numbers are of several units.

    Examples
    --------
    >>> converted(pd.Series(["45,3 %", "7 %", "9,25 %"]), "numeric").tolist()
    [45.3, 7.0, 9.25]
    >>> converted(pd.Series(["1970-01-02", "1970-01-02 12:00"]), "date").tolist()
    [1.0, 1.5]
    """
    if kind == DATE:
        return _days(column)
    if column.dtype.kind in "iufb" or are_dates(column):
        return column
    codes, labels = pd.factorize(column)
    values = _numbers(str(column.name), list(labels), decimal)
    return column if values is None else pd.Series(values[codes], column.index, name=column.name)


def _numbers(name: str, labels: list[Any], decimal: str) -> Any:
    """Return the numbers of labels; None if none is one."""
    plain = pd.to_numeric(pd.Series(labels, dtype=object), errors="coerce").to_numpy(dtype=float)
    if not np.isnan(plain).any():
        return plain
    found = numerals([*labels, *(["0", "1", "2"] if len(labels) < 3 else [])], decimal)
    values = plain if found is None else found.scaled()[: len(labels)]
    none = [str(label) for label, value in zip(labels, values, strict=True) if np.isnan(value)]
    if len(none) == len(labels):
        return None
    if none:
        raise DataError(
            f"{name!r} is called a number, but holds {listing(none)}; if that means a missing value, name it "
            "(Reading(missing=…), command line: --na TOKEN)"
        )
    units = set(found.units) if found else set()
    if len(units) > 1 and not units <= {*MULTIPLES}:
        raise DataError(
            f"{name!r} holds numbers of several units, {listing(sorted(units))}; give all the same"
        )
    return values


def _days(column: pd.Series[Any]) -> pd.Series[Any]:
    codes, labels = pd.factorize(column)
    texts = pd.Series(np.asarray(labels, dtype=object))
    try:
        values = _hours(texts) if texts.astype(str).str.fullmatch(CLOCK).all() else _since_1970(column, texts)
    except (ValueError, TypeError, OverflowError) as fault:
        raise DataError(f"{column.name!r} is called a date, but is none: {fault}") from fault
    return pd.Series(np.asarray(values, dtype=float)[codes], column.index, name=column.name)


def _since_1970(column: pd.Series[Any], texts: pd.Series[Any]) -> Any:
    if isinstance(column.dtype, pd.PeriodDtype):
        texts = pd.Series([one.start_time for one in texts])
    elif pd.api.types.is_timedelta64_dtype(column.dtype):
        return pd.to_timedelta(texts) / DAY
    moments = pd.to_datetime(texts, format="mixed", dayfirst=_day_first(str(column.name), texts), utc=True)
    return (moments - pd.Timestamp(0, tz="UTC")) / DAY


def _hours(texts: pd.Series[Any]) -> Any:
    moments = pd.to_datetime(texts.astype(str).str.replace(",", "."), format="mixed")
    return (moments - moments.dt.normalize()) / pd.Timedelta(hours=1)


def _day_first(name: str, texts: pd.Series[Any]) -> bool:
    """Return whether the day stands before the month; say so where both may be."""
    written = texts.astype(str)
    if written.str.fullmatch(DOTS).any():
        return True
    parts = written.str.extract(SLASHES).dropna()
    if not len(parts):
        return False
    first, second = (parts[j].astype(int).max() for j in (0, 1))
    if first <= 12 and second <= 12:
        warnings.warn(
            f"dates of {name!r} are read as month/day/year, but may be day/month/year: write 2024-12-31",
            DataWarning,
            stacklevel=2,
        )
    return bool(first > 12)
