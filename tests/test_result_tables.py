"""Tables of results, documentation and README render: each row has as many cells as its heading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.conftest import ROOT

FOLDERS = ("benchmarks", "docs", "examples")
PAGES = sorted([*ROOT.glob("*.md"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.md"))])
RULE = re.compile(r"\|?( *:?-+:? *\|)+( *:?-+:? *)?")


def cells(line: str) -> int:
    return len(re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|")))


def faults(text: str) -> Iterator[str]:
    """Yield the rows that do not render as such."""
    text = re.sub(r"^(```+|~~~+).*?^\1", lambda found: "\n" * found[0].count("\n"), text, flags=re.M | re.S)
    lines = ["", *text.splitlines()]
    width = 0
    for number, (before, line) in enumerate(pairwise(lines), start=1):
        if RULE.fullmatch(line.strip()) and "|" in before:
            width = cells(before)
            if lines[number - 2].strip():
                yield f"{number - 1}: text right above a table"
        if width and not line.strip():
            width = 0
        if width and cells(line) != width:
            yield f"{number}: {cells(line)} cells below {width} headings"


def test_faults_are_found() -> None:
    assert not list(faults("a | b\n--|--\n1 | 2\n\n| a \\| b |\n|---|\n| 1 |\n```\n| a | b |\n|---|\n```\n"))
    assert list(faults("\n| a | b |\n|---|---|\n| 1 |\n")) == ["4: 1 cells below 2 headings"]
    assert list(faults("text\n| a | b |\n|---|\n")) == [
        "2: text right above a table",
        "3: 1 cells below 2 headings",
    ]


@pytest.mark.parametrize("path", PAGES, ids=[str(path.relative_to(ROOT)) for path in PAGES])
def test_tables_render(path: Path) -> None:
    assert not list(faults(path.read_text(encoding="utf-8")))
