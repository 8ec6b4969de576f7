"""Wide tables: what a column costs to read, and no pass whose work grows with the square of the columns."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import altsel
from altsel.cli.scanned import PER_COLUMN, in_memory
from altsel.data.files import first_lines as first_lines_module
from altsel.data.files.csv_file import _integers
from altsel.data.files.first_lines import first_lines
from altsel.data.frames import to_table
from altsel.data.intake import arrow
from altsel.data.intake import normal_table as normal_table_module
from altsel.data.intake.blocks import columns_where, is_plain, type_names
from altsel.data.intake.normal_table import narrow, normal_table
from altsel.data.reading import Reading
from altsel.data.scanning import passes, scan
from altsel.data.scanning.decoding import batches
from altsel.data.scanning.first_rows import recognised
from altsel.data.scanning.quantiles import DIGITS, FEW, Histogram, first_digits
from altsel.data.scanning.survey import Survey
from altsel.errors import ArgumentError, DataError
from altsel.runtime import memory


def wide(columns: int, rows: int = 60) -> pd.DataFrame:
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(rows, columns)), columns=[f"c{j}" for j in range(columns)])
    return frame.assign(y=np.arange(rows) % 2)


def test_a_parquet_file_is_read_as_a_file_and_not_as_a_data_set_of_arrow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A data set of Arrow takes 90 kB a column where there is one core, the file 10 kB."""

    def refused(*_: Any, **__: Any) -> None:
        pytest.fail("read as a data set")

    path = tmp_path / "wide.parquet"
    frame = wide(5).assign(text=list("ab" * 30), logic=[True, False] * 30)
    frame.to_parquet(path)
    for module, name in ((pd, "read_parquet"), (pq, "read_table"), (pq, "ParquetDataset")):
        monkeypatch.setattr(module, name, refused)
    read = to_table(path)
    assert list(read.columns) == list(frame.columns)
    for column in read.columns:
        assert read[column].tolist() == frame[str(column)].tolist()


MIXED = {
    "a": [1.5, None, 2.5, 4.0],
    "a.b": np.array([1, 2, 3, 4], dtype=np.int8),
    "text": ["x", None, "y", "x"],
    "logic": [True, False, None, True],
    "bytes": [b"p", b"q", b"p", b"p"],
    "category": pd.Categorical(["s", "m", "s", "l"], ["s", "m", "l"]),
    "constant": [7, 7, 7, 7],
    "large": [2**62, 1, 2, 3],
    "b": np.array([1, 2, 3, 4], dtype=np.float32),
}


@pytest.mark.parametrize("kept_index", [False, True])
@pytest.mark.parametrize("at_once", [1, 2, 4])
def test_a_file_read_in_parts_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int, kept_index: bool
) -> None:
    path = tmp_path / "mixed.parquet"
    frame = pd.DataFrame(MIXED, index=[3, 1, 2, 0] if kept_index else None)
    frame.to_parquet(path, row_group_size=2)
    whole = to_table(path)
    monkeypatch.setattr(arrow, "AT_ONCE", at_once)
    parts = to_table(path)
    pd.testing.assert_frame_equal(parts, whole)
    assert parts.columns.tolist() == list(MIXED)


def test_a_struct_is_read_with_its_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "nested.parquet"
    pq.write_table(pa.table({"s": [{"p": 1, "q": 2}, {"p": 3, "q": 4}], "a": [1, 2]}), path)
    monkeypatch.setattr(arrow, "AT_ONCE", 1)
    assert to_table(path)["s"].tolist() == [{"p": 1, "q": 2}, {"p": 3, "q": 4}]


def test_a_file_of_more_columns_than_there_is_memory_is_refused_before_it_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Arrow ended the process: ``terminate called after throwing an instance of 'std::bad_alloc'``."""
    path = tmp_path / "wide.parquet"
    wide(300).to_parquet(path, index=False)
    monkeypatch.setattr(memory, "SMALL", 0)
    monkeypatch.setenv("ALTSEL_MEMORY", "10KB")
    with monkeypatch.context() as closed:
        closed.setattr(pq, "ParquetFile", lambda *_, **__: pytest.fail("opened"))
        with pytest.raises(ArgumentError, match=r"wide.parquet says of its columns need .*file of their own"):
            to_table(path)
    monkeypatch.setattr(arrow, "OF_FOOTER", 0)
    with pytest.raises(ArgumentError, match=r"60 rows of 301 columns in .*wide.parquet need .*file of their"):
        to_table(path)


def test_types_are_looked_at_once_a_block_and_not_once_a_column() -> None:
    asked: list[Any] = []
    frame = wide(500).assign(text="x")

    def holds(kind: Any) -> bool:
        asked.append(kind)
        return is_plain(kind)

    found = columns_where(frame, holds)
    assert found.tolist() == [*[True] * 501, False]
    assert len(asked) == 3
    assert type_names(frame)[[0, 500, 501]].tolist() == ["float64", "int64", str(frame["text"].dtype)]
    assert columns_where(frame.iloc[:, :0], is_plain).tolist() == []


def test_plain_columns_become_normal_a_type_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of two types of numbers was looked at column by column."""
    frame = pd.DataFrame(
        {
            f"{kind}{j}": np.array([j, 1, 0, 5], dtype=kind)
            for j in range(3)
            for kind in ("float32", "int16", "bool", "int8", "float64")
        }
    ).assign(text=list("abca"))
    one_by_one = pd.DataFrame({name: narrow(frame[name]) for name in frame})
    looked: list[str] = []

    def seen(column: pd.Series[Any]) -> pd.Series[Any]:
        looked.append(str(column.name))
        return narrow(column)

    monkeypatch.setattr(normal_table_module, "narrow", seen)
    pd.testing.assert_frame_equal(normal_table(frame), one_by_one)
    assert looked == ["text"]


def test_integers_of_a_csv_file_are_those_of_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "integers.csv"
    path.write_text("a,b,c,d,e,f\n1,1,,x,1.5,\n2,,9007199254740993,y,,\n3,inf,2,x,2,\n4,2,1,z,3,\n")
    table = pd.read_csv(path)
    whole, large = _integers(table)
    assert table.columns[whole].tolist() == ["a", "c"]
    assert table.columns[large].tolist() == ["c"]
    path.write_text("g,y\n9007199254740993,0\n9007199254740992,1\n,1\n")
    with pytest.raises(DataError, match=r"'g' holds integers beyond 2\^53"):
        altsel.Dataset(path, "y")


@pytest.mark.parametrize("characters", [20, 1 << 22])
def test_titles_are_those_of_the_first_characters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, characters: int
) -> None:
    """Of 40 lines of 100,000 cells a text was made of each."""
    path = tmp_path / "titled.csv"
    path.write_text("Trial 7\n\na,b,c\n" + "1,2,3\n" * 30)
    looked: list[int] = []
    real = first_lines_module.above_header
    monkeypatch.setattr(first_lines_module, "CHARACTERS", characters)

    def seen(rows: Any) -> Any:
        looked.append(len(rows))
        return real(rows)

    monkeypatch.setattr(first_lines_module, "above_header", seen)
    found = first_lines(path, "utf-8", None, ",")
    assert (found.skip, found.titles) == (2, ("Trial 7",))
    assert looked == [5 if characters == 20 else 33]


def test_a_scan_lists_the_names_of_its_first_rows_once() -> None:
    """Each name was looked for among all of them, listed anew: 34 s of 10,000 columns."""
    part = _Batches(wide(50))
    assert recognised([part], [f"c{j}" for j in range(50)], "y", (), Reading()) == []  # type: ignore[list-item]
    assert part.listed == 1


def test_columns_of_one_name_are_refused_by_it(tmp_path: Path) -> None:
    path = tmp_path / "twice.parquet"
    pq.write_table(pa.Table.from_arrays([pa.array([1, 2])] * 3, names=["a", "a", "b"]), path)
    with pytest.raises(DataError, match="column names occur more than once: 'a'"):
        to_table(path)


def test_the_estimate_knows_columns_and_row_groups(tmp_path: Path) -> None:
    frame = pa.Table.from_pandas(wide(400), preserve_index=False)
    sizes = []
    for name, rows in (("one", 60), ("ten", 6)):
        pq.write_table(frame, tmp_path / f"{name}.parquet", row_group_size=rows)
        sizes.append(in_memory(tmp_path / f"{name}.parquet"))
    assert 401 * PER_COLUMN < sizes[0] < sizes[1]


@pytest.mark.parametrize("rows", [5, FEW + 100])
def test_a_histogram_of_digits_adds_up(rows: int) -> None:
    random = np.random.default_rng(1)
    parts = [random.normal(size=rows), random.normal(size=rows) * 1e6]
    counts = random.integers(1, 9, rows)
    found = Histogram.of(parts[0]) + Histogram.of(parts[1], counts)
    plain = np.bincount(first_digits(parts[0]), None, DIGITS).astype(float)
    plain += np.bincount(first_digits(parts[1]), counts, DIGITS)
    np.testing.assert_array_equal(found.digits, np.flatnonzero(plain))
    np.testing.assert_array_equal(found.counts, plain[plain > 0])


@pytest.mark.slow
def test_a_survey_takes_little_for_a_column_of_numbers() -> None:
    frame = wide(300)
    names = list(map(str, frame.columns))
    survey = Survey.empty(dict.fromkeys(names, 20))
    [batch] = batches(_Batches(frame), names, 60, "error")  # type: ignore[arg-type]
    tracemalloc.start()
    try:
        survey.add(batch, "here")
        assert Survey.of(survey.arrays()).tallies["c0"].histogram is not None
        assert tracemalloc.get_traced_memory()[1] < 10_000 * len(frame.columns)
    finally:
        tracemalloc.stop()


def test_edges_are_the_same_however_many_columns_a_pass_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    source = [pa.RecordBatch.from_pandas(wide(12, 3 * FEW), preserve_index=False)]
    found = []
    for most in (scan.NARROWING_BYTES, 300_000, 1):
        monkeypatch.setattr(scan, "NARROWING_BYTES", most)
        found.append([one.edges for one in altsel.Dataset.scan(source, "y", bins=5).layout.columns[:-1]])
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_a_batch_of_many_columns_has_few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    source = [pa.RecordBatch.from_pandas(wide(9), preserve_index=False)]
    whole = altsel.Dataset.scan(source, "y", bins=5)
    monkeypatch.setattr(passes, "BATCH_CELLS", 100)
    parts = altsel.Dataset.scan(source, "y", bins=5)
    each = parts.columns.batches(parts.partitions[0], parts.layout.names)
    assert [one.rows for one in each] == [10] * 6
    assert parts.fingerprint == whole.fingerprint


class _Batches:
    """A partition of one batch, whose names are to be looked up once and not once a column."""

    name = "the table"

    def __init__(self, frame: pd.DataFrame) -> None:
        self._batch = pa.RecordBatch.from_pandas(frame, preserve_index=False)
        self.listed = 0

    def batches(self, *_: Any) -> Any:
        yield self

    @property
    def schema(self) -> Any:
        return self

    @property
    def names(self) -> Any:
        self.listed += 1
        return self._batch.schema.names

    def select(self, names: Any) -> Any:
        return self._batch.select(names)

    def get_field_index(self, name: str) -> int:
        return int(self._batch.schema.get_field_index(name))

    def column(self, index: int) -> Any:
        return self._batch.column(index)

    def __len__(self) -> int:
        return len(self._batch)


def test_the_names_of_a_batch_are_listed_once() -> None:
    part = _Batches(wide(50))
    assert len(next(batches(part, [f"c{j}" for j in range(50)], 60, "error")).values) == 50  # type: ignore[arg-type]
    assert part.listed == 1


@pytest.mark.parametrize("bins", [9, 10, 11, 10**9])
def test_more_bins_than_rows_take_no_more_room(bins: int) -> None:
    """As many bins as rows tell any two values apart, and no number of them can do more."""
    frame = pd.DataFrame(
        {"x": [0.5, 0.1, 0.9, 0.3, 0.2, 0.9, 0.4, 0.6, 0.7], "y": [0, 1, 0, 1, 1, 0, 1, 0, 1]}
    )
    same = altsel.data.binned(altsel.Dataset(frame, "y", kinds={"x": "continuous"}), bins)
    assert same.X["x"].tolist() == [4, 0, 7, 2, 1, 7, 3, 5, 6]
    scanned = altsel.Dataset.scan(pa.Table.from_pandas(frame), "y", bins=bins, kinds={"x": "continuous"})
    assert scanned.statistics().totals(0).tolist() == np.bincount(same.X["x"]).tolist()
    counted = altsel.ranking.mim(altsel.Dataset(frame, "y"), 1, bins=bins)
    assert counted[0].features == ("x",)
