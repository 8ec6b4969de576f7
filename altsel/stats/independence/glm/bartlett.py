"""Bartlett's correction of likelihood ratios, for few rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from altsel._types import FloatArray
from altsel.runtime.clock import clock
from altsel.stats.independence.glm.cumulative import CumulativeFit
from altsel.stats.independence.glm.design import RANK
from altsel.stats.independence.glm.families import Outcomes, WithOutcomes
from altsel.stats.independence.glm.grouped import Grouped
from altsel.stats.independence.glm.levels import Levels
from altsel.stats.independence.glm.newton import Fitted
from altsel.stats.independence.glm.pairs import pairs, places, row_squares, weighted_squares

CELLS = 1 << 16
"""Numbers in an array that are held at once: larger ones take longer to get than to fill."""
MATRICES = 1 << 21
"""Numbers in the matrices of coefficients that are held at once."""
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
    columns, family = np.hstack([model.design, new]), model.family
    mean = family.mean(np.clip(model.eta, -FARTHEST, FARTHEST))
    weights = family.weights(model.response, mean, *pairs(len(mean))) * counts
    if crowding(columns, weights) <= CROWDED:
        return 1.0
    # coefficients whose information is the identity, those of the new columns last
    basis = inverse_root(_by_coefficient(weighted_squares(columns, weights), len(mean))[0])
    known = model.design.shape[1] * len(mean)
    cumulants = _Cumulants(family, mean, columns, counts)
    excess = cumulants.sum_of_third(basis, known) / 6 + cumulants.sum_of_traces(basis, known)
    return limited_factor(excess / (len(basis) - known))


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


def weighted_lengths(products: FloatArray, outcomes: Outcomes) -> FloatArray:
    """Squared lengths of the scores of each outcome, times its weight; shape (outcomes, rows)."""
    return np.asarray(outcomes.weights * np.einsum("kkn->kn", products))


def fourth_cumulants(products: FloatArray, outcomes: Outcomes) -> FloatArray:
    """``sum_rs k_rrss`` of each row.

    Parameters
    ----------
    products
        Of the scores of two outcomes, summed over the coefficients, shape (outcomes, outcomes, rows).
    outcomes
        What responses can be.
    """
    lengths, weights = weighted_lengths(products, outcomes), outcomes.weights
    fourth = (lengths * np.einsum("kkn->kn", products)).sum(axis=0)
    if outcomes.probabilities:
        fourth -= lengths.sum(axis=0) ** 2
        fourth -= 2 * (weights * weights[:, None] * products**2).sum(axis=(0, 1))
    return np.asarray(fourth)


@dataclass(frozen=True, eq=False)
class _Cumulants:
    """Cumulants of the scores of coefficients, summed over the rows.

    Attributes
    ----------
    family, mean
        The family, and the expected responses, shape (predictors, rows).
    columns
        Shape (rows, columns); there is a coefficient for each column and predictor, column by column.
    counts
        How often each row counts.
    """

    family: WithOutcomes
    mean: FloatArray
    columns: FloatArray
    counts: FloatArray

    def sum_of_third(self, basis: FloatArray, known: int) -> float:
        """``sum_rst k_rst^2`` over all r, s, t of a basis that are not all among the known first ones.

        Given t they are weights of the products of two columns, by each pair of predictors.
        """
        columns, outputs, (first, second) = self.columns, len(self.mean), pairs(len(self.mean))
        total, some = 0.0, max(1, MATRICES // len(basis) ** 2)
        for new in (basis[start : start + some] for start in range(known, len(basis), some)):
            moves = new.reshape(len(new), -1, outputs).transpose(0, 2, 1)
            sums = np.zeros((len(new) * len(first), columns.shape[1], columns.shape[1]))
            for rows in self._parts(len(sums)):
                clock().check()
                third = self.family.third(self.mean[:, rows], moves @ columns[rows].T, first, second)
                weights = (third * self.counts[rows]).reshape(len(sums), -1)
                sums += weighted_squares(columns[rows], weights)
            squares = (basis @ _by_coefficient(sums, outputs) @ basis.T) ** 2
            one, two, three = (
                squares[:, :known, :known],
                squares[:, :known, known:],
                squares[:, known:, known:],
            )
            total += float(3 * one.sum() + 3 * two.sum() + three.sum())  # of r, s and t so many are new
        return total

    def sum_of_traces(self, basis: FloatArray, known: int) -> float:
        """``sum_r (sum_s k_rss)^2 / 4 - sum_rs k_rrss / 4`` of a basis, less that of the known ones."""
        columns, outputs, both = self.columns, len(self.mean), (basis, basis[:known])
        spreads = np.concatenate([_by_pair(some.T @ some, outputs) for some in both])
        linear, fourth = np.zeros((2, columns.shape[1], outputs)), np.zeros(2)
        for rows in self._parts((outputs + 1) ** 2):
            outcomes = self.family.outcomes(self.mean[:, rows])
            for j, spread in enumerate(np.split(row_squares(columns[rows], spreads), 2)):
                moved = np.einsum("abn,jbn->jan", spread[places(outputs)], outcomes.deviations)
                products = np.einsum("kan,jan->kjn", outcomes.deviations, moved)
                lengths = weighted_lengths(products, outcomes) * self.counts[rows]
                linear[j] += columns[rows].T @ np.einsum("kan,kn->na", outcomes.deviations, lengths)
                fourth[j] += self.counts[rows] @ fourth_cumulants(products, outcomes)
        third = [((some @ one.ravel()) ** 2).sum() for some, one in zip(both, linear, strict=True)]
        return float(third[0] - third[1] - fourth[0] + fourth[1]) / 4

    def _parts(self, width: int) -> Iterator[slice]:
        """Divide the rows into parts in which arrays so wide are small."""
        step = max(1, CELLS // width)
        return (slice(start, start + step) for start in range(0, len(self.columns), step))


def _outputs(sums: FloatArray) -> int:
    """Return how many predictors have so many pairs."""
    return round(float(np.sqrt(2 * len(sums))) - 0.5)


def _by_coefficient(sums: FloatArray, outputs: int) -> FloatArray:
    """Arrange sums by pairs of predictors and two columns into matrices of coefficients, column by column."""
    size = sums.shape[-1] * outputs
    parts = sums.reshape(-1, outputs * (outputs + 1) // 2, *sums.shape[1:])[:, places(outputs)]
    return parts.transpose(0, 3, 1, 4, 2).reshape(-1, size, size)


def _by_pair(matrix: FloatArray, outputs: int) -> FloatArray:
    """Take a matrix of coefficients apart by pairs of predictors, shape (pairs, columns, columns)."""
    first, second = pairs(outputs)
    shape = (len(matrix) // outputs, outputs)
    return np.asarray(matrix.reshape(*shape, *shape)[:, first, :, second])
