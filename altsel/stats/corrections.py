"""Corrections of p-values for their number, on logarithms so that the smallest can be told apart."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

import numpy as np

from altsel._types import FloatArray
from altsel.errors import ArgumentError, listing


class Correction(StrEnum):
    """How p-values are corrected for their number.

    ``HOLM``: at alpha, the probability of any false discovery is at most alpha. ``BENJAMINI_HOCHBERG``: the
    expected share of false ones among the discoveries is. ``NONE``: not at all.
    """

    HOLM = "holm"
    BENJAMINI_HOCHBERG = "benjamini-hochberg"
    NONE = "none"


class FamilyWise(StrEnum):
    """The corrections that tests of equivalence of sets have: ``HOLM`` and ``NONE``, as in `Correction`."""

    HOLM = "holm"
    NONE = "none"


def holm(log_p: FloatArray) -> FloatArray:
    """Correct by Holm's method: ``p'_(i) = max_{j <= i} min(1, (m - j + 1) p_(j))`` for sorted p.

    References
    ----------
    Holm, Scandinavian Journal of Statistics 6 (1979).

    Examples
    --------
    >>> np.exp(holm(np.log([0.01, 0.04, 0.03]))).round(4).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(log_p, kind="stable")
    stepped = log_p[order] + np.log(np.arange(len(log_p), 0, -1))
    result = np.empty(len(log_p))
    result[order] = np.minimum(np.maximum.accumulate(stepped), 0.0)
    return result


def benjamini_hochberg(log_p: FloatArray) -> FloatArray:
    """Correct by the rule of Benjamini and Hochberg: ``p'_(j) = min_{i >= j} p_(i) m / i``.

    References
    ----------
    Benjamini and Hochberg, Journal of the Royal Statistical Society B 57 (1995).

    Examples
    --------
    >>> np.exp(benjamini_hochberg(np.log([0.01, 0.04, 0.03, 0.9]))).round(4).tolist()
    [0.04, 0.0533, 0.0533, 0.9]
    """
    count = len(log_p)
    order = np.argsort(log_p, kind="stable")
    scaled = log_p[order] + np.log(count / np.arange(1, count + 1))
    result = np.empty(count)
    result[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 0.0)
    return result


def correction_named(correction: Correction | str) -> Correction:
    """Return the correction of a name, or refuse it."""
    try:
        return Correction(correction)
    except ValueError as fault:
        raise ArgumentError(f"correction={correction!r}; use {listing(Correction)}") from fault


def corrected(log_p: FloatArray, correction: Correction) -> FloatArray:
    """Correct p-values by a method."""
    methods: dict[Correction, Callable[[FloatArray], FloatArray]] = {
        Correction.HOLM: holm,
        Correction.BENJAMINI_HOCHBERG: benjamini_hochberg,
        Correction.NONE: np.copy,
    }
    return methods[correction](np.asarray(log_p, dtype=float))
