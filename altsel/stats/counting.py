"""Count discrete columns against a grouping of the rows, many columns at once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from altsel.stats.compiled import compiled

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

FEW_GROUPS = 12
"""Up to so many groups the rows are counted by bits, 64 rows at a time."""
SPREAD = 4
"""Codes up to so many times the number of rows are renumbered by a table, others by sorting."""
REMEMBERED = 32_000_000
"""Rows of strata remembered, summed over all conditioning sets."""


class Columns:
    """Discrete columns, ready to be counted against any grouping of the rows.

    The most frequent level of a column is its level 0; only the rows at other levels are ever
    counted, the rest follows from the size of the groups.

    Parameters
    ----------
    codes
        Shape (columns, rows): codes 0, 1, … of each column, every one of which occurs.
    """

    def __init__(self, codes: npt.ArrayLike) -> None:
        self.codes = _most_frequent_first(np.array(codes, dtype=np.int32))
        self.rows = self.codes.shape[1]
        self.levels: IntArray = self.codes.max(axis=1).astype(np.int64) + 1
        self._strata: OrderedDict[tuple[int, ...], tuple[IntArray, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self.codes)

    def strata(self, places: Sequence[int]) -> tuple[IntArray, int]:
        """Give the rows' combinations of some columns the numbers 0, 1, …; the last ones are remembered."""
        key = tuple(places)
        known = self._strata.get(key)
        if known is not None:
            self._strata.move_to_end(key)
            return known
        found, number = np.zeros(self.rows, dtype=np.int64), 1
        for place in key:
            if number * self.levels[place] > SPREAD * self.rows:
                found, number = compact(found, number)
            found = found * self.levels[place] + self.codes[place]
            number *= int(self.levels[place])
        self._strata[key] = compact(found, number)
        if len(self._strata) * self.rows > REMEMBERED:
            self._strata.popitem(last=False)
        return self._strata[key]

    def starts(self, places: IntArray) -> IntArray:
        """Tell where each column's levels begin in a table of these columns."""
        ends = np.cumsum(self.levels[places])
        return ends - self.levels[places]

    def counts(self, groups: IntArray, number: int, places: IntArray) -> IntArray:
        """Count every level of some columns in every group of rows.

        Parameters
        ----------
        groups
            Group of each row, 0 to `number` - 1.
        places
            The columns.

        Returns
        -------
        array of shape (levels of all these columns, number)
        """
        some = 2 * len(places) < len(self)
        counted = places if some else np.arange(len(self))
        by_bits = number <= FEW_GROUPS
        table = self._by_bits(groups, number, counted) if by_bits else self._by_rows(groups, number, counted)
        starts = self.starts(counted)
        table[starts] = np.bincount(groups, minlength=number)  # level 0: the rest of each group
        table[starts] -= np.add.reduceat(table, starts, axis=0) - table[starts]
        if some or len(places) == len(self):
            return table
        return table[ranges(starts[places], self.levels[places])]

    @cached_property
    def logs(self) -> npt.NDArray[np.float64]:
        """``c log c`` of every count c that can occur."""
        counts = np.arange(self.rows + 1, dtype=float)
        return np.asarray(counts * np.log(np.maximum(counts, 1)))

    @cached_property
    def _rare(self) -> tuple[IntArray, npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Rows above level 0: where each column's begin, the rows, and their levels in the column."""
        column, row = np.nonzero(self.codes)
        ends = np.concatenate([[0], np.cumsum(np.bincount(column, minlength=len(self)))])
        return ends, row.astype(np.int32), self.codes[column, row]

    @cached_property
    def _levels_of_all(self) -> npt.NDArray[np.int32]:
        """Levels of the rare rows, in a table of all columns."""
        ends, _, levels = self._rare
        return levels + np.repeat(self.starts(np.arange(len(self))), np.diff(ends)).astype(np.int32)

    def _by_rows(self, groups: IntArray, number: int, places: IntArray) -> IntArray:
        ends, rows, levels = self._rare
        if len(places) < len(self):
            lengths = np.diff(ends)[places]
            wanted = ranges(ends[places], lengths)
            levels = levels[wanted] + np.repeat(self.starts(places), lengths).astype(np.int32)
            rows = rows[wanted]
        else:
            levels = self._levels_of_all
        height = int(self.levels[places].sum())
        kernel = compiled()
        if kernel is not None:
            table = np.zeros((height, number), dtype=np.int64)
            kernel(levels, rows, groups, table)
            return table
        wide: np.dtype[np.signedinteger] = np.dtype(np.int32 if height * number < 2**31 else np.int64)
        keys = np.multiply(levels, number, dtype=wide)
        keys += groups.astype(wide)[rows]
        return np.bincount(keys, minlength=height * number).reshape(height, number)

    @cached_property
    def _bits(self) -> npt.NDArray[np.uint64]:
        """Which rows have which level above 0, packed; shape (levels but the first ones, words)."""
        kinds = (packed(code == np.arange(1, code.max() + 1)[:, None]) for code in self.codes)
        return np.concatenate(list(kinds))

    @cached_property
    def _totals(self) -> IntArray:
        """How often each level of each column occurs."""
        return np.concatenate([np.bincount(code) for code in self.codes])

    def _by_bits(self, groups: IntArray, number: int, places: IntArray) -> IntArray:
        """Count all levels but 0 by bits, in all groups but 0, whose counts are the rest."""
        own = self.starts(places) + 1, self.levels[places] - 1
        above = ranges(self.starts(np.arange(len(self)))[places] + 1, own[1])
        first = np.cumsum(self.levels - 1) - self.levels + 1
        bits = self._bits if len(places) == len(self) else self._bits[ranges(first[places], own[1])]
        counted = np.empty((len(bits), number), dtype=np.int64)
        ones = np.ones(bits.shape[1], dtype=np.float32 if self.rows < 2**24 else np.float64)
        for group, member in enumerate(packed(groups == np.arange(1, number)[:, None]), start=1):
            counted[:, group] = np.bitwise_count(bits & member).astype(ones.dtype) @ ones
        counted[:, 0] = self._totals[above] - counted[:, 1:].sum(axis=1)
        table = np.zeros((int(self.levels[places].sum()), number), dtype=np.int64)
        table[ranges(*own)] = counted
        return table


def compact(codes: IntArray, number: int) -> tuple[IntArray, int]:
    """Renumber codes below `number` so that every one occurs; return them and how many there are."""
    if number <= SPREAD * len(codes) + 64:
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


def packed(flags: BoolArray) -> npt.NDArray[np.uint64]:
    """Pack the last axis of flags into words of 64 bits."""
    short = np.packbits(flags, axis=1)
    room = np.zeros((len(short), (short.shape[1] + 7) // 8 * 8), dtype=np.uint8)
    room[:, : short.shape[1]] = short
    return room.view(np.uint64)


def _most_frequent_first(codes: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Exchange each column's most frequent code and 0."""
    for code in codes:
        top = int(np.bincount(code).argmax())
        if top:
            zeros, tops = code == 0, code == top
            code[zeros], code[tops] = top, 0
    return codes
