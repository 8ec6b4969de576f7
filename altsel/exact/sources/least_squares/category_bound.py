"""The bound on least squares for features of several columns, each with one share of its block.

With the columns of a feature orthonormal and ``A - D`` positive semidefinite for a D of one number a feature,
a feature's price is the squared length of its part of ``b - (A - D) w``, over that number. What sets of some
features and some columns explain at most is then a knapsack of prices, solved for all numbers of both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.exact.kernels.conditioning import steepest
from altsel.exact.sources.least_squares.diagonal import certify
from altsel.exact.sources.least_squares.prices import priced, shares
from altsel.runtime.clock import clock
from altsel.runtime.on_demand import OnDemand
from altsel.stats.blocks import Blocks

lapack: Any = OnDemand("scipy.linalg.lapack")

SLACK = 2e-9
"""What rounding may take off what a set explains, besides the products' own."""
LEAST = 1e-6
"""Share of a feature below which its price tells nothing."""
STEPS = (1e-1, 1e-2)
NEWTON, ROUNDS = 6, 8
PRECISE = 400
"""Columns up to which shares are weighed, which takes inverses of matrices of that size."""
PART = 1e-3
"""Share of combinations that vanish from which a feature is part of them."""


def diagonal(blocks: Blocks, weight: FloatArray, start: FloatArray | None) -> FloatArray | None:
    """Return a share for each feature so that the products less them stay positive semidefinite.

    Parameters
    ----------
    blocks
        What is left of the features.
    weight
        What the shares are worth.
    start
        Shares that do; None: none are known.

    Returns
    -------
    array or None
        None if the products are nearly singular.
    """
    a, n = blocks.products, len(blocks.along)
    least = float(np.linalg.eigvalsh(a)[0]) if n <= PRECISE else _least(a)
    if least < LEAST:
        return None
    d = np.full(len(weight), least)
    if n <= PRECISE and not clock().over:
        d = _weigh(blocks, weight, 0.5 * d if start is None else 0.9 * start + 0.05 * least)
    sure = certify(a, blocks.each(d) - n * blocks.rounding)
    d = np.minimum.reduceat(sure, blocks.first)
    return d if d.min() > LEAST / 2 else None


def hanging(blocks: Blocks) -> IntArray:
    """Return the features in combinations of columns that vanish, those most in them first.

    None where there are more columns than can be independent.
    """
    if len(blocks.along) > len(blocks.design.target):
        return np.zeros(0, dtype=np.int64)
    values, vectors = np.linalg.eigh(blocks.products)
    share = blocks.sums((vectors[:, values < LEAST] ** 2).sum(axis=1))
    return np.flatnonzero(share > PART)[np.argsort(-share[share > PART], kind="stable")]


def _least(a: FloatArray) -> float:
    """Estimate the least eigenvalue by steps of the inverse; `certify` sees to what it misses."""
    try:
        np.linalg.cholesky(a - LEAST * np.eye(len(a)))
    except np.linalg.LinAlgError:
        return 0.0
    inverse = np.linalg.inv(a)
    vector = np.ones(len(a))
    for _ in range(30):
        vector = inverse @ vector
        vector /= np.sqrt(vector @ vector)
    return 0.98 / float(vector @ (inverse @ vector))


def _weigh(blocks: Blocks, weight: FloatArray, d: FloatArray) -> FloatArray:
    """Maximise nearly ``weight'd`` by Newton's steps on its barrier."""
    a, n = blocks.products, len(d)
    weight = weight / weight.sum() * n
    for share in STEPS:
        mu = share * max(float(weight @ d) / n, 1e-9)
        for _ in range(NEWTON):
            if clock().over:
                return d
            try:
                inverse = _inverse(a - np.diag(blocks.each(d)))
                curve = np.add.reduceat(
                    np.add.reduceat(inverse * inverse, blocks.first, axis=0), blocks.first, axis=1
                )
                slope = weight - mu * blocks.sums(inverse.diagonal()) + mu / d
                move = np.linalg.solve(mu * (curve + np.diag(1 / d**2)), slope)
            except np.linalg.LinAlgError:
                return d
            length = _inside(blocks, d, move)
            d = d + length * move
            if length == 0.0 or float(slope @ move) < 1e-2 * mu * n:
                break
    return d


def _inverse(a: FloatArray) -> FloatArray:
    """Invert a positive definite matrix; raise a LinAlgError if it is none."""
    lower, failed = lapack.dpotrf(a, lower=1)
    if failed:
        raise np.linalg.LinAlgError
    half, _ = lapack.dpotri(lower, lower=1)
    return np.asarray(np.tril(half) + np.tril(half, -1).T)


def _inside(blocks: Blocks, d: FloatArray, move: Any) -> float:
    """Return how far a move may go."""
    length = min(1.0, 0.95 / max(1e-12, float((-move / d).max())))
    while length > 1e-4:
        try:
            np.linalg.cholesky(blocks.products - np.diag(blocks.each(d + length * move)))
        except np.linalg.LinAlgError:
            length *= 0.6
        else:
            return length if length == 1.0 else 0.9 * length
    return 0.0


@dataclass(frozen=True, eq=False)
class Demand:
    """What a set must explain to be looked for, by how many columns it has, and what it would be worth.

    Attributes
    ----------
    needed
        ``R^2`` that sets of 0, 1, ... columns must exceed; one number where columns cost nothing.
    worth
        What sets are worth that explain so much, with so many columns.
    """

    needed: FloatArray
    worth: Callable[[FloatArray, IntArray], FloatArray]

    @property
    def counts_columns(self) -> bool:
        """Whether columns have a price."""
        return len(self.needed) > 1


@dataclass(frozen=True, eq=False)
class Choice:
    """What may be chosen at a node.

    Attributes
    ----------
    fewest, most
        Number of features.
    width, spent
        Columns that each feature counts for, and those that the chosen ones do.
    few, capacity
        Features of which at most so many may be chosen.
    """

    fewest: int
    most: int
    width: IntArray
    spent: int
    few: BoolArray
    capacity: int

    def columns(self, demand: Demand) -> int:
        """Return how many columns more a set may have."""
        widest = int(np.sort(self.width)[-self.most :].sum())
        return max(min(widest, len(demand.needed) - 1 - self.spent), 0)

    def packed(self, price: FloatArray, columns: int) -> FloatArray:
        """Return the largest sums of prices of j features with p columns, shape (most + 1, columns + 1)."""
        best = np.full((self.most + 1, columns + 1), -np.inf)
        best[0, 0] = 0.0
        limited = min(self.capacity, self.most)
        for some, top in ((np.flatnonzero(self.few), limited), (np.flatnonzero(~self.few), self.most)):
            for g in some:
                w = self.width[g]
                if w <= columns:
                    more = best[:top, : columns + 1 - w] + price[g]
                    np.maximum(best[1 : top + 1, w:], more, out=best[1 : top + 1, w:])
        return best


@dataclass(frozen=True, eq=False)
class Bounded:
    """A bound on the worth of the sets of a node, features that no better one has, and the prices."""

    worth: float
    useless: BoolArray
    price: FloatArray
    z: FloatArray


def bounded(blocks: Blocks, d: FloatArray | None, z: FloatArray, choice: Choice, demand: Demand) -> Bounded:
    """Bound what sets with some of the features more are worth, weighting anew while that helps.

    Parameters
    ----------
    blocks
        What is left of the features, given those chosen.
    d
        See `diagonal`; None: no more is known than what all features explain.
    z
        Shares of the features to begin with.
    choice
        How many of them may be chosen.
    demand
        What sets must explain.
    """
    columns, width, spent = choice.columns(demand), choice.width, choice.spent
    offset, whole, nothing = blocks.design.offset + blocks.base, _whole(blocks), np.zeros(len(z))
    needed, counts = demand.needed[spent : spent + columns + 1], spent + np.arange(columns + 1)
    best, useless, before = Bounded(np.inf, nothing > 0, nothing, z), nothing > 0, np.inf
    for step in range(1 if d is None else ROUNDS):
        constant, price = (whole - offset, nothing) if d is None else _prices(blocks, d, z)
        table = offset + constant + choice.packed(price, columns)
        reached = np.minimum(table[choice.fewest :].max(axis=0), whole)
        worth = float(demand.worth(reached, counts).max())
        if worth < best.worth:
            best = Bounded(worth, useless, price, z)
        if (reached <= needed).all():
            return Bounded(best.worth, nothing == 0, price, z)
        others = table[max(choice.fewest - 1, 0) : choice.most].max(axis=0)
        for w in np.unique(width):
            room, limits = others[: max(columns + 1 - w, 0)], needed[w:]
            open_ = np.isfinite(room) & (whole > limits)
            useless |= (width == w) & ((room - limits)[open_].max(initial=-np.inf) + price <= 0)
        excess = float((reached - needed).max())
        if (step >= 2 and before - excess < 0.05 * excess) or clock().over:
            break
        before = excess
        z = _reweigh(z, price, choice, demand, reached - needed)
    return Bounded(best.worth, useless, best.price, best.z)


def _prices(blocks: Blocks, d: FloatArray, z: FloatArray) -> tuple[float, FloatArray]:
    """Return the constant of the bound, and the price of each feature."""
    n, largest = len(blocks.along), steepest(len(blocks.along))
    own = np.maximum(blocks.each(d) - n * blocks.rounding, 0.0)
    constant, each, _ = priced(blocks.products, blocks.along, own, blocks.each(z), blocks.rounding, largest)
    return float(constant) + SLACK, blocks.sums(each)


def _whole(blocks: Blocks) -> float:
    """Bound what all features left explain along with those chosen."""
    whole, a = blocks.design.whole + SLACK, blocks.products
    try:
        np.linalg.cholesky(a - LEAST * np.eye(len(a)))
    except np.linalg.LinAlgError:
        return float(whole)
    more = float(blocks.along @ np.linalg.solve(a, blocks.along))
    error = blocks.rounding * len(a) * more / LEAST
    return float(min(whole, blocks.design.offset + blocks.base + more + error + SLACK))


def _reweigh(
    z: FloatArray, price: FloatArray, choice: Choice, demand: Demand, excess: FloatArray
) -> FloatArray:
    """Return shares of the features, by their prices and what their columns cost."""
    pull = np.maximum(z, 1e-6) * np.sqrt(price)
    if demand.counts_columns and len(excess) > 1:
        at = choice.spent + min(int(excess.argmax()), len(excess) - 2)
        cost = max(float(demand.needed[at + 1] - demand.needed[at]), 1e-12)
        free = np.minimum(1.0, pull / np.sqrt(cost * np.maximum(choice.width, 1)))
        if free.sum() <= choice.most:
            return np.asarray(np.maximum(free, 1e-6))
    return np.asarray(shares(pull, choice.most))
