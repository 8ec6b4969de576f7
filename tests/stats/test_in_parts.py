"""Relevances found a part of the columns at a time are those found at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel import measures
from altsel.stats.dependence import in_parts
from altsel.stats.dependence.correlation import mid_ranks

MEASURES: dict[str, Any] = {
    "absolute Pearson": measures.absolute_pearson,
    "absolute Spearman": measures.absolute_spearman,
    "association": measures.association,
    "correlation ratio": measures.correlation_ratio,
    "Gaussian copula": measures.gaussian_copula_information,
    "mutual information": measures.mutual_information,
    "symmetric uncertainty": measures.symmetric_uncertainty,
}
ONLY_NUMBERS = {"absolute Pearson", "absolute Spearman", "Gaussian copula"}


def table(rows: int, categories: bool) -> pd.DataFrame:
    random = np.random.default_rng(5)
    columns: dict[str, Any] = {}
    for j in range(4):
        columns[f"x{j}"] = random.normal(size=rows)
        columns[f"b{j}"] = random.random(rows) < 0.3
        columns[f"i{j}"] = random.integers(0, 6, rows).astype(np.int8)
        columns[f"big{j}"] = 1e9 + random.normal(size=rows)
        if categories:
            columns[f"c{j}"] = pd.Categorical(random.choice(["u", "v", "w"], rows))
            columns[f"o{j}"] = pd.Categorical(
                random.choice(["s", "m", "l"], rows), ["s", "m", "l"], ordered=True
            )
    return pd.DataFrame(columns)


@pytest.mark.parametrize("target", ["two", "three", "numbers"])
@pytest.mark.parametrize("name", MEASURES)
def test_parts_give_what_the_whole_gives(name: str, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in ONLY_NUMBERS and target == "three":
        pytest.skip("of no number")
    X = table(80, name not in ONLY_NUMBERS)
    random = np.random.default_rng(6)
    signal = X["x0"] + X["b1"] + random.normal(size=80)
    y = {"two": signal > 0, "three": np.digitize(signal, [-0.5, 1]), "numbers": signal}[target]
    data, measure = altsel.Dataset(X, np.asarray(y)), MEASURES[name]
    whole = measure.relevance(data)
    widths: list[int] = []
    real = in_parts.columns_of

    def seen(data: altsel.Dataset, some: slice) -> altsel.Dataset:
        made = real(data, some)
        widths.append(len(made.features))
        return made

    monkeypatch.setattr(in_parts, "columns_of", seen)
    for cells, least in ((80 * 7, 1), (1, 3)):
        monkeypatch.setattr(in_parts, "CELLS", cells)
        monkeypatch.setattr(in_parts, "LEAST", least)
        np.testing.assert_allclose(measure.relevance(data), whole, rtol=1e-9, atol=1e-12)
    assert sum(widths) == 2 * len(data.features)
    assert max(widths) == 7


@pytest.mark.parametrize("name", MEASURES)
def test_pairs_of_some_features_are_those_of_all_and_not_negative(name: str) -> None:
    X = table(60, name not in ONLY_NUMBERS)
    data = altsel.Dataset(X, np.random.default_rng(8).normal(size=60))
    given = altsel.dependence(data, MEASURES[name])
    pairs, whole = given.pairs, given.redundancy.to_numpy()
    assert pairs is not None
    assert pairs.not_negative
    assert whole.min() >= 0
    for some in ([0, 3, 4, 7, 9, 15], [3, 9], [1, 2]):  # the second are read of the first
        found = pairs.among(np.array(some))
        np.testing.assert_allclose(found, whole[np.ix_(some, some)], rtol=1e-9, atol=1e-12)
    normalised = given.normalized().pairs
    assert normalised is not None
    share = normalised.among(np.array([1, 2]))
    np.testing.assert_allclose(share, found / given.relevance.sum(), rtol=1e-9, atol=1e-12)


def test_a_function_of_ones_own_does_not_say_that_pairs_are_not_negative() -> None:
    data = altsel.Dataset(table(20, False), np.arange(20.0))
    pairs = altsel.dependence(data, lambda a, b: float(np.corrcoef(a, b)[0, 1])).pairs
    assert pairs is not None
    assert not pairs.not_negative


def test_ranks_of_two_values_are_those_of_a_sort() -> None:
    random = np.random.default_rng(7)
    two, zeros = np.where(random.random(50) < 0.3, -2.0, 5.5), np.where(random.random(50) < 0.9, 0.0, -0.0)
    columns = np.column_stack([two, zeros, np.ones(50), random.integers(0, 3, 50), random.normal(size=50)])
    np.testing.assert_array_equal(mid_ranks(columns), pd.DataFrame(columns).rank().to_numpy())
    assert mid_ranks(np.zeros((0, 2))).shape == (0, 2)
