"""One content in many forms gives one data set; what is found in blocks is what columns give one by one."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import altsel
from altsel.data.columns import is_discrete, kind_of, numbers
from altsel.data.intake.blocks import matrix
from altsel.data.intake.checks import Traits, equal_columns
from altsel.measures import mutual_information, symmetric_uncertainty

ROWS = 12
CELLS: dict[str, Any] = {
    "float64": st.sampled_from([-1.5, 0.0, 0.25, 2.0, 1e300]),
    "float32": st.sampled_from([-1.5, 0.0, 0.25, 3.0]),
    "int64": st.integers(-5, 2**40),
    "int16": st.integers(-9, 9),
    "int8": st.integers(-128, 127),
    "uint8": st.integers(0, 255),
    "bool": st.booleans(),
    "object": st.sampled_from(["low", "mid", "high", "Ωhm", ""]),
    "category": st.sampled_from(["a", "b", "c"]),
}


@st.composite
def tables(draw: st.DrawFn, kinds: list[str]) -> pd.DataFrame:
    chosen = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=6))
    columns = [
        draw(st.lists(CELLS[kind], min_size=ROWS, max_size=ROWS).filter(lambda cells: len(set(cells)) > 1))
        for kind in chosen
    ]
    made = {
        f"c{j}": pd.Series(cells, dtype=kind)
        for j, (cells, kind) in enumerate(zip(columns, chosen, strict=True))
    }
    return pd.DataFrame(made)


def data_of(source: Any) -> altsel.Dataset:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", altsel.DataWarning)
        return altsel.Dataset(source, np.arange(ROWS) % 3)


def same(one: altsel.Dataset, other: altsel.Dataset) -> None:
    assert one.kinds == other.kinds
    assert one.fingerprint == other.fingerprint
    assert one.discrete().tolist() == other.discrete().tolist()
    assert one.matrix().tolist() == other.matrix().tolist()
    for measure in (mutual_information, symmetric_uncertainty):
        assert measure.relevance(one).tolist() == measure.relevance(other).tolist()
        assert measure.redundancy(one).tolist() == measure.redundancy(other).tolist()


@pytest.mark.slow
@settings(max_examples=8)
@given(tables(list(CELLS)))
def test_frames_of_any_library_and_files_are_the_same(table: pd.DataFrame) -> None:
    expected = data_of(table)
    arrow = pa.Table.from_pandas(table)
    for form in (arrow, pl.from_pandas(table)):
        same(expected, data_of(form))
    for name in expected.features:
        assert expected.kinds[name] is kind_of(expected.X[name])
    flat = [is_discrete(expected.X[name], expected.kinds[name]) for name in expected.features]
    assert expected.discrete().tolist() == flat


@pytest.mark.slow
@settings(max_examples=3)
@given(tables(list(CELLS)))
def test_a_file_is_the_table_that_was_written(table: pd.DataFrame) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.parquet"
        table.to_parquet(path)
        same(data_of(table), data_of(path))


@pytest.mark.slow
@settings(max_examples=8)
@given(tables(["float64", "int8", "uint8", "bool"]), st.sampled_from(["csr", "csc", "coo"]))
def test_arrays_and_sparse_matrices_are_the_same(table: pd.DataFrame, form: Any) -> None:
    array = table.to_numpy(dtype=float)
    expected = data_of(pd.DataFrame(array, columns=[f"x{j}" for j in range(array.shape[1])]))
    same(expected, data_of(array))
    same(expected, data_of(sparse.csr_array(array).asformat(form)))


@pytest.mark.slow
@settings(max_examples=8)
@given(tables(["bool", "uint8"]))
def test_sparse_columns_of_pandas_are_the_same(table: pd.DataFrame) -> None:
    hidden = table.astype({name: pd.SparseDtype(kind, kind.type(0)) for name, kind in table.dtypes.items()})
    same(data_of(table), data_of(hidden))
    plain = table.assign(last=np.linspace(0, 1, ROWS))
    same(data_of(plain), data_of(plain.assign(**{str(name): hidden[name] for name in hidden})))


def test_zeros_and_ones_stay_of_one_byte() -> None:
    ones = sparse.random(200, 30, density=0.2, random_state=0).astype(bool)
    kinds = {str(kind) for kind in data_of_rows(ones).X.dtypes}
    assert kinds == {"uint8"}
    frame = pd.DataFrame(
        {"a": [True, False] * 6, "b": np.arange(12, dtype="int8"), "c": np.arange(12, dtype="int16")}
    )
    assert list(map(str, data_of(frame).X.dtypes)) == ["uint8", "int8", "int64"]


def data_of_rows(source: Any) -> altsel.Dataset:
    return altsel.Dataset(source, np.arange(source.shape[0]) % 2)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (sparse.csr_array(np.diag(np.full(12, np.nan))), "missing values in 'x0'"),
        (sparse.csr_array(np.diag(np.full(12, np.inf))), "infinite values in 'x0'"),
        (sparse.csr_array(np.eye(12) * 1j), "real numbers"),
        (sparse.coo_array(np.ones(12)), "shape"),
    ],
)
def test_bad_sparse_matrices(source: Any, message: str) -> None:
    with pytest.raises(altsel.DataError, match=message):
        altsel.Dataset(source, np.arange(12) % 2)


def test_an_ordered_dictionary_of_arrow_is_ordinal() -> None:
    levels = pa.array(["small", "mid", "large"])
    codes = pa.array([0, 1, 2, 1] * 3, pa.int8())
    table = pa.table(
        {"size": pa.DictionaryArray.from_arrays(codes, levels, ordered=True), "x": np.arange(12.0)}
    )
    data = data_of(table)
    assert data.kinds["size"] is altsel.data.Kind.ORDINAL
    assert list(data.X["size"].cat.categories) == ["small", "mid", "large"]


@pytest.mark.filterwarnings("ignore:.*rows left:altsel.DataWarning")
def test_missing_values_of_arrow_stay_missing() -> None:
    table = pa.table(
        {
            "s": ["x", None, "y"] * 4,
            "d": pa.array(["x", None, "y"] * 4).dictionary_encode(),
            "f": [0.5, 1.5, None] * 4,
            "i": [1, None, 2**53] * 4,
            "b": [True, None, False] * 4,
        }
    )
    with pytest.raises(altsel.DataError, match=r"'s' \(4\), 'd' \(4\), 'f' \(4\), 'i' \(4\), 'b' \(4\)"):
        data_of(table)
    kept = altsel.Dataset(
        pa.table({"s": ["x", None, "y", "x"] * 4, "f": np.arange(16.0)}),
        np.arange(16) % 2,
        missing="drop rows",
        rows_lost=0.25,
    )
    assert kept.dropped == 4
    assert list(kept.X["s"].cat.categories) == ["x", "y"]


def test_what_a_user_does_to_a_table_afterwards_changes_nothing() -> None:
    array = np.arange(24.0).reshape(12, 2)
    array[:, 1] **= 2
    frame = pd.DataFrame(array, columns=["a", "b"], copy=False)
    data, copied = data_of(frame), data_of(array)
    before = data.matrix().tolist()
    array[:] = 0
    assert data.matrix().tolist() == copied.matrix().tolist() == before


def test_an_array_that_nobody_can_write_is_taken_without_a_copy(tmp_path: Path) -> None:
    array = np.arange(24, dtype=np.int8).reshape(12, 2) ** 2 % 7
    view = array.view()
    view.flags.writeable = False  # but what it is a view of can be written
    assert not np.shares_memory(data_of(view).X.to_numpy(), array)
    np.save(tmp_path / "values.npy", array)
    fixed = np.load(tmp_path / "values.npy", mmap_mode="r")
    data = data_of(fixed)
    assert np.shares_memory(data.X.to_numpy(), fixed)
    assert data.fingerprint == data_of(array).fingerprint
    array.flags.writeable = False
    assert np.shares_memory(data_of(array).X.to_numpy(), array)


def test_many_blocks_and_long_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    late = np.zeros(2000)
    late[-1] = 0.5
    table = pd.DataFrame(
        {
            "two": late,
            "number": np.append(np.zeros(1999), [0.5]) + np.append([3.0], np.zeros(1999)),
            "integers": random.integers(0, 50, 2000).astype(float),
            "copy of two": late,
            "near copy": np.append([1e-9], late[1:]),
            "names": pd.Categorical(random.choice(list("abc"), 2000)),
            "huge": np.append(np.zeros(1999, dtype=np.int64), [2**62]),
        }
    )
    whole = Traits.of(table).kinds.tolist()
    assert whole == [kind_of(table[name]) for name in table]
    assert equal_columns(table) == [("copy of two", "two")]
    assert matrix(table).tolist() == np.column_stack([numbers(table[name]) for name in table]).tolist()
    monkeypatch.setattr("altsel.data.intake.blocks.CELLS", 1500)
    assert Traits.of(table).kinds.tolist() == whole


def test_integers_that_floats_cannot_tell_apart_are_refused_in_any_block() -> None:
    table = pd.DataFrame({"a": np.arange(12), "big": np.arange(2**53, 2**53 + 12)})
    with pytest.raises(altsel.DataError, match="'big' holds integers beyond"):
        data_of(table)
