"""What a release says of itself in several files is the same in all."""

from __future__ import annotations

import re
import tomllib

import altsel
from tests.conftest import ROOT


def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def test_one_version_everywhere() -> None:
    assert f"\nversion: {altsel.__version__}\n" in text("CITATION.cff")
    assert f'{{% set version = "{altsel.__version__}" %}}' in text("conda/meta.yaml")


def test_the_changelog_ends_with_what_is_released_or_is_not_yet() -> None:
    headings = re.findall(r"^## (.+)$", text("CHANGELOG.md"), re.MULTILINE)
    released = [name for name in headings if name != "Unreleased"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)", name) for name in released)
    assert not released or released[0].startswith(f"{altsel.__version__} ")


def test_the_conda_recipe_has_the_requirements_of_the_project() -> None:
    wanted = tomllib.loads(text("pyproject.toml"))["project"]
    run = text("conda/meta.yaml").split("  run:\n")[1].split("\n\n")[0]
    needed = {line.strip("- ").replace(" ", "").replace("_", "-") for line in run.splitlines()}
    assert needed == {f"python{wanted['requires-python']}", *wanted["dependencies"]}
