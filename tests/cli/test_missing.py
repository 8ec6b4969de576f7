"""Tables with gaps on the command line: ``--missing`` of commands that read a table."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from altsel.cli.app import app


def call(*arguments: object) -> tuple[int, str, str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        done = CliRunner().invoke(app, list(map(str, arguments)))
    said = [*(str(one.message) for one in caught), done.stderr, str(done.exception or "")]
    return done.exit_code, done.stdout, " ".join(" ".join(said).split())


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    random = np.random.default_rng(0)
    made = pd.DataFrame(random.normal(size=(120, 3)), columns=list("abc")).round(3)
    made["d"] = random.choice(["u", "v"], 120)
    made["y"] = np.where(made.a + made.b + 0.5 * random.normal(size=120) > 0, "ill", "well")
    for j, name in enumerate(("a", "c", "d")):
        made.loc[j::4, name] = None
    made.to_csv(file := tmp_path_factory.mktemp("gaps") / "table.csv", index=False)
    return file


@pytest.mark.parametrize("way", ["category", "complete-rows", pytest.param("impute", marks=pytest.mark.slow)])
def test_searches_take_gaps_and_say_what_is_assumed(table: Path, tmp_path: Path, way: str) -> None:
    found = tmp_path / "found.json"
    options = ["--target", "y", "--missing", way]
    code, _, said = call("select", table, *options, "-k", 2, "--format", "json", "--output", found)
    assert code == 0, said
    assert {"category": "level of their own", "impute": "at random"}.get(way, "completely at random") in said
    plain = json.loads(found.read_text("utf-8"))
    assert plain["sets"][0]["features"] == ["a", "b"]
    assert plain["request"]["command"]["options"]["missing"] == way
    code, out, said = call("audit", found, table)
    assert (code, "0 refuted" in out) == (0, True), said
    code, out, said = call("blanket", table, *options)
    assert code == 0, said
    assert "b" in out


def test_one_error_where_it_makes_no_sense(table: Path) -> None:
    of = [table, "--target", "y", "--missing"]
    for command, told in (
        (["select", *of, "category", "--drop-missing"], "--drop-missing and --missing category exclude"),
        (["rank", *of, "impute", "--method", "mim", "-k", 2], "this needs one table, and altsel select"),
        (["study", *of, "complete-rows"], "this needs one table"),
        (["select", *of, "impute", "--holdout", 0.2], "--holdout needs one table, and --missing impute"),
        (["blanket", *of, "impute", "--bins", 3], "--bins needs one table"),
        (["blanket", *of, "complete-rows", "--folds", 3], "--folds divides the rows of one table"),
        (
            ["select", *of, "complete-rows", "--objective", "logistic-fit", "-k", 2],
            "need all values",
        ),
        (["select", *of, "category", "--scan"], "for tables in memory"),
        (["select", table, "--target", "y"], "or keep the rows: missing='category' (--missing category)"),
    ):
        code, _, said = call(*command)
        assert code != 0
        assert told in said


def test_a_look_keeps_to_what_is_said_of_gaps(table: Path, tmp_path: Path) -> None:
    kept = tmp_path / "table.toml"
    code, out, _ = call("look", table, "--target", "y", "--missing", "category", "--write", kept)
    assert code == 0
    assert "as told: --missing category" in out
    assert f"--table {kept}" in " ".join(out.split())
    assert 'missing = "category"' in kept.read_text("utf-8")
    code, out, said = call("rank", table, "--target", "y", "--table", kept, "--method", "mim", "-k", 2)
    assert code == 0, said
    assert "b" in out
