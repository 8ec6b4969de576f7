"""Scans on the command line: when a table is scanned, what is printed of it, what is refused, and audits."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel.cli import scanned
from altsel.data import binned
from tests.cli.test_grouping import refused, run

TARGET = ("--target", "y", "--quiet")


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    random = np.random.default_rng(0)
    a, b, noise = random.integers(0, 3, (3, 240))
    x = random.normal(size=240) + a
    columns = {"a": a, "b": b, "x": x, "z": random.choice(["p", "q", "r"], 240), "noise": noise}
    return pd.DataFrame({**columns, "y": (a + b + x / 2 > 3).astype(int)})


@pytest.fixture(scope="module")
def folder(frame: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("scans") / "data"
    path.mkdir()
    for number in range(3):
        frame[80 * number : 80 * number + 80].to_parquet(path / f"part{number}.parquet", index=False)
    frame.to_csv(path.parent / "all.csv", index=False)
    return path


@pytest.mark.slow
def test_several_files_are_scanned_with_the_answers_of_rows(frame: pd.DataFrame, folder: Path) -> None:
    data = altsel.Dataset(frame, "y")
    measure = altsel.measures.association
    expected = altsel.sequential(
        altsel.Problem(altsel.Univariate(altsel.dependence(binned(data, 5), measure)), 2), altsel.Dice(0.5), 2
    )
    for source in (folder, folder / "*.parquet"):
        found = run("select", source, *TARGET, "-k", 2, "--alternatives", 2, "--format", "json")
        why = "a folder" if source is folder else "a pattern"
        assert f"is scanned ({why}), not held in memory" in found.stderr
        assert (
            "columns of numbers cut into 5 bins of equal frequency where counts are needed: 1" in found.stderr
        )
        assert "240 rows in 3 files; copies of columns are not looked for in a scan" in found.stderr
        sets = json.loads(found.stdout)["sets"]
        assert [tuple(one["features"]) for one in sets] == [one.features for one in expected]
        assert [one["score"] for one in sets] == pytest.approx([one.score for one in expected])
    assert "PartialCorrelation" not in run("blanket", folder, *TARGET, "--bins", 3).stdout
    rank = ("--method", "mrmr", "-k", 2, "--format", "csv")
    rows, counts = (
        pd.read_csv(StringIO(run("rank", path, *TARGET, *rank).stdout))
        for path in (folder.parent / "all.csv", folder)
    )
    pd.testing.assert_frame_equal(rows, counts)


def test_one_file_is_scanned_if_it_exceeds_its_share_of_memory(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = folder.parent / "all.csv"
    assert scanned.why_scan(one, None) is None
    assert scanned.why_scan(folder / "part0.parquet", True) == "requested by --scan"
    monkeypatch.setattr(scanned, "available", lambda: 10_000)
    assert scanned.why_scan(one, None) is None  # of few rows a scan would not hold less
    monkeypatch.setattr(scanned, "MANY_ROWS", 1)
    for path in (one, folder / "part0.parquet"):
        assert "in memory it may take" in str(scanned.why_scan(path, None))
        assert scanned.why_scan(path, False) is None
    found = run("rank", one, *TARGET, "-k", 2)
    assert "all.csv is scanned (in memory it may take" in found.stderr
    monkeypatch.setattr(scanned, "available", lambda: None)  # not known: held
    assert scanned.why_scan(one, None) is None


def test_a_file_that_gzip_has_made_small_is_scanned_by_what_it_was(tmp_path: Path) -> None:
    path = tmp_path / "bomb.csv.gz"
    with gzip.open(path, "wb") as file:
        file.write(b"a,y\n" + b"1,0\n2,1\n" * 500_000)
    assert path.stat().st_size < 20_000
    assert scanned.in_memory(path) == scanned.PER_BYTE * 4_000_004


def test_the_bins_that_are_named_are_those_that_are_counted(folder: Path) -> None:
    for command in (("blanket",), ("blankets",), ("rank", "-k", 2)):
        found = run(*command, folder, *TARGET, "--bins", 3, "--format", "json")
        assert (
            "columns of numbers cut into 3 bins of equal frequency where counts are needed: 1" in found.stderr
        )
        assert json.loads(found.stdout)["request"]["command"]["options"]["scan_bins"] == 3


LONG = [pytest.param(name, marks=pytest.mark.long) for name in ("near-optimal", "blankets", "rank")]


@pytest.mark.parametrize("command", ["select", "front", "blanket", *LONG])
def test_what_was_found_in_a_scan_is_audited_in_a_scan(command: str, folder: Path, tmp_path: Path) -> None:
    size = () if command.startswith("blanket") else ("-k", 2)
    run(command, folder, *TARGET, *size, "--format", "json", "--output", tmp_path / "found.json")
    said = run("audit", tmp_path / "found.json", folder, "--quiet")
    assert said.stdout.strip().startswith("confirmed")
    assert "is scanned (as when it was searched)" in said.stderr
    if command == "select":
        later = run("audit", tmp_path / "found.json", folder / "part*0*", "--quiet", code=3).stdout
        assert "WRONG the table is the one of the search" in later
        one = folder.parent / "all.csv"
        assert "--other-data looks at them on its rows" in refused("stability", tmp_path / "found.json", one)


def test_what_needs_rows_is_refused_before_the_scan(folder: Path) -> None:
    select = ("select", folder, *TARGET, "-k", 2)
    for option, value in (("--permutations", 5), ("--holdout-data", folder), ("--group-above", 0.9)):
        said = refused(*select, option, value)
        assert f"{option} needs the rows" in said
        assert "sample(100_000, random_state=0)" in said
    assert "--groups, --weights or --event needs the rows" in refused(
        "blanket", folder, *TARGET, "--groups", "a"
    )
    assert "names several files" in refused(*select, "--no-scan")
    assert "no file is like" in refused("select", folder / "*.csv", *TARGET, "-k", 2)
    assert "needs the rows" in refused(*select, "--measure", "relief")
    assert "needs the rows" in refused("blanket", folder, *TARGET, "--test", "likelihood-ratio")


@pytest.mark.slow
def test_commands_let_arrow_take_its_memory_from_the_system() -> None:
    """Arrow's own allocator reserves a gigabyte of addresses, which ``ulimit -v`` counts."""
    text = """
import sys
from altsel.cli.app import main
sys.argv = ["altsel", "--version"]
try:
    main()
except SystemExit:
    import pyarrow
    print(pyarrow.default_memory_pool().backend_name)
"""
    own = {name: value for name, value in os.environ.items() if name != "ARROW_DEFAULT_MEMORY_POOL"}
    done = subprocess.run([sys.executable, "-c", text], env=own, capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == "system"
