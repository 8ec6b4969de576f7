"""How a file of text is written: encoding, separator and decimal sign, as its bytes show."""

from __future__ import annotations

import codecs
import csv
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from altsel.data.leading_zeros import OPENERS

HEAD, LINES = 1 << 18, 400
"""Bytes and lines by which separator and decimal sign are found."""
SIGNS = (",", ";", "\t", "|")
MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""First bytes of files whose encoding they name; the longer ones first."""
OF_WINDOWS = re.compile(rb"[\x80-\x9f]")
"""Bytes that are letters and signs in Windows, and control characters in latin-1."""
NAMED = re.compile(r'\s*"?sep=(.)"?\s*')
"""A first line that names the separator."""
WITH_COMMA = re.compile(r"[-+]?\d{1,3}(\.\d{3})*,\d+|[-+]?\d+,\d+")
WITH_POINT = re.compile(r"[-+]?\d*\.\d+")
THOUSANDS = re.compile(r"[-+]?\d{1,3}([.,]\d{3})+")
GROUPED = re.compile(r"[-+]?[1-9]\d{0,2}(\.\d{3})+")
MILLIONS = re.compile(r"[-+]?[1-9]\d{0,2}(\.\d{3}){2,}")
SEVERAL = 5
"""Different numbers with a point that make it no chance that each has three digits after it."""


@dataclass(frozen=True)
class Form:
    """How a file is written."""

    encoding: str
    separator: str
    decimal: str
    grouped: str = ""
    """A number with a point, if each has three digits after it, as between thousands."""
    columns: tuple[str, ...] = ()
    """Of a file with commas between columns: those whose numbers have points between thousands."""


def form_of(path: Path, encoding: str | None = None, separator: str | None = None) -> Form:
    r"""Find how a file is written, where that is not known already.

    The encoding is what the first bytes name, UTF-8 if the file can be read so, else that of Windows or
    latin-1. The separator is the sign that divides most lines into the same number of fields, more than one.
    The decimal sign is the comma if more fields are numbers with one than with a point.

    Parameters
    ----------
    path
        A file of text, also compressed by gzip, bzip2 or xz.
    encoding, separator
        What is known.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "a.csv")
    >>> _ = path.write_bytes("Größe;Wert\n1,5;a\n2,5;b\n".encode("latin-1"))
    >>> form_of(path)
    Form(encoding='latin-1', separator=';', decimal=',', grouped='', columns=())
    """
    encoding = encoding or encoding_of(path)
    with OPENERS.get(path.suffix.lower(), open)(path, "rb") as file:
        head = file.read(HEAD)
    lines = head.decode(encoding, "replace").splitlines(keepends=True)
    lines = lines[: LINES + 1][: -1 if len(head) == HEAD else None]
    named = NAMED.fullmatch(lines[0]) if lines else None
    separator = separator or (named[1] if named else separator_of(lines))
    columns = grouped_columns(_columns(lines)) if separator == "," else []
    grouped = grouped_in(lines, separator)
    return Form(encoding, separator, decimal_of(lines, separator), grouped, tuple(columns))


def tokens_in(path: Path, form: Form, tokens: Collection[str]) -> list[str]:
    r"""Return which of some texts stand in a field of their own anywhere in a file.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "a.csv")
    >>> _ = path.write_text("a;NA x\n1; NA \n?;2\n")
    >>> tokens_in(path, Form("utf-8", ";", "."), ["NA", "None", "?"])
    ['NA', '?']
    """
    with OPENERS.get(path.suffix.lower(), open)(path, "rb") as file:
        text = file.read().decode(form.encoding, "replace")
    end, words = rf'[{re.escape(form.separator)}"\r\n]', "|".join(map(re.escape, tokens))
    found = set(re.findall(rf"(?:^|(?<={end})) *({words}) *(?={end}|$)", text))
    return [token for token in tokens if token in found]


def encoding_of(path: Path) -> str:
    """Return the encoding of a file: as it says, UTF-8, or one of a byte a letter."""
    with OPENERS.get(path.suffix.lower(), open)(path, "rb") as file:
        content = file.read()
    for mark, name in MARKS.items():
        if content.startswith(mark):
            return name
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        if not OF_WINDOWS.search(content):
            return "latin-1"
        try:
            content.decode("cp1252")
        except UnicodeDecodeError:
            return "latin-1"
        return "cp1252"
    return "utf-8"


def separator_of(lines: list[str]) -> str:
    """Return the sign that divides most lines into the same number of fields; the comma if none does."""

    def fit(sign: str) -> tuple[float, int]:
        counts = Counter(len(row) for row in _rows(lines, sign) if any(row))
        number, times = max(counts.items(), key=lambda one: (one[1], one[0]), default=(1, 0))
        return (times / counts.total() if number > 1 else 0.0, number)

    return max(SIGNS, key=fit)


def decimal_of(lines: list[str], separator: str) -> str:
    """Return the decimal sign of most numbers that have one; between commas such fields are quoted."""
    fields = [field.strip() for row in _rows(lines, separator) for field in row]
    with_comma = sum(bool(WITH_COMMA.fullmatch(one)) and not THOUSANDS.fullmatch(one) for one in fields)
    with_point = sum(bool(WITH_POINT.fullmatch(one)) and not THOUSANDS.fullmatch(one) for one in fields)
    return "," if with_comma > with_point else "."


def grouped_in(lines: list[str], separator: str) -> str:
    """Return a number with a point, if there are several and each may have it between thousands."""
    fields = [field.strip() for row in _rows(lines, separator) for field in row]
    return "" if separator == "," or decimal_of(lines, separator) == "," else grouped_among(fields)


def grouped_among(fields: Iterable[str]) -> str:
    """Return a number with a point, if there are several different ones and each has three digits after it.

    Examples
    --------
    >>> grouped_among(["1.095", "377", "12.500", "2.001", "8.250", "1.100"])
    '1.095'
    """
    points = dict.fromkeys(one for one in fields if WITH_POINT.fullmatch(one) or GROUPED.fullmatch(one))
    return next(iter(points)) if len(points) >= SEVERAL and all(map(GROUPED.fullmatch, points)) else ""


def grouped_columns(texts: Mapping[str, Collection[str]]) -> list[str]:
    """Return the columns whose numbers have a point between thousands.

    Each number of such a column that has a point has three digits after it, and the table shows that points
    stand so: by decimal commas, or by numbers with several points.

    Examples
    --------
    >>> grouped_columns({"pay": ["377", "1.095", "n/a"], "dose": ["1,5", "2,25"], "code": ["2.5"]})
    ['pay']
    >>> grouped_columns({"pay": ["377", "1.095"], "people": ["1.250.000", "12.500"]})
    ['pay', 'people']
    """
    numbers = {
        name: [one for one in cells if WITH_POINT.fullmatch(one) or GROUPED.fullmatch(one)]
        for name, cells in texts.items()
    }
    cells = [cell for column in texts.values() for cell in column]
    shown = sum(
        (bool(WITH_COMMA.fullmatch(one)) and not THOUSANDS.fullmatch(one)) or bool(MILLIONS.fullmatch(one))
        for one in cells
    )
    grouped = [name for name, found in numbers.items() if found and all(map(GROUPED.fullmatch, found))]
    others = sum(len(found) for name, found in numbers.items() if name not in grouped)
    return grouped if shown > others else []


def _columns(lines: list[str]) -> dict[str, list[str]]:
    """Return the fields of a file with commas between columns, by the names in its first whole line."""
    rows = [row for row in _rows(lines, ",") if any(row)]
    length = Counter(map(len, rows)).most_common(1)[0][0] if rows else 0
    head, *body = [row for row in rows if len(row) == length] or [[]]
    return {name: [row[j].strip() for row in body] for j, name in enumerate(head)}


def _rows(lines: list[str], sign: str) -> list[list[str]]:
    try:
        return list(csv.reader(lines, delimiter=sign))
    except csv.Error:  # a field longer than it takes
        return [line.split(sign) for line in lines]
