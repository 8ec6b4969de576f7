"""Families of generalised linear models: how a target depends on linear predictors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd
from scipy import special

from altsel._types import FloatArray
from altsel.data.columns import codes, moderate, numbers
from altsel.errors import DataError


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


class Family(Protocol):
    """A family with its canonical link; a target of several predictors has several rows.

    Arrays of predictors have shape (predictors, rows) or (predictors, rows, models).
    """

    @property
    def name(self) -> str:
        """The family in words."""

    def response(self, target: pd.Series[Any]) -> FloatArray:
        """Turn the target into responses, shape (predictors, rows)."""

    def mean(self, eta: FloatArray) -> FloatArray:
        """Return the expected responses for the predictors."""

    def weights(self, mean: FloatArray, a: int, b: int) -> FloatArray:
        """Covariance of responses a and b given their means."""

    def outcomes(self, mean: FloatArray) -> Outcomes:
        """Return what the responses can be, given means of shape (predictors, rows)."""

    def log_likelihood(self, response: FloatArray, eta: FloatArray) -> FloatArray:
        """Log-likelihood, summed over predictors and rows, up to a constant."""


@dataclass(frozen=True)
class Categorical:
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

    def weights(self, mean: FloatArray, a: int, b: int) -> FloatArray:
        """``m_a (1 - m_a)`` on the diagonal, ``-m_a m_b`` off it."""
        return np.asarray(mean[a] * ((1.0 if a == b else 0.0) - mean[b]))

    def outcomes(self, mean: FloatArray) -> Outcomes:
        """Return the classes, the first one last, by their probabilities."""
        classes = np.concatenate([mean, 1 - mean.sum(axis=0, keepdims=True)])
        return Outcomes(np.eye(len(classes), len(mean))[:, :, None] - mean, classes, True)

    def log_likelihood(self, response: FloatArray, eta: FloatArray) -> FloatArray:
        """``sum y_a eta_a - log(1 + sum_a exp(eta_a))``."""
        shaped = response.reshape(response.shape + (1,) * (eta.ndim - 2))
        top = np.maximum(eta.max(axis=0), 0.0)
        total = top + np.log(np.exp(eta - top).sum(axis=0) + np.exp(-top))
        return np.asarray((shaped * eta).sum(axis=(0, 1)) - total.sum(axis=0))


@dataclass(frozen=True)
class Poisson:
    """Counts, with the logarithm as link."""

    name = "Poisson"

    def response(self, target: pd.Series[Any]) -> FloatArray:
        """Return the counts themselves.

        Raises
        ------
        DataError
            If they are no integers of at least 0.
        """
        values = np.asarray(target.to_numpy(dtype=float))
        if (values < 0).any() or (values != values.round()).any():
            raise DataError(
                f"a Poisson model needs counts, integers of at least 0; {target.name!r} has others"
            )
        return values[None]

    def mean(self, eta: FloatArray) -> FloatArray:
        """``exp(eta)``."""
        return np.asarray(np.exp(np.minimum(eta, 500.0)))

    def weights(self, mean: FloatArray, a: int, b: int) -> FloatArray:
        """Return the mean."""
        return np.asarray(mean[0])

    def outcomes(self, mean: FloatArray) -> Outcomes:
        """Return one more: all cumulants are the mean."""
        return Outcomes(np.ones((1, *mean.shape)), mean, False)

    def log_likelihood(self, response: FloatArray, eta: FloatArray) -> FloatArray:
        """``sum y eta - exp(eta)``."""
        shaped = response.reshape(response.shape + (1,) * (eta.ndim - 2))
        return np.asarray((shaped * eta - self.mean(eta)).sum(axis=(0, 1)))


@dataclass(frozen=True)
class Gaussian:
    """Numbers with normal errors: linear regression, whose p is exact (F test)."""

    name = "linear"

    def response(self, target: pd.Series[Any]) -> FloatArray:
        """Return the numbers, centred and scaled to a mean square of 1."""
        values = moderate(numbers(target))
        return np.asarray((values - values.mean()) / values.std())[None]

    def mean(self, eta: FloatArray) -> FloatArray:
        """Return the predictor itself."""
        return eta

    def weights(self, mean: FloatArray, a: int, b: int) -> FloatArray:
        """One."""
        return np.ones_like(mean[0])

    def outcomes(self, mean: FloatArray) -> Outcomes:
        """Return none: a normal variable has no third or fourth cumulant."""
        return Outcomes(np.zeros((0, *mean.shape)), np.zeros((0, mean.shape[1])), False)

    def log_likelihood(self, response: FloatArray, eta: FloatArray) -> FloatArray:
        """``-n/2 log(residual sum of squares)``, the variance at its estimate."""
        shaped = response.reshape(response.shape + (1,) * (eta.ndim - 2))
        squares = ((shaped - eta) ** 2).sum(axis=(0, 1))
        return np.asarray(-response.shape[1] / 2 * np.log(np.maximum(squares, np.finfo(float).tiny)))
