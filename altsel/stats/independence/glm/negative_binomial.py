"""Counts that vary more than Poisson's: negative binomial regression, and when it is called for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from scipy import special

from altsel._types import FloatArray
from altsel.errors import no_negative
from altsel.runtime.on_demand import OnDemand
from altsel.stats.independence.glm.families import GLMFamily, OfCounts, Poisson, summed
from altsel.stats.independence.glm.grouped import Grouped
from altsel.stats.independence.glm.newton import Fitted

Fit = TypeVar("Fit", Fitted, Grouped)
optimize: Any = OnDemand("scipy.optimize")

ROUNDS = 20
"""How often dispersion and means are estimated in turn."""
SETTLED = 1e-6
"""Relative change of the dispersion that ends this."""
LEVEL = 0.05
"""Level of the test of dispersion."""


@dataclass(frozen=True)
class NegativeBinomial(OfCounts):
    """Counts of variance ``m + a m^2`` (NB2), with the logarithm as link; a is the dispersion.

    Without a dispersion of one's own it is estimated for each model of the given features by moments,
    ``sum (y - m)^2 / (m + a m^2) = n - p`` with p coefficients, and 0, which makes the model Poisson's,
    where the counts vary less. The models that add a candidate keep it: dispersion and coefficients are
    independent asymptotically, and a dispersion estimated with the candidate would reject too often in
    few rows.

    Parameters
    ----------
    dispersion
        The dispersion a, at least 0; None: estimated.

    Raises
    ------
    ArgumentError
        If the dispersion is negative.

    References
    ----------
    Lawless, Canadian Journal of Statistics 15 (1987); Breslow, Applied Statistics 33 (1984).

    Examples
    --------
    >>> from altsel import Dataset, independence
    >>> data = Dataset({"a": [0.0, 1, 2, 3] * 10}, [1, 2, 4, 8, 0, 3, 3, 9] * 5, task="regression")
    >>> test = independence.LikelihoodRatio(data, family=NegativeBinomial(0.5))
    >>> bool(test(["a"]).p[0] < 0.05)
    True
    """

    dispersion: float | None = None

    name = "negative binomial"

    def __post_init__(self) -> None:
        if self.dispersion is not None:
            no_negative("dispersion", self.dispersion)

    def link(self, mean: FloatArray) -> FloatArray:
        """``log(m)``."""
        return Poisson().link(mean)

    def errors(self, response: FloatArray, mean: FloatArray, a: int) -> FloatArray:
        """``(y - m) / (1 + a m)``."""
        shaped = response[0].reshape((-1,) + (1,) * (mean[0].ndim - 1))
        return np.asarray((shaped - mean[0]) / (1 + self._a * mean[0]))

    def weights(self, response: FloatArray, mean: FloatArray) -> FloatArray:
        """``m (1 + a y) / (1 + a m)^2``."""
        shaped = response.reshape(response.shape + (1,) * (mean.ndim - 2))
        share = 1 + self._a * mean
        return np.asarray(mean / share * (1 + self._a * shaped) / share)

    def log_likelihood(
        self, response: FloatArray, eta: FloatArray, counts: FloatArray | None = None
    ) -> FloatArray:
        """``sum y eta - (y + 1 / a) log(1 + a exp(eta))``."""
        if not self._a:
            return Poisson().log_likelihood(response, eta, counts)
        shaped = response.reshape(response.shape + (1,) * (eta.ndim - 2))
        return summed(shaped * eta - (shaped + 1 / self._a) * np.log1p(self._a * self.mean(eta)), counts)

    @property
    def _a(self) -> float:
        return self.dispersion or 0.0


def fit_dispersed(family: NegativeBinomial, fit: Callable[[NegativeBinomial], Fit]) -> Fit:
    """Fit one model and, if the family has none, its dispersion by moments."""
    if family.dispersion is not None:
        return fit(family)
    model = fit(replace(family, dispersion=0.0))
    response = model.response[0]
    weights = np.ones(len(response)) if model.counts is None else model.counts
    before = 0.0
    for _ in range(ROUNDS):
        mean = model.family.mean(model.eta)[0]
        found = _dispersion(response, mean, weights, model.columns)
        model = fit(replace(family, dispersion=found))
        if abs(found - before) <= SETTLED * found:
            break
        before = found
    return model


def _dispersion(y: FloatArray, mean: FloatArray, counts: FloatArray, coefficients: int) -> float:
    """Solve the equation of moments; 0 where the counts vary less than Poisson's."""
    mean = np.maximum(mean, 1e-300)
    squares, freedom = counts * (y - mean) ** 2 / mean, counts.sum() - coefficients

    def excess(a: float) -> float:
        return float((squares / (1 + a * mean)).sum() - freedom)

    if freedom <= 0 or excess(0.0) <= 0:
        return 0.0
    high = 1.0
    while excess(high) > 0 and high < 1e12:
        high *= 10
    return float(optimize.brentq(excess, 0.0, high, rtol=1e-12)) if excess(high) <= 0 else high


def family_of_counts(y: FloatArray, counts: FloatArray | None = None) -> GLMFamily:
    """Choose the family of a target of counts by Fisher's index of dispersion.

    ``D = sum (y - mean)^2 / mean`` is chi-square with n - 1 degrees of freedom for Poisson counts of one
    mean. Beyond its upper 5 % the counts are negative binomial; its dispersion, estimated for each set of
    given features, vanishes again where these explain what varies. Others are Poisson's, also where they
    vary less: tests then reject too rarely, and those of numbers find more.

    Parameters
    ----------
    y
        The counts.
    counts
        How often each row counts.

    Returns
    -------
    GLMFamily

    References
    ----------
    Fisher, Thornton and Mackenzie, Annals of Applied Biology 9 (1922).

    Examples
    --------
    >>> family_of_counts(np.array([0.0, 9, 0, 0, 14, 1])).name
    'negative binomial'
    >>> family_of_counts(np.array([2.0, 3, 1, 5, 0, 2])).name
    'Poisson'
    """
    weights = np.ones(len(y)) if counts is None else counts
    rows = float(weights.sum())
    mean = float(weights @ y) / rows
    index = float(weights @ (y - mean) ** 2) / mean
    return NegativeBinomial() if special.chdtrc(rows - 1, index) <= LEVEL else Poisson()
