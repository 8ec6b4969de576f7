from __future__ import annotations

import warnings
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel import ArgumentError, DataError, Dataset, DataWarning
from altsel.data import Kind, Task

Y = [0, 1, 0, 1, 1, 0]


def test_kinds_and_task_are_inferred(table: pd.DataFrame) -> None:
    data = Dataset(table, Y)
    assert {name: kind.value for name, kind in data.kinds.items()} == {
        "size": "continuous",
        "count": "integer",
        "colour": "categorical",
        "smokes": "binary",
    }
    assert data.task is Task.BINARY
    assert data.target == "y"
    assert data.discrete().tolist() == [False, True, True, True]


@pytest.mark.parametrize(
    ("y", "task"),
    [
        ([0.0, 1.0] * 3, Task.BINARY),
        (["a", "b", "c"] * 2, Task.MULTICLASS),
        ([1, 2, 3, 4, 5, 5], Task.MULTICLASS),
        ([0.1, 0.7, 0.3, 0.4, 0.5, 0.6], Task.REGRESSION),
        ([True, False] * 3, Task.BINARY),
    ],
)
def test_tasks(table: pd.DataFrame, y: list[Any], task: Task) -> None:
    assert Dataset(table, y).task is task


def test_many_integers_are_a_regression_unless_told_otherwise() -> None:
    X = pd.DataFrame({"a": np.arange(30) ** 0.5, "b": np.arange(30) % 7})
    assert Dataset(X, np.arange(30)).task is Task.REGRESSION
    assert Dataset(X, np.arange(30), task="multiclass").task is Task.MULTICLASS


def test_kinds_can_be_overridden(table: pd.DataFrame) -> None:
    data = Dataset(table, Y, kinds={"count": "continuous"})
    assert data.kinds["count"] is Kind.CONTINUOUS
    assert not data.discrete()[1]
    for kinds in ({"nothing": "binary"}, {"count": "number"}, {"colour": "continuous"}):
        with pytest.raises(ArgumentError, match=next(iter(kinds))):
            Dataset(table, Y, kinds=kinds)


def test_every_source_gives_the_same_table(table: pd.DataFrame, tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    arrow = pytest.importorskip("pyarrow")
    whole = table.assign(target=Y)
    whole.to_csv(tmp_path / "data.csv.gz", index=False)
    whole.to_parquet(tmp_path / "data.parquet")
    plain = Dataset(whole, "target")
    for source in (
        tmp_path / "data.csv.gz",
        str(tmp_path / "data.parquet"),
        polars.DataFrame(whole.to_dict("list")),
        arrow.table(whole.to_dict("list")),
    ):
        other = Dataset(source, "target")
        assert other.features == plain.features
        assert other.kinds == plain.kinds
        assert np.array_equal(other.matrix(), plain.matrix())
        assert other.y.tolist() == plain.y.tolist()


def test_arrays_get_names_like_scikit_learn() -> None:
    assert Dataset(np.array([[1.0, 2], [3, 1], [2, 2]]), [0, 1, 1]).features == ("x0", "x1")


@pytest.mark.parametrize(
    ("values", "kind", "numbers"),
    [
        (pd.array([1, 2, 3, 4], dtype="Int64"), Kind.INTEGER, [1, 2, 3, 4]),
        (pd.array([True, False, True, True], dtype="boolean"), Kind.BINARY, [1, 0, 1, 1]),
        (pd.array(["b", "a", "c", "a"], dtype="string"), Kind.CATEGORICAL, [1, 0, 2, 0]),
        (pd.Categorical(["b", "a", "b", "a"], categories=list("zab")), Kind.BINARY, [1, 0, 1, 0]),
        ([Decimal("1.5"), Decimal(2), Decimal(3), Decimal(4)], Kind.CONTINUOUS, [1.5, 2, 3, 4]),
        ([10**30, 1, 2, 3], Kind.INTEGER, [1e30, 1, 2, 3]),
        (np.array([2**63 + 1, 1, 2, 3], dtype=np.uint64), Kind.INTEGER, [2.0**63, 1, 2, 3]),
        (np.array([1, 2, 250, 255], dtype=np.uint8), Kind.INTEGER, [1, 2, 250, 255]),
        (np.array([0.5, 1, 2, 3], dtype=np.float16), Kind.CONTINUOUS, [0.5, 1, 2, 3]),
        ([1, "2", 3, "x"], Kind.CATEGORICAL, None),
    ],
)
def test_column_types(values: Any, kind: Kind, numbers: list[float] | None) -> None:
    data = Dataset(pd.DataFrame({"a": values}), [0, 1, 0, 1])
    assert data.kinds["a"] is kind
    if numbers is not None:
        assert data.matrix()[:, 0].tolist() == numbers


def test_constant_columns_are_reported_and_left_out(table: pd.DataFrame) -> None:
    with pytest.warns(DataWarning, match="constant columns .*'same', 'void'"):
        data = Dataset(table.assign(same=1, void="x"), Y)
    assert data.constant == ("same", "void")
    assert "same" not in data.features


def test_copies_are_reported_and_kept(table: pd.DataFrame) -> None:
    with pytest.warns(DataWarning, match="twin = size"):
        data = Dataset(table.assign(twin=table["size"]), Y)
    assert "twin" in data.features


def test_categories_that_name_the_rows_are_left_out_unless_kept() -> None:
    X = pd.DataFrame({"id": [f"patient {j}" for j in range(40)], "n": [0, 1] * 20})
    with pytest.warns(DataWarning, match="left out: 'id' .names of rows.*--keep id"):
        data = Dataset(X, [0, 0, 1, 1] * 10)
    assert (data.features, data.left_out) == (("n",), ("id",))
    assert Dataset(X, [0, 0, 1, 1] * 10, keep=["id"]).features == ("id", "n")


@pytest.mark.filterwarnings("ignore:.*rows left:altsel.DataWarning")
def test_missing_values_are_an_error_with_names_and_counts(table: pd.DataFrame) -> None:
    holed = table.astype({"count": float})
    holed.loc[[0, 2], "count"] = np.nan
    holed.loc[1, "colour"] = None
    with pytest.raises(DataError, match=r"'count' \(2\), 'colour' \(1\)"):
        Dataset(holed, Y)
    with pytest.raises(DataError, match=r"3 of 6 rows would be left.*'count' \(2\), .*--rows-lost 0.5"):
        Dataset(holed, Y, missing="drop rows")
    data = Dataset(holed, Y, missing="drop rows", rows_lost=0.5)
    assert (data.dropped, len(data.X), data.y.tolist()) == (3, 3, [1, 1, 0])
    with pytest.raises(DataError, match=r"'y' \(1\)"):
        Dataset(table, [0, 1, None, 1, 0, 1])
    gaps = holed.assign(size=[np.nan, 1, np.nan, 2, np.nan, 3], colour=[1, np.nan, 1, np.nan, 1, np.nan])
    with pytest.raises(
        DataError, match=r"every row has a missing value, most in 'size' \(3\), 'colour' \(3\)"
    ):
        Dataset(gaps, Y, missing="drop rows")
    with pytest.raises(ArgumentError, match="missing='ignore'"):
        Dataset(holed, Y, missing="ignore")
    with pytest.raises(ArgumentError, match=r"missing=\['error'\]"):
        Dataset(holed, Y, missing=["error"])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "y", "message"),
    [
        ({"size": [1, 2, np.inf, 4, 5, 6]}, Y, "infinite values in 'size'"),
        ({}, [1, 1, 1, 1, 1, 1], "one value only"),
        ({}, [0, 1, 0], "6 rows, y has 3"),
        ({"root": [1j] * 6}, Y, "'root' holds complex"),
        ({"list": [[1]] * 6}, Y, "'list' holds neither"),
        ({"": Y}, Y, "column 5 has no name"),
    ],
)
def test_unusable_data_are_refused(
    table: pd.DataFrame, change: dict[str, Any], y: list[int], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        Dataset(table.assign(**change), y)


def test_one_row_is_told() -> None:
    with pytest.raises(DataError, match="no usable feature: there is one row only"):
        Dataset({"a": [1.5], "b": [2]}, [1])


def test_more_unusable_data(table: pd.DataFrame) -> None:
    twice = pd.concat([table, table[["size"]]], axis=1)
    with pytest.raises(DataError, match="more than once: 'size'"):
        Dataset(twice, Y)
    with pytest.raises(DataError, match="no data: 0 rows"):
        Dataset(table.iloc[:0], [])
    with pytest.raises(DataError, match="every column is constant"):
        Dataset(pd.DataFrame({"a": [1, 1]}), [0, 1])
    with pytest.raises(ArgumentError, match="no column 'nothing'"):
        Dataset(table, "nothing")
    with pytest.raises(DataError, match="also a column of X"):
        Dataset(table, pd.Series(Y, name="size"))
    with pytest.raises(DataError, match="shape"):
        Dataset(np.zeros(3), [0, 1, 0])
    with pytest.raises(DataError, match="shape"):
        Dataset(table, np.zeros((6, 2)))
    with pytest.raises(DataError, match="another order"):
        Dataset(table, pd.Series(Y, index=range(5, -1, -1)))
    with pytest.raises(ArgumentError, match="give a DataFrame"):
        Dataset(object(), Y)
    for task in ("ranking", "binary", "regression"):
        with pytest.raises(ArgumentError, match=task):
            Dataset(table, ["a", "b", "c"] * 2, task=task)


def test_the_table_given_is_not_changed(table: pd.DataFrame) -> None:
    before = table.copy(deep=True)
    array = np.array([[1.0, 2], [3, 1], [2, 2]])
    data = Dataset(array, [0, 1, 1])
    array[0, 0] = 99
    Dataset(table, Y)
    pd.testing.assert_frame_equal(table, before)
    assert data.X.iloc[0, 0] == 1


def test_data_show_their_shape(table: pd.DataFrame) -> None:
    shape = f"{len(table)} rows, {table.shape[1]} features"
    assert repr(Dataset(table, Y)) == f"<Dataset: {shape}, target 'y' (binary)>"


def test_holdout_rows_have_the_same_features(table: pd.DataFrame) -> None:
    data = Dataset(table, Y)
    other = data.holdout(table.iloc[[0, 2, 5]].assign(size=1.0, more=3), [0, 1, 1])
    assert other.features == data.features
    with pytest.raises(DataError, match="lack the features 'count'"):
        data.holdout(table.drop(columns="count"), Y)
    with pytest.raises(DataError, match=r"'colour' holds numbers .* here and categories"):
        data.holdout(table.assign(colour=1.5), Y)


def test_real_data(ionosphere: altsel.Dataset) -> None:
    assert (ionosphere.X.shape, ionosphere.task, ionosphere.constant) == ((351, 33), Task.BINARY, ("a02",))


def test_hold_out_rows_can_be_grouped_and_others_held_out_alike() -> None:
    table = pd.DataFrame(
        {"a": [1.0, 2.5, 3.0, 4.0], "b": [2.5, 5.5, 6.5, 8.5], "c": ["1 kg", "2 kg", "5 kg", "4 kg"]}
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", altsel.DataWarning)
        data = altsel.Dataset(table, [0, 1, 0, 1], kinds={"c": "numeric"})
    held = data.holdout(table[1:], [1, 0, 1])
    assert held.grouped().members == {"a": ("a", "b")}
    assert held.holdout(table[:3], [0, 1, 0]).X["c"].tolist() == [1.0, 2.0, 5.0]
