"""Estimates by nearest neighbours: equal to all distances, to scikit-learn's, and by every way of counting."""

from __future__ import annotations

import sys
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.feature_selection import mutual_info_classif, mutual_info_regression

from altsel import ArgumentError, Dataset, dependence
from altsel.measures import MutualInformation, mutual_information
from altsel.stats.dependence.neighbours import blocks, tables
from altsel.stats.dependence.neighbours.compiled import compiled
from tests.oracles.neighbours import kraskov, ross

KERNELS = ["numpy", "numba"]


@pytest.fixture
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "numba" and compiled() is None:
        pytest.skip("numba is not installed")
    monkeypatch.setattr(blocks, "kernels_for", lambda work: compiled() if request.param == "numba" else None)


def columns(rows: int, seed: int = 0) -> pd.DataFrame:
    """Draw numbers, some with ties, tiny, huge or far from 0, and levels of one to seven rows and of many."""
    random = np.random.default_rng(seed)
    common = random.normal(size=rows)
    rare = np.repeat(np.arange(rows), random.integers(1, 8, rows))[:rows]
    return pd.DataFrame(
        {
            "plain": common + random.normal(size=rows),
            "tied": (3 * common).round() + 0.5,
            "half_zero": np.maximum(common, 0),
            "far": 1e6 + common + random.normal(size=rows),
            "tiny": 1e-200 * (common**2 + 0.1 * random.normal(size=rows)),
            "heavy": np.exp(3 * random.normal(size=rows)),
            "copy": common,
            "same": np.full(rows, 2.5),
            "rare": np.char.add("r", random.permutation(rare).astype(str)),
            "few": np.where(common > 0.5, "a", "b"),
            "ids": np.char.add("i", np.arange(rows).astype(str)),
        }
    )


def by_definition(a: np.ndarray, b: np.ndarray, a_discrete: bool, b_discrete: bool, k: int) -> float:
    if a.min() == a.max() or b.min() == b.max():
        return 0.0
    if a_discrete or b_discrete:
        return ross(a, b, k) if b_discrete else ross(b, a, k)
    first, second = sorted((a, b), key=lambda column: column.tobytes())
    large = [np.ldexp(v, 600) if np.abs(v).max() < 1e-100 else v for v in (first, second)]
    return kraskov(large[0], large[1], k)


@pytest.mark.parametrize("kernel", KERNELS, indirect=True)
@pytest.mark.parametrize(("rows", "neighbors"), [(90, 3), (41, 1), (33, 7), (6, 9)])
@pytest.mark.usefixtures("kernel")
def test_estimates_are_those_of_all_distances(rows: int, neighbors: int) -> None:
    table, measure = columns(rows), MutualInformation(neighbors)
    target = pd.Series(np.random.default_rng(3).normal(size=rows) + table["copy"], name="y")
    for y in (target, pd.Series(np.where(target > target.median(), "high", "low"), name="y")):
        with pytest.warns(UserWarning, match="same"):
            data = Dataset(table.drop(columns="same"), y) if rows < 7 else Dataset(table, y)
        discrete, values = data.discrete(), data.matrix().T.copy()
        found, relevance = measure.redundancy(data), measure.relevance(data)
        for i, j in np.argwhere(~np.outer(discrete, discrete)).tolist():
            expected = by_definition(values[i], values[j], discrete[i], discrete[j], neighbors)
            assert found[i, j] == pytest.approx(expected, abs=1e-12), (data.features[i], data.features[j])
        for j in np.flatnonzero(~(discrete & data.discrete_target)).tolist():
            expected = by_definition(
                values[j], data.target_values(), discrete[j], data.discrete_target, neighbors
            )
            assert relevance[j] == pytest.approx(expected, abs=1e-12), data.features[j]
