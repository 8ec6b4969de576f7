"""Losses of regularised models, from their formulas: many at once by Newton's steps, one by scipy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_expit, logsumexp, xlogy

DONE = 1e-13
"""What a step must take off a loss, relative to it, to be worth another one."""
NUMBERS = 2_000_000
"""Numbers that are held at once."""


@dataclass(frozen=True)
class Loss:
    """Half the deviance of rows, by predictors and constants."""

    family: str
    response: Any
    weights: Any
    offset: Any
    event: Any

    @cached_property
    def levels(self) -> int:
        """Number of classes."""
        return int(self.response.max()) + 1

    @cached_property
    def channels(self) -> int:
        """Coefficients of a column."""
        return self.levels if self.family == "multinomial" else 1

    @cached_property
    def start(self) -> Any:
        """Constants to begin with; the last class of several has none."""
        if self.family == "cox":
            return np.zeros(0)
        if self.family == "ordinal":
            below = np.array([self.weights[self.response <= level].sum() for level in range(self.levels - 1)])
            return np.log(below / (self.weights.sum() - below))
        if self.family == "multinomial":
            return np.zeros(self.levels - 1)
        return np.zeros(1)

    @cached_property
    def _risk(self) -> tuple[Any, Any, Any]:
        """Of each time of events who is at risk, and the weight of events; and the weights of events."""
        seen = np.where(self.event, self.weights, 0.0)
        times = np.unique(self.response[self.event])
        total = np.array([seen[self.response == time].sum() for time in times])
        return (self.response >= times[:, None]).astype(float), total, seen

    def all_of(self, theta: Any, columns: Any, derivatives: bool = True) -> tuple[Any, Any, Any]:
        """Return losses (B,), first and second derivatives, of parameters (B, p) and columns (B, s, m)."""
        count, size, _ = columns.shape
        constants, b = theta[:, : len(self.start)], theta[:, len(self.start) :]
        u = np.einsum("bks,bsm->bkm", b.reshape(count, self.channels, size), columns)
        made = {"cox": self._cox, "ordinal": self._ordinal, "multinomial": self._multinomial}
        return made.get(self.family, self._plain)(u, constants, columns, derivatives)

    def _plain(self, u: Any, constants: Any, columns: Any, derivatives: bool) -> tuple[Any, Any, Any]:
        z, y, w = u[:, 0] + constants + self.offset, self.response, self.weights
        if self.family == "logistic":
            loss, mean = -(y * log_expit(z) + (1 - y) * log_expit(-z)) @ w, expit(z)
            second = mean * expit(-z)
        else:
            with np.errstate(over="ignore"):
                mean = second = np.exp(z)
            loss = (mean - y * z + xlogy(y, y) - y) @ w
        if not derivatives:
            return loss, None, None
        ones = np.concatenate([np.ones((len(u), 1, len(y))), columns], axis=1)
        slope = np.einsum("bsm,bm->bs", ones, w * (mean - y))
        return loss, slope, (ones * (w * second)[:, None]) @ ones.transpose(0, 2, 1)

    def _multinomial(self, u: Any, constants: Any, columns: Any, derivatives: bool) -> tuple[Any, Any, Any]:
        z = u + np.concatenate([constants, np.zeros((len(u), 1))], axis=1)[:, :, None]
        log_share = z - logsumexp(z, axis=1, keepdims=True)
        is_own = self.response == np.arange(self.levels)[:, None]
        loss = -np.einsum("bkm,km->b", log_share, is_own * self.weights)
        if not derivatives:
            return loss, None, None
        share, last = np.exp(log_share), self.levels - 1
        out = self.weights * (share - is_own)
        slope = [out[:, :last].sum(axis=2), np.einsum("bkm,bsm->bks", out, columns).reshape(len(u), -1)]
        designs = self._designs(columns)
        mean = np.einsum("bkm,bkpm->bpm", share, designs)
        second = np.einsum("bkpm,bkqm->bpq", designs * (self.weights * share)[:, :, None], designs)
        second -= (mean * self.weights) @ mean.transpose(0, 2, 1)
        return loss, np.concatenate(slope, axis=1), second

    def _designs(self, columns: Any) -> Any:
        """By class, what each parameter adds to its predictor, shape (B, K, p, m)."""
        count, size, m = columns.shape
        last = self.levels - 1
        designs = np.zeros((count, self.levels, last + self.levels * size, m))
        for k in range(self.levels):
            if k < last:
                designs[:, k, k] = 1.0
            designs[:, k, last + k * size : last + (k + 1) * size] = columns
        return designs

    def _ordinal(self, u: Any, constants: Any, columns: Any, derivatives: bool) -> tuple[Any, Any, Any]:
        y, w, z = self.response.astype(int), self.weights, u[:, 0] + self.offset
        far = np.full((len(u), 1), np.inf)
        ends = np.concatenate([-far, constants, far], axis=1)
        high, low = ends[:, y + 1] - z, ends[:, y] - z
        # differences of small tails, from the side on which they are small
        other = low + high > 0
        probability = np.where(other, expit(-low) - expit(-high), expit(high) - expit(low))
        with np.errstate(divide="ignore", invalid="ignore"):
            loss = -np.log(probability) @ w
        loss = np.where((np.diff(constants, axis=1) > 0).all(axis=1), loss, np.inf)
        if not derivatives:
            return loss, None, None
        up, down = expit(high) * expit(-high) / probability, expit(low) * expit(-low) / probability
        bend_up, bend_down = up * (expit(-high) - expit(high)), down * (expit(-low) - expit(low))
        upper = (y == np.arange(self.levels - 1)[:, None]).astype(float)
        lower = (y == np.arange(1, self.levels)[:, None]).astype(float)
        shape = (len(u), *upper.shape)
        a = np.concatenate([np.broadcast_to(upper, shape), -columns], axis=1)
        d = np.concatenate([np.broadcast_to(lower, shape), -columns], axis=1)
        first = up[:, None] * a - down[:, None] * d
        slope = -np.einsum("bpm,m->bp", first, w)
        second = (first * w) @ first.transpose(0, 2, 1)
        second -= (a * (w * bend_up)[:, None]) @ a.transpose(0, 2, 1)
        second += (d * (w * bend_down)[:, None]) @ d.transpose(0, 2, 1)
        return loss, slope, second

    def _cox(self, u: Any, constants: Any, columns: Any, derivatives: bool) -> tuple[Any, Any, Any]:
        del constants
        at_risk, total, seen = self._risk
        z = u[:, 0] + self.offset
        top = z.max(axis=1, keepdims=True)
        odds = self.weights * np.exp(z - top)
        risk = odds @ at_risk.T
        loss = (np.log(risk) + top) @ total - z @ seen - total @ np.log(total)
        if not derivatives:
            return loss, None, None
        share = at_risk * odds[:, None] / risk[:, :, None]
        expected = np.einsum("t,btm->bm", total, share)
        slope = np.einsum("bsm,bm->bs", columns, expected - seen)
        means = share @ columns.transpose(0, 2, 1)
        second = (columns * expected[:, None]) @ columns.transpose(0, 2, 1)
        return loss, slope, second - (means * total[:, None]).transpose(0, 2, 1) @ means


def least_losses(loss: Loss, columns: Any, ridge: float) -> Any:
    """Minimise the losses, with the ridge, of columns of shape (B, s, m)."""
    count, size, m = columns.shape
    each = (len(loss.start) + loss.channels * size + 4) * m * loss.channels
    if loss.family == "cox":
        each += 2 * m * m
    portion = max(NUMBERS // each, 1)
    parts = [_minimised(loss, columns[i : i + portion], ridge) for i in range(0, count, portion)]
    return np.concatenate(parts)


def _minimised(loss: Loss, columns: Any, ridge: float) -> Any:
    width, p = len(loss.start), len(loss.start) + loss.channels * columns.shape[1]
    theta = np.zeros((len(columns), p))
    theta[:, :width] = loss.start
    price = np.where(np.arange(p) < width, 0.0, ridge)
    result, live = np.full(len(columns), np.inf), np.arange(len(columns))

    def whole(at: Any, of: Any) -> Any:
        return loss.all_of(at, of, derivatives=False)[0] + 0.5 * (price * at * at).sum(axis=1)

    for _ in range(200):
        at, held = theta[live], columns[live]
        value, slope, second = loss.all_of(at, held)
        value, slope = value + 0.5 * (price * at * at).sum(axis=1), slope + price * at
        result[live] = value
        if not p:
            break
        lift = 1e-13 * np.abs(second).max(axis=(1, 2))[:, None, None]
        step = np.linalg.solve(second + np.diag(price) + lift * np.eye(p), slope[:, :, None])[:, :, 0]
        fall = (step * slope).sum(axis=1)
        left = fall > DONE * (1e-3 + value)
        live, at, held, step, value, fall = (one[left] for one in (live, at, held, step, value, fall))
        if not len(live):
            break
        size = np.ones(len(live))
        for _ in range(40):
            new = whole(at - size[:, None] * step, held)
            worse = ~(new <= value - 1e-4 * size * fall + 1e-14 * np.abs(value))
            if not worse.any():
                break
            size = np.where(worse, size / 2, size)
        theta[live] = at - size[:, None] * step
    return result


def by_scipy(loss: Loss, columns: Any, ridge: float) -> float:
    """Minimise one loss by scipy's general method: a second opinion of a sample."""
    width, p = len(loss.start), len(loss.start) + loss.channels * len(columns)
    price = np.where(np.arange(p) < width, 0.0, ridge)

    def at(theta: Any) -> tuple[float, Any]:
        value, slope, _ = loss.all_of(theta[None], columns[None])
        return float(value[0] + 0.5 * (price * theta * theta).sum()), slope[0] + price * theta

    start = np.append(loss.start, np.zeros(p - width))
    if not p:
        return at(start)[0]
    found = minimize(at, start, jac=True, method="BFGS", options={"gtol": 1e-9, "maxiter": 2000})
    return float(found.fun)
