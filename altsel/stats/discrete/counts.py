"""Count discrete columns against a grouping of the rows, many columns at once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from altsel._types import FloatArray, IntArray
from altsel.runtime.memory import require
from altsel.stats.discrete.bit_planes import in_both, packed
from altsel.stats.discrete.coding import CodedTable
from altsel.stats.discrete.compiled import LOOPS
from altsel.stats.discrete.levels import CELLS, exchange_with_first, level_totals, most_frequent

FEW_GROUPS = 12
"""Up to so many groups the rows are counted by bits, 64 rows at a time."""
SPREAD = 1
"""Strata are renumbered when their numbers would be more than so many times the rows."""
REMEMBERED = 32_000_000
"""Rows of strata remembered, summed over all conditioning sets."""
PER_CODE = 4
"""Bytes a row of a column takes, with the rows above level 0 or the bits of levels; found by measuring."""
PER_BIT = 0.5
"""The same where codes are not held, with what counting takes besides."""
FEWER = "count fewer columns, or a sample of the rows"


class Columns:
    """Discrete columns, ready to be counted against any grouping of the rows.

    The most frequent level of a column is its level 0; only the rows at other levels are ever
    counted, the rest follows from the size of the groups.

    Parameters
    ----------
    codes
        Shape (columns, rows): codes 0, 1, … of each column, every one of which occurs. Those of a
        `CodedTable` are not held, but for the bits of their levels, until all of them are wanted.
    """

    def __init__(self, codes: npt.ArrayLike | CodedTable) -> None:
        self._given = codes if isinstance(codes, CodedTable) else np.asarray(codes)
        number, self.rows = self._given.shape
        held = not isinstance(codes, CodedTable)
        require((PER_CODE if held else PER_BIT) * number * self.rows, self._what(number), FEWER)
        width = number if held else max(1, CELLS // max(self.rows, 1))
        self._slices = [slice(first, first + width) for first in range(0, number, width)]
        levels, totals = zip(*map(self._levels_and_totals, self._slices), strict=True)
        self.levels: IntArray = np.concatenate(levels)
        self.totals: IntArray = np.concatenate(totals)
        self._tops = most_frequent(self.totals, self.all_starts)
        first, top = self.all_starts, self.all_starts + self._tops
        self.totals[first], self.totals[top] = self.totals[top], self.totals[first]
        self._strata: OrderedDict[tuple[int, ...], tuple[npt.NDArray[np.signedinteger], int]] = OrderedDict()
        if held:
            self._given = self.codes  # what was given need not stay

    def __len__(self) -> int:
        return len(self.levels)

    def _what(self, number: int) -> str:
        return f"counts of {number:,} columns of {self.rows:,} rows"

    def _levels_and_totals(self, some: slice) -> tuple[IntArray, IntArray]:
        own = self._given[some]
        levels = own.max(axis=1).astype(np.int64) + 1
        return levels, level_totals(own, levels)

    @cached_property
    def codes(self) -> npt.NDArray[Any]:
        """The codes of all columns, shape (columns, rows)."""
        require(PER_CODE * len(self) * self.rows, self._what(len(self)), FEWER)
        if len(self._slices) == 1:
            return self.part(slice(None))
        made = np.empty((len(self), self.rows), dtype=self._type)
        for some in self._slices:
            made[some] = self.part(some)
        return made

    @property
    def _type(self) -> type[np.integer[Any]]:
        return np.uint8 if self.levels.max() <= 256 else np.int32

    def part(self, some: slice) -> npt.NDArray[Any]:
        """Return the codes of some columns."""
        if "codes" in self.__dict__:
            return self.codes[some]
        made = self._given[some].astype(self._type)
        exchange_with_first(made, self._tops[some])
        return made

    def code(self, index: int) -> npt.NDArray[Any]:
        """Return the codes of one column."""
        return np.asarray(self.part(slice(index, index + 1))[0])

    def strata(self, indices: Sequence[int]) -> tuple[npt.NDArray[np.signedinteger], int]:
        """Return the rows' combinations of some columns numbers; the last ones are remembered.

        Returns
        -------
        tuple
            A number below the second entry for each row. Not every such number need occur; they
            are at most `SPREAD` times as many as the rows.
        """
        key = tuple(indices)
        known = self._strata.get(key)
        if known is not None:
            self._strata.move_to_end(key)
            return known
        found: npt.NDArray[np.signedinteger] = np.zeros(self.rows, dtype=np.int32)
        number = 1
        for index in key:
            width = int(self.levels[index])
            if number * width >= 2**31:
                found = found.astype(np.int64)
            found *= found.dtype.type(width)
            found += self.code(index)
            number *= width
            if number > SPREAD * self.rows + 64:
                found, number = compact(found, number)
        self._strata[key] = found, number
        if len(self._strata) * self.rows > REMEMBERED:
            self._strata.popitem(last=False)
        return found, number

    def starts(self, indices: IntArray) -> IntArray:
        """Return where each column's levels begin in a table of these columns."""
        ends = np.cumsum(self.levels[indices])
        return ends - self.levels[indices]

    @cached_property
    def all_starts(self) -> IntArray:
        """Return where each column's levels begin in a table of all columns."""
        return self.starts(np.arange(len(self)))

    def counts(
        self,
        groups: IntArray,
        number: int,
        indices: IntArray | None = None,
        sizes: IntArray | None = None,
    ) -> IntArray:
        """Count every level of some columns in every group of rows.

        Parameters
        ----------
        groups
            Group of each row, 0 to `number` - 1.
        indices
            The columns; None: all, which costs less than naming more than half of them.
        sizes
            Number of rows in each group, if known.

        Returns
        -------
        array of shape (levels of all these columns, number)
        """
        by_bits = number <= FEW_GROUPS
        starts = self.all_starts if indices is None else self.starts(indices)
        count = self._by_bits if by_bits else self._by_rows
        table = count(groups, number, indices, starts)
        sizes = np.bincount(groups, minlength=number) if sizes is None else sizes
        kernels = LOOPS.ready()
        if kernels is not None:
            kernels.fill(table, starts, sizes)
        else:
            table[starts] = sizes - np.add.reduceat(table, starts, axis=0)  # level 0 is still empty
        return table

    @cached_property
    def logs(self) -> FloatArray:
        """``c log c`` of every count c that can occur."""
        return count_logs(self.rows)

    @cached_property
    def rare(self) -> tuple[IntArray, npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Rows above level 0: where each column's begin, the rows, and their levels in a table of all."""
        ends = np.concatenate([[0], np.cumsum(self.rows - self.totals[self.all_starts])])
        rows, levels = (np.empty(int(ends[-1]), dtype=np.int32) for _ in range(2))
        for column, (first, last) in enumerate(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)):
            rows[first:last] = found = np.flatnonzero(self.codes[column])
            levels[first:last] = self.codes[column, found]
            levels[first:last] += np.int32(self.all_starts[column])
        return ends, rows, levels

    def _by_rows(self, groups: IntArray, number: int, indices: IntArray | None, starts: IntArray) -> IntArray:
        """Count all levels but 0 row by row."""
        ends, rows, levels = self.rare
        height = len(self.totals) if indices is None else int(starts[-1] + self.levels[indices[-1]])
        kernels = LOOPS.ready()
        if kernels is not None:
            table = np.zeros((height, number), dtype=np.int64)
            chosen = slice(None) if indices is None else indices
            shift = starts - self.all_starts[chosen]
            kernels.count(ends[:-1][chosen], ends[1:][chosen], shift, rows, levels, groups, table)
            return table
        if indices is not None:
            lengths = np.diff(ends)[indices]
            wanted = ranges(ends[indices], lengths)
            shift = starts - self.all_starts[indices]
            levels = levels[wanted] + np.repeat(shift, lengths).astype(np.int32)
            rows = rows[wanted]
        wide: np.dtype[np.signedinteger] = np.dtype(np.int32 if height * number < 2**31 else np.int64)
        keys = np.multiply(levels, number, dtype=wide)
        keys += groups.astype(wide)[rows]
        return np.bincount(keys, minlength=height * number).reshape(height, number)

    @cached_property
    def _bits(self) -> npt.NDArray[np.uint64]:
        """Which rows have which level above 0, packed; shape (levels but the first ones, words)."""
        words = np.empty((int(self.levels.sum()) - len(self), (self.rows + 63) // 64), dtype=np.uint64)
        first, width = self.all_starts - np.arange(len(self)), max(1, CELLS // self.rows)
        for begin in range(0, len(self), width):
            some = slice(begin, begin + width)
            own = self.part(some)
            for level in range(1, int(self.levels[some].max())):
                has = self.levels[some] > level
                words[first[some][has] + level - 1] = packed((own if has.all() else own[has]) == level)
        return words

    @cached_property
    def _all_above(self) -> IntArray:
        """Where the levels above 0 are in a table of all columns."""
        return ranges(self.all_starts + 1, self.levels - 1)

    def _by_bits(self, groups: IntArray, number: int, indices: IntArray | None, starts: IntArray) -> IntArray:
        """Count all levels but 0 by bits, in all groups but 0, whose counts are the rest."""
        bits, own, height = self._bits, self._all_above, len(self.totals)
        totals = self.totals[own]
        if indices is not None:
            above = self.levels[indices] - 1
            wanted = ranges(self.all_starts[indices] - indices, above)
            bits, totals = bits[wanted], totals[wanted]
            own = ranges(starts + 1, above)
            height = int(starts[-1] + self.levels[indices[-1]])
        table = np.zeros((height, number), dtype=np.int64)
        counted = in_both(bits, packed(groups == np.arange(1, number)[:, None]))
        table[own, 1:], table[own, 0] = counted, totals - counted.sum(axis=1)
        return table


def count_logs(rows: int) -> FloatArray:
    """Compute ``c log c`` of every count c up to a number of rows."""
    counts = np.arange(rows + 1, dtype=float)
    return np.asarray(counts * np.log(np.maximum(counts, 1)))


def compact(codes: npt.NDArray[np.signedinteger], number: int) -> tuple[npt.NDArray[np.signedinteger], int]:
    """Renumber codes below `number` so that every one occurs; return them and how many there are."""
    if number <= 8 * len(codes) + 64:  # by a table; others by sorting
        present = np.bincount(codes, minlength=number) > 0
        if present.all():
            return codes, number
        return (np.cumsum(present) - 1)[codes], int(present.sum())
    found, renumbered = np.unique(codes, return_inverse=True)
    return renumbered.astype(np.int64), len(found)


def ranges(starts: IntArray, lengths: IntArray) -> IntArray:
    """Concatenate the ranges that begin at `starts`.

    Examples
    --------
    >>> ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(lengths)
    return np.arange(int(ends[-1])) + np.repeat(starts - ends + lengths, lengths)
