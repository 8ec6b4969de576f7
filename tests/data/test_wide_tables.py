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
from altsel.data.frames import to_table
from altsel.data.scanning import passes, scan
from altsel.data.scanning.decoding import batches
from altsel.data.scanning.quantiles import DIGITS, FEW, Histogram, first_digits
from altsel.data.scanning.survey import Survey
from altsel.errors import DataError


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
