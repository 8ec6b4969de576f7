"""`altsel look`: forms of the page, the file it writes, what is said already."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import altsel
from altsel.cli.app import app
from altsel.data.table_file import table_file


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    r = np.random.default_rng(0)
    table = pd.DataFrame(r.normal(size=(90, 4)).round(3), columns=["a", "b", "$c d", "e'f"])
    table["y"] = np.where(table["a"] + r.normal(size=90) > 0, "yes", "no")
    table["told"] = table["y"].str.upper()
    path = tmp_path / "my rows.csv"
    table.to_csv(path, index=False)
    return path


def look(*words: str) -> str:
    done = CliRunner().invoke(app, ["look", *words], env={"COLUMNS": "60"})
    assert done.exit_code == 0, done.exception or done.output
    return done.stdout


@pytest.mark.slow
def test_every_form_holds_the_command_that_runs(rows: Path, tmp_path: Path) -> None:
    ask = [str(rows), "--target", "y", "--drop", "$c d"]
    shown = look(*ask)
    command = shown.splitlines()[-1].strip()
    how = "--target y --drop '$c d' --drop told"
    assert command == f"altsel select {shlex.quote(str(rows))} {how}"
    for ending in ("html", "json", "txt", "csv"):
        output = tmp_path / f"look.{ending}"
        done = CliRunner().invoke(app, ["look", *ask, "--output", str(output)])
        assert (done.exit_code, done.stdout) == (0, shown)
        assert done.stderr.splitlines()[-1] == f"written: {output}"
        assert look(*ask, "--quiet", "--output", str(output)) == ""
        assert ending == "csv" or "told" in output.read_text(encoding="utf-8")
    assert (tmp_path / "look.txt").read_text(encoding="utf-8") == shown
    plain = json.loads((tmp_path / "look.json").read_text(encoding="utf-8"))
    assert plain["command"] == command
    assert plain["table"] == {"drop": ["$c d", "told"]}
    page = (tmp_path / "look.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 6
    assert "<script" not in page
    assert list(pd.read_csv(tmp_path / "look.csv")["name"]) == ["a", "b", "$c d", "e'f", "y", "told"]


def test_the_file_that_is_written_is_in_the_command_and_can_be_looked_with(
    rows: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "my table.toml"
    shown = look(str(rows), "--target", "y", "--write", str(kept))
    assert f"--table {shlex.quote(str(kept))}" in shown.splitlines()[-1]
    assert table_file(kept).drop == ["told"]
    assert "leak" not in look(str(rows), "--target", "y", "--table", str(kept))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--target", "Y"], "did you mean 'y'"),
        (["--target", "y", "--output", "look.png"], "end its name in"),
        (["--target", "y", "--write", "/no/such/table.toml"], "--write"),
        (["--target", "y", "--drop", "z"], "no column 'z'"),
    ],
)
def test_wrong_usage_is_told(words: list[str], why: str, rows: Path) -> None:
    done = CliRunner().invoke(app, ["look", str(rows), *words])
    assert isinstance(done.exception, altsel.ArgumentError)
    assert why in str(done.exception)
