"""What is recognised of rows: copies of each other, totals at the end, rows without values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.data.findings.finding import Finding
from altsel.data.intake.blocks import blocks, columns_where, is_plain
from altsel.data.schema import FEW_LEVELS

TOTAL = re.compile(
    r"(grand |sub)?totals?:?|sums?:?|summen?:?|gesamt(summe)?:?|insgesamt:?|total général|suma:?|totale:?|"
    r"averages?:?|means?:?|durchschnitt:?|mittelwert:?",
    re.IGNORECASE,
)
"""What stands in a row that sums up those above."""
FILLED = 0.9
"""Share of a column that is filled, from which an empty cell of a last row says something."""
LEAST_SHARE, SURPRISE = 0.01, 100.0
"""Share of the rows that are copies, and their pairs in units of what chance gives, from which it is said."""
FIRST = 1024
"""Columns by which rows that differ are told first."""
MOST_FINE, ALIKE = 4, 0.9
"""Columns of measurements that chance is found from, and the correlation that makes two of them one."""


def copied_rows(frame: pd.DataFrame) -> BoolArray:
    """Return which rows are copies of earlier ones.

    Examples
    --------
    >>> copied_rows(pd.DataFrame({"a": [1.5, 2.0, 1.5], "b": ["x", "y", "x"]})).tolist()
    [False, False, True]
    """
    signs = _signs(frame)
    result = np.ones(len(signs), dtype=bool)
    result[np.unique(signs, return_index=True)[1]] = False
    return result


def duplicates(frame: pd.DataFrame) -> Iterator[Finding]:
    """Find rows that are copies of others, with what they do to tests and folds."""
    copied = surprising_copies(frame)
    if copied:
        yield Finding(
            "duplicate rows",
            (),
            f"{copied:,} of {len(frame):,} rows are copies of others: tests count them as evidence, and "
            "folds have the same rows on both sides; leave them out",
            "--unique-rows",
            "unique_rows=True",
        )


def surprising_copies(frame: pd.DataFrame) -> int:
    """Return how many rows are copies of others, 0 if they are few or may be so by chance.

    By chance, pairs of equal rows are as many as if the columns with many values were independent; of columns
    that are correlated one is counted. Where none has many values, rows that occur about equally often, more
    than once, are no chance either.
    """
    signs = _signs(frame.iloc[:, :FIRST])
    if frame.shape[1] > FIRST and len(np.unique(signs)) < len(frame):  # else rows of all columns differ, too
        signs = _signs(frame)
    first, times = np.unique(signs, return_index=True, return_counts=True)[1:]
    copied = len(signs) - len(first)
    if copied < max(LEAST_SHARE * len(signs), 2):
        return 0
    pairs = float((times * (times - 1) // 2).sum())
    unlikely = pairs >= SURPRISE * _expected_pairs(frame.iloc[np.sort(first)], len(signs))
    return copied if unlikely or _written_again(times) else 0


def total_rows(frame: pd.DataFrame, most: int = 3) -> list[int]:
    """Return which of the last rows sum up those above.

    One cell says so, as no cell above it does; and another is the sum or the mean of its column, or is empty
    where nearly all above it are filled.

    Examples
    --------
    >>> total_rows(pd.DataFrame({"who": ["a", "b", "Total"], "paid": [3.0, 4.0, 7.0]}))
    [2]
    """
    found: list[int] = []
    for row in range(len(frame) - 1, max(len(frame) - 1 - most, 1), -1):
        if not _sums_up(frame, row):
            break
        found.append(row)
    return found[::-1]


def _sums_up(frame: pd.DataFrame, row: int) -> bool:
    cells, above = frame.iloc[row], frame.iloc[:row]
    says = [
        j
        for j, cell in enumerate(cells)
        if isinstance(cell, str) and TOTAL.fullmatch(cell.strip()) is not None
    ]
    if not says or any((above.iloc[:, j] == cells.iloc[j]).any() for j in says):
        return False
    others = [j for j in range(frame.shape[1]) if j not in says]
    return any(
        above.iloc[:, j].notna().mean() >= FILLED
        if pd.isna(cells.iloc[j])
        else _is_sum(above.iloc[:, j], cells.iloc[j])
        for j in others
    )


def _is_sum(above: pd.Series[Any], cell: Any) -> bool:
    values = pd.to_numeric(above, errors="coerce").to_numpy(dtype=float)
    total = pd.to_numeric(pd.Series([cell], dtype=object), errors="coerce").iloc[0]
    held = values[~np.isnan(values)]
    return bool(len(held) > 1 and np.isclose(total, [held.sum(), held.mean()], rtol=1e-3, atol=0).any())


def _signs(frame: pd.DataFrame) -> npt.NDArray[np.uint64]:
    """Return a number of each row's cells: a sum of products with random odd numbers, modulo 2^64."""
    factors = np.random.default_rng(0).integers(0, 2**63, frame.shape[1], dtype=np.uint64) * np.uint64(2)
    signs = np.zeros(len(frame), dtype=np.uint64)
    plain = columns_where(frame, is_plain)
    numbers = np.flatnonzero(plain)
    for indices, values, _ in blocks(frame.iloc[:, numbers]) if len(numbers) else ():
        cells = values.astype(float) + 0.0  # no -0.0
        cells[np.isnan(cells)] = np.nan
        signs += _mixed(cells.view(np.uint64), factors[numbers[indices]] + np.uint64(1))
    for index in np.flatnonzero(~plain).tolist():
        codes = _codes(frame.iloc[:, index])
        signs += _mixed(codes.view(np.uint64)[None], factors[[index]] + np.uint64(1))
    return signs


def _mixed(bits: npt.NDArray[np.uint64], factors: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Sum the cells of each row; shape (columns, rows). Small integers have their bits on top, as floats."""
    mixed = (bits ^ (bits >> np.uint64(32))) * factors[:, None]
    return np.asarray((mixed ^ (mixed >> np.uint64(29))).sum(axis=0, dtype=np.uint64))


def _codes(column: pd.Series[Any]) -> IntArray:
    """Return a number of each label."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.cat.codes.to_numpy().astype(np.int64)
    try:
        return np.asarray(pd.factorize(column)[0], dtype=np.int64)
    except Exception:  # lists and the like, which are refused elsewhere; libraries have errors of their own
        return np.arange(len(column))


def _expected_pairs(unique: pd.DataFrame, rows: int) -> float:
    """Return how many pairs of so many rows are equal by chance, given the rows that differ."""
    pairs, alone = rows * (rows - 1) / 2, len(unique) * (len(unique) - 1) / 2
    fine: list[tuple[float, FloatArray]] = []
    for index in range(unique.shape[1]):
        column = unique.iloc[:, index]
        if not isinstance(column.dtype, np.dtype) or column.dtype.kind not in "iuf":
            continue
        values = column.to_numpy(dtype=float)
        times: IntArray = np.unique(values, return_counts=True)[1]
        if len(times) > FEW_LEVELS and not np.isnan(values).any():
            same = float((times * (times - 1) // 2).sum()) / max(alone, 1)
            fine.append((max(same, 1 / len(times)) if rows > 2 * len(times) else same, values))
    chosen: list[FloatArray] = []
    for share, values in sorted(fine, key=lambda one: one[0]):
        if len(chosen) < MOST_FINE and not any(
            abs(np.corrcoef(values, one)[0, 1]) >= ALIKE for one in chosen
        ):
            chosen.append(values)
            pairs *= share
    return pairs


def _written_again(times: IntArray) -> bool:
    """Return whether rows occur about equally often, and more than once."""
    mean = float(times.mean())
    return len(times) > FEW_LEVELS and mean >= 1.5 and float(times.var()) < mean / 4
