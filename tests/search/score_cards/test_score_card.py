"""Score cards against all vectors of points, under rules, weights and limits."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

import altsel
from altsel.errors import ArgumentError, DataError
from altsel.results import Proof, ScoreCard
from altsel.search.score_cards import score_card as module
from tests.oracles.score_cards import all_cards, losses


def table(seed: int, p: int, rows: int = 50, noise: float = 1.0) -> tuple[Any, Any]:
    """Return zeros and ones that depend on each other, and classes."""
    random = np.random.default_rng(seed)
    common = random.normal(size=(rows, 1))
    X = (common + random.normal(size=(rows, p)) > random.normal(size=p) * 0.5).astype(int)
    X[0], X[1] = 0, 1
    u = X @ random.normal(size=p) * 2
    y = (u - np.median(u) + noise * random.logistic(size=rows) > 0).astype(int)
    y[:2] = 0, 1
    return pd.DataFrame(X, columns=[f"x{j}" for j in range(p)]), y


def vector(card: ScoreCard, names: list[str]) -> Any:
    found = {item.name: item.points for item in card.items}
    return np.array([found.get(name, 0) for name in names])


def assert_best(card: ScoreCard, X: Any, y: Any, w: Any, cards: Any, ridge: float) -> None:
    """Check that a card is among those allowed, has its loss, and that none is better."""
    own = losses(X.to_numpy(float), y.astype(float), w, vector(card, list(X))[None], ridge)[0]
    assert_allclose(card.loss, own, rtol=1e-9)
    assert (cards == vector(card, list(X))).all(axis=1).any()
    least = losses(X.to_numpy(float), y.astype(float), w, cards, ridge).min()
    assert_allclose(card.loss, least, rtol=2e-9)
    assert card.proof is Proof.OPTIMAL
    assert card.bound <= least * (1 + 1e-8)


@pytest.mark.parametrize("seed", range(40))
def test_no_card_is_better(seed: int) -> None:
    random = np.random.default_rng(1000 + seed)
    p, k = int(random.integers(2, 6)), int(random.integers(1, 5))
    ridge = float(random.choice([0.01, 0.1, 1.0, 10.0]))
    X, y = table(seed, p, int(random.integers(12, 80)), float(random.choice([0.05, 1.0, 5.0])))
    card = altsel.score_card(altsel.Dataset(X, y), k, 2, ridge=ridge)
    assert_best(card, X, y, np.ones(len(y)), all_cards(p, k, 2), ridge)


@pytest.mark.parametrize("seed", range(20))
def test_no_card_that_keeps_the_rules_is_better(seed: int) -> None:
    random = np.random.default_rng(2000 + seed)
    X, y = table(seed, 5, 60)
    signs = {f"x{j}": int(random.choice([-1, 1])) for j in range(5) if random.random() < 0.5}
    cards = all_cards(5, 3, 2)
    for name, sign in signs.items():
        cards = cards[cards[:, int(name[1:])] * sign >= 0]
    required = int(random.integers(5))
    cards = cards[(cards[:, required] != 0) & (cards[:, (required + 1) % 5] == 0)]
    names: dict[str, Any] = {"require": [f"x{required}"], "forbid": [f"x{(required + 1) % 5}"]}
    weights = random.integers(0, 4, len(y)).astype(float)
    weights[:2] = 1
    data = altsel.Dataset(X, y)
    least = losses(X.to_numpy(float), y.astype(float), weights, cards, 1.0).min()
    null = losses(X.to_numpy(float), y.astype(float), weights, np.zeros((1, 5), dtype=np.int64), 1.0)[0]
    if least >= null * (1 - 1e-9):
        with pytest.raises(ArgumentError, match="better than none"):
            altsel.score_card(data, 3, 2, signs=signs, weights=weights, **names)
    else:
        card = altsel.score_card(data, 3, 2, signs=signs, weights=weights, **names)
        assert_best(card, X, y, weights, cards, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(16))
def test_no_card_with_these_signs_is_better(seed: int) -> None:
    random = np.random.default_rng(5000 + seed)
    k, ridge = int(random.integers(3, 6)), float(random.choice([0.1, 1.0]))
    X, y = table(seed, 8, 60, float(random.choice([0.3, 2.0])))
    signs = {f"x{j}": int(random.choice([-1, 1])) for j in range(8) if random.random() < 0.7}
    cards = all_cards(8, k, 1)
    for name, sign in signs.items():
        cards = cards[cards[:, int(name[1:])] * sign >= 0]
    card = altsel.score_card(altsel.Dataset(X, y), k, 1, signs=signs, ridge=ridge)
    assert_best(card, X, y, np.ones(len(y)), cards, ridge)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_other_cards_share_at_most_so_many_columns(seed: int) -> None:
    X, y = table(seed, 5, 60)
    data = altsel.Dataset(X, y)
    first = altsel.score_card(data, 2, 2)
    for shared in (0, 1):
        second = altsel.score_card(data, 3, 2, different_from=[first], shared=shared)
        cards = all_cards(5, 3, 2)
        cards = cards[(cards[:, vector(first, list(X)) != 0] != 0).sum(axis=1) <= shared]
        assert_best(second, X, y, np.ones(len(y)), cards, 1.0)


def numbers(seed: int) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    X = pd.DataFrame({"age": random.integers(20, 80, 90), "dose": random.normal(size=90)})
    u = (X["age"] > 45) * 2.0 + (X["age"] > 65) * 1.5 - X["dose"]
    return X, (u + random.logistic(size=90) > 1).astype(int).to_numpy()


@pytest.mark.parametrize("most", [1, 2])
def test_at_most_so_many_thresholds_of_a_column(most: int) -> None:
    X, y = numbers(3)
    card = altsel.score_card(
        altsel.Dataset(X, y), 3, 2, thresholds={"age": [30, 45, 60], "dose": [0.0]}, per_column=most
    )
    held = pd.DataFrame({f"a{cut}": (X["age"] >= cut).astype(int) for cut in (30, 45, 60)})
    held["dose"] = (X["dose"] >= 0).astype(int)
    cards = all_cards(4, 3, 2)
    cards = cards[(cards[:, :3] != 0).sum(axis=1) <= most]
    least = losses(held.to_numpy(float), y.astype(float), np.ones(90), cards, 1.0).min()
    assert_allclose(card.loss, least, rtol=2e-9)
    assert sum(item.column == "age" for item in card.items) <= most


def test_candidates_differ_among_rows_of_positive_weight() -> None:
    X, y = table(4, 4, 60)
    weights = np.where(X["x0"] == 1, 1.0, 0.0)
    card = altsel.score_card(altsel.Dataset(X, y), 3, 2, weights=weights)
    kept = X[weights > 0].assign(x0=0)
    least = losses(
        kept.to_numpy(float), y[weights > 0].astype(float), weights[weights > 0], all_cards(4, 3, 2), 1.0
    )
    assert_allclose(card.loss, least.min(), rtol=2e-9)
    assert card.candidates == 3


@pytest.mark.slow
def test_numbers_of_many_values_are_not_mixed_up() -> None:
    random = np.random.default_rng(8)
    X = pd.DataFrame(random.integers(0, 5000, (300, 4)), columns=list("abcd")).assign(
        e=random.integers(0, 2, 300)
    )
    y = (X["a"] + X["b"] - X["c"] + 2000 * random.logistic(size=300) > 2000).astype(int).to_numpy()
    card = altsel.score_card(altsel.Dataset(X, y, keep=list("abcd")), 4, 2, as_is=list("abcd"))
    assert_best(card, X, y, np.ones(300), all_cards(5, 4, 2), 1.0)


def test_columns_as_they_are_have_points_per_unit() -> None:
    random = np.random.default_rng(5)
    X = pd.DataFrame({"vessels": random.integers(0, 4, 80), "b": random.integers(0, 2, 80)})
    y = (X["vessels"] + X["b"] + random.logistic(size=80) > 2).astype(int).to_numpy()
    card = altsel.score_card(altsel.Dataset(X, y), 2, 3, as_is=["vessels"])
    least = losses(X.to_numpy(float), y.astype(float), np.ones(80), all_cards(2, 2, 3), 1.0).min()
    assert_allclose(card.loss, least, rtol=2e-9)
    points = {item.name: item.points for item in card.items}
    assert_allclose(card.total(X), X.to_numpy() @ [points.get("vessels", 0), points.get("b", 0)])


@pytest.mark.slow
def test_totals_tell_the_risk_of_rows() -> None:
    data = altsel.Dataset(altsel.example("heart"), "disease")
    card = altsel.score_card(data, 5)
    risk, y = card.risk(data.X), data.target_values()
    spread = np.array([item.points * item.values(data.X).std() for item in card.items])
    plain = -np.log(np.where(y == 1, risk, 1 - risk)).sum()
    assert_allclose(plain + (card.per_point * spread) @ (card.per_point * spread) / 2, card.loss, rtol=1e-9)
    for one in card.totals:
        has = card.total(data.X) == one.total
        assert_allclose([has.sum(), y[has].mean(), risk[has].mean()], [one.rows, one.share, one.risk])
    assert (card.predict(data.X) == np.where(risk >= 0.5, "present", "absent")).all()
    assert card.classes == ("absent", "present")


@pytest.mark.filterwarnings("ignore:features determine the target")
def test_a_feature_that_separates_the_classes_has_a_finite_scale() -> None:
    X = pd.DataFrame({"a": [0, 1] * 20, "b": [0, 0, 1, 1] * 10})
    card = altsel.score_card(altsel.Dataset(X, [0, 1] * 20), 1, ridge=0.01)
    assert [(item.name, item.points) for item in card.items] == [("a", 1)]
    assert np.isfinite(card.per_point)
    assert card.risk(X.iloc[[1]])[0] < 1


def test_no_feature_is_better_than_a_poor_one() -> None:
    X, y = pd.DataFrame({"a": [0, 0, 1, 1] * 8, "b": [0, 1] * 16}), [0, 1, 1, 0] * 8
    card = altsel.score_card(altsel.Dataset(X, y), 1)
    assert (card.items, card.loss, card.proof) == ((), card.null, Proof.OPTIMAL)
    assert_allclose(card.risk(X), 0.5)
    assert "none is better" in str(card)


@pytest.mark.slow
def test_a_time_limit_leaves_a_bound_that_holds() -> None:
    random = np.random.default_rng(1)
    X = pd.DataFrame(random.integers(0, 2, (200, 24)), columns=[f"x{j}" for j in range(24)])
    y = (X.to_numpy() @ random.normal(size=24) + random.logistic(size=200) > 0).astype(int)
    data = altsel.Dataset(X, y)
    best = altsel.score_card(data, 4, 3)
    assert best.proof is Proof.OPTIMAL
    for seconds in (1e-9, 0.05, 0.2):
        card = altsel.score_card(data, 4, 3, time_limit=seconds)
        assert card.bound <= best.loss * (1 + 1e-9) <= card.loss * (1 + 2e-9)
        assert (card.proof is Proof.OPTIMAL) == (card.gap == 0)
    assert altsel.score_card(data, 4, 3, time_limit=1e-9).proof is Proof.FEASIBLE


@pytest.mark.slow
def test_json_holds_the_card() -> None:
    data = altsel.Dataset(altsel.example("heart"), "disease")
    card = altsel.score_card(data, 3)
    assert ScoreCard.from_json(card.to_json()) == card
    assert list(card.to_frame()["points"]) == [item.points for item in card.items]
    assert list(card.risks()["rows"]) == [one.rows for one in card.totals]
    assert "chest_pain = none" in card._repr_html_()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 0}, "k=0"),
        ({"points": 101}, "points=101"),
        ({"signs": {"age": 2}}, r"signs\['age'\]=2"),
        ({"require": ["aeg"]}, "did you mean 'age'"),
        ({"as_is": ["st_depression"]}, "no integers"),
        ({"as_is": ["sex"]}, "category"),
        ({"as_is": ["age"], "thresholds": {"age": [50]}}, "one way"),
        ({"thresholds": {"sex": [1]}}, "category"),
        ({"thresholds": {"age": "50"}}, "list of numbers"),
        ({"thresholds": 0}, "thresholds=0"),
        ({"different_from": ["card"]}, "score cards"),
        ({"ridge": 0}, "ridge=0"),
        ({"k": 1, "require": ["age", "sex"]}, "keeps the rules"),
    ],
)
def test_wrong_arguments_are_named(options: dict[str, Any], message: str) -> None:
    data = altsel.Dataset(altsel.example("heart"), "disease")
    with pytest.raises(ArgumentError, match=message):
        altsel.score_card(data, **options)


@pytest.mark.slow
def test_a_table_without_a_column_of_the_card_is_refused() -> None:
    X, y = numbers(1)
    card = altsel.score_card(altsel.Dataset(X, y), 2, require=["age"])
    with pytest.raises(DataError, match="no column 'age'"):
        card.risk(X.rename(columns={"age": "years"}))
    with pytest.raises(DataError, match="missing"):
        card.risk(X.astype(float).mask(X > 70))
    with pytest.raises(DataError, match="two classes"):
        altsel.score_card(altsel.Dataset(X, X["dose"].to_numpy() ** 2))


@pytest.mark.slow
def test_the_digits_of_a_card_do_not_depend_on_what_found_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled loops and others end at parameters that differ by 1e-8; which are used depends on the time."""
    X, y = table(5, 6, 80)
    data = altsel.Dataset(X, y)
    found = altsel.score_card(data, 3)
    made = module._made

    def moved(question: Any, rules: Any, card: Any, ended: Any) -> ScoreCard:
        near = dataclasses.replace(
            card, constant=card.constant * (1 + 3e-8), per_point=card.per_point * (1 - 3e-8)
        )
        return made(question, rules, near, ended)

    monkeypatch.setattr(module, "_made", moved)
    assert altsel.score_card(data, 3).to_json() == found.to_json()
