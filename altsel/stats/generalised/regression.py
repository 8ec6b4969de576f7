"""Regularised models of classes, counts and times as an estimator: fitted to some rows, judged on others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.utils.metaestimators import available_if

from altsel._types import FloatArray, IntArray
from altsel.data.dataset import Dataset
from altsel.errors import DataError
from altsel.stats.generalised.fit import fit_columns
from altsel.stats.generalised.learned_columns import learned_columns
from altsel.stats.generalised.model import RegularisedModel
from altsel.stats.generalised.predictions import (
    RowsAtRisk,
    class_losses,
    count_losses,
    means_of_counts,
    shares_of_classes,
)
from altsel.stats.generalised.targets import CHECKED, FAMILIES, NAMES, ROLES, RowsOfTarget

OF_CLASSES = {"logistic", "multinomial", "ordinal"}


class FamilyRegression(BaseEstimator):  # type: ignore[misc]
    """A regularised model of a family, of all features that a table has.

    ``min_b,c L(X b + c) + ridge/2 |b|^2`` in the rows fitted to, L half the deviance, columns standardised by
    these rows: the model of `altsel.ModelFit`. Other rows are scaled by the same numbers. The score is the
    share of the deviance explained, ``1 - D / D_0``: both are sums over the rows judged, ``D_0`` by constants
    that were fitted to the same rows as the model. It is below 0 where these predict better.

    Parameters
    ----------
    family
        ``"logistic"``, ``"multinomial"``, ``"poisson"``, ``"cox"`` or ``"ordinal"``.
    ridge
        Above 0.
    weights, offset, event
        Names of the columns that hold them, which are no features; None: there are none.
    expand
        ``"spline"``: numbers as splines; None: as they are.
    categories
        Names of the columns that enter with all their levels.
    given
        Names of the features that every table has, for `title`.
    classes
        Whether the target holds classes, by their numbers; otherwise levels are predicted by their mean.

    Examples
    --------
    >>> X = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0], "exposure": [0.0, 0.0, 1.0, 1.0]})
    >>> model = FamilyRegression("poisson", offset="exposure").fit(X, [1, 2, 6, 9])
    >>> round(model.score(X, [1, 2, 6, 9]), 3)
    0.938
    """

    def __init__(  # noqa: PLR0913 (options)
        self,
        family: str = "logistic",
        ridge: float = 1.0,
        *,
        weights: str | None = None,
        offset: str | None = None,
        event: str | None = None,
        expand: str | None = None,
        categories: Sequence[str] = (),
        given: Sequence[str] = (),
        classes: bool = True,
    ) -> None:
        self.family, self.ridge, self.expand = family, ridge, expand
        self.weights, self.offset, self.event = weights, offset, event
        self.categories, self.given, self.classes = categories, given, classes

    @property
    def title(self) -> str:
        """The model in words."""
        told = [f"ridge {self.ridge:g}"]
        told += [f"{role} {name}" for role in ROLES if (name := getattr(self, role)) is not None]
        told += [f"given {', '.join(self.given)}"] if self.given else []
        told += ["splines"] if self.expand else []
        return f"{NAMES[self.family]} ({'; '.join(told)})"

    @property
    def scored(self) -> str:
        """The score in words."""
        return "share of the deviance explained"

    @property
    def lost(self) -> str:
        """The loss of a row in words."""
        return "deviance"

    def fit(self, X: pd.DataFrame, y: Any) -> FamilyRegression:
        """Fit the model of all features of a table, and constants alone.

        1. Rows of weight 0 do not count. 2. Columns are learned, of variance 1. 3. Of more columns than rows
        the rows' own directions do: turning columns changes no ridge. 4. Newton's steps.
        """
        whole = self._column(X, "weights", 1.0)
        kept = whole > 0
        table, weights = X[kept], whole[kept]
        if not kept.any():
            raise DataError("all rows that models are fitted to have a weight of 0")
        root = np.sqrt(weights / weights.mean())
        held = {self.weights, self.offset, self.event}
        learn = partial(learned_columns, root=root, expand=self.expand)
        self.columns_ = {
            name: learn(table[name], category=name in self.categories)
            for name in table.columns
            if name not in held
        }
        self.length_ = float(np.sqrt(len(weights)))
        seen = self._column(table, "event", 1.0) > 0
        rows = RowsOfTarget("the target", np.asarray(y)[kept], weights, self._column(table, "offset"), seen)
        family = FAMILIES[self.family](rows)
        if self.family in OF_CLASSES:
            self.classes_ = rows.levels[0]
        columns, turn = self._columns(table), None
        if columns.shape[1] > len(columns):
            left, sizes, turn = np.linalg.svd(columns, full_matrices=False)
            columns = left * sizes
        each = np.ascontiguousarray(np.vstack([columns.T, np.zeros(len(columns))]))
        none = np.full(columns.shape[1], -1)
        model = RegularisedModel((), each, none, family, float(self.ridge))
        self.constants_alone_ = model.nothing[0][0]
        self.constants_, found = self.constants_alone_, np.zeros((family.channels, columns.shape[1]))
        if columns.shape[1]:
            fitted = fit_columns(model, np.arange(columns.shape[1])[None]).parameters[0]
            self.constants_, found = model.split(fitted)
        self.coefficients_ = found if turn is None else found @ turn
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.estimator_type = "classifier" if self._classifies() else "regressor"
        return tags

    def _classifies(self) -> bool:
        return self.classes and self.family in OF_CLASSES

    def predict(self, X: pd.DataFrame) -> Any:
        """Return the likeliest class, the mean level, the expected count, or the log of the relative risk."""
        linear = self._linear(X)
        if self.family == "cox":
            return linear[0]
        if self.family == "poisson":
            return means_of_counts(linear[0] + self.constants_[0])
        shares = shares_of_classes(self.family, linear, self.constants_)
        return self.classes_[shares.argmax(axis=1)] if self._classifies() else shares @ self.classes_

    @available_if(lambda self: self._classifies())  # type: ignore[untyped-decorator]
    def predict_proba(self, X: pd.DataFrame) -> FloatArray:
        """Return the probabilities of `classes_`, shape (rows, classes)."""
        return shares_of_classes(self.family, self._linear(X), self.constants_)

    def score(self, X: pd.DataFrame, y: Any) -> float:
        """Return the share of the deviance of these rows that is explained."""
        return _explained(*self._both(X, y))

    def numbers(self, data: Dataset) -> Any:
        """Return the target of a data set as the family has it: classes by their numbers."""
        found = CHECKED[self.family](data)
        return found.astype(np.int64) if self._classifies() else found

    def losses(self, X: pd.DataFrame, y: Any) -> FloatArray:
        """Return what each row adds to the deviance, times its weight; shape (rows,)."""
        return self._losses(X, y, self._linear(X), self.constants_)

    def resampled(self, X: pd.DataFrame, y: Any, draws: Iterable[IntArray]) -> FloatArray:
        """Return the score of rows drawn with repetition; of times, rows at risk are those drawn."""
        if self.family != "cox":
            own, alone = self._both(X, y)
            return np.array([_explained(own[rows], alone[rows]) for rows in draws])
        at_risk, linear, offset = self._at_risk(X, y), self._linear(X)[0], self._column(X, "offset")
        found = []
        for rows in draws:
            counts = np.bincount(rows, minlength=len(linear)).astype(float)
            found.append(_explained(at_risk.losses(linear, counts), at_risk.losses(offset, counts)))
        return np.array(found)

    def strata(self, X: pd.DataFrame, y: Any) -> Any:
        """Return what folds should hold alike: classes, or events; None of counts."""
        if self.family == "cox":
            return self._column(X, "event", 1.0).astype(int)
        return np.unique(y, return_inverse=True)[1] if self.family in OF_CLASSES else None

    def _both(self, X: pd.DataFrame, y: Any) -> tuple[FloatArray, FloatArray]:
        """Return what rows lose by the model, and by constants alone."""
        linear = self._linear(X)
        alone = np.zeros_like(linear) + self._column(X, "offset")
        return self._losses(X, y, linear, self.constants_), self._losses(X, y, alone, self.constants_alone_)

    def _losses(self, X: pd.DataFrame, y: Any, linear: FloatArray, constants: FloatArray) -> FloatArray:
        if self.family == "cox":
            return self._at_risk(X, y).losses(linear[0])
        weights = self._column(X, "weights", 1.0)
        if self.family == "poisson":
            return np.asarray(
                weights * count_losses(np.asarray(y), means_of_counts(linear[0] + constants[0]))
            )
        place = pd.Index(self.classes_).get_indexer(pd.Index(np.asarray(y)))
        return np.asarray(weights * class_losses(shares_of_classes(self.family, linear, constants), place))

    def _at_risk(self, X: pd.DataFrame, y: Any) -> RowsAtRisk:
        seen = self._column(X, "event", 1.0) > 0
        return RowsAtRisk(np.asarray(y, dtype=float), seen, self._column(X, "weights", 1.0))

    def _linear(self, X: pd.DataFrame) -> FloatArray:
        """Return the predictors of rows, offset included; shape (channels, rows)."""
        return np.asarray(self.coefficients_ @ self._columns(X).T + self._column(X, "offset"))

    def _columns(self, X: pd.DataFrame) -> FloatArray:
        blocks = [learned.of(X[name]) for name, learned in self.columns_.items()]
        return np.asarray(self.length_ * np.hstack([np.zeros((len(X), 0)), *blocks]))

    def _column(self, X: pd.DataFrame, role: str, otherwise: float = 0.0) -> FloatArray:
        name = getattr(self, role)
        return np.full(len(X), otherwise) if name is None else X[name].to_numpy(dtype=float)


def _explained(own: FloatArray, alone: FloatArray) -> float:
    """Return ``1 - D / D_0``; NaN where nothing is lost without features."""
    total = float(alone.sum())
    return 1.0 - float(own.sum()) / total if total > 0 else np.nan
