"""The statistic W of every feature: how much more relevant it is than its knockoff."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from altsel._types import BoolArray, FloatArray
from altsel.data.dataset import Dataset, with_attributes
from altsel.errors import ArgumentError, DataError
from altsel.stats.dependence.importance import importances
from altsel.stats.dependence.measure import Measure, checked_measure
from altsel.stats.knockoffs.lasso import LassoCoefficients


def chosen_statistic(statistic: Any, random_state: int) -> Measure:
    """Return the measure whose differences are the statistics.

    Raises
    ------
    ArgumentError
        If it is no measure, function or estimator.
    """
    if statistic is None:
        return LassoCoefficients()
    if hasattr(statistic, "fit") and not hasattr(statistic, "relevance"):
        return importances(statistic, random_state, debiased=False)
    if not isinstance(statistic, Measure) and not callable(statistic):
        raise ArgumentError(
            f"statistic={statistic!r}; use a measure such as altsel.measures.relief, a function of two "
            "arrays, or a scikit-learn estimator"
        )
    return checked_measure(statistic)


def differences(
    data: Dataset, knockoffs: FloatArray, measure: Measure, rng: np.random.Generator
) -> FloatArray:
    r"""Return :math:`W_j = r(X_j) - r(\tilde X_j)` of relevances measured in one table with all of them.

    Which of feature and knockoff stands first is drawn, as a model may prefer what it sees first.

    Raises
    ------
    DataError
        If a relevance is no finite number.
    """
    swapped = rng.random(len(data.features)) < 0.5
    original = data.matrix()
    left, right = np.where(swapped, knockoffs, original), np.where(swapped, original, knockoffs)
    values = np.hstack([left, right])
    varied = (values != values[0]).any(axis=0)
    relevance = np.zeros(len(varied))
    relevance[varied] = measured(measure, beside(data, values, varied))
    first, second = relevance[: len(swapped)], relevance[len(swapped) :]
    return np.where(swapped, second - first, first - second)


def measured(measure: Measure, data: Dataset) -> FloatArray:
    """Return relevances, all of them finite."""
    found = np.asarray(measure.relevance(data), dtype=float)
    wrong = np.flatnonzero(~np.isfinite(found))
    if len(wrong):
        raise DataError(
            f"{measure.name} of {data.features[wrong[0]]!r} is {found[wrong[0]]}; knockoffs need finite "
            "relevances"
        )
    return found


def beside(data: Dataset, values: FloatArray, varied: BoolArray) -> Dataset:
    """Return a table of features and knockoffs, with types and kinds as before.

    Parameters
    ----------
    data
        The features and the target.
    values
        Features, then knockoffs, coded, some exchanged; shape (rows, 2 features).
    varied
        Which columns have more than one value; the others are left out.
    """
    both = [*data.features, *other_names(data.features)]
    pairs = zip(both, [*data.features] * 2, varied, strict=True)
    origin = {name: of for name, of, kept in pairs if kept}
    if (data.X.dtypes == np.float64).all():
        table = pd.DataFrame(values if varied.all() else values[:, varied], columns=[*origin], copy=False)
    else:
        columns = zip(origin.items(), values.T[varied], strict=True)
        table = pd.DataFrame({name: _as_before(column, data.X[of]) for (name, of), column in columns})
    table.index = data.X.index
    kinds = {name: data.kinds[of] for name, of in origin.items()}
    return with_attributes(data, X=table, kinds=kinds, _members=None)


def other_names(features: tuple[str, ...]) -> list[str]:
    """Return names for the knockoffs, which no feature has."""
    known, ending = set(features), " (knockoff)"
    while any(name + ending in known for name in features):
        ending += "'"
    return [name + ending for name in features]


def _as_before(values: FloatArray, original: pd.Series[Any]) -> Any:
    if isinstance(original.dtype, pd.CategoricalDtype):
        return pd.Categorical.from_codes(values.astype(np.int64).tolist(), dtype=original.dtype)
    if original.dtype.kind in "iu":
        return np.round(values).astype(original.to_numpy().dtype)
    return values
