"""Discoveries: e-values by loops of their own, the same for every seed, and what is promised of sets."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel.errors import ArgumentError, DataError
from altsel.measures import absolute_pearson
from altsel.results import Discoveries, TestedFeature
from altsel.stats.e_values import knockoff_e_values

RNG = np.random.default_rng(0)
VALUES = RNG.normal(size=(250, 40))
DATA = altsel.Dataset(VALUES, VALUES[:, :20].sum(axis=1) + 0.5 * RNG.normal(size=250))
FOUND = altsel.discoveries(DATA, 0.2, draws=6)


class Noted:
    """A sampler that notes what it has drawn."""

    def __init__(self) -> None:
        self.drawn: list[np.ndarray] = []

    def __call__(self, X: pd.DataFrame, rng: np.random.Generator) -> np.ndarray:
        self.drawn.append(rng.normal(size=X.shape))
        return self.drawn[-1]


def test_e_values_are_means_over_the_draws() -> None:
    noted = Noted()
    found = altsel.discoveries(DATA, 0.2, absolute_pearson, noted, draws=3)

    def relevance(values: np.ndarray) -> np.ndarray:
        return np.abs([np.corrcoef(column, DATA.y)[0, 1] for column in values.T])

    statistics = np.array([relevance(VALUES) - relevance(one) for one in noted.drawn])
    e_values = np.array([knockoff_e_values(one, 0.1) for one in statistics])
    table = found.features
    assert table["statistic"].to_numpy() == pytest.approx(statistics.mean(axis=0))
    assert table["e"].to_numpy() == pytest.approx(e_values.mean(axis=0))
    assert table["frequency"].to_numpy() == pytest.approx((e_values > 0).mean(axis=0))
    assert (found.statistic, found.knockoffs) == ("absolute Pearson correlation", "Noted")
    assert list(found.e_values.index) == list(DATA.features)


def test_draws_are_not_made_of_data_of_the_same_seed() -> None:
    noted = Noted()
    for seed in (0, 3):
        values = np.random.default_rng(seed).normal(size=(250, 40))
        data = altsel.Dataset(values, DATA.y)
        altsel.discoveries(data, 0.2, absolute_pearson, noted, draws=1, random_state=seed)
        assert abs(np.corrcoef(values.ravel(), noted.drawn[-1].ravel())[0, 1]) < 0.05


def test_features_are_found_whatever_the_seed() -> None:
    again = altsel.discoveries(DATA, 0.2, draws=6, random_state=1)
    first, second = set(FOUND.selected), set(again.selected)
    assert {f"x{j}" for j in range(20)} <= first & second
    assert len(first ^ second) <= 2
    assert altsel.discoveries(DATA, 0.2, draws=6) == FOUND
    assert set(FOUND.selected) | set(FOUND.undiscovered) == set(DATA.features)
    assert FOUND.features["selected"].sum() == len(FOUND.selected)


def test_results_are_read_back_and_shown() -> None:
    assert Discoveries.from_json(FOUND.to_json()) == FOUND
    assert "20 %" in str(FOUND)
    assert "discovered at level 0.2" in str(FOUND)
    assert "if knockoffs have the distribution of the features" in str(FOUND)
    assert FOUND.rules_text() == f"forbid = {json.dumps(list(FOUND.undiscovered))}\n"
    none = altsel.discoveries(altsel.Dataset(VALUES, RNG.normal(size=250)), 0.2, draws=2)
    assert none.selected == ()
    assert "or at least 5" in str(none)
    with pytest.raises(DataError, match="not the JSON of discoveries"):
        Discoveries.from_json("{}")


def made(e_values: list[float], level: float = 0.1, **other: Any) -> Discoveries:
    """Return discoveries with these e-values, those of at least p / (level k) selected."""
    order = sorted(e_values, reverse=True)
    k = max((r for r in range(1, len(order) + 1) if order[r - 1] >= len(order) / (level * r)), default=0)
    least = order[k - 1] if k else np.inf
    tested = [TestedFeature(f"x{j}", 0.1, 1.0, e, 0.1, e >= least) for j, e in enumerate(e_values)]
    return Discoveries(tuple(tested), level, level / 2, 9, "lasso", "Gaussian", **other)


def test_a_claim_is_the_self_consistency_of_the_union() -> None:
    found = made([40.0, 30, 20, 14, 0, 0])  # p / level = 60: e-BH selects four, 14 >= 60 / 4 fails: three
    assert found.selected == ("x0", "x1", "x2")
    assert found.claim([["x0", "x1"], ["x0"]]).holds  # 30 >= 60 / 2
    few = found.claim([["x0"]])
    assert not few.holds
    assert few.q == pytest.approx(6 / 40)
    assert (few.needed, few.weakest) == (2, "x0")
    assert "2 or more discoveries are shown" in str(few)
    wrong = found.claim([["x0", "x1"], ["x2", "x3"]])
    assert (wrong.undiscovered, wrong.needed) == (("x3",), None)
    assert wrong.q == pytest.approx(6 / (4 * 14))
    assert "'x3' not discovered" in str(wrong)
    assert found.claim([["x0", "x5"]]).q == 1
    assert found.claim([]).holds
    assert json.loads(found.claim([["x0"]]).to_json())["features"] == ["x0"]


def test_claims_are_of_solutions_in_the_same_data() -> None:
    rule = altsel.domain.forbid(*FOUND.undiscovered)
    problem = altsel.Problem(altsel.Univariate(altsel.dependence(DATA, absolute_pearson)), 8, [rule])
    sets = altsel.sequential(problem, altsel.Dice(0.5), 3)
    claim = FOUND.claim(sets)
    assert set(claim.features) == {name for one in sets for name in one.features}
    assert not claim.undiscovered
    assert claim.holds == (claim.q <= 0.2 + 1e-9)
    with pytest.raises(DataError, match="found in other data"):
        replace(FOUND, data="other").claim(sets)
    with pytest.raises(DataError, match="'z': no feature of the discoveries"):
        FOUND.claim([["z"]])
    with pytest.raises(ArgumentError, match=r"not the name 'x0'"):
        FOUND.claim(["x0"])


def test_interchangeable_names_are_one_feature() -> None:
    found = made([40.0, 30, 20], members={"x0": ("x0", "copy")})
    assert found.claim([["copy"], ["x0", "x1"]]).features == ("x0", "x1")


def test_what_cannot_be_promised_is_refused() -> None:
    few = altsel.Dataset(VALUES[:, :4], DATA.y)
    with pytest.raises(ArgumentError, match=r"at least 10, but the data have 4: use level=0\.25 or more"):
        altsel.discoveries(few)
    for wrong, why in (
        ({"level": 0}, "level=0; use a number between 0 and 1"),
        ({"run_level": 2}, "run_level=2; use"),
        ({"draws": 0}, "draws=0; use an integer of at least 1"),
        ({"random_state": -1}, "random_state=-1"),
        ({"knockoffs": "none"}, "knockoffs='none'; use 'gaussian'"),
        ({"statistic": 7}, "statistic=7; use a measure"),
    ):
        with pytest.raises(ArgumentError, match=why):
            altsel.discoveries(DATA, **wrong)
    with pytest.raises(ArgumentError, match="discoveries takes a Dataset"):
        altsel.discoveries(VALUES)  # type: ignore[arg-type]


def test_stored_draws_are_not_drawn_again(tmp_path: Path) -> None:
    kept = tmp_path / "draws.sqlite"
    first = altsel.discoveries(DATA, 0.2, absolute_pearson, draws=2, store=kept)
    more = altsel.discoveries(DATA, 0.1, absolute_pearson, draws=3, store=kept)
    assert more.draws == 3
    assert first == altsel.discoveries(DATA, 0.2, absolute_pearson, draws=2)


@pytest.mark.long
def test_workers_draw_the_same() -> None:
    assert altsel.discoveries(DATA, 0.2, draws=6, n_jobs=2) == FOUND


@pytest.mark.long
def test_at_most_the_level_is_false_in_the_mean() -> None:
    shares, power, worst = [], [], []
    for number in range(100):
        rng = np.random.default_rng([9, number])
        values = rng.normal(size=(300, 60))
        values[:, 1:] += 0.5 * values[:, :-1]
        told = rng.permutation(60) < 25
        data = altsel.Dataset(values, values @ (0.3 * told) + rng.normal(size=300))
        found = altsel.discoveries(data, 0.2, draws=10)
        chosen = found.features["selected"].to_numpy()
        shares.append((chosen & ~told).sum() / max(1, chosen.sum()))
        power.append((chosen & told).sum() / 25)
        # The worst that somebody who knows the truth may show: false discoveries first.
        e = found.features["e"].to_numpy()
        order = np.lexsort((-e, told))[: max(found.least, int(chosen.sum()))]
        for size in range(1, len(order) + 1):
            claim = found.claim([[f"x{j}" for j in order[:size]]])
            if claim.holds:
                worst.append((~told[order[:size]]).mean())
                break
        else:
            worst.append(shares[-1])
    for found_shares in (shares, worst):
        assert np.mean(found_shares) <= 0.2 + 2 * np.std(found_shares) / 10
    assert np.mean(power) > 0.5
