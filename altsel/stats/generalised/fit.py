"""Many regularised models at once, by Newton's method; each ends as soon as its bound tells enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.stats.generalised.compiled import LOOPS, Fitting
from altsel.stats.generalised.family import Losses, newton_step, settle_constants
from altsel.stats.generalised.model import BATCH, RegularisedModel

STEPS = 100
"""Newton's steps at most."""
CLOSE = 1e-12
"""Gap between a loss and its bound, relative to the loss without features, at which a fit is done."""
PLAIN = 2e-7
"""CPU seconds that a row of a column of a fit takes about without numba."""
RISE = 1e-13
"""Relative rise of a loss that is rounding."""


@dataclass(frozen=True, eq=False)
class Fits:
    """Models of B sets.

    Attributes
    ----------
    loss
        The penalised loss reached, shape (B,).
    lower
        What no model of the set is below, shape (B,).
    parameters
        Constants and coefficients, shape (B, T + K s).
    """

    loss: FloatArray
    lower: FloatArray
    parameters: FloatArray

    @property
    def gap(self) -> FloatArray:
        """How much the losses may be too high, shape (B,)."""
        return self.loss - self.lower


def fit_sets(
    model: RegularisedModel,
    members: IntArray,
    cut: float | FloatArray = np.inf,
    start: FloatArray | None = None,
) -> Fits:
    """Fit the models of sets of features.

    Parameters
    ----------
    model
        Rows and columns.
    members
        Indices of the features, shape (B, k).
    cut
        A loss, or one a set: fits end that are proved to be no better.
    start
        Parameters to begin with, shape (B, T + K s).
    """
    return fit_columns(model, model.columns_of(members), cut, start)


def fit_columns(
    model: RegularisedModel,
    columns: IntArray,
    cut: float | FloatArray = np.inf,
    start: FloatArray | None = None,
) -> Fits:
    """Fit the models of columns, given by their indices, shape (B, s); else as `fit_sets`."""
    loop = LOOPS.after(PLAIN * columns.size * model.columns.shape[1]) if model.family.plain else None
    if loop is not None:
        return _fit_in_loop(loop, model, columns, cut, start)
    portion = max(BATCH // (columns.shape[1] * model.columns.shape[1] + 1), 1)
    parts, cuts = [], np.broadcast_to(np.asarray(cut, dtype=float), (len(columns),))
    for first in range(0, max(len(columns), 1), portion):
        some = slice(first, first + portion)
        parts.append(_fit(model, columns[some], cuts[some], None if start is None else start[some]))
    return Fits(*(np.concatenate([getattr(part, name) for part in parts]) for name in Fits.__annotations__))


def _fit_in_loop(
    loop: Fitting,
    model: RegularisedModel,
    columns: IntArray,
    cut: float | FloatArray,
    start: FloatArray | None,
) -> Fits:
    """Fit models by the compiled loop."""
    family: Any = model.family
    count = len(columns)
    v = np.zeros((count, 1 + columns.shape[1]))
    v[:, :1] = model.nothing[0]
    v = v if start is None else start.copy()
    loss, lower = np.empty(count), np.empty(count)
    numbers = np.array([model.ridge, CLOSE * max(model.null, 1.0), family.saturated])
    cuts = np.full(count, cut, dtype=float) if np.ndim(cut) == 0 else np.asarray(cut, dtype=float)
    loop(model.columns, columns, family.table, family.counts, numbers, cuts, v, loss, lower)
    return Fits(loss, lower, v)


def _fit(model: RegularisedModel, indices: IntArray, cut: FloatArray, start: FloatArray | None) -> Fits:
    """Fit models of columns, shape (B, s).

    Each round, for models that are not done: 1. predictors, best constants, loss and slopes; 2. take half the
    last step back where the loss rose; 3. bound the loss by the tangent, end where that is close, or above
    the cut; 4. Newton's step.
    """
    family, ridge = model.family, model.ridge
    count, size = indices.shape
    width = len(family.start)
    v = np.zeros((count, width + family.channels * size))
    v[:, :width] = model.nothing[0]
    if start is not None:
        v[:] = start
    loss, lower = np.full(count, np.inf), np.full(count, -np.inf)
    step, close = np.zeros_like(v), CLOSE * max(model.null, 1.0)
    live, columns = np.arange(count), model.columns[indices]
    for _ in range(STEPS):
        b = v[live, width:].reshape(len(live), family.channels, size)
        linear = np.matmul(b, columns)
        constants, losses = settle_constants(family, linear, v[live, :width], 3)
        reached = losses.loss + 0.5 * ridge * (b * b).sum(axis=(1, 2))
        worse = ~(reached <= loss[live] + RISE * np.abs(loss[live]))
        if worse.any():
            step[live[worse]] *= 0.5
            v[live[worse]] += step[live[worse]]
        good = np.flatnonzero(~worse)
        if len(good) < len(live):
            b, linear, losses = b[good], linear[good], losses.only(good)
        some, held = live[good], columns[good] if len(good) < len(live) else columns
        v[some, :width], loss[some] = constants[good], reached[good]
        along = np.matmul(losses.slope, held.transpose(0, 2, 1))
        bound = model.tangents(losses, linear) - (along * along).sum(axis=(1, 2)) / (2.0 * ridge)
        lower[some] = np.maximum(lower[some], bound)
        done = (loss[some] - lower[some] <= close) | (lower[some] >= cut[some])
        slope = np.hstack([losses.constant_slope, (along + ridge * b).reshape(len(some), -1)])
        left = ~done
        if left.any():
            moved = _moved(
                family_losses=losses.only(left), columns=held[left], slope=slope[left], model=model
            )
            step[some[left]] = moved
            v[some[left]] -= moved
        keep = np.ones(len(live), dtype=bool)
        keep[good[done]] = False
        stuck = worse & (np.abs(step[live]).max(axis=1, initial=0.0) <= RISE)
        keep &= ~stuck
        live, columns = live[keep], columns[keep] if not keep.all() else columns
        if not len(live):
            break
    return Fits(loss, lower, v)


def _moved(
    family_losses: Losses, columns: FloatArray, slope: FloatArray, model: RegularisedModel
) -> FloatArray:
    """Return Newton's steps; long ones shortened, as second derivatives change."""
    second = model.family.curvature(family_losses, columns)
    width, whole = len(model.family.start), second.shape[1]
    second[:, range(width, whole), range(width, whole)] += model.ridge
    step = newton_step(second, slope)
    length = np.sqrt(np.maximum((step * slope).sum(axis=1), 0.0))
    return np.asarray(step * np.where(length < 1.5, 1.0, 1.0 / (1.0 + 0.3 * length))[:, None])
