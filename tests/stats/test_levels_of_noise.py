"""No measure and no ranking rewards many levels: a contract of all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

import altsel
from altsel import catalogue, ranking
from altsel.catalogue import MEASURES
from altsel.catalogue import RANKINGS as NAMED
from altsel.search.ranking.greedy import Known
from altsel.stats.discrete.information import information_of

PLAIN = {name for name in MEASURES.own if name.endswith("-plain")}
OF_NUMBERS = {"absolute-pearson", "absolute-spearman", "gaussian-copula-information"}
"""Measures that refuse categories, so that a column has one coefficient whatever it holds."""
ROBUST = [name for name in MEASURES.own if name not in PLAIN | OF_NUMBERS]
SIZES = {600: (200, 0.72), 60: (30, 0.9)}
"""Rows: levels of noise, and the share of rows in which the real feature is right."""
TARGETS = ["2 classes", "3 classes", "numbers"]


@cache
def table(rows: int, target: str, seed: int, *, shuffled: bool = False) -> altsel.Dataset:
    """Draw a category of noise, a real feature, and noise of three levels."""
    random, (levels, share) = np.random.default_rng(seed), SIZES[rows]
    truth = random.integers(0, 3 if target == "3 classes" else 2, rows)
    wrong = (truth + random.integers(1, truth.max() + 1, rows)) % (truth.max() + 1)
    columns = {
        "place": random.integers(0, levels, rows),
        "real": np.where(random.random(rows) < share, truth, wrong),
        "other": random.integers(0, 3, rows),
    }
    y: Any = truth + 0.3 * random.normal(size=rows) if target == "numbers" else words(truth)
    order = random.permutation(rows) if shuffled else np.arange(rows)
    return altsel.Dataset({name: words(one) for name, one in columns.items()}, pd.Series(y[order], name="y"))


def words(codes: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.char.add("v", codes.astype(str))


def measure_of(name: str, target: str) -> tuple[Any, int]:
    """Return a measure, of fewer trees than usual, and how many tables are drawn."""
    forest = RandomForestRegressor if target == "numbers" else RandomForestClassifier
    if name == "importances":
        return altsel.measures.importances(forest(10, random_state=0)), 5
    if name == "permutation-importance":
        return altsel.measures.permutation_importance(forest(3, random_state=0)), 5
    return catalogue.measure(name, 0), 5 if name == "relief" else 16


def relevances(measure: Any, draws: int, rows: int, target: str, *, shuffled: bool = False) -> pd.DataFrame:
    tables = [table(rows, target, seed, shuffled=shuffled) for seed in range(draws)]
    return pd.DataFrame([altsel.dependence(one, measure).relevance for one in tables])


def much(values: pd.DataFrame, name: str) -> float:
    """Return the mean of a column plus three of its standard errors."""
    return float(values[name].mean() + 3 * values[name].std() / np.sqrt(len(values)))


def covered(names: Iterable[str], share: int) -> list[Any]:
    """Return every name with every target, and each of both with every number of rows: not all threes.

    One in ``share`` is in every run, the others are ``long``.
    """
    rows = [*SIZES]
    return [
        pytest.param(name, target, rows[(i + j) % 2], marks=pytest.mark.long if (i * 3 + j) % share else ())
        for i, name in enumerate(names)
        for j, target in enumerate(TARGETS)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "target", "rows"), covered(ROBUST, 4))
def test_noise_of_many_levels_is_at_the_level_of_a_shuffled_target(name: str, target: str, rows: int) -> None:
    if (name, target) == ("relief", "numbers"):
        pytest.skip("RReliefF does not see a real category among two of noise, of many levels or few")
    measure, draws = measure_of(name, target)
    found = relevances(measure, draws, rows, target)
    assert (found.idxmax(axis=1) == "real").mean() > 0.85
    shuffled = relevances(measure, draws, rows, target, shuffled=True)
    assert found["place"].mean() <= much(shuffled, "place")
    assert found["place"].mean() < 0.25 * found["real"].mean()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.long if name == "permutation-importance-plain" else ())
        for name in sorted(PLAIN - {"relief-plain"})
    ],
)
def test_plain_estimates_do_reward_them(name: str) -> None:
    target = "numbers" if name == "symmetric-uncertainty-plain" else "2 classes"
    found = relevances(catalogue.measure(name, 0), 2, 600, target)
    assert (found.idxmax(axis=1) == "place").all()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["association", "mutual-information", "symmetric-uncertainty", "correlation-ratio"]
)
@pytest.mark.filterwarnings("ignore:features determine:altsel.DataWarning")
def test_two_wide_categories_are_not_redundant(name: str) -> None:
    measure = catalogue.measure(name, 0)
    found: list[list[Any]] = []
    for seed in range(8):
        random = np.random.default_rng(seed)
        a, b, z = (words(random.integers(0, levels, 600)) for levels in (150, 150, 3))
        like = np.where(random.random(600) < 0.8, z, "v0")
        data = altsel.Dataset({"a": a, "b": b, "z": z, "like": like}, z == "v1", keep=["a", "b"])
        pairs = altsel.dependence(data, measure).redundancy
        found.append([pairs.loc["a", "b"], pairs.loc["a", "z"], pairs.loc["z", "like"]])
    wide, mixed, real = np.mean(found, axis=0)
    assert max(wide, mixed) < 0.3 * real


RANKINGS: dict[str, Callable[..., altsel.Solutions]] = {
    **{one.name: one.make for one in NAMED.own.values() if one.sized},
    **{f"{one.name} by information": partial(one.make, bins=5) for one in NAMED.own.values() if one.by_pairs},
    "cmim, capped": partial(ranking.cmim, capped=True),
    "relax-mrmr, normalised": partial(ranking.relax_mrmr, normalised=True),
}


SHARED = {"disr", "jmim", "njmim", "miq", "miq by information"}
"""Whose later scores are of what a feature tells together with one selected, or of a quotient."""


@pytest.mark.parametrize(("name", "target", "rows"), covered(RANKINGS, 2))
def test_rankings_begin_with_what_is_real(name: str, target: str, rows: int) -> None:
    first, scores = [], []
    for seed in range(6):
        steps = RANKINGS[name](table(rows, target, seed), 3)[0].path
        first.append(steps[0].feature == "real")
        scores.append([one.score for one in steps if one.feature == "place"] + [steps[0].score])
    noise, real = np.mean(scores, axis=0)
    assert np.mean(first) > 0.85
    assert name in SHARED or noise < 0.25 * real


@pytest.mark.parametrize("rows", SIZES)
@pytest.mark.parametrize("target", TARGETS)
def test_fcbf_keeps_what_is_real(target: str, rows: int) -> None:
    first = [ranking.fcbf(table(rows, target, seed))[0].path[0].feature for seed in range(8)]
    assert np.mean([one == "real" for one in first]) > 0.85


@pytest.mark.slow
def test_information_given_the_target_is_0_in_the_mean() -> None:
    """It is not cut at 0, so that sums of many have no bias."""
    found = []
    for seed in range(40):
        data = table(600, "3 classes", seed, shuffled=True)
        known = Known(information_of(data, 5, debiased=True), [2])
        found.append([known.relevance[0], known.redundancy_with(2)[0], known.conditional_with(2)[0]])
    means, errors = np.mean(found, axis=0), np.std(found, axis=0) / np.sqrt(len(found))
    assert (np.abs(means) < 3.5 * errors).all()
    assert (errors < 0.005).all()


def test_a_wide_category_that_tells_is_found() -> None:
    """What chance gives is subtracted, not what the levels tell."""
    random = np.random.default_rng(0)
    place = random.integers(0, 100, 1000)
    y = random.random(1000) < np.where(np.arange(100) % 2, 0.8, 0.2)[place]
    weak = np.where(random.random(1000) < 0.55, y, ~y)
    data = altsel.Dataset({"place": words(place), "weak": np.where(weak, "a", "b")}, y)
    for name in set(ROBUST) - {"relief"}:
        assert altsel.dependence(data, measure_of(name, "2 classes")[0]).relevance.idxmax() == "place", name
