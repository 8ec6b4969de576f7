"""Importances that a fitted model gives its features, used as relevances (AFS 3.3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from altsel._types import FloatArray
from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


@dataclass(frozen=True)
class Importance:
    """``feature_importances_``, or the absolute ``coef_`` summed over classes, of a fitted estimator.

    The importances are those in the presence of all features; a subset may need others.

    Parameters
    ----------
    estimator
        A scikit-learn estimator; a clone is fitted to the whole table, categories as codes.
        Default: a random forest.
    random_state
        Seed of the default estimator.
    """

    estimator: BaseEstimator | None = None
    random_state: int = 0

    @property
    def name(self) -> str:
        """Name with the estimator's class."""
        return f"importance in {type(self.estimator).__name__ if self.estimator else 'a random forest'}"

    def relevance(self, data: Dataset) -> FloatArray:
        """Fit and read the importances."""
        model = fitted(self.estimator, data, self.random_state)
        if hasattr(model, "feature_importances_"):
            return np.asarray(model.feature_importances_, dtype=float)
        if hasattr(model, "coef_"):
            return np.asarray(np.abs(np.atleast_2d(model.coef_)).sum(axis=0), dtype=float)
        raise ArgumentError(
            f"{type(model).__name__} has neither feature_importances_ nor coef_; use permutation_importance"
        )

    def redundancy(self, data: Dataset) -> FloatArray:
        """Refuse: importances are of single features."""
        raise ArgumentError(f"{self.name} gives relevances only; no redundancy is known")


@dataclass(frozen=True)
class PermutationImportance:
    """Mean loss of score when a feature's values are shuffled (Breiman 2001), by scikit-learn.

    Parameters
    ----------
    estimator
        As in `Importance`.
    scoring
        Name of a scikit-learn scorer; default: the estimator's own.
    repeats
        Number of shuffles of each feature.
    random_state
        Seed of the shuffles and of the default estimator.
    """

    estimator: BaseEstimator | None = None
    scoring: str | None = None
    repeats: int = 10
    random_state: int = 0

    @property
    def name(self) -> str:
        """Name with the estimator's class."""
        return f"permutation {Importance(self.estimator).name}"

    def relevance(self, data: Dataset) -> FloatArray:
        """Fit, shuffle and score on the same rows; may be negative."""
        model = fitted(self.estimator, data, self.random_state)
        from sklearn.inspection import permutation_importance as permuted  # noqa: PLC0415  (heavy)

        found = permuted(
            model,
            data.matrix(),
            data.target_values(),
            scoring=self.scoring,
            n_repeats=self.repeats,
            random_state=self.random_state,
        )
        return np.asarray(found.importances_mean, dtype=float)

    def redundancy(self, data: Dataset) -> FloatArray:
        """Refuse: importances are of single features."""
        raise ArgumentError(f"{self.name} gives relevances only; no redundancy is known")


def fitted(estimator: BaseEstimator | None, data: Dataset, random_state: int) -> Any:
    """Fit a clone of the estimator, or a random forest for the task."""
    from sklearn.base import clone  # noqa: PLC0415  (heavy)
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor  # noqa: PLC0415  (heavy)

    if estimator is None:
        forest = RandomForestClassifier if data.discrete_target else RandomForestRegressor
        return forest(random_state=random_state).fit(data.matrix(), data.target_values())
    return clone(estimator).fit(data.matrix(), data.target_values())


def importances(estimator: BaseEstimator | None = None, random_state: int = 0) -> Importance:
    """Use an estimator's own importances as relevances; see `Importance`.

    Parameters
    ----------
    estimator
        A scikit-learn estimator that has importances or coefficients once fitted; default: a random forest.
    random_state
        Seed of the default estimator.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from altsel import Dataset, dependence
    >>> data = Dataset({"a": [1, 2, 3, 4], "b": [1, 1, 2, 2]}, [0, 1, 0, 1])
    >>> dependence(data, importances(DecisionTreeClassifier(random_state=0))).relevance.sum().item()
    1.0
    """
    return Importance(estimator, random_state)


def permutation_importance(
    estimator: BaseEstimator | None = None, scoring: str | None = None, random_state: int = 0
) -> PermutationImportance:
    """Use permutation importances as relevances; see `PermutationImportance`.

    Parameters
    ----------
    estimator
        Any scikit-learn estimator; default: a random forest.
    scoring
        Name of a scorer; default: the estimator's own score.
    random_state
        Seed of the permutations and of the default estimator.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from altsel import Dataset, dependence
    >>> data = Dataset({"a": [1, 2, 8, 9] * 10, "b": [1, 2, 2, 1] * 10}, [0, 0, 1, 1] * 10)
    >>> measured = dependence(data, permutation_importance(KNeighborsClassifier(3)))
    >>> measured.relevance.idxmax()
    'a'
    """
    return PermutationImportance(estimator, scoring, random_state=random_state)
