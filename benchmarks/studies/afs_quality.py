"""The selectors of the study of AFS: their quality on training rows, and the same on test rows."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.tree import DecisionTreeClassifier

import altsel
from altsel.models.objective import Objective
from benchmarks.studies.afs_design import SEED, Fold, class_error, varying

INFORMATION = altsel.measures.MutualInformation(discrete=False)
"""The estimate by nearest neighbours for every column, as scikit-learn's default is for a dense table."""
INNER = StratifiedShuffleSplit(1, test_size=0.2, random_state=SEED)


@dataclass(frozen=True)
class Quality:
    """A criterion, and how it judges a set by the test rows.

    Attributes
    ----------
    objective
        The criterion, on training rows.
    on_test
        The same on test rows; None where it is the MCC of a tree there (the wrapper).
    """

    objective: Objective
    on_test: Objective | None

    def test_score(self, features: tuple[str, ...]) -> float | None:
        """Evaluate the criterion's formula on test rows."""
        if self.on_test is None:
            return None
        return float(self.on_test.score(np.isin(list(self.on_test.features), features)))


def tree() -> DecisionTreeClassifier:
    """Make the model of the wrapper and of the importances."""
    return DecisionTreeClassifier(criterion="entropy", random_state=SEED)


def quality(selector: str, fold: Fold) -> Quality:
    """Compute what a selector needs of a fold.

    A column that is constant in the rows has no relevance and no redundancy, but stays a feature.
    """
    if selector == "wrapper":
        accuracy = altsel.CrossValidated(_data(fold.X, fold.y), tree(), "matthews_corrcoef", INNER)
        return Quality(altsel.BlackBox(accuracy), None)
    return Quality(_criterion(selector, fold.X, fold.y), _criterion(selector, fold.X_test, fold.y_test, True))


def _criterion(selector: str, X: pd.DataFrame, y: pd.Series, test: bool = False) -> Objective:
    """Make a criterion from some rows; FCBF's value on test rows is its sum, whatever pairs there are."""
    relevance = _padded(_relevance(selector, X, y), X)
    if selector == "mrmr":
        return altsel.MRMR(altsel.Dependence(relevance, _redundancy(X, y)))
    total = relevance.sum() or 1.0
    if selector == "fcbf" and not test:
        return altsel.FCBF(altsel.Dependence(relevance / total, _redundancy(X, y) / total))
    return altsel.Univariate(relevance / total)


def _relevance(selector: str, X: pd.DataFrame, y: pd.Series) -> pd.Series:
    """Return mutual information, negative estimates as 0, or the importances in a tree."""
    columns = varying(X)
    if class_error(y) or columns.empty:
        return pd.Series(0.0, index=X.columns)
    if selector == "gain":
        return pd.Series(tree().fit(columns, y).feature_importances_, index=columns.columns)
    return altsel.dependence(_data(X, y), INFORMATION).relevance.clip(lower=0.0)


def _redundancy(X: pd.DataFrame, y: pd.Series) -> pd.DataFrame:
    found = altsel.dependence(_data(X, y), INFORMATION).redundancy.clip(lower=0.0)
    return found.reindex(index=X.columns, columns=X.columns, fill_value=0.0)


def _padded(relevance: pd.Series, X: pd.DataFrame) -> pd.Series:
    return relevance.reindex(X.columns, fill_value=0.0)


def _data(X: pd.DataFrame, y: pd.Series) -> altsel.Dataset:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", altsel.DataWarning)
        return altsel.Dataset(X, y.astype(str))
