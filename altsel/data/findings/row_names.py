"""Columns that name the rows: row numbers, ids, free text, and columns without name or values."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from math import log
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import BoolArray
from altsel.data.findings.finding import Effect, Finding, options
from altsel.data.findings.rows import copied_rows
from altsel.data.findings.text_columns import TextColumn
from altsel.data.findings.written_numbers import is_spurious
from altsel.data.intake.blocks import blocks, columns_where, is_plain
from altsel.data.intake.gaps import gaps

ENOUGH_ROWS = 30
"""Rows from which numbers in a steady order, or all different, are no chance."""
HEAD = 64
"""Rows by which most columns of numbers are seen not to be all different."""
COLLISIONS = 10.0
"""Pairs of equal numbers to be expected of measurements, from which it is no chance that one has none."""
WORDS = 3.0
"""Words in a label, in the mean, from which text is free."""
NAMED = re.compile(
    r"(.*[_\s.\-])?(id|ids|pid|uid|uuid|guid|nr|no|number|rownum|rowid|lfd|nummer)\.?|index|idx|key|num|row|code"
    r"|.*[a-z](ID|Id|Nr|No|Number)|.*nummer|unnamed: \d+",
)
"""Names that say that a column names the rows."""
UNNAMED = "Unnamed: "
"""What stands, with its index, for a column that has no name in a file."""


def row_names(
    frame: pd.DataFrame, texts: list[TextColumn], target: str | None, kept: Collection[str | None]
) -> Iterator[Finding]:
    """Find columns that tell one row from another and nothing else.

    Text does if it is different in more than half of the rows. Integers do if they are all different and go
    up or down with the rows, or their name says so (`NAMED`); or if measurements in so narrow a range would
    not be all different: with n rows at least m = n (n - 1) / (2 range) pairs of equal ones are expected,
    whatever their distribution, and none with a probability of about exp(-m). Numbers with fractions are
    measurements.
    """
    for column in texts:
        if is_spurious(column):
            yield _of_text(column)
    order = _order_of(frame, target)
    for index, values in _all_different(frame):
        name = str(frame.columns[index])
        if name not in kept and (kind := _kind(name, values, frame.shape[1])):
            yield _left_out(kind, name, order if kind == "row number" else "")


def empty_columns(frame: pd.DataFrame) -> Iterator[Finding]:
    """Find columns without any value; a file of a spreadsheet ends in some that have no name either."""
    for name in frame.columns[gaps(frame)[1] == len(frame)] if len(frame) else ():
        kind = "unnamed and empty" if str(name).startswith(UNNAMED) else "empty"
        yield Finding(kind, (str(name),), f"{str(name)!r} has no values", effect=Effect.LEFT_OUT)


def sorted_by(frame: pd.DataFrame, target: str | None) -> bool:
    """Return whether the rows are sorted by the target, as far as it is enough of them to be no chance."""
    if target is None or target not in frame or len(frame) < ENOUGH_ROWS:
        return False
    column = frame[target]
    codes = pd.factorize(column, sort=False)[0]
    changes = int((codes[1:] != codes[:-1]).sum())
    if changes == 0:
        return False
    if changes == len(np.unique(codes)) - 1 and changes < len(frame) // 3:
        return True
    numbers = pd.api.types.is_numeric_dtype(column.dtype) and not column.hasnans
    return bool(numbers and (column.is_monotonic_increasing or column.is_monotonic_decreasing))


def _of_text(column: TextColumn) -> Finding:
    words = float(np.mean([len(str(label).split()) for label in column.sample]))
    kind = "free text" if words >= WORDS else "id"
    return _left_out(kind, column.name, f"{len(column.labels):,} labels in {column.rows:,} rows")


def _left_out(kind: str, name: str, why: str = "") -> Finding:
    what = {"row number": "numbers the rows", "id": "names the rows", "free text": "is free text"}[kind]
    return Finding(
        kind,
        (name,),
        f"{name!r} {what}{f' ({why})' if why else ''}: any dependence on it is spurious",
        options("keep", [name]),
        f"keep=[{name!r}]",
        Effect.LEFT_OUT,
    )


def _order_of(frame: pd.DataFrame, target: str | None) -> str:
    return f"and the rows are sorted by {target!r}, which it would tell" if sorted_by(frame, target) else ""


def _all_different(frame: pd.DataFrame) -> Iterator[tuple[int, npt.NDArray[Any]]]:
    """Yield indices and values of columns of integers that are all different, but in rows that are copies.

    Floats are integers only where values are missing, which makes floats of them.
    """
    distinct: BoolArray | None = None
    for index in _likely(frame):
        column = frame.iloc[:, index]
        if pd.api.types.is_float_dtype(column.dtype) and not column.hasnans:
            continue
        values = _numbers(column)
        different = len(np.unique(values)) if len(values) > 2 and _integral(values) else 0
        if len(values) / 2 <= different < len(values):
            distinct = ~copied_rows(frame) if distinct is None else distinct
            values = _numbers(column[distinct])
        if different == len(values) > 2:
            yield index, values


def _likely(frame: pd.DataFrame) -> Iterator[int]:
    """Yield the indices of columns of numbers whose first values are integers and mostly different."""
    numeric = columns_where(frame, _is_numeric)
    plain = columns_where(frame, is_plain) & numeric
    found: list[int] = np.flatnonzero(numeric & ~plain).tolist()
    numbers = np.flatnonzero(plain)
    for indices, values, _ in blocks(frame.iloc[:HEAD, numbers]) if len(numbers) else ():
        ordered = np.sort(values, axis=1)  # missing values come last
        held = values.shape[1] - np.isnan(ordered).sum(axis=1)
        repeated = (ordered[:, 1:] == ordered[:, :-1]).sum(axis=1)
        whole = ((values == np.rint(values)) | np.isnan(values)).all(axis=1)
        found += numbers[indices[whole & (2 * repeated <= held)]].tolist()
    yield from sorted(found)


def _kind(name: str, values: npt.NDArray[Any], columns: int) -> str:
    """Return what integers that are all different are; nothing if they may be measurements."""
    low, high = values[:-1], values[1:]
    if falls := bool((high < low).all()):
        low, high = high, low
    runs = falls or bool((high > low).all())
    rows, named = len(values), bool(NAMED.fullmatch(name) or NAMED.fullmatch(name.casefold()))
    if (
        runs
        and ((high - low) == (high - low)[0]).all()
        and (rows >= ENOUGH_ROWS or (named and high[0] - low[0] == 1))
    ):
        return "row number"
    if rows < ENOUGH_ROWS:
        return ""
    if runs:
        return "row number"
    reach = float(values.max()) - float(values.min())
    narrow = rows * (rows - 1) / 2 >= (COLLISIONS + log(columns)) * reach
    return "id" if narrow or named else ""


def _is_numeric(kind: Any) -> bool:
    if isinstance(kind, pd.SparseDtype) or pd.api.types.is_bool_dtype(kind):
        return False
    return bool(pd.api.types.is_integer_dtype(kind) or pd.api.types.is_float_dtype(kind))


def _numbers(column: pd.Series[Any]) -> npt.NDArray[Any]:
    """Return the values that are not missing, as numpy holds them."""
    held = column.dropna() if column.hasnans else column
    return held.to_numpy(dtype=held.dtype.type if isinstance(held.dtype, np.dtype) else None)


def _integral(values: npt.NDArray[Any]) -> BoolArray | bool:
    if values.dtype.kind != "f":
        return True
    return bool((np.isfinite(values) & (values == np.rint(values))).all())
