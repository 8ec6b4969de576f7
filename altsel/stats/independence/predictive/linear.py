"""Linear, logistic and Poisson regression; a change of one feature changes them by a known amount."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.runtime.on_demand import OnDemand
from altsel.stats.independence.predictive.table import (
    Change,
    Response,
    Table,
    aligned,
    copies_of,
    number_of_copies,
)

sklearn: Any = OnDemand("sklearn")
linear_model: Any = OnDemand("sklearn.linear_model")
special: Any = OnDemand("scipy.special")

STEPS = 1000


@dataclass(frozen=True)
class LinearModels:
    """Least squares for numbers, logistic or multinomial regression for classes, of standardised columns.

    Classes are penalised, as scikit-learn does by default, so that separable ones have finite coefficients.

    Parameters
    ----------
    counts
        Poisson regression instead of least squares.
    strength
        Inverse of the penalty on classes (scikit-learn's ``C``).
    """

    counts: bool = False
    strength: float = 1.0

    @property
    def name(self) -> str:
        """The models in words."""
        return "Poisson regression" if self.counts else "linear or logistic regression"

    def fit(self, table: Table, columns: Sequence[int], response: Response, rows: IntArray) -> LinearModel:
        """Fit the coefficients of all columns of the variables."""
        blocks = [Block.of(table, variable, rows) for variable in columns]
        parts = [block.columns(table.coded[rows, block.variable]) for block in blocks]
        design = np.concatenate([np.zeros((len(rows), 0)), *parts], axis=1)
        intercept, weights, link = self._fitted(design, response.values[rows], response.classes)
        ends = np.cumsum([part.shape[1] for part in parts])[:-1].tolist() if parts else []
        return LinearModel(tuple(blocks), tuple(np.split(weights, ends)) if parts else (), intercept, link)

    def _fitted(self, design: FloatArray, truth: Any, classes: int) -> tuple[FloatArray, FloatArray, Link]:
        present, truth_codes = np.unique(truth, return_inverse=True) if classes else (None, None)
        if classes and (present is None or len(present) < 2 or not design.shape[1]):
            shares = np.bincount(truth, minlength=classes) / len(truth)
            return shares, np.zeros((design.shape[1], classes)), Link(classes, None)
        if not classes and (not self.counts or not design.shape[1]):
            mean = float(truth.mean())
            weights = np.linalg.lstsq(design, truth - mean, rcond=None)[0] if design.shape[1] else np.zeros(0)
            return np.array([mean]), weights[:, None], Link(0, None)
        with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
            if not classes:
                model = linear_model.PoissonRegressor(alpha=1 / len(truth), max_iter=STEPS).fit(design, truth)
                return np.atleast_1d(model.intercept_), model.coef_[:, None], Link(0, None, counts=True)
            model = linear_model.LogisticRegression(C=self.strength, max_iter=STEPS).fit(design, truth_codes)
        return model.intercept_, model.coef_.T, Link(classes, np.asarray(present))


@dataclass(frozen=True, eq=False)
class Link:
    """How linear predictors become predictions.

    Attributes
    ----------
    classes
        Number of classes; 0 for numbers.
    present
        Classes that the rows to learn from have; None: the predictors are the predictions.
    counts
        Whether the logarithm is the link.
    """

    classes: int
    present: IntArray | None
    counts: bool = False

    def __call__(self, eta: FloatArray) -> FloatArray:
        """Turn predictors of shape (…, predictors) into numbers (…) or probabilities (…, classes)."""
        if not self.classes:
            return np.asarray(np.exp(eta[..., 0]) if self.counts else eta[..., 0])
        if self.present is None:
            return eta
        if eta.shape[-1] == 1:
            known = np.concatenate([special.expit(-eta), special.expit(eta)], axis=-1)
        else:
            known = special.softmax(eta, axis=-1)
        return aligned(np.asarray(known), self.present, self.classes)


@dataclass(frozen=True, eq=False)
class Block:
    """Standardised columns of a variable: itself, or indicators of all categories but the first.

    Attributes
    ----------
    variable
        Which one.
    categories
        How many it has; 0 for numbers.
    centre, spread
        Means and standard deviations of its columns.
    """

    variable: int
    categories: int
    centre: FloatArray
    spread: FloatArray

    @classmethod
    def of(cls, table: Table, variable: int, rows: IntArray) -> Block:
        """Standardise by some rows."""
        levels = table.levels[variable]
        categories = 0 if levels is None else len(levels)
        raw = _raw(table.coded[rows, variable], categories)
        centre = raw.mean(axis=0)
        largest = np.abs(raw - centre).max(axis=0)
        unit = np.where(largest > 0, largest, 1.0)  # squares of very small or large numbers are no floats
        spread = unit * np.sqrt((((raw - centre) / unit) ** 2).mean(axis=0))
        return cls(variable, categories, centre, np.where(spread > 0, spread, 1.0))

    def columns(self, values: FloatArray) -> FloatArray:
        """Return the columns of some values; shape (…, columns)."""
        return np.asarray((_raw(values, self.categories) - self.centre) / self.spread)


@dataclass(frozen=True, eq=False)
class LinearModel:
    """A model with coefficients for the columns of each variable.

    Attributes
    ----------
    blocks
        The variables.
    weights
        Coefficients, of each block shape (columns, predictors).
    intercept
        Shape (predictors,).
    link
        Turns linear predictors into predictions.
    """

    blocks: tuple[Block, ...]
    weights: tuple[FloatArray, ...]
    intercept: FloatArray
    link: Link

    def uses(self, variable: int) -> bool:
        """Return True: coefficients are hardly ever 0."""
        return True

    def predict(self, table: Table, rows: IntArray, changes: Sequence[Change] = ()) -> Any:
        """Predict rows as they are, then with every change."""
        shares = [
            block.columns(table.coded[rows, block.variable]) @ weights
            for block, weights in zip(self.blocks, self.weights, strict=True)
        ]
        base = self.intercept + sum(shares, np.zeros((len(rows), len(self.intercept))))
        eta = np.repeat(base[None], number_of_copies(changes), axis=0)
        place = {block.variable: j for j, block in enumerate(self.blocks)}
        for variable, values, copies in copies_of(changes):
            j = place[variable]
            eta[copies] += self.blocks[j].columns(values) @ self.weights[j] - shares[j]
        return self.link(eta)


def _raw(values: FloatArray, categories: int) -> FloatArray:
    if categories > 2:
        return np.asarray(values[..., None] == np.arange(1, categories), dtype=float)
    return values[..., None]
