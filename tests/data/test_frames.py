from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from altsel import ArgumentError, ConfigurationError, DataError, Dataset
from altsel.data.frames import to_table
from altsel.data.reading import Reading
from altsel.runtime.on_demand import OnDemand

ODD = ["a b", 'it\'s "quoted"', "[x]", "two\nlines", "größe µ", "комета", "🙂", "a,b;c\td"]


def write(folder: Path, text: str | bytes, name: str = "data.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_names_of_any_characters_come_back_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    pd.DataFrame([[j for j, _ in enumerate(ODD)]] * 2, columns=ODD).to_csv(path, index=False)
    assert list(to_table(path).columns) == ODD


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b,a\n1,2,3\n", "more than once: 'a'"),
        (",b\n1,2\n", "column 1 has no name"),
        ("", "the file is empty"),
        ("\n\n", "the file is empty"),
        ("a,b\n1,2,3\n1,2,3\n", "line 2 has 3 fields, the header 2: '3' too many"),
        (b"\xff\x00a,b\n", "not written in utf-8"),
        ('a,b\n1,"2\n', "a quote is opened in the row at line 2 and never closed"),
        ('a,b\n1,"2\n2"\n1,3\n1,"2,5\n1,3\n', "a quote is opened in the row at line 5 and never closed"),
    ],
)
def test_broken_files_are_one_clear_error(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        to_table(write(tmp_path, text))


def test_a_broken_archive_and_an_absent_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot read"):
        to_table(write(tmp_path, gzip.compress(b"a,b\n1,2\n")[:-9], "data.csv.gz"))
    with pytest.raises(DataError, match="cannot read"):
        to_table(write(tmp_path, "no parquet", "data.parquet"))
    with pytest.raises(ArgumentError, match="no such file"):
        to_table(tmp_path / "none.csv")


def test_na_and_question_marks_are_missing_values_in_every_column(tmp_path: Path) -> None:
    path = write(tmp_path, "a,b,c\n1,None,x\n?,yes,NA\nNA,no,y\n")
    table = to_table(path)
    assert table["a"].isna().tolist() == [False, True, True]
    assert table["b"].isna().tolist() == [True, False, False]
    assert table["c"].isna().tolist() == [False, True, False]
    own = to_table(path, Reading(missing=("?", "NA")))  # a category may be called None
    assert own["b"].tolist() == ["None", "yes", "no"]


def test_a_file_is_read_as_it_is_written(tmp_path: Path) -> None:
    path = write(tmp_path, "a;b;größe\n1,5;x;2\n2,5;y;-\n".encode("latin-1"))
    table = to_table(path, Reading(";", "latin-1", ",", missing=("-",)))
    assert list(table) == ["a", "b", "größe"]
    assert table["a"].tolist() == [1.5, 2.5]
    assert table["größe"].isna().tolist() == [False, True]
    tabs = write(tmp_path, "a\tb\n1\t2\n", "data.tsv")
    assert to_table(tabs)["b"].tolist() == [2]


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("a;b\n1;2\n", "data.csv", r"separated by ';'.*separator=';'.*--sep ';'"),
        ("a\tb\n1\t2\n", "data.csv", "--sep tab"),
        ("a,größe\n1,2\n".encode("latin-1"), "data.csv", "encoding='latin-1'.*--encoding"),
        (b"PK\x03\x04", "data.xlsx", "cannot be read as a spreadsheet, save it as CSV"),
        (b"\xd0\xcf\x11\xe0", "data.xls", "spreadsheet of an old kind; save it as .xlsx"),
        (b"\x1f\x8b\x08\x00garbage", "data.csv.gz", "cannot read"),
        (b"PAR1garbagePAR1", "data.parquet", "cannot read"),
    ],
)
def test_a_file_that_is_not_as_it_seems_says_what_to_do(
    text: str | bytes, name: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=message):
        to_table(write(tmp_path, text, name))


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="is a folder"):
        to_table(tmp_path)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"separator": ";;"}, "separator"),
        ({"encoding": "u"}, "unknown encoding"),
    ],
)
def test_a_wrong_way_to_read_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        Reading(**given)


def test_names_become_strings() -> None:
    assert list(to_table(pd.DataFrame([[1, 2]])).columns) == ["0", "1"]
    with pytest.raises(DataError, match="more than once"):
        to_table(pd.DataFrame([[1, 2]], columns=[1, "1"]))


def test_parquet_without_pyarrow_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("altsel.data.intake.arrow.parquet", OnDemand("no_pyarrow.parquet"))
    with pytest.raises(ConfigurationError, match=r"pip install 'altsel\[parquet\]'"):
        to_table(write(tmp_path, "any", "data.parquet"))


@pytest.mark.parametrize("fault", [MemoryError(), pd.errors.ParserError("C error: out of memory")])
def test_a_file_that_cannot_be_held_is_not_called_no_table(
    fault: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhausted(*_: Any, **__: Any) -> None:
        raise fault

    path = write(tmp_path, "a,y\n1,0\n")
    monkeypatch.setattr(pd, "read_csv", exhausted)
    with pytest.raises(ArgumentError, match=r"more memory than there is: count it in passes.*--scan"):
        to_table(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_is_there_but_no_file(tmp_path: Path) -> None:
    path = tmp_path / "pipe.csv"
    os.mkfifo(path)
    for read in (to_table, lambda path: Dataset.scan(path, "y"), lambda path: Dataset.scan([path], "y")):
        with pytest.raises(
            ArgumentError, match=r"pipe\.csv is no regular file but a pipe.*write it to a file"
        ):
            read(path)


def test_an_empty_path_is_not_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = write(tmp_path, "a,y\n1,0\n2,1\n1,1\n")
    for read in (
        lambda: Dataset("", "y"),
        lambda: Dataset.scan("", "y"),
        lambda: Dataset.scan([str(path), ""], "y"),
        lambda: Dataset.scan(path, "y", store=""),
    ):
        with pytest.raises(ArgumentError, match="is empty; give the path of a file"):
            read()
    assert sorted(tmp_path.iterdir()) == [path]


def test_a_list_of_files_holds_nothing_else(tmp_path: Path) -> None:
    path = write(tmp_path, "a,y\n1,0\n2,1\n1,1\n")
    with pytest.raises(ArgumentError, match=r"a file of the list=5; give the path of a file"):
        Dataset.scan([str(path), 5], "y")


@pytest.mark.parametrize("given", ["NA", 5, None, [5]])
def test_tokens_of_missing_values_are_a_list_of_texts(given: Any) -> None:
    """A text would be taken letter by letter: 'N' and 'A' would be missing values."""
    with pytest.raises(ArgumentError, match=r"missing.*names"):
        Reading(missing=given)
