"""Forms of a relation with different numbers of coefficients, made comparable by their p-values."""

from __future__ import annotations

from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.runtime.on_demand import OnDemand
from altsel.stats.log_p import log_chi_square

special: Any = OnDemand("scipy.special")

Form = tuple[FloatArray, FloatArray]
"""Squared correlations, and their degrees of freedom (0: this form says nothing)."""


def equal_evidence(forms: list[Form], rows: int, dimensions: int = 1) -> FloatArray:
    """Return the squared correlation that has the p of the best of some forms, times their number.

    Parameters
    ----------
    forms
        Arrays of one shape.
    rows
        Of the data, n.
    dimensions
        How many squared correlations of at most 1 a form is the sum of; of m the one that counts is
        ``1 - (1 - sum / m)^m``, which is the sum where it is small, and 1 where all are.

    Examples
    --------
    >>> one = np.array([0.1]), np.array([1.0])
    >>> equal_evidence([one], 101).round(6).tolist()  # itself
    [0.1]
    >>> equal_evidence([(np.array([0.5]), np.array([60.0]))], 101).round(3).tolist()  # of 60 levels
    [0.001]
    """
    tails = [np.where(dof > 0, _log_tail((rows - 1) * total, dof), 0.0) for total, dof in forms]
    number = sum((dof > 0).astype(float) for _, dof in forms)
    log_p = np.minimum(np.minimum.reduce(tails) + np.log(np.maximum(number, 1)), 0.0)
    quantile = special.ndtri_exp(np.minimum(log_p, -1e-15) - np.log(2))
    share = np.clip(quantile**2 / max(rows - 1, 1) / dimensions, 0.0, 1.0)
    return np.asarray(np.where(number > 0, 1 - (1 - share) ** dimensions, 0.0))


def _log_tail(statistic: FloatArray, dof: FloatArray) -> FloatArray:
    """Logarithm of the chi-square tail, in closed form for the one, two and four degrees of most pairs."""
    half = statistic / 2
    result = np.where(dof == 2, -half, np.log1p(half) - half)
    result = np.where(dof == 1, np.log(2) + special.log_ndtr(-np.sqrt(statistic)), result)
    other = ~np.isin(dof, (0, 1, 2, 4))
    if other.any():
        result[other] = log_chi_square(statistic[other], dof[other])
    return result
