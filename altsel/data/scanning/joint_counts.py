"""Tables of several columns, each counted in one pass and remembered within a limit of bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from math import prod
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from altsel._types import IntArray
from altsel.data.scanning.joint_passes import JointPasses
from altsel.data.scanning.shares import Shares, countable, gathered, shares_of
from altsel.data.scanning.statistics import Statistics
from altsel.data.scanning.survey import Arrays
from altsel.errors import ArgumentError, listing
from altsel.runtime.memory import size_text

FEW = 3
"""Up to so many candidates at once are counted together with columns that were used lately."""
EXTRA_CELLS = 1 << 17
"""Cells up to which such a table grows by these."""
WIDE_CELLS = 1 << 16
"""Cells up to which many tables of one pass do together: with more, counting itself would take longer."""
CELL = 8
"""Bytes of a cell."""
AT_ONCE = 4
"""Tables of several candidates are counted at once up to this part of the bytes that there are."""

Cube = npt.NDArray[np.integer[Any]]


class JointCounts:
    """Counts of several columns together, of a scan.

    Parameters
    ----------
    source
        What makes the passes.
    statistics
        Counts of pairs, of which no pass is needed.
    room
        Bytes that tables may take.

    Attributes
    ----------
    passes
        How many passes were made.
    """

    def __init__(self, source: JointPasses, statistics: Statistics, room: int) -> None:
        self._source, self._statistics, self._room = source, statistics, room
        self._sizes: list[int] = statistics.layout.sizes.tolist()
        self._cubes: OrderedDict[tuple[int, ...], Cube] = OrderedDict()
        self._masks: dict[tuple[int, ...], int] = {}
        self._held = 0
        self._lately: OrderedDict[int, None] = OrderedDict()
        self.passes = 0
        self._lock = Lock()

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is remembered, which is quickly counted again where a copy needs it."""
        return {**self.__dict__, "_cubes": OrderedDict(), "_masks": {}, "_held": 0, "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what was pickled, with a lock of its own."""
        self.__dict__.update(state, _lock=Lock())

    def tables(self, candidates: Sequence[int], others: Sequence[int]) -> Iterator[IntArray]:
        """Yield the counts of each candidate with some other columns.

        Parameters
        ----------
        candidates, others
            Indices of columns; a candidate is none of the others.

        Yields
        ------
        array of shape (levels of the candidate, cells of the others)
            The last of the others varies fastest.

        Raises
        ------
        ArgumentError
            If a table would take more bytes than there is room.
        """
        for index in [*others, *(candidates if len(candidates) <= FEW else ())]:
            self._lately[index] = None
            self._lately.move_to_end(index)
        for part in self._parts(candidates, others):
            yield from self._tables(part, tuple(others))

    def _tables(self, part: Sequence[int], others: tuple[int, ...]) -> list[IntArray]:
        """Build the missing tables, and read all before any is forgotten, of this or another request."""
        with self._lock:
            missing = [index for index in part if self._covering((index, *others)) is None]
            if missing:
                self._make(tuple(missing), others)
            tables = [self._table(index, others) for index in part]
            self._forget_oldest()
            return tables

    def have_room(self, candidates: Sequence[int], others: Sequence[int]) -> bool:
        """Return whether the tables of all candidates with some other columns have room at once."""
        cells = prod(self._sizes[j] for j in others) * sum(self._sizes[j] for j in candidates)
        return CELL * cells <= self._room // AT_ONCE or not countable([self._sizes[j] for j in others])

    def rows_by_strata(self, given: Sequence[int], used: Sequence[int]) -> Shares:
        """Return the rows themselves, where tables have no room: all those of some strata at a time.

        Parameters
        ----------
        given
            Columns whose combinations are the strata.
        used
            Columns whose codes are wanted.

        Yields
        ------
        tuple
            The stratum of each row, and its codes, shape (columns, rows).
        """

        def passed(share: int, shares: int) -> list[Arrays]:
            self.passes += 1
            return self._source.rows_of_share(tuple(given), tuple(used), share, shares)

        rows = self._statistics.rows
        return gathered(passed, shares_of(rows, len(used), self._room), rows)

    def _parts(self, candidates: Sequence[int], others: Sequence[int]) -> Iterator[list[int]]:
        """Divide candidates so that the tables of each part have room."""
        cells = prod(self._sizes[j] for j in others)
        part: list[int] = []
        for index in candidates:
            needed = CELL * cells * self._sizes[index]
            if needed > self._room:
                self._refuse(index, others, needed)
            together = cells * (sum(self._sizes[j] for j in part) + self._sizes[index])
            if part and CELL * together > self._room // AT_ONCE:
                yield part
                part = []
            part.append(index)
        if part:
            yield part

    def _refuse(self, index: int, others: Sequence[int], needed: int) -> None:
        names = [self._statistics.layout.names[j] for j in (index, *others)]
        raise ArgumentError(
            f"the table of {listing(names)} needs {size_text(needed)}, the scan may take "
            f"{size_text(self._room)} for tables: condition on fewer features, test with GSquare, which "
            "takes the rows of some strata at a time instead, scan with a larger table_bytes, or use "
            "scan.sample(100_000, random_state=0)"
        )

    def _make(self, missing: tuple[int, ...], others: tuple[int, ...]) -> None:
        """Count the tables of some candidates in one pass."""
        self.passes += 1
        if len(missing) > FEW:
            widest = max(self._sizes[j] for j in missing)
            most = min(WIDE_CELLS, self._room // CELL) // (len(missing) * widest)
            base = self._with_lately(others, most)
            left = tuple(index for index in missing if index not in base)
            tables = self._source.tables(base, left)
            for key, table in zip([(*base, index) for index in left] or [base], tables, strict=True):
                self._keep(key, table)
            return
        used = (*others, *missing)
        if len(missing) > 1 and CELL * prod(self._sizes[j] for j in used) > self._room:
            for index in missing:
                if self._covering((index, *others)) is None:  # lately used columns may have brought it
                    self._make((index,), others)
            return
        used = self._with_lately(used, EXTRA_CELLS)
        (table,) = self._source.tables(used, ())
        self._keep(used, table)

    def _with_lately(self, columns: tuple[int, ...], most: int) -> tuple[int, ...]:
        """Add columns that were used lately, while there are no more cells: they soon are given together."""
        used, cells = list(columns), prod(self._sizes[j] for j in columns)
        for index in reversed(self._lately):
            if index not in used and cells * self._sizes[index] <= most:
                used.append(index)
                cells *= self._sizes[index]
        return tuple(used)

    def _keep(self, key: tuple[int, ...], table: IntArray) -> None:
        cube = table.reshape([self._sizes[j] for j in key])
        order = np.argsort(key)
        key = tuple(sorted(key))
        self._held += cube.nbytes - (self._cubes[key].nbytes if key in self._cubes else 0)
        self._cubes[key] = np.ascontiguousarray(cube.transpose(order))
        self._cubes.move_to_end(key)
        self._masks[key] = sum(1 << index for index in key)

    def _forget_oldest(self) -> None:
        """Keep to the bytes that there are; the table used last stays."""
        while self._held > self._room and len(self._cubes) > 1:
            old, gone = self._cubes.popitem(last=False)
            self._held -= gone.nbytes
            del self._masks[old]

    def _covering(self, needed: Sequence[int]) -> tuple[int, ...] | None:
        """Return the smallest table that has some columns; () if the counts of pairs do."""
        if len(needed) == 2:
            return ()
        mask = sum(1 << index for index in needed)
        found = [key for key, have in self._masks.items() if have & mask == mask]
        return min(found, key=lambda key: self._cubes[key].size) if found else None

    def _table(self, index: int, others: Sequence[int]) -> IntArray:
        if len(others) == 1:
            return self._statistics.counts_of(index, others[0])
        key = self._covering((index, *others))
        if key is None:
            raise RuntimeError("a table that was counted is gone")
        self._cubes.move_to_end(key)
        wanted = [index, *others]
        cube: IntArray = np.asarray(self._cubes[key], dtype=np.int64)
        for axis in [j for j, one in enumerate(key) if one not in wanted]:  # one by one is fastest
            cube = np.asarray(cube.sum(axis=axis, keepdims=True))
        left = [one for one in key if one in wanted]
        cube = np.asarray(cube.reshape([self._sizes[one] for one in left]))
        return np.asarray(cube.transpose([left.index(one) for one in wanted]).reshape(self._sizes[index], -1))
