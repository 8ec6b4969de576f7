"""Knockoffs of numbers and categories, feature after feature from its conditional distribution."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.dataset import Dataset
from altsel.errors import checked_integer
from altsel.runtime.clock import clock
from altsel.runtime.on_demand import OnDemand
from altsel.runtime.progress import counted
from altsel.stats.knockoffs.gaussian import classes_among
from altsel.stats.knockoffs.margins import Margins
from altsel.stats.knockoffs.sampler import Draw
from altsel.stats.knockoffs.shrinkage import likeliest

linear_model: Any = OnDemand("sklearn.linear_model")

OWN = 0x73657131
"""Part of the seed, so that draws are not made of the numbers that data of the same seed are."""
LARGEST = 100.0
"""Largest inverse penalty of models of categories, so that separable ones have finite coefficients."""


@dataclass(frozen=True)
class Sequential:
    r"""Sequential knockoffs: each feature given all others, and the knockoffs drawn before it.

    For j = 1, …, p the knockoff is drawn from an estimate of

    .. math:: P(X_j \,|\, X_{-j}, \tilde X_1, \ldots, \tilde X_{j-1}),

    without a look at :math:`X_j` itself. If these were the true distributions, knockoffs would be exact
    (Candès et al., algorithm 1). Numbers are predicted by linear models of the normal scores with normal
    errors, categories by multinomial regressions, both penalised as `Gaussian` shrinks by likelihood; models
    are learned once, from the first draw. As in Kormaksson et al. but for the penalty, there an elastic net.

    It takes as many fits as there are features, with up to twice as many columns: some hundred features.

    Parameters
    ----------
    random_state
        Seed of the draw that models are learned from.

    References
    ----------
    Candès, Fan, Janson and Lv, J. R. Stat. Soc. B 80 (2018), algorithm 1; Kormaksson, Kelly, Zhu, Haemmerle,
    Pricop and Ohlssen, Statistics in Medicine 40 (2021).

    Examples
    --------
    >>> table = {"a": [1.5, 2.5, 4.0, 3.0] * 9, "b": ["x", "y", "y", "z"] * 9}
    >>> draw = Sequential().fitted(Dataset(table, [0, 1, 0, 1] * 9))
    >>> sorted(set(draw(np.random.default_rng(0))[:, 1].tolist()))
    [0.0, 1.0, 2.0]
    """

    random_state: int = 0

    def __post_init__(self) -> None:
        checked_integer("random_state", self.random_state, 0)

    @property
    def name(self) -> str:
        """It in words."""
        return "sequential, linear and multinomial models"

    def fitted(self, data: Dataset) -> Draw:
        """Learn a model of each feature, and return what draws feature after feature."""
        values, classes = data.matrix(), set(classes_among(data))
        features = [_Feature.of(values[:, j], name in classes) for j, name in enumerate(data.features)]
        share = likeliest(np.hstack([one.columns for one in features]))
        penalty = len(values) * share / (1 - share)
        rng = np.random.default_rng([self.random_state, OWN])
        table = _Growing([one.columns for one in features])
        models: list[_Number | _Classes] = []
        for one in counted(features, len(features), "models of features"):
            clock().check()
            design = table.without(len(models))
            models.append(one.model(design, penalty))
            table.add(one.encoded(one.drawn(models[-1](design), rng)))

        return _SequentialDraw(tuple(features), tuple(models))


@dataclass(frozen=True, eq=False)
class _Feature:
    """A feature as standardised columns.

    Attributes
    ----------
    columns
        Its normal scores, or an indicator of each class but the first; shape (rows, columns).
    margins
        The way back from normal scores; None for classes.
    levels
        The codes of the classes.
    codes
        The class of each row, by its number among the levels.
    centre, spread
        Of the indicators.
    """

    columns: FloatArray
    margins: Margins | None
    levels: FloatArray = field(default_factory=lambda: np.empty(0))
    codes: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    centre: FloatArray = field(default_factory=lambda: np.empty(0))
    spread: FloatArray = field(default_factory=lambda: np.empty(0))

    @classmethod
    def of(cls, values: FloatArray, classes: bool) -> _Feature:
        if not classes:
            margins, table = Margins.of(values[:, None], by_scores=True)
            return cls(table, margins)
        levels, codes = np.unique(values, return_inverse=True)
        raw = np.asarray(codes[:, None] == np.arange(1, len(levels)), dtype=float)
        centre, spread = raw.mean(axis=0), raw.std(axis=0)
        return cls((raw - centre) / spread, None, levels, codes, centre, spread)

    def model(self, design: FloatArray, penalty: float) -> _Number | _Classes:
        """Learn to predict it."""
        if self.margins is not None:
            return _Number.of(design, self.columns[:, 0], penalty)
        return _Classes.of(design, self.codes, min(LARGEST, 4 / penalty))

    def drawn(self, predicted: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Draw values: of a number by its mean and deviation, of classes by their probabilities."""
        if self.margins is not None:
            mean, deviation = predicted[:, 0], predicted[:, 1]
            return self.margins.back((mean + deviation * rng.normal(size=len(mean)))[:, None])[:, 0]
        below = np.cumsum(predicted, axis=1)[:, :-1]
        return np.asarray(self.levels[(rng.random((len(below), 1)) > below).sum(axis=1)])

    def encoded(self, values: FloatArray) -> FloatArray:
        """Return the columns of other values."""
        if self.margins is None:
            indicators = np.asarray(values[:, None] == self.levels[1:], dtype=float)
            return (indicators - self.centre) / self.spread
        return self.margins.standard(values[:, None])


class _Growing:
    """Columns of all features, and of the knockoffs drawn so far."""

    def __init__(self, blocks: list[FloatArray]) -> None:
        ends = np.cumsum([block.shape[1] for block in blocks])
        self._slices = [slice(end - block.shape[1], end) for end, block in zip(ends, blocks, strict=True)]
        self._used = int(ends[-1])
        self._table = np.empty((len(blocks[0]), 2 * self._used))
        self._table[:, : self._used] = np.hstack(blocks)

    def without(self, feature: int) -> FloatArray:
        """Return all columns but those of a feature itself."""
        own = self._slices[feature]
        return np.hstack([self._table[:, : own.start], self._table[:, own.stop : self._used]])

    def add(self, columns: FloatArray) -> None:
        """Add the columns of a knockoff."""
        self._table[:, self._used : self._used + columns.shape[1]] = columns
        self._used += columns.shape[1]


@dataclass(frozen=True, eq=False)
class _SequentialDraw:
    """Draws feature after feature by the model of each."""

    features: tuple[_Feature, ...]
    models: tuple[_Number | _Classes, ...]

    def __call__(self, rng: np.random.Generator) -> FloatArray:
        table, columns = _Growing([one.columns for one in self.features]), []
        for j, (one, model) in enumerate(zip(self.features, self.models, strict=True)):
            columns.append(one.drawn(model(table.without(j)), rng))
            table.add(one.encoded(columns[-1]))
        return np.column_stack(columns)


@dataclass(frozen=True, eq=False)
class _Number:
    """A linear model of a standardised number: its mean, and the deviation around it."""

    weights: FloatArray
    deviation: float

    @classmethod
    def of(cls, design: FloatArray, target: FloatArray, penalty: float) -> _Number:
        """Regress by ridge; the deviation makes the variance of draws 1."""
        rows, columns = design.shape
        if columns <= rows:
            found = np.linalg.solve(design.T @ design + penalty * np.eye(columns), design.T @ target)
        else:
            found = design.T @ np.linalg.solve(design @ design.T + penalty * np.eye(rows), target)
        weights = np.asarray(found, dtype=float)
        return cls(weights, float(np.sqrt(max(0.0, 1 - float(np.var(design @ weights))))))

    def __call__(self, design: FloatArray) -> FloatArray:
        """Return mean and deviation of each row, shape (rows, 2)."""
        return np.column_stack([design @ self.weights, np.full(len(design), self.deviation)])


@dataclass(frozen=True, eq=False)
class _Classes:
    """A multinomial regression of classes; shares where there is nothing to predict by."""

    shares: FloatArray
    model: Any

    @classmethod
    def of(cls, design: FloatArray, codes: IntArray, strength: float) -> _Classes:
        """Fit with an inverse penalty."""
        shares = np.bincount(codes) / len(codes)
        if not design.shape[1]:
            return cls(shares, None)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of iterations: a draw needs no last digits
            return cls(shares, linear_model.LogisticRegression(C=strength, max_iter=200).fit(design, codes))

    def __call__(self, design: FloatArray) -> FloatArray:
        """Return the probabilities of the classes, shape (rows, classes)."""
        if self.model is None:
            return np.broadcast_to(self.shares, (len(design), len(self.shares)))
        return np.asarray(self.model.predict_proba(design))
