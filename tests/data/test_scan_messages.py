"""What a scan says of files that it cannot read, or that count twice."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import altsel
from altsel.errors import DataError


def test_csv_files_in_another_encoding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, message = tmp_path / "a.csv", r"a\.csv is not written in utf-8.*Reading\(encoding='latin-1'\)"
    late = ["w,v,y", *(f"{j % 3},{'au'[j % 2]},{j // 2 % 2}" for j in range(100)), "1,ü,0"]
    for block in (1 << 20, 200):  # seen at once, and only later
        monkeypatch.setattr("altsel.data.scanning.partitions.CSV_BLOCK", block)
        path.write_bytes("\n".join(late).encode("latin-1"))
        with pytest.raises(DataError, match=message):
            altsel.Dataset.scan(path, "y")
        assert altsel.Dataset.scan(path, "y", drop=["v"]).rows == 101
        reading = altsel.data.Reading(encoding="latin-1")
        assert altsel.Dataset.scan(path, "y", reading=reading).layout.columns[1].levels == ("a", "u", "ü")
    path.write_bytes("ü,y\n1,0\n2,1\n".encode("latin-1"))
    with pytest.raises(DataError, match=message):
        altsel.Dataset.scan(path, "y")


def test_messages_name_files_as_they_were_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text("a,b,y\n1,2\n")
    with pytest.raises(DataError, match=r"^a\.csv cannot be read"):
        altsel.Dataset.scan("a.csv", "y")
    Path("a.csv").write_text("a,y\n1,0\n2,1\n")
    Path("b.csv").write_text("b,y\n1,0\n2,1\n")
    with pytest.raises(DataError, match=r"^b\.csv lacks the columns 'a', which a\.csv has"):
        altsel.Dataset.scan(["a.csv", "b.csv"], "y")


def test_a_table_in_two_formats_in_a_folder(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [0, 1, 2, 1] * 75, "y": [0, 1] * 150})
    frame.to_parquet(tmp_path / "day.1.parquet", index=False)
    frame.to_csv(tmp_path / "day.2.csv", index=False)
    assert altsel.Dataset.scan(tmp_path, "y").rows == 600
    frame.to_csv(tmp_path / "day.1.csv.gz", index=False)
    with pytest.raises(altsel.ArgumentError, match=r"day\.1\.parquet seem to be one table in two formats"):
        altsel.Dataset.scan(tmp_path, "y")
