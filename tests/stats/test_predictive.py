"""Tests by predictive permutation: closed forms, levels, every kind of target and estimator, clear errors."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from math import isfinite
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, PoissonRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, SplineTransformer, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import altsel
from altsel.independence import BenjaminiHochberg, Conditional, Counted, PredictivePermutation
from altsel.runtime.clock import OutOfTimeError
from altsel.stats.independence.predictive import fitting
from altsel.stats.independence.predictive.linear import LinearModels
from altsel.stats.independence.predictive.printed import Shuffle, log_signed_rank
from altsel.stats.independence.predictive.table import Table
from altsel.stats.independence.predictive.trees import Nearest, UnprunedTree
from altsel.stats.independence.protocol import backward
from tests.oracles.synthetic_tables import binary, classes, numbers, with_copies

JOINED = DecisionTreeClassifier().fit([[0.0], [1e-8]], [0, 1]).get_depth() == 0
"""Whether scikit-learn joins values that are nearly the same, as its newer versions do."""

AS_PRINTED = pytest.mark.filterwarnings("ignore:scheme='random'")


def mixed(seed: int = 0, rows: int = 150) -> altsel.Dataset:
    """Categories, two values and numbers; the target depends on the category and a number."""
    random = np.random.default_rng(seed)
    colour = random.choice(["red", "green", "blue"], rows)
    table = pd.DataFrame(
        {
            "colour": pd.Categorical(colour),
            "sex": random.choice(["m", "f"], rows),
            "size": random.normal(size=rows),
            "count": random.integers(0, 40, rows),
        }
    )
    score = (colour == "red") * 2.0 + table["size"] + 0.5 * random.normal(size=rows)
    return altsel.Dataset(table, pd.Series(np.where(score > 0.7, "yes", "no"), name="y"))


def decimals(rows: int = 120) -> altsel.Dataset:
    """Round numbers, of which many lie half way between two others."""
    random = np.random.default_rng(3)
    X = random.normal(size=(rows, 3)).round(1)
    X[:, 1] = random.integers(0, 60, rows) * 1e-3
    return altsel.Dataset(X, (X[:, 0] + random.normal(size=rows) > 0).astype(int))


def correlated(seed: int, rows: int = 300, adds: float = 0.0) -> altsel.Dataset:
    """Draw ``y = sign(u1 + u2 + adds x + noise)`` and ``x = u1 + noise / 2``."""
    random = np.random.default_rng(seed)
    u1, u2, own, noise = random.normal(size=(4, rows))
    x = u1 + 0.5 * own if not adds else own
    y = u1 + u2 + adds * x + noise
    return altsel.Dataset({"x": x, "u1": u1, "u2": u2}, np.where(y > 0, "yes", "no"))


class TestTrees:
    @given(
        st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 2)), min_size=2, max_size=40),
        st.lists(st.integers(-12, 12), min_size=1),
        st.sampled_from([1.0, 0.1, 1e-8] if JOINED else [1.0, 0.1]),
    )
    def test_shares_are_those_of_scikit_learn(
        self, rows: list[tuple[int, int]], asked: list[int], unit: float
    ) -> None:
        values = np.array([row[0] for row in rows], dtype=np.float32) * np.float32(unit)
        truth = np.array([row[1] for row in rows])
        new = (np.array(asked, dtype=np.float32) / np.float32(2 / unit))[:, None].astype(np.float32)
        known = DecisionTreeClassifier(random_state=0).fit(values[:, None], truth)
        shares = np.zeros((len(new), 3))
        shares[:, known.classes_] = known.predict_proba(new)
        assert np.array_equal(Nearest.of(values, truth, 3).predict(new), shares)

    @given(st.integers(0, 10_000))
    def test_means_are_those_of_scikit_learn(self, seed: int) -> None:
        random = np.random.default_rng(seed)
        values = random.normal(size=60).round(random.integers(1, 4)).astype(np.float32)
        truth, new = random.normal(size=60), random.normal(size=(50, 1)).astype(np.float32)
        known = DecisionTreeRegressor(random_state=0).fit(values[:, None], truth)
        assert Nearest.of(values, truth, 0).predict(new) == pytest.approx(known.predict(new), abs=1e-9)

    @pytest.mark.slow
    @AS_PRINTED
    @pytest.mark.parametrize("scheme", ["folds", "random"])
    @pytest.mark.parametrize("data", [binary(), classes(rows=150), with_copies(), decimals()])
    def test_growth_without_a_tree_equals_growth_with_one(self, data: altsel.Dataset, scheme: str) -> None:
        kind = DecisionTreeClassifier if data.discrete_target else DecisionTreeRegressor
        fast = PredictivePermutation(data, scheme=scheme)(data.features)
        slow = PredictivePermutation(data, kind(random_state=0), scheme=scheme)(data.features)
        pd.testing.assert_frame_equal(fast.to_frame(), slow.to_frame(), rtol=1e-9, atol=1e-9)

    @pytest.mark.parametrize("power", [-60, 60])
    def test_the_unit_of_a_column_does_not_matter(self, power: int) -> None:
        data = numbers()
        other = altsel.Dataset(data.X * 2.0**power, data.y)
        for rest in ([], ["c"]):
            one, two = (PredictivePermutation(d)(["a", "b"], rest) for d in (data, other))
            assert np.array_equal(one.log_p, two.log_p)

    @pytest.mark.parametrize(("unit", "zero"), [(1e-9, 0), (1e9, 0), (1e-40, 0), (1e40, 0), (1, 1e9)])
    def test_the_unit_and_zero_of_the_target_do_not_matter(self, unit: float, zero: float) -> None:
        data = numbers()
        other = altsel.Dataset(data.X, data.y * unit + zero)
        for estimator in ("tree", "linear"):
            one, two = (
                PredictivePermutation(d, estimator).leave_one_out(["a", "c", "d"]) for d in (data, other)
            )
            near = 1e-6 if estimator == "linear" else 0.4  # rounding decides between equally good splits
            assert one.statistic == pytest.approx(two.statistic, abs=near)

    @pytest.mark.parametrize("outlier", [99_999_999.0, 1e15, 1e200])
    def test_a_large_value_does_not_hide_the_others(self, outlier: float) -> None:
        data = numbers()
        x = data.X["a"].to_numpy().copy()
        x[0] = outlier
        odd = altsel.Dataset({"a": x, "c": data.X["c"]}, data.y)
        assert PredictivePermutation(odd)(["a"]).p[0] <= 0.01
        assert PredictivePermutation(odd)(["a"], ["c"]).p[0] <= 0.01

    def test_two_codes_of_many_rows_stay_apart(self) -> None:
        random = np.random.default_rng(0)
        code = random.integers(0, 2, 200)
        x = np.where(random.random(200) < 0.8, 99_999_998.0 + code, random.integers(0, 40, 200))
        data = altsel.Dataset(
            {"x": x, "z": random.normal(size=200)}, 2.0 * code + 0.3 * random.normal(size=200)
        )
        assert PredictivePermutation(data)(["x"]).p[0] <= 0.01

    def test_a_large_value_of_the_target_hides_no_more_than_in_scikit_learn(self) -> None:
        data = numbers()
        y = data.y.to_numpy().copy()
        y[0] = 99_999_999.0
        odd = altsel.Dataset(data.X, y)
        own, plain = (
            PredictivePermutation(odd, estimator, loss="absolute-error")(["a"], ["c"]).to_frame()
            for estimator in ("tree", DecisionTreeRegressor(random_state=0))
        )
        pd.testing.assert_frame_equal(own, plain)

    def test_a_large_offset_does_not_hide_the_values(self) -> None:
        data = numbers()
        far = altsel.Dataset(data.X + 1e12, data.y)
        assert PredictivePermutation(far)(["a", "b"]).dependent(0.01).tolist() == [True, False]


class TestLinear:
    @pytest.mark.parametrize("data", [binary(), classes(), mixed(), numbers()])
    def test_changes_of_one_feature_equal_predictions_of_changed_rows(self, data: altsel.Dataset) -> None:
        table, rows = Table.of(data), np.arange(100)
        columns = tuple(range(len(data.features)))
        model = LinearModels().fit(table, columns, table.response(len(columns)), rows)
        for variable in columns:
            order = np.random.default_rng(0).permutation(len(data.y))
            coded = table.coded.copy()
            coded[:, variable] = coded[order, variable]
            changed = Table(table.frame, coded, table.levels)
            tested = np.arange(100, len(data.y))
            by_change = model.predict(table, tested, [(variable, coded[None, tested, variable])])[1]
            assert by_change == pytest.approx(model.predict(changed, tested)[0], abs=1e-12)

    def test_it_is_logistic_regression_of_standardised_columns(self) -> None:
        data = binary()
        table, rows = Table.of(data), np.arange(90)
        model = LinearModels().fit(table, (0, 1, 2), table.response(len(data.features)), rows)
        known = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
        known.fit(data.X.iloc[rows, :3], data.y.iloc[rows])
        assert model.predict(table, rows)[0] == pytest.approx(
            known.predict_proba(data.X.iloc[rows, :3]), abs=1e-8
        )

    def test_classes_that_a_part_lacks_have_no_probability(self) -> None:
        data = classes()
        rows = np.flatnonzero(data.y != 1)
        for learner in (LinearModels(), UnprunedTree()):
            for columns in ((0,), (0, 1)):
                table = Table.of(data)
                model = learner.fit(table, columns, table.response(4), rows)
                shares = model.predict(table, np.arange(50))[0]
                assert shares.shape == (50, 3)
                assert (shares[:, 1] == 0).all()
                assert shares.sum(axis=1) == pytest.approx(1)


class TestSameAsWritten:
    """The test, written again by hand from its definition."""

    def by_hand(self, data: altsel.Dataset, test: PredictivePermutation, given: list[str]) -> np.ndarray:
        trial = test._trial()
        assert trial is not None
        increases = []
        for part in trial.parts:
            names = sorted([*given, "a"])
            X, y = data.X[names], data.y
            model = LinearRegression().fit(X.iloc[part.train], y.iloc[part.train])
            rows = X.iloc[part.test].copy()
            before = (model.predict(rows) - y.iloc[part.test]) ** 2
            after = []
            for order in part.shuffles:
                rows["a"] = X["a"].to_numpy()[part.test][order]
                after.append((model.predict(rows) - y.iloc[part.test]) ** 2)
            increases.append((part, np.mean(after, axis=0) - before))
        if test.smallest_p < 1e-3:
            return np.array([increase.mean() for _, increase in increases])
        d = np.zeros(len(data.y))
        for part, increase in increases:
            d[part.test] = increase
        return d

    @pytest.mark.slow
    @pytest.mark.parametrize("given", [[], ["b"], ["c", "b"]])
    def test_folds(self, given: list[str]) -> None:
        data = numbers(rows=80)
        test = PredictivePermutation(data, LinearRegression(), knockoff=Shuffle(), permutations=199)
        d = self.by_hand(data, test, given)
        signs = 1.0 - 2.0 * test._signs.exchanged(len(d))
        p = (1 + (signs @ d >= d.sum() - 1e-12).sum()) / 200
        answers = test(["a"], given)
        assert answers.p[0] == pytest.approx(p)
        assert answers.effect[0] == pytest.approx(d.mean())
        assert answers.statistic[0] == pytest.approx(d.mean() / d.std(ddof=1) * np.sqrt(len(d)))

    def test_random_divisions_as_printed(self) -> None:
        data = numbers(rows=80)
        options: dict[str, Any] = {"knockoff": "shuffle", "scheme": "random", "splits": 12}
        with pytest.warns(FutureWarning, match="'random', knockoff='shuffle': .* not be in altsel 2.0"):
            test = PredictivePermutation(data, LinearRegression(), **options)
        d = self.by_hand(data, test, ["b"])
        assert len(d) == 12
        assert test(["a"], ["b"]).log_p[0] == pytest.approx(log_signed_rank(-d))


@pytest.mark.long
class TestLevel:
    def test_draws_given_the_rest_keep_the_level_and_shuffles_do_not(self) -> None:
        kept = [
            PredictivePermutation(correlated(seed), "linear")(["x"], ["u1", "u2"]).p[0] for seed in range(40)
        ]
        lost = [
            PredictivePermutation(correlated(seed), "linear", knockoff=Shuffle())(["x"], ["u1", "u2"]).p[0]
            for seed in range(40)
        ]
        assert np.mean(np.array(kept) <= 0.05) <= 0.1
        assert np.mean(np.array(lost) <= 0.05) > 0.15

    def test_what_adds_something_is_found(self) -> None:
        p = [
            PredictivePermutation(correlated(seed, adds=0.5), "linear")(["x"], ["u1", "u2"]).p[0]
            for seed in range(20)
        ]
        assert np.mean(np.array(p) <= 0.05) >= 0.9

    def test_a_category_that_copies_another_is_independent_given_it(self) -> None:
        random = np.random.default_rng(0)
        p = []
        for _ in range(20):
            cause = random.integers(0, 3, 300)
            copy = np.where(random.random(300) < 0.8, cause, random.integers(0, 3, 300))
            y = np.where(random.random(300) < 0.7, cause > 0, random.random(300) < 0.5)
            columns = {"cause": ["abc"[j] for j in cause], "copy": ["abc"[j] for j in copy]}
            p.append(PredictivePermutation(altsel.Dataset(columns, y), "linear")(["copy"], ["cause"]).p[0])
        assert np.mean(np.array(p) <= 0.05) <= 0.15


class TestLaws:
    @pytest.mark.slow
    @pytest.mark.parametrize("estimator", ["tree", "linear"])
    @pytest.mark.parametrize("data", [numbers(), mixed()])
    def test_nothing_depends_on_the_order_of_columns(self, data: altsel.Dataset, estimator: str) -> None:
        other = altsel.Dataset(data.X[list(reversed(data.features))], data.y)
        names = sorted(data.features)
        for rest in ([], names[2:]):
            one, two = (PredictivePermutation(d, estimator)(names[:2], rest) for d in (data, other))
            assert np.array_equal(one.log_p, two.log_p)
        sets = [set(altsel.blankets.ppfs(PredictivePermutation(d, estimator))[0]) for d in (data, other)]
        assert sets[0] == sets[1]

    @pytest.mark.slow
    @pytest.mark.parametrize("knockoff", [pytest.param("conditional", marks=pytest.mark.long), Shuffle()])
    def test_two_processes_give_what_one_gives(self, knockoff: Any) -> None:
        data = mixed()
        found: list[list[Any]] = []
        for n_jobs in (1, 2):
            test = PredictivePermutation(data, "linear", n_jobs=n_jobs, knockoff=knockoff)
            answers = [test(data.features), test.leave_one_out(data.features)]
            found.append([answer.to_frame() for answer in answers])
            found[-1].append(altsel.blankets.ppfs(test, alpha=0.1)[0].features)
        for one, two in zip(found[0][:2], found[1][:2], strict=True):
            pd.testing.assert_frame_equal(one, two, check_exact=True)
        assert found[0][2] == found[1][2]

    @pytest.mark.parametrize("estimator", ["tree", "linear"])
    def test_all_given_the_others_equals_one_by_one(self, estimator: str) -> None:
        test = PredictivePermutation(numbers(), estimator)
        together = test.leave_one_out(["a", "b", "d"]).to_frame()
        alone = [test([name], [o for o in "abd" if o != name]).to_frame() for name in "abd"]
        pd.testing.assert_frame_equal(together, pd.concat(alone), check_exact=True)

    @pytest.mark.slow
    def test_categories_that_others_determine_are_independent(self) -> None:
        rejected, kept = 0, 0
        for seed in range(10):
            random = np.random.default_rng(seed)
            level = random.integers(0, 4, 200)
            columns = {"u": np.array(list("abcd"))[level], "x": np.array(list("wwyz"))[level]}
            data = altsel.Dataset(columns, level + 0.5 * random.normal(size=200))
            test = PredictivePermutation(data, "linear", permutations=199)
            rejected += int(test(["x"], ["u"]).p[0] <= 0.05)
            kept += len(altsel.blankets.ppfs(test)[0]) - 1
        assert (rejected, kept) <= (1, 1)

    def test_what_the_rest_determines_is_independent(self) -> None:
        for estimator in ("tree", "linear"):
            test = PredictivePermutation(with_copies(), estimator)
            assert test(["copy"], ["a"]).p[0] == 1
            assert test(["sum"], ["a", "b"]).p[0] == 1

    @pytest.mark.slow
    def test_the_seed_is_that_of_estimators_that_draw(self) -> None:
        drawn = Conditional(RandomForestRegressor(5))
        p = [
            PredictivePermutation(numbers(), "linear", knockoff=drawn, random_state=seed)(
                ["a"], ["c"]
            ).statistic[0]
            for seed in (1, 1, 2)
        ]
        assert p[0] == p[1] != p[2]

    def test_a_forest_of_the_user_gives_the_same_twice(self) -> None:
        data = numbers(rows=60)
        p = [
            PredictivePermutation(data, RandomForestRegressor(5), splits=3)(["a"], ["b"]).to_frame()
            for _ in range(2)
        ]
        pd.testing.assert_frame_equal(p[0], p[1], check_exact=True)

    @pytest.mark.slow
    @AS_PRINTED
    @settings(max_examples=15)
    @given(st.integers(0, 10_000), st.sampled_from(["tree", "linear"]), st.sampled_from(["folds", "random"]))
    def test_one_cause_is_always_found(self, seed: int, estimator: str, scheme: str) -> None:
        random = np.random.default_rng(seed)
        X = random.normal(size=(100, 4))
        data = altsel.Dataset(X, X[:, 2] + 0.3 * random.normal(size=100))
        found = altsel.blankets.ppfs(PredictivePermutation(data, estimator, scheme=scheme))
        assert "x2" in found[0]

    def test_of_two_copies_one_stays(self) -> None:
        data = with_copies()
        found = altsel.blankets.ppfs(PredictivePermutation(data, "linear"))
        assert len({"a", "copy", "sum"} & set(found[0])) >= 1
        assert len({"a", "copy"} & set(found[0])) <= 1


class Survival(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Exponential regression of times to an event, by events an exposed time."""

    def fit(self, X: pd.DataFrame, y: np.ndarray) -> Survival:
        rate = y["event"] / y["time"].clip(1e-3)
        self.model_ = PoissonRegressor(alpha=1e-3).fit(X, rate, sample_weight=y["time"].clip(1e-3))
        return self

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        return np.asarray(self.model_.predict(X))


class TestEveryKind:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        "estimator",
        [
            "tree",
            "linear",
            RandomForestClassifier(20),
            make_pipeline(
                make_column_transformer(
                    (OneHotEncoder(handle_unknown="ignore"), lambda X: X.select_dtypes("category").columns),
                    remainder=StandardScaler(),
                ),
                LogisticRegression(),
            ),
            HistGradientBoostingClassifier(max_iter=10, categorical_features="from_dtype"),
        ],
    )
    def test_categories_and_pipelines(self, estimator: Any) -> None:
        data = mixed()
        if isinstance(estimator, RandomForestClassifier):
            data = altsel.Dataset(data.X[["size", "count"]], data.y)
        test = PredictivePermutation(data, estimator, splits=5)
        assert test(["size"]).p[0] <= 0.05
        if "colour" in data.features:
            assert test(["colour"], ["size"]).p[0] <= 0.05
        effects = test(["size", "count"]).effect
        assert effects[0] > 0.1 > effects[1]

    @pytest.mark.slow
    @pytest.mark.parametrize("loss", ["log-loss", "zero-one"])
    def test_three_classes(self, loss: str) -> None:
        made = classes()
        data = altsel.Dataset(made.X, made.y, kinds={"a": "categorical"})
        for estimator in ("tree", "linear"):
            answers = PredictivePermutation(data, estimator, loss=loss)(["a", "b"], ["d"])
            assert answers.dependent(0.01).tolist() == [True, False]

    @pytest.mark.slow
    def test_counts(self) -> None:
        random = np.random.default_rng(1)
        X = random.normal(size=(200, 3))
        data = altsel.Dataset(X, random.poisson(np.exp(0.5 * X[:, 0])), "regression")
        for estimator in ("tree", "linear", PoissonRegressor()):
            answers = PredictivePermutation(data, estimator, loss="poisson-deviance")(["x0", "x1"], ["x2"])
            if estimator != "tree":  # single trees of counts are weak
                assert answers.dependent(0.01).tolist() == [True, False]

    @pytest.mark.slow
    def test_times_to_an_event(self) -> None:
        random = np.random.default_rng(0)
        X = random.normal(size=(300, 2))
        time, censored = random.exponential(np.exp(-X[:, 0])), random.exponential(2.0, 300)
        data = altsel.Dataset(X, np.minimum(time, censored), "regression")
        test = PredictivePermutation(data, Survival(), event=time <= censored)
        assert test(["x0", "x1"]).dependent(0.01).tolist() == [True, False]
        assert altsel.blankets.ppfs(test)[0].features == ("x0",)
        named = altsel.Dataset(data.X.assign(died=(time <= censored).astype(int)), data.y, "regression")
        by_name = PredictivePermutation(named, Survival(), event="died")
        assert by_name.features == data.features
        pd.testing.assert_frame_equal(by_name(["x0"]).to_frame(), test(["x0"]).to_frame())
        with pytest.raises(altsel.ArgumentError, match="event='dead' names no column"):
            PredictivePermutation(named, Survival(), event="dead")
        with pytest.raises(altsel.ArgumentError, match="time to an event, not 'x1'"):
            test.with_target("x1")
        with pytest.raises(altsel.ArgumentError, match="need an estimator"):
            PredictivePermutation(data, event=time <= censored)
        with pytest.raises(altsel.DataError, match=r"event of shape \(2,\), but the data have 300 rows"):
            PredictivePermutation(data, Survival(), event=[True, False])

    @pytest.mark.filterwarnings("ignore:features determine the target:altsel.DataWarning")
    def test_events_seen_in_every_row_and_series_with_an_index(self) -> None:
        random = np.random.default_rng(0)
        X = random.normal(size=(100, 2))
        data = altsel.Dataset(X, random.exponential(np.exp(-X[:, 0])))
        assert PredictivePermutation(data, Survival(), event=np.ones(100))(["x0"]).p[0] <= 0.01
        with pytest.raises(altsel.DataError, match="event holds '1', '2'; it is to be 1 where"):
            PredictivePermutation(data, Survival(), event=1 + np.arange(100) % 2)
        with pytest.raises(altsel.DataError, match="event has an index"):
            PredictivePermutation(data, Survival(), event=pd.Series(np.ones(100))[::-1])
        with pytest.raises(altsel.DataError, match="no time to an event"):
            PredictivePermutation(altsel.Dataset(X, X[:, 0]), Survival(), event=np.ones(100))

    def test_a_loss_of_the_users(self) -> None:
        data = numbers()
        own = PredictivePermutation(data, "linear", loss=lambda truth, said: (truth - said) ** 2)
        usual = PredictivePermutation(data, "linear")
        assert np.array_equal(own(["a", "b"]).log_p, usual(["a", "b"]).log_p)

    @pytest.mark.slow
    def test_draws_are_as_good_as_the_regressor_they_are_made_by(self) -> None:
        random = np.random.default_rng(0)
        u, noise, own = random.normal(size=(3, 300))
        data = altsel.Dataset({"x": u**2 + 0.5 * own, "u": u}, u**2 + noise)
        tree = DecisionTreeRegressor(min_samples_leaf=10)
        wrong = PredictivePermutation(data, tree)(["x"], ["u"]).p[0]
        right = PredictivePermutation(
            data, tree, knockoff=Conditional(make_pipeline(SplineTransformer(), LinearRegression()))
        )(["x"], ["u"]).p[0]
        assert wrong <= 0.05 < right

    @pytest.mark.slow
    def test_other_targets_take_their_own_task(self) -> None:
        data = mixed()
        test = PredictivePermutation(data, (RandomForestClassifier(20), RandomForestRegressor(20)), splits=3)
        assert test.with_target("size")(["count"]).tested.all()
        assert test.with_target("sex")(["count"]).tested.all()
        data_of_numbers = PredictivePermutation(numbers(), loss="absolute-error")
        assert data_of_numbers.with_target("a")(["c"]).p[0] <= 0.05
        linear = PredictivePermutation(data, "linear", loss="zero-one")
        assert linear.with_target("size")(["y"], ["colour"]).p[0] <= 0.05
        assert linear.with_target("colour")(["y"], ["size"]).p[0] <= 0.05

    def test_other_targets_with_rare_classes_are_not_tested(self) -> None:
        random = np.random.default_rng(0)
        rare = np.where(np.arange(60) < 3, "seldom", "often")
        data = altsel.Dataset({"a": random.normal(size=60), "rare": rare}, random.normal(size=60))
        answers = PredictivePermutation(data).with_target("rare")(["a"])
        assert (answers.tested.tolist(), answers.p.tolist()) == ([False], [1.0])


class TestWithEverything:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        "learner",
        [
            altsel.blankets.forward_backward,
            altsel.blankets.grow_shrink,
            altsel.blankets.iamb,
            altsel.blankets.mmmb,
            altsel.blankets.hiton_mb,
            altsel.blankets.ipcmb,
            altsel.blankets.stmb,
            altsel.blankets.ppfs,
        ],
    )
    def test_every_learner(self, learner: Any) -> None:
        data = numbers(rows=300)
        for wrap in (lambda test: test, Counted, BenjaminiHochberg):
            found = learner(wrap(PredictivePermutation(data, "linear")), alpha=0.01)
            assert set(found[0]) == {"a", "d"}
            assert found.seed == 0

    @pytest.mark.slow
    def test_all_blankets_taxonomy_and_equivalence(self) -> None:
        random = np.random.default_rng(0)
        a, b, noise, twin = random.normal(size=(4, 200))
        data = altsel.Dataset({"a": a, "twin": 2 * a + 1, "b": b, "noise": noise}, a + b + 0.5 * twin)
        test = PredictivePermutation(data, "linear")
        for search in (altsel.blankets.tmfbs, altsel.blankets.tie_star):
            found = search(test, alpha=0.01)
            assert {frozenset(one) for one in found} == {frozenset({"a", "b"}), frozenset({"twin", "b"})}
        assert altsel.taxonomy(found, test).of("indispensable") == ("b",)

    @pytest.mark.slow
    @pytest.mark.filterwarnings("ignore::altsel.errors.FalseDiscoveryWarning")
    @pytest.mark.parametrize("n_jobs", [1, 2])
    def test_searches_look_at_the_clock_before_each_fit(
        self, n_jobs: int, let_pass: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Processes are told until when they may work; here this one does what they would."""
        fits, told = [0], []

        class Late(LinearRegression):  # type: ignore[misc]
            def fit(self, X: Any, y: Any) -> Late:
                fits[0] += 1
                if fits[0] == 60:
                    let_pass(2e6)
                super().fit(X, y)
                return self

        def here(function: Any, chunks: dict[str, Any], **_: Any) -> dict[str, Any]:
            told.append(function.until)
            return {key: function(chunk) for key, chunk in chunks.items()}

        monkeypatch.setattr(fitting, "run", here)
        random = np.random.default_rng(0)
        data = altsel.Dataset(random.normal(size=(60, 200)), random.normal(size=60))
        slow = PredictivePermutation(data, Late(), n_jobs=n_jobs)
        found = altsel.blankets.ppfs(slow, limits=altsel.blankets.Limits(max_seconds=1e6))
        assert (found.stop, fits) == (altsel.Stop.TIME, [60])
        assert len(told) == (n_jobs == 2)
        assert all(map(isfinite, told))

    def test_a_wrapper_of_a_test_that_cannot_eliminate_remembers(self) -> None:
        test = Counted(BenjaminiHochberg(altsel.independence.GSquare(classes())))
        answers = [list(backward(test, ["a", "b"], [], 0.05)) for _ in range(2)]
        assert answers[0][0].log_p[0] == answers[1][0].log_p[0]
        assert (test.account.requested, test.account.tests) == (4, 2)

    @pytest.mark.filterwarnings("ignore::altsel.errors.FalseDiscoveryWarning")
    def test_what_was_tested_before_the_time_was_up_is_kept(self) -> None:
        class Tired(PredictivePermutation):
            calls = 0

            def __call__(self, candidates: Any, given: Any = ()) -> Any:
                type(self).calls += 1
                if self.calls == 3:
                    raise OutOfTimeError
                return super().__call__(candidates, given)

        random = np.random.default_rng(0)
        X = random.normal(size=(100, 30))
        data = altsel.Dataset(X, X[:, 0] + X[:, 29] + 0.1 * random.normal(size=100))
        found = altsel.blankets.ppfs(Tired(data), limits=altsel.blankets.Limits(max_seconds=1e5))
        tested = [one for one in found[0].verdicts if one.log_p is not None]
        assert (found.stop, found.effort.tests, len(tested)) == (altsel.Stop.TIME, 24, 16)
        assert "x0" in found[0]


class Stepping(LinearRegression):  # type: ignore[misc]
    """An estimator with a parameter of the name that pipelines use for something else."""

    def __init__(self, steps: int = 200) -> None:
        super().__init__()
        self.steps = steps


class Failing(LinearRegression):  # type: ignore[misc]
    def fit(self, X: Any, y: Any) -> Failing:
        if "b" in X.columns:
            raise ValueError("no b, please")
        super().fit(X, y)
        return self


class TestErrors:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"scheme": "fold"}, "scheme='fold'; use 'folds', 'random'"),
            ({"splits": 1}, "splits=1; use an integer of at least 2"),
            ({"splits": 150}, "fewer than two rows to test on"),
            pytest.param({"test_size": 1.0, "scheme": "random"}, "test_size=1.0", marks=AS_PRINTED),
            ({"test_size": 0.3}, "test_size=0.3 is for scheme='random'"),
            ({"knockoff": "cond"}, "knockoff='cond'; use 'conditional' or Conditional"),
            ({"shuffles": 0}, "shuffles=0"),
            ({"loss": "log-loss"}, "with a target of numbers; use 'squared-error'"),
            ({"permutations": 0}, "number of permutations=0"),
            ({"random_state": -1}, "random_state=-1"),
            ({"n_jobs": 0}, "n_jobs=0"),
            ({"estimator": "forest"}, "estimator='forest'; use 'tree', 'linear'"),
            ({"estimator": RandomForestRegressor}, "is no scikit-learn estimator"),
            ({"estimator": RandomForestClassifier()}, "is no regressor"),
        ],
    )
    def test_wrong_arguments_are_named(self, options: dict[str, Any], message: str) -> None:
        with pytest.raises(altsel.ArgumentError, match=message):
            PredictivePermutation(numbers(), **options)

    def test_classes_need_probabilities_or_the_zero_one_loss(self) -> None:
        data = binary()
        with pytest.raises(altsel.ArgumentError, match=r"LinearSVC has no predict_proba.*loss='zero-one'"):
            PredictivePermutation(data, LinearSVC())
        assert PredictivePermutation(data, LinearSVC(), loss="zero-one")(["sum"]).p[0] <= 0.05

    def test_the_part_and_the_features_of_a_failed_fit_are_named(self) -> None:
        test = PredictivePermutation(numbers(), Failing())
        with pytest.raises(
            altsel.ArgumentError, match=r"part 1 of 10, model of 'a', 'b': Failing cannot be fitted: no b"
        ):
            test(["b"], ["a"])

    def test_pipelines_that_choose_columns_by_name_are_told_how_to_choose_them(self) -> None:
        by_name = make_column_transformer((OneHotEncoder(), ["colour"]), remainder="passthrough")
        test = PredictivePermutation(mixed(), make_pipeline(by_name, LogisticRegression()))
        with pytest.raises(altsel.ArgumentError, match="make_column_selector"):
            test(["size"])
        with pytest.raises(altsel.ArgumentError, match=r"could not convert string.*make_column_selector"):
            PredictivePermutation(mixed(), LogisticRegression())(["colour"])

    def test_knockoffs_of_the_wrong_kind(self) -> None:
        with pytest.raises(altsel.ArgumentError, match="number= a regressor, not RandomForestClassifier"):
            Conditional(RandomForestClassifier())
        with pytest.raises(
            altsel.ArgumentError, match="category= takes a classifier with predict_proba, not Lin"
        ):
            Conditional(category=LinearSVC())
        own = Conditional(category=LogisticRegression())
        with pytest.raises(
            altsel.ArgumentError, match="the draws of 'sex' by conditional by LogisticRegression"
        ):
            PredictivePermutation(mixed(), "linear", knockoff=own)(["sex"], ["colour"])

    def test_counts_that_were_taken_for_classes(self) -> None:
        counts = np.random.default_rng(0).poisson(3, 80)
        data = altsel.Dataset(np.arange(80.0)[:, None], counts)
        with pytest.raises(altsel.DataError, match="task='regression'"):
            PredictivePermutation(data)
        with pytest.raises(altsel.ArgumentError, match="task='regression'"):
            PredictivePermutation(data, loss="poisson-deviance")

    def test_a_parameter_called_steps_makes_no_pipeline(self) -> None:
        assert "Stepping" in PredictivePermutation(numbers(), Stepping()).name
        assert "Stepping" in altsel.comparison.SklearnModels(numbers(), Stepping()).name

    def test_rare_classes(self) -> None:
        data = classes(rows=90)
        y = data.y.copy()
        y[:3] = 7
        rare = altsel.Dataset(data.X, y)
        with pytest.raises(
            altsel.DataError, match="class '7' of the target 'y' in 3 rows: fewer than two in each of 10"
        ):
            PredictivePermutation(rare)
        with (
            pytest.warns(FutureWarning, match="scheme='random': "),
            pytest.raises(altsel.DataError, match="fewer than two"),
        ):
            PredictivePermutation(rare, scheme="random", test_size=0.9)
        with pytest.warns(altsel.DataWarning, match="classes '7' of 'y' are missing from some parts"):
            test = PredictivePermutation(rare, stratify=False)
        assert np.isfinite(test(data.features).log_p).all()

    def test_negative_counts(self) -> None:
        with pytest.raises(altsel.DataError, match="negative numbers, which are no counts"):
            PredictivePermutation(numbers(), loss="poisson-deviance")

    def test_losses_that_fail_are_named(self) -> None:
        def odd(truth: Any) -> Any:
            return truth

        with pytest.raises(altsel.ArgumentError, match="loss 'odd' failed with truth of shape"):
            PredictivePermutation(numbers(), loss=odd)(["a"])  # type: ignore[arg-type]
        with pytest.raises(altsel.ArgumentError, match="with a target of numbers"):
            PredictivePermutation(numbers(), loss=["log-loss"])  # type: ignore[arg-type]
        with pytest.raises(altsel.ArgumentError, match="use 'conditional' or Conditional"):
            PredictivePermutation(numbers(), knockoff=Conditional)  # type: ignore[arg-type]

    def test_predictions_that_are_none(self) -> None:
        class OneColumn(LogisticRegression):  # type: ignore[misc]
            def predict_proba(self, X: Any) -> Any:
                return super().predict_proba(X)[:, :1]

        class NoNumber(LinearRegression):  # type: ignore[misc]
            def predict(self, X: Any) -> Any:
                return super().predict(X) * np.nan

        with pytest.raises(altsel.ArgumentError, match=r"OneColumn cannot predict.*shape \(72, 1\)"):
            PredictivePermutation(binary(), OneColumn())(["a"])
        with pytest.raises(
            altsel.ArgumentError, match="NoNumber cannot predict: predict gave numbers that are not"
        ):
            PredictivePermutation(numbers(), NoNumber())(["a"])

    def test_numbers_whose_squares_are_no_floats(self) -> None:
        data = numbers()
        for unit in (1e-170, 1e160):
            with pytest.raises(altsel.DataError, match="multiply it by a constant"):
                PredictivePermutation(altsel.Dataset(data.X, data.y * unit))

    def test_losses_that_are_none(self) -> None:
        test = PredictivePermutation(numbers(), loss=lambda truth, said: np.nan)
        with pytest.raises(altsel.ArgumentError, match="return one finite loss for each row"):
            test(["a"])

    @AS_PRINTED
    @pytest.mark.parametrize("learner", [altsel.blankets.ppfs, altsel.blankets.iamb, altsel.blankets.tmfbs])
    def test_levels_that_p_cannot_reach(self, learner: Any) -> None:
        test = PredictivePermutation(numbers(), scheme="random", splits=4)
        with pytest.raises(altsel.ArgumentError, match=r"alpha=0.05, but no p .* is below 0.0625"):
            learner(Counted(test), alpha=0.05)
        with pytest.raises(altsel.ArgumentError, match=r"below 0.001"):
            learner(PredictivePermutation(numbers()), alpha=0.0005)

    def test_a_classifier_alone_is_refused_where_features_become_targets(self) -> None:
        test = PredictivePermutation(mixed(), RandomForestClassifier())
        with pytest.raises(altsel.ArgumentError, match=r"estimator=\(classifier, regressor\)"):
            test.with_target("size")(["count"])

    def test_warnings_of_constant_parts_do_not_stop_anything(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert PredictivePermutation(binary())(["a"], ["b"]).tested.all()
