"""Spreadsheets: one sheet of an Excel or an OpenDocument file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from altsel.data.files.first_lines import above_header
from altsel.data.files.inference import with_logic
from altsel.data.findings.finding import Effect, Finding, options
from altsel.errors import ArgumentError, ConfigurationError, DataError, did_you_mean, listing

if TYPE_CHECKING:
    from altsel.data.reading import Reading

ENGINES = {".xlsx": "openpyxl", ".xlsm": "openpyxl", ".ods": "odf"}
"""What pandas reads each kind with."""
OLD = {".xls", ".xlsb"}
LOOKED_AT = 40


def is_spreadsheet(path: Path) -> bool:
    """Return whether the name of a file is that of a spreadsheet."""
    return path.suffix.lower() in {*ENGINES, *OLD}


Tokens = dict[int, dict[str, int]]
"""How often each token of a missing value occurs in each column."""


def read_spreadsheet(path: Path, reading: Reading) -> tuple[pd.DataFrame, list[Any], list[Finding], Tokens]:
    """Read a sheet.

    Returns
    -------
    tuple
        The rows below the header, the names in it, what was skipped, and tokens of missing values.

    Raises
    ------
    ConfigurationError
        Without the package that reads such files.
    ArgumentError
        If there is no such sheet.
    DataError
        If the sheet is empty.
    """
    if path.suffix.lower() in OLD:
        raise DataError(f"{path} is a spreadsheet of an old kind; save it as .xlsx or as CSV")
    with _opened(path) as book:
        name = _sheet(path, [str(one) for one in book.sheet_names], reading.sheet)
        form: dict[str, Any] = {"header": None, "dtype": object, "keep_default_na": False}
        written = pd.read_excel(book, sheet_name=name, na_values=["", " "], **form)
        found = _others(book.sheet_names, name) if reading.sheet is None else []
    absent = _missing(written, reading)
    grid = written.mask(absent)
    if not len(grid):
        raise DataError(f"the sheet {name!r} of {path} is empty")
    told = reading.skip_rows
    skip, titles = above_header(_head(grid)) if told is None else (told, ())
    if titles:
        found.append(skipped_titles(titles))
    if skip >= len(grid):
        raise ArgumentError(f"skip_rows={skip}: the sheet {name!r} of {path} has {len(grid)} rows")
    names = list(grid.iloc[skip])
    body = grid.iloc[skip + 1 :].reset_index(drop=True).infer_objects()
    below = written.where(absent).iloc[skip + 1 :]
    return with_logic(body) if len(body) else body, names, found, _tokens(below)


def _missing(grid: pd.DataFrame, reading: Reading) -> pd.DataFrame:
    """Return which cells hold a token of a missing value, as text or as the same number."""
    tokens = set(reading.tokens())
    numbers = set(pd.to_numeric(pd.Series(reading.missing, dtype=object), errors="coerce").dropna())

    def is_missing(cell: Any) -> bool:
        if isinstance(cell, str) and cell in tokens:
            return True
        try:
            return bool(numbers) and not isinstance(cell, bool) and float(cell) in numbers
        except (TypeError, ValueError):
            return False

    return grid.map(is_missing)


def _tokens(cells: pd.DataFrame) -> Tokens:
    held = {index: cells.iloc[:, index].dropna() for index in range(cells.shape[1])}
    counts = {
        index: column.astype(str).str.strip().value_counts() for index, column in held.items() if len(column)
    }
    return {index: {str(one): int(n) for one, n in found.items()} for index, found in counts.items()}


def hint_of_sheets(source: Any, column: str) -> str:
    """Return which sheets of a spreadsheet have a column; nothing if none has, or the source is none."""
    path = Path(source) if isinstance(source, (str, Path)) else None
    if path is None or path.suffix.lower() not in ENGINES:
        return ""
    with _opened(path) as book:
        names = [str(name) for name in book.sheet_names]
        grids = {
            name: pd.read_excel(book, sheet_name=name, header=None, dtype=object, nrows=LOOKED_AT)
            for name in names
        }
    heads = {name: _head(grid) for name, grid in grids.items()}
    having = [name for name, head in heads.items() if head and column in head[above_header(head)[0]]]
    if not having:
        return ""
    what = f"sheet {having[0]!r} has it" if len(having) == 1 else f"sheets {listing(having)} have it"
    return f"; {what}: sheet={having[0]!r} ({options('sheet', having[:1])})"


def _head(grid: pd.DataFrame) -> list[list[str]]:
    """Return the first rows as text."""
    head: list[list[str]] = grid.iloc[:LOOKED_AT].astype(object).fillna("").astype(str).to_numpy().tolist()
    return head


def skipped_titles(titles: tuple[str, ...]) -> Finding:
    """Return the finding of lines above a header."""
    what = "1 line above the header is" if len(titles) == 1 else f"{len(titles)} lines above the header are"
    return Finding(
        "title rows",
        (),
        f"{what} skipped: {listing(titles, 2)}",
        options("skip-rows", ["0"]),
        "reading=Reading(skip_rows=0)",
        Effect.SKIPPED,
    )


def _opened(path: Path) -> pd.ExcelFile:
    engine: Any = ENGINES[path.suffix.lower()]
    try:
        return pd.ExcelFile(path, engine=engine)
    except ImportError as fault:
        raise ConfigurationError(
            "spreadsheets need openpyxl and odfpy: pip install 'altsel[excel]'; or save the sheet as CSV"
        ) from fault
    except Exception as fault:  # what unpackers raise on broken bytes is not documented
        raise DataError(f"{path} cannot be read as a spreadsheet, save it as CSV: {fault}") from fault


def _sheet(path: Path, names: list[str], wanted: str | int | None) -> str:
    if wanted is None:
        return names[0]
    if isinstance(wanted, int):
        if not 0 <= wanted < len(names):
            raise ArgumentError(
                f"sheet={wanted}: {path} has the sheets 0 to {len(names) - 1}: {listing(names)}"
            )
        return names[wanted]
    if wanted not in names:
        hint = did_you_mean(wanted, names) or f"; there are {listing(names)}"
        raise ArgumentError(f"{path} has no sheet {wanted!r}{hint}")
    return wanted


def _others(names: list[Any], read: str) -> list[Finding]:
    others = [str(name) for name in names if str(name) != read]
    if not others:
        return []
    message = f"the sheet {read!r} is read; others are {listing(others)}"
    fix = options("sheet", others[:1])
    return [Finding("sheets", (), message, fix, f"reading=Reading(sheet={others[0]!r})", Effect.SKIPPED)]
