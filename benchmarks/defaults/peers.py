"""Sets of features that scikit-learn chooses: `SelectKBest`, `RFE` and `RFECV`."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.compose import make_column_transformer
from sklearn.feature_selection import (
    RFE,
    RFECV,
    SelectKBest,
    f_classif,
    f_regression,
    mutual_info_classif,
    mutual_info_regression,
)
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from benchmarks.defaults.splits import Split, is_number

FIRST_CODE = 1e12
"""Categories begin at this code: `RFE` hands bare columns on, which must tell what they are."""


def best_by(name: str, split: Split, k: int) -> list[str]:
    """Choose the k best by the F statistic or by mutual information, categories as codes."""
    rows = split.rows
    if name == "F":
        score: Any = f_classif if split.classes else f_regression
    else:
        information = mutual_info_classif if split.classes else mutual_info_regression
        score = partial(information, random_state=0)
    chosen = SelectKBest(score, k=k).fit(_codes(rows), split.target).get_support()
    return [name for name, kept in zip(split.columns, chosen, strict=True) if kept]


def eliminated(split: Split) -> dict[str, int]:
    """Rank features by `RFE`: 1 for the one that goes last."""
    search = RFE(_linear(split.classes), n_features_to_select=1, importance_getter=importances)
    ranks = search.fit(_codes(split.rows, FIRST_CODE), split.target).ranking_
    return dict(zip(split.columns, ranks.tolist(), strict=True))


def eliminated_by_folds(split: Split) -> list[str]:
    """Choose by `RFECV`: five folds, one feature a step, the loss that is measured on other rows."""
    search = RFECV(
        _linear(split.classes),
        cv=5,
        scoring="neg_log_loss" if split.classes else "neg_mean_squared_error",
        importance_getter=importances,
    )
    chosen = search.fit(_codes(split.rows, FIRST_CODE), split.target).get_support()
    return [name for name, kept in zip(split.columns, chosen, strict=True) if kept]


def importances(fitted: Any) -> NDArray[np.float64]:
    """Return the root mean square of the coefficients of a feature's columns."""
    coder, _, linear = fitted
    squares = (np.atleast_2d(linear.coef_) ** 2).sum(axis=0)
    (_, encoder, text), (_, _, rest) = coder.transformers_[:2]
    of_features = np.empty(len(text) + len(rest))
    ends = np.cumsum([len(one) for one in encoder.categories_]) if len(text) else np.array([0])
    for j, columns in zip(text, np.split(squares[: ends[-1]], ends[:-1]), strict=False):
        of_features[j] = columns.mean()
    of_features[rest] = squares[ends[-1] :]
    return np.sqrt(of_features)


def _linear(classes: bool) -> BaseEstimator:
    """Return a logistic or ridge regression on numbers and dummies of categories, all standardised."""
    dummies = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    coder = make_column_transformer((dummies, _text), ("passthrough", _numbers))
    return make_pipeline(coder, StandardScaler(), LogisticRegression(max_iter=300) if classes else Ridge())


def _text(X: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.flatnonzero(X.min(axis=0) >= FIRST_CODE)


def _numbers(X: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.flatnonzero(X.min(axis=0) < FIRST_CODE)


def _codes(rows: pd.DataFrame, first: float = 0) -> NDArray[np.float64]:
    return np.column_stack(
        [
            rows[name].to_numpy(float) if is_number(rows[name]) else first + pd.factorize(rows[name])[0]
            for name in rows
        ]
    )
