"""Bartlett's correction where a category has many levels: cumulants summed level by level."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from altsel._types import FloatArray
from altsel.runtime.clock import clock
from altsel.stats.independence.glm.bartlett import (
    CROWDED,
    FARTHEST,
    added,
    crowding,
    limited_factor,
)
from altsel.stats.independence.glm.cumulants import fourth_cumulants, weighted_lengths
from altsel.stats.independence.glm.derivatives import ridged
from altsel.stats.independence.glm.families import Outcomes, WithOutcomes
from altsel.stats.independence.glm.grouped import Grouped
from altsel.stats.independence.glm.levels import Levels
from altsel.stats.independence.glm.pairs import places


def factor_given_levels(model: Grouped, block: FloatArray) -> float:
    """Do as `bartlett_factor` does, for a block that is added to a model with a category of many levels."""
    if not isinstance(model.family, WithOutcomes):
        return 1.0
    new = added(model, block)
    counts = np.ones(len(block)) if model.counts is None else model.counts
    mean = model.family.mean(np.clip(model.eta, -FARTHEST, FARTHEST))
    weights = model.family.weights(model.response, mean) * counts
    columns = np.hstack([model.design, new])
    if crowding(columns, weights, model.levels) <= CROWDED:
        return 1.0
    outcomes = model.family.outcomes(mean)
    with_block, without = (
        _Scores.of(model.levels, each, weights[places(len(mean))], outcomes, counts).expansion(counts)
        for each in (columns, model.design)
    )
    return limited_factor((with_block - without) / (new.shape[1] * len(model.response)))


@dataclass(frozen=True, eq=False)
class _Scores:
    """Scores of coefficients whose information is the identity: those of levels, and those of columns.

    Attributes
    ----------
    levels
        The category; a coefficient of a level moves its rows alone.
    own, further
        Changes by the coefficients of the own level and by those of columns, on the outcomes of each row:
        shapes (predictors, outcomes, rows) and (coefficients, outcomes, rows).
    outcomes
        What responses can be.
    weights
        Of the outcomes, times how often rows count, shape (outcomes, rows).
    """

    levels: Levels
    own: FloatArray
    further: FloatArray
    outcomes: Outcomes
    weights: FloatArray

    @classmethod
    def of(
        cls, levels: Levels, columns: FloatArray, weights: FloatArray, outcomes: Outcomes, counts: FloatArray
    ) -> _Scores:
        """Build those of levels and columns, responses of such covariances."""
        outputs, width = len(weights), columns.shape[1]
        within = levels.sums(weights).transpose(2, 0, 1)
        size = np.trace(within, axis1=1, axis2=2).mean() / outputs
        within = within + (1e-10 * size + 1e-12) * np.eye(outputs)
        across = np.stack([levels.sums(columns.T * one) for one in weights.reshape(-1, len(columns))])
        across = across.reshape(outputs, outputs, width, levels.number).transpose(3, 0, 1, 2)
        across = across.reshape(levels.number, outputs, outputs * width)
        explained = np.linalg.solve(within, across)
        fields = np.zeros((outputs * width, outputs, len(columns)))
        for b in range(outputs):
            fields[b * width : (b + 1) * width, b] = columns.T
        fields -= explained.transpose(2, 1, 0)[:, :, levels.codes]
        information = np.einsum("ran,abn,sbn->rs", fields, weights, fields, optimize=True)
        lower = linalg.cholesky(ridged(information), lower=True)
        further = linalg.solve_triangular(
            lower, fields.reshape(len(fields), outputs * len(columns)), lower=True
        )
        own = np.linalg.inv(np.linalg.cholesky(within)).transpose(1, 2, 0)[:, :, levels.codes]
        own = np.einsum("kan,ran->rkn", outcomes.deviations, own)
        further = np.einsum("kan,ran->rkn", outcomes.deviations, further.reshape(fields.shape))
        return cls(levels, own, further, outcomes, outcomes.weights * counts)

    def expansion(self, counts: FloatArray) -> float:
        """``e = sum_rst k_rst^2 / 6 + sum_r (sum_s k_rss)^2 / 4 - sum_rs k_rrss / 4``."""
        third, flat = 0.0, self.further.reshape(len(self.further), self.weights.size)
        for first in self.own:
            third += self._squares("akn,bkn->abn", self.own, self.own * (first * self.weights))
        for first in self.further:
            clock().check()
            weighted = first * self.weights
            third += 3 * self._squares("akn,bkn->abn", self.own, self.own * weighted)
            third += 3 * self._squares("akn,bkn->abn", self.own, self.further * weighted)
            third += float((((flat * weighted.ravel()) @ flat.T) ** 2).sum())
        both = np.concatenate([self.own, self.further])
        products = np.einsum("rkn,rjn->kjn", both, both)
        lengths = weighted_lengths(products, self.outcomes) * counts
        own = self.levels.sums(np.einsum("akn,kn->an", self.own, lengths))
        linear = np.append(np.einsum("rkn,kn->r", self.further, lengths), own)
        fourth = float(counts @ fourth_cumulants(products, products, self.outcomes))
        return third / 6 + (float((linear**2).sum()) - fourth) / 4

    def _squares(self, axes: str, left: FloatArray, right: FloatArray) -> float:
        """Sum the squares of sums over the rows of each level."""
        return float((self.levels.sums(np.einsum(axes, left, right)) ** 2).sum())
