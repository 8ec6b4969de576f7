"""Quasi-Newton steps of several models at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from altsel._types import BoolArray, FloatArray

REMEMBERED = 8
"""Steps that are remembered for the next one."""


@dataclass
class Secants:
    """Steps of several models so far, and what they changed of the gradients (L-BFGS).

    Attributes
    ----------
    pairs
        Steps and what they took from the gradients, each of shape (coefficients, models).
    last
        The last step, and the gradient before it.

    References
    ----------
    Nocedal, Mathematics of Computation 35 (1980).
    """

    pairs: list[tuple[FloatArray, FloatArray]] = field(default_factory=list)
    last: tuple[FloatArray, FloatArray] | None = None

    def step(self, gradient: FloatArray, first: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """Return the next steps, by a first guess at what steps gradients take."""
        # 1. what the last steps changed
        if self.last is not None:
            self.pairs = [*self.pairs, (self.last[0], self.last[1] - gradient)][-REMEMBERED:]
        # 2. the part of the gradient that they explain, last ones first
        slope, shares = gradient.copy(), []
        for step, change in reversed(self.pairs):
            shares.append(_ratio((step * slope).sum(axis=0), (step * change).sum(axis=0)))
            slope -= shares[-1] * change
        # 3. the guess for the rest, and their own steps for that part
        found = first(slope)
        for (step, change), share in zip(self.pairs, reversed(shares), strict=True):
            found += step * (share - _ratio((change * found).sum(axis=0), (step * change).sum(axis=0)))
        self.last = found, gradient
        return found

    def shortened(self, parts: FloatArray) -> Secants:
        """Return those of which the last step was taken only by some part in each model."""
        last = None if self.last is None else (self.last[0] * parts, self.last[1])
        return Secants(self.pairs, last)

    def without(self, some: BoolArray, step: FloatArray) -> Secants:
        """Return those that remember nothing of some of the models but their last step, which is another."""
        pairs = [(np.where(some, 0.0, before), change) for before, change in self.pairs]
        return Secants(pairs, None if self.last is None else (step, self.last[1]))

    def of(self, going: BoolArray) -> Secants:
        """Return those of some of the models."""
        last = None if self.last is None else (self.last[0][:, going], self.last[1][:, going])
        return Secants([(step[:, going], change[:, going]) for step, change in self.pairs], last)


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Divide, and return 0 by what is not above 0: such a step says nothing."""
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), 0.0)
