"""Rows of a file that belong to no case: without values, totals, headers, what is noted below the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from altsel._types import BoolArray
from altsel.data.findings.finding import Effect, Finding
from altsel.data.findings.row_names import UNNAMED
from altsel.data.findings.rows import total_rows
from altsel.errors import listing

MOST_NOTES, FEWEST_COLUMNS, ABOVE = 20, 3, 50
"""Most lines below a table, columns from which one filled cell is a note, and rows that these are unlike."""


def rows_of_cases(frame: pd.DataFrame) -> tuple[BoolArray, list[Finding]]:
    """Return which rows of a table are cases, and what the others are.

    Examples
    --------
    >>> rows = [["a", 1.0, 2.0], ["b", 2.0, 2.5], [None] * 3, ["Total", 3.0, 4.5], ["Source: us", None, None]]
    >>> kept, found = rows_of_cases(pd.DataFrame(rows))
    >>> kept.tolist(), [one.kind for one in found]
    ([True, True, False, False, False], ['empty lines', 'note', 'total row'])
    """
    empty = _empty(frame)
    kept = ~empty
    found = [_finding("empty lines", int(empty.sum()), "empty lines are")] if empty.any() else []
    headers = _headers(frame)
    if headers:
        found.append(_finding("repeated header", len(headers), "lines that repeat the header are"))
        kept[headers] = False
    notes = list(_notes(frame, kept))
    if notes:
        texts = [str(frame.iloc[row, 0]) for row in notes[::-1]]
        found.append(_finding("note", len(notes), f"lines below the table ({listing(texts, 2)}) are"))
        kept[notes] = False
    held = np.flatnonzero(kept)
    totals = [int(held[row]) for row in total_rows(frame.iloc[held])]
    if totals:
        found.append(_finding("total row", len(totals), "rows that sum up those above are"))
        kept[totals] = False
    return kept, found


def _finding(kind: str, count: int, what: str) -> Finding:
    if count == 1:
        what = what.replace("lines are", "line is").replace("rows that sum", "row that sums")
        what = what.replace("lines that repeat", "line that repeats")
        what = what.replace("lines below", "line below").replace(" are", " is")
    return Finding(kind, (), f"{count:,} {what} skipped", effect=Effect.SKIPPED)


def _empty(frame: pd.DataFrame) -> BoolArray:
    result = np.zeros(len(frame), dtype=bool)
    if frame.shape[1] < 2:
        return result
    likely = np.flatnonzero(frame.iloc[:, 0].isna().to_numpy())
    if len(likely):
        result[likely] = frame.iloc[likely].isna().all(axis=1).to_numpy()
    return result


def _headers(frame: pd.DataFrame) -> list[int]:
    """Return the rows that hold the names of the columns, as where files were put together."""
    names = [str(name) for name in frame.columns]
    if len(names) < 2:
        return []
    likely = np.flatnonzero((frame.iloc[:, 0].astype(object) == names[0]).to_numpy())
    rows = ((row, frame.iloc[row].astype(object).tolist()) for row in likely.tolist())
    return [row for row, cells in rows if all(map(_is_named, cells, names))]


def _is_named(cell: Any, name: str) -> bool:
    return bool(pd.isna(cell)) if name.startswith(UNNAMED) else str(cell).strip() == name.strip()


def _notes(frame: pd.DataFrame, kept: BoolArray) -> Iterator[int]:
    """Yield the last rows of which only the first cell is filled, if those above them have more."""
    held = np.flatnonzero(kept)
    if frame.shape[1] < FEWEST_COLUMNS or len(held) < FEWEST_COLUMNS:
        return
    tail = frame.iloc[held[-ABOVE:]].notna().to_numpy()
    alone = tail[:, 0] & ~tail[:, 1:].any(axis=1)
    number = len(alone) if alone.all() else int(np.argmin(alone[::-1]))
    if number <= MOST_NOTES and not alone[: len(alone) - number].any():
        yield from held[::-1][:number].tolist()
