"""The front page of the benchmarks names every program and every page of results."""

from __future__ import annotations

import re

from tests.conftest import ROOT

FOLDER = ROOT / "benchmarks"
NO_PROGRAMS = {"linear_fit_peers", "model_fit_peers", "outside.asked"}
"""Run by others, not by readers."""


def test_every_program_and_every_page_is_on_the_front_page() -> None:
    page = (FOLDER / "README.md").read_text("utf-8")
    named = set(re.findall(r"^\| ([\w.]+) \|", page, re.MULTILINE)) - {"program"}
    programs = {
        path.relative_to(FOLDER).with_suffix("").as_posix().removesuffix("/__main__").replace("/", ".")
        for path in FOLDER.rglob("*.py")
        if '\nif __name__ == "__main__":' in path.read_text("utf-8")
    }
    assert named == programs - NO_PROGRAMS
    linked = set(re.findall(r"\(results/([\w-]+\.md)\)", page))
    assert linked == {path.name for path in (FOLDER / "results").glob("*.md")}
