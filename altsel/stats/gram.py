"""Correlations of long tables from sums of products, a part of the rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from altsel._types import BoolArray, FloatArray
from altsel.data.intake.blocks import matrix

CELLS = 1 << 17
"""Cells of a part, so that it stays in the processor's cache."""
LEAST_ROWS = 256
"""Rows of a part, however many columns there are."""
LOST = 16.0
"""A sum of squares may be so many times what the mean leaves of it: then one digit is lost."""
LARGEST = 1e140
"""Sums of squares up to this, and down to one part of it, have products that are numbers."""
Parts = Callable[[], Iterator[FloatArray]]
"""Begins to go through the rows: parts of shape (rows, columns)."""


def parts_of_table(table: pd.DataFrame) -> Parts:
    """Return what goes through the rows of a table as floats, categories by their codes.

    Examples
    --------
    >>> [part.tolist() for part in parts_of_table(pd.DataFrame({"a": [1, 2], "b": [0.5, 0.1]}))()]
    [[[1.0, 0.5], [2.0, 0.1]]]
    """
    held = _held(table)
    if held is not None:
        return parts_of_array(held)
    return lambda: (matrix(table.iloc[rows]) for rows in _rows(*table.shape))


def _held(table: pd.DataFrame) -> FloatArray | None:
    """Return the array that holds a table, if it is one of floats."""
    head = table.iloc[:1]
    if not table.shape[1] or not (head.dtypes == np.float64).all():
        return None
    return table.to_numpy() if np.shares_memory(head.to_numpy(), head.iloc[:, 0].to_numpy()) else None


def parts_of_array(columns: FloatArray) -> Parts:
    """Return what goes through the rows of an array."""
    return lambda: (columns[rows] for rows in _rows(*columns.shape))


def _rows(rows: int, columns: int) -> Iterator[slice]:
    """Divide rows into parts."""
    step = max(CELLS // max(columns, 1), LEAST_ROWS)
    return (slice(begin, begin + step) for begin in range(0, rows, step))


def correlations(parts: Parts, against: FloatArray | None = None) -> FloatArray:
    """Correlate all columns with each other, or with one more; constant ones have correlation 0.

    ``r_ij = sum (x_i - m_i) (x_j - m_j) / sqrt(sum (x_i - m_i)^2 sum (x_j - m_j)^2)``.

    1. Sum products about the means of the first rows, or about 0 where these are small, and take off what the
       true means make of them.
    2. Where that loses digits, or numbers are too large or small, begin again with the true means, and in
       units of a power of two near the largest number.

    Parameters
    ----------
    parts
        Goes through the rows.
    against
        One number a row.

    Returns
    -------
    array
        Shape (columns, columns); with `against` (columns,).

    Examples
    --------
    >>> correlations(parts_of_array(np.array([[1.0, 5], [2, 1], [3, 3]]))).tolist()
    [[1.0, -0.5], [-0.5, 1.0]]
    """
    first = next(parts())
    with np.errstate(over="ignore", invalid="ignore"):
        about = _centres(first if against is None else np.column_stack([first, against[: len(first)]]))
        products = _Products(parts, against, about, None)
    flat = np.zeros(len(about), dtype=bool)
    if not products.trusted:
        means, unit, flat = _moments(parts if against is None else with_column(parts, against))
        products = _Products(parts, against, means, unit)
    return products.correlations(flat)


def _centres(rows: FloatArray) -> FloatArray:
    """Return the means of columns, 0 where they are smaller than the spread: no digits are lost about 0."""
    means = rows.mean(axis=0)
    return np.asarray(np.where(np.abs(means) > rows.std(axis=0), means, 0.0))


class _Products:
    """Sums of products of differences from some centres, of all columns or of each with another one.

    Parameters
    ----------
    parts
        Goes through the rows.
    against
        The other column.
    centres
        One a column, in its unit, that of the other one last.
    unit
        One a column; None: 1.
    """

    def __init__(
        self, parts: Parts, against: FloatArray | None, centres: FloatArray, unit: FloatArray | None
    ) -> None:
        columns, rows, self.last = len(centres), 0, against is not None
        sums, squares = np.zeros(columns), np.zeros(columns)
        table = np.zeros(columns if self.last else (columns, columns))
        own = slice(0, columns - self.last)
        for part in parts():
            some = slice(rows, rows + len(part))
            rows, ones = some.stop, np.ones(len(part))
            centred = _differences(part, centres[own], None if unit is None else unit[own])
            sums[own] += ones @ centred
            if against is None:
                table += centred.T @ centred
                continue
            other = _differences(against[some], centres[-1:], None if unit is None else unit[-1:])
            sums[-1] += other.sum()
            table += np.append(other @ centred, other @ other)
            squares += np.append(np.einsum("ij,ij->j", centred, centred), other @ other)
        self.squares = squares if self.last else table.diagonal().copy()
        taken = sums * sums / rows
        self.left = np.maximum(self.squares - taken, 0.0)
        self.table = table - (sums * sums[-1] if self.last else np.outer(sums, sums)) / rows

    @property
    def trusted(self) -> bool:
        """Whether no digits are lost."""
        finite = bool(np.isfinite(self.table).all() and np.isfinite(self.squares).all())
        inside = (self.left > 1 / LARGEST) & (self.left < LARGEST)
        return finite and bool((inside & (self.squares <= LOST * self.left)).all())

    def correlations(self, flat: BoolArray) -> FloatArray:
        """Divide by lengths; the root of a product is that of a square for copies, and so exact."""
        left = np.where(flat, 0.0, self.left)
        products = left * left[-1] if self.last else np.outer(left, left)
        length = np.sqrt(products, out=products)
        table = np.divide(self.table, length, out=np.zeros(length.shape), where=length > 0)
        table = np.clip(table, -1.0, 1.0, out=table)
        return np.asarray(table[:-1] if self.last else table)


def _differences(columns: FloatArray, centres: FloatArray, unit: FloatArray | None) -> FloatArray:
    """Return differences of columns in a unit from their centres, the columns themselves if these are 0."""
    scaled = columns if unit is None else columns / unit
    return scaled - centres if centres.any() else scaled


def _moments(parts: Parts) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return means in units, the units, and which columns are constant."""
    low = np.min([part.min(axis=0) for part in parts()], axis=0)
    high = np.max([part.max(axis=0) for part in parts()], axis=0)
    size = np.ldexp(1.0, np.frexp(np.maximum(np.abs(low), np.abs(high)))[1] - 1)  # divides without rounding
    rows, sums = 0, np.zeros(len(low))
    for part in parts():
        rows += len(part)
        sums += (part / size).sum(axis=0)
    return sums / rows, size, low == high


def with_column(parts: Parts, column: FloatArray) -> Parts:
    """Return parts with one more column at their end, of one number a row."""

    def extended() -> Iterator[FloatArray]:
        begin = 0
        for part in parts():
            yield np.column_stack([part, column[begin : begin + len(part)]])
            begin += len(part)

    return extended
