"""One test of several imputed tables: its answers pooled by Rubin's rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from altsel._types import FloatArray
from altsel.errors import ArgumentError, of_kind
from altsel.runtime.on_demand import OnDemand
from altsel.stats.independence.base import may_suffice, members_of
from altsel.stats.independence.protocol import Independence, TestResults, checked_test
from altsel.stats.independence.shown import Shown
from altsel.stats.log_p import log_variance_ratio

special: Any = OnDemand("scipy.special")
TAIL = -650.0
"""Logarithm of p below which a chi-square quantile is found by the tail's leading terms."""


class Pooled(Shown):
    """Test each of several imputed tables, and pool the answers.

    A test of one coefficient with a sign (`altsel.independence.PartialCorrelation`) is pooled as a normal
    deviate z of variance 1: with B the variance of its m values,

    ``t = mean(z) / sqrt(1 + (1 + 1/m) B)``, with ``(m - 1) (1 + 1 / ((1 + 1/m) B))^2`` degrees of freedom.

    Of any other one, p is made the chi-square d with its k degrees of freedom again. With
    ``r = (1 + 1/m) var(sqrt d)``,

    ``D = (mean(d) / k - (m + 1) / (m - 1) r) / (1 + r)`` follows ``F(k, k^(-3/m) (m - 1) (1 + 1/r)^2)``,

    nearly. The second rule knows p only, and is rougher. Twenty tables or more are advised.

    Parameters
    ----------
    tests
        The same test of each imputed table; at least 2.

    Raises
    ------
    ArgumentError
        If there are fewer than 2, or their features or targets differ.

    References
    ----------
    Rubin, "Multiple imputation for nonresponse in surveys" (1987), section 3.1; Li, Meng, Raghunathan and
    Rubin, Statistica Sinica 1 (1991), section 2, for the chi-squares.

    Examples
    --------
    >>> import numpy as np
    >>> import altsel
    >>> random = np.random.default_rng(0)
    >>> tables = [random.normal(size=(50, 2)) for _ in range(3)]
    >>> tests = [altsel.independence.PartialCorrelation(altsel.Dataset(x, x[:, 0] + x[:, 1])) for x in tables]
    >>> (Pooled(tests)(["x0"]).p < 0.01).tolist(), len(Pooled(tests).tests)
    ([True], 3)
    """

    def __init__(self, tests: Sequence[Independence]) -> None:
        of_kind("tests", tests, list | tuple, "the same test of each imputed table")
        self.tests = tuple(tests)
        for test in self.tests:
            checked_test(test)
        if len(self.tests) < 2:
            raise ArgumentError(
                f"{len(self.tests)} imputed table; what is pooled needs 2 at least, better 20"
            )
        first = self.tests[0]
        for number, test in enumerate(self.tests):
            if (test.features, test.target) != (first.features, first.target):
                raise ArgumentError(f"table {number} has other features or another target than table 0")

    @property
    def name(self) -> str:
        """The test in words."""
        return f"{self.tests[0].name}, pooled over {len(self.tests)} imputed tables"

    @property
    def features(self) -> tuple[str, ...]:
        """All variables but the target, in the order of the data."""
        return self.tests[0].features

    @property
    def target(self) -> str:
        """Name of the target."""
        return self.tests[0].target

    @property
    def members(self) -> dict[str, tuple[str, ...]]:
        """All names of the features that go by several."""
        return members_of(self.tests[0])

    @property
    def absent(self) -> Mapping[str, str]:
        """Why other columns of the data are no features, by name."""
        return dict(getattr(self.tests[0], "absent", {}))

    @property
    def seed(self) -> int | None:
        """Seed of the test, if anything in it is random."""
        return getattr(self.tests[0], "seed", None)

    @property
    def separable(self) -> bool:
        """Whether p of a candidate does not depend on what else is tested at once."""
        return all(getattr(test, "separable", True) for test in self.tests)

    def suffices(self, candidate: str, given: Sequence[str]) -> bool:
        """Return whether the rows of every table suffice."""
        return all(may_suffice(test, candidate, given) for test in self.tests)

    def with_target(self, target: str) -> Self:
        """Return the same test with another variable as target."""
        return type(self)([test.with_target(target) for test in self.tests])

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        """Test each candidate in every table, and pool; the statistic is t or F."""
        answers = [test(candidates, given) for test in self.tests]
        log_p = np.array([one.log_p for one in answers])
        tested = np.all([one.tested for one in answers], axis=0)
        effect = np.mean([one.effect for one in answers], axis=0)
        dof = np.maximum(np.max([one.dof for one in answers], axis=0), 1.0)
        if getattr(self.tests[0], "signed", False):
            signs = np.sign([one.statistic for one in answers])
            statistic, pooled = pooled_deviates(signs * deviates(log_p))
            dof = np.ones_like(dof)
        else:
            statistic, pooled = pooled_chi_squares(chi_squares(log_p, dof), dof)
        pooled = np.where(tested, pooled, 0.0)
        statistic = np.where(tested, statistic, 0.0)
        return TestResults(tuple(candidates), pooled, statistic, dof, effect, tested)


def deviates(log_p: FloatArray) -> FloatArray:
    """Return the absolute normal deviates that have these two-sided p.

    Examples
    --------
    >>> deviates(np.log([1.0, 0.05])).round(3).tolist()
    [0.0, 1.96]
    """
    return np.asarray(-special.ndtri_exp(np.minimum(log_p, 0.0) - np.log(2.0)) + 0.0)


def chi_squares(log_p: FloatArray, dof: FloatArray) -> FloatArray:
    """Return the chi-squares that have these p; in the far tail by its leading terms.

    Examples
    --------
    >>> chi_squares(np.log([0.05, 0.05]), np.array([1.0, 3.0])).round(3).tolist()
    [3.841, 7.815]
    """
    log_p, dof = np.broadcast_arrays(np.minimum(log_p, 0.0), dof)
    near = np.asarray(special.chdtri(dof, np.exp(np.maximum(log_p, TAIL))))
    half = np.maximum(-log_p, 1.0)
    for _ in range(4):
        half = np.maximum(-log_p + (dof / 2 - 1) * np.log(half) - special.gammaln(dof / 2), 1.0)
    return np.where(log_p < TAIL, 2 * half, near)


def pooled_deviates(z: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Pool normal deviates of variance 1, shape (m, candidates): t, and the logarithm of its p.

    Examples
    --------
    >>> t, log_p = pooled_deviates(np.array([[1.0, 3.0], [2.0, 3.0], [3.0, 3.0]]))
    >>> t.round(4).tolist(), np.exp(log_p).round(4).tolist()  # B = 1 and 0, T = 7/3 and 1
    ([1.3093, 3.0], [0.2374, 0.0027])
    """
    m = len(z)
    between = (1 + 1 / m) * z.var(axis=0, ddof=1)
    t = z.mean(axis=0) / np.sqrt(1 + between)
    with np.errstate(divide="ignore"):
        dof = np.minimum((m - 1) * (1 + 1 / between) ** 2, 1e9)
    return t, log_variance_ratio(1 / (1 + t * t / dof), 1, dof)


def pooled_chi_squares(d: FloatArray, k: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Pool chi-squares with k degrees of freedom, shape (m, candidates): F, and the logarithm of its p.

    Examples
    --------
    >>> f, log_p = pooled_chi_squares(np.array([[4.0, 9.0], [9.0, 9.0]]), np.array([2.0, 3.0]))
    >>> f.round(4).tolist()  # var(sqrt d) = 1/2 and 0, r = 3/4 and 0
    [0.5714, 3.0]
    """
    m = len(d)
    r = (1 + 1 / m) * np.sqrt(d).var(axis=0, ddof=1)
    f = np.maximum((d.mean(axis=0) / k - (m + 1) / (m - 1) * r) / (1 + r), 0.0)
    with np.errstate(divide="ignore"):
        dof = np.minimum(k ** (-3 / m) * (m - 1) * (1 + 1 / r) ** 2, 1e9)
    return f, log_variance_ratio(1 / (1 + f * k / dof), k, dof)
