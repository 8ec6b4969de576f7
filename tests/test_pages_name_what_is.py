"""Pages name paths that exist; pages of results name the commit and the day of their figures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.command import STAMP, stamped
from tests.conftest import ROOT

RESULTS = sorted((ROOT / "benchmarks" / "results").glob("*.md"))
OF_THEIR_TIME = {"mutations.md", "history.md"}
"""Pages on the code as it was: of the commit that they name, and of versions."""
MADE = {"_build", "gallery", "generated", "commands", "results"}
"""Folders of `docs` that a build writes."""
WRITTEN = [path for path in (ROOT / "docs").rglob("*.md") if not MADE & {*path.relative_to(ROOT).parts}]
PAGES = [
    path
    for path in [
        *WRITTEN,
        *RESULTS,
        *(ROOT / "benchmarks").glob("*.md"),
        ROOT / "CONTRIBUTING.md",
        ROOT / "README.md",
    ]
    if path.name not in OF_THEIR_TIME
]
PATH = re.compile(r"`((?:altsel|models|tests|benchmarks|docs|examples)/[\w./*-]*)(?::[\w:]*)?`")


def named(text: str) -> set[str]:
    """Return the paths that a page names in backticks, as patterns; what a build makes may not be there."""
    return {path.rstrip("/") for path in PATH.findall(text) if "_build" not in path}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_paths_that_a_page_names_exist(page: Path) -> None:
    missing = [path for path in sorted(named(page.read_text("utf-8"))) if not any(ROOT.glob(path))]
    assert not missing, f"{page.relative_to(ROOT)} names what does not exist: {', '.join(missing)}"


@pytest.mark.parametrize("page", RESULTS, ids=lambda path: path.name)
def test_a_page_of_results_names_its_commit_and_day(page: Path) -> None:
    assert STAMP.search(page.read_text("utf-8")), f"{page.name}: write it by benchmarks.command.stamped"


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs a checkout")
def test_a_page_is_stamped_once() -> None:
    page = stamped("# Title\n\nOf commit 0123abc, date 2020-01-31.\n\nText.\n")
    (line,) = STAMP.finditer(page)
    assert page == f"# Title\n\n{line[0]}\n\nText.\n"
    assert "2020" not in line[0]
    assert STAMP.fullmatch(stamped().strip())


@pytest.mark.parametrize("page", WRITTEN, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_have_a_text_where_the_sources_are_read(page: Path) -> None:
    # a code host shows nothing of [](page.md): write the page's title between the brackets
    assert re.findall(r"(?<!!)\[\]\(([^)#]+\.md)\)", page.read_text(encoding="utf-8")) == []
