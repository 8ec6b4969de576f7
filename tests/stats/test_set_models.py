"""Models that sets are compared by: against statsmodels, scikit-learn and counts by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import log_loss
from sklearn.svm import LinearSVC

import altsel
from altsel.errors import ArgumentError, DataError
from tests.oracles.synthetic_tables import binary, classes, with_copies

ROWS = 120


def test_regressions_against_statsmodels() -> None:
    data = with_copies(1)
    X = sm.add_constant(data.X[["a", "c"]].to_numpy())
    models = altsel.comparison.GLMModels(data)
    fitted = sm.OLS(data.y.to_numpy(), X).fit()
    assert models.losses(["a", "c"]) == pytest.approx(fitted.resid**2)
    assert models.predictions(["c", "a"]) == pytest.approx(fitted.fittedvalues)
    shift = np.log(data.y.std(ddof=0))  # responses are scaled
    assert models.log_likelihoods(["a", "c"]).sum() - ROWS * shift == pytest.approx(fitted.llf)
    two = binary(1)
    logit = sm.Logit(two.y.to_numpy(), X).fit(disp=0)
    assert altsel.comparison.GLMModels(two).log_likelihoods(["a", "c"]).sum() == pytest.approx(logit.llf)
    assert altsel.comparison.GLMModels(two).predictions(["a", "c"]) == pytest.approx(
        logit.predict(), abs=1e-5
    )
    three = classes()
    design = sm.add_constant(
        pd.get_dummies(three.X["c"].astype(str), drop_first=True, dtype=float).to_numpy()
    )
    more = sm.MNLogit(three.y.to_numpy(), design).fit(disp=0, maxiter=200)
    as_categories = altsel.Dataset(three.X.astype({"c": str}), three.y)
    assert altsel.comparison.GLMModels(as_categories).log_likelihoods(["c"]).sum() == pytest.approx(
        more.llf, rel=1e-4
    )
    counts = altsel.Dataset(data.X, np.random.default_rng(0).poisson(3, ROWS), "regression")
    poisson = sm.Poisson(counts.y.to_numpy(), X).fit(disp=0)
    assert altsel.comparison.GLMModels(counts, altsel.independence.Poisson()).log_likelihoods(
        ["a", "c"]
    ).sum() == pytest.approx(poisson.llf)


def test_frequencies_are_counts_by_hand() -> None:
    data = altsel.Dataset({"a": [0, 0, 1, 1, 1], "b": [0, 1, 0, 1, 1]}, [0, 1, 1, 1, 0])
    models = altsel.comparison.FrequencyModels(data)
    assert models.predictions(["a"]).tolist() == pytest.approx([0.5, 0.5, 2 / 3, 2 / 3, 2 / 3])
    assert models.losses(["a"])[4] == pytest.approx(-2 * np.log(1 / 3))
    assert models.predictions([]).tolist() == pytest.approx([0.6] * 5)
    with pytest.raises(DataError, match="'a'"):
        altsel.comparison.FrequencyModels(altsel.Dataset({"a": [0.5, 1.5, 2.5]}, [0, 1, 0]))


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@pytest.mark.slow
def test_what_determines_what_in_tables_of_counts() -> None:
    data = classes(1, 300)
    X = data.X.assign(code=data.X["b"].map({0: "x", 1: "y"}), both=data.X["b"] * 10 + data.X["d"])
    wide = altsel.Dataset(X.assign(key=[f"k{j}" for j in range(300)]), data.y, keep=["key"])
    models = altsel.comparison.FrequencyModels(wide)
    assert models.determined("code", ["b"])
    assert models.determined("code", ["a", "c", "d", "both"])
    assert models.determined("both", ["b", "d", "c"])
    assert not models.determined("both", ["b"])
    assert not models.determined("b", ["key"]), "one row a cell determines nothing"
    test = altsel.comparison.ByIndependence(altsel.independence.GSquare(wide, samples_per_cell=30))
    assert test(["b", "d", "a"], ["both", "a"]).p == 1
    assert not test(["b", "d", "a"], ["both", "c"]).tested


def test_estimators_on_hold_out_rows() -> None:
    data = with_copies(5)
    train = altsel.Dataset(data.X[:80], data.y[:80])
    test = train.holdout(data.X[80:], data.y[80:])
    models = altsel.comparison.SklearnModels(train, LinearRegression(), holdout=test)
    plain = LinearRegression().fit(data.X[["a", "b"]][:80], data.y[:80]).predict(data.X[["a", "b"]][80:])
    assert models.losses(["b", "a"]) == pytest.approx((data.y[80:].to_numpy() - plain) ** 2)
    two = binary(5)
    half = altsel.Dataset(two.X[:80], two.y[:80].map({0: "no", 1: "yes"}))
    rest = half.holdout(two.X[80:], two.y[80:].map({0: "no", 1: "yes"}))
    logistic = altsel.comparison.SklearnModels(half, LogisticRegression(), holdout=rest)
    message = LogisticRegression().fit(two.X[["a"]][:80], two.y[:80]).predict_proba(two.X[["a"]][80:])
    assert logistic.losses(["a"]).mean() == pytest.approx(2 * log_loss(two.y[80:], message))
    assert logistic.truth().tolist() == two.y[80:].tolist()
    assert altsel.comparison.SklearnModels(half, LinearSVC(), holdout=rest).losses(["a"]).mean() < 0.5
    assert (
        altsel.comparison.SklearnModels(half, RandomForestClassifier(5, random_state=0)).losses([]).std() > 0
    )
    mixed = altsel.Dataset(
        pd.DataFrame({"colour": list("abc") * 20, "n": np.arange(60.0)}), [0, 1, 1, 0, 1, 0] * 10
    )
    assert np.isfinite(altsel.comparison.SklearnModels(mixed).losses(["colour", "n"])).all()
    unseen = mixed.holdout(pd.DataFrame({"colour": ["a", "z"], "n": [1, 2]}), [0, 1])
    assert np.isfinite(altsel.comparison.SklearnModels(mixed, holdout=unseen).losses(["colour", "n"])).all()
    with pytest.raises(ArgumentError, match="LogisticRegression cannot be fitted to colour"):
        altsel.comparison.SklearnModels(mixed, LogisticRegression()).losses(["colour"])
    with pytest.raises(ArgumentError, match="no scikit-learn estimator"):
        altsel.comparison.SklearnModels(mixed, "forest")


def test_a_column_that_is_nearly_a_sum_of_others_adds_no_coefficient() -> None:
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.normal(size=(400, 2)), columns=list("ab"))
    table["sum"] = table["a"] + table["b"] + 1e-5 * random.normal(size=400)
    models = altsel.comparison.GLMModels(altsel.Dataset(table, pd.Series(random.normal(size=400), name="y")))
    assert models.fit(["a", "b", "sum"]).columns == models.fit(["a", "b"]).columns == 3


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")  # copies
@pytest.mark.parametrize(("rows", "enough"), [(10, True), (9, False)])
def test_five_rows_a_cell_are_needed_to_determine(rows: int, enough: bool) -> None:
    a = np.arange(rows) % 2
    data = altsel.Dataset({"a": a, "b": 1 - a, "c": np.arange(rows) % 3}, np.arange(rows) // 2 % 2)
    assert altsel.comparison.FrequencyModels(data).determined("b", ["a"]) is enough
