"""`recognise`: everything that is odd about a raw table, before a row or a column of it is left out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from altsel.data.dates import are_dates
from altsel.data.findings.finding import Effect, Finding, options
from altsel.data.findings.row_names import empty_columns, row_names, sorted_by
from altsel.data.findings.rows import duplicates, total_rows
from altsel.data.findings.text_columns import TextColumn, same_but_for_blanks, text_columns
from altsel.data.findings.written_numbers import is_spurious, written_numbers
from altsel.data.intake.blocks import columns_where, is_plain
from altsel.errors import listing

WORDS = ("None", "NA", "N/A", "n/a", "none", "null", "NULL")
"""Tokens of a missing value that are words, which a category may be called by."""
FEW, LEAST = 5, 0.05
"""Fewer cells with such a token, or a smaller share of them, make no level that matters."""
Tokens = Mapping[str, Mapping[str, int]]
"""How often each token of a missing value occurs in each column of a file."""


def recognise(
    frame: pd.DataFrame,
    target: str | None = None,
    *,
    keep: Collection[str] = (),
    tokens: Tokens | None = None,
    decimal: str = ".",
    from_file: bool = True,
) -> tuple[Finding, ...]:
    """Recognise what a table holds besides values: each fault once, with what fixes it.

    Nothing is changed. Copies and recodings of columns, and columns that determine the target, are found
    once a table is usable: see `altsel.Dataset`.

    Parameters
    ----------
    frame
        A table as it was read, with its target; missing values as pandas has them.
    target
        Name of the target's column, of which no more is said than that the rows are sorted by it.
    keep
        Columns that are features whatever they look like: nothing is said of them.
    tokens
        How often each token of a missing value occurs in each column of the file.
    decimal
        Decimal sign of the file.
    from_file
        Whether numbers would have been read as such; in a frame few of them as text are meant.

    Returns
    -------
    tuple of Finding
        Kind by kind, in the order of the columns.

    Examples
    --------
    >>> rows = {"nr": range(1, 41), "price": ["1.50 €", "2.00 €", "3.10 €", "4.25 €"] * 10, "y": [0, 1] * 20}
    >>> [(one.kind, one.columns, one.fix) for one in recognise(pd.DataFrame(rows), "y")]
    [('currency', ('price',), '--kind price=numeric'), ('row number', ('nr',), '--keep nr')]
    """
    found = recognise_columns(frame, target, keep=keep, tokens=tokens, decimal=decimal, from_file=from_file)
    left = without_columns(frame, [one for one in found if one.effect is Effect.LEFT_OUT])
    return (*found, *_constant(left, target), *_missing(left), *_rows(left, target))


def recognise_columns(
    frame: pd.DataFrame,
    target: str | None = None,
    *,
    keep: Collection[str] = (),
    tokens: Tokens | None = None,
    decimal: str = ".",
    from_file: bool = True,
) -> list[Finding]:
    """Recognise what single columns are, as `recognise` does, before rows are dropped."""
    kept = {*keep, target}
    open_ = frame[[name for name in frame.columns if name not in kept]]
    found = [*empty_columns(open_)]
    rest = without_columns(open_, found)
    texts = text_columns(rest)
    found += _dates(rest, texts)
    texts = _others(texts, found)
    used = sorted({token for counts in (tokens or {}).values() for token in counts})
    found += [one for column in texts for one in written_numbers(column, decimal, used, from_file)]
    texts = _others(texts, found)
    found += row_names(without_columns(frame, found), texts, target, kept)
    texts = _others(texts, found)
    found += [*_words(frame, texts, tokens or {}, used), *_labels(texts)]
    return found


def without_columns(frame: pd.DataFrame, found: Iterable[Finding]) -> pd.DataFrame:
    """Return a table without the columns of findings."""
    names = {name for one in found for name in one.columns}
    return frame[[name for name in frame.columns if name not in names]] if names else frame


def _others(texts: list[TextColumn], found: Iterable[Finding]) -> list[TextColumn]:
    names = {name for one in found for name in one.columns}
    return [column for column in texts if column.name not in names]


def _dates(frame: pd.DataFrame, texts: list[TextColumn]) -> Iterator[Finding]:
    labels = {column.name: pd.Index(column.labels, dtype=object) for column in texts}
    for index in np.flatnonzero(~columns_where(frame, is_plain)).tolist():
        name = str(frame.columns[index])
        values: Any = labels[name] if name in labels else frame.iloc[:0, index]
        if are_dates(values):
            kind = f"{name}=date"
            message = f"{name!r} holds dates or times; as numbers they are days since 1970"
            yield Finding(
                "date",
                (name,),
                message,
                options("kind", [kind]),
                f"kinds={{{name!r}: 'date'}}",
                Effect.LEFT_OUT,
            )


def _words(
    frame: pd.DataFrame, texts: list[TextColumn], tokens: Tokens, used: list[str]
) -> Iterator[Finding]:
    """Find tokens of a missing value that may be a level of their column.

    They would be the largest or second largest one; or no cell is empty besides, and no numbers have them.
    """
    numeric = [
        tokens[name] for name in tokens if name in frame and pd.api.types.is_numeric_dtype(frame[name].dtype)
    ]
    for column in texts:
        absent = int(frame[column.name].isna().sum())
        for word, count in tokens.get(column.name, {}).items():
            share = count / (column.rows + sum(tokens[column.name].values()))
            if word not in WORDS or count < FEW or share < LEAST or is_spurious(column):
                continue
            alone = count == absent and not any(word in counts for counts in numeric)
            large = count >= np.sort(column.counts)[-2:][0]
            if not (large or alone):
                continue
            others = [token for token in used if token != word] or ["NA" if word != "NA" else "?"]
            held = f"{column.name!r} holds {word!r} in {count:,} cells and no empty one"
            what = f"{word!r} is {share:.0%} of {column.name!r}".replace("%", " %") if large else held
            yield Finding(
                "None as category",
                (column.name,),
                f"{what}: missing, or a category?",
                options("na", others),
                f"reading=Reading(missing={tuple(others)!r})",
            )


def _labels(texts: list[TextColumn]) -> Iterator[Finding]:
    for column in texts:
        group = same_but_for_blanks(column.labels)
        if group:
            message = (
                f"labels of {column.name!r} differ by blanks, capitals or type alone, and count as different"
            )
            yield Finding("label", (column.name,), f"{message}: {listing(group)}", "", "make them the same")


def _constant(frame: pd.DataFrame, target: str | None) -> Iterator[Finding]:
    head = frame.iloc[:2]
    for index, name in enumerate(map(str, frame.columns)):
        values = head.iloc[:, index]
        same = len(head) > 1 and (values.iloc[0] == values.iloc[1]) is not False
        if name != target and same and _one_value(frame.iloc[:, index]):
            yield Finding("constant", (name,), f"{name!r} has one value only", effect=Effect.LEFT_OUT)


def _one_value(column: pd.Series[Any]) -> bool:
    try:
        return len(column.dropna().unique()) == 1
    except Exception:  # lists and the like, which are refused elsewhere
        return False


def _missing(frame: pd.DataFrame) -> Iterator[Finding]:
    counts = frame.isna().sum()
    counts = counts[counts > 0].sort_values(ascending=False, kind="stable")
    if not len(counts):
        return
    left = int(frame.notna().all(axis=1).sum())
    parts = [f"{name!r} ({count:,})" for name, count in counts.iloc[:5].items()]
    more = f" and {len(counts) - 5} more columns" if len(counts) > 5 else ""
    yield Finding(
        "missing values",
        tuple(map(str, counts.index)),
        f"{left:,} of {len(frame):,} rows have no missing value; most are in {', '.join(parts)}{more}",
        "--drop-missing",
        "missing='drop rows'",
        Effect.REMARK,
    )


def _rows(frame: pd.DataFrame, target: str | None) -> Iterator[Finding]:
    yield from duplicates(frame)
    if len(total_rows(frame)):
        yield Finding("total row", (), "the last row sums up those above", "", "leave it out")
    if sorted_by(frame, target):
        message = f"the rows are sorted by {target!r}: what runs with them tells it"
        yield Finding("sorted by target", (), message, effect=Effect.REMARK)
