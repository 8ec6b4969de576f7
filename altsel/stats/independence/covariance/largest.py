"""Tail probability of the largest of several correlated normal values, also far out in the tail."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.runtime.on_demand import OnDemand

special: Any = OnDemand("scipy.special")

DRAWS = 512
"""Draws in all, of which each coordinate has its share, and at least `EACH`."""
EACH = 8


def log_p_of_largest(threshold: float, correlation: FloatArray, *, two_sided: bool = True) -> float:
    r"""Logarithm of the probability that the largest of normal values exceeds a threshold.

    With ``p`` the tail of one value and ``N`` the number of values above the threshold,
    ``P(max > t) = d p E[1 / N | value J is above]``, J drawn from all d: the sum of the single tails, less
    what they share. The mean is taken over a fixed stream of draws, so that the answer is the same each
    time; as ``1/d <= 1/N <= 1``, its error is a few per cent of p however small p is.

    Parameters
    ----------
    threshold
        It, on the scale of standard normal values.
    correlation
        Of the values; shape (d, d).
    two_sided
        Whether their absolute values are meant.

    Returns
    -------
    float, at most 0

    References
    ----------
    Adler, Blanchet and Liu, Annals of Applied Probability 22 (2012), section 3.

    Examples
    --------
    >>> independent = log_p_of_largest(2.5, np.eye(3))
    >>> round(float(np.exp(independent)), 3), round(1 - (1 - 0.01241933) ** 3, 3)
    (0.037, 0.037)
    >>> round(log_p_of_largest(2.5, np.ones((3, 3))), 4), round(float(np.log(0.01241933)), 4)
    (-4.3885, -4.3885)
    """
    tail = float(special.log_ndtr(-threshold)) + (np.log(2) if two_sided else 0.0)
    number = len(correlation)
    if number == 1 or (threshold <= 0 and two_sided):
        return min(float(tail), 0.0)
    each = max(EACH, DRAWS // number)
    normal, uniform = _draws(number * each, number)
    above = -special.ndtri_exp(special.log_ndtr(-threshold) + np.log(uniform))  # standard normal, above it
    chosen = np.repeat(np.arange(number), each)
    rows = np.arange(len(chosen))
    values = normal @ _root(correlation)
    values += correlation[chosen] * (above - values[rows, chosen])[:, None]
    values[rows, chosen] = np.maximum(above, threshold)
    exceed = ((np.abs(values) if two_sided else values) >= threshold).sum(axis=1)
    return float(min(tail + np.log(number * (1 / exceed).mean()), 0.0))


@lru_cache(8)
def _draws(rows: int, columns: int) -> tuple[FloatArray, FloatArray]:
    random = np.random.default_rng(0)
    return random.normal(size=(rows, columns)), (random.permutation(rows) + 0.5) / rows


def _root(correlation: FloatArray) -> FloatArray:
    """Return a symmetric root; eigenvalues that are negative by rounding count as 0."""
    values, vectors = np.linalg.eigh(correlation)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T)
