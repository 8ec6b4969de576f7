"""What a family of models must offer: a convex loss of linear predictors and constants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from altsel._types import FloatArray
from altsel.stats.generalised.compiled import FARTHEST


@dataclass(frozen=True, eq=False)
class Losses:
    """The losses of B models with K linear predictors of m rows each, and their slopes.

    Attributes
    ----------
    loss
        Shape (B,).
    slope
        By the linear predictors, shape (B, K, m).
    constant_slope
        By the constants, shape (B, T).
    constants
        Where they are, shape (B, T).
    kept
        What the family needs to find the curvature there.
    """

    loss: FloatArray
    slope: FloatArray
    constant_slope: FloatArray
    constants: FloatArray
    kept: Any = None

    def only(self, some: Any) -> Losses:
        """Return those of some of the models."""
        kept = None if self.kept is None else tuple(part[some] for part in self.kept)
        parts = (self.loss, self.slope, self.constant_slope, self.constants)
        loss, slope, constant_slope, constants = (part[some] for part in parts)
        return Losses(loss, slope, constant_slope, constants, kept)


class Family(Protocol):
    """A convex loss of rows, half a deviance: 0 at best.

    Parameters of a model are its T constants, then K rows of coefficients, one of each column.
    """

    @property
    def name(self) -> str:
        """The model in words, such as ``logistic regression``."""
        ...

    @property
    def channels(self) -> int:
        """K, how many linear predictors a row has."""
        ...

    @property
    def coefficients(self) -> int:
        """How many coefficients of a column are free, for prices by AIC and BIC."""
        ...

    @property
    def cases(self) -> float:
        """How many rows BIC counts."""
        ...

    @property
    def start(self) -> FloatArray:
        """Constants to begin with, shape (T,)."""
        ...

    @property
    def plain(self) -> bool:
        """Whether there is one predictor a row and one constant, added to it, and rows add up."""
        ...

    def reach(self, spread: float, loss: float) -> float:
        """Return how far from `start` best constants are at most.

        For linear predictors of at most ``spread`` and a loss of at most ``loss``.
        """
        ...

    def evaluate(self, linear: FloatArray, constants: FloatArray) -> Losses:
        """Return losses and slopes at predictors of shape (B, K, m) and constants of shape (B, T)."""
        ...

    def curvature(self, losses: Losses, columns: FloatArray) -> FloatArray:
        """Return second derivatives by all parameters, of columns of shape (B, s, m)."""
        ...


def settle_constants(
    family: Family,
    linear: FloatArray,
    constants: FloatArray,
    rounds: int = 30,
    losses: Losses | None = None,
) -> tuple[FloatArray, Losses]:
    """Find the constants that are best for given predictors, by Newton's steps.

    Parameters
    ----------
    family, linear
        What has constants, and predictors of shape (B, K, m).
    constants
        To begin with, shape (B, T).
    rounds
        Steps at most; fewer where they are best but for rounding.
    losses
        Where it begins, if known.

    Returns
    -------
    array
        Shape (B, T).
    Losses
        There.
    """
    if losses is None:
        losses = family.evaluate(linear, constants)
    if not constants.shape[1]:
        return constants, losses
    none = np.zeros((len(linear), 0, linear.shape[2]))
    for _ in range(rounds):
        step = newton_step(family.curvature(losses, none), losses.constant_slope)
        fall = (step * losses.constant_slope).sum(axis=1)
        if (fall <= SETTLED * (1.0 + np.abs(losses.loss))).all():
            break
        step *= (FARTHEST / np.maximum(np.abs(step).max(axis=1), FARTHEST))[:, None]
        size, before = np.ones(len(linear)), losses
        for trial in range(TRIALS):
            tried = constants - size[:, None] * step
            losses = family.evaluate(linear, tried)
            worse = ~(losses.loss <= before.loss + LEVEL * (1.0 + np.abs(before.loss)))
            if not worse.any():
                break
            size = np.where(worse, size / 4 if trial < TRIALS - 2 else 0.0, size)
        constants = tried
    return constants, losses


SETTLED = 1e-29
"""What a step of the constants would take off a loss, relative to it, that is rounding."""
TRIALS = 10
"""How often steps are tried, each a quarter of the one before; the last does not move."""
LEVEL = 1e-12
"""Relative rise of a loss that is rounding."""
RIDGE = 1e-12
"""Share of the largest curvature that is added to all: where all rows are far off, there is none."""


def newton_step(curvature: FloatArray, slope: FloatArray) -> FloatArray:
    """Solve for Newton's steps, shape (B, parameters)."""
    size = slope.shape[1]
    diagonal = np.einsum("bii->bi", curvature)
    lifted = curvature.copy()
    lifted[:, np.arange(size), np.arange(size)] += RIDGE * diagonal.max(axis=1, initial=1.0)[:, None]
    return np.asarray(np.linalg.solve(lifted, slope[:, :, None])[:, :, 0])
