"""Score cards against all vectors of points, under rules, weights and limits."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

import altsel
from altsel.results import Proof, ScoreCard
from altsel.errors import ArgumentError, DataError
from tests.oracles.score_cards import all_cards, losses


def table(seed: int, p: int, rows: int = 50, noise: float = 1.0) -> tuple[pd.DataFrame, np.ndarray]:
    """Return zeros and ones that depend on each other, and classes."""
    random = np.random.default_rng(seed)
    common = random.normal(size=(rows, 1))
    X = (common + random.normal(size=(rows, p)) > random.normal(size=p) * 0.5).astype(int)
    X[0], X[1] = 0, 1
    u = X @ random.normal(size=p) * 2
    y = (u - np.median(u) + noise * random.logistic(size=rows) > 0).astype(int)
    y[:2] = 0, 1
    return pd.DataFrame(X, columns=[f"x{j}" for j in range(p)]), y


def vector(card: ScoreCard, names: list[str]) -> np.ndarray:
    found = {item.name: item.points for item in card.items}
    return np.array([found.get(name, 0) for name in names])


def assert_best(card: ScoreCard, X: pd.DataFrame, y: np.ndarray, w: np.ndarray, cards: np.ndarray, ridge: float) -> None:
    """Check that a card is among those allowed, has its loss, and that none is better."""
    own = losses(X.to_numpy(float), y.astype(float), w, vector(card, list(X))[None], ridge)[0]
    assert_allclose(card.loss, own, rtol=1e-9)
    assert (cards == vector(card, list(X))).all(axis=1).any()
    least = losses(X.to_numpy(float), y.astype(float), w, cards, ridge).min()
    assert_allclose(card.loss, least, rtol=2e-9)
    assert card.proof is Proof.OPTIMAL
    assert card.bound <= least * (1 + 1e-8)


@pytest.mark.parametrize("seed", range(60))
def test_no_card_is_better(seed: int) -> None:
    random = np.random.default_rng(1000 + seed)
    p, k = int(random.integers(2, 6)), int(random.integers(1, 5))
    ridge = float(random.choice([0.01, 0.1, 1.0, 10.0]))
    X, y = table(seed, p, int(random.integers(12, 80)), float(random.choice([0.05, 1.0, 5.0])))
    card = altsel.score_card(altsel.Dataset(X, y), k, 2, ridge=ridge)
    assert_best(card, X, y, np.ones(len(y)), all_cards(p, k, 2), ridge)
