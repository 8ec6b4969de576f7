"""Estimates by nearest neighbours: those of all distances, of scikit-learn, and of every way of counting."""

from __future__ import annotations

from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.feature_selection import mutual_info_classif, mutual_info_regression

from altsel import ArgumentError, Dataset, dependence
from altsel.measures import MutualInformation, mutual_information
from altsel.parallel import run
from altsel.stats.dependence.neighbours import blocks, tables
from altsel.stats.dependence.neighbours import kraskov as kraskov_module
from altsel.stats.dependence.neighbours.compiled import LOOPS
from altsel.stats.dependence.neighbours.noise import Noise
from altsel.stats.dependence.neighbours.ross import ross as estimates
from tests.loops import choose_loops
from tests.oracles.neighbours import kraskov, ross

KERNELS = ["numpy", "numba"]


@pytest.fixture
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    choose_loops(LOOPS, request.param, monkeypatch)


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
            "rare": np.char.add("r", random.permutation(rare).astype(str)),
            "few": np.where(common > 0.5, "a", "b"),
        }
    )


def by_definition(a: np.ndarray, b: np.ndarray, a_discrete: bool, b_discrete: bool, k: int) -> float:
    first, second = sorted(((a, a_discrete), (b, b_discrete)), key=lambda one: (one[1], one[0].tobytes()))
    large = [np.ldexp(v, 600) if np.abs(v).max() < 1e-100 else v for v, _ in (first, second)]
    return ross(large[0], large[1], k) if second[1] else kraskov(large[0], large[1], k)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", KERNELS, indirect=True)
@pytest.mark.parametrize(("rows", "neighbors"), [(90, 3), (41, 1), (33, 7), (6, 9)])
@pytest.mark.usefixtures("kernel")
def test_estimates_are_those_of_all_distances(rows: int, neighbors: int) -> None:
    table, measure = columns(rows), MutualInformation(neighbors)
    target = pd.Series(np.random.default_rng(3).normal(size=rows) + table["copy"], name="y")
    for y in (target, pd.Series(np.where(target > target.median(), "high", "low"), name="y")):
        data = Dataset(table, y)
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


@pytest.mark.skipif(LOOPS.compiled is None, reason="numba is not installed")
def test_both_ways_and_any_workers_give_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    data = Dataset(columns(300), pd.Series(np.random.default_rng(1).normal(size=300), name="y"))
    results = []
    for kernels in (LOOPS.compiled, None):
        monkeypatch.setattr(blocks, "kernels_for", lambda work, kernels=kernels: kernels)
        results.append((mutual_information.relevance(data), mutual_information.redundancy(data)))
    monkeypatch.setattr(tables, "TASKS", 7)
    monkeypatch.setattr(blocks, "WIDTH", 3)
    shared = MutualInformation(n_jobs=2)
    assert shared == mutual_information
    results.append((shared.relevance(data), shared.redundancy(data)))
    for relevance, redundancy in results[1:]:
        assert (relevance == results[0][0]).all()
        assert (redundancy == results[0][1]).all()


@pytest.mark.skipif(LOOPS.compiled is None, reason="numba is not installed")
@pytest.mark.parametrize("classes", [2, 11, 90])
def test_a_sweep_finds_what_halving_finds(classes: int) -> None:
    random = np.random.default_rng(classes)
    for digits in (0, 1, 3, 15):  # with many ties and with none, classes of one row among them
        for neighbors in (1, 3, 6):
            values = np.sort(np.round(random.normal(size=(4, 70)), digits), axis=1)
            codes = random.integers(0, classes, (4, 70))
            swept, halved = (estimates(values, codes, neighbors, one) for one in (LOOPS.compiled, None))
            assert swept.tolist() == halved.tolist()


def test_values_are_those_of_scikit_learn_where_no_level_is_rare() -> None:
    table = columns(120)[["plain", "tied", "half_zero", "far", "heavy", "few"]]
    y = pd.Series(np.random.default_rng(1).normal(size=120) + table["plain"], name="y")
    data, codes = Dataset(table, y), pd.factorize(table["few"], sort=True)[0]
    found = dependence(data, mutual_information)
    for name in table.columns[:5]:
        a, b = sorted((table[name].to_numpy(), y.to_numpy()), key=lambda column: column.tobytes())
        assert found.relevance[name] == pytest.approx(
            mutual_info_regression(a[:, None], b, random_state=0)[0], abs=1e-12
        )
        assert found.redundancy.loc[name, "few"] == pytest.approx(
            mutual_info_classif(table[[name]], codes, random_state=0)[0], abs=1e-12
        )


def test_the_callers_backend_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def noted(*arguments: Any) -> Any:
        seen.append(joblib.parallel.get_active_backend()[0])
        return run(*arguments)

    monkeypatch.setattr(tables, "run", noted)
    a, b = np.random.default_rng(0).normal(size=(2, 30))
    mutual_information(a, b)
    with joblib.parallel_config(backend="loky", n_jobs=1):
        mutual_information(a, b)
    assert [type(one).__name__ for one in seen] == ["ThreadingBackend", "LokyBackend"]


def test_a_tiny_spread_is_not_lost_in_the_noise() -> None:
    """scikit-learn takes the first of a pair for constant if its deviation is below 2.2e-15."""
    random = np.random.default_rng(0)
    a = random.normal(size=100)
    b = a + 0.3 * random.normal(size=100)
    assert mutual_information(a * 2.0**-60, b) == pytest.approx(mutual_information(a, b), abs=0.05)
    assert mutual_information(b, a * 2.0**-60) > 0.5


def test_levels_of_one_row_each_tell_nothing() -> None:
    """scikit-learn ended in an error."""
    assert mutual_information([f"id {i}" for i in range(30)], np.random.default_rng(0).normal(size=30)) == 0


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"neighbors": 0}, "neighbors=0"),
        ({"random_state": -1}, "random_state=-1"),
        ({"random_state": 2**32}, "at most"),
        ({"n_jobs": 0}, "n_jobs=0"),
    ],
)
def test_settings_are_checked(setting: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        MutualInformation(**setting)([1.5, 2, 3.25, 7], [3, 2.5, 1.125, 0])


@pytest.mark.slow
@pytest.mark.skipif(LOOPS.compiled is None, reason="numba is not installed")
@pytest.mark.parametrize("rows", [2, 9, 100, 1000, 1503])
def test_strips_a_sweep_and_a_tree_find_the_same_distances(
    rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random, found = np.random.default_rng(rows), []
    x = random.normal(size=rows)
    table = {
        "zeros": np.maximum(x, 0),
        "plain": x + random.normal(size=rows),
        "steps": x.round(1),
        "levels": x.round(),
        "copy": x,
        "heavy": np.exp(5 * random.normal(size=rows)),
        "far": np.where(np.arange(rows) == rows // 2, 1e9, x),
        "still": np.repeat(x[0], rows),
    }
    noise, y = Noise(rows, 0), np.array(list(table.values()))
    others = noise.second(y).values
    for neighbors in (k for k in (1, 3, 40) if k < rows):
        for name in table:
            one = noise.first(table[name][None])
            in_order, given = one.ascending[0], others[:, one.order[0]]
            for least, kernels in ((0, LOOPS.compiled), (10**9, LOOPS.compiled), (0, None)):
                monkeypatch.setattr(kraskov_module, "MANY_ROWS", least)
                found.append(kraskov_module._radii(in_order, given, neighbors, kernels))
            assert np.array_equal(found[-1], found[-2]), name
            assert np.array_equal(found[-1], found[-3]), name
