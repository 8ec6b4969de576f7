"""Command lines of the studies: one line for what is wrong, and nothing is taken for what it is not."""

from __future__ import annotations

import gzip
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from altsel.errors import ArgumentError, DataError
from benchmarks.command import folder_of, in_one_line, share_of_all, whole
from benchmarks.library.models import _whole
from benchmarks.library.tables import made
from benchmarks.studies import afs, afs_report
from benchmarks.studies.afs_design import coded
from benchmarks.studies.afs_records import store_of


@pytest.mark.parametrize(
    ("read", "text"),
    [(whole(1), "0"), (whole(1), "1.5"), (whole(1, 10), "11"), (share_of_all, "0"), (share_of_all, "2"),
     (share_of_all, "nan"), (folder_of("*.csv.gz"), "no such folder")],
)  # fmt: skip
def test_wrong_arguments_end_with_one_line(
    read: Callable[[str], object], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = ArgumentParser()
    parser.add_argument("argument", type=read)
    with pytest.raises(SystemExit):
        parser.parse_args([text])
    assert text in capsys.readouterr().err.splitlines()[-1]


def test_faults_end_with_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit), in_one_line(ArgumentParser()):
        (tmp_path / "nothing.csv").read_text()
    assert "nothing.csv" in capsys.readouterr().err.splitlines()[-1]
    assert share_of_all("0.5") == 0.5
    assert whole(1, 10)("10") == 10


def packed(path: Path, rows: int) -> Path:
    """Write a table of two classes."""
    X = pd.DataFrame({f"x{j}": [(i * (j + 3)) % 7 for i in range(rows)] for j in range(12)})
    X.assign(target=[i % 2 for i in range(rows)]).to_csv(path, index=False)
    return path


def test_a_store_is_of_its_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "one").mkdir()
    packed(tmp_path / "one" / "small.csv.gz", 40)
    store = tmp_path / "store.sqlite"
    run = ["--out", str(store), "--folds", "1", "--selectors", "mi", "--no-forests", "--n-jobs", "1"]
    store_of(store).save("small, fold 0, mi", [])
    afs.main([str(tmp_path / "one"), *run])
    packed(tmp_path / "one" / "small.csv.gz", 41)
    with pytest.raises(SystemExit):
        afs.main([str(tmp_path / "one"), *run])
    assert "another table small" in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:No artists", "ignore::RuntimeWarning")  # figures of next to nothing
def test_a_report_of_a_part_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = {"data": "small", "fold": 0, "selector": "mi", "k": 5, "tau": 1.0, "search": "sequential",
              "asked": 1, "seconds": 0.1, "seconds_quality": 0.1, "n": 12, "rows": 40,
              "features": ["a"], "status": "optimal", "bound": 1.0, "train": 1.0, "test": 0.5}  # fmt: skip
    store = tmp_path / "store.sqlite"
    store_of(store).save("small, fold 0, mi", [{**record, "number": number} for number in (0, 1)])
    (tmp_path / "results").mkdir()
    monkeypatch.setattr(afs_report, "RESULTS", tmp_path / "results")
    afs_report.written(store)
    assert "nan" not in (tmp_path / "results" / "afs.md").read_text("utf-8").split("## By selector")[0]
    assert len(list((tmp_path / "results").glob("*.svg"))) == 4


def test_without_a_target_there_is_no_study(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "bare.csv.gz", "wt") as file:
        file.write("a,b\n1,2\n")
    with pytest.raises(ArgumentError, match="no column 'target'"):
        coded(tmp_path / "bare.csv.gz")


def test_changed_tables_and_damaged_models_are_not_taken(tmp_path: Path) -> None:
    path = made("independent-15-1", tmp_path, tmp_path)
    assert made("independent-15-1", tmp_path, tmp_path) == path
    path.write_text("x0,target\n1,0\n", "utf-8")
    with pytest.raises(DataError, match="was changed"):
        made("independent-15-1", tmp_path, tmp_path)
    packed_model = tmp_path / "model.mps.gz"
    packed_model.write_bytes(gzip.compress(b"rows")[:-4])
    assert not _whole(packed_model)
    packed_model.write_bytes(gzip.compress(b"rows"))
    assert _whole(packed_model)


def without_seconds(result: object) -> object:
    """Return a result of the study without what a machine's speed decides."""
    if isinstance(result, list):
        return [without_seconds(one) for one in result]
    if isinstance(result, dict):
        return {name: without_seconds(one) for name, one in result.items() if "seconds" not in name}
    return result


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # of the cluster's shutdown
def test_a_local_cluster_gives_the_records_of_loky(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    packed(tmp_path / "small.csv.gz", 40)
    stores = [tmp_path / "loky.sqlite", tmp_path / "dask.sqlite"]
    for store, workers in zip(stores, (["--n-jobs", "2"], ["--scheduler", "local"]), strict=True):
        run = [str(tmp_path), "--out", str(store), "--folds", "2", "--selectors", "mi,fcbf", "--no-forests"]
        afs.main([*run, *workers])
    one, other = (without_seconds(store_of(store).load()) for store in stores)
    assert one == other
    assert isinstance(one, dict)
    assert {"small, fold 1, fcbf", "table small"} < one.keys()
