"""What a column is: the rules by themselves, and that data sets and scans follow them alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import altsel
from altsel.data import Kind, Task
from altsel.data.columns import is_discrete as is_discrete_column
from altsel.data.columns import summary_of
from altsel.data.schema import FEW_LEVELS, Summary, declared, is_discrete, task_and_kind
from altsel.errors import AltselError

ROWS = 240
ABC = ("a", "b", "c")
RANDOM = np.random.default_rng(50)


@pytest.mark.parametrize(
    ("column", "kind", "discrete", "task"),
    [
        (Summary("two numbers", 2, integral=False), Kind.BINARY, True, Task.BINARY),
        (Summary("two labels", 2, categories=("a", "b")), Kind.BINARY, True, Task.BINARY),
        (Summary("two ranks", 2, categories=("a", "b"), ordered=True), Kind.BINARY, True, Task.BINARY),
        (Summary("more than two", 2, True), Kind.INTEGER, False, Task.REGRESSION),
        (Summary("few integers", FEW_LEVELS), Kind.INTEGER, True, Task.MULTICLASS),
        (Summary("many integers", FEW_LEVELS + 1), Kind.INTEGER, False, Task.REGRESSION),
        (Summary("uncounted integers", FEW_LEVELS, True), Kind.INTEGER, False, Task.REGRESSION),
        (Summary("few fractions", 3, integral=False), Kind.CONTINUOUS, False, Task.REGRESSION),
        (
            Summary("labels", 30, categories=tuple(map(str, range(30)))),
            Kind.CATEGORICAL,
            True,
            Task.MULTICLASS,
        ),
        (Summary("ranks", 3, categories=ABC, ordered=True), Kind.ORDINAL, True, Task.MULTICLASS),
    ],
    ids=lambda one: one.name if isinstance(one, Summary) else "",
)
def test_what_values_alone_say(column: Summary, kind: Kind, discrete: bool, task: Task) -> None:
    assert (column.kind, is_discrete(column, column.kind)) == (kind, discrete)
    assert task_and_kind(column, None, None)[0] is task


@pytest.mark.parametrize(
    ("column", "kind", "found"),
    [
        (Summary("v", 3), "continuous", Kind.CONTINUOUS),
        (Summary("v", 3), "categorical", Kind.CATEGORICAL),
        (Summary("v", 3, least=0), "count", Kind.COUNT),
        (Summary("v", 3, integral=False), "ordinal", Kind.ORDINAL),
        (Summary("v", 2), "ordinal", Kind.BINARY),
        (Summary("v", 3, categories=ABC, ordered=True), "ordinal", Kind.ORDINAL),
        (Summary("v", 3), "red", "unknown kind 'red' of 'v'"),
        (Summary("v", 3, least=-1), "count", "integers of at least 0"),
        (Summary("v", 3, integral=False, least=0), "count", "integers of at least 0"),
        (Summary("v", 3, categories=ABC), "integer", "'v' holds categories"),
        (Summary("v", 3, categories=ABC), "ordinal", r"kinds=\{'v': \['a', 'b', 'c'\]\} "),
        (Summary("v", 4, categories=(*ABC, "d")), "ordinal", r"kinds=\{'v': \['a', 'b', 'c', …\]\} "),
    ],
)
def test_what_a_column_can_be_declared(column: Summary, kind: str, found: Kind | str) -> None:
    if isinstance(found, Kind):
        assert declared(kind, column) is found
    else:
        with pytest.raises(altsel.ArgumentError, match=found):
            declared(kind, column)


@pytest.mark.parametrize(
    ("target", "task", "kind", "found"),
    [
        (Summary("y", 2), None, None, (Task.BINARY, Kind.BINARY)),
        (Summary("y", 5), None, None, (Task.MULTICLASS, Kind.CATEGORICAL)),
        (Summary("y", 5), "regression", None, (Task.REGRESSION, Kind.INTEGER)),
        (Summary("y", 20, True), "multiclass", None, (Task.MULTICLASS, Kind.CATEGORICAL)),
        (Summary("y", 20, True, False), None, None, (Task.REGRESSION, Kind.CONTINUOUS)),
        (Summary("y", 20, True, False), None, "ordinal", (Task.MULTICLASS, Kind.ORDINAL)),
        (Summary("y", 5, least=0), None, "count", (Task.REGRESSION, Kind.COUNT)),
        (Summary("y", 2, least=0), None, "count", (Task.BINARY, Kind.COUNT)),
        (Summary("y", 3, categories=ABC, ordered=True), None, None, (Task.MULTICLASS, Kind.ORDINAL)),
        (
            Summary("y", 3, categories=ABC, ordered=True),
            None,
            "categorical",
            (Task.MULTICLASS, Kind.CATEGORICAL),
        ),
        (Summary("y", 1), None, None, "one value only"),
        (Summary("y", 3), "binary", None, "has 3 values"),
        (Summary("y", 65_536, True), "binary", None, "has more than 65,536 values"),
        (Summary("y", 3, categories=ABC), "regression", None, "holds categories"),
        (Summary("y", 3), "guess", None, "unknown task 'guess'"),
        (Summary("y", 3), None, "continuous", "ordinal or a count only"),
        (Summary("y", 3, least=0), "multiclass", "count", "contradict each other"),
        (Summary("y", 3), "regression", "ordinal", "contradict each other"),
    ],
)
def test_what_a_target_is(target: Summary, task: Any, kind: Any, found: Any) -> None:
    if isinstance(found, str):
        with pytest.raises(AltselError, match=found):
            task_and_kind(target, task, kind)
    else:
        assert task_and_kind(target, task, kind) == found


def cycled(values: Any) -> Any:
    return np.resize(np.array(values), ROWS)


FEATURES: dict[str, Any] = {
    "logic": cycled([True, False, False]),
    "int8": cycled([-3, 0, 5]).astype(np.int8),
    "two": cycled([7, 9, 9]),
    "few": cycled(range(FEW_LEVELS)),
    "many": cycled(range(FEW_LEVELS + 1)),
    "all": np.arange(ROWS)[::-1] * 3 % 239,
    "integral": cycled([1.0, 2.0, 40.0]),
    "fractions": cycled([0.5, 1.5, 2.5]),
    "numbers": RANDOM.normal(size=ROWS).round(6),
    "half": np.arange(ROWS)[::-1] % 121 / 242,  # from 0 to 1/2: no integer between
    "text": cycled(["oak", "elm", "ash"]),
    "yes": cycled(["yes", "no", "no"]),
    "constant": np.full(ROWS, 4),
    "same": np.full(ROWS, "same"),
}
TARGETS: dict[str, Any] = {
    "binary": cycled([0, 1, 1, 0, 1]),
    "words": cycled(["ill", "well", "well", "ill", "well"]),
    "logic": cycled([True, False, True, True, False]),
    "multiclass": cycled([3, 1, 2, 2, 1]),
    "names": cycled(["x", "z", "y", "z", "y"]),
    "counts": cycled([0, 4, 2, 9, 1, 30]),
    "integers": RANDOM.integers(0, 1000, ROWS),
    "regression": RANDOM.normal(size=ROWS).round(6),
    "half": np.abs(RANDOM.permutation(ROWS) / 2 / (ROWS - 1)),
}
CASES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in TARGETS),
    ("multiclass", {"task": "regression"}),
    ("integers", {"task": "multiclass"}),
    ("counts", {"kinds": {"y": "count"}}),
    ("multiclass", {"kinds": {"y": "ordinal", "text": ["elm", "ash", "oak"], "few": "categorical"}}),
    ("names", {"kinds": {"y": ["z", "x", "y"], "two": "continuous", "many": "count"}}),
    ("binary", {"kinds": {"half": "ordinal", "numbers": "ordinal", "few": "ordinal", "many": "integer"}}),
    ("binary", {"kinds": {"few": list(range(30, -1, -1)), "yes": ["no", "yes"]}}),
]


def door(way: str, frame: pd.DataFrame, folder: Path, **options: Any) -> Any:
    """Make a data set or a scan of a table: as it is, as a CSV file, as a Parquet file, or as batches."""
    path = folder / f"table.{way.rpartition(' ')[2]}"
    if path.suffix == ".csv":
        frame.to_csv(path, index=False)
    elif path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pandas(frame), path, row_group_size=70)
    source: Any = frame if way == "frame" else path
    if way == "scan of batches":
        source = pa.Table.from_pandas(frame).to_batches(50)
    read = altsel.Dataset.scan if way.startswith("scan") else altsel.Dataset
    return read(source, "y", keep=[str(name) for name in frame if name != "y"], **options)


OTHER_DOORS = ["csv", "parquet", "scan csv", "scan parquet", "scan of batches"]


@pytest.mark.parametrize("way", OTHER_DOORS)
@pytest.mark.parametrize(("target", "options"), CASES, ids=lambda one: str(one)[:40])
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_every_door_has_the_same_schema(
    way: str, target: str, options: dict[str, Any], tmp_path: Path
) -> None:
    frame = pd.DataFrame({**FEATURES, "y": TARGETS[target]})
    data = altsel.Dataset(frame, "y", keep=[*FEATURES], **options)
    found = door(way, frame, tmp_path, **options)
    assert found.kinds == data.kinds
    assert (found.task, found.target_kind) == (data.task, data.target_kind)
    assert list(map(str, found.classes)) == list(map(str, data.classes))
    assert (found.constant, found.features) == (data.constant, data.features)
    if not way.startswith("scan"):
        assert found.discrete().tolist() == data.discrete().tolist()
    else:  # a scan has levels of what is discrete
        has_levels = [one.levels is not None for one in found.layout.columns[:-1]]
        assert has_levels == data.discrete().tolist()


@pytest.mark.parametrize("way", OTHER_DOORS)
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_rows_with_missing_values_say_nothing(way: str, tmp_path: Path) -> None:
    table = {name: list(FEATURES[name]) for name in ("two", "numbers", "integral", "text", "yes")}
    frame = pd.DataFrame({**table, "y": TARGETS["multiclass"]})
    frame["integral"] = frame["integral"].where(frame["integral"] < 40)  # two values are left
    frame["text"] = frame["text"].astype(object).where(frame["two"] == 9, None)
    data, found = (door(one, frame, tmp_path, missing="drop rows", rows_lost=1.0) for one in ("frame", way))
    assert (found.kinds, found.constant, found.dropped) == (data.kinds, data.constant, data.dropped)
    assert (found.task, found.target_kind) == (data.task, data.target_kind)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"kinds": {"text": "integer"}}, "'text' holds categories; its kind cannot be 'integer'"),
    ({"kinds": {"text": "ordinal"}}, "the order of its categories is not known"),
    ({"kinds": {"int8": "count"}}, "'int8' is called a count, but holds other than integers"),
    ({"kinds": {"constant": "ordinal"}}, "kinds names 'constant', which is not a usable feature"),
    ({"kinds": {"text": ["oak", "elm"]}}, r"column 'text' holds 'ash', which the order"),
    ({"kinds": {"text": ["oak", "elm", "ash", "oak"]}}, "a value of 'text' is named twice"),
    ({"kinds": {"y": "binary"}}, "ordinal or a count only"),
    ({"kinds": {"y": "count"}, "task": "multiclass"}, "contradict each other"),
    ({"task": "binary"}, "task 'binary', but the target 'y' has 3 values"),
    ({"task": "guess"}, "unknown task 'guess'"),
]


@pytest.mark.parametrize("way", ["frame", "scan parquet"])
@pytest.mark.parametrize(("options", "message"), REFUSED, ids=[message for _, message in REFUSED])
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_every_door_refuses_the_same(way: str, options: dict[str, Any], message: str, tmp_path: Path) -> None:
    frame = pd.DataFrame({**FEATURES, "y": TARGETS["multiclass"]})
    with pytest.raises(AltselError, match=message):
        door(way, frame, tmp_path, **options)


@pytest.mark.parametrize("ordered", [False, True])
def test_a_summary_of_ordered_categories(ordered: bool) -> None:
    column = pd.Series(pd.Categorical(["b", "a", "c"], ["b", "c", "a"], ordered=ordered), name="v")
    assert summary_of(column) == Summary("v", 3, categories=("b", "c", "a"), ordered=ordered)
    data = altsel.Dataset(pd.DataFrame({"v": np.resize(column, 9)}).astype(column.dtype), np.arange(9.0))
    assert data.kinds["v"] is (Kind.ORDINAL if ordered else Kind.CATEGORICAL)


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_a_column_in_memory_is_discrete_as_its_summary_is() -> None:
    data = altsel.Dataset(FEATURES, TARGETS["binary"], keep=[*FEATURES])
    for name in data.features:
        for kind in Kind:
            expected = is_discrete(summary_of(data.X[name]), kind)
            assert is_discrete_column(data.X[name], kind) is expected, (name, kind)
