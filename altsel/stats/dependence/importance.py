"""Importances that a fitted model gives its features, used as relevances (AFS 3.3.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from altsel._types import FloatArray
from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError, checked_integer, of_kind
from altsel.runtime.clock import clock
from altsel.runtime.on_demand import OnDemand
from altsel.runtime.progress import Pace, counted
from altsel.stats.scoring import refuse_no_estimator

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

base: Any = OnDemand("sklearn.base")
ensemble: Any = OnDemand("sklearn.ensemble")
inspection: Any = OnDemand("sklearn.inspection")
metrics: Any = OnDemand("sklearn.metrics")
TREES = 5
"""Trees of a forest that are grown between two looks at the clock."""


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

    def __post_init__(self) -> None:
        _checked(self.estimator, self.random_state)

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

    def __post_init__(self) -> None:
        _checked(self.estimator, self.random_state)
        of_kind("scoring", self.scoring, str | Callable | None, "the name of a scorer, such as 'r2'")
        checked_integer("repeats", self.repeats, 1)

    @property
    def name(self) -> str:
        """Name with the estimator's class."""
        return f"permutation {Importance(self.estimator).name}"

    def relevance(self, data: Dataset) -> FloatArray:
        """Fit, shuffle and score on the same rows; may be negative."""
        model = fitted(self.estimator, data, self.random_state)
        pace = Pace(1 + self.repeats * len(data.features), "scores of shuffled features")
        found = inspection.permutation_importance(
            model,
            data.matrix(),
            data.target_values(),
            scoring=_Heeding(metrics.check_scoring(model, scoring=self.scoring), pace),
            n_repeats=self.repeats,
            random_state=self.random_state,
        )
        return np.asarray(found.importances_mean, dtype=float)

    def redundancy(self, data: Dataset) -> FloatArray:
        """Refuse: importances are of single features."""
        raise ArgumentError(f"{self.name} gives relevances only; no redundancy is known")


def _checked(estimator: object, random_state: object) -> None:
    """Refuse what is no estimator, or no seed."""
    if estimator is not None:
        refuse_no_estimator(estimator, "fit")
    checked_integer("random_state", random_state, 0)


class _Heeding:
    """A scorer that looks at the clock in force first."""

    def __init__(self, scorer: Callable[..., float], pace: Pace) -> None:
        self._scorer, self._pace, self._done = scorer, pace, 0

    def __call__(self, *given: Any, **more: Any) -> float:
        clock().check()
        self._pace.at(self._done)
        self._done += 1
        return self._scorer(*given, **more)


def fitted(estimator: BaseEstimator | None, data: Dataset, random_state: int) -> Any:
    """Fit a clone of the estimator, or a random forest for the task."""
    clock().check()
    if estimator is not None:
        return base.clone(estimator).fit(data.matrix(), data.target_values())
    classes = data.discrete_target
    forest = ensemble.RandomForestClassifier if classes else ensemble.RandomForestRegressor
    grown = forest(random_state=random_state, warm_start=True)
    matrix, target = data.matrix(), data.target_values()
    sizes = [*range(TREES, grown.n_estimators, TREES), grown.n_estimators]
    for trees in counted(sizes, len(sizes), "parts of a forest"):
        grown.set_params(n_estimators=trees).fit(matrix, target)  # the same trees as all at once
    return grown


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
