"""One model for each of several feature sets, and how much their predictions differ."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
import sklearn
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted, validate_data

from altsel._types import FloatArray
from altsel.errors import ArgumentError, DataError
from altsel.sklearn.alternative_feature_selector import AlternativeFeatureSelector
from altsel.sklearn.checked_input import as_frame, columns_of

VOTING = ("soft", "hard")


def _gives_probabilities(ensemble: AlternativeEnsemble) -> bool:
    return ensemble.voting == "soft" and hasattr(ensemble.estimator, "predict_proba")


class AlternativeEnsemble(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    r"""One model for each feature set that a selector finds; a classifier or a regressor as its estimator is.

    Predictions are the mean over the sets. Do not expect them to be better than those of all features: the
    ensemble is for its ``spread``, which tells for which rows it matters which of several equally good sets
    a model sees.

    Parameters
    ----------
    estimator
        A clone of it is fitted for each set, on the columns of that set.
    selector
        `AlternativeFeatureSelector`, `MarkovBlanketSelector`, or any with ``feature_sets_``; all sets are
        used, whatever ``set_index`` is. Default: ``AlternativeFeatureSelector(alternatives=4)``.
    voting
        For classifiers: ``"soft"``, the mean of the classes' probabilities, or ``"hard"``, the majority; of
        equal ones the first class.
    n_jobs
        Models fitted at once, by joblib; None: as ``joblib.parallel_config`` says, or one.

    Attributes
    ----------
    selector_
        The fitted selector.
    feature_sets_
        The sets, as arrays of column positions.
    estimators_
        The fitted models, one a set; for an empty set one that predicts the mean, or the classes' shares.
    classes_
        The classes, of a classifier.
    n_features_in_, feature_names_in_
        As in scikit-learn; names only where columns have some.

    Raises
    ------
    ArgumentError
        In ``fit``: `voting` is unknown, or the estimator gives no probabilities and `voting` is ``"soft"``.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> selector = AlternativeFeatureSelector("univariate", k=3, alternatives=2)
    >>> model = AlternativeEnsemble(DecisionTreeClassifier(random_state=0), selector).fit(X[::2], y[::2])
    >>> len(model.estimators_), round(model.score(X[1::2], y[1::2]), 2)
    (3, 0.92)
    >>> model.spread(X[1:8:2]).round(2).tolist()
    [0.0, 0.0, 0.0, 0.0]
    """

    def __init__(
        self, estimator: Any, selector: Any = None, *, voting: str = "soft", n_jobs: int | None = None
    ) -> None:
        self.estimator = estimator
        self.selector = selector
        self.voting = voting
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, **params: Any) -> Self:
        """Find the sets, and fit a model for each.

        Parameters
        ----------
        X, y
            As for the selector; the estimator gets some of the columns of X.
        **params
            Metadata, such as ``groups`` and ``sample_weight``, routed to the selector and the estimator as
            they request; needs ``sklearn.set_config(enable_metadata_routing=True)``.
        """
        self._check_voting()
        routed = self._routed(params)
        values, target = self._checked(X, y)
        if is_classifier(self):
            self.classes_ = np.unique(target)
            if len(self.classes_) < 2:
                raise DataError("y holds one class only; there is nothing to tell apart")
        self.selector_ = self._selector().fit(values, target, **routed["selector"])
        if not hasattr(self.selector_, "feature_sets_"):
            raise ArgumentError(
                f"selector={self.selector!r} finds no feature_sets_; use one of altsel.sklearn"
            )
        self.feature_sets_ = list(self.selector_.feature_sets_)
        fitting = (
            delayed(_fitted)(
                self._prototype(indices), columns_of(values, indices), target, routed["estimator"]
            )
            for indices in self.feature_sets_
        )
        self.estimators_ = list(Parallel(n_jobs=self.n_jobs)(fitting))
        return self

    def predict(self, X: Any) -> Any:
        """Predict the mean of the models, or the class that they prefer."""
        if not is_classifier(self):
            return self._numbers(X).mean(axis=0)
        shares = self._probabilities(X).mean(axis=0)
        return self.classes_[shares.argmax(axis=1)]

    @available_if(_gives_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> FloatArray:
        """Predict the mean of the classes' probabilities; with ``voting="soft"``."""
        return np.asarray(self._probabilities(X).mean(axis=0))

    def spread(self, X: Any) -> FloatArray:
        r"""Return how much the predictions of the m sets differ, for each row.

        For numbers the standard deviation of the predictions f_i, in the unit of the target::

            spread(x) = sqrt(1/m sum_i (f_i(x) - f(x))^2),    f = 1/m sum_i f_i

        For classes the mean total variation distance of the probabilities p_i from their mean::

            spread(x) = 1/m sum_i 1/2 sum_c |p_i(c | x) - p(c | x)|,    p = 1/m sum_i p_i

        which is 0 where all sets agree and at most 1 - 1/m. With ``voting="hard"`` each model has probability
        1 for its class, and the spread is Gini's ``1 - sum_c v_c^2`` of the shares v of the votes.

        Parameters
        ----------
        X
            Rows of the columns that the ensemble was fitted to.

        Returns
        -------
        ndarray of shape (rows,)
        """
        if not is_classifier(self):
            return np.asarray(self._numbers(X).std(axis=0))
        each = self._probabilities(X)
        return np.asarray(np.abs(each - each.mean(axis=0)).sum(axis=2).mean(axis=0) / 2)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the accuracy, or for numbers the coefficient of determination R²."""
        measure = accuracy_score if is_classifier(self) else r2_score
        return float(measure(y, self.predict(X), sample_weight=sample_weight))

    def get_metadata_routing(self) -> Any:
        """Return what metadata the selector and the estimator request."""
        mapping = MethodMapping().add(caller="fit", callee="fit")
        router = MetadataRouter(owner=type(self).__name__).add(
            selector=self._selector(), method_mapping=mapping
        )
        return router.add(estimator=self.estimator, method_mapping=mapping)

    def _routed(self, params: dict[str, Any]) -> Any:
        """Share metadata out among the selector and the estimator."""
        if not sklearn.get_config()["enable_metadata_routing"]:
            if params:
                raise ArgumentError(
                    f"fit got {', '.join(params)}; say who gets it by set_fit_request of selector and "
                    "estimator, after sklearn.set_config(enable_metadata_routing=True)"
                )
            return {"selector": {}, "estimator": {}}
        routed = process_routing(self, "fit", **params)
        return {"selector": routed.selector.fit, "estimator": routed.estimator.fit}

    def _check_voting(self) -> None:
        if self.voting not in VOTING:
            raise ArgumentError(f"voting={self.voting!r}; use 'soft' or 'hard'")
        if is_classifier(self) and self.voting == "soft" and not hasattr(self.estimator, "predict_proba"):
            raise ArgumentError(f"{self.estimator!r} gives no probabilities; use voting='hard'")

    def _checked(self, X: Any, y: Any) -> tuple[Any, Any]:
        """Check shapes and names; frames stay frames, so that columns keep their kinds."""
        numeric = not is_classifier(self)
        if as_frame(X) is not None:
            target = validate_data(self, y=y, y_numeric=numeric)
            return validate_data(self, X, skip_check_array=True), target
        checks: dict[str, Any] = {"dtype": None, "accept_sparse": "csr", "ensure_all_finite": self._finite()}
        values, target = validate_data(self, X, y, y_numeric=numeric, **checks)
        return values, target

    def _selector(self) -> Any:
        if self.selector is not None:
            return clone(self.selector)
        task = "classification" if is_classifier(self) else "regression"
        return AlternativeFeatureSelector(alternatives=4, task=task)

    def _finite(self) -> bool | str:
        """Return what may be in a table: gaps where the selector takes them; the estimator must, too."""
        return "allow-nan" if self._takes_gaps() else True

    def _takes_gaps(self) -> bool:
        known = hasattr(self.selector, "__sklearn_tags__")
        return known and bool(get_tags(self.selector).input_tags.allow_nan)

    def _prototype(self, indices: Any) -> Any:
        if len(indices):
            return clone(self.estimator)
        return DummyClassifier(strategy="prior") if is_classifier(self) else DummyRegressor()

    def _inputs(self, X: Any) -> list[tuple[Any, Any]]:
        """Return each model, and the columns that it sees."""
        check_is_fitted(self)
        frame = as_frame(X) is not None
        checks: dict[str, Any] = {"skip_check_array": True}
        if not frame:
            checks = {"dtype": None, "accept_sparse": "csr", "ensure_all_finite": self._finite()}
        values = validate_data(self, X, reset=False, **checks)
        pairs = zip(self.estimators_, self.feature_sets_, strict=True)
        return [(model, _seen(values, indices)) for model, indices in pairs]

    def _numbers(self, X: Any) -> FloatArray:
        """Return the predictions of each model, shape (sets, rows)."""
        return np.array([model.predict(part) for model, part in self._inputs(X)], dtype=float)

    def _probabilities(self, X: Any) -> FloatArray:
        """Return the classes' probabilities by each model, shape (sets, rows, classes); of votes 0 and 1."""
        if self.voting == "soft":
            return np.array([model.predict_proba(part) for model, part in self._inputs(X)])
        votes = np.array([model.predict(part) for model, part in self._inputs(X)])
        return np.asarray(votes[:, :, None] == self.classes_, dtype=float)

    def __sklearn_tags__(self) -> Any:
        tags, inner = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.estimator_type = inner.estimator_type
        if inner.classifier_tags is not None:
            tags.classifier_tags = replace(inner.classifier_tags, multi_label=False)
        tags.regressor_tags = inner.regressor_tags
        tags.target_tags.required = True
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.allow_nan = self._takes_gaps()
        return tags


def _fitted(model: Any, part: Any, target: Any, params: dict[str, Any]) -> Any:
    """Fit a model to its columns; one of an empty set sees a column of zeros."""
    if isinstance(model, (DummyClassifier, DummyRegressor)) and not part.shape[1]:
        return model.fit(np.zeros((len(target), 1)), target)
    return model.fit(part, target, **params)


def _seen(values: Any, indices: Any) -> Any:
    return columns_of(values, indices) if len(indices) else np.zeros((values.shape[0], 1))
