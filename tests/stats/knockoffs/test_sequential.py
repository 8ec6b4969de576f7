"""Sequential knockoffs: moments of numbers and categories that stay when they are exchanged."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel.errors import ArgumentError
from altsel.knockoffs import Sequential
from altsel.stats.knockoffs.margins import Margins

RNG = np.random.default_rng(8)
ROWS = 8000


def table() -> pd.DataFrame:
    first, second, third = RNG.normal(size=(3, ROWS))
    second = 0.7 * first + 0.7 * second
    third = 0.5 * second + third
    return pd.DataFrame(
        {
            "number": np.exp(first),
            "kind": np.array(["a", "b", "c"])[np.digitize(second, [-0.6, 0.5])],
            "sign": (third > 0.4).astype(int),
            "alone": RNG.normal(size=ROWS),
        }
    )


def columns(values: np.ndarray) -> np.ndarray:
    """Return ranks of numbers, and indicators of categories."""
    ranks = [pd.Series(values[:, j]).rank().to_numpy() for j in (0, 2, 3)]
    return np.column_stack([*ranks, values[:, 1] == 1, values[:, 1] == 2]).astype(float)


def test_correlations_stay_where_features_and_knockoffs_are_exchanged() -> None:
    data = altsel.Dataset(table(), np.arange(ROWS) / 3, "regression")
    drawn = Sequential().fitted(data)(np.random.default_rng(1))
    own = data.matrix()
    for j in range(4):
        assert set(drawn[:, j]) <= set(own[:, j])
    exchanged, back = own.copy(), drawn.copy()
    exchanged[:, [0, 1]], back[:, [0, 1]] = drawn[:, [0, 1]], own[:, [0, 1]]
    expected = np.corrcoef(np.hstack([columns(own), columns(drawn)]).T)
    found = np.corrcoef(np.hstack([columns(exchanged), columns(back)]).T)
    assert found == pytest.approx(expected, abs=0.06)
    assert abs(expected[2, 7]) < 0.04  # independent of all else, so of its knockoff
    assert columns(drawn).mean(axis=0) == pytest.approx(columns(own).mean(axis=0), rel=0.1)


def test_more_features_than_rows_are_drawn() -> None:
    values = pd.DataFrame(RNG.normal(size=(30, 40)), columns=[f"x{j}" for j in range(40)])
    values["sign"] = [0, 1] * 15
    draw = Sequential().fitted(altsel.Dataset(values, np.arange(30) / 3, "regression"))
    assert draw(np.random.default_rng(0)).shape == (30, 41)
    assert (draw(np.random.default_rng(0)) == draw(np.random.default_rng(0))).all()
    with pytest.raises(ArgumentError, match="random_state"):
        Sequential(random_state=-1)


@pytest.mark.parametrize("by_scores", [True, False])
def test_margins_lead_there_and_back(by_scores: bool) -> None:
    values = RNG.integers(0, 5, size=(50, 2)).astype(float)
    margins, standard = Margins.of(values, by_scores)
    assert margins.standard(values) == pytest.approx(standard)
    assert standard.mean(axis=0) == pytest.approx([0, 0], abs=1e-12)
    assert margins.back(standard) == pytest.approx(values)
