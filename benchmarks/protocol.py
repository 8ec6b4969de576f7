"""The analysis protocol of TMFBS section 8: divide the rows, tune alpha and the ridge, judge solutions."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import altsel
from altsel._types import FloatArray
from altsel.search.blankets.all.order_variables import dependent_in_turn
from altsel.search.blankets.blanket_search import begin
from altsel.search.blankets.forward_backward import remove_least_dependent

ALPHAS = np.geomspace(1e-8, 0.05, 100)
LAMBDAS = 2.0 ** np.arange(-30, 30.5, 0.5)
FEWER_LAMBDAS = LAMBDAS[::8]
"""A choice of them for logistic regression, where every one is a fit of its own."""


@dataclass(frozen=True)
class Parts:
    """Rows to fit to, to tune by, and to judge by."""

    train: altsel.Dataset
    validation: altsel.Dataset
    both: altsel.Dataset
    test: altsel.Dataset


def read(folder: Path, name: str) -> pd.DataFrame:
    """Read a set, without rows that miss values, and without the names in Musk v2 (PMLB's clean2)."""
    table = pd.read_csv(folder / f"{name}.csv.gz", keep_default_na=False, na_values=[""]).dropna()
    table = table.drop(columns=["molecule_name", "conformation_name"], errors="ignore")
    return table.loc[:, (table != table.iloc[0]).any()]


def parts(table: pd.DataFrame, seed: int, share: float = 1.0, *, both: bool = False) -> Parts:
    """Divide rows 60/20/20; a share of the training rows is kept (section 8.2), or of validation rows too."""
    classes = table["target"] if table["target"].nunique() == 2 else None
    rest, test = train_test_split(table, test_size=0.2, random_state=seed, stratify=classes)
    again = rest["target"] if classes is not None else None
    train, validation = train_test_split(rest, test_size=0.25, random_state=seed, stratify=again)
    if share < 1:
        train = train.sample(frac=share, random_state=seed)
        validation = validation.sample(frac=share, random_state=seed) if both else validation
    task = "binary" if classes is not None else "regression"
    together = pd.concat([train, validation])
    usable = list(train.columns[(train != train.iloc[0]).any()])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first = altsel.Dataset(train[usable], "target", task)
        second = altsel.Dataset(together[usable], "target", task)
    features = [name for name in usable if name != "target"]
    held = [part[features] for part in (validation, test)]
    return Parts(
        first,
        first.holdout(held[0], validation["target"]),
        second,
        second.holdout(held[1], test["target"]),
    )


def usual_test(data: altsel.Dataset) -> altsel.independence.Independence:
    """Partial correlation for numbers, logistic likelihood ratios for classes."""
    return (
        altsel.independence.LikelihoodRatio(data)
        if data.discrete_target
        else altsel.independence.PartialCorrelation(data)
    )


def selections(data: altsel.Dataset) -> dict[float, tuple[str, ...]]:
    """Forward-backward selection at every alpha; all forward phases begin alike, so there is one."""
    test = usual_test(data)
    widest = begin(test, float(ALPHAS[-1]), None)
    log_p: list[float] = []
    while (name := next(iter(dependent_in_turn(widest)), None)) is not None:
        log_p.append(float(test([name], widest.members).log_p[0]))
        widest.admit(name)
    chosen: dict[float, tuple[str, ...]] = {}
    left: dict[int, list[str]] = {}  # of the same first features a lower level removes more
    for alpha in ALPHAS[::-1].tolist():
        over = next((i for i, value in enumerate(log_p) if value > log(alpha)), len(log_p))
        search = begin(test, alpha, None)
        search.members = left.setdefault(over, widest.members[:over])
        remove_least_dependent(search)
        chosen[alpha] = tuple(search.members)
    return {alpha: chosen[alpha] for alpha in ALPHAS.tolist()}


def model(data: altsel.Dataset, penalty: float) -> Any:
    """Ridge regression, linear or logistic, on scaled features."""
    if data.discrete_target:
        return make_pipeline(StandardScaler(), _logistic(C=1 / penalty))
    return make_pipeline(StandardScaler(), Ridge(penalty))


def _logistic(**options: Any) -> LogisticRegression:
    """Fit by Newton's method, which also ends at the optimum where the ridge is weak."""
    return LogisticRegression(solver="newton-cholesky", tol=1e-8, max_iter=1000, **options)


def performance(estimated: altsel.comparison.SklearnModels, features: tuple[str, ...]) -> float:
    """R2 of numbers, area under the ROC curve of classes, on the rows judged."""
    truth = estimated.truth()
    if estimated.data.discrete_target:
        return float(roc_auc_score(truth, estimated.predictions(features)))
    return float(1 - estimated.losses(features).sum() / ((truth - truth.mean()) ** 2).sum())


def tuned(given: Parts, lambdas: FloatArray = LAMBDAS) -> tuple[float, float, tuple[str, ...]]:
    """Choose alpha and the penalty that do best on the validation rows; of equals the first."""
    chosen = selections(given.train)
    best = (-np.inf, 0.0, 0.0)
    for features in dict.fromkeys(chosen.values()):
        alpha = next(alpha for alpha, one in chosen.items() if one == features)
        for penalty, value in _scores(given, features, lambdas):
            if value > best[0] + 1e-12:
                best = (value, alpha, penalty)
    return best[1], best[2], chosen[best[1]]


def _scores(given: Parts, features: tuple[str, ...], lambdas: FloatArray) -> list[tuple[float, float]]:
    """Score all penalties on the validation rows."""
    if not features:
        return [(1.0, 0.5 if given.train.discrete_target else 0.0)]
    X, held = (data.X[list(features)].to_numpy(float) for data in (given.train, given.validation))
    scaler = StandardScaler().fit(X)
    path = _areas if given.train.discrete_target else _shares_explained
    values = path(scaler.transform(X), given.train.y, scaler.transform(held), given.validation.y, lambdas)
    return list(zip(lambdas.tolist(), values, strict=True))


def _areas(
    X: FloatArray, y: pd.Series, held: FloatArray, truth: pd.Series, lambdas: FloatArray
) -> list[float]:
    """Area under the ROC curve of logistic regression, fitted from the strongest penalty downwards."""
    fitted = _logistic(warm_start=True)
    areas = {}
    for penalty in sorted(lambdas.tolist(), reverse=True):
        fitted.set_params(C=1 / penalty).fit(X, y)
        areas[penalty] = float(roc_auc_score(truth, fitted.decision_function(held)))
    return [areas[penalty] for penalty in lambdas.tolist()]


def _shares_explained(
    X: FloatArray, y: pd.Series, held: FloatArray, truth: pd.Series, lambdas: FloatArray
) -> list[float]:
    """R2 of ridge regression for all penalties, by one singular value decomposition."""
    left, values, right = np.linalg.svd(X, full_matrices=False)
    mean, seen = y.to_numpy(float).mean(), truth.to_numpy(float)[:, None]
    target = left.T @ (y.to_numpy(float) - mean)
    weights = right.T @ (values[:, None] / (values[:, None] ** 2 + lambdas) * target[:, None])
    errors = ((seen - held @ weights - mean) ** 2).sum(axis=0)
    return (1 - errors / ((seen - seen.mean()) ** 2).sum()).tolist()  # type: ignore[no-any-return]
