"""The notebooks in examples/ run from top to bottom, and what is stored in them is what they print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.notebooks import NOTEBOOKS, code_cells, read, run, shown, stored

SECONDS = re.compile(r"\b\d+(\.\d+)? s(?=$|<)", re.MULTILINE)
LARGEST = 150_000
"""Bytes of a notebook."""


LONG = {"choosing_an_alternative", "good_sets_that_are_blankets"}
CASES = [
    pytest.param(path, id=path.stem, marks=pytest.mark.long if path.stem in LONG else ())
    for path in NOTEBOOKS
]


@pytest.mark.slow
@pytest.mark.parametrize("path", CASES)
def test_stored_outputs_are_what_the_cells_print(path: Path) -> None:
    cells = code_cells(read(path))
    for cell, outputs in zip(cells, run(path), strict=True):
        printed = stored({"outputs": outputs})
        assert SECONDS.sub("… s", stored(cell)) == SECONDS.sub("… s", printed)
        pages = zip(shown(cell), shown({"outputs": outputs}), strict=True)
        drawn = any("<img" in page for page in shown(cell))  # no two machines draw alike, some not at all
        assert drawn or all(SECONDS.sub("… s", old) == SECONDS.sub("… s", new) for old, new in pages)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert path.stat().st_size < LARGEST


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


def test_a_cell_runs_as_in_jupyter(tmp_path: Path) -> None:
    sources = ["a = 1\nprint(a)\na + 1", "a += 1;", "print(a)\nNone", "import os\nos.getcwd()"]
    cells = ",".join(
        f'{{"cell_type": "code", "source": {[source]!r}}}'.replace("'", '"').replace("\n", "\\n")
        for source in sources
    )
    (tmp_path / "short.ipynb").write_text(f'{{"cells": [{cells}]}}', encoding="utf-8")
    texts = [stored({"outputs": outputs}) for outputs in run(tmp_path / "short.ipynb")]
    assert texts == ["1\n2", "", "2", repr(str(tmp_path))]
