"""Models of several classes: one linear predictor and one constant a class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.stats.generalised.family import Losses


@dataclass(frozen=True, eq=False)
class Multinomial:
    """Classes 0 to K - 1: ``-sum_i w_i log p_i,y(i)``, ``p_ik = exp(u_ik) / sum_l exp(u_il)``.

    All classes are treated alike: each has a constant and a row of coefficients, and the ridge is on all of
    these (Friedman, Hastie and Tibshirani 2010, section 4.1), as in scikit-learn's ``LogisticRegression``.
    The same number added to all constants would change nothing, so ``(sum of the constants)^2 / 2`` times the
    mean weight of a class is added to the loss: that is 0 at best, where they add up to 0.

    Attributes
    ----------
    response
        Index of the class of each row, shape (m,); each class occurs.
    channels
        K, how many classes there are.
    weights
        Above 0, shape (m,).

    Examples
    --------
    >>> family = Multinomial(np.array([0, 1, 2]), 3, np.ones(3))
    >>> family.evaluate(np.zeros((1, 3, 3)), np.zeros((1, 3))).loss.round(4)
    array([3.2958])
    """

    response: IntArray
    channels: int
    weights: FloatArray

    name: ClassVar[str] = "multinomial logistic regression"
    plain: ClassVar[bool] = False

    @property
    def coefficients(self) -> int:
        """``K - 1``: under a ridge those of a column add up to 0."""
        return self.channels - 1

    @property
    def cases(self) -> float:
        """The sum of the weights: how many rows there are."""
        return float(self.weights.sum())

    @cached_property
    def start(self) -> FloatArray:
        """The logs of the shares of the classes, less their mean."""
        logs = np.log(self._observed.sum(axis=1))
        return np.asarray(logs - logs.mean())

    @cached_property
    def _observed(self) -> FloatArray:
        """The weights in the rows of their classes, shape (K, m)."""
        return np.where(self.response == np.arange(self.channels)[:, None], self.weights, 0.0)

    @cached_property
    def _hold(self) -> float:
        return float(self.weights.sum()) / self.channels

    def reach(self, spread: float, loss: float) -> float:
        """Bound how far the best constants are from `start`; both add up to 0.

        Let d be their differences from it, and l the class of the least. The means of class l are at most
        ``share_l exp(2 spread) / sum_k share_k exp(d_k - d_l)`` and have the mean ``share_l``, so each
        ``d_k - d_l`` is at most ``2 spread - log share_k``.
        """
        totals = self._observed.sum(axis=1)
        return 2.0 * spread - float(np.log(totals.min() / totals.sum()))

    def evaluate(self, linear: FloatArray, constants: FloatArray) -> Losses:
        """Evaluate the loss and its slopes."""
        u = linear + constants[:, :, None]
        u -= u.max(axis=1, keepdims=True)
        share = np.exp(u)
        total = share.sum(axis=1, keepdims=True)
        share /= total
        own = np.take_along_axis(u, self.response[None, None], axis=1)[:, 0]
        middle = constants.sum(axis=1)
        loss = (np.log(total[:, 0]) - own) @ self.weights + 0.5 * self._hold * middle * middle
        slope = self.weights * share - self._observed
        return Losses(loss, slope, slope.sum(axis=2) + self._hold * middle[:, None], constants, (share,))

    def curvature(self, losses: Losses, columns: FloatArray) -> FloatArray:
        """``Z diag(w p_k (1 - p_k)) Z'`` within a class, ``-Z diag(w p_k p_l) Z'`` between two."""
        (share,) = losses.kept
        count, size, _ = columns.shape
        whole = np.empty((count, size + 1, self.channels, size + 1, self.channels))
        scaled = np.empty_like(columns)
        for k in range(self.channels):
            mean = self.weights * share[:, k]
            for other in range(k + 1):
                second = mean * (float(k == other) - share[:, other])
                np.multiply(columns, second[:, None], out=scaled)
                block = np.empty((count, size + 1, size + 1))
                block[:, 0, 0] = second.sum(axis=1)
                block[:, 0, 1:] = block[:, 1:, 0] = scaled.sum(axis=2)
                block[:, 1:, 1:] = np.matmul(scaled, columns.transpose(0, 2, 1))
                whole[:, :, k, :, other] = whole[:, :, other, :, k] = block
        # constants are first; coefficients come by class
        flat = whole.reshape(count, (size + 1) * self.channels, -1)
        coefficients = np.arange(self.channels, flat.shape[1]).reshape(size, self.channels).T.ravel()
        order = np.append(np.arange(self.channels), coefficients)
        ordered = np.asarray(flat[:, order[:, None], order])
        ordered[:, : self.channels, : self.channels] += self._hold
        return ordered
