"""Exact order statistics of columns that do not fit in memory, one digit a pass.

The bits of a float, turned so that they ascend with its value, are a digit of 16 bits and four of 12. A
pass counts how many values have each next digit, among those that agree with a wanted one in the digits found
so far; so each pass finds one more digit of every wanted value. Once few values agree, they are kept instead,
and the next pass is the last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from altsel._types import FloatArray, IntArray

DIGITS = 1 << 16
"""Values of the first digit."""
LATER = 1 << 12
"""Values of every later digit."""
SHIFTS = (48, 36, 24, 12, 0)
"""Bits after each digit."""
FEW = 4096
"""So many values that agree are kept rather than counted."""

Keys = npt.NDArray[np.uint64]
SIGN = np.uint64(1) << np.uint64(63)


def keys(values: FloatArray) -> Keys:
    """Return unsigned integers in the order of the values; both zeros have the same.

    Examples
    --------
    >>> found = keys(np.array([-2.0, -0.0, 0.0, 1e-300, 3.0]))
    >>> bool((np.sort(found) == found).all()), int((np.diff(found) == 0).sum())
    (True, 1)
    """
    bits = (values + 0.0).view(np.int64)
    turned = bits >> 63  # all bits of a negative number, none of another
    turned |= np.int64(-(2**63))
    bits ^= turned
    return bits.view(np.uint64)


def values_of(found: Keys) -> FloatArray:
    """Return the values of keys."""
    return np.where(found & SIGN, found & ~SIGN, ~found).view(np.float64)


def first_digits(values: FloatArray) -> IntArray:
    """Return the first digit of each value."""
    return (keys(values) >> np.uint64(SHIFTS[0])).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Histogram:
    """How many values have each first digit, of those digits that occur: most columns have a few hundred.

    Attributes
    ----------
    digits
        First digits, ascending.
    counts
        How many values have each.
    """

    digits: IntArray
    counts: IntArray

    @classmethod
    def of(cls, values: FloatArray, counts: npt.NDArray[Any] | None = None) -> Histogram:
        """Count values, each once or as often as is said.

        Examples
        --------
        >>> Histogram.of(np.array([1.0, 1.01, 5.0]), np.array([2, 3, 4])).counts.tolist()
        [5, 4]
        """
        found = first_digits(values)
        if len(found) < FEW:
            digits, found = np.unique(found, return_inverse=True)
            return cls(digits, _exactly(np.bincount(found, counts)))
        total = _exactly(np.bincount(found, counts, DIGITS))
        digits = np.flatnonzero(total)
        return cls(digits, total[digits])

    def __add__(self, other: Histogram) -> Histogram:
        digits = np.union1d(self.digits, other.digits)
        counts = np.zeros(len(digits), dtype=np.int64)
        for one in (self, other):
            counts[np.searchsorted(digits, one.digits)] += one.counts
        return Histogram(digits, counts)


def _exactly(counts: npt.NDArray[Any]) -> IntArray:
    return np.asarray(np.rint(counts), dtype=np.int64)


NOTHING = Histogram(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
"""The histogram of no values."""


@dataclass(eq=False)
class Wanted:
    """The order statistics wanted of one column, and what is known of them.

    Parameters
    ----------
    ranks
        Their ranks from 0.
    histogram
        How many values have each first digit.

    Attributes
    ----------
    prefixes
        The first digits of each, as one number.
    rest
        Rank of each among the values that share these digits.
    agree
        How many values share them.
    known
        How many digits are found.
    """

    ranks: IntArray
    histogram: InitVar[Histogram]
    prefixes: Keys = field(init=False)
    rest: IntArray = field(init=False)
    agree: IntArray = field(init=False)
    known: int = 1

    def __post_init__(self, histogram: Histogram) -> None:
        ends = np.cumsum(histogram.counts)
        found = np.searchsorted(ends, self.ranks, side="right")
        self.prefixes, self.agree = histogram.digits[found].astype(np.uint64), histogram.counts[found]
        self.rest = self.ranks - (ends[found] - self.agree)

    def _advance(self, which: IntArray, histograms: IntArray) -> None:
        """Find the next digit of each by the counts of those that share the digits so far."""
        ends = np.cumsum(histograms, axis=1)
        digits = np.array(
            [np.searchsorted(ends[j], rest, side="right") for j, rest in zip(which, self.rest, strict=True)]
        ).astype(np.int64)
        before = ends[which, digits] - histograms[which, digits]
        self.rest, self.agree = self.rest - before, histograms[which, digits]
        self.prefixes = self.prefixes * np.uint64(LATER) + digits.astype(np.uint64)
        self.known += 1

    @property
    def groups(self) -> Keys:
        """The different prefixes, ascending."""
        return np.unique(self.prefixes)

    @property
    def counting(self) -> bool:
        """Whether too many values agree with a wanted one to keep them."""
        return not self.done and bool(self.agree.max() > FEW)

    @property
    def done(self) -> bool:
        """Whether all digits are found."""
        return self.known == len(SHIFTS)

    @property
    def shape(self) -> tuple[int, int]:
        """Shape of what is counted next."""
        return len(self.groups), LATER

    @property
    def size(self) -> int:
        """Bytes that the next pass takes at most for what it counts or keeps."""
        few = np.unique(self.prefixes, return_index=True)[1]
        return 8 * int(len(few) * LATER if self.counting else self.agree[few].sum())

    def look(self, values: FloatArray) -> npt.NDArray[Any]:
        """Return what a batch adds: counts, shape (groups, `LATER`), or the keys of the values that agree."""
        found, groups = keys(values), self.groups
        heads = found >> np.uint64(SHIFTS[self.known - 1])
        if self.known == 1:
            member = np.full(DIGITS, -1, dtype=np.int16)
            member[groups.astype(np.int64)] = np.arange(len(groups))
            which = member[heads.astype(np.int64)]
            there = np.flatnonzero(which >= 0)
        else:
            which = np.minimum(np.searchsorted(groups, heads), len(groups) - 1)
            there = np.flatnonzero(groups[which] == heads)
        found, which = found[there], which[there].astype(np.int64)
        if not self.counting:
            return found
        digits = (found >> np.uint64(SHIFTS[self.known])) & np.uint64(LATER - 1)
        places = which * LATER + digits.astype(np.int64)
        return np.bincount(places, minlength=len(groups) * LATER).reshape(self.shape)

    def learn(self, seen: npt.NDArray[Any]) -> None:
        """Take what `look` returned for all batches: the sum of counts, or all keys."""
        if self.counting:
            self._advance(np.searchsorted(self.groups, self.prefixes), seen)
            return
        kept = np.sort(seen)
        heads = kept >> np.uint64(SHIFTS[self.known - 1])
        self.prefixes = kept[np.searchsorted(heads, self.prefixes) + self.rest]
        self.known = len(SHIFTS)

    @property
    def found(self) -> FloatArray:
        """The wanted values, once `done`."""
        return values_of(self.prefixes)


def quantile_ranks(rows: int, bins: int) -> tuple[IntArray, FloatArray]:
    """Return the ranks below the inner quantiles of bins of equal frequency, and the shares above them."""
    bins = min(bins, max(rows, 2))  # as many as rows tell any two values apart
    virtual = (rows - 1) * np.linspace(0, 1, bins + 1)[1:-1]
    below = np.minimum(np.floor(virtual), max(rows - 2, 0))
    return below.astype(np.int64), virtual - below


def edges(below: FloatArray, above: FloatArray, shares: FloatArray, largest: float) -> FloatArray:
    """Return the largest value of each bin but the last, as linear interpolation of quantiles divides rows.

    Parameters
    ----------
    below, above
        Order statistics next to each quantile.
    shares
        How far it is from the one to the other.
    largest
        The largest value of all.

    Examples
    --------
    >>> edges(np.array([2.0, 4.0]), np.array([3.0, 5.0]), np.array([0.6, 0.2]), 6.0).tolist()
    [2.0, 4.0]
    """
    step = above - below
    quantiles = np.where(shares < 0.5, below + step * shares, above - step * (1 - shares))
    reached = np.where(quantiles >= above, above, below)
    return np.unique(reached[reached < largest])


def wanted(histograms: Mapping[str, Histogram], rows: int, bins: int) -> tuple[dict[str, Wanted], FloatArray]:
    """Return the order statistics of each column that its edges need, and the shares of `quantile_ranks`."""
    below, shares = quantile_ranks(rows, bins)
    ranks = np.concatenate([below, np.minimum(below + 1, rows - 1)])
    return {name: Wanted(ranks, histogram) for name, histogram in histograms.items()}, shares


def edges_of(
    found: Mapping[str, Wanted], shares: FloatArray, largest: Mapping[str, float]
) -> dict[str, FloatArray]:
    """Return the edges of every column."""
    halves = {name: np.split(one.found, 2) for name, one in found.items()}
    return {name: edges(below, above, shares, largest[name]) for name, (below, above) in halves.items()}


__all__: Sequence[str] = ("NOTHING", "Histogram", "Wanted", "edges_of", "wanted")
