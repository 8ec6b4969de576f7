"""Likelihood ratios against statsmodels, for every family and for features of any kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats

import altsel
from altsel.stats.independence.glm.families import Categorical, Gaussian, Poisson
from altsel.stats.independence.glm.pairs import places
from altsel.stats.independence.protocol import TestResults

ROWS = 300
KINDS = ["binary", "multiclass", "number", "counts"]


def table(seed: int = 0) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "n": random.normal(size=ROWS),
            "m": random.normal(size=ROWS) * 50 + 1000,
            "b": random.choice(["no", "yes"], ROWS),
            "c": random.choice(list("uvwx"), ROWS),
        }
    )


def dataset(kind: str, seed: int = 0) -> altsel.Dataset:
    frame, random = table(seed), np.random.default_rng(seed + 1)
    eta = frame["n"] * 0.7 + (frame["c"] == "u") - (frame["b"] == "yes") * 0.4
    y: dict[str, Any] = {
        "binary": (random.random(ROWS) < 1 / (1 + np.exp(-eta))).astype(int),
        "multiclass": np.digitize(eta + random.logistic(size=ROWS), [-0.5, 1]),
        "number": eta + random.normal(size=ROWS),
        "counts": random.poisson(np.exp(eta * 0.5)),
    }
    task = "regression" if kind in {"number", "counts"} else None
    return altsel.Dataset(frame, pd.Series(y[kind], name="y"), task)


def ratio_of(kind: str, data: altsel.Dataset, **options: Any) -> altsel.independence.LikelihoodRatio:
    return altsel.independence.LikelihoodRatio(
        data, family=altsel.independence.Poisson() if kind == "counts" else None, **options
    )


def log_likelihood(kind: str, data: altsel.Dataset, names: list[str]) -> float:
    design = np.ones((ROWS, 1))
    if names:
        design = sm.add_constant(pd.get_dummies(data.X[names], drop_first=True).astype(float)).to_numpy()
    y = data.target_values() if data.discrete_target else data.y.to_numpy()
    if kind == "number":
        return float(sm.OLS(y, design).fit().llf)
    model = {"binary": sm.Logit, "multiclass": sm.MNLogit, "counts": sm.Poisson}[kind]
    return float(model(y, design).fit(disp=0, method="newton", tol=1e-12, maxiter=200).llf)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("given", [[], ["n"], ["c", "b"]])
def test_ratios_equal_statsmodels(kind: str, given: list[str]) -> None:
    data = dataset(kind)
    candidates = [name for name in data.features if name not in given]
    answers = ratio_of(kind, data, bartlett=False)(candidates, given)
    base = log_likelihood(kind, data, given)
    for j, name in enumerate(candidates):
        expected = 2 * (log_likelihood(kind, data, [*given, name]) - base)
        assert answers.statistic[j] == pytest.approx(expected, rel=1e-7, abs=1e-7)
        size = (3 if name == "c" else 1) * (2 if kind == "multiclass" else 1)
        assert answers.dof[j] == size
        if kind != "number":
            assert answers.p[j] == pytest.approx(stats.chi2.sf(expected, size), rel=1e-5)


def test_p_of_linear_regression_is_that_of_the_f_test() -> None:
    data = dataset("number")
    answers = altsel.independence.LikelihoodRatio(data)(["c"], ["n"])
    dummies = pd.get_dummies(data.X[["n", "c"]], drop_first=True).astype(float)
    full, small = (sm.OLS(data.y.to_numpy(), sm.add_constant(one)).fit() for one in (dummies, dummies[["n"]]))
    assert answers.p[0] == pytest.approx(full.compare_f_test(small)[1], rel=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("order", [TestResults.order, TestResults.order_by_association])
def test_leading_agrees_on_the_best_and_is_exact_there(
    kind: str, order: Callable[[TestResults], Any]
) -> None:
    random = np.random.default_rng(4)
    data = dataset(kind)
    noise = pd.DataFrame(random.normal(size=(ROWS, 30))).rename(columns=str)
    wide = altsel.Dataset(data.X.join(noise), data.y, data.task)
    test, names = ratio_of(kind, wide, screen=2), list(wide.features)
    exact, best_first = test(names), test.best_first(names, (), order)
    best = int(order(exact)[0])
    assert best == order(best_first)[0]
    assert best_first.statistic[best] == pytest.approx(exact.statistic[best], rel=1e-9)
    assert best_first.statistic == pytest.approx(exact.statistic, rel=0.25, abs=0.3)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("order", [TestResults.order, TestResults.order_by_effect])
def test_the_first_of_corrected_ratios_needs_few_factors(
    seed: int, order: Callable[[TestResults], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first is that of all corrected ratios, of a copy and its original the one named first."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(90, 12))
    y = (X[:, :4].sum(axis=1) + 3 * random.normal(size=90) > 0).astype(int) + (X[:, 5] > 0.8)
    data = altsel.Dataset(pd.DataFrame(X).add_prefix("x").assign(copy=-3 * X[:, 0]), pd.Series(y))
    names, given = ["copy", *(f"x{j}" for j in range(10))], ["x10"]
    exact = altsel.independence.LikelihoodRatio(data)(names, given)
    test = altsel.independence.LikelihoodRatio(data, screen=11)
    corrected: list[int] = []
    correct = test._correct
    monkeypatch.setattr(test, "_correct", lambda *some: corrected.extend(some[2]) or correct(*some))  # type: ignore[func-returns-value]
    found = test.best_first(names, given, order)
    first = int(order(exact)[0])
    assert order(found)[0] == first
    assert found.log_p[first] == exact.log_p[first]
    assert len(corrected) < len(names)
    monkeypatch.setattr("altsel.stats.independence.likelihood_ratio.LONG", 0)
    others, full = test.decided(names, given, 0.05)  # of which plain ratios are no bounds
    assert (others.log_p >= exact.log_p - 1e-9).all()
    assert others.log_p[full] == pytest.approx(exact.log_p[full])


def test_a_search_is_not_misled_by_the_score_of_separable_data() -> None:
    x = np.linspace(-1, 1, 60)
    x[5], x[55] = -400.0, 400.0
    random = np.random.default_rng(0)
    data = altsel.Dataset({"z": random.normal(size=60), "x": x}, (x > 0).astype(int))
    test = altsel.independence.LikelihoodRatio(data, screen=1)
    by_score = test.best_first(["z", "x"], (), lambda answers: np.array([0, 1]))
    assert by_score.p[1] > 0.01  # z comes first here, so x is only estimated
    assert test(["x"]).p[0] < 1e-10
    assert altsel.blankets.iamb(test, 0.001)[0].features == ("x",)


def test_separable_data_are_dependent_though_their_score_is_bounded() -> None:
    x = np.linspace(-1, 1, 60)
    x[5], x[55] = -400.0, 400.0  # far points make the score small
    data = altsel.Dataset({"x": x, "z": np.tile([0.0, 1, 2], 20)}, (x > 0).astype(int))
    answers = altsel.independence.LikelihoodRatio(data, bartlett=False)(["x"])
    assert answers.statistic[0] == pytest.approx(2 * 60 * np.log(2), rel=1e-3)
    assert altsel.independence.LikelihoodRatio(data)(["x"]).p[0] < 1e-14


@pytest.mark.slow
def test_what_the_given_determine_is_independent() -> None:
    frame = table()
    frame["sum"], frame["same"] = (
        frame["n"] * 2 + frame["m"],
        frame["c"].map({"u": 1, "v": 2, "w": 3, "x": 4}),
    )
    for kind in KINDS:
        data = altsel.Dataset(frame, dataset(kind).y, dataset(kind).task)
        answers = ratio_of(kind, data)(["sum", "same"], ["n", "m", "c"])
        assert answers.p.tolist() == [1.0, 1.0]
        assert answers.dof.tolist() == [0.0, 0.0]
        assert ratio_of(kind, data)(["b"], ["c", "same"]).statistic[0] == pytest.approx(
            ratio_of(kind, data)(["b"], ["c"]).statistic[0], rel=1e-6
        )


def test_a_category_partly_determined_adds_what_is_left() -> None:
    frame = table()
    frame["u"] = (frame["c"] == "u").astype(int)
    answers = altsel.independence.LikelihoodRatio(altsel.Dataset(frame, dataset("binary").y))(["c"], ["u"])
    assert answers.dof[0] == 2


def test_too_few_rows_for_the_coefficients_are_not_tested() -> None:
    random = np.random.default_rng(0)
    data = altsel.Dataset(random.normal(size=(24, 5)), [0, 1] * 12)
    given = ["x0", "x1", "x2"]
    assert not altsel.independence.LikelihoodRatio(data)(["x4"], given).tested[0]
    assert altsel.independence.LikelihoodRatio(data, samples_per_parameter=4)(["x4"], given).tested[0]
    message = altsel.independence.LikelihoodRatio(data).leave_one_out([*given, "x4"])
    assert (message.tested.tolist(), message.p.tolist()) == ([False] * 4, [1.0] * 4)


def test_toward_uses_the_family_of_the_feature() -> None:
    test = altsel.independence.LikelihoodRatio(dataset("counts"), family=altsel.independence.Poisson())
    assert "Poisson" in test.name
    assert "linear" in test.with_target("n").name
    assert "logistic" in test.with_target("c").name
    assert test.with_target("c")(["y"]).dof[0] == 3


def test_a_family_that_does_not_fit_is_refused() -> None:
    with pytest.raises(altsel.DataError, match="integers"):
        altsel.independence.LikelihoodRatio(dataset("number"), family=altsel.independence.Poisson())
    with pytest.raises(altsel.ArgumentError, match="screen"):
        altsel.independence.LikelihoodRatio(dataset("binary"), screen=0)


def hostile(seed: int) -> tuple[altsel.Dataset, np.random.Generator]:
    """Draw few rows of copies, near copies, categories that are the target, and numbers of any size."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(8, 60))
    y = random.integers(0, random.integers(2, 5), rows)
    y[:2] = 0, 1
    frame = pd.DataFrame(
        {
            "copy": y,
            "near": np.where(random.random(rows) < 0.1, random.integers(0, 2, rows), y),
            "category": np.array(list("pqrst"))[y],
            "separates": y + random.random(rows) / 2,
            "few": (np.arange(rows) == 0).astype(int),
            "big": random.normal(size=rows) * 10.0 ** random.integers(-8, 9),
            "nearly constant": np.where(np.arange(rows) < rows - 1, 1.0, 1 + 1e-9),
        }
    )
    numeric = seed % 2 == 0
    return altsel.Dataset(frame, pd.Series(y, name="y"), "regression" if numeric else None), random


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@pytest.mark.parametrize("seed", range(30))
def test_hostile_tables_give_finite_answers(seed: int) -> None:
    data, random = hostile(seed)
    test = altsel.independence.LikelihoodRatio(data, samples_per_parameter=0)
    if seed % 4 == 0:
        test = altsel.independence.LikelihoodRatio(
            data, family=altsel.independence.Poisson(), samples_per_parameter=0
        )
    for _ in range(3):
        given = [str(one) for one in random.choice(data.features, random.integers(0, 4), replace=False)]
        candidates = [name for name in data.features if name not in given]
        turned = test.with_target(candidates.pop())
        for one in (test, turned):
            for answers in (one(candidates, given), one.best_first(candidates, given)):
                assert np.isfinite(answers.log_p).all()
                assert np.isfinite(answers.statistic).all()
                assert (answers.log_p <= 0).all()


def test_families_agree_with_their_own_derivatives() -> None:
    random = np.random.default_rng(0)
    eta, step = random.normal(size=(2, 5)), 1e-6
    response = np.array([[1.0, 0, 0, 0, 1], [0, 1, 0, 0, 0]])
    family = Categorical()
    for a in range(2):
        moved = eta.copy()
        moved[a, 2] += step
        slope = (family.log_likelihood(response, moved) - family.log_likelihood(response, eta)) / step
        assert slope == pytest.approx(response[a, 2] - family.mean(eta)[a, 2], abs=1e-5)
        for b in range(2):
            change = (family.mean(moved)[b, 2] - family.mean(eta)[b, 2]) / step
            weights = family.weights(response, family.mean(eta))[places(2)[b, a]]
            assert change == pytest.approx(weights[2], abs=1e-5)
    assert Gaussian().mean(eta) is eta


@pytest.mark.parametrize("kind", ["two classes", "three classes", "numbers"])
def test_each_given_the_others_is_the_same_at_once(kind: str) -> None:
    random = np.random.default_rng(4)
    X = pd.DataFrame(random.normal(size=(150, 3)), columns=list("abc"))
    X["copy"] = 2 * X["a"] + 1
    X["colour"] = random.choice(["red", "green", "blue"], 150)
    score = X["a"] + X["b"] + random.normal(size=150)
    y = {
        "two classes": (score > 0).astype(int),
        "three classes": pd.cut(score, 3, labels=False),
        "numbers": score,
    }
    data = altsel.Dataset(X, y[kind].rename("y"))
    for names in (["a", "b", "colour"], ["a", "copy", "b"], ["c"]):
        together = altsel.independence.LikelihoodRatio(data).leave_one_out(names)
        for j, name in enumerate(names):
            alone = altsel.independence.LikelihoodRatio(data)([name], [one for one in names if one != name])
            assert together.statistic[j] == pytest.approx(alone.statistic[0], abs=1e-4)
            assert together.dof[j] == alone.dof[0]
            assert together.log_p[j] == pytest.approx(alone.log_p[0], abs=1e-4)
            assert together.tested[j] == alone.tested[0]


def test_what_is_remembered_changes_no_answer() -> None:
    random = np.random.default_rng(5)
    X = pd.DataFrame(random.normal(size=(120, 6)), columns=list("abcdef"))
    data = altsel.Dataset(X, (X["a"] + X["b"] + random.normal(size=120) > 0).astype(int))
    test, names = altsel.independence.LikelihoodRatio(data, screen=2), list("abcdef")
    first = test.best_first(names)
    again, fresh = test(names), altsel.independence.LikelihoodRatio(data)(names)
    assert again.statistic.tolist() == pytest.approx(fresh.statistic.tolist(), abs=1e-6)
    assert first.order()[0] == fresh.order()[0]
    test.forget()
    assert test(names[1:], ["a"]).statistic.tolist() == pytest.approx(
        altsel.independence.LikelihoodRatio(data)(names[1:], ["a"]).statistic.tolist()
    )


@pytest.mark.parametrize("noise", [1e-8, 1e-6, 1e-5])
def test_a_near_copy_tells_nothing_more_and_leaves_the_others_as_they_are(noise: float) -> None:
    random = np.random.default_rng(7)
    X = pd.DataFrame(random.normal(size=(200, 3)), columns=list("abc"))
    X["k"] = X["a"] + noise * random.normal(size=200)
    score = 0.5 * X["a"] + 0.7 * X["b"] + 0.4 * X["c"] + random.logistic(size=200)
    y = pd.Series(np.digitize(score, [-1, 1]).astype(str), name="y")
    test = altsel.independence.LikelihoodRatio(altsel.Dataset(X, y), bartlett=False)
    together = test.leave_one_out(list("abck"))
    assert together.dof.tolist() == [0, 2, 2, 0]
    assert together.statistic[2] == pytest.approx(test(["c"], ["a", "b"]).statistic[0], rel=1e-6)
    assert test(["c"], ["a", "b", "k"]).statistic[0] == pytest.approx(together.statistic[2], rel=1e-6)


@pytest.mark.parametrize("offset", [2, 6, 10, 14])
def test_counts_of_any_size_are_fitted(offset: int) -> None:
    random = np.random.default_rng(1)
    X = pd.DataFrame(random.normal(size=(200, 2)), columns=list("ab"))
    y = pd.Series(random.poisson(np.exp(offset + 0.3 * X["a"])), name="y")
    data = altsel.Dataset(X, y, kinds={"y": "count"})
    names = ["a", "b"]
    poisson = altsel.independence.LikelihoodRatio(data, family=Poisson())
    statistic = float(poisson(["a"]).statistic[0])
    assert statistic > 100 * np.exp(offset - 2) / 2
    assert poisson.leave_one_out(names).statistic[0] == pytest.approx(poisson(["a"], ["b"]).statistic[0])
    usual = altsel.independence.LikelihoodRatio(data)
    assert "negative binomial" in usual.name or offset == 2
    assert usual(["a"]).statistic[0] > 60
