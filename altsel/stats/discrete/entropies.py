"""Plug-in entropies of discrete columns, all pairs at once, from one-hot matrix products."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isqrt
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.runtime.on_demand import OnDemand
from altsel.runtime.progress import counted
from altsel.stats.discrete.binary_pairs import Ones, sums_of_pairs
from altsel.stats.discrete.bit_planes import FEW, MANY, Bits, planes, tables
from altsel.stats.discrete.chance import Margins, expected_information
from altsel.stats.discrete.counts import count_logs, ranges

if TYPE_CHECKING:
    import scipy.sparse as sp
else:
    sp: Any = OnDemand("scipy.sparse")


NUMBER = 8
"""Bytes of a number."""
WIDE = 64
"""A column of more levels is counted sparsely: its dense one-hot block would waste memory."""
BLOCK_BYTES = 64_000_000
"""About what a block's table of counts takes, and what its indicators do."""


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
    def margins(self) -> Margins:
        """How often each level occurs."""
        return Margins.of([self._sizes(index) for index in range(len(self))])

    def _sizes(self, index: int) -> IntArray:
        if not self.few[index]:
            return np.bincount(self.columns[index])
        above = np.bitwise_count(self.bits([index])).sum(axis=1, dtype=np.int64)
        return np.concatenate([[self.rows - above.sum()], above])

    @cached_property
    def entropies(self) -> FloatArray:
        """Plug-in entropy of each column, in nats."""
        sizes = self.margins.sizes
        sums = np.add.reduceat(sizes * np.log(sizes), self.margins.starts)
        return np.asarray(np.log(self.rows) - sums / self.rows)

    def one_hot(self, indices: Sequence[int], rows: slice) -> npt.NDArray[np.float32]:
        """Return the indicators of the chosen columns' levels in some rows."""
        starts = np.concatenate([[0], np.cumsum(self.levels[list(indices)])])
        columns = [self.columns[index][rows] for index in indices]
        block = np.zeros((len(columns[0]), int(starts[-1])), dtype=np.float32)
        row = np.arange(len(block))
        for start, column in zip(starts[:-1], columns, strict=True):
            block[row, start + column] = 1
        return block

    @cached_property
    def binary(self) -> list[int]:
        """Indices of the columns of two values."""
        return np.flatnonzero(self.levels == 2).tolist()

    def sparse(self, indices: Sequence[int]) -> sp.csc_array:
        """Return the same as a sparse matrix."""
        starts = np.concatenate([[0], np.cumsum(self.levels[list(indices)])])
        column = np.concatenate([starts[i] + self.columns[index] for i, index in enumerate(indices)])
        row = np.tile(np.arange(self.rows), len(indices))
        return sp.csc_array((np.ones(len(row)), (row, column)), shape=(self.rows, int(starts[-1])))

    @cached_property
    def few(self) -> BoolArray:
        """Which columns are counted by bits."""
        return np.asarray((self.levels > 1) & (self.levels <= FEW) & (self.rows >= MANY))

    def bits(self, indices: Sequence[int]) -> Bits:
        """Return which rows have each level above 0 of columns of few levels."""
        return self._planes[ranges(self._first_planes[list(indices)], self.levels[list(indices)] - 1)]

    @cached_property
    def _planes(self) -> Bits:
        few = np.flatnonzero(self.few).tolist()
        return planes([self.columns[index] for index in few], self.levels[few])

    @cached_property
    def _first_planes(self) -> IntArray:
        return np.cumsum(np.where(self.few, self.levels - 1, 0)) - (self.levels - 1)

    def blocks(self) -> Iterator[list[int]]:
        """Group narrow columns into blocks whose tables stay small; those of two and of few by themselves."""
        two = self.levels == 2
        for chosen in (two, self.few & ~two, (self.levels <= WIDE) & ~self.few & ~two):
            yield from self._blocks(np.flatnonzero(chosen).tolist())

    def _blocks(self, indices: list[int]) -> Iterator[list[int]]:
        most = min(isqrt(BLOCK_BYTES // NUMBER), max(WIDE, BLOCK_BYTES // (NUMBER * self.rows)))
        block: list[int] = []
        used = 0
        for index in indices:
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
    if first.binary and second.binary:
        one = Ones([first.columns[index] for index in first.binary])
        other = one if same else Ones([second.columns[index] for index in second.binary])
        sums[np.ix_(first.binary, second.binary)] = sums_of_pairs(one, other, logs, BLOCK_BYTES)
    blocks, others = list(first.blocks()), list(second.blocks())
    for number, rows in enumerate(counted(blocks, len(blocks), "blocks of pairs of features")):
        for columns in others[number if same else 0 :]:
            if first.levels[rows[0]] == second.levels[columns[0]] == 2:
                continue
            counts = logs[_counts(first, rows, second, columns)]
            cells = np.add.reduceat(counts, _starts(first.levels[rows]), axis=0)
            sums[np.ix_(rows, columns)] = np.add.reduceat(cells, _starts(second.levels[columns]), axis=1)
    if same:
        sums = np.where(np.isnan(sums), sums.T, sums)
    _fill_wide(sums, first, second)
    _fill_wide(sums.T, second, first)
    joint = np.log(first.rows) - sums / first.rows
    table = np.maximum(first.entropies[:, None] + second.entropies[None, :] - joint, 0.0)
    return np.asarray((table + table.T) / 2 if same else table)


def chance_table(first: Coded, second: Coded) -> FloatArray:
    """Mean of that information over all orders of one column's rows; see `expected_information`."""
    table = expected_information(first.margins, second.margins, first.rows)
    return np.asarray((table + table.T) / 2 if first is second else table)


def _counts(first: Coded, rows: list[int], second: Coded, columns: list[int]) -> IntArray:
    """Count the levels of some columns with those of others: by bits, or some rows of the table at a time."""
    same = first is second and rows == columns
    if first.few[rows].all() and second.few[columns].all():
        bits = first.bits(rows)
        others = bits if same else second.bits(columns)
        return tables(bits, others, (first.levels[rows], second.levels[columns]), first.rows)
    widest = max(int(first.levels[rows].sum()), int(second.levels[columns].sum()))
    step = max(1, min(BLOCK_BYTES // (NUMBER * widest), 1 << 23))  # single precision counts that many
    total: IntArray | None = None
    for start in range(0, first.rows, step):
        part = slice(start, start + step)
        left = first.one_hot(rows, part)
        right = left if same else second.one_hot(columns, part)
        found = (left.T @ right).astype(np.int64)
        total = found if total is None else total + found
    assert total is not None
    return total


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
