"""A table as it is, before anything of it is refused: raw columns, and how its file is written."""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from altsel.data.columns import normal
from altsel.data.files.names import unique_names
from altsel.data.files.raw_table import RawTable
from altsel.data.files.spreadsheet import is_spreadsheet, read_spreadsheet
from altsel.data.findings.finding import Effect, Finding, options
from altsel.data.findings.row_names import UNNAMED
from altsel.data.findings.text_columns import text_columns
from altsel.data.frames import as_frame, raw_table
from altsel.data.table_file import TableFile
from altsel.errors import AltselError, DataError, listing
from altsel.looking.form import Form, form_of, grouped_among, grouped_columns, tokens_in

NO_TEXT = {".parquet", ".pq", ".zip", ".zst", ".tar"}
"""Endings of files whose bytes do not show how they are written."""
OF_A_COLUMN = re.compile(r"(?:column )?(['\"])(.+?)\1 ")
"""How messages about a column begin."""
UNUSUAL = {
    "encoding": ("encoding", "encoding", "the file is written in {}, not in UTF-8"),
    "sep": ("separator", "separator", "its columns are separated by {!r}"),
    "decimal": ("decimal comma", "decimal", "its numbers have a decimal comma"),
}
"""What is said of options that a file needs: the kind of finding, the argument, a sentence."""

OF_QUOTED = "reading=Reading(separator=',', decimal=',')"
"""The argument that reads a file whose commas separate columns, and numbers where they are quoted."""
OF_QUOTED_GROUPED = "reading=Reading(separator=',', decimal=',', thousands='.')"
"""The same, with points between thousands."""
OF_GROUPED = "reading=Reading(thousands='.', decimal=',')"
"""The argument that reads numbers as they are written where the comma is the decimal sign."""


def with_form(X: Any, stated: TableFile) -> tuple[TableFile, list[Finding]]:
    """Add how a table is written to what is stated; return also what is unusual about it."""
    if not isinstance(X, (str, Path)):
        return _with_grouped_cells(raw(X, stated)[0].frame, stated)
    path = Path(X)
    if is_spreadsheet(path) and path.is_file():
        body, names, _, _ = read_spreadsheet(path, stated.arguments()["reading"])
        body.columns = pd.Index(unique_names(names), dtype=object)
        return _with_grouped_cells(body, stated)
    if not _is_text(path):
        return stated, []
    known = stated.decimal is not None or stated.thousands is not None
    form = form_of(path, stated.encoding, stated.arguments()["reading"].separator)
    usual = {"encoding": "utf-8", "sep": "\t" if ".tsv" in path.suffixes else ",", "decimal": "."}
    seen = {"encoding": form.encoding, "sep": form.separator, "decimal": form.decimal}
    found = []
    for name, (kind, argument, message) in UNUSUAL.items():
        if getattr(stated, name) is None and seen[name] != usual[name]:
            value = "tab" if seen[name] == "\t" else seen[name]
            as_argument = f"reading=Reading({argument}={seen[name]!r})"
            fix = options(name, [value])
            if name == "decimal" and form.separator == ",":  # else the usual separator is another
                fix, as_argument = f"{options('sep', [','])} {fix}", OF_QUOTED
            found.append(Finding(kind, (), message.format(value), fix, as_argument, Effect.PROPOSED))
            stated = stated.with_options(fix)
    if form.grouped and not known:
        found.append(_of_grouped(form.grouped))
    if form.columns and not known:
        found = [one for one in found if one.kind != "decimal comma"]
        found.append(_of_columns(form.columns, f"{options('sep', [','])} ", OF_QUOTED_GROUPED))
        stated = stated.with_options(found[-1].fix)
    return stated, found


def _with_grouped_cells(body: pd.DataFrame, stated: TableFile) -> tuple[TableFile, list[Finding]]:
    """Add the signs of numbers that are cells of text, before some are read as numbers of another size."""
    if {stated.decimal, stated.thousands} != {None}:
        return stated, []
    texts = {
        one.name: [label.strip() for label in one.labels if isinstance(label, str)]
        for one in text_columns(body)
        if one.name not in stated.drop
    }
    grouped = grouped_columns(texts)
    if not grouped:
        number = grouped_among(cell for cells in texts.values() for cell in cells)
        return stated, [_of_grouped(number)] if number else []
    one = _of_columns(grouped, "", OF_GROUPED)
    return stated.with_options(one.fix), [one]


def _of_columns(grouped: Collection[str], form: str, argument: str) -> Finding:
    message = f"'.' stands between thousands in {listing(grouped)}, so that the decimal sign is a comma"
    fix = f"{form}{options('decimal', [','])} {options('thousands', ['.'])}"
    return Finding("thousands", tuple(grouped), message, fix, argument, Effect.PROPOSED)


def _of_grouped(number: str) -> Finding:
    message = f"every number with '.' has three digits after it, such as {number!r}: thousands?"
    fix = f"{options('thousands', ['.'])} {options('decimal', [','])}"
    return Finding("thousands", (), message, fix, OF_GROUPED)


def tokens_of(X: Any, table: TableFile, read: RawTable) -> list[str]:
    """Return what stands for a missing value in a file, of what is read so."""
    if not isinstance(X, (str, Path)) or not _is_text(Path(X)):
        return list(dict.fromkeys(token for counts in read.tokens.values() for token in counts))
    reading = table.arguments()["reading"]
    form = Form(reading.encoding, reading.usual_separator(Path(X)), reading.decimal)
    return tokens_in(Path(X), form, reading.missing)


def _is_text(path: Path) -> bool:
    return path.suffix.lower() not in NO_TEXT and not is_spreadsheet(path) and path.is_file()


def raw(X: Any, table: TableFile) -> tuple[RawTable, list[Finding]]:
    """Read all columns; return also those that cannot be read, whose values then may be wrong."""
    reading, source = table.arguments()["reading"], as_frame(X) if isinstance(X, Mapping) else X
    found: dict[str, Finding] = {}
    while True:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return raw_table(source, reading, [*table.drop, *found]), [*found.values()]
        except DataError as fault:
            one = blamed(fault)
            if one is None or one.columns[0] in {*found, *table.drop}:
                raise
            found[one.columns[0]] = one


def unnamed(table: RawTable, out: Collection[str]) -> Iterator[Finding]:
    """Yield columns without a name that are not left out."""
    for name in table.unnamed:
        if name not in out:
            repeated = not name.startswith(UNNAMED)
            why = "has the name of another" if repeated else "has no name"
            message = f"column {list(table.frame).index(name) + 1} {why}, and is called {name!r}"
            fix, kind = options("keep", [name]), "same name" if repeated else "unnamed"
            yield Finding(kind, (name,), message, fix, f"keep=[{name!r}]", Effect.PROPOSED)


def unusable(table: pd.DataFrame, kinds: Collection[str]) -> Iterator[Finding]:
    """Yield columns that no search takes: infinite values, integers beyond 2^53, lists and the like."""
    for name in map(str, table.columns):
        if name in kinds:
            continue
        try:
            values = normal(table[name])
            if values.dtype.kind == "f" and (values.abs() == float("inf")).any():
                raise DataError(f"column {name!r} holds infinite values")
        except DataError as fault:
            yield of_unusable(name, str(fault))


def blamed(fault: AltselError) -> Finding | None:
    """Return what an error says of a single column, if it names one."""
    match = OF_A_COLUMN.match(str(fault))
    return of_unusable(match[2], str(fault)) if match else None


def of_unusable(name: str, message: str) -> Finding:
    """Report that no search takes a column."""
    fix = options("drop", [name])
    return Finding("unusable", (name,), message, fix, f"drop=[{name!r}]", Effect.PROPOSED)
