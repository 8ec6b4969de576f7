"""`look`: everything that matters of a table before a search, on one page."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from altsel.data.cleaning import WAYS, MissingName
from altsel.data.dataset import Dataset
from altsel.data.files.raw_table import RawTable
from altsel.data.files.refusals import refuse_unknown
from altsel.data.findings import Effect, Finding
from altsel.data.findings.orders import ordered_labels
from altsel.data.findings.rows import duplicates
from altsel.data.findings.text_columns import text_columns
from altsel.data.findings.written_numbers import written_numbers
from altsel.data.frames import as_frame
from altsel.data.schema import FEW_LEVELS, Task
from altsel.data.table_file import TableFile, table_file
from altsel.data.target import no_target
from altsel.errors import AltselError, ArgumentError, DataWarning, did_you_mean, of_kind
from altsel.looking.distributions import balance, outliers
from altsel.looking.gaps import Gaps, gaps_of
from altsel.looking.proposal import TOKEN, of_gaps, proposed_by, words_of
from altsel.looking.raw import blamed, raw, tokens_of, unnamed, unusable, with_form
from altsel.looking.relations import alike, associations, biased, leaks, told_by_gappy
from altsel.looking.result import Look
from altsel.looking.summary import reasons_of, summaries

TEXT_AS_NUMBERS = ("continuous", "numeric", "integer", "count")
"""Kinds of columns in which words for a missing value are looked for."""
FRAME = "table.csv"
"""What a table without a file is called in the next command."""


def look(X: Any, y: str, table: TableFile | Mapping[str, Any] | str | Path | None = None) -> Look:
    """Look at a table before it is searched: what is odd about it, and how to read it.

    It finds how the file is written, what columns are (ids, free text, dates, numbers with units, …), what
    missing values cost, copies of rows and columns, columns that give the target away, rare classes,
    outliers, and categories of so many levels that chance makes them look informative. It does not stop at
    the first fault.

    Parameters
    ----------
    X
        A file, or a table as `Dataset` takes it.
    y
        Name of the target's column.
    table
        What is known of how it is read: keys of ``table.toml``, or such a file.

    Returns
    -------
    Look
        What was found, what is proposed, and the command to run next.

    Raises
    ------
    ArgumentError
        If there is no such file or column.
    ConfigurationError
        If what is known holds an unknown key or a wrong value.
    DataError
        If it is no table.

    Examples
    --------
    >>> rows = {"nr": range(40), "size": [1, 2, 2, 1, 3] * 8, "dose": [1.5, 2.5, 9, 4, 3] * 8}
    >>> found = look({**rows, "ill": [0, 1] * 20}, "ill")
    >>> [(one.kind, one.columns, one.fix) for one in found.findings]
    [('row number', ('nr',), '--keep nr')]
    """
    stated = table_file(table)
    if stated.missing is MissingName.ERROR:  # what is to be done about them is what a look proposes
        stated = stated.model_copy(update={"missing": None})
    # 1. How the file is written.
    written, found = with_form(X, stated)
    # 2. What its columns are, as they are read so; what is proposed changes how they are read.
    read, bad = raw(X, written)
    _refuse_unknown(X, y, stated, read.frame)
    recognised = [*_recognised(read, y, written, [name for one in bad for name in one.columns])]
    tokens = tokens_of(X, written, read) if read.frame.isna().to_numpy().any() else []
    proposed, rest, frame = _proposal(X, read.frame, [*bad, *recognised], written, tokens)
    orders = [*_orders(frame, y, proposed, rest)]
    for one in orders:
        proposed = proposed.with_options(one.fix if one.effect is Effect.PROPOSED else "")
    found = [*found, *rest, *orders]
    # 3. What can be searched; columns that give the target away go, as all else would pale beside them.
    usable = _usable(X, y, frame, proposed, found)
    telling = [] if usable.data is None else [*leaks(usable.data, associations(usable.data))]
    certain = [one for one in telling if one.effect is Effect.PROPOSED]
    if certain and usable.data is not None and len(certain) < len(usable.data.features):
        for one in certain:
            proposed = proposed.with_options(one.fix)
        usable = _usable(X, y, frame, proposed, found)
    elif certain:  # nothing would be left
        telling = [replace(one, effect=Effect.WARNING) for one in telling]
    # 4. What is odd about the rest.
    tokens = tokens if proposed.na is None else proposed.na
    return _seen(X, y, frame, stated, replace(usable, found=[*usable.found, *telling], tokens=tokens))


@dataclass(frozen=True)
class _Usable:
    """What of a table can be searched, read as is proposed."""

    table: TableFile
    found: list[Finding]
    gaps: Gaps
    data: Dataset | None
    fault: str = ""
    tokens: Collection[str] = ()
    notes: tuple[str, ...] = ()


def _usable(X: Any, y: str, frame: pd.DataFrame, table: TableFile, found: list[Finding]) -> _Usable:
    """Leave out what no search takes and what costs most rows, and read the rest."""
    out = {name for one in found for name in one.columns if one.effect is Effect.LEFT_OUT}
    out = {*out, *table.drop} - {*table.kind, *table.keep}
    part = frame.drop(columns=[name for name in out if name in frame])
    more = [one for one in unusable(part, table.kind) if one.columns != (y,)]
    part = part.drop(columns=[name for one in more for name in one.columns])
    kept = table.missing not in {None, MissingName.DROP_ROWS}  # rows stay, and so do columns
    gaps = gaps_of(part, y, [*part] if kept else table.keep)
    if gaps.drop:
        gaps = gaps_of(part, y, table.keep, told_by_gappy(part, y, table))
    missing = of_gaps(gaps, len(frame), y, table.missing if kept else None)
    more += [missing] if missing else []
    for one in more:
        table = table.with_options(one.fix)
    while True:
        try:
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always", DataWarning)
                data = Dataset(as_frame(X) if isinstance(X, Mapping) else X, y, **_as_one(table))
            break
        except AltselError as fault:
            named = blamed(fault)
            orders = [name for name, kind in table.kind.items() if isinstance(kind, list)]  # as was said
            if named is None or named.columns[0] not in part or named.columns[0] in {y, *table.drop, *orders}:
                return _Usable(table, [*found, *more], gaps, None, str(fault))
            table, more = table.with_options(named.fix), [*more, named]
    known = {name for one in found for name in one.columns if one.effect is Effect.LEFT_OUT} | {*table.drop}
    more += [one for one in data.findings if one.effect is Effect.LEFT_OUT and not known & {*one.columns}]
    own = {one.message for one in data.findings if one.kind == "missing as category"}  # said by of_gaps
    said = [str(one.message) for one in told if issubclass(one.category, DataWarning)]
    notes = tuple(one for one in said if one not in own)
    return _Usable(table, [*found, *more], gaps, data, notes=notes)


def _as_one(table: TableFile) -> dict[str, Any]:
    """Return the arguments of one data set; where there will be several, gaps are a level to look at."""
    told = table.arguments()
    return told if told["missing"] in WAYS else {**told, "missing": "category"}


def _proposal(
    X: Any, frame: pd.DataFrame, found: list[Finding], written: TableFile, tokens: Collection[str]
) -> tuple[TableFile, list[Finding], pd.DataFrame]:
    """Return how to read the table, the findings with what is proposed, and the columns as read so.

    A token of a missing value is read as a category where it may be one, unless columns of numbers need it.
    """

    def read_with(words: Collection[str]) -> tuple[TableFile, list[Finding], pd.DataFrame]:
        table, result = proposed_by(found, written, tokens, words)
        return table, result, frame if table == written else raw(X, table)[0].frame

    def keeps_numbers(words: Collection[str]) -> bool:
        again = read_with(words)[2]
        return all(_is_number(again[name]) or not _is_number(frame[name]) for name in again)

    words = words_of(found, tokens)
    if words and not keeps_numbers(words):
        words = [word for word in words if keeps_numbers([word])]
    return read_with(words)


def _recognised(read: RawTable, y: str, written: TableFile, bad: Collection[str]) -> Iterator[Finding]:
    """Yield what is recognised of columns that are not left out; missing values are looked at later."""
    out = [name for name in [*written.drop, *bad] if name in read.frame]
    used = replace(read, frame=read.frame.drop(columns=out))
    called = {name for name, kind in written.kind.items() if kind in TEXT_AS_NUMBERS}
    found = [
        one
        for one in used.recognised(y, (*written.keep, *(name for name in written.kind if name not in called)))
        if one.kind != "missing values" and (one.kind == TOKEN or not called & {*one.columns})
    ]
    words = {name for one in found if one.kind == TOKEN for name in one.columns}
    yield from (one for one in found if not (words & {*one.columns} and _is_stated(one, read, written)))
    yield from _of_target(read, y, written)
    told = {*out, *written.keep, *(name for one in found for name in one.columns)}
    yield from unnamed(read, told)


def _orders(
    frame: pd.DataFrame, y: str, proposed: TableFile, found: Collection[Finding]
) -> Iterator[Finding]:
    """Yield labels in an order, as the file is read now: of columns of which nothing else is known."""
    out = {name for one in found if one.effect is Effect.LEFT_OUT for name in one.columns}
    known = {*proposed.drop, *proposed.kind, *(out - {*proposed.keep})}
    yield from ordered_labels(frame[[name for name in frame.columns if name not in known]], y)


def _is_stated(one: Finding, read: RawTable, written: TableFile) -> bool:
    """Return whether numbers are read as they are written once words besides them are missing values."""
    if one.kind != "thousands" or written.with_options(one.fix) != written:
        return False
    return all(isinstance(cell, str) for name in one.columns for cell in read.frame[name].dropna())


def _of_target(read: RawTable, y: str, written: TableFile) -> Iterator[Finding]:
    """Yield how the numbers of a target are written, if it is text and has too many labels for classes."""
    if y in written.kind or written.task not in {None, Task.REGRESSION}:
        return
    for column in text_columns(read.frame[[y]]):
        if len(column.labels) > FEW_LEVELS:
            yield from written_numbers(column, read.decimal, (), read.from_file)


def _seen(X: Any, y: str, frame: pd.DataFrame, stated: TableFile, usable: _Usable) -> Look:
    """Look at what can be searched, and put all together."""
    data, found, table = usable.data, usable.found, usable.table
    associated = {} if data is None else associations(data)
    if data is not None:
        found = [
            *(one for one in found if one.kind != "duplicate rows"),
            *duplicates(pd.concat([data.X, data.y], axis=1)),  # as they are read: text may hide copies
            *balance(data),
            *outliers(data, usable.tokens),
            *alike(data),
            *biased(data, associated),
        ]
    reasons = reasons_of(found, stated, table)
    return Look(
        source=str(X) if isinstance(X, (str, Path)) else FRAME,
        target=y,
        task="" if data is None else data.task.value,
        rows=len(frame),
        left=0 if data is None else len(data.y),
        features=0 if data is None else len(data.features),
        units=0 if data is None else len(data.grouped().features),
        columns=tuple(summaries(frame, data, usable.gaps, associated, reasons)),
        findings=tuple(found),
        table=table,
        fault=usable.fault,
        notes=usable.notes,
    )


def _is_number(column: pd.Series[Any]) -> bool:
    return pd.api.types.is_numeric_dtype(column.dtype)


def _refuse_unknown(X: Any, y: str, stated: TableFile, frame: pd.DataFrame) -> None:
    of_kind("y", y, str, "the name of the target's column")
    refuse_unknown(stated.drop, list(frame.columns))
    for name in stated.kind:
        if name not in frame:
            raise ArgumentError(f"kind: there is no column {name!r}{did_you_mean(name, frame.columns)}")
    if y not in frame:
        raise no_target(y, frame.columns, X)
