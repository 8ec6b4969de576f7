"""Files of solutions in which something is of another kind: one line that names it, and no traceback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.cli.test_grouping import refused, run

OPTIONS = (
    "--task",
    "binary",
    "--encoding",
    "utf-8",
    "--kind",
    "c=ordinal:l,m,h",
    "--drop",
    "d",
    "--na",
    "NA",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table, and what two commands found there."""
    path = tmp_path_factory.mktemp("changed")
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(60, 3)), columns=["a", "b", "d"])
    frame = frame.assign(c=random.choice(["l", "m", "h"], 60), y=(frame.a > 0).astype(int))
    frame.to_csv(path / "table.csv", index=False)
    for command, more in (("select", ("--alternatives", 0)), ("front", ())):
        output = ("--format", "json", "--output", path / f"{command}.json", "--quiet")
        run(command, path / "table.csv", "--target", "y", "-k", 2, *more, *OPTIONS, *output)
    return path


def changed(folder: Path, command: str, keys: tuple[str, ...], value: Any) -> Path:
    plain = json.loads((folder / f"{command}.json").read_text())
    part = plain
    for key in keys[:-1]:
        part = part[key]
    assert keys[-1] in part
    part[keys[-1]] = value
    path = folder / "changed.json"
    path.write_text(json.dumps(plain))
    return path


@pytest.mark.parametrize("command", ["audit", "stability"])
@pytest.mark.parametrize(
    ("option", "value"), [("kind", 5), ("task", 5), ("encoding", 5), ("drop", "d"), ("na", [[5]])]
)
def test_an_option_of_another_kind(command: str, option: str, value: Any, folder: Path) -> None:
    file = changed(folder, "select", ("request", "command", "options", option), value)
    said = refused(command, file, folder / "table.csv")
    assert f"the option {option!r} that the file says its search was given: " in said
    assert "http" not in said


@pytest.mark.parametrize("command", ["audit", "report", "taxonomy"])
@pytest.mark.parametrize("value", [5, True, "x"])
def test_a_request_of_another_kind(command: str, value: Any, folder: Path) -> None:
    file = changed(folder, "select", ("request", "rules"), value)
    table = () if command == "report" else (folder / "table.csv",)
    said = refused(command, file, *table)
    assert "changed.json: what the solutions say was requested: rules: must be a list" in said


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("stop", [5], r"stop"),
        ("stop", {}, r"stop"),
        ("request", 5, r"request: must be a table"),
        ("request", None, r"request: must be a table"),
        ("points", 5, r"points: must be a list"),
    ],
)
def test_a_front_of_another_kind(key: str, value: Any, said: str, folder: Path) -> None:
    file = changed(folder, "front", (key,), value)
    assert said in refused("audit", file, folder / "table.csv")
