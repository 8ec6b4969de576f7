"""The correlation ratio against tables by hand, scipy and the analysis of variance of scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import pointbiserialr
from scipy.stats.contingency import association
from sklearn.feature_selection import f_classif

from altsel import DataError, Dataset, dependence
from altsel.measures import CorrelationRatio, absolute_pearson

correlation_ratio = CorrelationRatio(debiased=False)  # what chance gives: test_chance.py
Table = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]


def drawn(seed: int, classes: int) -> Table:
    """Draw numbers, and two groupings by words, of which one tells of the numbers."""
    random = np.random.default_rng(seed)
    groups = np.append(np.arange(classes), random.integers(0, classes, 60))
    other = np.append(np.arange(5), (groups + random.integers(0, 2, len(groups)))[5:] % 5)
    values = random.normal(size=(len(groups), 4)) + random.random(4) * groups[:, None]
    words = np.array([f"level {number}" for number in range(10)])
    return values, words[groups], words[other]


@pytest.mark.filterwarnings("ignore:features determine the target:altsel.DataWarning")
def test_ordered_categories_are_classes_and_ordinal_numbers_are_numbers() -> None:
    values, words, _ = drawn(0, 3)
    numbers, order = np.array([int(word[-1]) for word in words]), sorted(set(words), reverse=True)
    frame = pd.DataFrame({"x": values[:, 0], "o": pd.Categorical(words, order, ordered=True), "n": numbers})
    measured = dependence(Dataset(frame, values[:, 1], kinds={"n": "ordinal"}), correlation_ratio)
    assert measured.redundancy.loc["x", "o"] == pytest.approx(correlation_ratio(values[:, 0], words))
    assert correlation_ratio(frame["o"], frame["x"]) == pytest.approx(measured.redundancy.loc["x", "o"])
    assert measured.redundancy.loc["x", "n"] == pytest.approx(absolute_pearson(values[:, 0], numbers))
    target = Dataset(frame[["x", "n"]], frame["o"])
    assert dependence(target, correlation_ratio).relevance["x"] == pytest.approx(
        correlation_ratio(values[:, 0], words)
    )


def test_a_table_of_numbers_by_hand() -> None:
    # algebra 45 70 29 15 21, geometry 40 20 30 42, statistics 65 95 80 70 85 73
    values = [45, 70, 29, 15, 21, 40, 20, 30, 42, 65, 95, 80, 70, 85, 73]
    topics = ["algebra"] * 5 + ["geometry"] * 4 + ["statistics"] * 6
    between = 5 * (36 - 52) ** 2 + 4 * (33 - 52) ** 2 + 6 * (78 - 52) ** 2  # 6780 of 9640
    assert correlation_ratio(values, topics) == pytest.approx(np.sqrt(between / 9640))
    assert correlation_ratio(topics, values) == correlation_ratio(values, topics)


def test_a_table_of_classes_by_hand() -> None:
    # counts 2 0 0 / 1 1 0 / 0 1 1: chi^2 = 6 (4/6 + 1/6 + 1/4 + 1/4 + 1/2 - 1) = 5
    first, second = list("aabbcc"), list("uuuvvw")
    assert correlation_ratio(first, second) == pytest.approx(np.sqrt(5 / (6 * 2)))
    assert correlation_ratio(first, list("xyzxyz")) == pytest.approx(np.sqrt(6 * (6 / 4 - 1) / (6 * 2)))


@pytest.mark.slow
@settings(max_examples=10)
@given(st.integers(0, 10_000), st.integers(2, 8))
def test_its_square_is_the_share_of_variance_in_the_analysis_of_variance(seed: int, classes: int) -> None:
    values, groups, _ = drawn(seed, classes)
    found = dependence(Dataset(values, groups), correlation_ratio).relevance
    f, between, within = f_classif(values, groups)[0], classes - 1, len(values) - classes
    assert found.to_numpy() ** 2 == pytest.approx(f * between / (f * between + within), abs=1e-12)
    assert correlation_ratio(values[:, 0], groups) == pytest.approx(found.iloc[0])
    if classes == 2:
        peer = [abs(pointbiserialr(groups == groups[0], column)[0]) for column in values.T]
        assert found.to_numpy() == pytest.approx(peer, abs=1e-12)
        assert found.to_numpy() == pytest.approx(
            dependence(Dataset(values, groups), absolute_pearson).relevance.to_numpy(), abs=1e-12
        )


@pytest.mark.slow
@settings(max_examples=10)
@given(st.integers(0, 10_000), st.integers(2, 8))
def test_two_groupings_have_the_v_of_scipy(seed: int, classes: int) -> None:
    values, groups, other = drawn(seed, classes)
    expected = association(pd.crosstab(groups, other).to_numpy(), method="cramer")
    table = pd.DataFrame({"groups": groups, "other": other, "number": values[:, 0]})
    assert correlation_ratio(groups, other) == pytest.approx(expected, abs=1e-12)
    by_class = dependence(Dataset(table[["groups", "number"]], other), correlation_ratio).relevance
    assert by_class["groups"] == pytest.approx(expected, abs=1e-12)
    pairs = dependence(Dataset(table, values[:, 1]), correlation_ratio).redundancy
    assert pairs.loc["groups", "other"] == pytest.approx(expected, abs=1e-12)
    assert pairs.loc["other", "number"] == pytest.approx(correlation_ratio(other, values[:, 0]))
    assert np.diag(pairs) == pytest.approx(1)


def test_a_numeric_target_across_the_classes_of_a_feature() -> None:
    values, _, other = drawn(0, 3)
    data = Dataset(pd.DataFrame({"other": other, "number": values[:, 1]}), values[:, 0])
    found = dependence(data, correlation_ratio).relevance
    assert found["other"] == correlation_ratio(other, values[:, 0])
    assert found["number"] == pytest.approx(abs(np.corrcoef(values[:, 1], values[:, 0])[0, 1]))


def test_integers_are_numbers_unless_their_kind_says_classes() -> None:
    zips, y = [1, 2, 3, 1, 2, 3, 2], [1.5, 0.25, 1.25, 1.0, 0.5, 1.0, 0.75]
    as_number, as_class = (
        dependence(Dataset({"zip": zips}, y, kinds=kinds), correlation_ratio).relevance["zip"]
        for kinds in ({}, {"zip": "categorical"})
    )
    assert as_number == pytest.approx(abs(np.corrcoef(zips, y)[0, 1]))
    assert as_class == pytest.approx(correlation_ratio([str(one) for one in zips], y))


def test_constants_and_independent_columns_have_0() -> None:
    assert correlation_ratio([2.5, 2.5, 2.5, 2.5], list("aabc")) == 0
    assert correlation_ratio([1, 2, 3, 5], list("aaaa")) == 0
    assert correlation_ratio(list("abcd"), list("xxxx")) == 0
    assert correlation_ratio([0.1] * 3, [1, 2, 3]) == 0
    assert correlation_ratio(list("aaabbbccc"), list("xyzxyzxyz")) == 0
    assert correlation_ratio([1, 3, 1, 3, 1, 3], list("aabbcc")) == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("factor", [1e-320, 1e-170, 1e155, 1e307])
def test_no_scale_changes_it(factor: float) -> None:
    values, groups, other = drawn(2, 4)
    values = np.round(values, 2) if factor > 1e-300 else np.round(values * 1000)
    table = pd.DataFrame(values).rename(columns=str).assign(other=other)
    scaled = pd.DataFrame(values * factor).rename(columns=str).assign(other=other)
    plain, found = (dependence(Dataset(one, groups), correlation_ratio) for one in (table, scaled))
    assert found.relevance.to_numpy() == pytest.approx(plain.relevance.to_numpy(), rel=1e-9)
    assert found.redundancy.to_numpy() == pytest.approx(plain.redundancy.to_numpy(), rel=1e-9)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([1, 2], [1, 2, 3], "same length"),
        ([], [], "same length"),
        ([1.0, np.nan], ["a", "b"], "missing or infinite"),
        ([1.0, 2.0], [None, "b"], "missing or infinite"),
        ([1.0, np.inf], [1, 2], "missing or infinite"),
    ],
)
def test_columns_that_cannot_be_measured(a: list[Any], b: list[Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        correlation_ratio(a, b)
