"""What a release says of itself in several files is the same in all."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from packaging.markers import Marker

import altsel
from tests.conftest import ROOT


def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads(text("pyproject.toml"))["project"]
    return found


def test_one_version_everywhere() -> None:
    assert f"\nversion: {altsel.__version__}\n" in text("CITATION.cff")
    assert f'{{% set version = "{altsel.__version__}" %}}' in text("conda/meta.yaml")


def test_the_changelog_ends_with_what_is_released_or_is_not_yet() -> None:
    headings = re.findall(r"^## (.+)$", text("CHANGELOG.md"), re.MULTILINE)
    released = [name for name in headings if name != "Unreleased"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)", name) for name in released)
    assert not released or released[0].startswith(f"{altsel.__version__} ")


def test_the_conda_recipe_has_the_requirements_of_the_project() -> None:
    wanted = project()
    run = text("conda/meta.yaml").split("  run:\n")[1].split("\n\n")[0]
    needed = {line.strip("- ").replace(" ", "").replace("_", "-") for line in run.splitlines()}
    here = [one.partition(";")[0] for one in wanted["dependencies"] if "== 'emscripten'" not in one]
    assert needed == {f"python{wanted['requires-python']}", *here} - {"ortools>=9.12"}


def test_the_second_solver_is_wanted_where_it_has_wheels_and_nowhere_else() -> None:
    [marker] = [one.partition(";")[2] for one in project()["dependencies"] if one.startswith("ortools")]
    has = {("linux", "x86_64"), ("linux", "aarch64"), ("win32", "AMD64")}
    has |= {("darwin", "x86_64"), ("darwin", "arm64")}
    lacks = {("linux", "armv7l"), ("linux", "i686"), ("win32", "ARM64"), ("win32", "x86")}
    lacks |= {("emscripten", "wasm32")}
    for system, machine in has | lacks:
        for version in ("3.11", "3.14", "3.15"):
            where = {"sys_platform": system, "platform_machine": machine, "python_version": version}
            assert Marker(marker).evaluate(where) is ((system, machine) in has and version != "3.15")
