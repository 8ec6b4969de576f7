"""An empty path is refused by the option's name, before anything is read or written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_grouping import refused, run
from tests.conftest import IONOSPHERE

SELECT = ("select", IONOSPHERE, "--target", "target", "-k", 2)


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("select", "", "--target", "y", "-k", 2), "an argument"),
        (("audit", "", IONOSPHERE), "an argument"),
        ((*SELECT, "--output", ""), "--output"),
        ((*SELECT, "--output="), "--output"),
        ((*SELECT, "--rules", ""), "--rules"),
        ((*SELECT, "--quiet", "--holdout-data", ""), "--holdout-data"),
        (("stability", "found.json", IONOSPHERE, "--store", ""), "--store"),
        (("solvers", "--file", ""), "--file"),
    ],
)
def test_an_empty_path(arguments: tuple[object, ...], named: str, tmp_path: Path) -> None:
    assert refused(*arguments) == f"{named} is empty; name a file"
    assert not list(tmp_path.iterdir())


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_what_is_no_path_may_be_empty() -> None:
    assert "a05" in run(*SELECT, "--na", "", "--alternatives", 0, "--quiet").stdout
    assert "the separator is empty" in refused(*SELECT, "--sep", "")
