"""Ensembles: means and spreads by hand, any container, several processes."""

from __future__ import annotations

from typing import Any

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.datasets import load_diabetes, load_wine
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.metrics import accuracy_score, r2_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import altsel
from altsel.sklearn import AlternativeEnsemble, AlternativeFeatureSelector, MarkovBlanketSelector

X, Y = load_wine(return_X_y=True)
WORDS = np.array(["red", "white", "green"])[Y]
SELECTOR = AlternativeFeatureSelector("univariate", relevance="correlation-ratio", k=3, alternatives=2)


def one_by_one(fitted: Any, method: str, model: Any, table: Any, target: Any) -> np.ndarray:
    """Fit a model to each set, and return what it predicts."""
    models = [(sklearn.base.clone(model), indices) for indices in fitted.feature_sets_]
    return np.array([getattr(one.fit(table[:, j], target), method)(table[:, j]) for one, j in models])


def test_probabilities_and_their_total_variation_from_the_mean() -> None:
    model = make_pipeline(StandardScaler(), LogisticRegression())
    fitted = AlternativeEnsemble(model, SELECTOR).fit(X, WORDS)
    each = one_by_one(fitted, "predict_proba", model, X, WORDS)
    assert len(each) == 3
    np.testing.assert_allclose(fitted.predict_proba(X), each.mean(axis=0))
    spread = [
        sum(0.5 * sum(abs(p[c] - q[c]) for c in range(3)) for p in row) / 3
        for row, q in zip(each.transpose(1, 0, 2), each.mean(axis=0), strict=True)
    ]
    np.testing.assert_allclose(fitted.spread(X), spread)
    assert 0 <= fitted.spread(X).min() < fitted.spread(X).max() <= 2 / 3
    assert fitted.score(X, WORDS) == accuracy_score(WORDS, fitted.predict(X)) > 0.9
    assert fitted.classes_.tolist() == ["green", "red", "white"]


def test_votes_and_ginis_index() -> None:
    fitted = AlternativeEnsemble(RidgeClassifier(), SELECTOR, voting="hard").fit(X, WORDS)
    votes = one_by_one(fitted, "predict", RidgeClassifier(), X, WORDS)
    shares = (votes[:, :, None] == fitted.classes_).mean(axis=0)
    assert fitted.predict(X).tolist() == fitted.classes_[shares.argmax(axis=1)].tolist()
    np.testing.assert_allclose(fitted.spread(X), 1 - (shares**2).sum(axis=1))
    assert set(fitted.spread(X).round(6)) >= {0.0, round(4 / 9, 6)}
    assert not hasattr(fitted, "predict_proba")


def test_numbers_and_their_standard_deviation() -> None:
    table, target = load_diabetes(return_X_y=True)
    fitted = AlternativeEnsemble(LinearRegression(), SELECTOR).fit(table, target)
    each = one_by_one(fitted, "predict", LinearRegression(), table, target)
    np.testing.assert_allclose(fitted.predict(table), each.mean(axis=0))
    np.testing.assert_allclose(fitted.spread(table), np.sqrt(((each - each.mean(axis=0)) ** 2).mean(axis=0)))
    assert fitted.score(table, target) == pytest.approx(r2_score(target, each.mean(axis=0)))
    assert sklearn.base.is_regressor(fitted)


def test_processes_as_the_caller_configures_them() -> None:
    model = AlternativeEnsemble(DecisionTreeClassifier(random_state=0), SELECTOR)
    alone = model.fit(X, Y).predict_proba(X)
    with joblib.parallel_config("threading", n_jobs=2):
        assert (model.fit(X, Y).predict_proba(X) == alone).all()


def test_models_see_columns_of_the_frame_with_their_kinds() -> None:
    random = np.random.default_rng(0)
    table = pd.DataFrame(
        {"colour": random.choice(["a", "b"], 100), "size": random.normal(size=100), "noise": 0.0}
    )
    target = (table["colour"] == "a") & (table["size"] > -1)
    kinds = make_column_transformer(
        (OneHotEncoder(), make_column_selector(dtype_exclude="number")), remainder="passthrough"
    )
    selector = AlternativeFeatureSelector("cfs", k=1, alternatives=1)
    model = AlternativeEnsemble(make_pipeline(kinds, LogisticRegression()), selector).fit(table, target)
    assert model.feature_names_in_.tolist() == ["colour", "size", "noise"]
    assert sorted(indices.tolist() for indices in model.feature_sets_) == [[0], [1]]
    assert model.score(table, target) > 0.7
    numbers = pl.DataFrame({"size": table["size"].to_numpy(), "other": random.normal(size=100)})
    by_polars = AlternativeEnsemble(LogisticRegression(), selector).fit(numbers, target)
    assert by_polars.spread(numbers).shape == (100,)


@pytest.mark.slow
def test_the_default_selector_finds_five_sets_for_the_task_of_the_estimator() -> None:
    table, target = load_diabetes(return_X_y=True)
    classes = (target > 140).astype(int)
    for model, values in ((LinearRegression(), classes), (LogisticRegression(), classes)):
        fitted = AlternativeEnsemble(model).fit(table, values)
        assert len(fitted.selector_.solutions_) == 5
        assert fitted.selector_.task == (
            "regression" if model.__class__ is LinearRegression else "classification"
        )
        assert fitted.spread(table).max() > 0


def test_an_empty_set_predicts_the_shares_of_the_classes() -> None:
    selector = MarkovBlanketSelector("fbs", alpha=1e-300)
    fitted = AlternativeEnsemble(LogisticRegression(), selector).fit(X, Y)
    np.testing.assert_allclose(fitted.predict_proba(X[:2]), [np.bincount(Y) / len(Y)] * 2)


def test_metadata_are_routed_to_selector_and_estimator() -> None:
    weights = (np.arange(len(Y)) % 4).astype(float)
    with pytest.raises(altsel.ArgumentError, match="fit got sample_weight; say who gets it"):
        AlternativeEnsemble(LogisticRegression(), SELECTOR).fit(X, Y, sample_weight=weights)
    with sklearn.config_context(enable_metadata_routing=True):
        selector = MarkovBlanketSelector("fbs", alpha=0.001).set_fit_request(sample_weight=True, groups=True)
        tree = DecisionTreeClassifier(random_state=0).set_fit_request(sample_weight=True)
        fitted = AlternativeEnsemble(tree, selector).fit(
            X, Y, sample_weight=weights, groups=np.arange(len(Y)) // 2
        )
    assert "groups" in fitted.selector_.solutions_.criterion
    inner = fitted.estimators_[0].tree_
    assert inner.weighted_n_node_samples[0] == weights.sum()


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (AlternativeEnsemble(LogisticRegression(), voting="both"), "voting='both'; use 'soft' or 'hard'"),
        (AlternativeEnsemble(LogisticRegression(), SelectKBest(k=2)), "finds no feature_sets_"),
        (AlternativeEnsemble(RidgeClassifier()), "gives no probabilities; use voting='hard'"),
    ],
)
def test_wrong_arguments_are_named(model: AlternativeEnsemble, message: str) -> None:
    with pytest.raises(altsel.ArgumentError, match=message):
        model.fit(X, Y)
