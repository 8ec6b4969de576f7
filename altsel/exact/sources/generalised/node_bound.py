"""The bound of a node: the tangent at the perspective relaxation, and the features that it fixes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.exact.sources.generalised.compiled import Kernels, for_nodes, members_of
from altsel.exact.sources.generalised.shares import NEWTON, PART, ROUNDS, WORTHWHILE, shares
from altsel.stats.generalised.family import newton_step
from altsel.stats.generalised.fit import rows_of
from altsel.stats.generalised.model import RegularisedModel

SIGNS = 3
"""How often features leave a relaxation whose coefficients have the wrong sign."""


@dataclass(frozen=True, eq=False)
class Relaxed:
    """Where a relaxation is: columns with coefficients, those, and constants.

    Attributes
    ----------
    columns
        Indices, shape (s,).
    coefficients
        Shape (K, s).
    constants
        Shape (T,).
    """

    columns: IntArray
    coefficients: FloatArray
    constants: FloatArray

    def lengths(self, model: RegularisedModel) -> FloatArray:
        """Return the length of the coefficients of each feature, shape (features,)."""
        squares = np.zeros(len(model.columns))
        squares[self.columns] = (self.coefficients * self.coefficients).sum(axis=0)
        return np.sqrt(model.sums(squares))

    def without(self, model: RegularisedModel, features: IntArray) -> Relaxed:
        """Return the same without some features."""
        kept = ~np.isin(self.columns, model.own[features])
        return Relaxed(self.columns[kept], self.coefficients[:, kept], self.constants)


@dataclass(frozen=True, eq=False)
class Bounded:
    """A bound on the costs of the sets of a node.

    Attributes
    ----------
    cost
        No set of it costs less.
    relaxed
        Where the relaxation is.
    within, without
        Features that each set below the cutoff has, or has not, as masks over those that may be chosen.
    """

    cost: float
    relaxed: Relaxed
    within: BoolArray
    without: BoolArray


def bounded(
    model: RegularisedModel, prices: FloatArray, chosen: IntArray, free: IntArray, choice: Choice
) -> Bounded:
    """Bound the costs of sets of all chosen features and some of the free ones.

    Each round: 1. shares of the free features, by the lengths of their coefficients; 2. Newton's steps of
    the model with the ridge divided by the shares; 3. the bound by the tangent there; 4. end if it is above
    the cutoff, or no longer grows; 5. let features enter whose price is among the highest.

    Parameters
    ----------
    model, prices
        The models, and the price of each feature.
    chosen, free
        Indices of the features.
    choice
        How many of the free ones, the cutoff, and where to begin.
    """
    q, cut, relaxed, signs = choice.count, choice.cutoff, choice.start, choice.signs
    if signs is None and (loops := for_nodes(model, len(chosen) + len(free))) is not None:
        return _bounded_in_loop(loops, model, prices, (chosen, free), choice)
    best = _Best(-np.inf, np.zeros(len(free)))
    for step in range(ROUNDS):
        share = shares(relaxed.lengths(model)[free], q)
        part = share > PART
        features, ridges = np.append(chosen, free[part]), np.append(np.ones(len(chosen)), share[part])
        relaxed = _weighted(model, features, ridges, relaxed)
        if signs is not None:
            relaxed = _right(model, features, ridges, relaxed, signs)
        linear = relaxed.coefficients @ model.columns[relaxed.columns]
        tangent, slope = model.tangent(linear[None], relaxed.constants[None], 0)
        price = _prices(model, slope[0], signs)
        worth = model.sums(price) - prices
        constant = float(tangent[0] - price[model.always].sum())
        most = np.partition(worth[free], len(free) - q)[len(free) - q :].sum()
        cost = constant - float(worth[chosen].sum() + most)
        before, best = best.cost, max(best, _Best(cost, worth[free]), key=lambda one: one.cost)
        if best.cost >= cut or (step > 0 and best.cost - before < WORTHWHILE * (cut - best.cost)):
            break
        relaxed = _entered(model, relaxed, (linear, slope[0]), free[~part], (price, worth[free]), q)
    within, without = _fixed(best, q, cut)
    return Bounded(best.cost, relaxed, within, without)


def _bounded_in_loop(
    loops: Kernels,
    model: RegularisedModel,
    prices: FloatArray,
    features: tuple[IntArray, IntArray],
    choice: Choice,
) -> Bounded:
    """Bound by the compiled loop."""
    chosen, free = features
    members = members_of(model, prices, chosen, free, choice.count)
    b, constant = np.zeros(len(model.columns)), choice.start.constants.copy()
    b[choice.start.columns] = choice.start.coefficients[0]
    spent = float(prices[chosen].sum())
    nothing = float(model.nothing[0][0, 0])
    low, worth = loops.relaxed(rows_of(model), members, choice.cutoff - spent, b, constant, nothing)
    columns = np.flatnonzero(b)
    best = _Best(low + spent, worth)
    within, without = _fixed(best, choice.count, choice.cutoff)
    return Bounded(best.cost, Relaxed(columns, b[None, columns], constant), within, without)


@dataclass(frozen=True, eq=False)
class Choice:
    """How many features of a node are to be chosen, what they may cost, and where its relaxation begins.

    Signs of coefficients, of features of one column each, are 1, -1, or 0 for any; None: all are free.
    """

    count: int
    cutoff: float
    start: Relaxed
    signs: IntArray | None = None


@dataclass(frozen=True, eq=False)
class _Best:
    cost: float
    worth: FloatArray


def _fixed(best: _Best, q: int, cut: float) -> tuple[BoolArray, BoolArray]:
    """Return which features every set below the cutoff has, and which none: the others are too expensive."""
    worth, n = best.worth, len(best.worth)
    none = np.zeros(n, dtype=bool)
    if best.cost >= cut or q == n:
        return none, none
    order = np.argsort(worth)
    last, following = worth[order[n - q]], worth[order[n - q - 1]]
    top = np.zeros(n, dtype=bool)
    top[order[n - q :]] = True
    within = top & (best.cost + worth - following >= cut)
    without = ~top & (best.cost + last - worth >= cut)
    return within, without


def _weighted(model: RegularisedModel, features: IntArray, share: FloatArray, start: Relaxed) -> Relaxed:
    """Do Newton's steps of the model of some features whose ridges are divided by their shares."""
    family = model.family
    own = model.own[features]
    columns = np.append(model.always, own[own < len(model.owner)])
    ridge = model.ridge / np.append(
        np.ones(len(model.always)), np.repeat(share, (own < len(model.owner)).sum(axis=1))
    )
    known = np.zeros((family.channels, len(model.columns)))
    known[:, start.columns] = start.coefficients
    b, constants, held = known[:, columns], start.constants, model.columns[columns]
    width = len(constants)
    for _ in range(NEWTON):
        losses = family.evaluate((b @ held)[None], constants[None])
        if not np.isfinite(losses.loss[0]):
            return Relaxed(columns, np.zeros_like(b), model.nothing[0][0])
        slope = np.append(losses.constant_slope[0], losses.slope[0] @ held.T + ridge * b)
        second = family.curvature(losses, held[None])
        second[0, range(width, len(slope)), range(width, len(slope))] += np.tile(ridge, family.channels)
        step = newton_step(second, slope[None])[0]
        length = float(np.sqrt(max(step @ slope, 0.0)))
        step = step if length < 1.0 else step / (1.0 + 0.3 * length)
        constants, b = constants - step[:width], b - step[width:].reshape(b.shape)
    return Relaxed(columns, b, constants)


def _prices(model: RegularisedModel, slope: FloatArray, signs: IntArray | None) -> FloatArray:
    """Return what columns may take off a loss: nothing if only a coefficient of the wrong sign would."""
    price = model.prices(slope)
    if signs is not None:
        wrong = signs * (slope @ model.columns[:-1].T)[0] > 0
        price[:-1][wrong] = 0.0
    return price


def _right(
    model: RegularisedModel, features: IntArray, share: FloatArray, at: Relaxed, signs: IntArray
) -> Relaxed:
    """Leave features out of a relaxation while coefficients have the wrong sign."""
    for _ in range(SIGNS):
        wrong = at.columns[(signs[at.columns] * at.coefficients[0]) < 0]
        if not len(wrong):
            break
        kept = ~np.isin(features, wrong)
        features, share = features[kept], share[kept]
        at = _weighted(model, features, share, at.without(model, wrong))
    return at


def _entered(
    model: RegularisedModel,
    relaxed: Relaxed,
    rows: tuple[FloatArray, FloatArray],
    out: IntArray,
    worths: tuple[FloatArray, FloatArray],
    q: int,
) -> Relaxed:
    """Let features enter whose price is among the q highest, with the coefficient of Newton's step.

    It is by the curvature of the constant, as columns are standardised; where there is none by that of the
    first column that enters.
    """
    linear, slope = rows
    price, worth = model.sums(worths[0]), worths[1]
    least = np.partition(worth, max(len(worth) - q - 1, 0))[max(len(worth) - q - 1, 0)]
    some = out[price[out] >= 0.999 * least]
    if not len(some):
        return relaxed
    own = model.own[some]
    columns = np.setdiff1d(own[own < len(model.owner)], relaxed.columns)
    if not len(columns):
        return relaxed
    held = model.columns[columns]
    losses = model.family.evaluate(linear[None], relaxed.constants[None])
    new = -(slope @ held.T) / (model.family.curvature(losses, held[None, :1])[0, 0, 0] + model.ridge)
    return Relaxed(
        np.append(relaxed.columns, columns), np.hstack([relaxed.coefficients, new]), relaxed.constants
    )
