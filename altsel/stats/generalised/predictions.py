"""What models of classes, counts and times predict, and what each row loses: its part of the deviance."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.runtime.on_demand import OnDemand
from altsel.stats.generalised.compiled import LARGEST

special: Any = OnDemand("scipy.special")

LEAST = 1e-15
"""Probabilities below this count as this, so that no deviance is infinite."""


def shares_of_classes(family: str, linear: FloatArray, constants: FloatArray) -> FloatArray:
    """Return the probabilities of the classes, shape (rows, classes).

    Parameters
    ----------
    family
        ``"logistic"``, ``"multinomial"`` or ``"ordinal"``.
    linear
        Predictors with offset, shape (channels, rows).
    constants
        Constants, or thresholds, shape (T,).

    Examples
    --------
    >>> shares_of_classes("ordinal", np.zeros((1, 1)), np.log([0.5, 2.0])).round(3).tolist()
    [[0.333, 0.333, 0.333]]
    """
    if family == "logistic":
        u = linear[0] + constants[0]
        return np.column_stack([special.expit(-u), special.expit(u)])
    if family == "multinomial":
        u = (linear + constants[:, None]).T
        odds = np.exp(u - u.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))
    # a level has s(c_l - u) s(u - c_(l-1)) (1 - exp(c_(l-1) - c_l)), which loses no digits
    below = special.expit(constants - linear[0][:, None])
    above = special.expit(linear[0][:, None] - constants)
    inner = below[:, 1:] * above[:, :-1] * -np.expm1(-np.diff(constants))
    return np.hstack([below[:, :1], inner, above[:, -1:]])


def class_losses(shares: FloatArray, place: IntArray) -> FloatArray:
    """Return ``-2 log p`` of the class of each row; -1 stands for one that the model does not know."""
    own = np.where(place < 0, 0.0, shares[np.arange(len(place)), place])
    return np.asarray(-2.0 * np.log(np.maximum(own, LEAST)))


def means_of_counts(linear: FloatArray) -> FloatArray:
    """Return the expected counts of predictors."""
    return np.asarray(np.exp(np.minimum(linear, LARGEST)))


def count_losses(counts: FloatArray, means: FloatArray) -> FloatArray:
    """Return the deviance of counts, ``2 (y log(y / m) - y + m)``.

    Examples
    --------
    >>> count_losses(np.array([0.0, 2.0]), np.array([1.0, 2.0])).tolist()
    [2.0, 0.0]
    """
    positive = np.where(counts > 0, counts, 1.0)
    each = counts * (np.log(positive) - np.log(np.maximum(means, np.finfo(float).tiny)))
    return np.asarray(2.0 * (each - counts + means))


@dataclass(frozen=True, eq=False)
class RowsAtRisk:
    """Times and events of rows that are judged together.

    Of a row with event, ``2 w (log R - log D - u)``: R is the sum of ``w exp(u)`` of the rows whose time is
    at least its own, D the weight of the events then. These add up to the deviance of Cox regression, with
    ties by Breslow; a row without event counts in R alone.

    Attributes
    ----------
    times, weights
        Of the rows, shape (m,).
    seen
        Whether the event was seen.
    """

    times: FloatArray
    seen: Any
    weights: FloatArray

    @cached_property
    def _order(self) -> IntArray:
        return np.argsort(-self.times, kind="stable")

    @cached_property
    def _last(self) -> IntArray:
        """The last row at risk at the time of each row, both in order of time, the longest first."""
        times = -self.times[self._order]
        return np.searchsorted(times, times, side="right") - 1

    @cached_property
    def _log_events(self) -> FloatArray:
        """``log D`` at the time of each row, in that order; 0 where there is no event."""
        _, moment = np.unique(self.times[self._order], return_inverse=True)
        each = np.bincount(moment, np.where(self.seen, self.weights, 0.0)[self._order])[moment]
        return np.log(np.where(each > 0, each, 1.0))

    def losses(self, linear: FloatArray, counts: FloatArray | None = None) -> FloatArray:
        """Return what rows lose, shape (m,); counts say how often each row is there."""
        order, times = self._order, np.ones(len(linear)) if counts is None else counts
        with np.errstate(divide="ignore"):
            log_odds = (linear + np.log(self.weights * times))[order]
        risk = np.logaddexp.accumulate(log_odds)[self._last]
        amount = (times * self.weights * self.seen)[order]
        each = np.where(amount > 0, risk - self._log_events - linear[order], 0.0)
        found = np.empty(len(linear))
        found[order] = 2.0 * amount * each
        return found
