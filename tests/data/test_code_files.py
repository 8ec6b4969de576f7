"""Files of codes: what is damaged is written anew, what cannot be written is decoded."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel.data import Scan
from altsel.data.scanning import code_files
from altsel.errors import DataError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two files of 2,000 rows each."""
    random = np.random.default_rng(0)
    folder = tmp_path / "data"
    folder.mkdir()
    for number in range(2):
        columns = {f"c{j}": random.integers(0, 3 + j, 2000) for j in range(4)}
        frame = pd.DataFrame({**columns, "y": random.integers(0, 2, 2000)})
        frame.to_parquet(folder / f"part{number}.parquet", index=False)
    return folder


def tables(scan: Scan) -> list[Any]:
    return [one.tolist() for one in scan.joint.tables([0, 1], [4, 2])]


def blocks(scan: Scan) -> Iterator[list[Any]]:
    coded = code_files.coded(scan.options.store, scan.columns, scan.layout, scan.rows)
    return coded.blocks(scan.partitions[0], [0, 4])


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "a page of zeros": lambda whole: whole[:1000] + bytes(1000) + whole[2000:],
    "codes beyond the levels": lambda whole: b"\xff" * 4000 + whole[4000:],
    "one bit": lambda whole: whole[:77] + bytes([whole[77] ^ 1]) + whole[78:],
    "all zeros": lambda whole: bytes(len(whole)),
    "eight zeros": lambda whole: bytes(8),
    "half": lambda whole: whole[: len(whole) // 2],
    "nothing": lambda whole: b"",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_written_anew(damage: str, folder: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    known = tables(altsel.Dataset.scan(folder, "y", store=store))
    path = min(store.glob("*.codes"))
    whole = path.read_bytes()
    path.write_bytes(DAMAGES[damage](whole))
    assert tables(altsel.Dataset.scan(folder, "y", store=store)) == known
    assert path.read_bytes() == whole


def test_a_file_damaged_in_use_is_written_again(folder: Path, tmp_path: Path) -> None:
    scan = altsel.Dataset.scan(folder, "y", store=tmp_path / "store", batch_rows=500)
    known = [[code.tolist() for code in block] for block in blocks(scan)]
    (path,) = (tmp_path / "store").glob("*.codes")
    whole, seen = path.read_bytes(), []
    for block in blocks(scan):
        seen.append([code.tolist() for code in block])
        if len(seen) == 2:
            path.write_bytes(b"\xff" * len(whole))
    assert seen == known
    assert len(seen) == 4
    assert path.read_bytes() == whole


def test_a_file_that_is_damaged_whenever_it_is_written_ends_the_pass(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scan = altsel.Dataset.scan(folder, "y", store=tmp_path / "store")
    monkeypatch.setattr(code_files, "_head", lambda rows, checks: bytes(range(28)))
    with pytest.raises(DataError, match="was damaged while it was in use"):
        list(blocks(scan))


def test_a_disk_that_is_full_is_done_without(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    resource = pytest.importorskip("resource")
    known = tables(altsel.Dataset.scan(folder, "y", store=tmp_path / "store"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    assert tables(altsel.Dataset.scan(folder, "y")) == known  # now loops are compiled, and kept on disk
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    scan = altsel.Dataset.scan(folder, "y")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, limits[1]))
    try:
        with caplog.at_level(logging.INFO, "altsel.scan"):
            assert tables(scan) == known
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert caplog.text.count("each pass decodes the data again") == 1
    assert not list(tmp_path.glob("altsel-codes-*/*.codes"))
    later = altsel.Dataset.scan(folder, "y")
    assert tables(later) == known
    assert len(list(tmp_path.glob("altsel-codes-*/*.codes"))) == 2
