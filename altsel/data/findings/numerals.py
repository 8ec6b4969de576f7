"""Numbers that are written as text: with units, percent, currencies, marks between thousands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.data.findings.text_columns import TextColumn

BEFORE = r"[€$£¥₹₽₩₺]|[A-Z]{2,3}\$|EUR|USD|GBP|CHF|JPY|Rs\.?|[~≈]|ca\.?"
"""What may stand before a number; other letters there make it a name, as of a row."""
LIMIT = r"[<>≤≥]=?"
"""What stands before the limit that a value is below or above, as a laboratory writes it."""
WHOLE, HALF = "at-limit", "half-limit"
LIMITS = {WHOLE: 1.0, HALF: 0.5}
"""How values below a limit are read: as which share of it. Those above one are read as the limit."""
NUMERAL = re.compile(
    rf"(?P<open>\()?\s*(?P<limit>{LIMIT})?\s*(?P<minus>[-+−]?)\s*(?P<before>{BEFORE})?\s*(?P<sign>[-+−]?)"
    r"(?P<number>(?:\d[\d.,'’\u00a0\u202f ]*\d|\d|[.,]\d+)[.,]?(?:[eE][-+]?\d+)?)"
    r"\s*(?P<after>[^\d\s()][^\d()]{0,11})?(?(open)\))",
    re.IGNORECASE,
)
CURRENCIES = re.compile(r"[€$£¥₹₽₩₺]|EUR|USD|GBP|CHF|JPY|Rs\.?", re.IGNORECASE)
MULTIPLES = {
    "k": 1e3,
    "K": 1e3,
    "M": 1e6,
    "Mio": 1e6,
    "Mio.": 1e6,
    "B": 1e9,
    "G": 1e9,
    "Mrd": 1e9,
    "Mrd.": 1e9,
}
"""Units that multiply."""
WITHOUT_SIZE = {"", "+", "*"}
"""What may follow a number besides its unit and says nothing of its size."""
BEHIND = re.compile(rf"-\s*(?P<unit>{CURRENCIES.pattern}|%)?", re.IGNORECASE)
"""A minus behind a number, as accounts are written; after a decimal sign it stands for no cents."""
MARKS = ("", ",", ".", "'", " ")
"""What may stand between thousands; not what is the decimal sign."""
MOST_UNITS, SEVERAL = 3, 3
"""Different units of a column of numbers, and how many different numbers make one."""
ONE_MARK = re.compile(r"\d+[.,](?!\d{3}$)\d+|0[.,]\d+")
"""A number whose mark is its decimal sign, whichever it is."""
BLANKS = str.maketrans({"\u00a0": " ", "\u202f": " ", "’": "'", "−": "-"})


@dataclass(frozen=True, eq=False)
class Numerals:
    """How the labels of a column write numbers.

    Attributes
    ----------
    values
        The number of each label, without regard to units that multiply; NaN of one that is none.
    units
        What stands before or after the numbers, the most frequent first; not signs and the like.
    thousands, decimal
        The mark between thousands, empty if there is none, and the decimal sign.
    plain
        Whether each is written as Python writes numbers.
    bare
        Whether nothing stands around any, as a minus behind it, brackets or a unit.
    beyond
        Which labels name a limit: -1 of values below it, as ``<0.5``, 1 of values above it, else 0.
    """

    values: FloatArray
    units: tuple[str, ...]
    thousands: str
    decimal: str
    plain: bool
    bare: bool
    beyond: IntArray
    _of_label: tuple[str, ...] = ()

    @property
    def comparable(self) -> bool:
        """Whether the numbers are of one unit, or of such that multiply."""
        return len(self.units) < 2 or {*self.units} <= {*MULTIPLES}

    @property
    def is_number(self) -> BoolArray:
        """Which labels are numbers."""
        return np.asarray(~np.isnan(self.values))

    @property
    def kind(self) -> str:
        """What is to be said of them, in a few words."""
        if self.beyond.any():
            return "limit"
        if any(CURRENCIES.fullmatch(unit) for unit in self.units):
            return "currency"
        if self.units:
            return "percent" if {*self.units} == {"%"} else "number with unit"
        if not self.bare:
            return "number as text"
        if self.thousands:
            return "thousands"
        return "number as text" if self.decimal == "." else "decimal comma"

    def scaled(self) -> FloatArray:
        """Return the numbers, multiplied where all units do that, such as k and M."""
        if not self.units or not {*self.units} <= {*MULTIPLES}:
            return self.values
        return np.asarray(self.values * [MULTIPLES.get(unit, 1.0) for unit in self._of_label])


def numerals(
    labels: Sequence[Any], decimal: str = ".", form: tuple[str, str] | None = None
) -> Numerals | None:
    """Read labels as numbers; None if fewer than three are, or if they have more than three units.

    Parameters
    ----------
    labels
        Labels, each once.
    decimal
        The decimal sign that is tried first.
    form
        The mark between thousands and the decimal sign, if they are known: then few numbers suffice.

    Examples
    --------
    >>> found = numerals(["1.234,50 €", "99,00 €", "12.000 €"])
    >>> found.values.tolist(), found.units, found.thousands, found.decimal, found.kind
    ([1234.5, 99.0, 12000.0], ('€',), '.', ',', 'currency')
    >>> numerals(["19M", "404k", "2M"]).scaled().tolist()
    [19000000.0, 404000.0, 2000000.0]
    >>> numerals(["patient 1", "patient 2", "patient 3"]) is None
    True
    """
    texts = [str(label).strip().translate(BLANKS) for label in labels]
    plain = [_is_float(text) for text in texts]
    matches = [None if good else NUMERAL.fullmatch(text) for good, text in zip(plain, texts, strict=True)]
    bare = [
        text if good else match["number"] if match else ""
        for good, match, text in zip(plain, matches, texts, strict=True)
    ]
    least = SEVERAL if form is None else 1
    written = [number for number in bare if number]
    if len(set(written)) < least:
        return None
    thousands, sign = form or _form(written, decimal)
    values = np.array([_value(number, thousands, sign) for number in bare])
    beyond = np.array([0 if match is None else _beyond(match) for match in matches])
    for j in np.flatnonzero((beyond != 0) & np.isnan(values)):  # where a limit has another decimal sign
        values[j] = _value(bare[j].replace(",", "."), "", ".") if ONE_MARK.fullmatch(bare[j]) else np.nan
    beyond[np.isnan(values)] = 0
    values = np.where([match is not None and _is_negative(match) for match in matches], -values, values)
    units = tuple("" if match is None else _unit(match) for match in matches)
    read = ~np.isnan(values)
    times = Counter(unit for unit, good in zip(units, read.tolist(), strict=True) if unit and good)
    if read.sum() < least or not _are_units(times):
        return None
    only_plain = (thousands, sign) == ("", ".") and all(np.array(plain)[read])
    bare_only = all(_fits(texts[j], thousands, sign) for j in np.flatnonzero(read))
    names = tuple(one for one, _ in times.most_common())
    return Numerals(values, names, thousands, sign, only_plain, bare_only, beyond, units)


def numerals_of(column: TextColumn, least: float, decimal: str = ".") -> Numerals | None:
    """Read a column's labels as numbers if at least so many of a sample of them are."""
    if not _are_likely(column.sample, least, decimal):
        return None
    return numerals(column.labels, decimal)


def _are_likely(sample: Iterable[Any], least: float, decimal: str) -> bool:
    labels = list(sample)
    if sum(any(map(str.isdigit, str(label))) for label in labels) < SEVERAL:
        return False
    found = numerals(labels, decimal)
    return found is not None and float(found.is_number.mean()) >= least


def _are_units(units: Collection[str]) -> bool:
    """Return whether what stands around numbers may be units: single letters of several kinds are names."""
    if len(units) < 2 or {*units} <= {*MULTIPLES}:
        return True
    return len(units) <= MOST_UNITS and all(len(one) > 1 or CURRENCIES.fullmatch(one) for one in units)


def _is_float(text: str) -> bool:
    """Return whether a text is a number as Python writes it, and none of the words for infinity."""
    try:
        return "_" not in text and bool(np.isfinite(float(text)))
    except ValueError:
        return False


def _unit(match: re.Match[str]) -> str:
    behind = BEHIND.fullmatch(_after(match))
    parts = [match["before"] or "", _after(match) if behind is None else behind["unit"] or ""]
    return " ".join(part for part in parts if part not in WITHOUT_SIZE)


def _form(written: Sequence[str], decimal: str) -> tuple[str, str]:
    """Choose the mark between thousands and the decimal sign that fit most numbers, the usual one first."""
    other = "," if decimal == "." else "."
    forms = [(mark, sign) for sign in (decimal, other) for mark in MARKS if mark != sign]
    fits = [sum(_fits(text, *form) for text in written) for form in forms]
    return forms[fits.index(max(fits))]


def _fits(text: str, thousands: str, decimal: str) -> bool:
    return re.fullmatch(_pattern(thousands, decimal), text) is not None


def _pattern(thousands: str, decimal: str) -> str:
    whole = r"\d+" if not thousands else rf"(?:[1-9]\d{{0,2}}(?:{re.escape(thousands)}\d{{3}})+|\d+)"
    return rf"[-+]?(?:{whole}(?:{re.escape(decimal)}\d*)?|{re.escape(decimal)}\d+)(?:[eE][-+]?\d+)?"


def _value(text: str, thousands: str, decimal: str) -> float:
    """Return the number that a text is in a form; NaN if it is none."""
    if not _fits(text, thousands, decimal):
        return np.nan
    return float((text.replace(thousands, "") if thousands else text).replace(decimal, "."))


def _beyond(match: re.Match[str]) -> int:
    """Return the side of a limit: -1 below, 1 above, 0 if it is none."""
    sign = match["limit"] or ""
    return int(sign[:1] in {">", "≥"} and bool(sign)) - int(sign[:1] in {"<", "≤"} and bool(sign))


def _is_negative(match: re.Match[str]) -> bool:
    behind = match["number"][-1] not in ",." and BEHIND.fullmatch(_after(match)) is not None
    return bool(match["open"]) ^ ("-" in (match["minus"] + match["sign"])) ^ behind


def _after(match: re.Match[str]) -> str:
    return (match["after"] or "").strip()


def grouped_numbers(labels: Sequence[Any], thousands: str, decimal: str) -> FloatArray | IntArray | None:
    """Return the numbers that labels are, with or without a mark between thousands; None if one is none.

    Examples
    --------
    >>> grouped_numbers(["1,234", "999"], ",", ".").tolist()
    [1234, 999]
    >>> grouped_numbers(["36,5", "38,1"], ",", ".") is None
    True
    """
    texts = [label.strip().translate(BLANKS) for label in labels if isinstance(label, str)]
    mark = thousands.translate(BLANKS)
    pattern = re.compile(_pattern(mark, decimal))
    if not texts or len(texts) < len(labels) or not all(map(pattern.fullmatch, texts)):
        return None
    values = np.array([_value(text, mark, decimal) for text in texts])
    whole = not any(decimal in text or "e" in text.lower() for text in texts) and bool((values < 2**53).all())
    return values.astype(np.int64) if whole else values
