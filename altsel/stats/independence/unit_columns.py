"""Correlations of one column of a wide table with all: of columns that are kept, or made again each time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import FloatArray, IntArray
from altsel.data.columns import moderate
from altsel.data.intake.blocks import blocks
from altsel.runtime.clock import clock

HELD = 1 << 30
"""Bytes up to which columns are kept as floats; larger tables are gone through for each correlation."""


class UnitColumns:
    """The columns of a table, and one more behind them, centred and of length 1.

    Parameters
    ----------
    table
        Numbers, and categories that count as 0, 1, 2, …; no column is constant.
    last
        Shape (rows,).

    Examples
    --------
    >>> table = pd.DataFrame({"a": [1, 2, 3], "b": [5, 1, 3]})
    >>> UnitColumns(table, np.array([1.0, 2.0, 3.0])).products(1).round(3).tolist()
    [-0.5, 1.0, -0.5]
    """

    def __init__(self, table: pd.DataFrame, last: FloatArray) -> None:
        self.table = table
        self.last: FloatArray = _unit(last[None])[0]
        self.width = table.shape[1] + 1
        held = 8 * len(last) * self.width <= HELD
        self._held = self._filled() if held else None

    def products(self, index: int) -> FloatArray:
        """Correlate one column with all."""
        if self._held is not None:
            return np.asarray(self._held @ self._held[index])
        column, found = self._column(index), np.empty(self.width)
        for indices, unit in unit_blocks(self.table):
            found[indices] = unit @ column
        found[-1] = self.last @ column
        return found

    def _column(self, index: int) -> FloatArray:
        if index == self.width - 1:
            return self.last
        values = next(iter(blocks(self.table.iloc[:, [index]]))).values
        return np.asarray(_unit(values)[0])

    def _filled(self) -> FloatArray:
        held = np.empty((self.width, len(self.last)))
        for indices, unit in unit_blocks(self.table):
            held[indices] = unit
        held[-1] = self.last
        return held


def unit_blocks(table: pd.DataFrame) -> Iterator[tuple[IntArray, FloatArray]]:
    """Yield the places of some columns of a table, and the columns centred and of length 1, as rows."""
    for indices, values, _ in blocks(table):
        clock().check()
        yield indices, _unit(values)


def _unit(values: npt.NDArray[np.generic]) -> FloatArray:
    """Centre rows, and bring them to length 1."""
    x = moderate(values.astype(float).T).T
    x = x - x.mean(axis=1, keepdims=True)
    return np.asarray(x / np.sqrt(np.einsum("ij,ij->i", x, x))[:, None])
