"""A table as it is, before anything of it is refused: raw columns, and how its file is written."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from altsel.data.columns import normal
from altsel.data.findings.finding import Effect, Finding, options
from altsel.data.findings.row_names import UNNAMED
from altsel.data.frames import as_frame, to_table
from altsel.data.reading import SHEETS
from altsel.data.table_file import TableFile
from altsel.errors import DataError
from altsel.looking.form import Form, form_of

USUAL = Form("utf-8", ",", ".")
NO_TEXT = {".parquet", ".pq", ".zip", ".zst", ".tar", *SHEETS}
"""Endings of files whose bytes do not show how they are written."""


def with_form(path: Path, stated: TableFile) -> tuple[TableFile, list[Finding]]:
    """Add how a file is written to what is stated; return also what is unusual about it."""
    if path.suffix.lower() in NO_TEXT or not path.is_file():
        return stated, []
    form = form_of(path, stated.encoding, stated.sep)
    usual = Form("utf-8", "\t" if ".tsv" in path.suffixes else ",", ".")
    sign = {"\t": "tab"}.get(form.separator, form.separator)
    unusual = {
        "encoding": (form.encoding, usual.encoding, f"the file is written in {form.encoding}, not in UTF-8"),
        "sep": (sign, usual.separator, f"its columns are separated by {sign!r}"),
        "decimal": (form.decimal, usual.decimal, "its numbers have a decimal comma"),
    }
    found = []
    for name, (value, as_usual, message) in unusual.items():
        if getattr(stated, name) is None and value != as_usual:
            argument = f"reading=Reading({ARGUMENTS[name]}={value!r})"
            fix = options(name, [value])
            found.append(Finding(KINDS[name], (), message, fix, argument, Effect.PROPOSED))
            stated = stated.with_options(fix)
    return stated, found


ARGUMENTS = {"encoding": "encoding", "sep": "separator", "decimal": "decimal"}
KINDS = {"encoding": "encoding", "sep": "separator", "decimal": "decimal comma"}


def raw_table(X: Any, stated: TableFile) -> tuple[pd.DataFrame, list[Finding]]:
    """Return all columns with names of their own, and what is wrong with the names."""
    if isinstance(X, (str, Path)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            table, given = stated.arguments()["reading"].table(Path(X))
    else:
        table = to_table(as_frame(X) if isinstance(X, dict) else X)
        given = list(table.columns)
    names = [str(name) if name == name and name else f"{UNNAMED}{j}" for j, name in enumerate(given)]  # noqa: PLR0124
    twice = [name for name, times in Counter(names).items() if times > 1]
    table.columns = pd.Index(_different(names), dtype=object)
    message = "column names occur more than once; rename them in the file"
    return table, [Finding("same name", (name,), f"{message}: {name!r}") for name in twice]


def unusable(table: pd.DataFrame, kinds: Any) -> Iterator[Finding]:
    """Yield columns that no search takes: infinite values, integers beyond 2^53, lists and the like."""
    for name in map(str, table.columns):
        if name in kinds:
            continue
        column = table[name]
        try:
            values = normal(column)
            if values.dtype.kind == "f" and (values.abs() == float("inf")).any():
                raise DataError(f"column {name!r} holds infinite values")
        except DataError as fault:
            fix = options("drop", [name])
            yield Finding("unusable", (name,), str(fault), fix, f"drop=[{name!r}]", Effect.PROPOSED)


def _different(names: list[str]) -> list[str]:
    seen: Counter[str] = Counter()
    result = []
    for name in names:
        seen[name] += 1
        result.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return result
