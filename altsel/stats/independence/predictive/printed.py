"""The test as its authors printed it: random divisions, and features in another order, whatever is given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import log
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.errors import ArgumentError, checked_integer, flags, level, listing
from altsel.runtime.caller import warn_caller
from altsel.runtime.on_demand import OnDemand
from altsel.stats.independence.predictive.parts import Division, Part
from altsel.stats.independence.predictive.table import Table
from altsel.stats.independence.protocol import rounded
from altsel.stats.sign_flips import SignFlips

stats: Any = OnDemand("scipy.stats")  # half a second of start-up


class Scheme(StrEnum):
    """How rows are divided: in disjoint folds, or at random time and again."""

    FOLDS = "folds"
    RANDOM = "random"


@dataclass(frozen=True)
class RandomDivision(Division):
    """Divisions that share rows: p by the signed ranks of a mean difference of each.

    Parameters
    ----------
    test_size
        Share of the rows tested.
    """

    test_size: float = 0.2

    @property
    def name(self) -> str:
        """It in words."""
        return f"{self.number} random divisions"

    def tested(self, rows: IntArray) -> IntArray:
        """Return how many of some rows each part tests."""
        return np.asarray(np.rint(rows * self.test_size), dtype=np.int64)

    def drawn(self, strata: IntArray) -> Iterator[IntArray]:
        """Draw the test rows of each part."""
        classes = [np.flatnonzero(strata == one) for one in np.unique(strata)]
        for number in range(self.number):
            random = np.random.default_rng([self.seed, number, 0])
            yield np.concatenate(
                [random.permutation(own)[: round(self.test_size * len(own))] for own in classes]
            )

    def increases(self, parts: Sequence[Part], measured: Sequence[FloatArray]) -> FloatArray:
        """Return the mean difference of each division."""
        return rounded(np.stack([found.mean(axis=1) for found in measured], axis=1))

    def log_p(self, increases: FloatArray, signs: SignFlips) -> list[float]:
        """Return log p of each feature by signed ranks, exactly."""
        return [log_signed_rank(-row) for row in increases]

    def smallest_p(self, signs: SignFlips) -> float:
        """Return the smallest p there can be."""
        return float(0.5**self.number)


@dataclass(frozen=True)
class Shuffle:
    """The feature's values in another order, whatever is given."""

    name = "shuffled"

    def draws(self, table: Table, part: Part, variable: int, given: Sequence[int]) -> FloatArray:
        """Shuffle the test rows."""
        return np.asarray(table.coded[part.test, variable][part.shuffles])


def log_signed_rank(differences: FloatArray) -> float:
    r"""Return ``log P(W+ <= w)``, the evidence that paired differences lie below 0.

    ``W+`` sums the ranks of ``|d|`` that belong to positive differences. Ties share their mean rank, and
    the ranks of zeros are halved between both signs (``zsplit``). Every assignment of signs to the
    differences that are not 0 is counted, by adding one doubled rank, an integer, after the other.

    Parameters
    ----------
    differences
        Paired differences, shape (n,).

    Returns
    -------
    float
        At least ``-n log 2``, and no less than that of the smallest float; 0 where nothing differs.

    References
    ----------
    Wilcoxon, Biometrics Bulletin 1 (1945); Pratt and Gibbons, Concepts of Nonparametric Theory, section 3.7.

    Examples
    --------
    >>> np.exp(log_signed_rank(np.array([-3.0, -1.0, -2.0, 0.5]))).round(4).tolist()
    0.125
    """
    doubled = np.rint(2 * stats.rankdata(np.abs(differences))).astype(np.int64)
    free = doubled[differences != 0]
    if not len(free):
        return 0.0
    reached = int(doubled[differences > 0].sum())
    share = np.zeros(int(free.sum()) + 1)  # of the assignments that reach each sum
    share[0] = 1.0
    top = 0
    for rank in free.tolist():  # in W+ or not, with the same chance
        share[: top + 1] /= 2
        share[rank : rank + top + 1] += share[: top + 1].copy()
        top += rank
    total = float(share[: reached + 1].sum())
    return min(log(max(total, np.finfo(float).tiny)), 0.0)


def warn_of_printed(scheme: object, knockoff: object) -> None:
    """Warn that what was printed is no part of the next version with another first number."""
    given = [
        f"{name}={printed!r}"
        for name, value, printed in (("scheme", scheme, "random"), ("knockoff", knockoff, "shuffle"))
        if isinstance(value, str) and value == printed
    ]
    if given:
        warn_caller(
            f"{', '.join(given)}: the test as printed, whose p are too small, will not be in altsel 2.0; "
            "leave it out",
            FutureWarning,
        )


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
    if kind is Scheme.FOLDS:
        return Division(int(splits), draws, stratify, int(seed))
    return RandomDivision(int(splits), draws, stratify, int(seed), float(test_size))
