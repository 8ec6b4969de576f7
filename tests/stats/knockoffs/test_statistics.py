"""Statistics change their signs where features and knockoffs are exchanged; own samplers are checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge

import altsel
from altsel.errors import ArgumentError, DataError
from altsel.knockoffs import Gaussian, LassoCoefficients, Sequential
from altsel.measures import absolute_pearson, relief
from altsel.stats.knockoffs import OwnSampler, chosen_knockoffs, chosen_statistic, differences
from altsel.stats.knockoffs.statistics import beside, other_names

RNG = np.random.default_rng(4)
FRAME = pd.DataFrame(
    {
        "x": RNG.normal(size=40),
        "count": RNG.integers(0, 40, 40),
        "sex": pd.Categorical(RNG.choice(["m", "f"], 40)),
        "kind": pd.Categorical(RNG.choice(["a", "b", "c"], 40)),
    }
)
DATA = altsel.Dataset(FRAME, FRAME["x"].to_numpy() + RNG.normal(size=40))
CUBES = FRAME["x"].to_numpy() ** 3
KNOCKOFFS = DATA.matrix()[RNG.permutation(40)]


@pytest.mark.parametrize("statistic", [None, absolute_pearson, Ridge(), lambda a, b: abs(a @ b)])
def test_exchanged_pairs_change_signs_and_nothing_else(statistic: Any) -> None:
    numbers = altsel.Dataset(FRAME[["x", "count"]], CUBES, "regression")
    other = KNOCKOFFS[:, :2]
    measure = chosen_statistic(statistic, 0)
    found = differences(numbers, other, measure, np.random.default_rng(0))
    exchanged = numbers.matrix()
    exchanged[:, 0] = other[:, 0]
    back = np.column_stack([numbers.matrix()[:, 0], other[:, 1]])
    turned = altsel.Dataset(pd.DataFrame(exchanged, columns=["x", "count"]), CUBES, "regression")
    again = differences(turned, back, measure, np.random.default_rng(1))
    assert again == pytest.approx(found * [-1, 1], abs=2e-3)


def test_knockoffs_are_of_the_same_types_and_kinds() -> None:
    values = np.hstack([DATA.matrix(), KNOCKOFFS])
    both = beside(DATA, values, np.ones(8, dtype=bool))
    assert both.features[4:] == tuple(other_names(DATA.features))
    for j, name in enumerate(DATA.features):
        other = both.features[4 + j]
        assert both.X[other].dtype == DATA.X[name].dtype
        assert both.kinds[other] is DATA.kinds[name]
    assert both.matrix() == pytest.approx(values)
    assert (both.y == DATA.y).all()
    assert other_names(("a", "a (knockoff)")) == ["a (knockoff)'", "a (knockoff) (knockoff)'"]


def test_constant_knockoffs_are_worth_nothing() -> None:
    constant = KNOCKOFFS.copy()
    constant[:, 0] = 1.0
    found = differences(DATA, constant, chosen_statistic(relief, 0), np.random.default_rng(0))
    assert found.shape == (4,)
    numbers = altsel.Dataset(FRAME[["x", "count"]], CUBES, "regression")
    found = differences(numbers, constant[:, :2], absolute_pearson, np.random.default_rng(0))
    assert found[0] == pytest.approx(absolute_pearson.relevance(numbers)[0])


def test_relevances_must_be_numbers() -> None:
    nothing = chosen_statistic(lambda a, b: float("nan"), 0)
    with pytest.raises(DataError, match="is nan; knockoffs need finite relevances"):
        differences(DATA, KNOCKOFFS, nothing, np.random.default_rng(0))
    with pytest.raises(ArgumentError, match="use a measure such as"):
        chosen_statistic("lasso!", 0)
    assert isinstance(chosen_statistic(None, 0), LassoCoefficients)
    assert chosen_statistic(relief, 0) is relief
    assert "Ridge" in chosen_statistic(Ridge(), 0).name


def test_own_samplers_may_return_frames_and_arrays() -> None:
    rng = np.random.default_rng(0)

    def shuffled(X: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
        return X.iloc[rng.permutation(len(X)), ::-1]

    drawn = OwnSampler(shuffled).fitted(DATA)(np.random.default_rng(0))
    assert drawn == pytest.approx(DATA.matrix()[np.random.default_rng(0).permutation(40)])
    assert OwnSampler(shuffled).name == "shuffled"
    for wrong, why in (
        (lambda X, rng: X[["x"]], "lack the column 'count'"),
        (lambda X, rng: np.zeros((3, 4)), r"shape \(3, 4\); the features have \(40, 4\)"),
        (lambda X, rng: X.assign(x=np.inf), "of 'x' are missing or infinite"),
        (lambda X, rng: X.assign(kind="d"), "of 'kind' are missing"),
        (lambda X, rng: X.to_numpy(), "are no numbers"),
    ):
        with pytest.raises(DataError, match=why):
            OwnSampler(wrong).fitted(DATA)(rng)


def test_the_usual_knockoffs_depend_on_the_kinds() -> None:
    numbers = altsel.Dataset(FRAME[["x", "count"]], CUBES, "regression")
    assert isinstance(chosen_knockoffs(None, numbers), Gaussian)
    assert isinstance(chosen_knockoffs(None, DATA), Sequential)
    assert isinstance(chosen_knockoffs("sequential", numbers), Sequential)
    own = Gaussian(construction="mvr")
    assert chosen_knockoffs(own, numbers) is own
    for wrong in ("deep", Gaussian, 3):
        with pytest.raises(ArgumentError, match="use 'gaussian', 'sequential'"):
            chosen_knockoffs(wrong, numbers)
