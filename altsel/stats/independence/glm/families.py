"""Families of generalised linear models: how a target depends on linear predictors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import pandas as pd
from scipy import special

from altsel._types import FloatArray
from altsel.data.columns import codes, moderate, numbers, summary_of
from altsel.data.kinds import has_order
from altsel.errors import DataError
from altsel.stats.independence.glm.pairs import diagonal, pairs

NOTHING = 1e-15
"""Where a mean is at the end of its range, its predictor is infinite; it is that of this instead."""


@dataclass(frozen=True, eq=False)
class Outcomes:
    """What responses can be instead of their means, for sums of their cumulants.

    A third cumulant is the sum of weight times the product of three deviations; a fourth one that of four,
    less the products of second ones where the weights are probabilities.

    Attributes
    ----------
    deviations
        From the mean, shape (outcomes, predictors, rows).
    weights
        Shape (outcomes, rows).
    probabilities
        Whether the weights are.
    """

    deviations: FloatArray
    weights: FloatArray
    probabilities: bool


class GLMFamily(Protocol):
    """A family and its link; a target of several predictors has several rows.

    Arrays of predictors have shape (predictors, rows) or (predictors, rows, models).
    """

    @property
    def name(self) -> str:
        """The family in words."""

    def response(self, target: pd.Series[Any]) -> FloatArray:
        """Turn the target into responses, shape (predictors, rows)."""

    def flat(self, response: FloatArray, counts: FloatArray | None) -> FloatArray:
        """Return predictors of a constant that Newton's method can begin at, shape (predictors, rows)."""

    def mean(self, eta: FloatArray) -> FloatArray:
        """Return the expected responses for the predictors."""

    def link(self, mean: FloatArray) -> FloatArray:
        """Return the predictors at which these are the expected responses, or nearly."""

    def errors(self, response: FloatArray, mean: FloatArray, a: int) -> FloatArray:
        """First derivatives of the rows' log-likelihoods by predictor a."""

    def weights(self, response: FloatArray, mean: FloatArray) -> FloatArray:
        """Second derivatives by each of the `pairs` of predictors, times -1; shape (pairs, rows, …)."""

    def log_likelihood(
        self, response: FloatArray, eta: FloatArray, counts: FloatArray | None = None
    ) -> FloatArray:
        """Log-likelihood, summed over predictors and rows (each so many times), up to a constant."""


@runtime_checkable
class WithOutcomes(Protocol):
    """A family of canonical link whose cumulants are known."""

    def outcomes(self, mean: FloatArray) -> Outcomes:
        """Return what the responses can be, given means of shape (predictors, rows)."""

    def third(self, mean: FloatArray, change: FloatArray) -> FloatArray:
        """Third cumulants by each of the `pairs` of predictors and a change of all: of the weights, by it.

        Parameters
        ----------
        mean
            Shape (predictors, rows).
        change
            Of the predictors, shape (changes, predictors, rows).

        Returns
        -------
        array
            Shape (changes, pairs, rows).
        """


class Canonical:
    """A family whose link is canonical: the derivatives are the errors of the means."""

    def flat(self, response: FloatArray, counts: FloatArray | None) -> FloatArray:
        """Return zeros."""
        return np.zeros_like(response)

    def errors(self, response: FloatArray, mean: FloatArray, a: int) -> FloatArray:
        """``y_a - m_a``."""
        return np.asarray(_beside(response[a], mean[a]) - mean[a])


@dataclass(frozen=True)
class Categorical(Canonical):
    """Classes: logistic regression for two, multinomial for more; the first class is the reference."""

    name = "logistic or multinomial"

    def response(self, target: pd.Series[Any]) -> FloatArray:
        """Return indicators of all classes but the first."""
        code = codes(target)
        return np.asarray(code == np.arange(1, code.max() + 1)[:, None], dtype=float)

    def mean(self, eta: FloatArray) -> FloatArray:
        """``exp(eta_a) / (1 + sum_b exp(eta_b))``."""
        if len(eta) == 1:
            return np.asarray(special.expit(eta))
        top = np.maximum(eta.max(axis=0), 0.0)
        powers = np.exp(eta - top)
        return np.asarray(powers / (powers.sum(axis=0) + np.exp(-top)))

    def link(self, mean: FloatArray) -> FloatArray:
        """``log(m_a / (1 - sum_b m_b))``."""
        return np.asarray(np.log(np.maximum(mean, NOTHING) / np.maximum(1 - mean.sum(axis=0), NOTHING)))

    def weights(self, response: FloatArray, mean: FloatArray) -> FloatArray:
        """``m_a (1 - m_a)`` on the diagonal, ``-m_a m_b`` off it."""
        found = np.empty((len(pairs(len(mean))[0]), *mean.shape[1:]))
        for a, start in enumerate(diagonal(len(mean)).tolist()):
            np.multiply(mean[a:], -mean[a], out=found[start : start + len(mean) - a])
            np.multiply(mean[a], 1 - mean[a], out=found[start])
        return found

    def third(self, mean: FloatArray, change: FloatArray) -> FloatArray:
        """``m_a d_a`` on the diagonal, less ``m_a m_b (d_a + d_b)``: d is a change less its mean."""
        (first, second), own = pairs(len(mean)), diagonal(len(mean))
        moved = np.asarray(change - np.einsum("an,tan->tn", mean, change)[:, None])
        found: FloatArray = moved[:, first]
        found += moved[:, second]
        found *= -mean[first] * mean[second]
        found[:, own] += mean * moved
        return found

    def outcomes(self, mean: FloatArray) -> Outcomes:
        """Return the classes, the first one last, by their probabilities."""
        classes = np.concatenate([mean, 1 - mean.sum(axis=0, keepdims=True)])
        return Outcomes(np.eye(len(classes), len(mean))[:, :, None] - mean, classes, True)

    def log_likelihood(
        self, response: FloatArray, eta: FloatArray, counts: FloatArray | None = None
    ) -> FloatArray:
        """``sum y_a eta_a - log(1 + sum_a exp(eta_a))``."""
        top = np.maximum(eta.max(axis=0), 0.0)
        total = top + np.log(np.exp(eta - top).sum(axis=0) + np.exp(-top))
        return summed(_beside(response, eta) * eta, counts) - summed(total[None], counts)


class OfCounts:
    """What models of counts share: the logarithm as link."""

    name: str

    def response(self, target: pd.Series[Any]) -> FloatArray:
        """Return the counts themselves.

        Raises
        ------
        DataError
            If they are no integers of at least 0.
        """
        if not summary_of(target).counts:
            needs = "needs counts, integers of at least 0"
            raise DataError(f"a {self.name} model {needs}; {target.name!r} has others")
        return np.asarray(target.to_numpy(dtype=float))[None]

    def flat(self, response: FloatArray, counts: FloatArray | None) -> FloatArray:
        """Return the logarithm of the mean."""
        mean = max(float(np.average(response[0], weights=counts)), np.finfo(float).tiny)
        return np.full_like(response, np.log(mean))

    def mean(self, eta: FloatArray) -> FloatArray:
        """``exp(eta)``."""
        return np.asarray(np.exp(np.minimum(eta, 500.0)))


@dataclass(frozen=True)
class Poisson(OfCounts, Canonical):
    """Counts, with the logarithm as link.

    Examples
    --------
    >>> from altsel import Dataset, independence
    >>> data = Dataset({"a": [0.0, 1, 2, 3] * 10}, [1, 2, 4, 8, 0, 3, 3, 9] * 5, task="regression")
    >>> test = independence.LikelihoodRatio(data, family=Poisson())
    >>> bool(test(["a"]).p[0] < 1e-6)
    True
    """

    name = "Poisson"

    def link(self, mean: FloatArray) -> FloatArray:
        """``log(m)``."""
        return np.asarray(np.log(np.maximum(mean, NOTHING)))

    def weights(self, response: FloatArray, mean: FloatArray) -> FloatArray:
        """Return the mean."""
        return mean

    def third(self, mean: FloatArray, change: FloatArray) -> FloatArray:
        """Return the mean times the change."""
        return np.asarray(mean * change)

    def outcomes(self, mean: FloatArray) -> Outcomes:
        """Return one more: all cumulants are the mean."""
        return Outcomes(np.ones((1, *mean.shape)), mean, False)

    def log_likelihood(
        self, response: FloatArray, eta: FloatArray, counts: FloatArray | None = None
    ) -> FloatArray:
        """``sum y eta - exp(eta)``."""
        return summed(_beside(response, eta) * eta - self.mean(eta), counts)


@dataclass(frozen=True)
class Gaussian(Canonical):
    """Numbers with normal errors: linear regression, whose p is exact (F test)."""

    name = "linear"

    def response(self, target: pd.Series[Any]) -> FloatArray:
        """Return the numbers, centred and scaled to a mean square of 1."""
        values = moderate(numbers(target))
        return np.asarray((values - values.mean()) / values.std())[None]

    def mean(self, eta: FloatArray) -> FloatArray:
        """Return the predictor itself."""
        return eta

    def link(self, mean: FloatArray) -> FloatArray:
        """Return the mean itself."""
        return mean

    def weights(self, response: FloatArray, mean: FloatArray) -> FloatArray:
        """One."""
        return np.ones_like(mean)

    def log_likelihood(
        self, response: FloatArray, eta: FloatArray, counts: FloatArray | None = None
    ) -> FloatArray:
        """``-n/2 log(residual sum of squares)``, the variance at its estimate."""
        squares = summed((_beside(response, eta) - eta) ** 2, counts)
        rows = response.shape[1] if counts is None else counts.sum()
        return np.asarray(-rows / 2 * np.log(np.maximum(squares, np.finfo(float).tiny)))


@dataclass(frozen=True)
class ProportionalOdds:
    """Ordered classes by cumulative logits: ``log P(y <= j) / P(y > j) = theta_j - x' beta``.

    The classes are ordered categories, numbers, or two. The thresholds ``theta_1 < … < theta_{K-1}`` are as
    many as the classes less one; the slopes are shared, so that a number adds one coefficient, whatever the
    number of classes.

    References
    ----------
    McCullagh, Journal of the Royal Statistical Society B 42 (1980).

    Examples
    --------
    >>> from altsel import Dataset, independence
    >>> sizes = ["small", "medium", "large", "medium"] * 10
    >>> order = {"y": ["small", "medium", "large"]}
    >>> data = Dataset({"a": [0.0, 1, 2, 3] * 10, "b": [0.0, 0, 1, 1] * 10}, sizes, kinds=order)
    >>> test = independence.LikelihoodRatio(data, family=ProportionalOdds())
    >>> test(["a", "b"]).dof.tolist()
    [1.0, 1.0]
    """

    name = "proportional-odds"

    def response(self, target: pd.Series[Any]) -> FloatArray:
        """Return the ranks 0, 1, … of the classes, shape (1, rows).

        Raises
        ------
        DataError
            If they are more than two categories without an order.
        """
        if isinstance(target.dtype, pd.CategoricalDtype) and not has_order(target) and target.nunique() > 2:
            raise DataError(
                f"a proportional-odds model needs ordered classes; {target.name!r} has categories without an "
                f"order: list them from the lowest to the highest, kinds={{{str(target.name)!r}: [...]}}, or "
                "use Categorical()"
            )
        return codes(target).astype(float)[None]


def summed(values: FloatArray, counts: FloatArray | None) -> FloatArray:
    """Sum over predictors and rows, each row as often as it counts.

    Parameters
    ----------
    values
        Shape (predictors, rows) or (predictors, rows, models).
    counts
        Shape (rows,); None: once.
    """
    if counts is None:
        return np.asarray(values.sum(axis=(0, 1)))
    return np.asarray(np.tensordot(counts, values.sum(axis=0), 1))


def _beside(response: FloatArray, like: FloatArray) -> FloatArray:
    """Add an axis for models to responses, if predictors have one."""
    return response.reshape(response.shape + (1,) * (like.ndim - response.ndim))
