"""Logarithms of tail probabilities, also where the probability itself is too small for a float."""

from __future__ import annotations

from math import lgamma, log
from typing import Any

import numpy as np
import numpy.typing as npt

from altsel._types import FloatArray
from altsel.runtime.on_demand import OnDemand

special: Any = OnDemand("scipy.special")

SMALL = 1e-290
"""Below it a probability loses digits, and its logarithm is computed another way."""


def log_chi_square(statistic: npt.ArrayLike, dof: npt.ArrayLike) -> FloatArray:
    """Logarithm of the probability that a chi-square variable exceeds a value.

    ``log Q(dof / 2, statistic / 2)``, by a continued fraction far out in the tail; 0 where
    there are no degrees of freedom.

    Parameters
    ----------
    statistic, dof
        Arrays that broadcast against each other.

    Returns
    -------
    array of float, at most 0

    Examples
    --------
    >>> log_chi_square([10.0, 10_000.0], 2).tolist()  # exactly -statistic / 2
    [-5.0, -5000.0]
    """
    x, a = np.asarray(statistic, float) / 2, np.asarray(dof, float) / 2
    tail = np.asarray(special.gammaincc(a, x))
    far = ~(tail >= SMALL)  # 0 or NaN without degrees of freedom
    if not far.any():
        return np.asarray(np.log(tail))
    result = np.array(np.log(np.where(far, 1.0, tail)))
    x, a, far = np.broadcast_arrays(x, a, far & (a > 0))
    if far.any():
        result[far] = [_log_upper_gamma(*pair) for pair in zip(a[far].tolist(), x[far].tolist(), strict=True)]
    return result


def log_correlation(r: npt.ArrayLike, dof: npt.ArrayLike) -> FloatArray:
    """Logarithm of the two-sided p of a correlation under normality.

    ``t = r sqrt(dof / (1 - r^2))`` follows Student's t; ``p = I(1 - r^2; dof / 2, 1 / 2)``,
    the regularised incomplete beta function.

    Parameters
    ----------
    r
        Correlations in [-1, 1].
    dof
        Degrees of freedom, at least 1.

    Returns
    -------
    array of float, at most 0

    Examples
    --------
    >>> round(float(log_correlation(0.5, 10)), 6), float(log_correlation(0.0, 10))
    (-2.324272, 0.0)
    """
    r = np.asarray(r, float)
    return log_variance_ratio((1 - np.abs(r)) * (1 + np.abs(r)), 1, dof)


def log_variance_ratio(rest: npt.ArrayLike, extra: npt.ArrayLike, dof: npt.ArrayLike) -> FloatArray:
    """Logarithm of p of an F test, from the share of variance that more regressors leave unexplained.

    ``p = I(rest; dof / 2, extra / 2)``, with ``F = (1 / rest - 1) dof / extra``.

    Parameters
    ----------
    rest
        Residual sum of squares with the extra regressors, divided by that without them.
    extra
        Number of extra regressors; p is 1 where it is 0.
    dof
        Residual degrees of freedom with them, at least 1.

    Returns
    -------
    array of float, at most 0

    Examples
    --------
    >>> round(float(np.exp(log_variance_ratio(0.75, 1, 10))), 6)
    0.097855
    """
    rest, b, a = np.broadcast_arrays(
        np.maximum(np.asarray(rest, float), np.finfo(float).tiny),
        np.asarray(extra, float) / 2,
        np.asarray(dof, float) / 2,
    )
    some = b > 0
    tail = special.betainc(a, np.where(some, b, 1.0), np.minimum(rest, 1.0))
    result: FloatArray = np.log(tail, out=np.zeros(rest.shape), where=some & (tail > 0))
    far = some & (tail < SMALL)
    if far.any():
        first, second, share = a[far], b[far], np.asarray(rest)[far]
        start = first * np.log(share) + second * np.log1p(-share) - np.log(first)
        start -= special.betaln(first, second)
        result[far] = start + np.log(_beta_fraction(first, second, share))
    return result


def log_normal(z: npt.ArrayLike) -> FloatArray:
    """Logarithm of the two-sided p of a standard normal value.

    Examples
    --------
    >>> round(float(log_normal(1.959964)), 4), round(float(log_normal(50.0)), 2)
    (-2.9957, -1254.14)
    """
    return np.asarray(np.log(2) + special.log_ndtr(-np.abs(np.asarray(z, float))))


def _log_upper_gamma(a: float, x: float) -> float:
    """``log Q(a, x)`` for x well above a, by its continued fraction evaluated from the far end."""
    terms = 3 + int(a / 8)
    excess = x - a
    rest = excess + (2 * terms + 1)
    for i in range(terms, 0, -1):
        rest = excess + (2 * i - 1) + (a - i) * i / rest
    return a * log(x) - x - lgamma(a) - log(rest)


def _beta_fraction(a: FloatArray, b: FloatArray, x: FloatArray) -> FloatArray:
    """Continued fraction of ``I(x; a, b)`` by Lentz's method, for x below ``a / (a + b)``."""
    c = np.ones_like(x)
    d = 1 / (1 - (a + b) * x / (a + 1))
    fraction = d.copy()
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 1 + 2 * m))
        d = 1 / (1 + even * d)
        c = 1 + even / c
        fraction *= c * d
        d = 1 / (1 + odd * d)
        c = 1 + odd / c
        fraction *= c * d
        if np.abs(c * d - 1).max() < 1e-15:
            break
    return fraction
