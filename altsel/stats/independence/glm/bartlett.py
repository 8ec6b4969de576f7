"""Bartlett's correction of likelihood ratios, for few rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import cast

import numpy as np
from scipy import linalg

from altsel._types import FloatArray
from altsel.stats.independence.glm.cumulants import Cumulants, Scores, by_coefficient
from altsel.stats.independence.glm.cumulative import CumulativeFit
from altsel.stats.independence.glm.design import RANK
from altsel.stats.independence.glm.families import GLMFamily, WithOutcomes
from altsel.stats.independence.glm.grouped import Grouped
from altsel.stats.independence.glm.levels import Levels
from altsel.stats.independence.glm.newton import Fitted
from altsel.stats.independence.glm.pairs import pairs, weighted_squares

CELLS = 1 << 22
"""Weights of rows and columns that are held at once."""
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
    columns, counts = np.hstack([model.design, new]), _counts(model)
    extended = Extended(model.eta, columns, np.eye(columns.shape[1]), model.columns)
    return factors(model.family, model.response, counts, columns, [extended])[0]


@dataclass(frozen=True, eq=False)
class Extended:
    """A model and columns that extend it, by a basis of all of them.

    Attributes
    ----------
    eta
        Linear predictors of the model, shape (predictors, rows).
    columns
        Of the model and those that extend it, shape (rows, columns).
    coordinates
        These columns by the basis, shape (columns of the basis, columns).
    known
        How many of them are the model's.
    """

    eta: FloatArray
    columns: FloatArray
    coordinates: FloatArray
    known: int


def factors(
    family: GLMFamily,
    response: FloatArray,
    counts: FloatArray,
    basis: FloatArray,
    models: Iterable[Extended],
) -> list[float]:
    """Return the factors of several models of one response, whose columns with the new ones span the same.

    The family is one whose cumulants are known. What is summed over the rows are products of columns of
    that basis, for many models at once.
    """
    waiting, found = iter(models), list[float]()
    step = max(1, CELLS // (len(basis) * (len(pairs(len(response))[0]) + basis.shape[1])))
    while batch := list(islice(waiting, step)):
        found += _factors_of_batch(family, response, counts, basis, batch)
    return found


def _factors_of_batch(
    family: GLMFamily, response: FloatArray, counts: FloatArray, basis: FloatArray, batch: list[Extended]
) -> list[float]:
    found = [1.0] * len(batch)
    means = [family.mean(np.clip(model.eta, -FARTHEST, FARTHEST)) for model in batch]
    weights = [family.weights(response, mean) * counts for mean in means]
    crowded = [j for j, model in enumerate(batch) if crowding(model.columns, weights[j]) > CROWDED]
    if not crowded:
        return found
    sums = weighted_squares(basis, np.concatenate([weights[j] for j in crowded]))
    parts = zip(crowded, sums.reshape(len(crowded), -1, *sums.shape[1:]), strict=True)
    scores = [_scores(batch[j], means[j], own) for j, own in parts]
    excess = Cumulants(cast(WithOutcomes, family), basis, counts).excess(scores)
    for j, score, more in zip(crowded, scores, excess.tolist(), strict=True):
        found[j] = limited_factor(more / (len(score.basis) - score.known))
    return found


def _scores(model: Extended, mean: FloatArray, sums: FloatArray) -> Scores:
    """Take coefficients whose information is the identity, those of the new columns last.

    The sums are products of two columns of the basis by the weights of pairs of predictors.
    """
    information = by_coefficient(model.coordinates.T @ sums @ model.coordinates, len(mean))[0]
    root = inverse_root(information).reshape(len(information), -1, len(mean))
    by_basis = (model.coordinates @ root).reshape(information.shape)
    return Scores(mean, by_basis, model.known * len(mean))


def limited_factor(excess: float) -> float:
    """Return the factor by what the mean exceeds the degrees of freedom, in these."""
    return float(min(max(1 + excess, 1.0), MOST))


def added(model: Fitted | Grouped, block: FloatArray) -> FloatArray:
    """Return columns, orthogonal and of variance 1, of what a block adds to a model's design.

    There are none where the design determines the block.
    """
    counts = _counts(model)
    rest = model.residual(block)
    sizes, directions = np.linalg.eigh((rest * counts[:, None]).T @ rest / counts.sum())
    some = sizes > RANK
    return np.asarray(rest @ (directions[:, some] / np.sqrt(sizes[some])))


def crowding(columns: FloatArray, weights: FloatArray, levels: Levels | None = None) -> float:
    """Sum over columns and levels of one by their effective rows, where that is largest among the responses.

    The last response is the sum of all: for classes, the one that has no predictor. The weights are of pairs
    of predictors, shape (pairs, rows).
    """
    same = np.equal(*pairs(_outputs(weights)))
    own = np.vstack([weights[same], np.where(same, 1.0, 2.0) @ weights])
    squares = columns**2
    effective = (own @ squares) ** 2 / np.maximum(own @ squares**2, np.finfo(float).tiny)
    if levels is not None:
        rows = levels.sums(own) ** 2 / np.maximum(levels.sums(own**2), np.finfo(float).tiny)
        effective = np.hstack([effective, rows])
    return float((1 / np.maximum(effective, np.finfo(float).tiny)).sum(axis=1).max())


def inverse_root(information: FloatArray) -> FloatArray:
    """Return coefficients, one a row, whose information is the identity, those of the first ones first."""
    size = len(information)
    ridge = 1e-10 * np.trace(information) / size * np.eye(size)
    lower = linalg.cholesky(information + ridge, lower=True)
    return np.asarray(linalg.solve_triangular(lower, np.eye(size), lower=True))


def _outputs(sums: FloatArray) -> int:
    """Return how many predictors have so many pairs."""
    return round(float(np.sqrt(2 * len(sums))) - 0.5)


def _counts(model: Fitted | Grouped) -> FloatArray:
    """Return how often each row counts."""
    return np.ones(model.response.shape[1]) if model.counts is None else model.counts
