"""What selects features, on rows in which it is known."""

from __future__ import annotations

import numpy as np
import pytest

import altsel
from altsel.studying.selections import ByBlanket, ByCriterion, Everything, Nothing, Rows, first_by, sets_by

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(150, 5))
DATA = altsel.Dataset(X, X[:, 1] + X[:, 3] + 0.3 * RANDOM.normal(size=150))
ROWS = Rows(DATA, 0)


@pytest.mark.parametrize("how", [ByCriterion("mrmr", "association", 2), ByBlanket("fbed", 0.001)])
def test_what_tells_is_selected(how: ByCriterion | ByBlanket) -> None:
    assert set(first_by(how, ROWS)) == {"x1", "x3"}


def test_more_features_than_there_are_are_all() -> None:
    assert first_by(ByCriterion("univariate", "absolute-pearson", 9), ROWS) == DATA.features
    assert first_by(Everything(), ROWS) == DATA.features
    assert first_by(Nothing(), ROWS) == ()


def test_alternatives_differ() -> None:
    sets = sets_by(ByCriterion("univariate", "absolute-pearson", 2), ROWS, 1, 1.0)
    assert len(sets) == 2
    assert not set(sets[0]) & set(sets[1])


def test_dependences_are_measured_once() -> None:
    assert ROWS.dependence("absolute-pearson") is ROWS.dependence("absolute-pearson")
