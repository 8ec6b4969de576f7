"""The diagonal of the bound: as much of the products as can be given to single features, where it matters.

``min over d of the bound, subject to A - diag(d) positive semidefinite``, which is convex in d, by the
steps of Frank and Wolfe (1956): the gradient's best d is a semidefinite program, solved by a few steps of
Newton on its barrier.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.kernels.conditioning import steepest
from altsel.exact.sources.least_squares.compiled import LOOPS
from altsel.runtime.clock import clock

NULL = 1e-9
"""Eigenvalue of the products up to which features hang together: they get no share of their own."""
TOUCHED = 1e-7
"""Coefficient in such a combination from which a feature is part of it."""
DIRECTION = 1e-13
"""Length from which a direction is in the span of columns."""
SHARES = (1e-1, 1e-2, 1e-3)
LARGE = 250
"""Features from which fewer steps are made, as each takes the inverse of a matrix of that size."""


@dataclass(frozen=True, eq=False)
class Root:
    """The bound at the root, its d (0: features that hang together), and the shares of features in it."""

    bound: float
    d: FloatArray
    z: FloatArray


def root(columns: FloatArray, target: FloatArray, q: int, rounding: float) -> Root:
    """Find a diagonal for sets of q, and the bound on what they explain.

    Parameters
    ----------
    columns, target
        As in `altsel.stats.least_squares.Design`.
    q
        Size of the sets.
    rounding
        Of the products of the columns.
    """
    n = len(columns)
    products, along = columns @ columns.T, columns @ target
    own = independent(columns, products)
    d, z = np.zeros(n), np.full(n, min(q / n, 1.0))
    if not len(own):
        return Root(float(along @ np.linalg.lstsq(products, along, rcond=1e-10)[0]) + 1e-9, d, z)
    apart = _given_others(columns, own)
    small = n <= LARGE
    d[own] = certify(apart, _weigh(apart, np.ones(len(own)), None, SHARES))
    best, z, w = _bound(products, along, d, z, q, rounding, 40 if small else 10)
    for _ in range(8 if small else 3):
        if clock().over or q >= n:
            break
        inside = np.clip(z, 1e-6, 1)
        pull = (w * w * (1 - inside) / inside)[own]
        if not pull.max() > 0:
            break
        wanted = np.zeros(n)
        weight = pull / pull.mean() + 1e-2
        wanted[own] = certify(
            apart, _weigh(apart, weight, None if small else d[own], SHARES if small else SHARES[1:])
        )
        gain = 0.0
        for step in (1.0, 0.6, 0.3, 0.1) if small else (1.0, 0.5):
            trial = (1 - step) * d + step * wanted
            bound, other, coefficients = _bound(products, along, trial, z, q, rounding, 40 if small else 8)
            if bound < best - 1e-7:
                gain, best, z, w, d = best - bound, bound, other, coefficients, trial
                break
        if gain < 1e-4 * best:
            break
    return Root(best, d, z)


def independent(columns: FloatArray, products: FloatArray) -> IntArray:
    """Return the features that are in no combination of columns that nearly vanishes."""
    lengths = np.sqrt(np.maximum(products.diagonal(), 1e-300))
    values, vectors = np.linalg.eigh(products / np.outer(lengths, lengths))
    touched = (np.abs(vectors[:, values < NULL]) > TOUCHED).any(axis=1)
    return np.flatnonzero(~touched & (np.abs(columns).sum(axis=1) > 0))


def certify(products: FloatArray, d: FloatArray) -> FloatArray:
    """Shrink d until the products less it are surely positive semidefinite, rounding included."""
    n = len(d)
    margin = 8 * n * np.finfo(float).eps * float(products.diagonal().max())
    d = np.maximum(d, 0.0)
    for _ in range(60):
        try:
            np.linalg.cholesky(products - np.diag(d + margin))
        except np.linalg.LinAlgError:
            d = d * 0.999 if d.max() > 0 else d
            margin_left = float(np.linalg.eigvalsh(products - np.diag(d))[0]) - margin
            d = np.maximum(d + min(margin_left, 0.0), 0.0)
        else:
            return d
    return np.zeros(n)


def _given_others(columns: FloatArray, own: IntArray) -> FloatArray:
    """Return the products of some features given all others."""
    others = np.setdiff1d(np.arange(len(columns)), own)
    mine = columns[own]
    if len(others):
        _, sizes, directions = np.linalg.svd(columns[others], full_matrices=False)
        basis = directions[sizes > DIRECTION]
        for _ in range(2):
            mine = mine - (mine @ basis.T) @ basis
    return np.asarray(mine @ mine.T)


def _weigh(
    products: FloatArray,
    weight: FloatArray,
    start: FloatArray | None,
    steps: tuple[float, ...],
    newton: int = 12,
) -> FloatArray:
    """Maximise nearly ``weight'd`` subject to products - diag(d) positive definite and d > 0."""
    n = len(products)
    lengths = np.sqrt(products.diagonal())
    a = products / np.outer(lengths, lengths)
    weight = weight * lengths**2
    least = max(float(np.linalg.eigvalsh(a)[0]), 1e-15)
    d = np.full(n, 0.5 * least) if start is None else 0.9 * start / lengths**2 + 0.05 * least
    weight = weight / weight.sum() * n
    for share in steps:
        mu = share * max(float(weight @ d) / n, 1e-9)
        for _ in range(newton):
            if clock().over:
                return np.asarray(d * lengths**2)
            try:
                inverse = np.linalg.inv(a - np.diag(d))
                inverse = (inverse + inverse.T) / 2
                slope = weight - mu * inverse.diagonal() + mu / d
                curve = mu * (inverse * inverse + np.diag(1 / d**2))
                move = np.linalg.solve(curve, slope)
            except np.linalg.LinAlgError:  # too near to singular for a step; `certify` sees to d
                return np.asarray(d * lengths**2)
            length = _inside(a, d, move)
            d = d + length * move
            if length == 0.0 or float(slope @ move) < 1e-3 * mu * n:
                break
    return np.asarray(d * lengths**2)


def _inside(a: FloatArray, d: FloatArray, move: Any) -> float:
    """Return how far a move may go."""
    length = min(1.0, 0.95 / max(1e-12, float((-move / d).max())))
    while length > 1e-6:
        try:
            np.linalg.cholesky(a - np.diag(d + length * move))
        except np.linalg.LinAlgError:
            length *= 0.6
        else:
            return length if length == 1.0 else 0.9 * length
    return 0.0


def _bound(
    products: FloatArray, along: FloatArray, d: FloatArray, z: FloatArray, q: int, rounding: float, steps: int
) -> tuple[float, FloatArray, FloatArray]:
    """Return the bound at a diagonal, its shares and w, weighting anew from z."""
    best, kept, coefficients, last, loops = np.inf, z, np.zeros(len(z)), np.inf, LOOPS.ready()
    for step in range(steps):
        constant, price, w = loops.priced(products, along, d, z, rounding, steepest(q))
        bound = constant + float(np.partition(price, len(price) - q)[len(price) - q :].sum())
        if bound < best:
            best, kept, coefficients = bound, z, w
        if step > 5 and abs(last - bound) < 1e-5 * bound:
            break
        last = bound
        z = loops.shares(np.maximum(z, 1e-6) * np.sqrt(price), q)
    return best, kept, coefficients
