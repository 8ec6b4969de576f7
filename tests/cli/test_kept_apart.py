"""Rows that a search keeps apart stay apart in every later command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from tests.cli.test_analyse import refused, run

SEARCHES: dict[str, tuple[Any, ...]] = {
    "select": ("-k", 2, "--alternatives", 2, "--seed", 5),
    "near-optimal": ("-k", 2, "--within", 0.3, "--limit", 5),
    "front": (
        "-k",
        2,
    ),
    "blanket": ("--method", "iamb", "--seed", 5),
    "blankets": ("--alpha", 0.01),
    "rank": (
        "-k",
        3,
    ),
}
TAKEN = {name: options for name, options in SEARCHES.items() if name != "front"}


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    random = np.random.default_rng(0)
    columns = {name: random.normal(size=240) for name in "abcdefghijkl"}
    table = pd.DataFrame(columns).assign(copy=lambda known: 2 * known["a"])
    table["patient"] = np.arange(240) // 4
    table["y"] = (table["a"] + table["b"] + random.normal(size=240) > 0).astype(int)
    path = tmp_path_factory.mktemp("clinic") / "clinic.csv"
    table.to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def found(clinic: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder, files = tmp_path_factory.mktemp("found"), {}
    for name, options in SEARCHES.items():
        files[name] = folder / f"{name}.json"
        ask = (name, clinic, "--target", "y", "--drop", "patient", *options)
        run(*ask, "--holdout", 0.3, "--output", files[name], "--quiet")
    return files


def parts(clinic: Path, seed: int) -> tuple[altsel.Dataset, altsel.Dataset]:
    return altsel.Dataset(clinic, "y", drop=["patient"]).split(0.3, seed)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_sees_the_rows_to_learn_from_only(name: str, clinic: Path, found: dict[str, Path]) -> None:
    plain = json.loads(found[name].read_text())
    options = plain["request"]["command"]["options"]
    assert options["holdout"] == 0.3
    train, held = parts(clinic, options.get("seed", 0))
    assert plain["request"]["data"] == train.grouped(plain["members"]).fingerprint
    assert plain["request"]["holdout"] == {
        "share": 0.3,
        "seed": options.get("seed", 0),
        "rows": 72,
        "data": held.fingerprint,
    }
    if name == "select":
        used = train.grouped()
        again = altsel.sequential(altsel.Problem(altsel.Univariate(used), 2), altsel.Dice(0.5), 2)
        assert [tuple(one["features"]) for one in plain["sets"]] == [one.features for one in again]
        apart = used.holdout(held.X, held.y)
        scored = again.with_holdout(altsel.Univariate(apart))
        assert [one["holdout"] for one in plain["sets"]] == [one.holdout for one in scored]


@pytest.mark.parametrize("name", SEARCHES)
def test_its_answer_is_confirmed_by_these_rows(name: str, clinic: Path, found: dict[str, Path]) -> None:
    assert "confirmed" in run("audit", found[name], clinic, "--quiet").stdout


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in {"select", "blankets"} else pytest.mark.long) for name in TAKEN],
)
def test_performance_fits_to_the_one_part_and_judges_the_other(
    name: str, clinic: Path, found: dict[str, Path]
) -> None:
    done = run("performance", found[name], clinic, "--format", "json")
    scored = altsel.results.Performance.from_json(done.stdout)
    assert "72 of 240 rows are kept apart (--holdout): they are judged" in done.stderr
    sets = altsel.Solutions.from_json(found[name].read_text())
    train, held = parts(clinic, 5 if "--seed" in SEARCHES[name] else 0)
    train = train.grouped(sets.members)
    own = altsel.performance([one.features for one in sets], train, holdout=train.holdout(held.X, held.y))
    assert (scored.holdout, scored.data) == (72, train.fingerprint)
    assert [one.score.value for one in scored.sets] == pytest.approx([one.score.value for one in own.sets])
    assert scored.forest is not None


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@pytest.mark.parametrize("name", ["select", "rank"])
def test_folds_leave_out_what_is_kept_apart(name: str, clinic: Path, found: dict[str, Path]) -> None:
    folds = run("performance", found[name], clinic, "--cv", 3, "--format", "json")
    again = altsel.results.Performance.from_json(folds.stdout)
    assert (again.holdout, len(again[0].score.parts)) == (0, 3)
    assert "they are not used" in folds.stderr


@pytest.mark.slow
def test_other_commands_use_the_rows_to_learn_from(
    clinic: Path, found: dict[str, Path], tmp_path: Path
) -> None:
    file, page = found["select"], tmp_path / "page.html"
    stable = json.loads(run("stability", file, clinic, "--resamples", 2, "--format", "json").stdout)
    assert stable["rows"] == 168
    assert stable["data"] == json.loads(file.read_text())["request"]["data"]
    scored, measured = tmp_path / "scored.json", tmp_path / "stable.json"
    measured.write_text(json.dumps(stable))
    run("performance", file, clinic, "--output", scored, "--quiet")
    said = run(
        "report", file, "--data", clinic, "--performance", scored, "--stability", measured, "--output", page
    ).stderr
    assert "losses of sets are judged on them" in said
    text = page.read_text()
    assert '"holdout":72' in text.replace(" ", "")
    assert "72 hold-out rows" not in text
    for command in (("taxonomy", file, clinic), ("equivalence", file, clinic)):
        assert "72 of 240 rows are kept apart" in run(*command).stderr
    said = refused("equivalence", file, clinic, "--holdout", 0.2, code=2)
    assert "the search kept rows apart, which are judged" in said


def test_losses_of_equivalence_are_those_of_the_rows_kept_apart(clinic: Path, found: dict[str, Path]) -> None:
    file = found["select"]
    told = json.loads(run("equivalence", file, clinic, "--format", "json", "--quiet").stdout)
    sets = altsel.Solutions.from_json(file.read_text())
    train, held = parts(clinic, 5)
    train = train.grouped(sets.members)
    tests = altsel.comparison.default_tests(train, train.holdout(held.X, held.y), random_state=0)
    known = altsel.equivalence([one.features for one in sets], tests)
    assert [pair["comparisons"][0]["p"] for pair in told["pairs"]] == [
        pair.comparisons[0].p for pair in known.pairs
    ]


@pytest.mark.slow
def test_rows_of_a_file_are_judged_by_models_of_the_data(clinic: Path, tmp_path: Path) -> None:
    table, found = pd.read_csv(clinic).drop(columns="patient"), tmp_path / "found.json"
    train, test = tmp_path / "train.csv", tmp_path / "test.csv"
    table.iloc[:160].to_csv(train, index=False)
    table.iloc[160:].to_csv(test, index=False)
    run("select", train, "--target", "y", "-k", 2, "--alternatives", 1, "--output", found, "--quiet")
    done = run("performance", found, train, "--holdout-data", test, "--estimator", "forest")
    for word in (
        "accuracy",
        "of 160 rows, judged on 80 held out",
        "forest",
        "all",
        "none",
        "Clopper-Pearson",
    ):
        assert word in done.stdout
    page = tmp_path / "page.html"
    run("performance", found, train, "--holdout-data", test, "--output", tmp_path / "p.json", "--quiet")
    run("performance", found, train, "--holdout-data", test, "--plot", tmp_path / "p.png", "--quiet")
    run("report", found, "--performance", tmp_path / "p.json", "--output", page)
    assert "exact (Clopper-Pearson)" in page.read_text()
    for option in (("--nested",), ("--permutations", 2), ("--cv", 3)):
        said = refused("performance", found, train, "--holdout-data", test, *option, code=2)
        assert "--holdout-data names rows to judge" in said
    said = refused("performance", found, train, "--holdout-data", train, code=2)
    assert "holdout has the rows that models are fitted to" in said
    assert "exclude each other" in refused(
        "select", train, "--target", "y", "-k", 2, "--holdout", 0.2, "--holdout-data", test, code=2
    )


@pytest.mark.slow
def test_rows_of_one_group_stay_together(clinic: Path, tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    ask = ("blanket", clinic, "--target", "y", "--groups", "patient", "--method", "iamb", "--holdout", 0.25)
    run(*ask, "--output", found, "--quiet")
    request = json.loads(found.read_text())["request"]
    assert (request["holdout"]["groups"], request["holdout"]["rows"]) == ("patient", 60)
    _, held = altsel.Dataset(clinic, "y").split(0.25, groups="patient")
    assert held.fingerprint == request["holdout"]["data"]
    assert "confirmed" in run("audit", found, clinic, "--quiet").stdout
    assert "judged on 60 held out" in run("performance", found, clinic, "--quiet").stdout


@pytest.mark.slow
def test_rows_that_are_others_now_are_refused(clinic: Path, found: dict[str, Path], tmp_path: Path) -> None:
    table = pd.read_csv(clinic)
    file, (_, held) = found["select"], parts(clinic, 5)
    changed = tmp_path / "changed.csv"
    place = np.flatnonzero(np.isin(table["a"], held.X["a"]))[0]
    table.loc[place, "a"] += 1  # the rows to learn from are as they were
    table.to_csv(changed, index=False)
    said = refused("performance", file, changed, code=1)
    assert "the search kept 72 rows apart, and they are others in this table" in said
    assert run("performance", file, changed, "--other-data", "--cv", 2, "--quiet").stdout
    plain = json.loads(file.read_text())
    plain["request"]["holdout"]["share"] = "most"
    forged = tmp_path / "forged.json"
    forged.write_text(json.dumps(plain))
    assert "holdout.share" in refused("performance", forged, clinic, code=1)


@pytest.mark.parametrize(("share", "why"), [(1, "use a share"), (-0.1, "use a share"), (0.001, "too few")])
def test_a_share_that_is_none_is_refused(clinic: Path, share: float, why: str) -> None:
    said = refused("select", clinic, "--target", "y", "-k", 2, "--holdout", share, code=2)
    assert f"--holdout {share}" in said
    assert why in said
