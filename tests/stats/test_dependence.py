"""Measures against tables computed by hand and against scikit-learn and scipy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm, pearsonr, rankdata, spearmanr
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import mutual_info_classif, mutual_info_regression
from sklearn.inspection import permutation_importance as permutation_importance_of
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import mutual_info_score, normalized_mutual_info_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from altsel import ArgumentError, DataError, Dataset, dependence
from altsel.data.dealing import dealt
from altsel.measures import (
    absolute_pearson,
    absolute_spearman,
    association,
    correlation_ratio,
    gaussian_copula_information,
    importances,
    mutual_information,
    permutation_importance,
    relief,
    symmetric_uncertainty,
)
from altsel.runtime.clock import Clock, in_force
from altsel.stats.dependence import MutualInformation, SymmetricUncertainty
from altsel.stats.discrete.binary_pairs import Ones, sums_of_pairs
from altsel.stats.discrete.counts import count_logs
from altsel.stats.discrete.entropies import Coded, mutual_information_table

PAIRWISE = [
    mutual_information,
    symmetric_uncertainty,
    absolute_pearson,
    absolute_spearman,
    association,
    correlation_ratio,
    gaussian_copula_information,
]
PLAIN_INFORMATION, PLAIN_UNCERTAINTY = MutualInformation(debiased=False), SymmetricUncertainty(debiased=False)
ALL = [*PAIRWISE, importances(), permutation_importance()]


def test_a_table_by_hand() -> None:
    # counts 3 1 / 1 3: H = log 2 each, joint 2 (3/8 log 8/3 + 1/8 log 8)
    a, b = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 0, 1, 1, 1]
    information = 2 * np.log(2) - 2 * (3 / 8 * np.log(8 / 3) + 1 / 8 * np.log(8))
    assert PLAIN_INFORMATION(a, b) == pytest.approx(information)
    assert PLAIN_UNCERTAINTY(a, b) == pytest.approx(information / np.log(2))


def test_constants_have_no_dependence() -> None:
    assert symmetric_uncertainty([1, 1, 1], [1, 1, 1]) == 0
    assert mutual_information([1, 1, 1], [1, 2, 3]) == 0
    assert mutual_information([1, 1, 1], [0.5, 0.25, 3]) == 0
    assert absolute_pearson([1, 1, 1], [1, 2, 3]) == 0


codes = st.integers(2, 90).flatmap(
    lambda levels: st.lists(st.integers(0, levels), min_size=100, max_size=100)
)


@pytest.mark.slow
@given(st.lists(codes, min_size=2, max_size=4))
def test_all_pairs_equal_scikit_learn(columns: list[list[int]]) -> None:
    coded = Coded([np.unique(column, return_inverse=True)[1].astype(np.int64) for column in columns])
    table = mutual_information_table(coded, coded)
    for i, first in enumerate(columns):
        for j, second in enumerate(columns):
            assert table[i, j] == pytest.approx(max(mutual_info_score(first, second), 0), abs=1e-9)


@pytest.mark.slow
def test_blocks_do_not_change_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    columns = [
        np.unique(rng.integers(0, n, 300), return_inverse=True)[1] for n in (2, 3, 80, 5, 40, 4, 120, 30)
    ]
    whole = mutual_information_table(Coded(columns), Coded(columns))
    monkeypatch.setattr("altsel.stats.discrete.entropies.BLOCK_BYTES", 8 * 8**2)
    assert np.allclose(mutual_information_table(Coded(columns), Coded(columns[::-1])), whole[:, ::-1])
    assert np.allclose(mutual_information_table(Coded(columns), Coded(list(columns))), whole)


@pytest.mark.parametrize("share", [0.01, 0.4])
def test_pairs_of_two_values_are_counted_by_what_both_have(
    share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    first, second = ((rng.random((count, 400)) < share).astype(np.uint8) for count in (7, 5))
    for table in (first, second):
        table[:, :2] = [0, 1]
    logs = count_logs(400)
    assert Ones(list(first)).few == (share < 0.05)
    expected = [
        [sum(logs[np.bincount(2 * a + b, minlength=4)].tolist()) for b in second] for a in first.astype(int)
    ]
    same = [
        [sum(logs[np.bincount(2 * a + b, minlength=4)].tolist()) for b in first] for a in first.astype(int)
    ]
    for most in (10**6, 1000):
        one, other = Ones(list(first)), Ones(list(second))
        assert sums_of_pairs(one, other, logs, most) == pytest.approx(np.array(expected), rel=1e-14)
        assert sums_of_pairs(one, one, logs, most) == pytest.approx(np.array(same), rel=1e-14)
        found = []
        for sparse in (0.0, 1.0):
            monkeypatch.setattr("altsel.stats.discrete.binary_pairs.SPARSE", sparse)
            found.append(sums_of_pairs(Ones(list(first)), Ones(list(first)), logs, most).tolist())
        assert found[0] == found[1]


def test_discrete_redundancy_and_uncertainty_equal_scikit_learn() -> None:
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.integers(0, 4, (300, 5)), columns=list("abcde"))
    data = Dataset(X, rng.integers(0, 3, 300))
    information = dependence(data, PLAIN_INFORMATION)
    redundancy = information.redundancy
    uncertainty = dependence(data, PLAIN_UNCERTAINTY)
    for a in data.features:
        assert information.relevance[a] == pytest.approx(mutual_info_score(X[a], data.y))
        assert uncertainty.relevance[a] == pytest.approx(normalized_mutual_info_score(X[a], data.y))
        for b in data.features:
            assert redundancy.loc[a, b] == pytest.approx(mutual_info_score(X[a], X[b]))


def test_neighbour_estimates_are_those_of_scikit_learn(mixed: Dataset) -> None:
    relevance = dependence(mixed, mutual_information).relevance
    column = mixed.X["noisy"].to_numpy()
    expected = mutual_info_classif(column[:, None], mixed.y, random_state=0)[0]
    assert relevance["noisy"] == pytest.approx(expected, abs=1e-12)
    other = mixed.X["noise"].to_numpy()
    both = [
        mutual_info_regression(a[:, None], b, random_state=0)[0]
        for a, b in ((column, other), (other, column))
    ]
    found = dependence(mixed, mutual_information).redundancy.loc["noisy", "noise"]
    assert min(abs(found - one) for one in both) < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize(
    "measure",
    [*ALL[:-1], pytest.param(ALL[-1], marks=pytest.mark.long)],
    ids=lambda m: m.name,
)
def test_measures_are_repeatable_and_keep_names(measure: Any, mixed: Dataset) -> None:
    first, second = dependence(mixed, measure), dependence(mixed, measure)
    pd.testing.assert_series_equal(first.relevance, second.relevance)
    assert tuple(first.relevance.index) == mixed.features
    assert first.relevance["noisy"] > first.relevance["noise"]


@pytest.mark.parametrize("measure", PAIRWISE, ids=lambda m: m.name)
def test_redundancy_is_symmetric_and_independent_of_the_order_of_columns(
    measure: Any, mixed: Dataset
) -> None:
    table = dependence(mixed, measure).redundancy
    assert (table.to_numpy() == table.to_numpy().T).all()
    turned = Dataset(mixed.X[mixed.X.columns[::-1]], mixed.y)
    other = dependence(turned, measure)
    pd.testing.assert_frame_equal(other.redundancy.loc[table.index, table.columns], table, rtol=1e-12)
    relevance = dependence(mixed, measure).relevance
    pd.testing.assert_series_equal(other.relevance[relevance.index], relevance, rtol=1e-12)


@pytest.mark.parametrize("measure", PAIRWISE, ids=lambda m: m.name)
def test_a_measure_of_two_arrays_is_exactly_symmetric(measure: Any, mixed: Dataset) -> None:
    a, b = mixed.X["noisy"], mixed.X["noise"]
    assert measure(a, b) == measure(b, a)
    assert measure(a, b) == pytest.approx(
        dependence(mixed, measure).redundancy.loc["noisy", "noise"], abs=1e-12
    )


@pytest.mark.slow
@pytest.mark.parametrize("measure", [*ALL, relief], ids=lambda m: m.name)
def test_ordinal_columns_and_counts_are_measured(measure: Any) -> None:
    random = np.random.default_rng(0)
    n = random.integers(0, 4, 120)
    letters = np.array(list("zyxw"))[np.where(random.random(120) < 0.2, random.integers(0, 4, 120), n)]
    frame = pd.DataFrame({"n": n, "many": random.integers(0, 99, 120), "o": letters})
    kinds: dict[str, Any] = {"n": "ordinal", "many": "ordinal", "o": list("zyxw"), "y": "count"}
    data = Dataset(frame, pd.Series(random.poisson(1 + 3 * n), name="y"), kinds=kinds)
    found = dependence(data, measure).relevance
    assert np.isfinite(found).all()
    assert found["n"] > found["many"]
    assert measure not in PAIRWISE or found["o"] > found["many"]


def test_correlations_equal_scipy(mixed: Dataset) -> None:
    for measure, peer in ((absolute_pearson, pearsonr), (absolute_spearman, spearmanr)):
        relevance = dependence(mixed, measure).relevance
        for name in ("noisy", "count", "noise"):
            assert relevance[name] == pytest.approx(abs(peer(mixed.X[name], mixed.y)[0]))


@pytest.mark.slow
def test_the_information_of_a_gaussian_copula() -> None:
    # ranks 1 2 3 and 1 3 2: scores -s 0 s and -s s 0, r = 1/2
    assert gaussian_copula_information([1, 2, 3], [5, 90, 7]) == pytest.approx(-np.log(3 / 4) / 2)
    random = np.random.default_rng(0)
    a = random.normal(size=4000)
    b = 0.8 * a + 0.6 * random.normal(size=4000)
    found = gaussian_copula_information(np.exp(3 * a), b**3)
    assert found == gaussian_copula_information(a, b)
    assert found == pytest.approx(-np.log(0.36) / 2, abs=0.03)
    scores = [norm.ppf(rankdata(column) / 4001) for column in (a.round(1), b)]
    expected = -np.log(1 - pearsonr(*scores)[0] ** 2) / 2
    assert gaussian_copula_information(a.round(1), b) == pytest.approx(expected)
    assert gaussian_copula_information(a, a**2) < 0.01
    assert mutual_information(a, a**2) > 1
    measured = dependence(Dataset({"a": a, "c": np.exp(a)}, b), gaussian_copula_information)
    assert measured.redundancy.to_numpy() == pytest.approx(6 * np.log(10))
    assert measured.caveats.without_bound == ("a", "c")


@pytest.mark.parametrize("factor", [1e-200, 1e200])
def test_correlation_of_tiny_and_huge_numbers(factor: float) -> None:
    a = np.array([1.0, 2, 3, 5])
    assert absolute_pearson(a * factor, [1, 2, 3, 4]) == pytest.approx(absolute_pearson(a, [1, 2, 3, 4]))


def test_ordinal_columns_correlate_by_their_ranks() -> None:
    sizes, y = ["s", "m", "l", "m", "s", "l"], np.array([1.5, 1, 4, 9, 2, 5])
    data = Dataset({"size": sizes, "n": range(6)}, y, kinds={"size": ["s", "m", "l"]})
    target = Dataset({"n": range(6)}, pd.Series(sizes, name="size"), kinds={"size": ["s", "m", "l"]})
    for measure, peer in ((absolute_pearson, pearsonr), (absolute_spearman, spearmanr)):
        found = dependence(data, measure)
        assert found.relevance["size"] == pytest.approx(abs(peer([0, 1, 2, 1, 0, 2], y)[0]))
        own = abs(peer([0, 1, 2, 1, 0, 2], range(6))[0])
        assert found.redundancy.loc["n", "size"] == pytest.approx(own)
        assert dependence(target, measure).relevance["n"] == pytest.approx(own)
        assert measure(data.X["size"], range(6)) == pytest.approx(own)
    plain = Dataset({"size": sizes, "n": range(6)}, y, kinds={"size": "categorical"})
    with pytest.raises(DataError, match="'size' hold categories"):
        dependence(plain, absolute_pearson)


def test_what_has_no_order_has_no_correlation() -> None:
    X = pd.DataFrame({"colour": ["r", "g", "b", "r"], "n": [1, 2, 3, 4]})
    with pytest.raises(DataError, match="'colour' hold categories: use correlation_ratio"):
        dependence(Dataset(X, [0, 1, 0, 1]), absolute_pearson)
    with pytest.raises(DataError, match=r"binary target.*correlation_ratio"):
        dependence(Dataset(X[["n"]], ["a", "b", "c", "a"]), absolute_pearson)


@pytest.mark.filterwarnings("ignore:features determine the target:altsel.DataWarning")
def test_categories_work_without_one_hot_coding() -> None:
    X = pd.DataFrame({"colour": ["r", "g", "b", "r"] * 5, "n": range(20)})
    data = Dataset(X, X["colour"].rename("y") == "r")
    assert dependence(data, PLAIN_INFORMATION).relevance["colour"] == pytest.approx(np.log(2))


def test_permutation_importance_looks_at_the_clock_before_each_score(mixed: Dataset) -> None:
    class Interrupting(KNeighborsClassifier):  # type: ignore[misc]
        scored = 0

        def score(self, *given: Any) -> float:
            type(self).scored += 1
            running.interrupted = self.scored == 3
            return 0.5

    with in_force(Clock()) as running, pytest.raises(KeyboardInterrupt):
        dependence(mixed, permutation_importance(Interrupting()))
    assert Interrupting.scored == 3


@pytest.mark.slow
@pytest.mark.parametrize("measure", [importances(), permutation_importance()])
def test_a_forest_is_grown_in_parts(measure: Any, mixed: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = RandomForestClassifier(random_state=0).fit(mixed.matrix(), mixed.target_values())
    assert importances(debiased=False).relevance(mixed).tolist() == whole.feature_importances_.tolist()
    real, grown = RandomForestClassifier.fit, []

    def fit(forest: Any, *given: Any) -> Any:
        grown.append(forest.n_estimators)
        running.interrupted = len(grown) == 2
        return real(forest, *given)

    monkeypatch.setattr(RandomForestClassifier, "fit", fit)
    with in_force(Clock()) as running, pytest.raises(KeyboardInterrupt):
        dependence(mixed, measure)
    assert len(grown) == 2
    assert grown[-1] < whole.n_estimators


def test_importances_of_any_estimator(mixed: Dataset) -> None:
    linear = dependence(mixed, importances(LogisticRegression()))
    assert linear.relevance["noisy"] > linear.relevance["noise"]
    assert "LogisticRegression" in linear.measure
    assert importances(RandomForestClassifier()).name.startswith("importance in RandomForestClassifier")
    with pytest.raises(ArgumentError, match="permutation_importance"):
        dependence(mixed, importances(KNeighborsClassifier()))
    assert len(dependence(mixed, permutation_importance(KNeighborsClassifier())).relevance) == 4
    with pytest.raises(ArgumentError, match="relevances only"):
        _ = linear.redundancy


def test_an_estimator_that_leaves_columns_out_has_no_debiased_importances(mixed: Dataset) -> None:
    class FirstTwo(RandomForestClassifier):  # type: ignore[misc]
        def fit(self, X: Any, y: Any) -> Any:
            return super().fit(X[:, :2], y)

    with pytest.raises(ArgumentError, match=r"2 importances of 8 columns.*debiased=False"):
        dependence(mixed, importances(FirstTwo(5)))
    assert len(importances(FirstTwo(5), debiased=False).relevance(mixed)) == 2


@pytest.mark.slow
def test_permutations_are_scored_on_rows_left_out(mixed: Dataset) -> None:
    tree = DecisionTreeClassifier(random_state=0)
    X, y = mixed.matrix(), mixed.target_values()
    found = np.zeros(X.shape[1])
    for part in dealt(np.unique(y, return_inverse=True)[1], 3, 0):
        rest = np.setdiff1d(np.arange(len(y)), part)
        model = tree.fit(X[rest], y[rest])
        own = permutation_importance_of(model, X[part], y[part], n_repeats=4, random_state=0)
        found += own.importances_mean * len(part) / len(y)
    assert permutation_importance(tree, folds=3).relevance(mixed) == pytest.approx(found)
    whole = permutation_importance_of(tree.fit(X, y), X, y, n_repeats=10, random_state=0).importances_mean
    assert permutation_importance(tree, folds=None).relevance(mixed) == pytest.approx(whole)


def test_settings_are_checked(mixed: Dataset) -> None:
    with pytest.raises(ArgumentError, match="bins=1"):
        dependence(mixed, SymmetricUncertainty(bins=1))
    assert dependence(mixed, MutualInformation(random_state=7)).seed == 7
    with pytest.raises(DataError, match="same length"):
        mutual_information([1, 2], [1, 2, 3])


def test_a_binary_column_may_hold_any_two_numbers() -> None:
    """scikit-learn takes 0.25 and 1.5 for a continuous target and refused."""
    rng = np.random.default_rng(0)
    side = rng.integers(0, 2, 100)
    x = side + rng.normal(size=100)
    tables = [
        dependence(Dataset(pd.DataFrame({"side": values, "x": x}), side ^ (x > 1)))
        for values in (side, np.array([0.25, 1.5])[side])
    ]
    assert tables[0].redundancy.to_numpy() == pytest.approx(tables[1].redundancy.to_numpy())
    assert tables[0].relevance.to_numpy() == pytest.approx(tables[1].relevance.to_numpy())
