"""Generalised and projected covariance measures: by hand, by simulation, and what they find and miss."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge

import altsel
from altsel._types import FloatArray
from altsel.independence import GeneralisedCovariance, ProjectedCovariance, RobustScore
from altsel.stats.independence.covariance import ridge
from altsel.stats.independence.covariance.largest import log_p_of_largest
from altsel.stats.independence.covariance.projected import variance
from altsel.stats.independence.covariance.variables import Columns


def curved(rows: int = 500, seed: int = 0, effect: str = "none") -> altsel.Dataset:
    random = np.random.default_rng(seed)
    s, x, noise = random.normal(size=(3, rows))
    added = {"none": 0 * x, "line": 0.4 * x, "square": x**2, "sign": np.sign(s) * x}[effect]
    frame = pd.DataFrame({"x": np.exp(s) + x, "s": s})
    return altsel.Dataset(frame, pd.Series(np.exp(s) + added + noise, name="y"))


class TestGeneralised:
    def test_with_nothing_given_it_is_the_studentised_covariance(self) -> None:
        data = curved(60)
        x, y = (v - v.mean() for v in (data.X["x"].to_numpy(), data.y.to_numpy()))
        products = x * y
        t = np.sqrt(60) * products.mean() / products.std() * np.sqrt(59 / 60)
        answer = GeneralisedCovariance(data)(["x"])
        assert answer.statistic[0] == pytest.approx(t)
        assert answer.p[0] == pytest.approx(2 * stats.t.sf(abs(t), 58))
        assert answer.effect[0] == pytest.approx(np.corrcoef(x, y)[0, 1])

    def test_least_squares_are_corrected_for_their_degrees_of_freedom(self) -> None:
        random = np.random.default_rng(1)
        x, y = random.normal(size=(2, 80))
        s = random.normal(size=(80, 5))
        frame = pd.DataFrame(s, columns=list("abcde")).assign(x=x)
        answer = GeneralisedCovariance(altsel.Dataset(frame, y), "linear")(["x"], list("abcde"))
        design = np.column_stack([np.ones(80), s])
        left = [v - design @ np.linalg.lstsq(design, v, rcond=None)[0] for v in (x, y)]
        products = left[0] * left[1]
        t = np.sqrt(80) * products.mean() / products.std() * np.sqrt(74 / 80)
        assert answer.statistic[0] == pytest.approx(t, rel=0.02)  # the smallest penalty is not 0

    def test_categories_take_the_largest_of_all_products(self) -> None:
        random = np.random.default_rng(2)
        level = random.integers(0, 3, 200)
        y = (level == 2) * 0.9 + random.normal(size=200)
        frame = pd.DataFrame({"x": np.array(["a", "b", "c"])[level], "other": random.normal(size=200)})
        test = GeneralisedCovariance(altsel.Dataset(frame, y))
        found = test(["x", "other"])
        single = []
        for k in range(3):
            products = ((level == k) - (level == k).mean()) * (y - y.mean())
            single.append(np.sqrt(200) * products.mean() / products.std() * np.sqrt(199 / 200))
        assert found.statistic[0] == pytest.approx(max(single, key=abs))
        least = 2 * stats.t.sf(max(np.abs(single)), 198)
        assert least < found.p[0] < 3 * least  # between one product and Bonferroni's three

    @pytest.mark.slow
    @pytest.mark.parametrize("learner", ["splines", "kernel"])
    def test_curved_effects_of_what_is_given_are_taken_off(self, learner: str) -> None:
        p = [GeneralisedCovariance(curved(300, seed), learner)(["x"], ["s"]).p[0] for seed in range(40)]
        assert np.mean(np.array(p) <= 0.05) <= 0.15
        assert altsel.independence.PartialCorrelation(curved(300))(["x"], ["s"]).p[0] < 1e-6
        assert GeneralisedCovariance(curved(300, effect="line"), learner)(["x"], ["s"]).p[0] < 0.001

    @pytest.mark.parametrize("weighting", ["signs", "estimated"])
    def test_effects_of_changing_sign_need_weights(self, weighting: str) -> None:
        data = curved(effect="sign")
        assert GeneralisedCovariance(data)(["x"], ["s"]).p[0] > 0.01
        assert GeneralisedCovariance(data, weighting=weighting)(["x"], ["s"]).p[0] < 1e-6
        unweighted = GeneralisedCovariance(data)(["x"]).p
        assert GeneralisedCovariance(data, weighting=weighting)(["x"]).p == pytest.approx(unweighted)

    def test_a_copy_of_what_is_given_is_independent_of_everything(self) -> None:
        data = curved()
        copied = altsel.Dataset(data.X.assign(copy=3 * data.X["s"] - 1), data.y)
        for test in (GeneralisedCovariance(copied), ProjectedCovariance(copied, divisions=1)):
            assert test(["copy"], ["s"]).p[0] >= 0.5

    @pytest.mark.parametrize(
        "learner", [LinearRegression(), Ridge(), (LogisticRegression(), LinearRegression())]
    )
    def test_estimators_are_cross_fitted(self, learner: Any) -> None:
        random = np.random.default_rng(3)
        s, x, noise = random.normal(size=(3, 200))
        frame = pd.DataFrame({"s": s, "x": x + s, "two": (random.normal(size=200) + s > 0).astype(int)})
        data = altsel.Dataset(frame, x + s + noise)
        p = GeneralisedCovariance(data, learner)(["x", "two"], ["s"]).p
        assert p[0] < 1e-6
        assert p[1] > 0.01

    def test_regressions_are_shared(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made: list[int] = []
        of = ridge.Ridge.of

        def counted(columns: FloatArray) -> ridge.Ridge:
            made.append(columns.shape[1])
            return of(columns)

        monkeypatch.setattr(ridge.Ridge, "of", counted)
        data = altsel.Dataset(curved().X.assign(z=np.arange(500.0) % 7), curved().y)
        test = GeneralisedCovariance(data)
        test(["x", "z"], ["s"])
        test(["x"], ["s"])
        test.with_target("z")(["y", "x"], ["s"])
        assert len(made) == 1


class TestProjected:
    def test_it_finds_what_covariance_does_not_see(self) -> None:
        for effect in ("square", "sign"):
            data = curved(effect=effect)
            assert GeneralisedCovariance(data)(["x"], ["s"]).p[0] > 0.01
            assert ProjectedCovariance(data)(["x"], ["s"]).p[0] < 1e-4

    @pytest.mark.slow
    def test_independent_features_are_rejected_no_more_often_than_alpha(self) -> None:
        p = [ProjectedCovariance(curved(200, seed), divisions=1)(["x"], ["s"]).p[0] for seed in range(40)]
        assert np.mean(np.array(p) <= 0.05) <= 0.15

    def test_an_estimator_learns_the_direction(self) -> None:
        data = curved(300, effect="line")
        found = ProjectedCovariance(data, LinearRegression(), divisions=1, estimate_variance=True)
        assert found(["x"]).p[0] < 0.01

    def test_variances_make_squares_one_on_average(self) -> None:
        random = np.random.default_rng(0)
        squares = random.chisquare(1, size=(50, 2))
        predicted = np.vstack([squares.mean(axis=0) * np.ones((50, 1)) * [0.2, 3.0], [[0.1, -1.0]]])
        found = variance(predicted, squares)
        means = (squares / found[:50]).mean(axis=0)
        assert means == pytest.approx([1.0, 1 / 3], rel=1e-4)
        assert (found > 0).all()


class TestLargest:
    @pytest.mark.parametrize("two_sided", [True, False])
    @pytest.mark.parametrize("threshold", [0.5, 2.0, 3.0])
    def test_it_is_what_draws_say(self, threshold: float, two_sided: bool) -> None:
        correlation = 0.6 * np.ones((4, 4)) + 0.4 * np.eye(4)
        drawn = np.random.default_rng(1).multivariate_normal(np.zeros(4), correlation, 200_000)
        largest = (np.abs(drawn) if two_sided else drawn).max(axis=1)
        found = np.exp(log_p_of_largest(threshold, correlation, two_sided=two_sided))
        assert found == pytest.approx((largest > threshold).mean(), rel=0.08)

    def test_far_out_it_is_the_sum_of_tails(self) -> None:
        found = log_p_of_largest(50.0, np.eye(3) * 0.8 + 0.2)
        assert found == pytest.approx(np.log(3) + np.log(2) + stats.norm.logsf(50.0), abs=1e-6)


class TestRobustScore:
    def test_single_rows_are_groups(self) -> None:
        data = curved(100)
        alone, grouped = RobustScore(data), RobustScore(data, np.arange(100))
        assert alone(["x"], ["s"]).p == pytest.approx(grouped(["x"], ["s"]).p)
        assert "heteroscedastic" in alone.name

    def test_weights_need_groups(self) -> None:
        with pytest.raises(altsel.ArgumentError, match="weights= need groups="):
            RobustScore(curved(50), weights=np.ones(50))

    @pytest.mark.slow
    def test_errors_of_unequal_variance_keep_the_level(self) -> None:
        random, rejected = np.random.default_rng(0), np.zeros(2)
        for _ in range(100):
            x = random.normal(size=200)
            data = altsel.Dataset({"x": x}, x * random.normal(size=200))
            for k, test in enumerate((RobustScore, altsel.independence.PartialCorrelation)):
                rejected[k] += test(data)(["x"]).p[0] <= 0.05
        assert rejected[0] <= 12 < rejected[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"learner": "spline"}, "did you mean 'splines'"),
        ({"learner": LinearRegression}, "an estimator of scikit-learn"),
        ({"learner": (LinearRegression(), LogisticRegression())}, "in this order"),
        ({"weighting": "sign"}, "did you mean 'signs'"),
        ({"functions": 0}, "functions"),
    ],
)
def test_wrong_arguments_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(altsel.ArgumentError, match=message):
        GeneralisedCovariance(curved(30), **options)


def test_a_classifier_alone_is_refused_for_numbers() -> None:
    with pytest.raises(altsel.ArgumentError, match="is a classifier, and some variables are numbers"):
        GeneralisedCovariance(curved(30), LogisticRegression())(["x"], ["s"])


def test_few_rows_are_not_tested() -> None:
    assert not GeneralisedCovariance(curved(15))(["x"]).tested[0]
    assert not ProjectedCovariance(curved(30))(["x"]).tested[0]


def test_rare_levels_count_as_one() -> None:
    level = np.repeat(["a", "b", "c", "d"], [40, 40, 3, 2])
    data = altsel.Dataset({"x": level, "s": np.arange(85.0)}, np.arange(85.0) % 9)
    assert Columns.of(data).indicators(0).sum(axis=0).tolist() == [40, 40, 5]
