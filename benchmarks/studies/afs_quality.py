"""The selectors of the study of AFS: their quality on training rows, and the same on test rows."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd

import altsel
from altsel.models.objective import Objective
from benchmarks.studies.afs_design import Fold
from benchmarks.wrapper import INNER, tree

INFORMATION = altsel.measures.MutualInformation(discrete=False)
"""The estimate by nearest neighbours for every column, as scikit-learn's default is for a dense table."""


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
    varying = X.loc[:, X.ne(X.iloc[0]).any()]
    if len(y.unique()) < 2 or varying.empty:
        return altsel.Univariate(pd.Series(0.0, index=X.columns))
    if selector == "gain":
        found = altsel.Dependence(pd.Series(tree().fit(varying, y).feature_importances_, varying.columns))
    else:
        found = altsel.dependence(_data(X, y), INFORMATION)
    relevance = found.relevance.clip(lower=0.0).reindex(X.columns, fill_value=0.0)
    total = 1.0 if selector == "mrmr" else relevance.sum() or 1.0
    if selector == "mrmr" or (selector == "fcbf" and not test):
        pairs = found.redundancy.clip(lower=0.0).reindex(index=X.columns, columns=X.columns, fill_value=0.0)
        criterion = altsel.MRMR if selector == "mrmr" else altsel.FCBF
        return criterion(altsel.Dependence(relevance / total, pairs / total))
    return altsel.Univariate(relevance / total)


def _data(X: pd.DataFrame, y: pd.Series) -> altsel.Dataset:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", altsel.DataWarning)
        return altsel.Dataset(X, y.astype(str))
