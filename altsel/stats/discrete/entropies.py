"""Plug-in entropies of discrete columns, all pairs at once, from one-hot matrix products."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from altsel._types import FloatArray, IntArray
from altsel.runtime.on_demand import OnDemand
from altsel.runtime.progress import counted
from altsel.stats.discrete.counts import count_logs

if TYPE_CHECKING:
    import scipy.sparse as sp
else:
    sp: Any = OnDemand("scipy.sparse")


WIDE = 64
"""A column of more levels is counted sparsely: its dense one-hot block would waste memory."""
BLOCK_BYTES = 64_000_000
BLOCK_LEVELS = 2048
"""A block's table of counts has at most so many rows and columns."""


@dataclass(frozen=True, eq=False)
class Coded:
    """Discrete columns as codes 0, 1, …, every level of which occurs.

    Parameters
    ----------
    columns
        One integer array of the same length a column.
    """

    columns: Sequence[IntArray]

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0])

    @cached_property
    def levels(self) -> IntArray:
        """Number of distinct values of each column."""
        return np.array([int(column.max()) + 1 for column in self.columns])

    @cached_property
    def entropies(self) -> FloatArray:
        """Plug-in entropy of each column, in nats."""
        counts = (np.bincount(column) for column in self.columns)
        return np.array([np.log(self.rows) - (c * np.log(c)).sum() / self.rows for c in counts])

    def one_hot(self, indices: Sequence[int]) -> npt.NDArray[np.floating]:
        """Return the indicator columns of the chosen columns' levels (float32 counts exactly to 2**24)."""
        starts = np.concatenate([[0], np.cumsum(self.levels[list(indices)])])
        block = np.zeros((self.rows, int(starts[-1])), dtype=np.float32 if self.rows < 2**24 else np.float64)
        row = np.arange(self.rows)
        for start, index in zip(starts[:-1], indices, strict=True):
            block[row, start + self.columns[index]] = 1
        return block

    def sparse(self, indices: Sequence[int]) -> sp.csc_array:
        """Return the same as a sparse matrix."""
        starts = np.concatenate([[0], np.cumsum(self.levels[list(indices)])])
        column = np.concatenate([starts[i] + self.columns[index] for i, index in enumerate(indices)])
        row = np.tile(np.arange(self.rows), len(indices))
        return sp.csc_array((np.ones(len(row)), (row, column)), shape=(self.rows, int(starts[-1])))

    def blocks(self) -> Iterator[list[int]]:
        """Group the narrow columns into blocks whose one-hot matrix stays small."""
        most = min(BLOCK_LEVELS, max(WIDE, BLOCK_BYTES // (4 * self.rows)))
        block: list[int] = []
        used = 0
        for index in np.flatnonzero(self.levels <= WIDE).tolist():
            if block and used + self.levels[index] > most:
                yield block
                block, used = [], 0
            block.append(index)
            used += int(self.levels[index])
        if block:
            yield block


def mutual_information_table(first: Coded, second: Coded) -> FloatArray:
    """Plug-in mutual information of all pairs of columns, in nats.

    ``I(A; B) = H(A) + H(B) - H(A, B)`` with the observed frequencies; never negative.

    Parameters
    ----------
    first, second
        Columns of the same rows. If they are the same object only half the pairs are counted.

    Returns
    -------
    array of shape (len(first), len(second))

    Examples
    --------
    >>> a = Coded([np.array([0, 0, 1, 1])])
    >>> bool(np.isclose(mutual_information_table(a, a)[0, 0], np.log(2)))
    True
    """
    sums = np.full((len(first), len(second)), np.nan)  # of c log c over the cells of each pair's table
    same = first is second
    logs = count_logs(first.rows)
    blocks = list(first.blocks())
    for rows in counted(blocks, len(blocks), "blocks of pairs of features"):
        left = first.one_hot(rows)
        for columns in second.blocks():
            if same and columns[-1] < rows[0]:
                continue
            right = left if same and rows == columns else second.one_hot(columns)
            counts = logs[(left.T @ right).astype(np.int64)]
            cells = np.add.reduceat(counts, _starts(first.levels[rows]), axis=0)
            sums[np.ix_(rows, columns)] = np.add.reduceat(cells, _starts(second.levels[columns]), axis=1)
    if same:
        sums = np.where(np.isnan(sums), sums.T, sums)
    _fill_wide(sums, first, second)
    _fill_wide(sums.T, second, first)
    joint = np.log(first.rows) - sums / first.rows
    table = np.maximum(first.entropies[:, None] + second.entropies[None, :] - joint, 0.0)
    return np.asarray((table + table.T) / 2 if same else table)


def _starts(levels: IntArray) -> IntArray:
    return np.asarray(np.concatenate([[0], np.cumsum(levels[:-1])]), dtype=np.int64)


def _fill_wide(sums: FloatArray, wide: Coded, other: Coded) -> None:
    """Fill the pairs of columns with many levels; all partners of one in a single sparse product."""
    indices = np.flatnonzero(wide.levels > WIDE).tolist()
    if not indices:
        return
    everything = list(range(len(other)))
    partners = other.sparse(everything)
    owner = np.repeat(everything, other.levels)
    for index in indices:
        counts = sp.csr_array(wide.sparse([index]).T @ partners)
        values = counts.data * np.log(counts.data)
        sums[index] = np.bincount(owner[counts.indices], weights=values, minlength=len(other))
