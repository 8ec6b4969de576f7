"""Random signs, by which paired numbers are exchanged in permutation tests."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from altsel._types import BoolArray, FloatArray
from altsel.errors import checked_integer
from altsel.runtime.memory import require

BITS = 8
TIE = 1e-12
"""Sums that differ by no more than this share of their size are equal."""


PER_DRAW = 24
"""Bytes that a draw takes besides its signs: its sum, and what is compared with it."""


@dataclass(frozen=True)
class SignFlips:
    """Random signs for every row: ``+1`` leaves a pair as it is, ``-1`` exchanges it.

    The same seed draws the same signs. They are kept as bits; sums of eight signed numbers are
    looked up in a table of all 256 that there can be.

    Parameters
    ----------
    number
        How many permutations.
    random_state
        Seed.

    Raises
    ------
    ArgumentError
        If the number is below 1, or the seed no integer of at least 0.

    Examples
    --------
    >>> sums = SignFlips(2000).sums(np.array([1.0, 1.0]))
    >>> sorted(set(sums.tolist())), len(sums)
    ([-2.0, 0.0, 2.0], 2000)
    """

    number: int = 1000
    random_state: int = 0
    _drawn: dict[int, npt.NDArray[np.uint8]] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        checked_integer("number of permutations", self.number, 1)
        checked_integer("random_state", self.random_state, 0)

    def sums(self, values: FloatArray) -> FloatArray:
        """Sum some values under every draw of signs; shape (number,)."""
        groups = -(-len(values) // BITS)
        padded = np.zeros(groups * BITS)
        padded[: len(values)] = values
        table = (padded.reshape(groups, BITS) @ _SIGNS).ravel()
        drawn = self.draws(len(values))
        offsets = np.arange(groups) * (1 << BITS)
        step = max(1, 2_000_000 // max(groups, 1))
        parts = [table[offsets + drawn[i : i + step]].sum(axis=1) for i in range(0, self.number, step)]
        return np.concatenate(parts)

    def p(self, values: FloatArray, *, two_sided: bool = True) -> float:
        """Return the share of draws whose sum is at least as far from 0, or as large, as that observed."""
        total, size = float(values.sum()), float(np.abs(values).sum())
        if not size:
            return 1.0
        sums = self.sums(values)
        if two_sided:
            total, sums = abs(total), np.abs(sums)
        return (1 + int((sums >= total - TIE * size).sum())) / (1 + self.number)

    def exchanged(self, rows: int) -> BoolArray:
        """Return which rows every draw exchanges; shape (number, rows)."""
        return np.unpackbits(self.draws(rows), axis=1, count=rows, bitorder="little").astype(bool)

    def draws(self, rows: int) -> npt.NDArray[np.uint8]:
        """Return the bits of every draw; shape (number, rows / 8)."""
        if rows not in self._drawn:
            needed = self.number * (-(-rows // BITS) + PER_DRAW)
            require(needed, f"{self.number:,} draws of signs of {rows:,} rows", "draw fewer")
            self._drawn.clear()  # one table at a time
            random = np.random.default_rng(self.random_state)
            self._drawn[rows] = random.integers(0, 256, (self.number, -(-rows // BITS)), dtype=np.uint8)
        return self._drawn[rows]


_SIGNS = 1.0 - 2.0 * np.unpackbits(np.arange(256, dtype=np.uint8)[None], axis=0, bitorder="little")
