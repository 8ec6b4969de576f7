"""The pages of the papers' studies are what their script writes; every difference has its reason."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from benchmarks.studies import ppfs_study, tmfbs_study, unified_view_study
from benchmarks.studies.afs_numbers import HEAD, Number, share
from benchmarks.studies.comparison import MOST, Comparison
from benchmarks.studies.pages import FOLDER, pages
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def written() -> dict[str, str]:
    """Pages as the script writes them now."""
    return pages()


@pytest.mark.slow
def test_the_pages_are_what_the_script_writes(written: dict[str, str]) -> None:
    kept = {name: (FOLDER / f"{name}.md").read_text("utf-8") for name in written}
    assert kept == written, "run python -m benchmarks.studies.pages"
    index = (FOLDER / "index.md").read_text("utf-8")
    assert all(f"({name}.md)" in index for name in written)


def test_all_parts_are_filled_in_and_pictures_exist(written: dict[str, str]) -> None:
    for name, text in written.items():
        assert "{{" not in text, name
        for link in re.findall(r"\]\(([^)#]+)\)", text):
            file = (
                link.replace("results/", "../../benchmarks/results/", 1)
                if link.startswith("results/")
                else link
            )
            assert (FOLDER / file).exists(), (name, link)


def test_every_table_parses() -> None:
    folders = [FOLDER, ROOT / "benchmarks" / "results"]
    for path in [path for folder in folders for path in folder.glob("*.md")]:
        cells: set[int] = set()
        for line in path.read_text("utf-8").splitlines():
            if line.lstrip().startswith("|"):
                cells.add(len(re.findall(r"(?<!\\)\|", line)))
                assert len(cells) == 1, (path.name, line)
            else:
                cells = set()


def test_a_difference_of_more_than_two_standard_errors_has_its_reason() -> None:
    rows = [row for study in (unified_view_study, tmfbs_study, ppfs_study) for row in study.comparisons()]
    assert [row.cells() for row in rows if (row.away > MOST or row.outside) and not row.why] == []


def test_a_number_of_afs_that_is_two_standard_errors_away_has_its_reason(written: dict[str, str]) -> None:
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in written["afs"].splitlines()]
    cells = [row for row in rows if len(row) == len(HEAD) and re.fullmatch(r"\d(\.\d)+", row[0])]
    far = [row for row in cells if row[5] == "exact" or float(row[5] or 0) > MOST]
    assert len(cells) > 20
    assert [row for row in far if not row[6]] == []


def test_a_number_is_compared_by_the_spread_of_its_folds() -> None:
    shares = {0: 0.5, 1: 0.6, 2: 0.7}
    table = pd.DataFrame(
        [{"fold": fold, "hit": j < 10 * share} for fold, share in shares.items() for j in range(10)]
    )
    number = Number("6.3", "hits", "80 %", share(lambda part: part["hit"]), "%")
    error = 10 * (1 / 3 + 1 / 10) ** 0.5
    assert number.cells(table)[2:6] == ["80 %", "60 %", "50 % 60 % 70 %", f"{20 / error:.1f}"]
    assert Number("6.3", "none", "none", share(lambda part: part["hit"])).cells(table)[5:] == ["", ""]


@pytest.mark.parametrize(
    ("printed", "ours", "error", "away"),
    [
        (".688", 0.6884, 0.0, 0.0),
        (".688", 0.75, 0.031, 2.0),
        ("1", 0.9, 0.0, float("inf")),
        ("1303", 1303.4, 1.0, 0.0),
    ],
)
def test_distances_are_in_standard_errors_and_leave_rounding_out(
    printed: str, ours: float, error: float, away: float
) -> None:
    row = Comparison("none", "1", "data", "method", "figure", printed, ours, error)
    assert row.away == pytest.approx(away)
    assert row.why == ""


def test_a_dash_of_the_paper_has_no_distance() -> None:
    assert Comparison("none", "1", "data", "method", "figure", "-", 0.5, 0.1).cells()[6] == ""
