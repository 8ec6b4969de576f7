"""Rows to learn from and rows to test on, with all random numbers that the tests of one part take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.dealing import dealt
from altsel.errors import ArgumentError
from altsel.runtime.memory import NUMBER, require
from altsel.runtime.progress import counted
from altsel.stats.sign_flips import SignFlips


@dataclass(frozen=True, eq=False)
class Part:
    """One division of the rows. All candidates share its random numbers.

    Attributes
    ----------
    train, test
        Rows, ascending.
    shuffles
        Permutations of the test rows, shape (shuffles, test rows).
    uniform
        Numbers between 0 and 1, of the same shape.
    """

    train: IntArray
    test: IntArray
    shuffles: IntArray
    uniform: FloatArray


@dataclass(frozen=True)
class Division:
    """How rows are divided: in disjoint folds.

    Parameters
    ----------
    number
        How many parts.
    shuffles
        Permutations of each test part.
    stratify
        Whether each part gets its share of each class.
    seed
        Of everything random.
    """

    number: int = 10
    shuffles: int = 5
    stratify: bool = True
    seed: int = 0

    @property
    def name(self) -> str:
        """It in words."""
        return f"{self.number} folds"

    def tested(self, rows: IntArray) -> IntArray:
        """Return how many of some rows each part tests, at least."""
        return rows // self.number

    def drawn(self, strata: IntArray) -> Iterable[IntArray]:
        """Draw the test rows of each part."""
        return dealt(strata, self.number, self.seed)

    def increases(self, parts: Sequence[Part], measured: Sequence[FloatArray]) -> FloatArray:
        """Return the paired differences of each feature: of folds, one of each row."""
        found = np.zeros((len(measured[0]), sum(len(part.test) for part in parts)))
        for part, one in zip(parts, measured, strict=True):
            found[:, part.test] = one
        return found

    def log_p(self, increases: FloatArray, signs: SignFlips) -> list[float]:
        """Return log p of each feature's differences: of folds, by flips of their signs."""
        return [log(signs.p(row, two_sided=False)) for row in increases]

    def smallest_p(self, signs: SignFlips) -> float:
        """Return the smallest p there can be."""
        return 1 / (signs.number + 1)

    def too_rare(self, strata: IntArray | None) -> tuple[int, int] | None:
        """Return a class with fewer than two rows on a side of a part, and its rows, if it gets its share."""
        if strata is None or not self.stratify:
            return None
        counts = np.bincount(strata)
        tested = self.tested(counts)
        short = np.flatnonzero((np.minimum(tested, counts - tested) < 2) & (counts > 0))
        return (int(short[0]), int(counts[short[0]])) if len(short) else None

    def parts(self, rows: int, strata: IntArray | None) -> list[Part]:
        """Divide some rows.

        Raises
        ------
        ArgumentError
            If there are too few of them.
        """
        self.refuse_few(rows)
        strata = strata if strata is not None and self.stratify else np.zeros(rows, dtype=np.int64)
        return [self._part(number, rows, np.sort(test)) for number, test in enumerate(self.drawn(strata))]

    def refuse_few(self, rows: int) -> None:
        """Raise an ArgumentError if a part would have fewer than two rows."""
        tested = int(self.tested(np.array(rows)))
        if tested < 2 or rows - tested < 2:
            raise ArgumentError(
                f"splits={self.number} of {rows} rows: a part has fewer than two rows to test on, or to "
                "learn from; use fewer splits or another test_size"
            )

    def _part(self, number: int, rows: int, test: IntArray) -> Part:
        random = np.random.default_rng([self.seed, number, 1])
        needed = 2 * NUMBER * self.number * self.shuffles * len(test)
        require(needed, f"{self.shuffles:,} shuffles of each of {self.number:,} parts", "make fewer")
        drawn = counted(range(self.shuffles), self.shuffles, "shuffles")
        shuffles = np.array([random.permutation(len(test)) for _ in drawn])
        train = np.setdiff1d(np.arange(rows), test, assume_unique=True)
        return Part(train, test, shuffles, random.random(shuffles.shape))
