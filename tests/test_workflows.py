"""Workflows on GitHub run what can be run here: each step is a session of noxfile.py that exists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

yaml: Any = import_module("yaml")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
OTHER_STEPS = (
    r"python -m pip install nox( uv)?",
    r"sudo apt-get (update|install --yes [a-z0-9 -]+)",
    r'test "\$GITHUB_REF_NAME" = .*',
    r"git config --global core\.symlinks true",
)
"""What steps may do besides: get nox, packages of the system, compare the tag with the version, and check out
links as links, which Windows does not by itself."""


def sessions() -> set[str]:
    """Return the sessions of noxfile.py, those of several versions with and without the version."""
    tree = ast.parse((ROOT / "noxfile.py").read_text("utf-8"))
    values = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.List)
    }
    found = set()
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        found.add(node.name)
        for call in node.decorator_list:
            for keyword in getattr(call, "keywords", ()):
                if keyword.arg == "python":
                    value = keyword.value
                    pythons = values[value.id] if isinstance(value, ast.Name) else ast.literal_eval(value)
                    found |= {f"{node.name}-{one}" for one in pythons} if isinstance(pythons, list) else set()
    return found


def steps(path: Path) -> Iterator[str]:
    """Yield the commands of a workflow, for every combination of its matrix."""
    for job in yaml.safe_load(path.read_text("utf-8"))["jobs"].values():
        matrix: dict[str, list[Any]] = job.get("strategy", {}).get("matrix", {})
        for values in product(*matrix.values()):
            for step in job["steps"]:
                text = str(step.get("run", ""))
                for name, value in zip(matrix, values, strict=True):
                    text = text.replace(f"${{{{ matrix.{name} }}}}", str(value))
                if text:
                    yield text.strip()


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: str(path.stem))
def test_every_step_is_a_session_that_exists(path: Path) -> None:
    known = sessions()
    assert {"quick-3.14", "plain", "lint"} <= known
    for step in steps(path):
        assert "${{" not in step, step
        if step.startswith("nox -s "):
            assert {*step.split()[2:]} <= known, step
        else:
            assert any(re.fullmatch(pattern, step, re.DOTALL) for pattern in OTHER_STEPS), step


def test_pushes_are_checked_on_three_systems_and_all_versions() -> None:
    [path] = [one for one in WORKFLOWS if one.stem == "checks"]
    matrix = yaml.safe_load(path.read_text("utf-8"))["jobs"]["tests"]["strategy"]["matrix"]
    assert {name.partition("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}
    noted = (ROOT / "pyproject.toml").read_text("utf-8")
    assert set(matrix["python"]) == set(re.findall(r"Python :: (3\.\d+)\"", noted))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: str(path.stem))
def test_no_workflow_may_write_but_to_the_index_and_the_pages(path: Path) -> None:
    plain = yaml.safe_load(path.read_text("utf-8"))
    assert plain["permissions"] == {"contents": "read"}
    for job in plain["jobs"].values():
        assert job.get("permissions", {}).keys() <= {"id-token", "pages"}
        assert all(step.get("uses", "a@v1").rpartition("@")[2] for step in job["steps"])
