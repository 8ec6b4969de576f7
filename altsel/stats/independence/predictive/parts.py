"""Rows to learn from and rows to test on, with all random numbers that the tests of one part take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.dealing import dealt
from altsel.errors import ArgumentError, checked_integer, flags, level, listing
from altsel.runtime.memory import NUMBER, require
from altsel.runtime.progress import counted


class Scheme(StrEnum):
    """How rows are divided: in disjoint folds, or at random time and again."""

    FOLDS = "folds"
    RANDOM = "random"


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
    """How rows are divided.

    Parameters
    ----------
    scheme
        Folds or random divisions.
    number
        How many.
    test_size
        Share of the rows tested in a random division.
    shuffles
        Permutations of each test part.
    stratify
        Whether each part gets its share of each class.
    seed
        Of everything random.
    """

    scheme: Scheme = Scheme.FOLDS
    number: int = 10
    test_size: float = 0.2
    shuffles: int = 5
    stratify: bool = True
    seed: int = 0

    @property
    def name(self) -> str:
        """It in words."""
        return f"{self.number} {'folds' if self.scheme is Scheme.FOLDS else 'random divisions'}"

    def too_rare(self, strata: IntArray | None) -> tuple[int, int] | None:
        """Return a class with fewer than two rows on a side of a part, and its rows, if it gets its share."""
        if strata is None or not self.stratify:
            return None
        counts = np.bincount(strata)
        if self.scheme is Scheme.FOLDS:
            least = counts // self.number
        else:
            tested = np.rint(counts * self.test_size)
            least = np.minimum(tested, counts - tested)
        short = np.flatnonzero((least < 2) & (counts > 0))
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
        folds = self.scheme is Scheme.FOLDS
        drawn = dealt(strata, self.number, self.seed) if folds else self._random(strata)
        return [self._part(number, rows, np.sort(test)) for number, test in enumerate(drawn)]

    def refuse_few(self, rows: int) -> None:
        """Raise an ArgumentError if a part would have fewer than two rows."""
        tested = rows // self.number if self.scheme is Scheme.FOLDS else round(rows * self.test_size)
        if tested < 2 or rows - tested < 2:
            raise ArgumentError(
                f"splits={self.number} of {rows} rows: a part has fewer than two rows to test on, or to "
                "learn from; use fewer splits or another test_size"
            )

    def _random(self, strata: IntArray) -> Iterator[IntArray]:
        classes = [np.flatnonzero(strata == one) for one in np.unique(strata)]
        for number in range(self.number):
            random = np.random.default_rng([self.seed, number, 0])
            yield np.concatenate(
                [random.permutation(own)[: round(self.test_size * len(own))] for own in classes]
            )

    def _part(self, number: int, rows: int, test: IntArray) -> Part:
        random = np.random.default_rng([self.seed, number, 1])
        needed = 2 * NUMBER * self.number * self.shuffles * len(test)
        require(needed, f"{self.shuffles:,} shuffles of each of {self.number:,} parts", "make fewer")
        drawn = counted(range(self.shuffles), self.shuffles, "shuffles")
        shuffles = np.array([random.permutation(len(test)) for _ in drawn])
        train = np.setdiff1d(np.arange(rows), test, assume_unique=True)
        return Part(train, test, shuffles, random.random(shuffles.shape))


def chosen_division(
    scheme: Scheme | str,
    splits: int,
    test_size: float | None,
    shuffles: int | None,
    stratify: bool,
    seed: int,
) -> Division:
    """Check how rows are to be divided.

    Raises
    ------
    ArgumentError
        If an argument is out of its range.
    """
    try:
        kind = Scheme(scheme)
    except ValueError as fault:
        raise ArgumentError(f"scheme={scheme!r}; use {listing(Scheme)}") from fault
    checked_integer("splits", splits, 2)
    checked_integer("random_state", seed, 0)
    if test_size is not None and kind is Scheme.FOLDS:
        raise ArgumentError(f"test_size={test_size!r} is for scheme='random'; the number of folds is splits")
    test_size = 0.2 if test_size is None else test_size
    level("test_size", test_size)
    usual = 5 if kind is Scheme.FOLDS else 1
    draws = usual if shuffles is None else checked_integer("shuffles", shuffles, 1)
    flags(stratify=stratify)
    return Division(kind, int(splits), float(test_size), draws, stratify, int(seed))
