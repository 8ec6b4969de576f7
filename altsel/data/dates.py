"""Columns of dates and times are refused: only the user knows what number is meant."""

from __future__ import annotations

import re
from datetime import date, time, timedelta
from shlex import quote
from typing import Any

import numpy as np
import pandas as pd

from altsel.errors import DataError

MOMENTS = (date, time, timedelta, np.datetime64, np.timedelta64, pd.Period)
MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
DAYS = (
    r"\d{4}-\d{1,2}-\d{1,2}",
    r"\d{4}[./]\d{1,2}[./]\d{1,2}",
    r"\d{1,2}[./-]\d{1,2}[./-]\d{4}",
    r"\d{1,2}/\d{1,2}/\d{2}",
    rf"\d{{1,2}}[- ]?{MONTH}[- ,]+\d{{2,4}}",
    rf"{MONTH} \d{{1,2}},? \d{{4}}",
    r"\d{8}(?=T)",
)
DATE = re.compile(rf"({'|'.join(DAYS)})([ T].*)?", re.IGNORECASE)
"""How dates are written; half of a column's labels suffice."""
PARTIAL = re.compile(
    r"\d{4}-(0[1-9]|1[0-2])|(0?[1-9]|1[0-2])/\d{4}|([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d+)?)?( ?[ap]m)?",
    re.IGNORECASE,
)
"""Months of a year, and times of day: ratios look alike, so all labels must."""
MANY = 0.5


def refuse_dates(column: pd.Series[Any]) -> None:
    """Raise a `DataError` if a column holds dates or times, of a type of their own or as text."""
    values: Any = column.cat.categories if isinstance(column.dtype, pd.CategoricalDtype) else column
    if are_dates(values):
        name = str(column.name)
        kind, drop = quote(f"{name}=date"), quote(name)
        raise DataError(
            f"column {name!r} holds dates or times; read it as a number (kinds={{{name!r}: 'date'}}, command "
            f"line: --kind {kind}), or leave it out (drop=[{name!r}], --drop {drop})"
        )


def present(values: Any) -> Any:
    """Return which values are not missing; a signalling NaN of the decimal module is refused."""
    try:
        return values.notna()
    except ArithmeticError as fault:
        raise DataError(f"column {values.name!r} holds numbers that are none: {fault!r}") from fault


def are_dates(values: Any) -> bool:
    """Return whether a column, or an index of labels, holds dates or times, or text that is written so."""
    kind = values.dtype
    if pd.api.types.is_datetime64_any_dtype(kind) or pd.api.types.is_timedelta64_dtype(kind):
        return True
    if isinstance(kind, pd.PeriodDtype) or str(kind).startswith(("date", "time", "duration")):
        return True
    if isinstance(values, pd.Series):  # text is looked at once its labels are known
        held = values[present(values)] if pd.api.types.is_object_dtype(kind) else ()
        return any(isinstance(value, MOMENTS) for value in held)
    return any(isinstance(label, MOMENTS) for label in values) or _are_written_dates(list(values))


def _are_written_dates(labels: list[Any]) -> bool:
    texts = [label.strip() if isinstance(label, str) else "" for label in labels]
    days = sum(DATE.fullmatch(text) is not None for text in texts)
    if labels and days >= max(MANY * len(labels), 1):
        return True
    return len(labels) > 1 and all(DATE.fullmatch(text) or PARTIAL.fullmatch(text) for text in texts)
