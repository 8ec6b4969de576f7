"""Relief against its definition, written out row by row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import altsel
from altsel import ArgumentError, Dataset, dependence
from altsel.measures import Relief, relief, relieff


def mixed(rows: int, classes: int | None, seed: int = 0) -> Dataset:
    rng = np.random.default_rng(seed)
    y = rng.normal(size=rows) if classes is None else rng.integers(0, classes, rows)
    X = pd.DataFrame(
        {
            "near": y + rng.normal(size=rows) * 0.5,
            "count": rng.integers(0, 4, rows),
            "colour": pd.Series(np.array(["red", "green", "blue"])[(np.floor(y).astype(int)) % 3]),
            "noise": rng.normal(size=rows),
        }
    )
    return Dataset(X, pd.Series(y).map(lambda v: v if classes is None else f"class {v}"))


def diffs(data: Dataset) -> np.ndarray:
    """Differences of all pairs of rows in each feature, shape (rows, rows, features)."""
    parts = []
    for f in data.features:
        column = data.X[f]
        if column.dtype == "category":
            values = column.astype(str).to_numpy()
            parts.append((values[:, None] != values[None, :]).astype(float))
        else:
            numbers = column.to_numpy(dtype=float)
            parts.append(np.abs(numbers[:, None] - numbers[None, :]) / np.ptp(numbers))
    return np.stack(parts, axis=2)


def nearest(apart: np.ndarray, i: int, among: list[int], count: int) -> list[int]:
    return sorted((j for j in among if j != i), key=lambda j: (round(apart[i, j], 9), j))[:count]


def by_definition(data: Dataset, count: int) -> np.ndarray:
    diff, y = diffs(data), np.asarray(data.y)
    apart, rows = diff.sum(axis=2), len(data.y)
    weights = np.zeros(diff.shape[2])
    for i in range(rows):
        for c in set(y):
            near = nearest(apart, i, [j for j in range(rows) if y[j] == c], count)
            mean = diff[i, near].mean(axis=0) if near else 0.0
            share = (y == c).mean() / (1 - (y == y[i]).mean())
            weights += -mean if c == y[i] else share * mean
    return weights / rows


def by_definition_for_numbers(data: Dataset, count: int) -> np.ndarray:
    diff, y = diffs(data), np.asarray(data.y, dtype=float)
    apart, rows = diff.sum(axis=2), len(y)
    of_target, of_feature, both = 0.0, 0.0, 0.0
    for i in range(rows):
        near = nearest(apart, i, list(range(rows)), count)
        for j in near:
            between = abs(y[i] - y[j]) / np.ptp(y)
            of_target += between / len(near)
            of_feature += diff[i, j] / len(near)
            both += between * diff[i, j] / len(near)
    return np.asarray(both / of_target - (of_feature - both) / (rows - of_target))


@pytest.mark.slow
@given(st.integers(12, 30), st.sampled_from([2, 3, 4]), st.sampled_from([1, 3, 10]), st.integers(0, 99))
@pytest.mark.filterwarnings("ignore:features determine the target:altsel.DataWarning")
def test_classes_as_defined(rows: int, classes: int, count: int, seed: int) -> None:
    data = mixed(rows, classes, seed)
    assert Relief(count, debiased=False).relevance(data) == pytest.approx(by_definition(data, count))


@pytest.mark.slow
@given(st.integers(12, 30), st.sampled_from([1, 3, 10]), st.integers(0, 99))
def test_numbers_as_defined(rows: int, count: int, seed: int) -> None:
    data = mixed(rows, None, seed)
    assert data.task is altsel.data.Task.REGRESSION
    assert Relief(count, debiased=False).relevance(data) == pytest.approx(
        by_definition_for_numbers(data, count)
    )


def test_an_interaction_is_seen_that_no_single_feature_shows() -> None:
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.integers(0, 2, (400, 6)), columns=list("abcdef"))
    weights = dependence(Dataset(X, X["a"] ^ X["b"]), relieff).relevance
    assert weights[["a", "b"]].min() > 0.2
    assert weights[["c", "d", "e", "f"]].max() < 0.1


@pytest.mark.filterwarnings("ignore:features determine the target:altsel.DataWarning")
def test_samples_order_and_categories_of_a_class_of_one() -> None:
    data = mixed(200, 3)
    some = Relief(samples=50, random_state=1)
    assert some.relevance(data) == pytest.approx(some.relevance(data), abs=0)
    assert some.relevance(data) != pytest.approx(Relief(samples=50, random_state=2).relevance(data))
    turned = Dataset(data.X[data.X.columns[::-1]], data.y)
    assert relieff.relevance(turned)[::-1] == pytest.approx(relieff.relevance(data))
    alone = Dataset({"a": [0.0, 1, 2, 9], "b": [1.0, 0, 0, 1]}, ["x", "x", "x", "y"])
    assert np.isfinite(relief.relevance(alone)).all()


@pytest.mark.parametrize("wrong", [{"neighbours": 0}, {"neighbours": 2.5}, {"samples": 0}, {"samples": True}])
def test_wrong_numbers_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match=next(iter(wrong))):
        Relief(**wrong)


@pytest.mark.filterwarnings("ignore:features determine the target:altsel.DataWarning")
def test_relief_goes_into_univariate_and_cfs() -> None:
    data = mixed(60, 2)
    weights = dependence(data, relieff)
    assert weights.measure == "Relief, 10 neighbours, debiased"
    with pytest.raises(ArgumentError, match="redundancies of another measure"):
        altsel.CFS(weights)
    both = altsel.Dependence(weights.relevance, dependence(data).redundancy)
    for quality in (altsel.Univariate(weights), altsel.CFS(both)):
        assert altsel.sequential(altsel.Problem(quality, 2), altsel.Dice(0.5), 1).proved


def test_criteria_of_pairs_are_told_to_take_redundancies_elsewhere(mixed: Dataset) -> None:
    with pytest.raises(ArgumentError, match="for FCBF, MRMR, CFS take redundancies of another measure"):
        _ = dependence(mixed, relieff).redundancy
