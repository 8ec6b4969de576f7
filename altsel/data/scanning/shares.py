"""Codes of the rows of some strata at a time, where tables of all strata would be too large."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from altsel._types import IntArray
from altsel.data.scanning.code_files import CodedColumns, narrowest
from altsel.data.scanning.coding import Codes
from altsel.data.scanning.key_counts import kernels
from altsel.data.scanning.partitions import Partition
from altsel.data.scanning.survey import Arrays
from altsel.errors import DataError

KEYS = 2**62
"""Strata that have numbers at most."""
SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""An odd number that spreads the numbers of strata over shares (Knuth, TAOCP 3, 6.4: golden section)."""
PER_ROW, PER_CODE = 40, 3
"""Bytes that a row of a share takes while it is ordered by stratum, and those of each code of it."""

Shares = Iterator[tuple[IntArray, npt.NDArray[np.unsignedinteger]]]


@dataclass(frozen=True, eq=False)
class Gathering:
    """A pass that brings together the codes of all rows of some of the strata.

    Attributes
    ----------
    coded
        The codes.
    given
        Columns whose combinations are the strata.
    used
        Columns whose codes are brought.
    share, shares
        Which of how many shares of the strata.
    """

    coded: CodedColumns
    given: tuple[int, ...]
    used: tuple[int, ...]
    share: int
    shares: int

    def __call__(self, part: Partition) -> Arrays:
        """Bring the rows of a partition."""
        columns = self.coded.layout.columns
        sizes = [columns[j].size for j in self.given]
        kind = narrowest(max(columns[j].size for j in self.used))
        found_keys = [np.zeros(0, dtype=np.int64)]
        found = [np.zeros((len(self.used), 0), dtype=kind)]
        for codes in self.coded.blocks(part, (*self.given, *self.used)):
            keys = numbered(codes[: len(sizes)], sizes)
            mine = self._mine(keys)
            found_keys.append(keys.take(mine))
            rows = np.empty((len(self.used), len(mine)), dtype=kind)
            for row, code in zip(rows, codes[len(sizes) :], strict=True):
                row[:] = code.take(mine)
            found.append(rows)
        return {"keys": np.concatenate(found_keys), "codes": np.concatenate(found, axis=1)}

    def _mine(self, keys: IntArray) -> IntArray:
        spread = (keys.astype(np.uint64) * SPREAD) >> np.uint64(40)
        return np.flatnonzero(spread % np.uint64(self.shares) == self.share)


def numbered(codes: Sequence[Codes], sizes: Sequence[int]) -> IntArray:
    """Return the number of each row's combination of codes, the last varying fastest."""
    keys, loops = codes[0].astype(np.int64), kernels(len(codes) * len(codes[0]))
    for size, code in zip(sizes[1:], codes[1:], strict=True):
        loops.extend(keys, size, code)
    return keys


def shares_of(rows: int, used: int, room: int) -> int:
    """Return into how many shares strata are divided so that the rows of each have room."""
    return max(1, -(-rows * (PER_ROW + PER_CODE * used) // room))


def gathered(passed: Callable[[int, int], list[Arrays]], shares: int, rows: int) -> Shares:
    """Yield the numbers of strata, and the codes, of all rows, share by share.

    Raises
    ------
    DataError
        In the end, if they are not as many rows as before.
    """
    seen = 0
    for share in range(shares):
        parts = passed(share, shares)
        keys = np.concatenate([one.pop("keys") for one in parts])
        seen += len(keys)
        yield keys, np.concatenate([one.pop("codes") for one in parts], axis=1)
    refuse_other_rows(seen, rows)


def refuse_other_rows(seen: int, rows: int) -> None:
    """Raise a DataError if a pass has read another number of rows than the first one."""
    if seen != rows:
        raise DataError(f"not the {rows:,} rows of before were read: the data have changed; scan again")


def countable(sizes: Sequence[int]) -> bool:
    """Return whether the combinations of columns of so many levels have numbers."""
    return prod(sizes) <= KEYS
