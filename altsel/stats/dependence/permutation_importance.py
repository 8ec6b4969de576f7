"""Permutation importances: what a fitted model loses when a feature is shuffled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from altsel._types import FloatArray
from altsel.data.columns import codes
from altsel.data.dataset import Dataset
from altsel.data.dealing import dealt
from altsel.errors import ArgumentError, checked_integer, of_kind
from altsel.runtime.clock import clock
from altsel.runtime.on_demand import OnDemand
from altsel.runtime.progress import Pace
from altsel.stats.dependence.importance import check_model, estimator_name, fit_estimator

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

inspection: Any = OnDemand("sklearn.inspection")
metrics: Any = OnDemand("sklearn.metrics")


@dataclass(frozen=True)
class PermutationImportance:
    """Mean loss of score when a feature's values are shuffled (Breiman 2001), on rows left out of the fit.

    For each of `folds` parts of the rows the estimator is fitted to the others and scored on the part. On the
    rows of the fit itself shuffling harms whatever the estimator has learnt by heart, so that a category
    of many levels would win; on others noise has 0 in the mean.

    Parameters
    ----------
    estimator
        As in `Importance`.
    scoring
        Name of a scikit-learn scorer; default: the estimator's own.
    repeats
        Number of shuffles of each feature, divided among the folds, in each of which there is at least one.
    random_state
        Seed of the folds, of the shuffles and of the default estimator.
    folds
        Number of folds, at least 2 and at most the rows; None: fit, shuffle and score on the same rows.
    """

    estimator: BaseEstimator | None = None
    scoring: str | None = None
    repeats: int = 10
    random_state: int = 0
    folds: int | None = 5

    def __post_init__(self) -> None:
        check_model(self.estimator, self.random_state)
        if self.folds is not None:
            checked_integer("folds", self.folds, 2)
        of_kind("scoring", self.scoring, str | Callable | None, "the name of a scorer, such as 'r2'")
        checked_integer("repeats", self.repeats, 1)

    @property
    def name(self) -> str:
        """Name with the estimator's class."""
        where = "" if self.folds is None else f", on rows left out, {self.folds} folds"
        return f"permutation importance in {estimator_name(self.estimator)}{where}"

    def relevance(self, data: Dataset) -> FloatArray:
        """Fit, shuffle and score; may be negative."""
        rows, total = np.arange(len(data.X)), np.zeros(len(data.features))
        matrix, target, classes = data.matrix(), data.target_values(), data.discrete_target
        parts = [rows]
        if self.folds is not None:
            strata = codes(data.y) if classes else np.zeros(len(rows), dtype=np.int64)
            parts = list(dealt(strata, min(self.folds, len(rows)), self.random_state))
        repeats = -(-self.repeats // len(parts))
        heeding = _Heeding(len(parts) * (1 + repeats * len(data.features)))
        for part in parts:
            learnt = rows if self.folds is None else np.setdiff1d(rows, part)
            model = fit_estimator(self.estimator, matrix[learnt], target[learnt], classes, self.random_state)
            found = inspection.permutation_importance(
                model,
                matrix[part],
                target[part],
                scoring=heeding.of(metrics.check_scoring(model, scoring=self.scoring)),
                n_repeats=repeats,
                random_state=self.random_state,
            )
            total += len(part) / len(rows) * found.importances_mean
        return total

    def redundancy(self, data: Dataset) -> FloatArray:
        """Refuse: importances are of single features."""
        raise ArgumentError(f"{self.name} gives relevances only; no redundancy is known")


class _Heeding:
    """Scorers that look at the clock in force first, and say how far all of them are."""

    def __init__(self, total: int) -> None:
        self._pace, self._done = Pace(total, "scores of shuffled features"), 0

    def of(self, scorer: Callable[..., float]) -> Callable[..., float]:
        """Return the scorer that heeds the clock."""

        def scored(*given: Any, **more: Any) -> float:
            clock().check()
            self._pace.at(self._done)
            self._done += 1
            return scorer(*given, **more)

        return scored


def permutation_importance(
    estimator: BaseEstimator | None = None,
    scoring: str | None = None,
    random_state: int = 0,
    *,
    folds: int | None = 5,
) -> PermutationImportance:
    """Use permutation importances as relevances; see `PermutationImportance`.

    Parameters
    ----------
    estimator
        Any scikit-learn estimator; default: a random forest.
    scoring
        Name of a scorer; default: the estimator's own score.
    random_state
        Seed of the folds, of the permutations and of the default estimator.
    folds
        Number of folds whose rows are left out of the fit in turn; None: fit and score on the same rows.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from altsel import Dataset, dependence
    >>> data = Dataset({"a": [1, 2, 8, 9] * 10, "b": [1, 2, 2, 1] * 10}, [0, 0, 1, 1] * 10)
    >>> measured = dependence(data, permutation_importance(KNeighborsClassifier(3)))
    >>> measured.relevance.idxmax()
    'a'
    """
    return PermutationImportance(estimator, scoring, random_state=random_state, folds=folds)
