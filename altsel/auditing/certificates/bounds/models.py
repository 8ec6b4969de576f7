"""Bounds on the losses of regularised models: their dual at the means that coefficients propose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from altsel._types import FloatArray
from altsel.auditing.certificates.lines import Writer, integer, point, rounded
from altsel.auditing.certificates.prices import Leaf
from altsel.auditing.certificates.tree import Linear
from altsel.exact.sources.generalised.node_bound import Choice, Relaxed, bounded
from altsel.exact.sources.generalised.shares import shares
from altsel.stats.generalised.fit import fit_sets
from altsel.stats.generalised.worth import FittedModels

STEPS = 4
"""Newton's steps of the constant."""


@dataclass(eq=False)
class ModelBounds:
    """Bounds on minus the cost of models of two classes, or counts; see `tree.Bounds`.

    For slopes g of the rows that add up to 0 a set's loss is at least ``L(u) - <g, u>`` less
    ``sum over its columns of (x'g)^2 / (2 ridge)``; g is that of the predictors u of the relaxation.

    Parameters
    ----------
    models
        Whose losses they are.
    target
        Minus the cost that sets are to reach.
    """

    models: FittedModels
    target: float
    rounding: ClassVar[float] = 1e-14
    each: ClassVar[int] = 0

    def state(self, writer: Writer) -> None:
        """Write nothing: the columns are part of the question."""

    def linear(self, leaf: Leaf, state: Any) -> Linear:
        """Return the dual at the relaxation."""
        model, n = self.models.model, len(self.models.model.features)
        begin = Relaxed(model.always, np.zeros((1, len(model.always))), model.nothing[0][0])
        relaxed: Relaxed = (begin if state is None else state).without(model, _out(leaf, n))
        if leaf.count:
            choice = Choice(leaf.count, -self.target, relaxed)
            relaxed = bounded(model, self.models.prices, leaf.inside, leaf.free, choice).relaxed
        else:
            relaxed = self._settled(leaf)
        worth, constant, data = self._dual(relaxed)
        constant += float(worth[leaf.inside].sum())
        return Linear(constant, worth, data, _shared(relaxed.lengths(model), leaf), relaxed)

    def _settled(self, leaf: Leaf) -> Relaxed:
        """Return the model of what is inside, which is all."""
        model = self.models.model
        columns = model.columns_of(leaf.inside)[0]
        own = columns < len(model.owner)  # the others are 0, and fill up
        constants, b = model.split(fit_sets(model, leaf.inside[None]).parameters[0])
        return Relaxed(columns[own], b[:, own], constants)

    def _dual(self, relaxed: Relaxed) -> tuple[FloatArray, float, list[int]]:
        """Return worth of features, constant and data, at the best constant for the coefficients."""
        model = self.models.model
        family = model.family
        some = np.flatnonzero(relaxed.coefficients[0])
        columns, b = relaxed.columns[some], rounded(relaxed.coefficients[0, some])
        linear, constants = (b @ model.columns[columns])[None, None], relaxed.constants[None]
        for _ in range(STEPS):
            losses = family.evaluate(linear, constants)
            (second,) = losses.kept
            constants = constants - losses.constant_slope / np.maximum(second.sum(axis=1), 1e-300)[:, None]
        constants = rounded(constants)
        losses = family.evaluate(linear, constants)
        slope = losses.slope[0]
        price = model.prices(slope)
        low = float(losses.loss[0] - slope[0] @ linear[0, 0] - losses.constant_slope[0, 0] * constants[0, 0])
        constant = -low + float(price[model.always].sum())
        data = [integer(float(constants[0, 0])), *point(dict(zip(columns.tolist(), b.tolist(), strict=True)))]
        return model.sums(price) - self.models.prices, constant, data


def _out(leaf: Leaf, n: int) -> Any:
    return np.setdiff1d(np.arange(n), np.append(leaf.inside, leaf.free))


def _shared(lengths: FloatArray, leaf: Leaf) -> FloatArray:
    """Return shares of the free features as their lengths are."""
    result = np.zeros(len(lengths))
    if leaf.count:
        result[leaf.free] = shares(lengths[leaf.free], leaf.count)
    return result
