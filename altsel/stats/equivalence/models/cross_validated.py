"""Models of feature sets by cross-validation: every row judged by models that have not seen it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import FloatArray, IntArray
from altsel.data.dataset import Dataset, checked_dataset
from altsel.errors import ArgumentError, checked_integer, listing
from altsel.runtime.on_demand import OnDemand
from altsel.stats.equivalence.models.folds import kept_folds, splitter_of, warn_of_small_classes
from altsel.stats.equivalence.models.prepared_columns import PreparedColumns
from altsel.stats.equivalence.models.sklearn import judge, usual_estimator
from altsel.stats.equivalence.protocol import KnowsLosses, Names, Remembered, known_features
from altsel.stats.scoring import refuse_no_estimator, scorer

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

base: Any = OnDemand("sklearn.base")
dummy: Any = OnDemand("sklearn.dummy")


class CrossValidatedModels:
    """Models by a scikit-learn estimator fitted in every fold of a cross-validation, the same for all sets.

    Classes are numbered 0, 1, … in sorted order. A set without features predicts the mean, or the classes'
    shares. Losses are those of `SklearnModels`, of the rows judged, each by models that have not seen it.

    Parameters
    ----------
    data
        The rows.
    estimator
        Any estimator or pipeline; it gets a DataFrame of the set's columns. Default: least squares, or
        logistic regression, on scaled numbers and one-hot categories.
    scoring
        Name of a scikit-learn scorer, or a scorer; default: the estimator's own.
    cv
        Number of folds, shuffled and stratified by class, or a scikit-learn splitter.
    groups
        Group of each row; rows of one group are in one fold. Shape (rows,).
    random_state
        Seed of the folds.
    beside
        Columns that the models of all sets get, such as features that are always in, or what a pipeline
        takes for weights.

    Raises
    ------
    ArgumentError
        If an argument is wrong, or the estimator cannot be fitted or scored.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0.0, 1, 2, 3] * 9, "b": [1.0, 0, 0, 1] * 9}, [0.1, 1.0, 2.2, 3.1] * 9)
    >>> CrossValidatedModels(data, cv=3).scores(["a"]).round(3).tolist()
    [0.996, 0.994, 0.997]
    """

    def __init__(
        self,
        data: Dataset,
        estimator: BaseEstimator | None = None,
        *,
        scoring: str | Callable[..., float] | None = None,
        cv: Any = 10,
        groups: npt.ArrayLike | None = None,
        random_state: int = 0,
        beside: pd.DataFrame | None = None,
    ) -> None:
        checked_dataset("CrossValidatedModels", data)
        self.data, self.scoring, self.cv = data, scoring, kept_folds(cv)
        self.groups = None if groups is None else np.asarray(groups)
        self._beside = pd.DataFrame(index=data.X.index) if beside is None else beside.set_axis(data.X.index)
        self.random_state = checked_integer("random_state", random_state, 0)
        self.estimator = usual_estimator(data) if estimator is None else estimator
        refuse_no_estimator(self.estimator, "fit", "predict")
        if self.groups is not None and self.groups.shape != (len(data.y),):
            raise ArgumentError(f"groups has shape {self.groups.shape}; give one a row, {len(data.y)}")
        self._score, self._known = scorer(self.estimator, scoring), Remembered(self._judge)
        own = callable(scoring)  # it may look at columns
        self._columns = (
            PreparedColumns(data, *(one for _, one, _ in self.estimator[0].transformers))
            if estimator is None and not own
            else None
        )
        self._refuse_other_task()

    @property
    def name(self) -> str:
        """The models in words."""
        return f"{self.kind}, {len(self.folds)} folds"

    @property
    def kind(self) -> str:
        """Name of the estimator's class, the last one of a pipeline."""
        if isinstance(self.estimator, KnowsLosses):
            return str(self.estimator.title)
        steps = getattr(self.estimator, "steps", None)
        return type(steps[-1][1] if steps else self.estimator).__name__

    @property
    def scored(self) -> str:
        """Name of the score."""
        if isinstance(self.scoring, str):
            return self.scoring
        if self._scores_itself:
            return str(self.estimator.scored)
        usual = "accuracy" if self._classes else "r2"
        return usual if self.scoring is None else str(getattr(self.scoring, "__name__", "score"))

    @property
    def lost(self) -> str:
        """The loss of a row, in words; see `losses`."""
        if isinstance(self.estimator, KnowsLosses):
            return self.estimator.lost
        if not self._classes:
            return "squared error"
        return "log-loss" if hasattr(self.estimator, "predict_proba") else "errors"

    @property
    def _classes(self) -> bool:
        """Whether classes are predicted: of an estimator that knows its losses, whether it predicts some."""
        known = isinstance(self.estimator, KnowsLosses)
        return bool(base.is_classifier(self.estimator)) if known else self.data.discrete_target

    @property
    def _scores_itself(self) -> bool:
        return self.scoring is None and isinstance(self.estimator, KnowsLosses)

    @cached_property
    def folds(self) -> list[tuple[IntArray, IntArray]]:
        """Rows to learn from and rows judged, fold after fold."""
        with _refusing(f"cv={self.cv!r}"), warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The least populated class", UserWarning)
            alike = self._strata is not self._target or self._classes
            if self._classes:
                warn_of_small_classes(self.cv, self._target, self.data.target)
            splitter = splitter_of(self.cv, self._strata, alike, self.groups, self.random_state)
            return [
                (np.asarray(train), np.asarray(test))
                for train, test in splitter.split(self.data.X, self._strata, self.groups)
            ]

    @cached_property
    def ratio(self) -> float:
        """Rows judged for each row learned from, on average."""
        return float(np.mean([len(test) / len(train) for train, test in self.folds]))

    def scores(self, features: Names) -> FloatArray:
        """Return the score of every fold; shape (folds,)."""
        return np.asarray(self._known(features)[0])

    def losses(self, features: Names) -> FloatArray:
        """Return squared errors, or deviances, of the rows judged; means if more than once."""
        return np.asarray(self._known(features)[1])

    def predictions(self, features: Names) -> FloatArray:
        """Return predictions, or probabilities of the second of two classes or of the row's own class."""
        return np.asarray(self._known(features)[2])

    def truth(self) -> FloatArray:
        """Return the target of the rows judged as numbers."""
        return np.asarray(self._target[self._times > 0], dtype=float)

    def score_in(self, fold: int, features: Names) -> float:
        """Return the score of one set in one fold."""
        return self._fitted(fold, self._ordered(features))[0]

    def fitted_in(self, fold: int, features: Names) -> tuple[Any, pd.DataFrame, np.ndarray]:
        """Return the model of one set in one fold, and table and target of the rows judged there."""
        train, test = self.folds[fold]
        order = self._ordered(features)
        table = self._table(order)
        model = base.clone(self.estimator) if order else self._featureless()
        nominal = [name for name in order if self.data.X[name].dtype == "category"]
        hint = f" ({listing(nominal)} hold categories: give a pipeline that encodes them)" if nominal else ""
        with _refusing(f"{self.kind} of {', '.join(order) or 'no features'}{hint}"):
            model.fit(table.iloc[train], self._target[train])
        return model, table.iloc[test], self._target[test]

    def of(self, data: Dataset) -> CrossValidatedModels:
        """Return the same models and folds' rule for other data, such as a permuted target."""
        return CrossValidatedModels(
            data,
            self.estimator,
            scoring=self.scoring,
            cv=self.cv,
            groups=self.groups,
            random_state=self.random_state,
            beside=self._beside,
        )

    @cached_property
    def _target(self) -> np.ndarray:
        if isinstance(self.estimator, KnowsLosses):
            return np.asarray(self.estimator.numbers(self.data))
        values = self.data.target_values()
        return values.astype(np.int64) if self._classes else values

    @cached_property
    def _times(self) -> IntArray:
        """How often each row is judged."""
        return np.bincount(np.concatenate([test for _, test in self.folds]), minlength=len(self._target))

    def _judge(self, features: tuple[str, ...]) -> tuple[FloatArray, FloatArray, FloatArray]:
        order, scores = self._ordered(features), []
        losses, predictions = np.zeros(len(self._target)), np.zeros(len(self._target))
        for fold, (_, test) in enumerate(self.folds):
            score, lost, predicted = self._fitted(fold, order)
            scores.append(score)
            losses[test] += lost
            predictions[test] += predicted
        seen = self._times > 0
        return np.array(scores), losses[seen] / self._times[seen], predictions[seen] / self._times[seen]

    def _ordered(self, features: Names) -> list[str]:
        known_features(features, self.data.features)
        return [name for name in self.data.features if name in set(features)]

    def _fitted(self, fold: int, order: list[str]) -> tuple[float, FloatArray, FloatArray]:
        """Fit in one fold; return score, losses and predictions of its rows."""
        if self._columns is None or not order:
            return self._judged_in(fold, order)[1:]
        train, test = self.folds[fold]
        with _refusing(f"{self.kind} of {', '.join(order)}"):
            learned, seen = self._columns.of(fold, train, test, order)
            model = base.clone(self.estimator[-1]).fit(learned, self._target[train])
            score = float(self._score(model, seen, self._target[test]))
            return self._finite(fold, score), *judge(model, seen, self._target[test], self._classes)

    def _judged_in(self, fold: int, order: list[str]) -> tuple[Any, float, FloatArray, FloatArray]:
        """Fit in one fold; return the model, and score, losses and predictions of the rows judged."""
        model, table, target = self.fitted_in(fold, order)
        with _refusing(f"{self.kind} of {', '.join(order) or 'no features'}"):
            score = float(self._score(model, table, target))
            lost, predicted = judge(model, table, target, self._classes)
            if isinstance(model, KnowsLosses):
                lost = model.losses(table, target)
        return model, self._finite(fold, score), lost, predicted

    def _finite(self, fold: int, score: float) -> float:
        if not np.isfinite(score):
            raise ArgumentError(
                f"the score {self.scored} of fold {fold} is {score}; use fewer folds, or another"
            )
        return score

    def _table(self, order: list[str]) -> pd.DataFrame:
        own = self.data.X[[name for name in order if name not in self._beside.columns]]
        if order or isinstance(self.estimator, KnowsLosses):
            return pd.concat([own, self._beside], axis=1)
        return pd.DataFrame({"none": np.zeros(len(self._target))})

    def _featureless(self) -> Any:
        if isinstance(self.estimator, KnowsLosses):
            return base.clone(self.estimator)
        return dummy.DummyClassifier(strategy="prior") if self._classes else dummy.DummyRegressor()

    def _refuse_other_task(self) -> None:
        regresses, target = base.is_regressor(self.estimator), self._classes
        if (target and regresses) or (not target and base.is_classifier(self.estimator)):
            held = "classes: give a classifier" if target else "numbers: give a regressor"
            raise ArgumentError(
                f"{self.kind} does not fit the target {self.data.target!r}, which holds {held}"
            )

    @cached_property
    def _strata(self) -> Any:
        """What folds hold alike: classes, or what the estimator says of its rows."""
        known = isinstance(self.estimator, KnowsLosses)
        found = self.estimator.strata(self._table([]), self._target) if known else None
        return self._target if found is None else found


@contextmanager
def _refusing(what: str) -> Iterator[None]:
    """Turn what scikit-learn refuses into an error of an argument."""
    try:
        yield
    except (ValueError, TypeError) as fault:
        raise (fault if isinstance(fault, ArgumentError) else ArgumentError(f"{what}: {fault}")) from fault
