"""`altsel blankets --best`, what proves a family in the text, and audits of files of blankets."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from tests.cli.test_analyse import run

ASK = ("--target", "y", "--alpha", 0.001, "--no-group-copies", "--quiet")
COSTS = {"a": 5, "a2": 1, "b": 2, "b2": 7, "n": 0}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a table with two pairs of copies, which four blankets are made of."""
    a, b, n, noise = np.random.default_rng(0).normal(size=(4, 400))
    file = tmp_path_factory.mktemp("best") / "t.csv"
    columns = {"a": a, "a2": 3 * a + 1, "b": b, "b2": -b, "n": n, "y": a + b + noise}
    pd.DataFrame(columns).to_csv(file, index=False)
    (file.parent / "costs.csv").write_text(written(COSTS))
    return file


def written(costs: dict[str, Any], head: str = "feature,cost") -> str:
    return "".join(f"{line}\n" for line in (head, *(f"{name},{cost}" for name, cost in costs.items())))


def found_in(path: Path) -> altsel.Solutions:
    return altsel.Solutions.from_json(path.read_text())


@pytest.mark.slow
def test_the_best_are_listed_in_order_written_and_audited(table: Path, tmp_path: Path) -> None:
    best = ("--best", table.parent / "costs.csv", "--number", 2)
    lines = run("blankets", table, *ASK[:-1], *best).stdout.splitlines()
    assert [line.split() for line in lines if line.split()[:1] in (["0"], ["1"])] == [
        ["0", "2", "the", "best", "3", "optimal"],
        ["1", "2", "-a2", "+a", "7", "optimal"],
    ]
    assert "certificate: no other set that has a feature of each of 2 failed removals costs less" in lines
    assert lines[-1].startswith("No other blanket costs less; to check that")
    file = tmp_path / "best.json"
    said = run("blankets", table, *ASK[:-1], *best, "--output", file).stderr
    assert f"next: altsel audit {file} {table}" in said
    for prove in ((), ("--prove", "scip"), ("--retest", 1)):
        assert run("audit", file, table, "--quiet", *prove).stdout.startswith("confirmed")
    plain = json.loads(file.read_text())
    plain["sets"] = plain["sets"][1:]
    file.write_text(json.dumps(plain))
    assert "no other blanket costs less than 7" in run("audit", file, table, "--quiet", code=3).stdout


@pytest.mark.slow
def test_further_columns_decide_between_equals_and_too_many_are_told(table: Path, tmp_path: Path) -> None:
    costs = tmp_path / "costs.csv"
    costs.write_text("feature;eur;days\n" + "".join(f"{name};1;{cost}\n" for name, cost in COSTS.items()))
    file = tmp_path / "found.json"
    lines = run("blankets", table, *ASK, "--best", costs, "--number", 2).stdout.splitlines()
    assert any(line.split() == ["0", "2", "the", "best", "2", "3", "optimal"] for line in lines)
    said = run("blankets", table, *ASK, "--best", costs, "--number", 9, "--output", file).stderr
    assert "4 of 9 blankets wanted: there are no more" in said
    assert found_in(file)[0].features == ("a2", "b")
    assert run("audit", file, table, "--quiet").stdout.startswith("confirmed")
    again = run("stability", file, table, "--resamples", 2, "--quiet").stdout
    assert "2 resamples" in again  # the costs are in the file
    plain = json.loads(file.read_text())
    plain["request"]["command"]["options"]["number"] = 5
    file.write_text(json.dumps(plain))
    assert "--number is what the search was for: 9 was" in run("audit", file, table, "--quiet", code=3).stdout
    plain["request"]["command"]["options"]["number"] = 9
    plain["request"]["command"]["costs"] = [3]
    file.write_text(json.dumps(plain))
    refused(run("audit", file, table, "--quiet", code=1).exception, "the costs in the file are none")


def refused(fault: BaseException | None, said: str) -> None:
    assert isinstance(fault, altsel.AltselError)
    assert said in str(fault)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (written({"a": 1, "b": 2}), "there is none of 'a2', 'b2', 'n'; give 0 for what costs nothing"),
        (written(COSTS | {"no": 1}), "costs name 'no', which are no features"),
        (written(COSTS | {"n": "cheap"}), "'n': 'cheap' is no finite number"),
        (written(COSTS | {"n": "inf"}), "'n': 'inf' is no finite number"),
        (written(COSTS) + "a,2\n", "names 'a' twice"),
        (written(COSTS) + "a,2,3\n", "row 7 has 3 cells, not 2"),
        (written(COSTS, "a,5"), "needs a head, a column of features and one of costs"),
        ("feature\na\n", "needs a head, a column of features and one of costs"),
        ("", "needs a head"),
        (None, "cannot read"),
    ],
)
def test_costs_that_are_wrong_are_one_clear_error(
    text: str | None, said: str, table: Path, tmp_path: Path
) -> None:
    costs = tmp_path / "costs.csv"
    if text is not None:
        costs.write_text(text)
    refused(run("blankets", table, *ASK, "--best", costs, code=1).exception, said)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--number", 2), "--number is for --best"),
        (("--best", "costs.csv", "--method", "tie-star"), "--best has a search of its own"),
        (("--best", "costs.csv", "--dual"), "use one of them"),
        (("--dual", "--method", "tie-star"), "--dual has a search of its own"),
        (("--best", "costs.csv", "--no-prune"), "--best has a search of its own"),
        (("--best", "costs.csv", "--output", "costs.csv", "--format", "csv"), "is read by the command"),
    ],
)
def test_options_that_do_not_go_together(
    more: tuple[Any, ...], said: str, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table.parent)
    refused(run("blankets", table, *ASK, *more, code=1).exception, said)


@pytest.mark.slow
@pytest.mark.parametrize("search", [(), ("--method", "tie-star"), ("--best", "costs.csv")])
def test_rules_that_no_blanket_keeps_are_infeasible_in_every_search(
    search: tuple[str, ...], table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table.parent)
    rules, file = tmp_path / "rules.toml", tmp_path / "found.json"
    rules.write_text('forbid = ["a", "a2"]\n')
    done = run("blankets", table, *ASK, *search, "--rules", rules, code=3)
    assert "proved infeasible: no blanket keeps the rules" in done.stderr
    assert "certificate: complete, no set keeps the rules and has a feature of each" in done.stdout
    run("blankets", table, *ASK, *search, "--rules", rules, "--output", file, code=3)
    assert run("audit", file, table, "--quiet").stdout.startswith("confirmed")


def test_never_may_be_any_number(table: Path, tmp_path: Path) -> None:
    costs = tmp_path / "costs.csv"
    costs.write_text(written(COSTS | {"a2": "1e9", "a": "1e11"}))
    lines = run("blankets", table, *ASK, "--best", costs, "--number", 4).stdout.splitlines()
    assert [line.split()[-2] for line in lines if line.endswith("optimal")] == [
        "1000000002",
        "1000000007",
        "100000000002",
        "100000000007",
    ]


@pytest.mark.slow
def test_a_family_is_counted_without_a_list(table: Path, tmp_path: Path) -> None:
    done = run("blankets", table, *ASK[:-1], "--dual")
    lines = done.stdout.splitlines()
    assert "4 blankets by 2 failed removals" in lines
    assert ["a2", "replaceable", "50", "%"] in [line.split() for line in lines]
    assert lines[-1].startswith("To have the cheapest of them: --best costs.csv")
    cells = run("blankets", table, *ASK, "--dual", "--format", "csv").stdout.splitlines()
    assert cells[0] == "feature,class,share,removals"
    assert cells[-1] == "n,in no solution,0.0,0"
    file = tmp_path / "found.json"
    run("blankets", table, *ASK, "--dual", "--output", file)
    assert run("audit", file, table, "--quiet").stdout.startswith("confirmed")
    assert "2 resamples" in run("stability", file, table, "--resamples", 2, "--quiet").stdout
    short = run("blankets", table, *ASK, "--dual", "--max-states", 2, code=4).stdout
    assert "the search was cut short (stop: limit)" in short


def test_exclusive_or_is_looked_for_in_pairs(tmp_path: Path) -> None:
    columns = dict(zip("abc", np.random.default_rng(0).integers(0, 2, size=(3, 400)), strict=True))
    file = tmp_path / "xor.csv"
    pd.DataFrame({**columns, "y": columns["a"] ^ columns["b"]}).replace({0: "no", 1: "yes"}).to_csv(
        file, index=False
    )
    said = run("blankets", file, "--target", "y").stdout
    assert said.splitlines()[-1].endswith("to look at pairs: add --pairs"), said
    assert "--group-above" not in said
    assert "if the reference is a blanket, which tests do not confirm" in said
    assert "--pairs" not in run("blankets", file, "--target", "y", "--pairs").stdout


@pytest.mark.slow
def test_many_blankets_are_cut_in_the_table_and_never_listed_by_dual(tmp_path: Path) -> None:
    signals = np.random.default_rng(0).normal(size=(6, 300))
    columns = {f"{k}{j}": (k == "b") + 2 * signals[j] for j in range(6) for k in "ab"}
    file = tmp_path / "t.csv"
    y = signals.sum(axis=0) + np.random.default_rng(1).normal(size=300)
    pd.DataFrame(columns).assign(y=y).to_csv(file, index=False)
    done = run("blankets", file, "--target", "y", *ASK[2:], "--alpha", 1e-6).stdout
    assert "… and 14 more: --format csv" in done
    short = run("blankets", file, "--target", "y", *ASK[2:-1], "--dual", "--max-states", 9, code=4).stdout
    assert "set 0" not in short
    assert "search by altsel.blankets.dual" not in short


FALSE: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "left out": (lambda plain: plain["sets"].pop(1), "is a blanket too"),
    "invented": (
        lambda plain: plain["dual"]["failed"].append({**plain["dual"]["failed"][0], "removed": ["n"]}),
        "it has none of {'n'}",
    ),
    "p": (lambda plain: plain["dual"]["failed"][0].update(log_p=-1.0), "another p than the file"),
    "level": (
        lambda plain: plain["request"]["command"]["options"].update(alpha=0.05),
        "level and equivalence",
    ),
    "data": (lambda plain: plain["request"].update(data="0" * 64), "its fingerprint is another"),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_file_that_was_falsified_is_refuted(name: str, table: Path, tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    lines = run("blankets", table, *ASK[:-1], "--method", "tie-star").stdout.splitlines()
    assert "certificate: complete, no other set has a feature of each of 2 failed removals" in lines
    assert "2 of 2 failed removals confirmed: a removed feature tells something given all others" in lines
    run("blankets", table, *ASK, "--method", "tie-star", "--output", file)
    assert run("audit", file, table, "--quiet").stdout.startswith("confirmed")
    falsify, said = FALSE[name]
    plain = json.loads(file.read_text())
    falsify(plain)
    file.write_text(json.dumps(plain))
    told = run("audit", file, table, "--quiet", code=3).stdout
    assert told.startswith("refuted")
    assert said in told


def test_a_file_of_an_older_version_is_found_again_and_says_what_it_lacks(
    table: Path, tmp_path: Path
) -> None:
    file = tmp_path / "found.json"
    run("blankets", table, *ASK, "--output", file)
    plain = json.loads(file.read_text())
    del plain["dual"]
    file.write_text(json.dumps(plain))
    told = run("audit", file, table, "--quiet", code=4).stdout
    assert told.startswith("not settled")
    assert "nothing in the file proves it: it has no failed removals" in told
    refused(run("audit", file, table, "--retest", 2, code=1).exception, "has no failed removals of blankets")


def test_near_copies_are_proposed_to_be_grouped_where_no_proof_stands(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    z = random.normal(size=(215, 3)).cumsum(1)
    waves = [
        z @ [np.sin((j + k) / 7.0) for k in range(3)] + 0.01 * random.normal(size=215) for j in range(36)
    ]
    file = tmp_path / "smooth.csv"
    y = z[:, 0] + z[:, 1] + 0.5 * random.normal(size=215)
    pd.DataFrame({f"c{j}": one for j, one in enumerate(waves)}).assign(y=y).to_csv(file, index=False)
    told = run("blankets", file, "--target", "y", "--alpha", 0.001, "--quiet").stdout
    assert "stop: heuristic" in told
    assert "had been missed" in told
    assert "group them: --group-above 0.999 (30 columns as near to others as |r| >= 0.999)" in told
