"""Stability: published values, matchings by enumeration, and the case of several solutions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import altsel
from altsel.cli.app import app
from altsel.errors import AltselError, ArgumentError, DataError
from altsel.results import Stability
from altsel.runtime.store import Store
from altsel.stats.stability import dice, matching, membership, nogueira, stability_of_collections
from tests.conftest import ROOT
from tests.oracles.several_solutions import several_solutions

DEMO = np.array([list(map(int, row)) for row in (
    "1111000000", "0001011100", "0100011100", "1100101000", "0110110000",
    "0111001000", "1001000011", "0001011100", "0011110000", "0000100111",
)])  # fmt: skip
"""The matrix Z3 of the demonstration that comes with the paper of Nogueira, Sechidis and Brown."""


def test_nogueiras_measure_has_the_published_values() -> None:
    for rows, value in (([[1, 1, 0]] * 3, 1.0), ([[1, 1, 0], [0, 1, 1], [1, 0, 1]], -0.5), (DEMO, -0.037037)):
        found = nogueira(rows)
        assert found is not None
        assert found.value == pytest.approx(value, abs=5e-7)
    assert found is not None
    assert found.high is not None
    assert ((found.high - found.value) / 1.959964) ** 2 == pytest.approx(0.00516667, rel=1e-5)


def test_nogueiras_measure_by_hand() -> None:
    # p = (1, 1/2, 0, 1/2); M / (M - 1) = 2; mean p (1 - p) = 1/8; k = 2 of 4: 1 - 2/8 / (1/4) = 0
    found = nogueira([[1, 1, 0, 0], [1, 0, 0, 1]])
    assert found is not None
    assert found.value == pytest.approx(0)
    assert nogueira([[1, 1], [1, 1]]) is nogueira([[0, 0], [0, 0]]) is nogueira([[1, 0]]) is None


def test_the_best_matching_is_the_best_of_all() -> None:
    random = np.random.default_rng(0)
    for _ in range(60):
        first = random.random((random.integers(1, 5), 4)) < 0.5
        second = random.random((random.integers(1, 5), 4)) < 0.5
        small, large = sorted((first, second), key=len)
        similar = dice(small, large)
        best = max(
            sum(similar[i, j] for i, j in enumerate(order))
            for order in permutations(range(len(large)), len(small))
        )
        assert matching(first, second) == pytest.approx(best / len(large))
        assert matching(first, second) == pytest.approx(matching(second, first))
        assert matching(first, first[::-1]) == 1
    none = membership([], "abcd")
    assert (matching(none, none), matching(none, membership([()], "abcd"))) == (1, 0)


def test_the_collections_measure_is_the_mean_over_pairs() -> None:
    random = np.random.default_rng(0)
    held = [random.random((random.integers(0, 4), 5)) < 0.4 for _ in range(6)]
    pairs = [matching(held[i], held[j]) for i in range(6) for j in range(i)]
    found = stability_of_collections(held)
    assert found is not None
    assert found.value == pytest.approx(np.mean(pairs))
    own = [np.mean([matching(one, other) for other in held if other is not one]) for one in held]
    assert found.high == pytest.approx(
        found.value + 1.959964 * np.sqrt(4 * np.var(own, ddof=1) / 6), rel=1e-6
    )


def all_blankets(rows: altsel.Dataset) -> altsel.Solutions:
    test = altsel.independence.PartialCorrelation(rows)
    equivalent = altsel.comparison.recommended_criterion(test, 0.001)
    return altsel.blankets.tmfbs(test, 0.001, equivalent=equivalent)


@pytest.mark.slow
def test_of_several_solutions_each_is_unstable_but_their_collection_is_stable() -> None:
    data = several_solutions(2000)
    found = altsel.stability(all_blankets, data, resamples=12, scheme="subsample")
    assert len(found.reference) == 9
    assert found.nogueira is not None
    assert found.first is not None
    assert found.collection is not None
    assert found.nogueira.value < 0.4
    assert found.first.value < 0.6
    assert found.collection.value > 0.95
    assert list(found.frequencies()["in any set"]) == [1.0] * 6 + [0.0] * 3
    assert list(found.of_groups({"a": ["a0", "a1", "a2"]}).loc["a"]) == [1.0, 1.0]
    assert min(found.sets()["found"][:9]) > 0.9
    assert "collections: similarity of two" in str(found)


def first_two(rows: altsel.Dataset) -> list[tuple[str, ...]]:
    """Return the first two features whose kinds are those of all rows."""
    assert rows.kinds["few"] is altsel.data.Kind.CATEGORICAL
    assert rows.task is altsel.data.Task.MULTICLASS
    return [rows.features[:2]]


@pytest.mark.slow
def test_resamples_keep_kinds_and_task_and_draw_rows_again() -> None:
    y = ["x"] * 38 + ["y", "z"]
    table = pd.DataFrame({"few": [*"ab", *("cd" * 19)], "number": np.arange(40.0)})
    data = altsel.Dataset(table, y)
    for scheme in ("bootstrap", "subsample"):
        found = altsel.stability(first_two, data, resamples=15, scheme=scheme)
        assert len(found) == 15
        assert found.reference == (("few", "number"),)


@pytest.mark.slow
def test_resamples_are_the_same_whatever_their_number() -> None:
    data = several_solutions(100)
    few, more = (altsel.stability(all_blankets, data, resamples=number) for number in (3, 5))
    assert more.collections[:3] == few.collections


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"resamples": 1}, "resamples=1; use an integer of at least 2"),
        ({"scheme": "jackknife"}, "scheme='jackknife'; use 'bootstrap', 'subsample'"),
        ({"search": [["a"]]}, "give search="),
        ({"search": lambda rows: [rows.features[0]]}, "resample all rows: the search returned"),
    ],
)
def test_what_is_refused(more: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        altsel.stability(**{"search": all_blankets, "data": several_solutions(50), "resamples": 2, **more})


def test_sets_of_no_features_are_refused() -> None:
    data = several_solutions(60, 0)
    with pytest.raises(AltselError, match="'zz', which is no feature"):
        altsel.stability(lambda rows: [["zz"]], data, 3)
    with pytest.raises(ArgumentError, match="lists of names"):
        altsel.stability(lambda rows: [[0]], data, 3)  # type: ignore[list-item]
    with pytest.raises(ArgumentError, match="takes a Dataset"):
        altsel.stability(lambda rows: [["a"]], data.X, 3)  # type: ignore[arg-type]
    found = Stability(("a", "b"), (("a",),), ((("a",),),), "by hand", None, None, None)
    for groups in ([["a"]], {"g": "ab"}):
        with pytest.raises(ArgumentError, match="members by name"):
            found.of_groups(groups)  # type: ignore[arg-type]


def test_an_error_names_the_resample() -> None:
    data = several_solutions(50)

    def search(rows: altsel.Dataset) -> list[list[str]]:
        if len(rows.y) < 50:
            raise DataError("too few")
        return []

    with pytest.raises(DataError, match="resample 0: too few"):
        altsel.stability(search, data, 2, "subsample")


DRIVER = """
import sys
import altsel
from tests.oracles.several_solutions import several_solutions

def search(rows):
    global left
    left -= 1
    if left == 0:
        sys.stdin.read()  # until it is killed
    return altsel.ranking.mim(rows, 2)

left = int(sys.argv[2])

print(altsel.stability(search, several_solutions(80), 30, store=sys.argv[1]).to_json(None))
"""


@pytest.mark.long
def test_a_run_killed_and_resumed_gives_what_one_run_gives(tmp_path: Path) -> None:
    place: dict[str, Any] = {"cwd": ROOT, "env": {**os.environ, "PYTHONPATH": str(ROOT)}}
    call = [sys.executable, "-W", "ignore", "-c", DRIVER, str(tmp_path / "runs.sqlite")]
    begun = subprocess.Popen([*call, "12"], stdin=subprocess.PIPE, **place)
    while not (tmp_path / "runs.sqlite").exists() or stored(tmp_path) < 4:
        time.sleep(0.05)
    begun.kill()
    begun.communicate()
    assert 4 <= stored(tmp_path) < 31
    again = subprocess.run([*call, "-1"], **place, capture_output=True, text=True, check=True)
    whole = altsel.stability(lambda rows: altsel.ranking.mim(rows, 2), several_solutions(80), 30)
    assert json.loads(again.stdout) == json.loads(whole.to_json())


@pytest.mark.slow
def test_a_store_has_no_answers_of_another_rule_or_kind(tmp_path: Path) -> None:
    data = several_solutions(80)
    first, second = altsel.ranking.mim(data, 2)[0].features

    def found(avoided: str, data: altsel.Dataset = data, store: Path | None = None) -> Stability:
        rule = altsel.domain.predicate(lambda names: avoided not in names, name="avoided")

        def search(rows: altsel.Dataset) -> altsel.Solutions:
            by_kind = len({*rows.kinds.values()})
            problem = altsel.Problem(altsel.Univariate(rows), k=by_kind, subject_to=[rule])
            return altsel.sequential(problem, altsel.Dice(0.5), 0)

        return altsel.stability(search, data, 5, store=store)

    other = altsel.Dataset(data.X, data.y, kinds={first: "categorical"})
    for avoided, of in ((first, data), (second, data), (first, other)):
        assert found(avoided, of, tmp_path / "s.sqlite").to_json() == found(avoided, of).to_json()


def stored(folder: Path) -> int:
    with Store(folder / "runs.sqlite", "")._open() as base:
        return int(base.execute("SELECT count(*) FROM results").fetchone()[0])


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    data = several_solutions(150)
    path, found = tmp_path / "data.csv", tmp_path / "found.json"
    data.X.assign(y=data.y).to_csv(path, index=False)

    def run(*words: object) -> str:
        result = CliRunner().invoke(app, list(map(str, words)))
        assert result.exit_code == 0, result.output + str(result.exception)
        return result.stdout

    run("rank", path, "--target", "y", "--method", "jmi", "-k", 2, "--output", found)
    words = ("stability", found, path, "--resamples", 4, "--scheme", "subsample", "--store", tmp_path / "s")
    text = run(*words)
    assert text.startswith("4 resamples of 150 rows (subsample), target 'y'\nfirst sets: Nogueira's measure ")
    assert run(*words) == text
    assert run(*words, "--format", "csv").startswith("feature,in the first set,in any set\na0,")
    plain = json.loads(run(*words, "--format", "json"))
    assert len(plain["collections"]) == 4
    own = Stability(**{**plain, "nogueira": None, "first": None, "collection": None})
    assert [list(one) for one in own.sets()["features"][:1]] == [sorted(plain["reference"][0])]
