"""p of tests in contingency tables by permutations of the target within the strata."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.errors import checked_integer
from altsel.runtime.memory import require
from altsel.stats.discrete.random_tables import Margins
from altsel.stats.log_p import log_chi_square

HITS = 20
"""With so many permutations that reach the statistic no more are drawn: p is at least 2 % or so."""
TAIL = 10
"""With fewer, p is continued into the tail from the statistic that so many reach."""
FIRST = (100, 200)
"""Permutations drawn before it is looked whether they are enough."""
SKEW = 0.02
"""Smallest skewness of a continued tail: chi-square of 20,000 degrees of freedom."""

PER_DRAW = 24
"""Bytes that the statistic of a permutation takes where its tail is continued."""

Statistic = Callable[[Margins, IntArray], FloatArray]


@dataclass(frozen=True)
class Permutations:
    """How p is found by permuting the target within the strata: ``(1 + hits) / (1 + number)``.

    Parameters
    ----------
    number
        Number of permutations.
    random_state
        Seed; every test draws the same permutations, whatever was tested before.

    Examples
    --------
    >>> from altsel import Dataset, independence
    >>> data = Dataset({"a": [0, 1] * 10, "b": [0, 0, 1, 1] * 5}, [0, 1] * 10)
    >>> test = independence.GSquare(data, permutations=Permutations(99))
    >>> test(["a", "b"]).p.round(3).tolist()
    [0.01, 1.0]
    """

    number: int = 999
    random_state: int = 0

    def __post_init__(self) -> None:
        checked_integer("number of permutations", self.number, 1)
        checked_integer("random_state", self.random_state, 0)

    @property
    def smallest_p(self) -> float:
        """The smallest p there can be."""
        return 1 / (1 + self.number)

    def log_p(self, counts: IntArray, observed: float, statistic: Statistic) -> float:
        """Return the logarithm of ``(1 + hits) / (1 + number)``.

        Parameters
        ----------
        counts
            Table of shape (levels, classes, strata).
        observed
            Its statistic.
        statistic
            Computes it of margins and of tables that have them.
        """
        margins, random = Margins.of(counts), np.random.default_rng(self.random_state)
        least = _least(observed)
        drawn = margins.draws((self.number,), random)
        hits = sum(int((statistic(margins, tables) >= least).sum()) for tables in drawn)
        return log((1 + hits) / (1 + self.number))

    def continued_log_p(self, counts: IntArray, observed: float, statistic: Statistic) -> float:
        """Return the logarithm of p with no more permutations than needed, and into the tail beyond them.

        No more are drawn after `HITS` hits; p is hits / draws then (Besag and Clifford 1991), which has its
        level exactly. With fewer than `TAIL` hits, p is that of a Pearson type III distribution with
        the mean, variance and skewness of the permutations (Mielke and Berry 1985), scaled so that
        the statistic which `TAIL` of them reach has p = TAIL / (1 + number).
        """
        require(PER_DRAW * self.number, f"statistics of {self.number:,} permutations", "draw fewer")
        margins, random = Margins.of(counts), np.random.default_rng(self.random_state)
        least, hits, found = _least(observed), 0, np.zeros(0)
        for tables in margins.draws(self._sizes(), random):
            new = statistic(margins, tables)
            reached = np.flatnonzero(new >= least)
            if hits + len(reached) >= HITS:
                return log(HITS / (len(found) + int(reached[HITS - hits - 1]) + 1))
            hits, found = hits + len(reached), np.concatenate([found, new])
        tail = min(TAIL, self.number)
        if hits >= tail:
            return log((1 + hits) / (1 + self.number))
        start = float(np.partition(found, self.number - tail)[self.number - tail])
        return log(tail / (1 + self.number)) + _log_beyond(found, start, max(observed, start))

    def _sizes(self) -> tuple[int, ...]:
        ends = np.minimum(np.cumsum([0, *FIRST, self.number]), self.number)
        return tuple(np.diff(ends).tolist())


def _least(observed: float) -> float:
    """Return what a statistic must be at least to count as no smaller, whatever the rounding."""
    return observed - 1e-9 * max(observed, 1.0)


def _log_beyond(found: FloatArray, start: float, observed: float) -> float:
    """Logarithm of P(statistic > observed) / P(statistic > start), Pearson type III fitted to some values."""
    deviation = float(found.std())
    if deviation <= 1e-9 * max(start, 1.0):
        return 0.0
    skew = max(float((((found - found.mean()) / deviation) ** 3).mean()), SKEW)
    first = float(found.mean()) - 2 * deviation / skew  # where the distribution begins
    values = np.maximum((np.array([start, observed]) - first) * 4 / (deviation * skew), 0.0)
    before, after = log_chi_square(values, 8 / skew**2).tolist()
    return min(float(after) - float(before), 0.0)
