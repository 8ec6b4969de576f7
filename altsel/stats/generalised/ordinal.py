"""Models of ordered classes: one linear predictor a row, and a threshold between each two levels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.stats.generalised.family import Losses

NARROWEST = 1e-100
"""Distance of two thresholds up to which they count as not in order."""
WIDEST = 700.0
"""Distance of two thresholds from which its exponential is that of this."""


@dataclass(frozen=True, eq=False)
class Ordinal:
    """Proportional odds of levels 0 to T: ``-sum_i w_i log P(y_i)``, ``P(y <= l) = 1 / (1 + exp(u - c_l))``.

    A level between two thresholds has the probability ``s(c_l - u) - s(c_(l-1) - u)``, with s the logistic
    function, which is ``s(c_l - u) s(u - c_(l-1)) (1 - exp(c_(l-1) - c_l))``. So the loss is a sum of
    logistic losses and of a function of the distances of the thresholds: convex, and without any difference
    of numbers that are almost the same. It is infinite where thresholds do not increase.
    The model: McCullagh (1980).

    Attributes
    ----------
    response
        The level of each row, shape (m,); each level occurs.
    levels
        How many there are, T + 1.
    weights
        Above 0, shape (m,).
    offset
        Added to the linear predictor, shape (m,).

    Examples
    --------
    >>> family = Ordinal(np.array([0, 1, 2]), 3, np.ones(3), np.zeros(3))
    >>> family.evaluate(np.zeros((1, 1, 3)), np.log([[0.5, 2.0]])).loss.round(4)
    array([3.2958])
    """

    response: IntArray
    levels: int
    weights: FloatArray
    offset: FloatArray

    name: ClassVar[str] = "proportional odds regression"
    channels: ClassVar[int] = 1
    coefficients: ClassVar[int] = 1
    plain: ClassVar[bool] = False

    @property
    def cases(self) -> float:
        """The sum of the weights: how many rows there are."""
        return float(self.weights.sum())

    @cached_property
    def start(self) -> FloatArray:
        """The log odds of the levels up to each, moved by the mean offset."""
        below = np.cumsum(self._totals)
        middle = float(self.weights @ self.offset) / below[-1]
        return np.asarray(np.log(below[:-1] / (below[-1] - below[:-1])) + middle)

    @cached_property
    def _totals(self) -> FloatArray:
        """The weight of each level."""
        return np.asarray(np.bincount(self.response, self.weights, self.levels), dtype=float)

    @cached_property
    def _above(self) -> FloatArray:
        """Whether a threshold is the upper end of a row's level, shape (T, m)."""
        return np.where(self.response == np.arange(self.levels - 1)[:, None], 1.0, 0.0)

    @cached_property
    def _below(self) -> FloatArray:
        """Whether a threshold is the lower end of a row's level, shape (T, m)."""
        return np.where(self.response == np.arange(1, self.levels)[:, None], 1.0, 0.0)

    def reach(self, spread: float, loss: float) -> float:
        """Bound how far thresholds are from `start`.

        A level's row of the least loss has at most ``loss / total weight of the level``, so both thresholds
        of the level are no further than that on the wrong side of the row's predictor.
        """
        side = spread + float(np.abs(self.offset).max()) + loss / float(self._totals.min())
        return side + float(np.abs(self.start).max())

    def evaluate(self, linear: FloatArray, constants: FloatArray) -> Losses:
        """Evaluate the loss and its slopes."""
        u = linear[:, 0] + self.offset
        ends = np.full((len(u), self.levels + 1), np.inf)
        ends[:, 0], ends[:, 1:-1] = -np.inf, constants
        over, over_slope, over_second = self._softplus(u - ends[:, self.response + 1])
        under, under_slope, under_second = self._softplus(ends[:, self.response] - u)
        distance = np.diff(constants, axis=1)
        wide = np.clip(distance, NARROWEST, WIDEST)
        pull = self._totals[1:-1] / np.expm1(wide)
        loss = (over + under).sum(axis=1) - np.log(-np.expm1(-wide)) @ self._totals[1:-1]
        loss = np.where((distance > NARROWEST).all(axis=1), loss, np.inf)
        slope = under_slope @ self._below.T - over_slope @ self._above.T
        slope[:, 1:] -= pull
        slope[:, :-1] += pull
        bend = pull / -np.expm1(-wide)
        kept = (over_second, under_second, bend)
        return Losses(loss, (over_slope - under_slope)[:, None], slope, constants, kept)

    def _softplus(self, z: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return ``w log(1 + exp(z))`` with first and second derivatives."""
        small = np.exp(-np.abs(z))
        high = 1.0 / (1.0 + small)
        value = self.weights * (np.log(1.0 + small) + np.maximum(z, 0.0))
        return value, self.weights * np.where(z > 0, high, small * high), self.weights * (small * high * high)

    def curvature(self, losses: Losses, columns: FloatArray) -> FloatArray:
        """``Z diag(v) Z'``, Z the columns and minus the ends of the rows' levels, and what distances add."""
        over, under, bend = losses.kept
        width, size = self.levels - 1, columns.shape[1]
        ends = over[:, None] * self._above + under[:, None] * self._below
        second = np.zeros((len(columns), width + size, width + size))
        second[:, width:, width:] = np.matmul(columns * (over + under)[:, None], columns.transpose(0, 2, 1))
        across = -np.matmul(ends, columns.transpose(0, 2, 1))
        second[:, :width, width:], second[:, width:, :width] = across, across.transpose(0, 2, 1)
        each = np.arange(width)
        second[:, each, each] = ends.sum(axis=2)
        second[:, each[1:], each[1:]] += bend
        second[:, each[:-1], each[:-1]] += bend
        second[:, each[1:], each[:-1]] = second[:, each[:-1], each[1:]] = -bend
        return second
