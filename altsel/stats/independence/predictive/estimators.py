"""Any estimator of scikit-learn as the model of a target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from altsel._types import FloatArray, IntArray
from altsel.errors import ArgumentError
from altsel.runtime.on_demand import OnDemand
from altsel.stats.independence.predictive.table import (
    Change,
    Response,
    Table,
    aligned,
    copies_of,
    number_of_copies,
)

base: Any = OnDemand("sklearn.base")
pipeline: Any = OnDemand("sklearn.pipeline")

ROUNDING = 1e-6
SUBSETS = "could not convert string", "of the dataframe", "not in index"
"""What estimators say that were not written for categories, or for some of the columns."""


@dataclass(frozen=True, eq=False)
class Estimators:
    """Clones of an estimator or pipeline, which get a DataFrame of the columns, sorted by name.

    Parameters
    ----------
    estimator
        It, with ``fit`` and ``predict``.
    probabilities
        Whether classes need ``predict_proba``; else the class that ``predict`` returns will do.
    seed
        For each ``random_state`` that is not set.

    Raises
    ------
    ArgumentError
        If it lacks a method.
    """

    estimator: Any
    probabilities: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        if isinstance(self.estimator, type) or not all(
            hasattr(self.estimator, method) for method in ("fit", "predict", "get_params")
        ):
            raise ArgumentError(
                f"{self.estimator!r} is no scikit-learn estimator: it needs fit, predict and get_params"
            )

    @property
    def name(self) -> str:
        """The class of the estimator, or of the last step of a pipeline."""
        piped = isinstance(self.estimator, pipeline.Pipeline)
        return type(self.estimator.steps[-1][1] if piped else self.estimator).__name__

    def refuse_without_probabilities(self) -> None:
        """Raise an ArgumentError if classes need probabilities and the estimator gives none."""
        if self.probabilities and not hasattr(self.estimator, "predict_proba"):
            raise ArgumentError(
                f"{self.name} has no predict_proba, which the loss needs: use loss='zero-one', or wrap the "
                "estimator in sklearn.calibration.CalibratedClassifierCV"
            )

    def fit(self, table: Table, columns: Sequence[int], response: Response, rows: IntArray) -> EstimatorModel:
        """Fit a clone.

        Raises
        ------
        ArgumentError
            If it cannot be fitted to these rows.
        """
        truth = response.values[rows]
        try:
            model = self._clone()
            frame = table.frame.iloc[rows, list(columns)].reset_index(drop=True)
            model.fit(frame, response.labels[truth] if response.classes else truth)
        except Exception as fault:
            raise self._failed("cannot be fitted", fault) from fault
        return EstimatorModel(self, tuple(columns), response.labels, model)

    def _clone(self) -> Any:
        """Clone the estimator, with a seed where it has none."""
        model = base.clone(self.estimator)
        unset = [
            name
            for name, value in model.get_params().items()
            if name.split("__")[-1] == "random_state" and value is None
        ]
        return model.set_params(**dict.fromkeys(unset, self.seed))

    def _failed(self, what: str, fault: Exception) -> ArgumentError:
        said = str(fault).strip() or type(fault).__name__
        hint = (
            "; models are fitted to some of the columns at a time, so a pipeline must choose by kind: "
            "make_column_transformer((OneHotEncoder(handle_unknown='ignore'), "
            "make_column_selector(dtype_include='category')), remainder='passthrough')"
        )
        return ArgumentError(f"{self.name} {what}: {said}{hint if any(s in said for s in SUBSETS) else ''}")


@dataclass(frozen=True, eq=False)
class EstimatorModel:
    """A fitted clone."""

    learner: Estimators
    columns: tuple[int, ...]
    labels: np.ndarray
    model: Any

    def uses(self, variable: int) -> bool:
        """Return True: of most estimators that cannot be known."""
        return True

    def predict(self, table: Table, rows: IntArray, changes: Sequence[Change] = ()) -> Any:
        """Predict rows as they are, then with every change.

        Raises
        ------
        ArgumentError
            If the estimator cannot.
        """
        number = number_of_copies(changes)
        coded = {variable: np.tile(table.coded[rows, variable], (number, 1)) for variable in self.columns}
        for variable, values, copies in copies_of(changes):
            coded[variable][copies] = values
        names = table.frame.columns
        frame = pd.DataFrame(
            {names[variable]: table.column(variable, values.ravel()) for variable, values in coded.items()}
        )
        try:
            flat = self._predicted(frame)
        except Exception as fault:
            raise self.learner._failed("cannot predict", fault) from fault
        return flat.reshape(number, len(rows), *flat.shape[1:])

    def _predicted(self, frame: pd.DataFrame) -> FloatArray:
        if not len(self.labels):
            said = np.asarray(self.model.predict(frame), dtype=float).reshape(len(frame))
            if not np.isfinite(said).all():
                raise ValueError("predict gave numbers that are not finite")
            return said
        numbers = {label: number for number, label in enumerate(self.labels.tolist())}
        if self.learner.probabilities:
            present = np.array([numbers[label] for label in np.asarray(self.model.classes_).tolist()])
            shares = np.asarray(self.model.predict_proba(frame), dtype=float)
            if (
                shares.shape != (len(frame), len(present))
                or not ((shares >= -ROUNDING) & (shares <= 1 + ROUNDING)).all()
            ):
                raise ValueError(
                    f"predict_proba gave an array of shape {shares.shape}, or numbers that are no "
                    "probabilities"
                )
            if (np.diff(present) < 0).any():
                shares, present = shares[:, np.argsort(present)], np.sort(present)
            return aligned(shares, present, len(self.labels))
        classes = np.asarray(self.model.predict(frame)).ravel().tolist()
        return np.eye(len(self.labels))[[numbers[label] for label in classes]]
