"""Losses of rows, against scikit-learn's means of them."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression

from altsel.stats.row_losses import predicted, row_losses

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(90, 3))


def test_losses_of_two_classes() -> None:
    y = (X[:, 0] + RANDOM.normal(size=90) > 0).astype(int)
    model = LogisticRegression().fit(X, y)
    said = predicted(model, X, y)
    assert row_losses("brier", said, y).mean() == pytest.approx(metrics.brier_score_loss(y, said[:, 1]))
    assert row_losses("log", said, y).mean() == pytest.approx(metrics.log_loss(y, said))
    assert row_losses("error", said, y).mean() == pytest.approx(1 - model.score(X, y))


def test_losses_of_numbers() -> None:
    y = X[:, 0] + RANDOM.normal(size=90)
    said = predicted(model := LinearRegression().fit(X, y), X, y)
    assert row_losses("squared", said, y).mean() == pytest.approx(metrics.mean_squared_error(y, said))
    assert row_losses("absolute", said, y).mean() == pytest.approx(
        metrics.mean_absolute_error(y, model.predict(X))
    )


def test_a_class_that_the_model_has_not_met_has_no_probability() -> None:
    model = DummyClassifier(strategy="prior").fit([[0]] * 4, [0, 0, 2, 2])
    said, target = predicted(model, [[0]] * 2, np.array([1, 3])), np.array([1, 3])
    assert said.tolist() == [[0.5, 0, 0.5, 0]] * 2
    assert row_losses("brier", said, target).tolist() == [0.75, 0.75]
    assert row_losses("error", said, target).tolist() == [1, 1]
    assert np.isfinite(row_losses("log", said, target)).all()
