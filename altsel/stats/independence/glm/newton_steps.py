"""Newton's steps of several models at once, by information that is kept while it serves."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy import linalg

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.stats.independence.glm.derivatives import Extensible, derivatives, ridged, slopes
from altsel.stats.independence.glm.secants import Secants

FAR_LESS = 0.1
"""Near the end of a fit each step promises less than this part of the one before."""
KEEPING = 1 << 18
"""Information is kept where so many products, rows by pairs of coefficients, make it."""


@dataclass(eq=False)
class NewtonSteps:
    """Steps of the models that extend one.

    All begin with the information at that one, which costs little more for all than for one of them, and
    take quasi-Newton steps from it, each of which costs a gradient. Where such a step does not promise far
    less than the one before, the information of where the model is replaces it: a step of Newton's own.

    Attributes
    ----------
    model, blocks
        The model, and the columns that extend it, shape (rows, models, columns).
    left
        Which models are not fitted yet.
    last
        What the last step of each promised.
    slow
        Whether that was not far less than the step before had promised.
    """

    model: Extensible
    blocks: FloatArray
    left: IntArray = field(init=False)
    last: FloatArray = field(init=False)
    slow: BoolArray = field(init=False)
    _factors: list[tuple[FloatArray, IntArray]] = field(init=False, default_factory=list)
    _secants: Secants = field(init=False, default_factory=Secants)

    def __post_init__(self) -> None:
        count = self.blocks.shape[1]
        self.left, self.last = np.arange(count), np.full(count, np.inf)
        self.slow = np.zeros(count, dtype=bool)

    def next(self, eta: FloatArray) -> tuple[FloatArray, FloatArray, BoolArray]:
        """Return the next steps of the models left.

        Parameters
        ----------
        eta
            Linear predictors of all models, shape (predictors, rows, models).

        Returns
        -------
        tuple
            Steps of shape (models, coefficients), twice the gains that quadratics would bring, and which are
            by the information of where the models are.
        """
        count, size = len(self.left), len(eta) * (self.model.design.shape[1] + self.blocks.shape[2])
        if len(eta[0]) * size**2 < KEEPING or self.slow[self.left].all():
            gradient, information = derivatives(self.model, self.blocks[:, self.left], eta[:, :, self.left])
            step = np.asarray(np.linalg.solve(ridged(information), gradient[:, :, None])[:, :, 0])
            self._secants = Secants()
            return step, (gradient * step).sum(axis=1), np.ones(count, dtype=bool)
        if fresh := not self._factors:
            gradient, information = derivatives(self.model, self.blocks, eta[:, :, :1])
            self._factors = [linalg.lu_factor(one, check_finite=False) for one in ridged(information)]
        else:
            gradient = slopes(self.model, self.blocks[:, self.left], eta[:, :, self.left])
        step = self._secants.step(gradient.T, self._by_information).T
        promised = (gradient * step).sum(axis=1)
        slow = ~(promised <= FAR_LESS * self.last[self.left])
        if slow.any():
            self._renew(self.left[slow], eta)
            step[slow] = self._by_information(gradient.T).T[slow]
            promised[slow] = (gradient[slow] * step[slow]).sum(axis=1)
            self._secants = self._secants.without(slow, step.T)
        return step, promised, slow | fresh

    def taken(self, parts: FloatArray, promised: FloatArray, going: BoolArray) -> None:
        """Note what part of each step was taken, and which models go on."""
        self.slow[self.left] = ~(promised <= FAR_LESS * self.last[self.left])
        self.last[self.left] = np.where(parts > 0, promised, 0.0)
        self._secants = self._secants.shortened(parts).of(going)
        self.left = self.left[going]

    def _renew(self, some: IntArray, eta: FloatArray) -> None:
        """Take the information of some models from where they are."""
        information = derivatives(self.model, self.blocks[:, some], eta[:, :, some])[1]
        for j, one in zip(some.tolist(), ridged(information), strict=True):
            self._factors[j] = linalg.lu_factor(one, check_finite=False)

    def _by_information(self, gradient: FloatArray) -> FloatArray:
        """Return steps by the information that is held; shape (coefficients, models)."""
        pairs = zip(self.left.tolist(), gradient.T, strict=True)
        each = [linalg.lu_solve(self._factors[j], one, check_finite=False) for j, one in pairs]
        return np.column_stack(each)
