"""Many regularised models at once, by Newton's method; each ends as soon as its bound tells enough."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.stats.generalised.compiled import ENOUGH, FAR, FARTHEST, LOOPS, RISE, STEPS, Rows
from altsel.stats.generalised.family import Losses, newton_step, settle_constants
from altsel.stats.generalised.model import BATCH, RegularisedModel

CLOSE = 1e-12
"""Gap between a loss and its bound, relative to the loss without features, at which a fit is done."""
ROUNDS = 30
"""Steps of constants alone, at most, before the bound of a fit that is done."""
FEW = 2
"""Before one that may be above the cut."""
PLAIN = 2e-7
"""CPU seconds that a row of a column of a fit takes about without numba."""


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


def extended(model: RegularisedModel, members: IntArray, more: int) -> FloatArray:
    """Return the parameters of the model of a set, with zeros for some features more."""
    constants, b = model.split(fit_sets(model, members[None]).parameters[0])
    return np.append(constants, np.hstack([b, np.zeros((len(b), more * model.own.shape[1]))]))


def fit_columns(
    model: RegularisedModel,
    columns: IntArray,
    cut: float | FloatArray = np.inf,
    start: FloatArray | None = None,
) -> Fits:
    """Fit the models of columns, given by their indices, shape (B, s); else as `fit_sets`."""
    cuts = np.broadcast_to(np.asarray(cut, dtype=float), (len(columns),))
    loop = LOOPS.after(PLAIN * columns.size * model.columns.shape[1]) if model.family.plain else None
    if loop is not None:
        return _fit_in_loop(loop, model, columns, (cuts, start))
    portion = max(BATCH // (columns.shape[1] * model.columns.shape[1] + 1), 1)
    parts = []
    for first in range(0, max(len(columns), 1), portion):
        some = slice(first, first + portion)
        begin = None if start is None else start[some]
        parts.append(_Fitting(model, columns[some], cuts[some], begin).run())
    return Fits(*(np.concatenate([getattr(part, name) for part in parts]) for name in Fits.__annotations__))


def rows_of(model: RegularisedModel) -> Rows:
    """Return what loops take of a model of one predictor a row."""
    family: Any = model.family
    return Rows(model.columns, family.table, family.counts, family.saturated, model.ridge)


def _fit_in_loop(
    loop: Callable[..., None],
    model: RegularisedModel,
    columns: IntArray,
    begin: tuple[FloatArray, FloatArray | None],
) -> Fits:
    """Fit models by the compiled loop."""
    cuts, start = begin
    v = np.zeros((len(columns), 1 + columns.shape[1]))
    v[:, :1] = model.nothing[0]
    v = v if start is None else start.copy()
    loss, lower = np.empty(len(columns)), np.empty(len(columns))
    rows = rows_of(model)
    indices = np.ascontiguousarray(columns, dtype=np.int64)
    loop(rows, indices, np.array(cuts), CLOSE * (model.null or 1.0), v, loss, lower)
    return Fits(loss, np.minimum(lower, loss), v)


@dataclass(frozen=True, eq=False)
class _Point:
    """Where models are: coefficients (B, K, s), losses, and what each may be too high by.

    ``along`` are the slopes by the coefficients without the ridge, shape (B, K, s). The gap is that of the
    tangent, if constants are best: ``L(u) + ridge/2 |b|^2`` less its ``L(u) - <g, u> - sum_j |x_j'g|^2 /
    (2 ridge)`` is ``sum_j |x_j'g + ridge b_j|^2 / (2 ridge)``, as ``<g, u>`` is a sum over the columns. So no
    rounding makes it negative.
    """

    coefficients: FloatArray
    losses: Losses
    along: FloatArray
    loss: FloatArray
    gap: FloatArray

    def only(self, some: IntArray) -> _Point:
        """Return that of some of the models."""
        losses = self.losses.only(some)
        return _Point(self.coefficients[some], losses, self.along[some], self.loss[some], self.gap[some])


def _point(model: RegularisedModel, b: FloatArray, losses: Losses, columns: FloatArray) -> _Point:
    """Add the ridge to losses at coefficients."""
    along = np.matmul(losses.slope, columns.transpose(0, 2, 1))
    gap = ((along + model.ridge * b) ** 2).sum(axis=(1, 2)) / (2.0 * model.ridge)
    return _Point(b, losses, along, losses.loss + 0.5 * model.ridge * (b * b).sum(axis=(1, 2)), gap)


class _Fitting:
    """Fits of models of columns, shape (B, s)."""

    def __init__(
        self, model: RegularisedModel, indices: IntArray, cuts: FloatArray, start: FloatArray | None
    ) -> None:
        self._model, self._columns, self._cuts = model, model.columns[indices], cuts
        self._width, self._size = len(model.family.start), indices.shape[1]
        self._v = np.zeros((len(indices), self._width + model.family.channels * self._size))
        self._v[:, : self._width] = model.nothing[0]
        self._warm = start is not None
        if start is not None:
            self._v[:] = start
        self._loss, self._lower = np.full(len(indices), np.inf), np.full(len(indices), -np.inf)
        self._close = CLOSE * (model.null or 1.0)

    def run(self) -> Fits:
        """Fit.

        Each round, for models that are not done: 1. loss and slopes; 2. half the last step back where the
        loss rose; 3. where the tangent would end the fit if constants were best, make them so, and bound; 4.
        Newton's step of all parameters.
        """
        v, loss = self._v, self._loss
        live, columns, step = np.arange(len(v)), self._columns, np.zeros_like(v)
        radius, fall = np.full(len(v), FARTHEST), np.zeros(len(v))
        at = self._at(live, columns) if self._warm else self._first()
        for _ in range(STEPS):
            enough = loss[live] - ENOUGH * fall[live]
            worse = ~(at.loss <= enough + RISE * np.abs(loss[live]))
            if worse.any():
                back = live[worse]
                step[back] *= 0.5
                fall[back] *= 0.5
                v[back] += step[back]
            over = worse & (np.abs(step[live]).max(axis=1, initial=0.0) <= RISE)
            v[live[over]] += step[live[over]]
            loss[live[~worse]] = at.loss[~worse]
            radius[live] *= np.where(worse, 0.25, 2.0)
            close = at.gap <= self._close
            above = at.loss - at.gap >= self._cuts[live]
            for promising, rounds in ((close, ROUNDS), (above & ~close, FEW)):
                some = np.flatnonzero(promising & ~worse)
                if len(some):
                    over[some] = self._bound(live[some], columns[some], at.only(some), rounds)
            left = np.flatnonzero(~(worse | over))
            if len(left):
                some = live[left]
                step[some], fall[some] = _newton(self._model, at.only(left), columns[left], radius[some])
                v[some] -= step[some]
            if over.any():
                live, columns = live[~over], columns[~over]
            if not len(live):
                break
            at = self._at(live, columns)
        v[live] += step[live]
        unproved = np.flatnonzero(np.isneginf(self._lower))
        if len(unproved):
            columns = self._columns[unproved]
            self._bound(unproved, columns, self._at(unproved, columns), ROUNDS)
        return Fits(loss, np.minimum(self._lower, loss), v)

    def _first(self) -> _Point:
        """Return where no model has coefficients."""
        losses = self._model.nothing[1].only(np.zeros(len(self._v), dtype=np.intp))
        b = np.zeros((len(self._v), self._model.family.channels, self._size))
        return _point(self._model, b, losses, self._columns)

    def _at(self, some: IntArray, columns: FloatArray) -> _Point:
        """Evaluate some models."""
        constants, b = self._v[some, : self._width], self._v[some, self._width :]
        b = b.reshape(len(some), self._model.family.channels, self._size)
        return _point(self._model, b, self._model.family.evaluate(np.matmul(b, columns), constants), columns)

    def _bound(self, some: IntArray, columns: FloatArray, at: _Point, rounds: int) -> Any:
        """Settle constants, and bound; return which fits are done."""
        linear = np.matmul(at.coefficients, columns)
        constants, losses = settle_constants(
            self._model.family, linear, at.losses.constants, rounds, at.losses
        )
        at = _point(self._model, at.coefficients, losses, columns)
        lower = at.loss - at.gap - self._model.unsettled(losses)
        self._lower[some] = np.maximum(self._lower[some], lower)
        done = (at.gap <= self._close) | (lower >= self._cuts[some])
        self._v[some[done], : self._width], self._loss[some[done]] = constants[done], at.loss[done]
        return done


def _newton(
    model: RegularisedModel, at: _Point, columns: FloatArray, radius: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return Newton's steps, those shortened that move a row further than a radius, and their slopes down."""
    second = model.family.curvature(at.losses, columns)
    width, whole = at.losses.constants.shape[1], second.shape[1]
    second[:, range(width, whole), range(width, whole)] += model.ridge
    slope = (at.along + model.ridge * at.coefficients).reshape(at.coefficients.shape[0], whole - width)
    slope = np.hstack([at.losses.constant_slope, slope])
    step = newton_step(second, slope)
    long = np.flatnonzero(np.abs(step).sum(axis=1) > FAR)
    if len(long):
        moved = np.matmul(step[long, width:].reshape(len(long), *at.coefficients.shape[1:]), columns[long])
        longest = np.abs(moved).max(axis=(1, 2), initial=0.0) + np.abs(step[long, :width]).max(
            axis=1, initial=0.0
        )
        step[long] *= (radius[long] / np.maximum(longest, radius[long]))[:, None]
    return step, (step * slope).sum(axis=1)
