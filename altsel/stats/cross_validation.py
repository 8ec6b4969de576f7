"""Quality of a feature set as the score of a prediction model that sees these features alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from altsel.data.dataset import Dataset, checked_dataset
from altsel.errors import ArgumentError
from altsel.parallel import checked_jobs, number_of_workers, run
from altsel.runtime.on_demand import OnDemand
from altsel.stats.scoring import refuse_no_estimator, scorer

base: Any = OnDemand("sklearn.base")
selection: Any = OnDemand("sklearn.model_selection")

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


@dataclass(frozen=True, eq=False)
class _Fold:
    """Fits in one fold, and scores its other rows."""

    estimator: Any
    scorer: Any
    X: np.ndarray
    y: np.ndarray
    folds: tuple[tuple[np.ndarray, np.ndarray], ...]

    def __call__(self, number: int) -> float:
        train, test = self.folds[number]
        model = base.clone(self.estimator).fit(self.X[train], self.y[train])
        return float(self.scorer(model, self.X[test], self.y[test]))


@dataclass(frozen=True, eq=False)
class CrossValidated:
    """Mean score of an estimator over the folds of a cross-validation: ``1/m sum_i score_i``.

    The folds are drawn once, so that all sets are judged on the same rows.

    Parameters
    ----------
    data
        The rows to learn from; categories go in as codes.
    estimator
        Any scikit-learn estimator or pipeline; a clone is fitted for every fold.
    scoring
        Name of a scikit-learn scorer, or a scorer; default: the estimator's own.
    cv
        Number of folds, or a scikit-learn splitter, such as
        ``StratifiedShuffleSplit(1, test_size=0.2, random_state=0)`` for one hold-out split.
    groups
        Group of each row, for splitters that keep groups together; shape (rows,).
    n_jobs
        Workers that fit folds; default: those of ``joblib.parallel_config``, else 1. The set's columns
        are sent to them with every set: it pays for estimators that take longer than some .05 s a fold.

    Raises
    ------
    ArgumentError
        If the estimator has no ``fit``, the scorer is unknown, groups have another length, or `n_jobs` is
        no number of workers.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from altsel import CrossValidated, Dataset
    >>> y = np.tile([0, 1], 20)
    >>> X = np.column_stack([y, np.arange(40) % 7])
    >>> quality = CrossValidated(Dataset(X, y), DecisionTreeClassifier(random_state=0), "accuracy")
    >>> quality(("x0",)), quality(("x1",)) < 0.8
    (1.0, True)
    """

    data: Dataset
    estimator: BaseEstimator
    scoring: str | Callable[..., float] | None = None
    cv: Any = 5
    groups: npt.ArrayLike | None = field(default=None, repr=False)
    n_jobs: int | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        checked_dataset("CrossValidated", self.data)
        refuse_no_estimator(self.estimator, "fit")
        checked_jobs(self.n_jobs)
        rows = 0 if self.groups is None else len(np.atleast_1d(self.groups))
        if rows not in {0, len(self.data.X)}:
            raise ArgumentError(f"groups has {rows} entries for {len(self.data.X)} rows")
        self._scorer  # noqa: B018  (refuses what is wrong at once)
        self._folds  # noqa: B018

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features."""
        return self.data.features

    @property
    def target(self) -> str:
        """Name of the target."""
        return self.data.target

    @property
    def members(self) -> dict[str, tuple[str, ...]]:
        """Names that stand for the same feature; see ``Dataset.grouped``."""
        return self.data.members

    @property
    def name(self) -> str:
        """The quality in words."""
        scored = self.scoring if isinstance(self.scoring, str) else "score"
        return f"cross-validated {scored} of {type(self.estimator).__name__}"

    @property
    def seed(self) -> int | None:
        """Seed of the estimator."""
        return getattr(self.estimator, "random_state", None)

    def __call__(self, names: Sequence[str]) -> float:
        """Score a set of features."""
        table = self._table[:, [self._place[f] for f in names]]
        fold = _Fold(self.estimator, self._scorer, table, self._target, tuple(self._folds))
        if number_of_workers(self.n_jobs) == 1:
            return float(np.mean([fold(number) for number in range(len(self._folds))]))
        folds = {str(number): number for number in range(len(self._folds))}
        return float(np.mean(list(run(fold, folds, n_jobs=self.n_jobs, what="fold").values())))

    @cached_property
    def _place(self) -> dict[str, int]:
        return {f: j for j, f in enumerate(self.features)}

    @cached_property
    def _table(self) -> np.ndarray:
        return self.data.matrix()

    @cached_property
    def _target(self) -> np.ndarray:
        return self.data.target_values()

    @cached_property
    def _scorer(self) -> Any:
        return scorer(self.estimator, self.scoring)

    @cached_property
    def _folds(self) -> list[tuple[np.ndarray, np.ndarray]]:
        try:
            splitter = selection.check_cv(
                self.cv, self._target, classifier=base.is_classifier(self.estimator)
            )
            return list(splitter.split(self._table, self._target, self.groups))
        except (ValueError, TypeError) as fault:
            raise ArgumentError(f"cv={self.cv!r}: {fault}") from fault
