"""Any scikit-learn estimator as the models that feature sets are compared by, on hold-out rows if wanted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from altsel._types import FloatArray
from altsel.data.dataset import Dataset, checked_dataset
from altsel.data.schema import Kind
from altsel.errors import ArgumentError, of_kind
from altsel.runtime.on_demand import OnDemand
from altsel.stats.equivalence.protocol import Names, Remembered, known_features

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

base: Any = OnDemand("sklearn.base")
compose: Any = OnDemand("sklearn.compose")
dummy: Any = OnDemand("sklearn.dummy")
linear_model: Any = OnDemand("sklearn.linear_model")
pipeline: Any = OnDemand("sklearn.pipeline")
preprocessing: Any = OnDemand("sklearn.preprocessing")
LEAST = 1e-15
"""Probabilities below this count as this, so that no deviance is infinite."""


class SklearnModels:
    """Models by a scikit-learn estimator, fitted to some rows and judged on others.

    The loss of a row is its squared error, or for classes its deviance ``-2 log p(t)``; for a
    classifier without ``predict_proba`` 1 where it errs. A set without features predicts the mean, or
    the classes' shares.

    Parameters
    ----------
    data
        The rows to fit to.
    estimator
        Any estimator or pipeline; it gets a DataFrame of the set's columns. Default: least squares, or
        logistic regression, on scaled numbers and one-hot categories.
    holdout
        The rows to judge on, as from ``data.holdout(...)``; default: the same rows.

    Raises
    ------
    ArgumentError
        If the estimator has no ``fit`` and ``predict``.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0.0, 1, 2, 3], "b": [1.0, 0, 0, 1]}, [0.1, 1.1, 2.1, 3.1])
    >>> SklearnModels(data).losses([]).round(4).tolist()
    [2.25, 0.25, 0.25, 2.25]
    """

    def __init__(
        self, data: Dataset, estimator: BaseEstimator | None = None, *, holdout: Dataset | None = None
    ) -> None:
        checked_dataset("SklearnModels", data)
        of_kind("holdout", holdout, Dataset | None, "a Dataset, as data.holdout(X, y) makes it")
        self.data, self.rows = data, holdout or data
        self.estimator = usual_estimator(data) if estimator is None else estimator
        if not (hasattr(self.estimator, "fit") and hasattr(self.estimator, "predict")):
            raise ArgumentError(f"{self.estimator!r} is no scikit-learn estimator: it needs fit and predict")
        self._known = Remembered(self._judge)

    @property
    def name(self) -> str:
        """The models in words."""
        last = (
            self.estimator.steps[-1][1] if isinstance(self.estimator, pipeline.Pipeline) else self.estimator
        )
        where = "the same rows" if self.rows is self.data else f"{len(self.rows.X)} hold-out rows"
        return f"{type(last).__name__} on {where}"

    def losses(self, features: Names) -> FloatArray:
        """Return squared errors, or deviances."""
        return np.asarray(self._known(features)[0])

    def predictions(self, features: Names) -> FloatArray:
        """Return predictions, or probabilities of the second of two classes or of the row's own class."""
        return np.asarray(self._known(features)[1])

    def truth(self) -> FloatArray:
        """Return the target as numbers."""
        if not self.data.discrete_target:
            return self.rows.target_values()
        return np.searchsorted(np.unique(_labels(self.data)), _labels(self.rows)).astype(float)

    def _judge(self, features: tuple[str, ...]) -> tuple[FloatArray, FloatArray]:
        known_features(features, self.data.features)
        order = [name for name in self.data.features if name in features]

        model = base.clone(self.estimator)
        if not order:
            model = (
                dummy.DummyClassifier(strategy="prior")
                if self.data.discrete_target
                else dummy.DummyRegressor()
            )
        table = self.rows.X[order] if order else np.zeros((len(self.rows.X), 1))
        fitted_to = self.data.X[order] if order else np.zeros((len(self.data.X), 1))
        try:
            model.fit(fitted_to, _labels(self.data))
            return judge(model, table, _labels(self.rows), self.data.discrete_target)
        except ValueError as fault:
            kind = type(self.estimator).__name__
            raise ArgumentError(
                f"{kind} cannot be fitted to {', '.join(order) or 'no features'}: {fault}"
            ) from fault


def judge(model: Any, table: Any, labels: np.ndarray, classes: bool) -> tuple[FloatArray, FloatArray]:
    """Return losses and predictions of some rows by a fitted model; see `SklearnModels`."""
    if not classes:
        predicted = np.asarray(model.predict(table), dtype=float)
        return (labels.astype(float) - predicted) ** 2, predicted
    if not hasattr(model, "predict_proba"):
        wrong = (np.asarray(model.predict(table)) != labels).astype(float)
        scores = model.decision_function(table) if hasattr(model, "decision_function") else 1 - wrong
        return wrong, np.asarray(scores if np.ndim(scores) == 1 else 1 - wrong, dtype=float)
    shares = np.asarray(model.predict_proba(table))
    index = np.searchsorted(model.classes_, labels).clip(max=shares.shape[1] - 1)
    own = np.where(model.classes_[index] == labels, shares[np.arange(len(labels)), index], 0.0)
    return -2 * np.log(np.maximum(own, LEAST)), shares[:, 1] if shares.shape[1] == 2 else own


def usual_estimator(data: Dataset) -> Any:
    """Build least squares or logistic regression on scaled numbers and one-hot categories.

    Examples
    --------
    >>> import altsel
    >>> usual_estimator(altsel.Dataset({"a": [1.0, 2, 3]}, [0.5, 1.5, 3.5])).steps[-1][0]
    'linearregression'
    """
    declared = {name for name, kind in data.kinds.items() if kind is Kind.CATEGORICAL}
    categories = tuple(f for f in data.features if f in declared or data.X[f].dtype == "category")
    prepared = compose.ColumnTransformer(
        [
            (
                "categories",
                preprocessing.OneHotEncoder(handle_unknown="ignore", sparse_output=False),
                Among(categories, True),
            ),
            ("numbers", preprocessing.StandardScaler(), Among(categories, False)),
        ]
    )
    regression = linear_model.LogisticRegression(C=1e6, max_iter=2000)
    model = regression if data.discrete_target else linear_model.LinearRegression()
    return pipeline.make_pipeline(prepared, model)


@dataclass(frozen=True)
class Among:
    """Marks which columns of a table are among some, or are not; unlike a lambda it can be pickled."""

    names: tuple[str, ...]
    wanted: bool

    def __call__(self, table: Any) -> list[str]:
        """Return the names of these columns."""
        return [name for name in table.columns if (name in self.names) is self.wanted]


def _labels(data: Dataset) -> np.ndarray:
    values = data.y.to_numpy()
    return values if data.y.dtype != "category" else values.astype(str)
