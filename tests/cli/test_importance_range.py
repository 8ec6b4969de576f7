"""``altsel importance-range``: what the library says of a list, from its file."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

import altsel
from altsel.cli.app import app
from altsel.results.solutions import Solutions
from tests.conftest import IONOSPHERE

pytestmark = pytest.mark.filterwarnings("ignore::altsel.DataWarning")
ASK = [str(IONOSPHERE), "--target", "target", "-k", "3", "--measure", "absolute-pearson", "--quiet"]


def call(*arguments: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, list(map(str, arguments)))
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture(scope="module")
def near(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("near") / "near.json"
    assert call("near-optimal", *ASK, "--within", 0.05, "--output", file)[0] == 0
    return file


@pytest.mark.slow
def test_a_list_is_looked_at_written_and_drawn(near: Path, tmp_path: Path) -> None:
    ranges = altsel.importance_range(Solutions.from_json(near.read_text()))
    code, out, _ = call("importance-range", near, "--plot", tmp_path / "ranges.svg")
    assert (code, out) == (0, f"{ranges}\n")
    assert b"<svg" in (tmp_path / "ranges.svg").read_bytes()
    code, out, _ = call("importance-range", near, "--format", "json")
    assert json.loads(out) == json.loads(ranges.to_json())
    assert call("importance-range", near, "--output", tmp_path / "ranges.csv", "--quiet")[0] == 0
    assert pd.read_csv(tmp_path / "ranges.csv")["class"].tolist() == [one.range_class.value for one in ranges]


@pytest.mark.slow
def test_the_table_solves_what_the_list_leaves_open(near: Path) -> None:
    code, out, _ = call("importance-range", near, "--data", IONOSPHERE, "--format", "json", "--quiet")
    assert code == 0
    known = {
        loss["known"] for one in json.loads(out)["features"] for loss in (one["without"], one["holding"])
    }
    assert known == {"exactly"}
    code, out, err = call("importance-range", near, "--data", IONOSPHERE, "--time-limit", 1e-9, "--quiet")
    assert code == 4
    assert "some losses are bounds" in err


def test_resamples_come_from_a_file(near: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "drawn.json"
    call("stability", near, IONOSPHERE, "--resamples", 3, "--output", drawn, "--quiet")
    code, out, _ = call("importance-range", near, "--stability", drawn, "--format", "json")
    assert code == 0
    assert {sum(one["resamples"]) for one in json.loads(out)["features"]} == {1.0}


def test_the_list_of_another_search_is_refused(tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    call("select", *ASK, "--output", found)
    with pytest.raises(altsel.ArgumentError, match=r"takes the list of altsel\.near_optimal"):
        CliRunner().invoke(app, ["importance-range", str(found)], catch_exceptions=False)
