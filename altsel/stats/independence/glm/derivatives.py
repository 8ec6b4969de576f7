"""Gradient and information of generalised linear models that differ in their last columns only."""

from __future__ import annotations

from functools import reduce
from typing import Protocol

import numpy as np

from altsel._types import FloatArray
from altsel.stats.independence.glm.families import GLMFamily
from altsel.stats.independence.glm.pairs import pairs, places, weighted_squares

CELLS = 1 << 15
"""Weights of rows that are held at once: larger arrays take longer to get than to fill;"""
OF_ONE = 1 << 17
"""those of a single model."""


class Extensible(Protocol):
    """A model of some responses by a design, that others extend; see `newton.Fitted`."""

    @property
    def family(self) -> GLMFamily:
        """The family."""

    @property
    def response(self) -> FloatArray:
        """Responses, shape (predictors, rows)."""

    @property
    def design(self) -> FloatArray:
        """Columns, shape (rows, columns)."""

    @property
    def counts(self) -> FloatArray | None:
        """How often each row counts."""


def derivatives(model: Extensible, blocks: FloatArray, eta: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Gradient and information of every extended model, at its own linear predictors or the same ones.

    Coefficients are ordered: those of the design for each predictor, then those of the block.
    """
    outputs, _, models = eta.shape
    cells = CELLS if blocks.shape[1] > 1 else OF_ONE
    step = max(1, cells // (outputs * (outputs + 1) // 2 * models))
    parts = [
        _sums(model, blocks, eta, slice(start, start + step)) for start in range(0, len(model.design), step)
    ]
    within, across, added, *sums = (reduce(np.add, each) for each in zip(*parts, strict=True))
    gradient, own = _side_by_side(*sums), outputs * model.design.shape[1]
    count = len(gradient)
    information = np.empty((count, gradient.shape[1], gradient.shape[1]))
    information[:, :own, :own] = _by_predictor(within)
    information[:, own:, :own] = _by_predictor(across)
    information[:, :own, own:] = np.swapaxes(information[:, own:, :own], 1, 2)
    information[:, own:, own:] = _by_predictor(added)
    return gradient, information


def ridged(information: FloatArray) -> FloatArray:
    """Add next to nothing to the diagonal of information, shape (…, coefficients, coefficients)."""
    size = information.shape[-1]
    ridge = 1e-10 * np.trace(information, axis1=-2, axis2=-1) / max(size, 1) + 1e-12
    return np.asarray(information + ridge[..., None, None] * np.eye(size))


def slopes(model: Extensible, blocks: FloatArray, eta: FloatArray) -> FloatArray:
    """Gradient of every extended model at its own linear predictors, shape (models, coefficients)."""
    errors = _errors(model, model.response, model.family.mean(eta), model.counts)
    return _side_by_side(*_slopes(model.design, blocks, errors))


def _errors(
    model: Extensible, response: FloatArray, mean: FloatArray, counts: FloatArray | None
) -> FloatArray:
    """Derive the rows' log-likelihoods by each predictor; shape (predictors, rows, models)."""
    errors = np.array([model.family.errors(response, mean, a) for a in range(len(mean))])
    return errors if counts is None else errors * counts[:, None]


def _slopes(design: FloatArray, blocks: FloatArray, errors: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Sum columns of the design and of a block by the errors; shape (models, predictors, columns)."""
    return (design.T @ errors).transpose(2, 0, 1), _summed(errors, blocks).transpose(1, 0, 2)


def _side_by_side(known: FloatArray, new: FloatArray) -> FloatArray:
    """Join the gradient by coefficients of the design, of one model or all, and by those of each block."""
    split = known[0].size
    gradient = np.empty((len(new), split + new[0].size))
    gradient[:, :split], gradient[:, split:] = known.reshape(len(known), -1), new.reshape(len(new), -1)
    return gradient


def _sums(model: Extensible, blocks: FloatArray, eta: FloatArray, some: slice) -> tuple[FloatArray, ...]:
    """Sum over some rows, by each pair of predictors or each predictor, for each model.

    Returns
    -------
    tuple
        Products of two columns of the design, of one of a block and one of the design, and of two of a block
        by the weights; columns of the design and of a block by the errors.
    """
    family, design, blocks, eta = model.family, model.design[some], blocks[some], eta[:, some]
    response, mean = model.response[:, some], family.mean(eta)
    counts = None if model.counts is None else model.counts[some]
    errors, weights = _errors(model, response, mean, counts), family.weights(response, mean)
    if counts is not None:
        weights = weights * counts[:, None]
    (rows, fixed), (_, count, width), models = design.shape, blocks.shape, eta.shape[2]
    by_row = weights.transpose(0, 2, 1).reshape(-1, rows)
    slopes = _slopes(design, blocks, errors)
    if count == 1:
        both = weighted_squares(np.hstack([design, blocks[:, 0]]), by_row)[:, None]
        return both[..., :fixed, :fixed], both[..., fixed:, :fixed], both[..., fixed:, fixed:], *slopes
    within = weighted_squares(design, by_row).reshape(len(weights), models, fixed, fixed)
    first, second = pairs(width)
    squares = blocks**2 if width == 1 else blocks[:, :, first] * blocks[:, :, second]
    added = _summed(weights, squares)[..., places(width)]
    if models == 1:
        flat = (by_row[:, None] * design.T).reshape(-1, rows) @ blocks.reshape(rows, -1)
        across = flat.reshape(len(weights), fixed, count, width).transpose(0, 2, 3, 1)
    else:
        each = [design.T @ (weights * blocks[:, :, d]) for d in range(width)]
        across = np.array(each).transpose(1, 3, 0, 2)
    return within, across, added, *slopes


def _summed(weights: FloatArray, values: FloatArray) -> FloatArray:
    """Sum values of rows by weights, of each model or the same for all; shape (weights, models, values).

    Parameters
    ----------
    weights
        Shape (weights, rows, models), or of one model for all.
    values
        Shape (rows, models, values).
    """
    if weights.shape[2] > 1:
        return np.asarray(np.einsum("anm,nmd->amd", weights, values))
    sums = weights[:, :, 0] @ values.reshape(len(values), -1)
    return np.asarray(sums.reshape(len(weights), *values.shape[1:]))


def _by_predictor(sums: FloatArray) -> FloatArray:
    """Arrange sums by pairs of predictors, shape (pairs, models, …, …), into one matrix of each model."""
    if len(sums) == 1:
        return np.asarray(sums[0])
    parts = sums[places(round(np.sqrt(2 * len(sums)) - 0.5))].transpose(2, 0, 3, 1, 4)
    count, outputs, size, _, other = parts.shape
    return np.asarray(parts.reshape(count, outputs * size, outputs * other))
