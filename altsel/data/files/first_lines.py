"""The first lines of a file: what stands above the header of its table."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from pathlib import Path

import pandas as pd

from altsel.errors import ArgumentError, listing

LINES = 40
"""Lines that are looked at."""
CHARACTERS = 1 << 22
"""Characters after which no more of them are looked at; cells in Python take seven times as much."""
SEPARATOR_LINE = re.compile(r"\ufeff?\"?sep=(.)\"?\s*")
"""The line by which Excel is told what separates columns."""
SEPARATORS, EVEN = (",", ";", "\t", "|"), 0.8
"""What may separate columns, and the share of lines divided alike from which it does."""
UNCLOSED = "EOF inside string"
"""What pandas says of a file that ends in a quoted cell."""
NO_SIGN = "\x1f"
"""A separator that occurs in no file: each line is one field."""


@dataclass(frozen=True)
class FirstLines:
    """What the first lines of a file are.

    Attributes
    ----------
    skip
        Lines above the header, one that a quoted cell makes several counted once.
    separator
        What separates columns, if a first line says so.
    titles
        The lines above the header that hold something.
    header
        The header below such lines.
    likelier
        What divides the lines more evenly than what was taken for the separator, if anything does.
    """

    skip: int = 0
    separator: str | None = None
    titles: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    likelier: str | None = None


def first_lines(path: Path, encoding: str, separator: str | None, default: str) -> FirstLines:
    """Look at the first lines of a file; `separator` is the one that was named, if any."""
    lines = _lines(path, encoding, LINES)
    ends = accumulate(map(len, lines))
    lines = lines[: 1 + sum(end < CHARACTERS for end in ends)]
    told = SEPARATOR_LINE.fullmatch(lines[0]) if lines else None
    first = 0 if told is None else 1
    sign = separator or (told[1] if told else default)
    rows = list(csv.reader(lines[first:], delimiter=sign))  # a quoted cell may take several lines
    skip, titles = above_header(rows)
    header = tuple(rows[skip]) if titles else ()
    likelier = None if separator or told else _likelier(lines, sign)
    return FirstLines(first + skip, told[1] if told else None, titles, header, likelier)


def above_header(rows: Sequence[Sequence[str]]) -> tuple[int, tuple[str, ...]]:
    """Return how many rows stand above the header, and what they say.

    Rows are titles if at most half of the columns have something there, and the first row of which more do
    holds no number. Nothing is a title in a table of less than three columns, unless it is not divided.

    Examples
    --------
    >>> above_header([["Sales 2024"], [], ["region", "year", "sold"], ["north", "2024", "7"]])
    (2, ('Sales 2024',))
    """
    widths = Counter(len(row) for row in rows if _filled(row))
    width = max(widths, key=lambda one: (widths[one], one)) if widths else 0
    for index, row in enumerate(rows):
        if _filled(row) <= width / 2 or (width < 3 and len(row) < width):
            continue
        above = [one for one in rows[:index] if _filled(one)]
        undivided = width > 2 or all(len(one) == 1 for one in above)
        if not above or (undivided and index + 1 < len(rows) and not any(map(_is_number, row))):
            return index, tuple(" ".join(filter(str.strip, one)) for one in above)
        return 0, ()
    return 0, ()


def ragged(path: Path, encoding: str, separator: str, skip: int, width: int) -> tuple[int, str]:
    """Return how many more fields than the header all lines have at most, if these are empty.

    Returns
    -------
    tuple
        The number, and a sentence about the first line with more fields that hold something, if there is one.
    """
    extra, number, reader = 0, 0, csv.reader(_lines(path, encoding, None), delimiter=separator)
    for row in islice(reader, skip, None):
        number = number or reader.line_num - 1
        if any(map(str.strip, row[width:])):
            what = "hold the separator? Quote such cells, or name the separator (separator=, --sep)"
            counts = f"line {number + 1} has {len(row)} fields, the header {width}"
            return 0, f"{counts}: {listing(row[width:], 2)} too many; do cells {what}"
        number, extra = reader.line_num, max(extra, len(row) - width)
    return extra, ""


def last_row(path: Path, encoding: str, separator: str) -> int:
    """Return the line in which the last row begins, which a quote that is never closed makes a long one."""
    reader, first = csv.reader(_lines(path, encoding, None), delimiter=separator), 1
    try:
        while True:
            begins = reader.line_num + 1
            next(reader)
            first = begins
    except StopIteration:
        return first
    except csv.Error:  # a field longer than it takes
        return begins


def checked_skip(skip: int | None) -> None:
    """Raise an ArgumentError unless lines to skip are an integer of at least 0, or None."""
    if skip is not None and (isinstance(skip, bool) or not isinstance(skip, int) or skip < 0):
        raise ArgumentError(f"skip_rows={skip!r}; use a number of lines, or None: titles are skipped")


def _lines(path: Path, encoding: str, most: int | None) -> list[str]:
    """Return lines of a file, however it is compressed; blank ones too."""
    read = pd.read_csv(
        path,
        header=None,
        nrows=most,
        sep=NO_SIGN,
        quoting=csv.QUOTE_NONE,
        dtype=str,
        skip_blank_lines=False,
        keep_default_na=False,
        encoding=encoding,
        names=[0],
        index_col=False,
    )
    return [str(line) for line in read[0]]


def _likelier(lines: Sequence[str], taken: str) -> str | None:
    """Return the sign that divides nearly all lines into equally many fields, if the one taken does not."""
    if _evenness(lines, taken) >= EVEN:
        return None
    signs = [sign for sign in SEPARATORS if sign != taken]
    return next((sign for sign in signs if _evenness(lines, sign) >= EVEN), None)


def _evenness(lines: Sequence[str], sign: str) -> float:
    """Return the share of the lines that have the most frequent number of fields, if that is above one."""
    widths = Counter(len(row) for row in csv.reader(lines, delimiter=sign) if _filled(row))
    width, times = max(widths.items(), key=lambda one: one[1], default=(0, 0))
    return times / widths.total() if width > 1 else 0.0


def _filled(row: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)


def _is_number(cell: str) -> bool:
    try:
        float(cell.strip().replace(",", ".").rstrip("%€$ ") or "x")
    except ValueError:
        return False
    return True
