"""What is copied is run: the Python and the command find what the session shows."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import altsel
from altsel.cli.app import app
from altsel.cli.rules_file import read_rules
from altsel.exploring.code import command_text, python_text, rules_text
from altsel.exploring.session import Session
from altsel.exploring.settings import Settings
from altsel.exploring.subject import Subject, TableOrigin
from tests.exploring.tables import data, frame
from tests.exploring.test_rule_parts import EVERY
from tests.report.samples import HOSTILE

RULES = {
    "require": ["f2"],
    "forbid": ["f0", "f7"],
    "at_most": [{"number": 1, "of": ["f1", "f3"]}],
    "at_least": [{"number": 1, "of": ["f4", "f5", "f6"]}],
    "exactly": [{"number": 2, "of": ["f2", "f3", "f4", "f5", "f6"]}],
    "implies": [{"if": "f1", "then": ["f2"]}],
    "all_or_none": [["f8", "f9"]],
    "mutually_exclusive": [["f10", "f11"]],
    "budget": [{"limit": 7, "cost": {"f2": 1.5}, "fixed": [{"cost": 1, "of": ["f3", "f4"]}], "other": 2}],
    "proxy_limit": [{"limit": 0.9, "dependence": {"f3": 0.5}, "other": 0.1}],
    "minimum_quality": 0.001,
    "in_at_most": [{"number": 2, "of": ["f4"]}],
}
CASES: dict[str, dict[str, Any]] = {
    "as it begins": {},
    "every rule": {"rules": RULES},
    "sizes and jaccard": {"smallest": 2, "largest": 4, "dissimilarity": "jaccard", "tau": 0.6},
    "a measure": {"objective": "mrmr", "measure": "absolute-spearman"},
    "a random measure": {"objective": "univariate", "measure": "mutual-information", "seed": 3},
    "a measure of no namespace": {"objective": "univariate", "measure": "correlation-ratio-plain"},
    "a fit with a penalty": {"objective": "linear-fit-bic", "smallest": 1, "largest": 4},
}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("copied") / "it's a table.csv"
    columns = frame()
    columns.assign(copy=2 * columns["f1"], id=[f"row {j}" for j in range(len(columns))]).to_csv(
        path, index=False
    )
    return path


def explored(path: Path, settings: dict[str, Any]) -> tuple[Session, Settings, list[tuple[str, ...]]]:
    """Return a session of a file, its settings, and the sets that it finds."""
    rows = altsel.Dataset.from_table(path, "y", {"drop": ["id"]}).grouped()
    origin = TableOrigin(str(path), "y", {"drop": ["id"]}, "--drop id")
    session = Session(Subject(rows, origin=origin))
    chosen = Settings(**{"smallest": 3, "largest": 3, "alternatives": 2, **settings})
    told = session.handle({"do": "sets", "settings": chosen.model_dump()})["answer"]
    return session, chosen, [tuple(rows.features[j] for j in one["features"]) for one in told["sets"]]


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[pytest.mark.slow] * (one == "every rule")) for one in CASES]
)
def test_the_python_finds_the_same_sets(table: Path, name: str) -> None:
    session, settings, sets = explored(table, CASES[name])
    space: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(python_text(session.subject, settings), space)
    assert sets
    assert [one.features for one in space["found"]] == sets


@pytest.mark.skipif(os.name != "posix", reason="needs a shell of POSIX")
@pytest.mark.parametrize(
    "name",
    [
        "as it begins",
        pytest.param("every rule", marks=pytest.mark.slow),
        *(pytest.param(one, marks=pytest.mark.long) for one in list(CASES)[2:]),
    ],
)
def test_the_command_finds_the_same_sets(
    table: Path, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, settings, sets = explored(table, CASES[name])
    monkeypatch.chdir(tmp_path)
    text = command_text(session.subject, settings)
    assert text is not None
    # the shell writes the file of rules, and reads the words of the command, of which the first is a stand-in
    words = (
        subprocess.run(
            ["sh", "-c", f"altsel() {{ printf '%s\\0' \"$@\"; }}\n{text}"], capture_output=True, check=True
        )
        .stdout.decode()
        .split("\0")[:-1]
    )
    done = CliRunner().invoke(app, [*words, "--format", "json"])
    found = altsel.Solutions.from_json(done.stdout)
    assert [one.features for one in found] == sets


def test_rows_kept_apart_and_groups_are_copied(table: Path) -> None:
    origin = TableOrigin(str(table), "y", {"drop": ["id"]}, "--drop id --holdout 0.25", None, 0.25)
    rows, held = altsel.Dataset.from_table(table, "y", {"drop": ["id"]}).split(0.25, 0)
    space: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(python_text(Subject(rows, held=held, origin=origin), Settings()), space)
    assert space["data"].fingerprint == rows.fingerprint
    assert space["held"].fingerprint == held.fingerprint


def test_a_problem_of_ones_own_is_copied_with_its_variable() -> None:
    problem = altsel.Problem(altsel.MRMR(data()), 3, [altsel.domain.forbid("f1")])
    subject, settings = Subject(problem=problem), Settings(objective="given", rules={"require": ["f2"]})
    text = python_text(subject, settings)
    space: dict[str, Any] = {"problem": problem}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(text, space)
    assert all("f1" not in one and "f2" in one for one in space["found"])
    assert command_text(subject, settings) is None


def test_rules_are_written_as_a_file_that_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(rules_text(Settings(rules={**EVERY, "forbid": [*HOSTILE]})))
    assert tomllib.loads(path.read_text())["forbid"] == [*HOSTILE]
    made = [*read_rules(path).subject_to]
    assert made == [*Settings(rules={**EVERY, "forbid": [*HOSTILE]}).read_rules().rules()]


@pytest.mark.slow
def test_what_is_saved_is_read_again(table: Path) -> None:
    session, settings, sets = explored(table, {"rules": {"forbid": ["f0"]}})

    def saved(form: str) -> str:
        told = session.handle({"do": "save", "settings": settings.model_dump(), "form": form})
        return str(told["answer"]["text"])

    assert [one.features for one in altsel.Solutions.from_json(saved("json"))] == sets
    assert altsel.Solutions.from_json(saved("near")).stop.finished
    assert saved("rules") == 'forbid = ["f0"]\n'
    assert "<!DOCTYPE html>" in saved("report")
    assert '"format":"certificate' in saved("certificate")
