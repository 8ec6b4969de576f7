"""Columns of text that are read as numbers because their kind was named: units, percent, dates."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from altsel._types import FloatArray, IntArray
from altsel.data.dates import are_dates
from altsel.data.findings.finding import options
from altsel.data.findings.numerals import HALF, LIMITS, numerals
from altsel.data.schema import Kind
from altsel.errors import DataError, DataWarning, listing
from altsel.runtime.caller import warn_caller

DATE, DAY_FIRST, MONTH_FIRST, NUMERIC = "date", "date-day-first", "date-month-first", "numeric"
"""What a column may be read as, besides the kinds that it may have."""
DATES = {DATE, DAY_FIRST, MONTH_FIRST}
NUMBERS = {NUMERIC, Kind.CONTINUOUS, Kind.INTEGER, Kind.COUNT, *LIMITS}
DAY, HOUR = pd.Timedelta(days=1), pd.Timedelta(hours=1)
SLASHES = re.compile(r"^\s*(\d{1,2})[/-](\d{1,2})[/-]\d{2,4}\b")
DOTS = re.compile(r"\s*\d{1,2}\.\d{1,2}\.\d{2,4}\b.*")
CLOCK = re.compile(r"\s*\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?\s*([ap]m)?\s*", re.IGNORECASE)


def is_conversion(kind: Any) -> bool:
    """Return whether a declared kind says what text is read as."""
    return isinstance(kind, Conversion) or (isinstance(kind, str) and (kind in DATES or kind in NUMBERS))


@dataclass(frozen=True)
class Conversion:
    """How the text of a column is read as numbers, so that other rows are read in the same way.

    Attributes
    ----------
    kind
        ``"date"`` and such: days since 1970, times of a day in hours; or a kind of numbers: what stands
        around them goes, and so do marks between thousands. ``"at-limit"`` and ``"half-limit"`` read values
        beyond a limit, as ``<0.5`` and ``>100``, as the limit; the latter those below one as half of it.
    thousands, decimal
        The mark between thousands, empty if there is none, and the decimal sign.

    Examples
    --------
    >>> share = pd.Series(["45,3 %", "7 %", "9,25 %"])
    >>> Conversion.of(share, "numeric")(share).tolist()
    [45.3, 7.0, 9.25]
    >>> Conversion("half-limit")(pd.Series(["<0.5", "0.7", ">100"])).tolist()
    [0.25, 0.7, 100.0]
    >>> Conversion("date")(pd.Series(["1970-01-02", "1970-01-02 12:00"])).tolist()
    [1.0, 1.5]
    """

    kind: str
    thousands: str = ""
    decimal: str = "."

    @classmethod
    def of(cls, column: pd.Series[Any], kind: Any, decimal: str = ".") -> Conversion:
        """Find out how a column is written; `decimal` is the sign that is tried first.

        Warns
        -----
        DataWarning
            If day and month of its dates may be either way round.
        """
        if isinstance(kind, Conversion):
            return kind
        if kind in NUMBERS and column.dtype.kind in "iufb":
            return cls(str(kind))
        labels = column.dropna().unique()
        if kind == DATE:
            return cls(_order(str(column.name), pd.Series(labels).astype(str)))
        if kind in NUMBERS:
            found = numerals(list(labels), decimal)
            return (
                cls(str(kind), "", decimal)
                if found is None
                else cls(str(kind), found.thousands, found.decimal)
            )
        return cls(str(kind))

    def __call__(self, column: pd.Series[Any]) -> pd.Series[Any]:
        """Read a column; one of numbers, or of labels of which none is a number, stays as it is.

        Raises
        ------
        DataError
            If a label is no number, or no date, numbers are of several units, or a value is beyond a limit
            and it was not said how that is read.
        """
        if self.kind not in DATES and (column.dtype.kind in "iufb" or are_dates(column)):
            return column
        codes, labels = pd.factorize(column)
        name = str(column.name)
        values = self._days(name, column, labels) if self.kind in DATES else self._numbers(name, list(labels))
        return column if values is None else pd.Series(values[codes], column.index, name=column.name)

    def _numbers(self, name: str, labels: list[Any]) -> Any:
        """Return the numbers of labels; None if none is one."""
        found = numerals(labels, self.decimal, (self.thousands, self.decimal))
        values = found.scaled() if found else np.full(len(labels), np.nan)
        none = [str(label) for label, value in zip(labels, values, strict=True) if np.isnan(value)]
        if len(none) == len(labels):
            return None
        if none:
            raise DataError(
                f"{name!r} is called a number, but holds {listing(none)}; if that means a missing value, "
                "name it (Reading(missing=…), command line: --na TOKEN)"
            )
        if found is not None and not found.comparable:
            several = f"{name!r} holds numbers of several units, {listing(sorted(found.units))}"
            raise DataError(f"{several}; give all the same")
        return values if found is None else self._within_limits(name, labels, found.beyond, values)

    def _within_limits(
        self, name: str, labels: list[Any], beyond: IntArray, values: FloatArray
    ) -> FloatArray:
        """Read values beyond a limit as it was said; half of a limit below 0 would not be below it."""
        if beyond.any() and self.kind not in LIMITS:
            some = listing((labels[j] for j in np.flatnonzero(beyond)), 3)
            ways = " or ".join(options("kind", [f"{name}={way}"]) for way in LIMITS)
            raise DataError(
                f"{name!r} is called a number, but holds values beyond a limit, {some}; say how they are "
                f"read, as the limit or those below one as half of it: {ways} (kinds={{{name!r}: {HALF!r}}})"
            )
        return np.where((beyond < 0) & (values > 0), LIMITS.get(self.kind, 1.0) * values, values)

    def _days(self, name: str, column: pd.Series[Any], labels: Any) -> Any:
        texts = pd.Series(np.asarray(labels, dtype=object))
        try:
            if pd.api.types.is_timedelta64_dtype(column.dtype):
                return np.asarray(pd.to_timedelta(texts) / DAY)
            if isinstance(column.dtype, pd.PeriodDtype):
                texts = pd.Series([one.start_time for one in texts])
            if texts.astype(str).str.fullmatch(CLOCK).all():
                moments = pd.to_datetime(texts.astype(str).str.replace(",", "."), format="mixed")
                return np.asarray((moments - moments.dt.normalize()) / HOUR)
            first = self.kind == DAY_FIRST
            moments = pd.to_datetime(texts, format="mixed", dayfirst=first, utc=True)
            return np.asarray((moments - pd.Timestamp(0, tz="UTC")) / DAY)
        except (ValueError, TypeError, OverflowError) as fault:
            raise DataError(f"{name!r} is called a date, but is none: {fault}") from fault


def _order(name: str, written: pd.Series[Any]) -> str:
    """Return whether the day stands before the month; say so where both may be."""
    if written.str.fullmatch(DOTS).any():
        return DAY_FIRST
    parts = written.str.extract(SLASHES).dropna().astype(int)
    if not len(parts):
        return DATE
    first, second = int(parts[0].max()), int(parts[1].max())
    if first <= 12 and second <= 12:
        fix = options("kind", [f"{name}={DAY_FIRST}"])
        warn_caller(
            f"dates of {name!r} are read as month/day/year, but may be day/month/year: {fix}", DataWarning
        )
    return DAY_FIRST if first > 12 else MONTH_FIRST
