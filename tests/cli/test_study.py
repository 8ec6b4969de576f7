"""``altsel study``: a plan that can be edited, a folder that goes on, and one error for what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import altsel
from altsel.cli.app import app
from altsel.studying.plan import read_plan

PLAN = """
folds = 3
models = ["linear"]
measures = ["absolute-pearson"]
sizes = [1, 2]
learners = []
bootstrap = 100
stability = 0
level = 0.0
alternatives = 1
"""


def call(*arguments: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, list(map(str, arguments)))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    random = np.random.default_rng(0)
    values = pd.DataFrame(random.normal(size=(80, 4)), columns=list("abcd")).round(4)
    values.insert(0, "nr", range(1, 81))
    values["y"] = (values.a + values.b + random.normal(size=80)).round(4)
    values["y again"] = 2 * values.y
    values.to_csv(file := tmp_path_factory.mktemp("study") / "table.csv", index=False)
    return file


@pytest.mark.slow
def test_a_plan_is_written_and_what_it_takes_said(table: Path, tmp_path: Path) -> None:
    (before := tmp_path / "before.toml").write_text(PLAN)
    after = tmp_path / "after.toml"
    code, out, err = call("study", table, "--target", "y", "--plan", before, "--write-plan", after)
    assert (code, out) == (0, "")
    assert "it takes 24 searches, at most " in " ".join(err.split())
    assert read_plan(after) == read_plan(before).model_copy(update={"loss": "squared"})


@pytest.mark.slow
def test_a_folder_has_all_and_the_same_command_goes_on(table: Path, tmp_path: Path) -> None:
    (plan := tmp_path / "plan.toml").write_text(PLAN)
    ask = ("study", table, "--target", "y", "--plan", plan, "--output", folder := tmp_path / "study")
    code, out, err = call(*ask)
    assert code == 0
    assert "y again" in err  # gives the target away: left out, as the look proposes
    assert "y again" not in json.loads((folder / "found.json").read_text("utf-8"))["universe"]
    assert "Of 6 configurations" in " ".join(out.split())
    (folder / "study.json").unlink()
    before = (folder / "report.html").stat().st_mtime_ns
    assert call(*ask)[:2] == (0, out)
    assert (folder / "report.html").stat().st_mtime_ns == before
    plan.write_text(PLAN + "seed = 1\n")
    with pytest.raises(altsel.ArgumentError, match=r"another plan' \('seed'\)"):
        call(*ask)


def test_an_unknown_key_is_named(table: Path, tmp_path: Path) -> None:
    (plan := tmp_path / "plan.toml").write_text("flods = 5")
    with pytest.raises(
        altsel.ConfigurationError, match=r"plan\.toml: flods: unknown key; did you mean 'folds'"
    ):
        call("study", table, "--target", "y", "--plan", plan)
