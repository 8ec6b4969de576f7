"""Models of two classes and of counts: one linear predictor a row, and one constant."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from altsel._types import FloatArray
from altsel.stats.generalised.compiled import LARGEST
from altsel.stats.generalised.family import Losses


@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows with a response, a weight and an offset each, shape (m,)."""

    response: FloatArray
    weights: FloatArray
    offset: FloatArray

    channels: ClassVar[int] = 1
    coefficients: ClassVar[int] = 1
    plain: ClassVar[bool] = True
    counts: ClassVar[bool] = False

    @cached_property
    def table(self) -> FloatArray:
        """Responses, weights and offsets, shape (3, m)."""
        return np.vstack([self.response, self.weights, self.offset])

    @property
    def saturated(self) -> float:
        """What is added to the rows' losses, so that perfect ones are 0."""
        return 0.0

    @property
    def cases(self) -> float:
        """The sum of the weights: how many rows there are."""
        return float(self.weights.sum())

    def curvature(self, losses: Losses, columns: FloatArray) -> FloatArray:
        """``Z diag(v) Z'`` with Z the constant and the columns, and v the rows' second derivatives."""
        (second,) = losses.kept
        count, size, _ = columns.shape
        whole = np.empty((count, size + 1, size + 1))
        whole[:, 0, 0] = second.sum(axis=1)
        whole[:, 0, 1:] = whole[:, 1:, 0] = np.matmul(columns, second[:, :, None])[:, :, 0]
        whole[:, 1:, 1:] = np.matmul(columns * second[:, None], columns.transpose(0, 2, 1))
        return whole


class Logistic(_Rows):
    """Two classes, 0 and 1: ``sum_i w_i (log(1 + exp(u_i)) - y_i u_i)``, u with constant and offset.

    Examples
    --------
    >>> family = Logistic(np.array([0.0, 1.0, 1.0]), np.ones(3), np.zeros(3))
    >>> family.evaluate(np.zeros((1, 1, 3)), np.zeros((1, 1))).loss.round(4)
    array([2.0794])
    """

    name: ClassVar[str] = "logistic regression"

    @cached_property
    def start(self) -> FloatArray:
        """The log odds of the classes, less the mean offset."""
        share = float(self.weights @ self.response / self.weights.sum())
        return np.array([np.log(share / (1.0 - share)) - self._middle])

    @cached_property
    def _middle(self) -> float:
        return float(self.weights @ self.offset / self.weights.sum())

    def reach(self, spread: float, loss: float) -> float:
        """Further off, all rows' means would be above the share of the classes, or all below."""
        return spread + float(np.abs(self.offset - self._middle).max())

    def evaluate(self, linear: FloatArray, constants: FloatArray) -> Losses:
        """Evaluate the loss and its slopes."""
        u = linear[:, 0] + self.offset
        u += constants
        small = np.abs(u)
        np.exp(np.negative(small, out=small), out=small)
        whole = 1.0 + small
        small /= whole
        slope = np.where(u > 0, 1.0 - small, small)
        # log(1 + small) is off by a rounding of 1 and takes half the time of log1p
        each = np.log(whole, out=whole)
        each += np.maximum(u, 0.0)
        loss = each @ self.weights - u @ (self.weights * self.response)
        second = small
        second *= 1.0 - small
        second *= self.weights
        slope -= self.response
        slope *= self.weights
        return Losses(loss, slope[:, None], slope.sum(axis=1)[:, None], constants, (second,))


class Poisson(_Rows):
    """Counts: ``sum_i w_i (exp(u_i) - y_i u_i - y_i + y_i log y_i)``, half the deviance.

    Examples
    --------
    >>> family = Poisson(np.array([0.0, 1.0, 2.0]), np.ones(3), np.zeros(3))
    >>> family.evaluate(np.zeros((1, 1, 3)), np.zeros((1, 1))).loss.round(4)
    array([1.3863])
    """

    name: ClassVar[str] = "Poisson regression"
    counts: ClassVar[bool] = True

    @cached_property
    def start(self) -> FloatArray:
        """The log of the mean count of a unit of exposure."""
        top = float(self.offset.max())
        exposure = float(self.weights @ np.exp(self.offset - top))
        return np.array([np.log(float(self.weights @ self.response) / exposure) - top])

    def reach(self, spread: float, loss: float) -> float:
        """Further off, all rows' means would add up to more than the counts, or to less."""
        return spread

    @cached_property
    def saturated(self) -> float:
        """``sum_i w_i (y_i log y_i - y_i)``."""
        y = self.response[self.response > 0]
        return float(self.weights[self.response > 0] @ (y * np.log(y) - y))

    def evaluate(self, linear: FloatArray, constants: FloatArray) -> Losses:
        """Evaluate the loss and its slopes."""
        u = linear[:, 0] + (constants + self.offset)
        low = np.minimum(u, LARGEST)
        mean = np.exp(low)
        loss = (mean * (1.0 + (u - low)) - self.response * u) @ self.weights + self.saturated
        slope = self.weights * (mean - self.response)
        return Losses(loss, slope[:, None], slope.sum(axis=1)[:, None], constants, (self.weights * mean,))
