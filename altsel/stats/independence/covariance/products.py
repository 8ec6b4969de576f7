"""Statistics of products of residuals, and their p."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.runtime.on_demand import OnDemand
from altsel.stats.independence.covariance.largest import log_p_of_largest
from altsel.stats.independence.covariance.learners import Residuals
from altsel.stats.log_p import log_correlation

special: Any = OnDemand("scipy.special")

ROUNDING = 1e-12
"""Products whose deviation is not more than this share of their size are the same in all rows."""


@dataclass(frozen=True, eq=False)
class Studentised:
    """Means of products in units of their standard error.

    Attributes
    ----------
    t
        Shape (columns of x, columns of y).
    freedom
        Degrees of freedom of the Student distribution they are compared with, of the same shape.
    effect
        Correlations of the residuals, of the same shape.
    """

    t: FloatArray
    freedom: FloatArray
    effect: FloatArray

    @property
    def z(self) -> FloatArray:
        """Normal values with the same tail probability as t."""
        log_p = log_correlation(self.t / np.sqrt(self.freedom + self.t**2), self.freedom)
        # two-sided p of 1 is z = 0
        return np.asarray(-np.sign(self.t) * special.ndtri_exp(np.minimum(log_p, 0.0) - np.log(2)))


def studentised(x: Residuals, y: Residuals, weights: FloatArray | None = None) -> Studentised:
    r"""Divide the mean of products of residuals by its standard error.

    ``T = sqrt(n) mean(R) / sd(R)`` with ``R = w rx ry`` (Shah and Peters 2020, equation 3). Residuals of a
    fit are smaller than errors, and are correlated. Of linear smoothers with ``M = I - hat`` that is known:
    for normal errors the variance of ``rx' ry`` is that of ``tr(Mx My Mx My)`` products, and each has that of
    ``tr(Mx^2) tr(My^2) / n^2``; T is multiplied by the root of the ratio of the latter to the former, and is
    compared with Student's distribution of ``tr(Mx My) - 1`` degrees of freedom. With nothing given or least
    squares that is the usual ``n - q``.

    Parameters
    ----------
    x, y
        Residuals in the same rows.
    weights
        Shape (rows,): w; None: 1.
    """
    rows = len(x.values)
    weighted = y.values if weights is None else y.values * weights[:, None]
    mean = x.values.T @ weighted / rows
    square = (x.values**2).T @ weighted**2 / rows
    variance = square - mean**2
    same = variance <= ROUNDING * square
    t = np.sqrt(rows) * mean / np.sqrt(np.where(same, 1.0, variance))
    rest = rows - 1 - len(x.kept) if len(x.kept) else rows - 1
    squares = (rest + (x.kept**2).sum(axis=0))[:, None] * (rest + (y.kept**2).sum(axis=0))
    together = rest + (x.kept**2).T @ y.kept**2
    freedom = np.maximum(rest + x.kept.T @ y.kept - 1, 1.0)
    size = np.sqrt(np.outer((x.values**2).mean(axis=0), (y.values**2).mean(axis=0)))
    effect = np.where(size > 0, x.values.T @ y.values / rows / np.where(size > 0, size, 1.0), 0.0)
    return Studentised(np.where(same, 0.0, t * np.sqrt(squares / (rows * together))), freedom, effect)


def log_p_of_products(
    z: FloatArray, x: FloatArray, y: FloatArray, weights: FloatArray, *, two_sided: bool = True
) -> float:
    """Logarithm of p of the largest of several studentised products.

    Parameters
    ----------
    z
        Normal values, shape (weights, columns of x, columns of y).
    x, y
        Residuals, shape (rows, columns).
    weights
        Shape (rows, weights).
    two_sided
        Whether the largest absolute value is meant.
    """
    products = np.einsum("iw,ij,ik->iwjk", weights, x, y).reshape(len(x), -1)
    flat = z.reshape(-1)
    centred = products - products.mean(axis=0)
    size = np.sqrt((centred**2).sum(axis=0))
    varied = size > 0
    if not varied.any():
        return 0.0
    unit = centred[:, varied] / size[varied]
    largest = float((np.abs(flat) if two_sided else flat)[varied].max())
    return log_p_of_largest(largest, unit.T @ unit, two_sided=two_sided)
