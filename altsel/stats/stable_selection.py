r"""Bounds on how many features are selected wrongly by stability selection with complementary pairs.

Rows are split into halves B times, and a search selects features in each half. Selected are the features in a
share of at least :math:`\tau` of the 2B halves. With q features selected in a half in the mean, of p, those
with a *low selection probability*, at most :math:`\theta = q / p`, are called wrong. In the mean at most so
many of them are selected (Shah and Samworth, J. R. Stat. Soc. B 75, 2013), whatever the search, the data
and how features depend on each other:

.. math:: \frac{\theta q}{2 \tau - 1}.

It is less if the distribution of the share of pairs whose halves both select such a feature has one peak,
or is *r-concave*.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.runtime.on_demand import OnDemand

optimize: Any = OnDemand("scipy.optimize")

LARGEST = 1e5
"""Largest shift of the extremal weights, which are equal there."""
LEAST = 1e-9
ROUNDING = 1e-9
UNIMODAL = 3**-0.5
"""Largest share of the features in a half that the bound for one peak is for."""


def worst_case(q: float, p: int, threshold: float) -> float:
    r"""Return :math:`q^2 / (p (2 \tau - 1))`.

    Examples
    --------
    >>> worst_case(10, 100, 0.75)
    2.0
    """
    return q * q / p / (2 * threshold - 1)


def unimodal(q: float, p: int, threshold: float, pairs: int) -> float | None:
    r"""Return the bound for distributions with one peak, None where it is not for.

    :math:`C \theta q` with :math:`C = 1 / (2 (2 \tau - 1 - 1 / (2 B)))` up to :math:`\tau = 3/4` and
    :math:`4 (1 - \tau + 1 / (2 B)) / (1 + 1 / B)` beyond.

    Examples
    --------
    >>> round(unimodal(10, 100, 0.9, 50), 4)
    0.4314
    """
    theta, edge = q / p, 1 / (2 * pairs)
    least = min(0.5 + theta**2, 0.5 + edge + 0.75 * theta**2)
    if theta > UNIMODAL or threshold <= least or threshold < 0.5 + 1 / pairs - ROUNDING:
        return None
    if threshold <= 0.75:
        return theta * q / (2 * (2 * threshold - 1 - edge))
    return theta * q * 4 * (1 - threshold + edge) / (1 + 1 / pairs)


def r_concave(q: float, p: int, threshold: float, pairs: int) -> float:
    r"""Return the bound for r-concave distributions.

    :math:`p \min\{D(\theta^2, 2 \tau - 1, B, -1/2), D(\theta, \tau, 2 B, -1/4)\}` with `largest_tail` D: the
    share of pairs is taken for -1/2-concave, that of halves for -1/4-concave, as the authors do.

    Examples
    --------
    >>> r_concave(10, 100, 0.9, 50) < unimodal(10, 100, 0.9, 50)
    True
    """
    theta = q / p
    of_pairs = int(np.ceil((2 * threshold - 1) * pairs - ROUNDING))
    of_halves = int(np.ceil(threshold * 2 * pairs - ROUNDING))
    tails = largest_tail(theta**2, of_pairs, pairs, -0.5), largest_tail(theta, of_halves, 2 * pairs, -0.25)
    return p * min(tails)


def largest_tail(mean: float, least: int, number: int, r: float) -> float:
    r"""Return the largest :math:`P(X \ge t)` of r-concave distributions on 0, …, n of mean at most m n.

    A distribution f with r < 0 is r-concave if :math:`f^r` is convex where f is not 0. The largest tail is
    that of :math:`f(i) = c (a + i)^{1/r}` for i up to k and a rest at k + 1 that is not larger than this:
    with :math:`w_i = (a + i)^{1/r}` the mean is met by :math:`c = (m n - k - 1) / \sum_i (i - k - 1) w_i`,
    and the tail is :math:`1 - c \sum_{i < t} w_i`. It is maximised over a between the shifts at which the
    weights up to k + 1, and up to k, have the mean by themselves, then over k.

    Parameters
    ----------
    mean
        m, between 0 and 1.
    least
        t.
    number
        n.
    r
        Below 0.

    Examples
    --------
    >>> largest_tail(0.01, 40, 50, -0.5) < 0.01 * 50 / 40  # Markov's bound
    True
    """
    total = mean * number
    if least <= 2 * total:
        return 1.0
    if mean == 0 or least > number:
        return 0.0
    first = int(np.ceil(2 * total))
    shifts = {k: _shift(k, total, r) for k in range(max(first, least - 1), number + 1)}
    best = 0.0
    for k, high in shifts.items():
        if k == number:
            best = max(best, _tail(high, k, least, total, r))
            continue
        low = shifts[k + 1]
        if low < high:
            found = optimize.minimize_scalar(
                lambda a, k=k: -_tail(a, k, least, total, r), bounds=(low, high), method="bounded"
            )
            best = max(
                best, -float(found.fun), _tail(low, k, least, total, r), _tail(high, k, least, total, r)
            )
    return min(1.0, best)


def _weights(a: float, k: int, r: float) -> FloatArray:
    """Return ``(a + i)^(1/r)`` for i = 0, …, k, as shares of the first."""
    return np.asarray(((a + np.arange(k + 1)) / a) ** (1 / r))


def _shift(k: int, total: float, r: float) -> float:
    """Return a for which the weights up to k have a mean of `total`; the largest one where none has."""

    def excess(log_a: float) -> float:
        weights = _weights(np.exp(log_a), k, r)
        return float(weights @ np.arange(k + 1) / weights.sum() - total)

    low, high = np.log(LEAST), np.log(LARGEST)
    if excess(high) <= 0:
        return LARGEST
    return float(np.exp(optimize.brentq(excess, low, high))) if excess(low) < 0 else LEAST


def _tail(a: float, k: int, least: int, total: float, r: float) -> float:
    """Return ``P(X >= least)`` of the extremal distribution with a rest at k + 1."""
    weights = _weights(a, k, r)
    scale = (k + 1 - total) / ((k + 1 - np.arange(k + 1)) @ weights)
    return float(1 - scale * weights[:least].sum())
