"""``altsel score-card``: what the library finds, other cards, files, and errors that name the option."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import altsel
from altsel.cli.app import app
from altsel.cli.score_card import read_cards

HEART = altsel.example("heart")
ASK = ["score-card", HEART, "--target", "disease", "-k", "3"]


def call(*arguments: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, list(map(str, arguments)))
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture(scope="module")
def data() -> altsel.Dataset:
    return altsel.Dataset(HEART, "disease")


@pytest.mark.slow
def test_it_is_the_card_of_the_library(data: altsel.Dataset, tmp_path: Path) -> None:
    options = ["--points", 3, "--thresholds", "age:50,60", "--as-is", "vessels", "--signs", "age=1"]
    options += ["--signs", "max_heart_rate >= 170=-1", "--require", "age", "--forbid", "thallium_scan"]
    card = altsel.score_card(
        data,
        3,
        3,
        thresholds={"age": [50.0, 60.0]},
        as_is=["vessels"],
        signs={"age": 1, "max_heart_rate >= 170": -1},
        require=["age"],
        forbid=["thallium_scan"],
        per_column=1,
        ridge=2.0,
    )
    asked = [*ASK, *options, "--per-column", 1, "--ridge", 2]
    assert call(*asked, "--quiet") == (0, f"{card}\n", "")
    code, out, _ = call(*asked, "--format", "json", "--quiet")
    assert (code, json.loads(out)) == (0, json.loads(card.to_json()))
    file = tmp_path / "card.csv"
    assert call(*asked, "--output", file, "--quiet")[0] == 0
    pd.testing.assert_frame_equal(pd.read_csv(file), card.to_frame(), check_dtype=False)


@pytest.mark.slow
def test_further_cards_do_without_the_columns_of_those_before(data: altsel.Dataset, tmp_path: Path) -> None:
    first = altsel.score_card(data, 3)
    second = altsel.score_card(data, 3, different_from=[first], shared=1)
    file = tmp_path / "cards.json"
    code, out, err = call(*ASK, "--alternatives", 1, "--shared", 1, "--output", file)
    assert code == 0
    assert out == f"card 0: {first}\n\ncard 1: {second}\n"
    assert "written" in err
    assert [card.to_json() for card in read_cards(file)] == [first.to_json(), second.to_json()]
    table = call(*ASK, "--alternatives", 1, "--shared", 1, "--format", "csv", "--quiet")[1]
    assert "card" in table.splitlines()[0]
    third = altsel.score_card(data, 3, different_from=[first, second], shared=1)
    again = call(*ASK, "--different-from", file, "--shared", 1, "--format", "json", "--quiet")
    assert json.loads(again[1]) == json.loads(third.to_json())
    (tmp_path / "one.json").write_text(first.to_json())
    assert [card.to_json() for card in read_cards(tmp_path / "one.json")] == [first.to_json()]


def test_weights_are_a_column_and_no_feature(tmp_path: Path) -> None:
    random = np.random.default_rng(2)
    table = pd.DataFrame({"a": random.integers(0, 2, 80), "b": random.integers(0, 2, 80)})
    table["w"], table["y"] = random.integers(1, 4, 80), ((table["a"] + random.random(80)) > 0.8).astype(int)
    table.to_csv(file := tmp_path / "t.csv", index=False)
    card = altsel.score_card(altsel.Dataset(table, "y"), 2, weights="w")
    ask = ("score-card", file, "--target", "y", "-k", 2, "--weights", "w")
    code, out, _ = call(*ask, "--format", "json", "--quiet")
    assert (code, json.loads(out)) == (0, json.loads(card.to_json()))
    code, out, err = call(*ask, "--alternatives", 5, "--per-column", 1, "--quiet")
    assert code == 3
    assert "no further one that keeps the rules is better than none" in err
    assert f"{out.count('risk of y')} of 6 cards" in err


@pytest.mark.slow
def test_a_limit_leaves_a_bound() -> None:
    code, out, err = call(*ASK[:-1], 8, "--thresholds", 12, "--time-limit", 1, "--alternatives", 1, "--quiet")
    assert code == 4
    assert "no card has a loss below" in out
    assert "its bound says how much better one may be" in err
    assert "none is better than none" not in out


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--signs", "age"], "give NAME=1 or NAME=-1"),
        (["--signs", "age=2"], "give NAME=1 or NAME=-1"),
        (["--thresholds", "age:old"], "give their number alone"),
        (["--thresholds", "4", "--thresholds", "age:50"], "give their number alone"),
        (["--thresholds", "weight:50"], "no feature 'weight'"),
        (["--require", "weight"], "require: no column or candidate 'weight'"),
        (["--alternatives", "-1"], "--alternatives -1"),
        (["--points", "0"], "points"),
        (["--ridge", "0"], "use a number above 0"),
    ],
)
def test_errors_name_the_option(options: list[str], why: str) -> None:
    with pytest.raises(altsel.ArgumentError) as caught:
        CliRunner().invoke(app, [*map(str, ASK), *options], catch_exceptions=False)
    assert why in str(caught.value)


@pytest.mark.slow
def test_files_of_other_results_are_refused(tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    search = ("select", HEART, "--target", "disease", "-k", 2, "--objective", "logistic-fit")
    assert call(*search, "--quiet", "--output", found)[0] == 0
    with pytest.raises(altsel.errors.DataError, match="holds solutions, not a score card"):
        CliRunner().invoke(app, [*map(str, ASK), "--different-from", str(found)], catch_exceptions=False)


@pytest.mark.slow
def test_the_report_shows_cards(tmp_path: Path) -> None:
    found, cards, page = (tmp_path / name for name in ("found.json", "cards.json", "page.html"))
    search = ("select", HEART, "--target", "disease", "-k", 2, "--objective", "logistic-fit")
    assert call(*search, "--output", found, "--quiet")[0] == 0
    assert call(*ASK, "--alternatives", 1, "--output", cards, "--quiet")[0] == 0
    assert call("report", found, "--score-card", cards, "--output", page, "--quiet")[0] == 0
    written = page.read_text(encoding="utf-8")
    assert written.count("risk of disease = present by 3 features") == 2
