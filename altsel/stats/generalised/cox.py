"""Models of times until an event: one linear predictor a row, and no constant."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.stats.generalised.family import Losses

SPREAD = 600.0
"""Differences of predictors up to which their exponentials have a common scale."""


@dataclass(frozen=True, eq=False)
class Cox:
    """Times and events: ``sum_t D_t log(R_t / D_t) - sum_(i with event) w_i u_i``.

    ``R_t`` is the sum of ``w_j exp(u_j)`` of all rows whose time is at least t, ``D_t`` the sum of the
    weights of events at t. That is minus the log partial likelihood of Cox (1972), with ties by Breslow
    (1974) and weights as in R's *survival*, less ``sum_t D_t log D_t``, its least value for any predictors:
    half the deviance of Simon, Friedman, Hastie and Tibshirani (2011). Without ties and weights that is 0.

    Attributes
    ----------
    times
        Of events, or until when a row was seen without one, shape (m,).
    events
        Whether the event was seen, shape (m,); once at least.
    weights
        Above 0, shape (m,).
    offset
        Added to the linear predictor, shape (m,).

    Examples
    --------
    >>> family = Cox(np.array([1.0, 2.0, 3.0]), np.array([True, False, True]), np.ones(3), np.zeros(3))
    >>> family.evaluate(np.zeros((1, 1, 3)), np.zeros((1, 0))).loss.round(4)
    array([1.0986])
    """

    times: FloatArray
    events: Any
    weights: FloatArray
    offset: FloatArray

    name: ClassVar[str] = "Cox regression"
    channels: ClassVar[int] = 1
    coefficients: ClassVar[int] = 1
    plain: ClassVar[bool] = False

    @property
    def cases(self) -> float:
        """The sum of the weights of events: rows that were censored tell less (Volinsky and Raftery 2000)."""
        return float(self._seen.sum())

    @cached_property
    def start(self) -> FloatArray:
        """No constants."""
        return np.zeros(0)

    @cached_property
    def _order(self) -> Any:
        """What puts rows in order of time, the longest first; all as they are where they have it."""
        order = np.argsort(-self.times, kind="stable")
        return slice(None) if (order == np.arange(len(order))).all() else order

    @cached_property
    def _place(self) -> Any:
        """What puts them back."""
        return self._order if isinstance(self._order, slice) else np.argsort(self._order)

    @cached_property
    def _seen(self) -> FloatArray:
        """The weights of rows with event, else 0, in order of time."""
        return np.asarray(np.where(self.events, self.weights, 0.0)[self._order])

    @cached_property
    def _moments(self) -> tuple[IntArray, FloatArray, IntArray]:
        """The last row at risk at each time of events, the weight of its events, and the first time of rows.

        Rows at risk are all up to the last one. A row is at risk at its first time and all after it in this
        order, which are earlier ones.
        """
        times = self.times[self._order]
        ends = np.append(np.flatnonzero(np.diff(times)), len(times) - 1)
        total = np.add.reduceat(self._seen, np.append(0, ends[:-1] + 1))
        ends, total = ends[total > 0], total[total > 0]
        return ends, total, np.searchsorted(ends, np.arange(len(times)))

    @cached_property
    def _least(self) -> float:
        total = self._moments[1]
        return float(total @ np.log(total))

    def reach(self, spread: float, loss: float) -> float:
        """0: there are no constants."""
        return 0.0

    def evaluate(self, linear: FloatArray, constants: FloatArray) -> Losses:
        """Evaluate the loss and its slopes; constants have no numbers."""
        last, total, first = self._moments
        u = (linear[:, 0] + self.offset)[:, self._order]
        u -= u.max(axis=1, keepdims=True)
        odds = self.weights[self._order] * np.exp(u)
        risk = np.cumsum(odds, axis=1)[:, last]
        far = np.flatnonzero(u.min(axis=1) < -SPREAD)
        if len(far):
            odds[far] = np.where(u[far] < -SPREAD, 0.0, odds[far])
            risk[far] = np.maximum(np.cumsum(odds[far], axis=1)[:, last], np.exp(-SPREAD))
        hazard = np.zeros((len(u), len(last) + 1))
        hazard[:, :-1] = np.cumsum((total / risk)[:, ::-1], axis=1)[:, ::-1]
        expected = odds * hazard[:, first]
        log_risk = np.log(risk)
        if len(far):
            log_risk[far], expected[far] = self._in_logs(u[far])
        loss = log_risk @ total - u @ self._seen - self._least
        slope = (expected - self._seen)[:, self._place]
        return Losses(loss, slope[:, None], constants, constants, (odds, risk, expected))

    def _in_logs(self, u: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return logs of risks and expected events where exponentials have no common scale."""
        last, total, first = self._moments
        log_odds = u + np.log(self.weights[self._order])
        log_risk = np.logaddexp.accumulate(log_odds, axis=1)[:, last]
        log_hazard = np.full((len(u), len(last) + 1), -np.inf)
        each = (np.log(total) - log_risk)[:, ::-1]
        log_hazard[:, :-1] = np.logaddexp.accumulate(each, axis=1)[:, ::-1]
        return log_risk, np.exp(log_odds + log_hazard[:, first])

    def curvature(self, losses: Losses, columns: FloatArray) -> FloatArray:
        """``X diag(e) X' - sum_t D_t a_t a_t'``, e expected events, ``a_t`` means of the columns at risk.

        Where predictors are further apart than `SPREAD`, means of rows that have no scale count as 0, which
        makes the curvature too large and Newton's steps shorter.
        """
        odds, risk, expected = losses.kept
        last, total, _ = self._moments
        x = columns[:, :, self._order]
        means = np.cumsum(x * odds[:, None], axis=2)[:, :, last] / risk[:, None]
        second = np.matmul(x * expected[:, None], x.transpose(0, 2, 1))
        second -= np.matmul(means * total, means.transpose(0, 2, 1))
        return np.asarray(second)

    def row_scores(self, losses: Losses, columns: FloatArray) -> FloatArray:
        """Return what each row adds to the slope of the log partial likelihood, shape (B, s, m).

        ``w_i d_i (x_i - a(t_i)) - e_i sum_(t <= t_i) D_t / R_t (x_i - a(t))``, a the means at risk: the terms
        of D. Y. Lin and L. J. Wei (1989), which are independent where rows are.
        """
        odds, risk, expected = losses.kept
        last, total, first = self._moments
        x = columns[:, :, self._order]
        means = np.zeros((*x.shape[:2], len(last) + 1))
        means[:, :, :-1] = np.cumsum(x * odds[:, None], axis=2)[:, :, last] / risk[:, None]
        later = np.zeros_like(means)
        later[:, :, :-1] = np.cumsum((means[:, :, :-1] * (total / risk)[:, None])[:, :, ::-1], axis=2)[
            :, :, ::-1
        ]
        own = self._seen * (x - means[:, :, first])
        fixed = x * expected[:, None] - odds[:, None] * later[:, :, first]
        return np.asarray((own - fixed)[:, :, self._place])
