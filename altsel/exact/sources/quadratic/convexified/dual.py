"""The dual of the doubly nonnegative relaxation, by Douglas-Rachford splitting."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.runtime.clock import clock
from altsel.runtime.on_demand import OnDemand

linalg: Any = OnDemand("scipy.linalg")
log = logging.getLogger("altsel.search")
MOST, EVERY = 300, 10
"""Iterations, and after how many the bound is looked at: that costs half an iteration."""
PENALTY, WIDE, LAST_PENALTY, FALLING = 0.4, 700, 0.014, 30
"""Penalty at first, at least, features with which it is 1, and penalty after so many iterations, relative to
n / k: a large one finds where the multipliers are, a small one what they are."""
LOW = 0.05
"""Share of pairs below what is taken off all: with half of them the bound of 90 iterations takes 150."""
RELAXED, LAST_RELAXED = 1.8, 1.95
"""Steps relative to those of plain splitting, below 2; the second once the penalty no longer falls. Ninety
iterations do what 180 do without, and more (n = 1,000)."""
SINGLE = 100
"""Features from which iterations are made in single precision: in half the time, and any U is a dual."""
PRICING = 0.5
"""Step of the prices of rows."""


@dataclass(frozen=True, eq=False)
class Costs:
    """``min single's + s'Ws`` over sets of `size` features with ``rows @ s <= limits``.

    `double` is W: symmetric, of any sign, with diagonal 0, finite.
    """

    single: FloatArray
    double: FloatArray
    size: int
    rows: FloatArray
    limits: FloatArray


@dataclass(frozen=True, eq=False)
class Dual:
    """A dual solution, as what `rewriting` needs of it.

    Attributes
    ----------
    convex
        S, positive semidefinite but for rounding, shape (n, n).
    shares
        u: ``W_ij - S_ij - u_i - u_j`` is N, but for entries below 0 that are charged to features.
    prices
        Of the rows.
    bound
        Bound on the costs of every set, but for rounding.
    point
        Features by how much the relaxation takes of them.
    """

    convex: FloatArray
    shares: FloatArray
    prices: FloatArray
    bound: float
    point: FloatArray


class Splitting:
    """Solves the relaxation ``min <C, Y>``, as far as is wanted and then further.

    Y are matrices that are psd, at least 0, and 0 on ``(k, -1, ..., -1)``, as all ``yy'`` with ``y = (1, s)``
    are. Every iterate U of the multipliers of Y = Z, for a psd matrix Z, makes a bound: ``<C + U, yy'>``
    bounded by the cheapest partners, less ``(k + 1)`` times the largest eigenvalue of U on the face. Of what
    the two projections leave, that of the psd one bounds better: its largest eigenvalue is no error.

    Eckstein and Bertsekas (1992): the alternating direction method with relaxed steps, which converges. What
    all pairs and all features cost alike is left out: U would have to grow to it first.

    Parameters
    ----------
    costs
        What is minimised.
    """

    def __init__(self, costs: Costs) -> None:
        self.costs = costs
        n, k = len(costs.single), costs.size
        pairs = np.asarray(costs.double[~np.eye(n, dtype=bool)])
        self.common = float(np.quantile(pairs, LOW)), float(costs.single.mean())
        self.matrix = np.zeros((n + 1, n + 1))
        self.matrix[1:, 1:] = costs.double - self.common[0]
        np.fill_diagonal(self.matrix, 0.0)
        self.matrix[0, 1:] = self.matrix[1:, 0] = (costs.single - self.common[1]) / 2
        self.scale = float(np.abs(self.matrix).max()) or 1.0
        self.matrix /= self.scale
        self.plain = self.matrix[0, 1:].copy()
        face = np.concatenate([[float(k)], -np.ones(n)]) / np.sqrt(k * k + n)
        self.face = face.copy()
        face[0] += 1
        face /= np.linalg.norm(face)
        self.mirror = face
        first = max(PENALTY, n / WIDE)
        self.beta = first * n / k
        self.falling = (LAST_PENALTY / first) ** (1 / FALLING)
        self.least = LAST_PENALTY * n / k
        self.point = np.full(n, k / n)
        self.Y = np.full((n + 1, n + 1), k * (k - 1) / n / max(n - 1, 1))
        self._put(self.point)
        self.U = np.zeros_like(self.matrix)
        if n >= SINGLE:
            self.Y, self.U = self.Y.astype(np.float32), self.U.astype(np.float32)
        self.target = self.matrix.astype(self.U.dtype)
        self.governing = self.Y.copy()
        self.prices = np.zeros(len(costs.limits))
        norms = (costs.rows**2).sum(axis=1)
        self.norms = np.where(norms > 0, norms, 1.0)
        self.iterations, self.best = 0, -inf
        self.multipliers: tuple[FloatArray, FloatArray, FloatArray] | None = None

    def solve(self, goal: float, slow: float, most: int = MOST) -> Dual | None:
        """Go on until the bound reaches a goal, or gains little.

        Parameters
        ----------
        goal
            Costs of the best set known.
        slow
            Share of what is missing to it that `EVERY` iterations must gain.
        most
            Number of iterations in all.

        Returns
        -------
        Dual or None
            None if time was up before the first bound.
        """
        while self.iterations < most and self.best < goal and not clock().over:
            self.step()
            self.iterations += 1
            if self.iterations % EVERY and self.iterations != most:
                continue
            before, bound = self.best, self._bound(self.U, self.prices, self.top)
            if bound > before:
                self.best, self.multipliers = bound, (self.U, self.prices, self.point)
            log.info("root: %d iterations, bound %.6g", self.iterations, -self.best)
            if bound - before < slow * (goal - self.best):
                break
        return None if self.multipliers is None else self.dual(*self.multipliers)

    def _put(self, point: FloatArray) -> None:
        at = np.arange(1, len(self.Y))
        self.Y[0, 1:] = self.Y[1:, 0] = self.Y[at, at] = point
        self.Y[0, 0] = 1.0

    def _reflect(self, matrix: FloatArray) -> FloatArray:
        """Return the matrix in a basis of the face: reflect, and leave out the first line."""
        h = self.mirror.astype(matrix.dtype)
        across = matrix @ h
        across = 2 * across - 2 * (h @ across) * h
        out = matrix - np.outer(h, across) - np.outer(across, h)
        return np.asarray(out[1:, 1:] + out[1:, 1:].T) / 2

    def step(self) -> None:
        """Project on the nonnegative matrices, then their reflection on the psd ones of the face; go on.

        With a penalty of b, ``Y = P(w - C / b)``, ``U = b (Y - w)``, ``Z = Q(2 Y - w)``, and w goes on by a
        multiple of ``Z - Y``; where b changes, w does so that Y and U stay.
        """
        k, dtype = self.costs.size, self.Y.dtype.type
        target = self.governing - self.target / dtype(self.beta)
        self.point = _nearest((2 * target[0, 1:] + np.diag(target)[1:]).astype(float) / 3, k)
        self.Y = np.clip(target, 0.0, 1.0)
        self._put(self.point)
        multipliers = dtype(self.beta) * (self.Y - self.governing)
        relaxed = LAST_RELAXED if self.beta <= self.least else RELAXED
        self.beta = max(self.beta * self.falling, self.least)
        self.governing = self.Y - multipliers / dtype(self.beta)
        reflected = 2 * self.Y - self.governing
        Z, shift = self._psd(reflected)
        self.U, self.top = dtype(self.beta) * (reflected - Z), self.beta * shift
        self.governing += dtype(relaxed) * (Z - self.Y)
        self._price()

    def _psd(self, matrix: FloatArray) -> tuple[FloatArray, float]:
        """Return the nearest psd matrix of the face with its trace, and what its eigenvalues lost."""
        values, vectors = _eigen(self._reflect(matrix))
        shift = _shift(values, self.costs.size + 1)
        values = values - values.dtype.type(shift)
        kept = values > 0
        scaled = np.zeros((len(matrix), int(kept.sum())), dtype=matrix.dtype)
        scaled[1:] = vectors[:, kept] * np.sqrt(values[kept])
        mirror = self.mirror.astype(matrix.dtype)
        scaled -= 2 * np.outer(mirror, mirror @ scaled)
        return np.asarray(scaled @ scaled.T), shift

    def _price(self) -> None:
        """Raise the prices of rows that the point breaks, and lower the others."""
        if not len(self.prices):
            return
        over = (self.costs.rows @ self.point - self.costs.limits) / self.norms
        self.prices = np.maximum(self.prices + PRICING * self.beta * over, 0.0)
        self.matrix[0, 1:] = self.matrix[1:, 0] = self.plain + self.prices @ self.costs.rows / 2
        self.target[0], self.target[:, 0] = self.matrix[0], self.matrix[0]

    def _bound(self, U: FloatArray, prices: FloatArray, top: float) -> float:
        """Bound the costs by multipliers, and their largest eigenvalue."""
        k, (of_pairs, of_features) = self.costs.size, self.common
        matrix = self.matrix + U
        matrix[0, 1:] = self.plain + prices @ self.costs.rows / 2 + U[0, 1:]
        bound = _cheapest(matrix, k) - (k + 1) * top - float(prices @ self.costs.limits)
        return bound * self.scale + k * ((k - 1) * of_pairs + of_features)

    def dual(self, U: FloatArray, prices: FloatArray, point: FloatArray) -> Dual:
        """Turn multipliers into a rewriting and its bound."""
        U = (U + U.T).astype(float) / 2
        top = float(np.linalg.eigvalsh(self._reflect(U))[-1])
        across = U @ self.face
        inner = float(self.face @ across)
        convex = -(U - np.outer(self.face, across) - np.outer(across, self.face))
        convex -= (inner + top) * np.outer(self.face, self.face)
        convex[np.diag_indices_from(convex)] += top
        flat = -self.face[1]
        shares = flat * across[1:] + (top + inner) * flat * flat / 2
        inside = convex[1:, 1:] * self.scale
        return Dual(
            np.ascontiguousarray((inside + inside.T) / 2),
            shares * self.scale + self.common[0] / 2,
            prices * self.scale,
            self._bound(U, prices, top),
            point.copy(),
        )


def _eigen(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return eigenvalues and eigenvectors in the matrix' own precision; numpy's are made in double."""
    try:
        values, vectors = linalg.eigh(matrix, driver="evd", check_finite=False)
    except np.linalg.LinAlgError:
        values, vectors = np.linalg.eigh(matrix.astype(float))
    return values, vectors


def _shift(values: FloatArray, total: float) -> float:
    """Return by how much less numbers, at least 0, have a sum; `values` rise."""
    down = values[::-1].astype(float)
    shift = (np.cumsum(down) - total) / np.arange(1, len(down) + 1)
    return float(shift[np.flatnonzero(down > shift)[-1]])


def _nearest(point: FloatArray, total: float) -> FloatArray:
    """Return the nearest point of ``{0 <= x <= 1, sum x = total}``."""
    low, high = point.min() - 1, point.max()
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if np.clip(point - middle, 0, 1).sum() > total else (low, middle)
    return np.asarray(np.clip(point - high, 0.0, 1.0))


def _cheapest(matrix: FloatArray, k: int) -> float:
    """Bound ``<A, yy'>``: every feature with its k - 1 cheapest partners, and the k cheapest features."""
    pairs = matrix[1:, 1:].copy()
    single = 2 * matrix[0, 1:] + np.diag(pairs)
    np.fill_diagonal(pairs, inf)
    if k > 1:
        single = single + np.partition(pairs, k - 2, axis=1)[:, : k - 1].sum(axis=1)
    return float(matrix[0, 0] + np.partition(single, k - 1)[:k].sum())
