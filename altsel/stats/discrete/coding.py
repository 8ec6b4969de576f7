"""Codes of whole tables at once: levels of discrete columns, and bins of equal frequency of the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.data.binning import cut
from altsel.data.columns import LARGEST_EXACT, level_numbers
from altsel.data.dataset import Dataset
from altsel.data.intake.blocks import blocks
from altsel.data.schema import CLASSES, FEW_LEVELS, Kind

"""Kinds of numbers that are discrete if they have few levels."""
NARROW = 32
"""Integers that span at most so many values are coded without counting each column by itself."""
FEW_EDGES = 16
"""Up to so many edges of bins are compared with all columns, one edge after the other."""

Codes = npt.NDArray[np.integer[Any]]


def coded(data: Dataset, bins: int) -> Codes:
    """Code all features: levels of discrete ones in sorted order, bins of equal frequency of the others.

    Parameters
    ----------
    data
        The table.
    bins
        Number of bins, at least 2.

    Returns
    -------
    array of shape (features, rows)
        Codes 0, 1, …, every one of which occurs; ``uint8`` if they fit.

    Examples
    --------
    >>> coded(Dataset({"a": [3, 5, 5, 9], "b": [0.5, 1.5, 2.5, 4.5]}, [0, 0, 1, 1]), 2).tolist()
    [[0, 1, 1, 2], [0, 0, 1, 1]]
    """
    return coded_columns(data.X, list(data.kinds.values()), bins)


@dataclass(frozen=True, eq=False)
class CodedTable:
    """Codes of the columns of a table, as `coded` makes them, of which none are held.

    Attributes
    ----------
    table, kinds, bins
        As of `coded_columns`.

    Examples
    --------
    >>> codes = CodedTable(pd.DataFrame({"a": [3, 5, 5], "b": [1, 1, 0]}), [Kind.INTEGER, Kind.BINARY], 2)
    >>> codes.shape, codes[1:].tolist()
    ((2, 3), [[1, 1, 0]])
    """

    table: pd.DataFrame
    kinds: Sequence[Kind]
    bins: int

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of columns and rows."""
        return self.table.shape[1], len(self.table)

    def __getitem__(self, columns: slice) -> Codes:
        """Make the codes of some columns."""
        return coded_columns(self.table.iloc[:, columns], self.kinds[columns], self.bins)


def coded_columns(table: pd.DataFrame, kinds_: Sequence[Kind], bins: int) -> Codes:
    """Code the columns of a table of these kinds, as `coded` does."""
    columns = zip(kinds_, table.dtypes, strict=True)
    kinds = np.array([Kind.CATEGORICAL if dtype.kind == "O" else kind for kind, dtype in columns])
    result: Codes = np.zeros((len(kinds), len(table)), dtype=np.uint8)
    for indices, block, _ in blocks(table):
        codes = _coded(block, kinds[indices], bins)
        result = result.astype(np.promote_types(result.dtype, codes.dtype), copy=False)
        result[indices] = codes
    return result


def _coded(block: npt.NDArray[Any], kinds: npt.NDArray[np.str_], bins: int) -> Codes:
    numeric = kinds == Kind.CONTINUOUS
    rest = np.flatnonzero(~numeric)
    codes = _levels(block if len(rest) == len(block) else block[rest])
    many = ~np.isin(kinds[rest], [*CLASSES]) & (codes.max(axis=1, initial=0) >= FEW_LEVELS)
    numeric[rest[many]] = True
    if not numeric.any():
        return codes
    binned = _binned(block[numeric].astype(float), bins)
    return _merged(~numeric, codes[~many], binned)


def _levels(block: npt.NDArray[Any]) -> Codes:
    """Code the levels of discrete columns."""
    if not len(block):
        return np.empty(block.shape, dtype=np.uint8)
    if block.dtype.kind == "f":
        easy = (block == np.rint(block)).all(axis=1) & (np.abs(block).max(axis=1) <= LARGEST_EXACT)
    else:
        low = block.min(axis=1)
        easy = block.max(axis=1).astype(np.uint64) - low.astype(np.uint64) < NARROW
    if not easy.all():
        one_by_one = np.array([level_numbers(row) for row in block[~easy]])
        return _merged(easy, _levels(block[easy]), _smallest(one_by_one))
    if block.dtype.kind == "f":
        return _levels(block.astype(np.int64))
    return _compacted((block - low[:, None]).astype(np.uint8))


def _binned(block: FloatArray, bins: int) -> Codes:
    """Cut all columns as `cut` does one."""
    if bins > FEW_EDGES:
        return _smallest(np.array([cut(row, bins) for row in block]))
    codes = np.zeros(block.shape, dtype=np.uint8)
    for edges in np.quantile(block, np.linspace(0, 1, bins + 1)[1:-1], axis=1):
        codes += edges[:, None] < block
    return _compacted(codes)


def _compacted(codes: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Renumber codes so that every one below a column's largest occurs."""
    top = codes.max(axis=1)
    occurs = np.array([(codes == level).any(axis=1) for level in range(int(top.max()) + 1)])
    gaps = np.flatnonzero((~occurs & (np.arange(len(occurs))[:, None] < top)).any(axis=0))
    for column in gaps.tolist():
        codes[column] = (np.cumsum(occurs[:, column]) - 1)[codes[column]]
    return codes


def _merged(chosen: BoolArray, these: Codes, others: Codes) -> Codes:
    """Merge the codes of the chosen columns and of the others in the columns' order."""
    result = np.empty((len(chosen), others.shape[1]), dtype=np.promote_types(these.dtype, others.dtype))
    result[chosen], result[~chosen] = these, others
    return result


def _smallest(codes: IntArray) -> Codes:
    return codes.astype(np.uint8 if codes.max() < 256 else np.int32)
