"""Importances that a fitted model gives its features, used as relevances (AFS 3.3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from altsel._types import FloatArray
from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError, checked_integer, flags
from altsel.runtime.clock import clock
from altsel.runtime.on_demand import OnDemand
from altsel.runtime.progress import counted
from altsel.stats.dependence.shadows import above_shadows
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

    Trees find splits that fit their own rows wherever a feature has many values: so the importance of noise
    is large, and larger than that of a real feature with few. Therefore the estimator is fitted to the
    features and to permuted copies of them, and each importance is less that of the copy (the mean of three
    draws): 0 in the mean for noise. Beside copies interactions are found less often. Coefficients reward no
    levels, as a column has one, and stay as they are.

    Parameters
    ----------
    estimator
        A scikit-learn estimator; a clone is fitted to the whole table, categories as codes.
        Default: a random forest.
    random_state
        Seed of the default estimator, and of the permutations.
    debiased
        Whether the importances of permuted copies are subtracted.

    References
    ----------
    Sandri and Zuccolotto, Journal of Computational and Graphical Statistics 17 (2008); Nembrini, König and
    Wright, Bioinformatics 34 (2018); Strobl, Boulesteix, Zeileis and Hothorn, BMC Bioinformatics 8 (2007), on
    the bias.
    """

    estimator: BaseEstimator | None = None
    random_state: int = 0
    debiased: bool = True

    def __post_init__(self) -> None:
        check_model(self.estimator, self.random_state)
        flags(debiased=self.debiased)

    @property
    def name(self) -> str:
        """Name with the estimator's class."""
        return f"importance in {estimator_name(self.estimator)}{', debiased' * self.debiased}"

    def relevance(self, data: Dataset) -> FloatArray:
        """Fit and read the importances; those less than of permuted copies are negative."""
        matrix, classes = data.matrix(), data.discrete_target

        def fit(table: FloatArray) -> Any:
            return fit_estimator(self.estimator, table, data.target_values(), classes, self.random_state)

        model = None if self.debiased and self.estimator is None else fit(matrix)
        if model is None or hasattr(model, "feature_importances_"):
            if self.debiased:
                return above_shadows(matrix, lambda table: _own(fit(table)), self.random_state)
            return _own(model)
        if hasattr(model, "coef_"):
            return np.asarray(np.abs(np.atleast_2d(model.coef_)).sum(axis=0), dtype=float)
        raise ArgumentError(
            f"{type(model).__name__} has neither feature_importances_ nor coef_; use permutation_importance"
        )

    def redundancy(self, data: Dataset) -> FloatArray:
        """Refuse: importances are of single features."""
        raise ArgumentError(f"{self.name} gives relevances only; no redundancy is known")


def check_model(estimator: object, random_state: object) -> None:
    """Refuse what is no estimator, or no seed."""
    if estimator is not None:
        refuse_no_estimator(estimator, "fit")
    checked_integer("random_state", random_state, 0)


def fit_estimator(
    estimator: BaseEstimator | None, table: FloatArray, target: FloatArray, classes: bool, random_state: int
) -> Any:
    """Fit a clone of the estimator, or a random forest for the task."""
    clock().check()
    if estimator is not None:
        return base.clone(estimator).fit(table, target)
    forest = ensemble.RandomForestClassifier if classes else ensemble.RandomForestRegressor
    grown = forest(random_state=random_state, warm_start=True)
    sizes = [*range(TREES, grown.n_estimators, TREES), grown.n_estimators]
    for trees in counted(sizes, len(sizes), "parts of a forest"):
        grown.set_params(n_estimators=trees).fit(table, target)  # the same trees as all at once
    return grown


def estimator_name(estimator: object) -> str:
    """Name the class of an estimator."""
    return "a random forest" if estimator is None else type(estimator).__name__


def _own(model: Any) -> FloatArray:
    return np.asarray(model.feature_importances_, dtype=float)


def importances(
    estimator: BaseEstimator | None = None, random_state: int = 0, *, debiased: bool = True
) -> Importance:
    """Use an estimator's own importances as relevances; see `Importance`.

    Parameters
    ----------
    estimator
        A scikit-learn estimator that has importances or coefficients once fitted; default: a random forest.
    random_state
        Seed of the default estimator, and of permuted copies.
    debiased
        Whether the importances of permuted copies are subtracted.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from altsel import Dataset, dependence
    >>> data = Dataset({"a": [1, 2, 3, 4] * 9, "b": [1, 1, 2, 2] * 9}, [0, 1, 0, 1] * 9)
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> dependence(data, importances(tree, debiased=False)).relevance.sum().item()
    1.0
    >>> dependence(data, importances(tree)).relevance.idxmax()
    'a'
    """
    return Importance(estimator, random_state, debiased)
