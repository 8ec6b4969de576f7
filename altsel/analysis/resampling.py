"""Rows drawn again: as many with repetition, half of them without, or both halves in turn."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from altsel._types import IntArray
from altsel.data.dataset import Dataset
from altsel.data.dealing import subset
from altsel.errors import ArgumentError, DataError, checked_integer, listing

TRIES = 100
"""Draws of a resample until its target has two values."""


class Scheme(StrEnum):
    """How rows are drawn: as many with repetition, half of them without, or both halves in turn."""

    BOOTSTRAP = "bootstrap"
    SUBSAMPLE = "subsample"
    PAIRS = "complementary-pairs"


@dataclass(frozen=True)
class Resampling:
    """Resamples of the rows of data, by number; each is the same whatever their number.

    Attributes
    ----------
    data
        The rows.
    scheme
        How they are drawn.
    random_state
        Seed.
    """

    data: Dataset
    scheme: Scheme
    random_state: int

    def __getitem__(self, number: int) -> Dataset:
        """Return the data of a resample; of a number below 0 all rows."""
        return self.data if number < 0 else subset(self.data, self.rows(number), self.data.features)

    def rows(self, number: int) -> IntArray:
        """Draw the rows of a resample; again if its target has one value only."""
        if self.scheme is Scheme.PAIRS:
            return self._half(number)
        random, count = np.random.default_rng((self.random_state, number)), len(self.data.y)
        for _ in range(TRIES):
            if self.scheme is Scheme.BOOTSTRAP:
                rows = random.integers(0, count, count)
            else:
                rows = random.choice(count, count // 2, replace=False)
            if self.data.y.iloc[rows].nunique() > 1:
                return np.sort(rows)
        raise self._too_rare()

    def _half(self, number: int) -> IntArray:
        """Draw a pair of halves, again if the target has one value only in either; return one of them."""
        random, half = np.random.default_rng((self.random_state, number // 2)), len(self.data.y) // 2
        for _ in range(TRIES):
            order = random.permutation(len(self.data.y))
            halves = order[:half], order[half : 2 * half]
            if all(self.data.y.iloc[rows].nunique() > 1 for rows in halves):
                return np.sort(halves[number % 2])
        raise self._too_rare()

    def _too_rare(self) -> DataError:
        return DataError(
            f"the target {self.data.target!r} has one value only in {TRIES} draws; it is too rare"
        )


def checked_resampling(data: Dataset, resamples: int, scheme: Scheme | str, random_state: int) -> Resampling:
    """Return the resamples of rows, or raise an ArgumentError that names the argument."""
    checked_integer("resamples", resamples, 2)
    if scheme == Scheme.PAIRS and resamples % 2:
        raise ArgumentError(f"resamples={resamples}: complementary pairs need an even number of halves")
    checked_integer("random_state", random_state, 0)
    try:
        return Resampling(data, Scheme(scheme), random_state)
    except ValueError as fault:
        raise ArgumentError(f"scheme={scheme!r}; use {listing(Scheme)}") from fault
