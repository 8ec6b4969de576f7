"""Models without one block of columns each, fitted from the model of all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from scipy import linalg

from altsel._types import FloatArray, IntArray
from altsel.stats.independence.glm.newton import Fitted, fit

COLLINEAR = 1e4
"""Models are fitted from scratch where the others leave less than one part of this of any column's length,"""
LOST = 0.25
"""where the first approximation loses more than this share of what the whole model explains,"""
FARTHEST = 12.0
"""or has linear predictors farther from a constant, as where classes are separated."""


def without_each(model: Fitted, blocks: Sequence[IntArray]) -> Iterator[tuple[Fitted, FloatArray]]:
    """Fit a model of a design's columns without each of some blocks, from the model of all of them.

    Newton's method begins at the coefficients that are best by the whole model's information ``I`` where
    those of the block vanish, ``b - I^-1 C' (C I^-1 C')^-1 C b``, and is there in two steps or three.

    Parameters
    ----------
    model
        The model of all columns, which are of full rank.
    blocks
        Which columns are left out together; not the first one, the intercept.

    Yields
    ------
    tuple
        The model, and what the block adds to it: orthogonal columns of variance 1, shape (rows, columns).
    """
    design, counts = model.design, model.counts
    roots = np.ones(len(design)) if counts is None else np.sqrt(counts)
    triangle = np.linalg.qr(design * roots[:, None], mode="r")
    inverse = linalg.solve_triangular(triangle, np.eye(len(triangle)))
    basis = design @ inverse  # orthonormal, rows weighted
    coefficients = (basis * roots[:, None] ** 2).T @ model.eta.T
    spread = _covariance(model, basis)
    sizes = np.linalg.norm(triangle, axis=0) * np.linalg.norm(inverse, axis=1)
    flat = model.family.flat(model.response, counts)
    null = float(model.family.log_likelihood(model.response, flat, counts))
    total = np.sqrt((roots**2).sum())
    for block in blocks:
        left = linalg.orth(inverse[block].T)
        eta = model.eta + (basis @ _change(coefficients, spread, left)).T
        reached = float(model.family.log_likelihood(model.response, eta, counts))
        near = model.log_likelihood - reached <= LOST * (model.log_likelihood - null)
        near = near and sizes.max() < COLLINEAR and np.abs(eta - flat).max() < FARTHEST
        others, start = np.delete(design, block, axis=1), eta if near else None
        yield fit(model.family, model.response, others, counts, start), basis @ left * total


def _covariance(model: Fitted, basis: FloatArray) -> FloatArray:
    """Inverse of the information of the coefficients of a basis, predictor by predictor."""
    free = Fitted(model.family, model.response, basis[:, :0], model.eta, model.log_likelihood, model.counts)
    information = free.information(basis[:, None, :])[0]
    ridge = 1e-10 * np.trace(information) / len(information) + 1e-12
    return np.asarray(np.linalg.inv(information + ridge * np.eye(len(information))))


def _change(coefficients: FloatArray, spread: FloatArray, left: FloatArray) -> FloatArray:
    """Change of the coefficients, shape (columns, predictors), that leaves nothing in a direction."""
    size, outputs = coefficients.shape
    within = np.kron(np.eye(outputs), left)
    across = spread @ within
    gone = np.linalg.solve(within.T @ across, within.T @ coefficients.T.ravel())
    return -(across @ gone).reshape(outputs, size).T
