"""Costs of features from a table: a column of features, and one of costs."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from math import isfinite, nan
from pathlib import Path

from altsel.data.files.spreadsheet import is_spreadsheet, read_spreadsheet
from altsel.data.findings.numerals import numerals
from altsel.data.reading import Reading
from altsel.errors import AltselError, ArgumentError, listing

EXAMPLE = "feature,cost"
"""The head of a file of costs."""
SIGNS = ",;\t"
"""What may stand between columns."""


def read_costs(path: str | Path, of: str = "--best") -> list[dict[str, float]]:
    """Read what features cost: the first column names them, the second has their cost.

    Further columns are costs that decide where those before them are the same.

    Parameters
    ----------
    path
        A spreadsheet, or a text file with a head, columns separated by commas, semicolons or tabs. Numbers
        may have a decimal comma, marks between thousands and a currency.
    of
        What names the file, for messages.

    Returns
    -------
    list of dict
        Costs by feature, once a column.

    Raises
    ------
    ArgumentError
        If the file cannot be read, has no such columns, names a feature twice, or a cost is no number.
    """
    try:
        head, *rows = _cells(Path(path)) or [[]]
    except (OSError, UnicodeDecodeError, csv.Error, AltselError) as fault:
        raise ArgumentError(f"{of}: cannot read {path}: {fault}") from fault
    if len(head) < 2 or _is_number(head[1]):
        raise ArgumentError(
            f"{of}: {path} needs a head, a column of features and one of costs, such as {EXAMPLE!r}"
        )
    return _costs(rows, len(head), f"{of}: {path}")


def _cells(path: Path) -> list[list[str]]:
    """Return the cells of a file as text, row by row, without empty rows."""
    if is_spreadsheet(path):
        if not path.is_file():
            raise ArgumentError("no such file")
        body, names, _, _ = read_spreadsheet(path, Reading())
        rows = [list(map(str, names)), *(list(map(_cell, row)) for row in body.itertuples(index=False))]
    else:
        text = path.read_bytes().decode("utf-8-sig")
        sign = max(SIGNS, key=text.split("\n", 1)[0].count)
        rows = list(csv.reader(text.splitlines(), delimiter=sign))
    return [row for row in rows if any(map(str.strip, row))]


def _cell(value: object) -> str:
    return "" if value is None or value != value else str(value)  # noqa: PLR0124  (NaN)


def _costs(rows: Sequence[Sequence[str]], columns: int, where: str) -> list[dict[str, float]]:
    names: list[str] = []
    for number, row in enumerate(rows, 2):
        if len(row) != columns:
            raise ArgumentError(f"{where}, row {number} has {len(row)} cells, not {columns}")
        if row[0] in names:
            raise ArgumentError(f"{where} names {row[0]!r} twice")
        names.append(row[0])
    read = [_numbers([row[j] for row in rows]) for j in range(1, columns)]
    for row, *values in zip(rows, *read, strict=True):
        wrong = [cell for cell, value in zip(row[1:], values, strict=True) if not isfinite(value)]
        if wrong:
            raise ArgumentError(f"{where}, {row[0]!r}: {listing(wrong)} is no finite number, as 2.5 is")
    return [dict(zip(names, values, strict=True)) for values in read]


def _numbers(cells: Sequence[str]) -> list[float]:
    """Read cells as numbers, NaN where one is none: as Python writes them, or else as people do."""
    if not all(map(_is_number, cells)):
        found = numerals(cells) or numerals(cells, ",", (".", ","))
        if found is not None and found.comparable and not found.beyond.any():
            return [float(value) for value in found.scaled()]
    return [float(cell) if _is_number(cell) else nan for cell in cells]


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False
