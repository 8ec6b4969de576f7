"""Counts of all pairs of levels, batch by batch, by tables of composite columns.

Columns of few levels are put together to composites of at most some hundred values, of which far fewer
pairs are counted; the tables of the columns themselves are sums over these, taken once at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from altsel._types import IntArray
from altsel.data.scanning.coding import Codes

WIDEST = 256
"""Values of a composite at most, unless a single column has more."""
ROOM = 1 << 23
"""Cells that the tables of all pairs of composites may have together, unless single columns need more."""


@dataclass(frozen=True)
class Composites:
    """Which columns are put together.

    Attributes
    ----------
    sizes
        Number of levels of every column.
    groups
        Columns of each composite.
    """

    sizes: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, sizes: Sequence[int]) -> Composites:
        """Choose composites as wide as their tables have room.

        Examples
        --------
        >>> Composites.of([2, 20, 3, 16]).groups
        ((0, 2, 3), (1,))
        """
        limit = WIDEST
        while True:
            made = cls(tuple(sizes), tuple(_grouped(sizes, limit)))
            if limit <= 1 or sum(made.widths) ** 2 // 2 <= ROOM:
                return made
            limit //= 2

    @cached_property
    def widths(self) -> tuple[int, ...]:
        """Number of values of each composite."""
        return tuple(int(np.prod([self.sizes[j] for j in group])) for group in self.groups)

    def codes(self, columns: Sequence[Codes]) -> list[npt.NDArray[np.int32]]:
        """Return the composite codes of rows."""
        result = []
        for group in self.groups:
            code = columns[group[0]].astype(np.int32)
            for j in group[1:]:
                code *= np.int32(self.sizes[j])
                code += columns[j]
            result.append(code)
        return result


def _grouped(sizes: Sequence[int], limit: int) -> list[tuple[int, ...]]:
    """Group the smallest columns first."""
    groups: list[tuple[int, ...]] = []
    group: list[int] = []
    width = 1
    for j in np.argsort(sizes, kind="stable").tolist():
        if group and width * sizes[j] > limit:
            groups.append(tuple(group))
            group, width = [], 1
        group.append(j)
        width *= sizes[j]
    return [*groups, tuple(group)] if group else groups


class PairCounts:
    """Counts of all pairs of levels of discrete columns, of batches added one after another.

    Parameters
    ----------
    sizes
        Number of levels of each column.

    Examples
    --------
    >>> counts = PairCounts([2, 3])
    >>> counts.add([np.array([0, 1, 1]), np.array([2, 0, 0])])
    >>> counts.table().tolist()[1]
    [0, 2, 2, 0, 0]
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self.composites = Composites.of(sizes)
        widths = self.composites.widths
        self._own = [np.zeros(width, dtype=np.int64) for width in widths]
        self._pairs = {
            (a, b): np.zeros(widths[a] * widths[b], dtype=np.int64)
            for a in range(len(widths))
            for b in range(a + 1, len(widths))
        }

    def add(self, columns: Sequence[Codes]) -> None:
        """Count the rows of a batch."""
        if not columns:
            return
        codes, widths = self.composites.codes(columns), self.composites.widths
        for own, code in zip(self._own, codes, strict=True):
            np.add(own, np.bincount(code, minlength=len(own)), out=own)
        cells = np.empty(len(codes[0]), dtype=np.int32)
        large = len(widths) > 1 and max(widths) ** 2 >= 2**31
        for (a, b), table in self._pairs.items():
            if large:
                cells = codes[a].astype(np.int64)
                cells *= widths[b]
            else:
                np.multiply(codes[a], np.int32(widths[b]), out=cells)
            cells += codes[b]
            np.add(table, np.bincount(cells, minlength=len(table)), out=table)

    def table(self) -> IntArray:
        """Return the counts, shape (levels of all columns, the same); margins are the diagonal blocks."""
        sizes = self.composites.sizes
        ends = [0, *np.cumsum(sizes).tolist()]
        places = [slice(first, last) for first, last in pairwise(ends)]
        result = np.zeros((ends[-1], ends[-1]), dtype=np.int64)

        def put(i: int, j: int, counts: IntArray) -> None:
            result[places[i], places[j]], result[places[j], places[i]] = counts, counts.T

        groups = self.composites.groups
        for group, own in zip(groups, self._own, strict=True):
            cube = own.reshape([sizes[j] for j in group])
            for x, i in enumerate(group):
                put(i, i, np.diag(_sum_over_others(cube, (x,))))
                for y in range(x + 1, len(group)):
                    put(i, group[y], _sum_over_others(cube, (x, y)))
        for (a, b), table in self._pairs.items():
            cube = table.reshape([sizes[j] for j in (*groups[a], *groups[b])])
            for x, i in enumerate(groups[a]):
                half = _sum_over_others(cube, (x, *range(len(groups[a]), cube.ndim)))
                for y, j in enumerate(groups[b], start=1):
                    put(i, j, _sum_over_others(half, (0, y)))
        return result


def target_table(sizes: Sequence[int], columns: Sequence[Codes]) -> IntArray:
    """Return the counts of every level of all columns with the last one's, shape (all levels, its levels)."""
    last, width = columns[-1].astype(np.int64), sizes[-1]
    parts = [
        np.bincount(column.astype(np.int64) * width + last, minlength=size * width).reshape(size, width)
        for size, column in zip(sizes, columns, strict=True)
    ]
    return np.concatenate(parts)


def _sum_over_others(cube: IntArray, axes: tuple[int, ...]) -> IntArray:
    """Sum over all axes but some, which ascend."""
    return np.asarray(cube.sum(axis=tuple(axis for axis in range(cube.ndim) if axis not in axes)))
