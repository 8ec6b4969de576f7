"""Models with a coefficient for each of many levels of a category, which are eliminated level by level."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import inf

import numpy as np

from altsel._types import FloatArray
from altsel.runtime.clock import clock
from altsel.stats.independence.glm.cumulative import CumulativeFit
from altsel.stats.independence.glm.derivatives import ridged
from altsel.stats.independence.glm.design import independent
from altsel.stats.independence.glm.families import GLMFamily
from altsel.stats.independence.glm.levels import Levels
from altsel.stats.independence.glm.newton import (
    ENOUGH,
    HALVINGS,
    STEPS,
    Fitted,
    added_rank,
    orthonormal,
    residual,
    score_statistic,
)
from altsel.stats.independence.glm.pairs import pairs


@dataclass(frozen=True, eq=False)
class Reduced:
    """Gradient and information of a model's coefficients, those of the levels eliminated.

    With the information ``[[D, B], [B', A]]`` of levels and columns, D a block of its own for each level, the
    columns' is ``A - B' D^-1 B``: as many products as there are columns, not levels, for each row.

    Attributes
    ----------
    gradient, information
        Of the columns' coefficients, predictor by predictor, less what the levels explain.
    own, inverse, across
        Gradient, inverse of D and ``D^-1 B`` of each level: shapes (levels, predictors), (levels, predictors,
        predictors) and (levels, predictors, coefficients of columns).
    """

    gradient: FloatArray
    information: FloatArray
    own: FloatArray
    inverse: FloatArray
    across: FloatArray

    @classmethod
    def of(cls, model: Grouped, columns: FloatArray, eta: FloatArray) -> Reduced:
        """Differentiate the log-likelihood of a model with such columns at linear predictors."""
        outputs, width, levels = len(eta), columns.shape[1], model.levels
        mean, counts = model.family.mean(eta), 1.0 if model.counts is None else model.counts
        errors = counts * np.stack([model.family.errors(model.response, mean, a) for a in range(outputs)])
        within = np.empty((levels.number, outputs, outputs))
        across = np.empty((levels.number, outputs, outputs * width))
        square = np.empty((outputs * width, outputs * width))
        weights = counts * model.family.weights(model.response, mean)
        for a, b, weight in zip(*pairs(outputs), weights, strict=True):
            here, there = slice(a * width, (a + 1) * width), slice(b * width, (b + 1) * width)
            weighted = columns * weight[:, None]
            within[:, a, b] = within[:, b, a] = levels.sums(weight)
            across[:, a, there] = across[:, b, here] = levels.sums(weighted.T).T
            square[here, there] = square[there, here] = weighted.T @ columns
        size = np.trace(within, axis1=1, axis2=2).mean() / outputs
        inverse = np.linalg.inv(within + (1e-10 * size + 1e-12) * np.eye(outputs))
        own, explained = levels.sums(errors).T, inverse @ across
        flat = across.reshape(levels.number * outputs, outputs * width)
        information = square - flat.T @ explained.reshape(flat.shape)
        gradient = (columns.T @ errors.T).T.ravel() - np.einsum("lac,la->c", explained, own)
        return cls(gradient, information, own, inverse, explained)

    def step(self) -> tuple[FloatArray, FloatArray, float]:
        """Newton's step of the levels, shape (levels, predictors), and of the columns; what it promises."""
        columns = np.asarray(np.linalg.solve(ridged(self.information), self.gradient))
        alone = np.einsum("lab,lb->la", self.inverse, self.own)
        promised = float((self.own * alone).sum() + self.gradient @ columns)
        return alone - self.across @ columns, columns, promised

    def score(self) -> float:
        """Score statistic of all coefficients together."""
        alone = float(np.einsum("la,lab,lb", self.own, self.inverse, self.own))
        spread = np.linalg.pinv(self.information, 1e-9, hermitian=True)
        return max(alone + float(self.gradient @ spread @ self.gradient), 0.0)


@dataclass(frozen=True, eq=False)
class Grouped:
    """A model of the target by a category of many levels and some columns, to be extended by others.

    It is what `Fitted` is with a column for each level, in time and memory that do not grow with the number
    of levels.

    Attributes
    ----------
    family, response
        The family and the target's responses, shape (predictors, rows).
    levels
        The category; its levels span the intercept.
    design
        Further columns, of which none is determined by others and the levels.
    eta, log_likelihood
        Linear predictors, shape (predictors, rows), and the log-likelihood.
    counts
        How often each row counts, shape (rows,); None: once.
    """

    family: GLMFamily
    response: FloatArray
    levels: Levels
    design: FloatArray
    eta: FloatArray
    log_likelihood: float
    counts: FloatArray | None = None

    @property
    def columns(self) -> int:
        """Coefficients for each predictor."""
        return self.levels.number + int(self.design.shape[1])

    @cached_property
    def dense(self) -> Fitted:
        """The same model with a column for each level."""
        ones = np.ones((len(self.design), 1))
        columns = np.hstack([ones, self.levels.indicators(), self.design])
        return Fitted(self.family, self.response, columns, self.eta, self.log_likelihood, self.counts)

    @cached_property
    def _basis(self) -> FloatArray:
        return orthonormal(self.levels.centred(self.design, self.counts), self.counts)

    def residual(self, columns: FloatArray) -> FloatArray:
        """Return what levels and design leave of some columns; shape (rows, columns)."""
        return residual(self._basis, self.levels.centred(columns, self.counts), self.counts)

    def added_rank(self, blocks: FloatArray) -> FloatArray:
        """Count the columns of each block that levels and design do not determine."""
        flat = self.levels.centred(blocks.reshape(len(blocks), -1), self.counts)
        return added_rank(self._basis, flat.reshape(blocks.shape), self.counts)

    def score(self, blocks: FloatArray) -> FloatArray:
        """Score statistics of adding each block, of shape (rows, models, columns)."""
        fixed, outputs = self.design.shape[1], len(self.response)
        found = []
        for columns in self._beside(blocks):
            reduced = Reduced.of(self, columns, self.eta)
            first = np.arange(outputs * columns.shape[1]).reshape(outputs, -1)
            order = np.concatenate([first[:, :fixed].ravel(), first[:, fixed:].ravel()])
            gradient, information = reduced.gradient[order], reduced.information[np.ix_(order, order)]
            found.append(score_statistic(gradient[None], information[None], outputs * fixed)[0])
        return np.array(found)

    def extended(self, blocks: FloatArray) -> FloatArray:
        """Log-likelihoods of the models that each block extends."""
        return np.array([self._climbed(columns)[1] for columns in self._beside(blocks)])

    def row_scores(self) -> tuple[FloatArray, FloatArray]:
        """Differentiate each row's log-likelihood, as `Fitted.row_scores` does."""
        return self.dense.row_scores()

    def information(self, blocks: FloatArray) -> FloatArray:
        """Information of the models that each block extends, at this one."""
        return self.dense.information(blocks)

    def _beside(self, blocks: FloatArray) -> list[FloatArray]:
        return [np.hstack([self.design, blocks[:, j]]) for j in range(blocks.shape[1])]

    def from_means(self) -> Grouped:
        """Begin at the mean response of each level."""
        weights = np.ones(self.response.shape[1]) if self.counts is None else self.counts
        means = self.levels.sums(self.response * weights) / self.levels.sums(weights)
        start = self.family.link(means)[:, self.levels.codes]
        value = float(self.family.log_likelihood(self.response, start, self.counts))
        return replace(self, eta=start, log_likelihood=value)

    def fitted(self) -> Grouped:
        """Fit levels and design, from the predictors of this model."""
        eta, reached = self._climbed(self.design)
        return replace(self, eta=eta, log_likelihood=reached)

    def _climbed(self, columns: FloatArray) -> tuple[FloatArray, float]:
        """Fit levels and columns by Newton's method with halved steps, from the predictors of this model."""
        eta, reached = self.eta, self.log_likelihood
        for _ in range(STEPS):
            clock().check()
            own, further, promised = Reduced.of(self, columns, eta).step()
            change = own.T[:, self.levels.codes] + further.reshape(len(eta), -1) @ columns.T
            for _ in range(HALVINGS):
                value = float(self.family.log_likelihood(self.response, eta + change, self.counts))
                if value >= reached:
                    break
                change = change / 2
            else:
                return eta, reached
            eta, before, reached = eta + change, reached, value
            if promised <= ENOUGH or reached <= before:
                break
        return eta, reached


Model = Fitted | CumulativeFit | Grouped


def fit_grouped(
    family: GLMFamily,
    response: FloatArray,
    levels: Levels,
    design: FloatArray,
    counts: FloatArray | None = None,
) -> Grouped:
    """Fit one model of a category and further columns; those that others determine are left out."""
    free = independent(levels.centred(design, counts), counts)
    bare = Grouped(family, response, levels, design[:, free], np.empty(0), -inf, counts)
    return bare.from_means().fitted()


def with_levels(model: Fitted, levels: Levels) -> Grouped:
    """Return a model with a category of many levels added, not fitted yet: at the predictors of the first."""
    design = model.design[:, 1:]
    design = design[:, independent(levels.centred(design, model.counts), model.counts)]
    return Grouped(
        model.family, model.response, levels, design, model.eta, model.log_likelihood, model.counts
    )


def extended_by_levels(model: Model, levels: Levels) -> tuple[float, int]:
    """Log-likelihood of the model that the levels of a category extend, and how many columns they add."""
    plain = _with_columns(model, levels)
    if not isinstance(plain, Fitted):
        block = levels.indicators()[:, None, :]
        return float(plain.extended(block)[0]), int(plain.added_rank(block)[0])
    bare = with_levels(plain, levels)
    fitted = bare.from_means().fitted()
    return max(fitted.log_likelihood, plain.log_likelihood), bare.columns - plain.columns


def score_of_levels(model: Model, levels: Levels) -> tuple[float, int]:
    """Score statistic of adding a category, and how many columns it adds."""
    plain = _with_columns(model, levels)
    if not isinstance(plain, Fitted):
        block = levels.indicators()[:, None, :]
        return float(plain.score(block)[0]), int(plain.added_rank(block)[0])
    wider = with_levels(plain, levels)
    return Reduced.of(wider, wider.design, plain.eta).score(), wider.columns - plain.columns


def _with_columns(model: Model, levels: Levels) -> Model:
    """Return a model's own category columns, if it has fewer levels than the one to be added."""
    if isinstance(model, Grouped) and model.levels.number < levels.number:
        return model.dense
    return model
