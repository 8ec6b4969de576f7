"""Folds: what sees the target sees the rows to learn from alone."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.preprocessing import StandardScaler

import altsel
from altsel.studying.grid import configurations
from altsel.studying.plan import Plan
from altsel.studying.selections import ByCriterion
from altsel.studying.within_folds import DifferentInFold, Judges, TriedInFold, folds_of, pooled

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(60, 4))
DATA = altsel.Dataset(X, X[:, 0] + RANDOM.normal(size=60))
PLAN = Plan(
    criteria=["univariate"], measures=["absolute-pearson"], sizes=[1], learners=[], models=["linear"], folds=3
).for_data(DATA)
FOLDS = folds_of(DATA, PLAN)


def test_losses_are_those_of_models_of_the_other_rows() -> None:
    train, judged = FOLDS[0]
    losses = Judges(DATA, FOLDS[0], 0).losses([(("x0", "x2"), "linear"), ((), "linear")])
    y, scaler = DATA.y.to_numpy(), StandardScaler().fit(X[train][:, [0, 2]])
    model = Ridge().fit(scaler.transform(X[train][:, [0, 2]]), y[train])
    expected = (model.predict(scaler.transform(X[judged][:, [0, 2]])) - y[judged]) ** 2
    np.testing.assert_allclose(losses["squared"][:, 0], expected)
    np.testing.assert_allclose(losses["squared"][:, 1], (y[train].mean() - y[judged]) ** 2)
    np.testing.assert_allclose(losses["absolute"] ** 2, losses["squared"])


def test_a_target_of_the_rows_judged_changes_nothing_but_their_losses() -> None:
    """What is selected and predicted in a fold must not know them."""
    known, other = DATA.y.to_numpy(), DATA.y.to_numpy().copy()
    judged, far = FOLDS[0][1], -1000.0
    other[judged] = far
    tried = configurations(PLAN)
    one, two = (TriedInFold(data, PLAN, tried, FOLDS)(0) for data in (DATA, altsel.Dataset(X, other)))
    said = far + np.array(two["losses"]["absolute"])
    np.testing.assert_allclose(np.abs(said - known[judged][:, None]), one["losses"]["absolute"], atol=1e-9)
    assert one["sizes"] == two["sizes"] == [0, 1, 4]


def test_alternatives_that_are_not_there_are_told() -> None:
    plan = PLAN.model_copy(update={"alternatives": 3, "tau": [0.5, 1.0]})
    selection = ByCriterion("univariate", "absolute-pearson", 2)
    near, far = DifferentInFold(DATA, plan, selection, "linear", FOLDS)(1)
    assert near is not None
    assert len(near) == len(FOLDS[1][1])
    assert far is None


def test_pooled_losses_are_in_the_order_of_the_rows() -> None:
    parts = [[float(row) for row in judged] for _, judged in FOLDS]
    assert pooled(FOLDS, parts, 60).tolist() == list(range(60))


def test_classes_are_in_all_folds_alike() -> None:
    data = altsel.Dataset(X, np.repeat(["a", "b"], [45, 15]))
    for _, judged in folds_of(data, PLAN):
        assert (data.y.iloc[judged] == "b").sum() == pytest.approx(5)
