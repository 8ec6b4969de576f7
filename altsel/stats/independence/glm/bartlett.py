"""Bartlett's correction of likelihood ratios, for few rows."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from altsel._types import FloatArray
from altsel.runtime.clock import clock
from altsel.stats.independence.glm.cumulative import CumulativeFit
from altsel.stats.independence.glm.design import RANK
from altsel.stats.independence.glm.families import Family, Outcomes, WithOutcomes
from altsel.stats.independence.glm.grouped import Grouped
from altsel.stats.independence.glm.levels import Levels
from altsel.stats.independence.glm.newton import Fitted

FARTHEST = 12.0
"""Linear predictors are not taken to be farther from 0: probabilities of nothing make no difference."""
CROWDED = 0.04
"""Where leverages sum to less, a ratio's mean is within some 1 % of its degrees of freedom, and left so."""
MOST = 1.5
"""Largest factor: beyond it one more term of the series says little."""


def bartlett_factor(model: Fitted | CumulativeFit, block: FloatArray) -> float:
    """Mean of the likelihood ratio of a block of columns under independence, in degrees of freedom.

    ``1 + (e(with the block) - e(without)) / dof`` to order 1 / rows, by the cumulants of the model without
    the block: ``e = sum_rst k_rst^2 / 6 + sum_r (sum_s k_rss)^2 / 4 - sum_rs k_rrss / 4``, where k are third
    and fourth cumulants of the score for coefficients whose information is the identity. Rows that count
    several times are the same as repeated ones.

    Parameters
    ----------
    model
        The model without the block.
    block
        Columns that it is to be extended by, shape (rows, columns), not all of them determined by it.

    Returns
    -------
    float
        From 1 (a ratio is never made larger) to `MOST`; 1 where rows are many, and for families other than
        `Categorical` and `Poisson`: the cumulants vanish for `Gaussian`, and the links of `ProportionalOdds`
        and `NegativeBinomial` are not canonical.

    References
    ----------
    Lawley, Biometrika 43 (1956); Cordeiro, Journal of the Royal Statistical Society B 45 (1983).
    """
    return factor_of_added(model, added(model, block)) if isinstance(model, Fitted) else 1.0


def factor_of_added(model: Fitted, new: FloatArray) -> float:
    """Return the same for the orthogonal columns, of variance 1, that a block adds to the model's design."""
    if not isinstance(model.family, WithOutcomes):
        return 1.0
    counts = np.ones(len(new)) if model.counts is None else model.counts
    columns = np.hstack([model.design, new])
    mean = model.family.mean(np.clip(model.eta, -FARTHEST, FARTHEST))
    weights = covariances(model.family, model.response, mean) * counts
    if crowding(columns, weights) <= CROWDED:
        return 1.0
    moves = orthogonal(columns, weights)
    outcomes = model.family.outcomes(mean)
    known = model.design.shape[1] * len(mean)
    moved = np.einsum("kan,ran->rkn", outcomes.deviations, moves)
    excess = sum_of_third(moved, outcomes.weights * counts, known) / 6
    excess += sum_of_traces(moved, outcomes, counts) - sum_of_traces(moved[:known], outcomes, counts)
    return limited_factor(excess / (len(moves) - known))


def limited_factor(excess: float) -> float:
    """Return the factor by what the mean exceeds the degrees of freedom, in these."""
    return float(min(max(1 + excess, 1.0), MOST))


def added(model: Fitted | Grouped, block: FloatArray) -> FloatArray:
    """Return columns, orthogonal and of variance 1, of what a block adds to a model's design.

    There are none where the design determines the block.
    """
    counts = np.ones(len(block)) if model.counts is None else model.counts
    rest = model.residual(block)
    sizes, directions = np.linalg.eigh((rest * counts[:, None]).T @ rest / counts.sum())
    some = sizes > RANK
    return np.asarray(rest @ (directions[:, some] / np.sqrt(sizes[some])))


def covariances(family: Family, response: FloatArray, mean: FloatArray) -> FloatArray:
    """Covariances of the responses of each row, shape (predictors, predictors, rows)."""
    outputs = range(len(mean))
    return np.array(
        [[family.weights(response, mean, min(a, b), max(a, b)) for b in outputs] for a in outputs]
    )


def crowding(columns: FloatArray, weights: FloatArray, levels: Levels | None = None) -> float:
    """Sum over columns and levels of one by their effective rows, where that is largest among the responses.

    The last response is the sum of all: for classes, the one that has no predictor.
    """
    own = np.array([*np.einsum("aan->an", weights), weights.sum(axis=(0, 1))])
    squares = columns**2
    effective = (own @ squares) ** 2 / np.maximum(own @ squares**2, np.finfo(float).tiny)
    if levels is not None:
        rows = levels.sums(own) ** 2 / np.maximum(levels.sums(own**2), np.finfo(float).tiny)
        effective = np.hstack([effective, rows])
    return float((1 / np.maximum(effective, np.finfo(float).tiny)).sum(axis=1).max())


def orthogonal(columns: FloatArray, weights: FloatArray) -> FloatArray:
    """Change of the predictors by each of coefficients whose information is the identity.

    Those of the first columns come first. Shape (coefficients, predictors, rows).
    """
    outputs = len(weights)
    parts = [[(columns * weights[a, b][:, None]).T @ columns for b in range(outputs)] for a in range(outputs)]
    size = columns.shape[1] * outputs
    information = np.array(parts).transpose(2, 0, 3, 1).reshape(size, size)
    ridge = 1e-10 * np.trace(information) / size * np.eye(size)
    lower = linalg.cholesky(information + ridge, lower=True)
    inverse = linalg.solve_triangular(lower, np.eye(size), lower=True)
    return np.asarray(inverse.reshape(size, -1, outputs).transpose(0, 2, 1) @ columns.T)


def sum_of_third(moved: FloatArray, weights: FloatArray, known: int) -> float:
    """``sum_rst k_rst^2`` over all r, s, t that are not all known coefficients."""
    flat = moved.reshape(len(moved), weights.size)
    one = two = three = 0.0  # how many of r, s, t are new
    for new in moved[known:]:
        clock().check()
        squares = ((flat * (new * weights).ravel()) @ flat.T) ** 2
        one += float(squares[:known, :known].sum())
        two += float(squares[:known, known:].sum())
        three += float(squares[known:, known:].sum())
    return 3 * one + 3 * two + three


def sum_of_traces(moved: FloatArray, outcomes: Outcomes, counts: FloatArray, first: int = 0) -> float:
    """``sum_r (sum_s k_rss)^2 / 4 - sum_rs k_rrss / 4``, the first sum from coefficient `first` on."""
    weights = outcomes.weights
    lengths = (moved**2).sum(axis=0)
    third = np.einsum("rkn,kn->r", moved[first:], counts * weights * lengths)
    fourth = float((counts * weights * lengths**2).sum())
    if outcomes.probabilities:
        products = np.einsum("rkn,rjn->kjn", moved, moved)
        fourth -= float((counts * (weights * lengths).sum(axis=0) ** 2).sum())
        fourth -= 2 * float((counts * weights[:, None] * weights * products**2).sum())
    return (float((third**2).sum()) - fourth) / 4
