from __future__ import annotations

import gzip
from pathlib import Path

import pandas as pd
import pytest

from altsel import ArgumentError, ConfigurationError, DataError
from altsel.tables import read_table, to_table

ODD = ["a b", 'it\'s "quoted"', "[x]", "two\nlines", "größe µ", "комета", "🙂", "a,b;c\td"]


def write(folder: Path, text: str | bytes, name: str = "data.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_names_of_any_characters_come_back_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    pd.DataFrame([[j for j, _ in enumerate(ODD)]] * 2, columns=ODD).to_csv(path, index=False)
    assert list(read_table(path).columns) == ODD


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a,b,a\n1,2,3\n", "more than once: 'a'"),
        (",b\n1,2\n", "column 1 has no name"),
        ("", "not a table"),
        ("a,b\n1,2,3\n1,2,3\n", "not a table"),
        (b"\xff\xfe\x00a,b\n", "cannot read|not a table|no name"),
        ('a,b\n1,"2\n', "not a table"),
    ],
)
def test_broken_files_are_one_clear_error(tmp_path: Path, text: str | bytes, told: str) -> None:
    with pytest.raises(DataError, match=told):
        read_table(write(tmp_path, text))


def test_a_broken_archive_and_an_absent_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot read"):
        read_table(write(tmp_path, gzip.compress(b"a,b\n1,2\n")[:-9], "data.csv.gz"))
    with pytest.raises(DataError, match="cannot read"):
        read_table(write(tmp_path, "no parquet", "data.parquet"))
    with pytest.raises(ArgumentError, match="no such file"):
        read_table(tmp_path / "none.csv")


def test_na_and_question_marks_among_numbers_are_missing_values(tmp_path: Path) -> None:
    table = read_table(write(tmp_path, "a,b,c\n1,None,x\n?,yes,NA\nNA,no,y\n"))
    assert table["a"].isna().tolist() == [False, True, True]
    assert table["b"].tolist() == ["None", "yes", "no"]  # a category may be called None
    assert table["c"].notna().all()


def test_names_become_strings() -> None:
    assert list(to_table(pd.DataFrame([[1, 2]])).columns) == ["0", "1"]
    with pytest.raises(DataError, match="more than once"):
        to_table(pd.DataFrame([[1, 2]], columns=[1, "1"]))


def test_parquet_without_pyarrow_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(path: Path) -> None:
        raise ImportError("pyarrow")

    monkeypatch.setattr(pd, "read_parquet", absent)
    with pytest.raises(ConfigurationError, match=r"pip install 'altsel\[parquet\]'"):
        read_table(write(tmp_path, "any", "data.parquet"))
