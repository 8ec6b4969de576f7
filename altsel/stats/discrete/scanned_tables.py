"""Tables of scans, whose rows are too many for logarithms of all counts, and rows of some strata."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from altsel._types import FloatArray, IntArray
from altsel.runtime.clock import clock
from altsel.runtime.on_demand import OnDemand
from altsel.stats.discrete.compiled import LOOPS, Kernels
from altsel.stats.discrete.contingency import CELLS, Tables
from altsel.stats.discrete.counts import count_logs
from altsel.stats.discrete.mean_loop import known_means

special: Any = OnDemand("scipy.special")
MOST_LOGS = 1 << 21
"""Rows of a stratum up to which logarithms of all counts are kept."""
DENSE = 2
"""Up to so many cells a row candidates are counted in tables, beyond stratum by stratum."""
ROW = 1e-7
"""CPU seconds that a row of a candidate takes about in tables."""
NONE = np.zeros(0, dtype=np.int32)


@dataclass(frozen=True)
class CountLogs:
    """``c log c`` and logarithms of factorials of counts, computed when needed: there may be many rows."""

    rows: int

    def __len__(self) -> int:
        return self.rows + 1

    def __getitem__(self, counts: IntArray) -> FloatArray:
        """Return ``c log c`` of each count."""
        return np.asarray(special.xlogy(counts, counts))

    @property
    def factorials(self) -> LogFactorials:
        """Logarithms of factorials."""
        return LogFactorials()


class LogFactorials:
    """Logarithms of factorials of counts."""

    def __getitem__(self, counts: IntArray) -> FloatArray:
        return np.asarray(special.gammaln(np.asarray(counts) + 1.0))


@dataclass(frozen=True, eq=False)
class ScannedTables(Tables):
    """`Tables` of so many rows that logarithms are kept of counts up to those of the largest stratum only."""

    def _logs_in_memory(self) -> FloatArray | None:
        largest = int(self.in_stratum.max(initial=0))
        return None if largest >= MOST_LOGS else _logs(largest)


@lru_cache(maxsize=4)
def _logs_of(power: int) -> FloatArray:
    return count_logs((1 << power) - 1)


def _logs(largest: int) -> FloatArray:
    """Return ``c log c`` of every count up to a number, and some more."""
    return _logs_of(max(largest.bit_length(), 8))


@dataclass(frozen=True, eq=False)
class ByStrata:
    """Rows of some strata in memory; what is computed of them adds up with that of all other strata.

    Attributes
    ----------
    keys
        Stratum of each row.
    codes
        Codes of the target and of the candidates, shape (1 + candidates, rows).
    sizes
        How many levels these have.
    """

    keys: IntArray
    codes: npt.NDArray[np.unsignedinteger]
    sizes: IntArray

    def g_tests(self, corrected: bool) -> FloatArray:
        """Return what `Tables.g_tests` does of the tables of all candidates."""
        found = np.zeros((5 if corrected else 2, len(self.codes) - 1))
        rows, largest = len(self._order), int(np.diff(self._begins).max(initial=0))
        cells = self.sizes[1:] * self.sizes[0] * (len(self._begins) - 1)
        sparse = (cells > DENSE * rows) & (largest < MOST_LOGS)
        kernels = LOOPS.after(ROW * rows * int(sparse.sum())) if rows and sparse.any() else None
        if kernels is None:
            sparse[:] = False
        else:
            chosen = 1 + np.flatnonzero(sparse)
            found[:, sparse] = self._by_rows(kernels, chosen, largest, corrected)
        for candidate, tables in self._tables(np.flatnonzero(~sparse)):
            found[:, candidate] += tables.g_tests(corrected)[:, 0]
        return found

    @cached_property
    def _grouped(self) -> tuple[IntArray, IntArray]:
        """Order the rows of strata in which the target varies by stratum.

        Returns
        -------
        tuple
            The rows, and where each stratum begins among them, with their number at the end.
        """
        order = np.argsort(self.keys)
        begins = np.flatnonzero(np.diff(self.keys[order], prepend=-1))
        if not len(begins):
            return order, np.zeros(1, dtype=np.int64)
        target = self.codes[0].take(order)
        telling = np.minimum.reduceat(target, begins) < np.maximum.reduceat(target, begins)
        lengths = np.diff(begins, append=len(order))
        return order[np.repeat(telling, lengths)], np.concatenate([[0], np.cumsum(lengths[telling])])

    @property
    def _order(self) -> IntArray:
        return self._grouped[0]

    @property
    def _begins(self) -> IntArray:
        return self._grouped[1]

    def _by_rows(self, kernels: Kernels, chosen: IntArray, largest: int, corrected: bool) -> FloatArray:
        """Go through the rows of each stratum, which for columns of many cells need no table."""
        clock().check()
        kind = np.uint8 if self.sizes.max() <= 256 else np.int32
        codes = np.empty((1 + len(chosen), len(self._order)), dtype=kind)
        for row, index in zip(codes, [0, *chosen.tolist()], strict=True):
            row[:] = self.codes[index].take(self._order)
        number, logs = len(self._begins) - 1, _logs(largest)
        strata = np.repeat(np.arange(number, dtype=np.int32), np.diff(self._begins))
        levels = self.sizes[[0, *chosen.tolist()]]
        starts, ends = np.cumsum(levels) - levels, np.zeros(len(levels) + 1, dtype=np.int64)
        found = np.empty((5 if corrected else 2, len(chosen)))
        kernels.g_tests_by_strata(
            codes[0],
            int(levels[0]),
            strata,
            number,
            codes,
            levels,
            starts,
            ends,
            NONE,
            NONE,
            np.arange(1, len(levels)),
            known_means(logs),
            found,
        )
        return found

    def _tables(self, chosen: IntArray) -> Iterator[tuple[int, Tables]]:
        """Return the tables of each chosen candidate, of some strata at a time."""
        if not len(chosen):
            return
        sizes: Sequence[int] = self.sizes.tolist()
        classes, logs = sizes[0], CountLogs(len(self.keys))
        step = max(CELLS // (classes * max(sizes)), 1)
        for first in range(0, len(self._begins) - 1, step):
            ends = self._begins[first : first + step + 1]
            rows, number = self._order[ends[0] : ends[-1]], len(ends) - 1
            groups = self.codes[0].take(rows) * np.int64(number)
            groups += np.repeat(np.arange(number), np.diff(ends))
            in_target = np.bincount(groups, minlength=classes * number).reshape(classes, number)
            for candidate in chosen.tolist():
                clock().check()
                size = sizes[1 + candidate]
                cells = self.codes[1 + candidate].take(rows) * np.int64(classes * number)
                cells += groups
                counts = np.bincount(cells, minlength=size * classes * number)
                shaped, starts = counts.reshape(size, classes, number), np.zeros(1, dtype=np.int64)
                yield candidate, ScannedTables(shaped, in_target, starts, logs)  # type: ignore[arg-type]
