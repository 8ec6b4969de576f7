"""The classifiers of the unified view's tables on real data, and what judges their predictions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from sklearn.dummy import DummyClassifier
from sklearn.metrics import accuracy_score, cohen_kappa_score, roc_auc_score
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.svm import SVC

from altsel import Dataset

Scores = tuple[float, float, float]
"""Accuracy, kappa, area under the ROC curve; the last is NaN with more than two classes."""


def codes(table: pd.DataFrame) -> Any:
    """Return the indices of categories."""
    return np.column_stack([table[name].cat.codes for name in table])


def alike(train: pd.DataFrame, test: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Give categories of training and test rows the same levels: training rows may lack some."""
    train, test = train.copy(), test.copy()
    for name in train:
        if isinstance(train[name].dtype, pd.CategoricalDtype):
            levels = train[name].cat.categories.union(test[name].cat.categories)
            train[name] = train[name].cat.set_categories(levels)
            test[name] = test[name].cat.set_categories(levels)
    return train, test


def naive_bayes(table: pd.DataFrame, nominal: bool) -> Any:
    """Naive Bayes by shares of categories, or by normal densities."""
    if not nominal:
        return GaussianNB()
    levels = [len(table[name].cat.categories) for name in table]
    return make_pipeline(FunctionTransformer(codes), CategoricalNB(min_categories=levels))


def scaled(table: pd.DataFrame, nominal: bool, model: Any) -> Any:
    """Standardise numbers, or make indicators of categories, for a model."""
    return make_pipeline(
        OneHotEncoder(handle_unknown="ignore", sparse_output=False) if nominal else StandardScaler(), model
    )


MODELS: dict[str, Callable[[pd.DataFrame, bool], Any]] = {
    "linear": lambda table, nominal: scaled(table, nominal, SVC(kernel="linear")),
    "rbf": lambda table, nominal: scaled(table, nominal, SVC(kernel="rbf")),
    "knn": lambda table, nominal: scaled(table, nominal, KNeighborsClassifier(3)),
    "nbc": naive_bayes,
}
"""Support vector machines (C = 1), three nearest neighbours, naive Bayes."""


def scores(train: Dataset, test_x: pd.DataFrame, test_y: pd.Series, features: list[str], name: str) -> Scores:
    """Fit a model to training rows and judge it on test rows; without features it is the commonest class."""
    table = train.X[features] if features else train.X.iloc[:, :1]
    table, test_x = alike(table, test_x[list(table)])
    nominal = any(isinstance(table[column].dtype, pd.CategoricalDtype) for column in table)
    make = MODELS[name] if features else lambda *_: DummyClassifier()
    model = make(table, nominal).fit(table, train.y)
    guessed = model.predict(test_x)
    area = np.nan
    if len(model.classes_) == 2 and test_y.nunique() == 2:
        decide = hasattr(model, "decision_function")
        values = model.decision_function(test_x) if decide else model.predict_proba(test_x)[:, 1]
        area = float(roc_auc_score(test_y == model.classes_[1], values))
    return float(accuracy_score(test_y, guessed)), float(cohen_kappa_score(test_y, guessed)), area
