"""Ordinal columns and counts: how they are declared, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel.data import Kind, Task
from altsel.data.dealing import subset

SIZES = ["small", "medium", "large"]


def frame() -> pd.DataFrame:
    return pd.DataFrame({"size": SIZES * 4, "n": [3, 0, 7, 1] * 3, "x": np.linspace(0, 1, 12)})


def test_ordered_categories_are_ordinal_and_others_are_not() -> None:
    table = frame().assign(size=pd.Categorical(frame()["size"], SIZES, ordered=True), text=SIZES * 4)
    data = altsel.Dataset(table, [0, 1] * 6)
    assert (data.kinds["size"], data.kinds["text"]) == (Kind.ORDINAL, Kind.CATEGORICAL)
    assert data.matrix()[:3, 0].tolist() == [0.0, 1.0, 2.0]
    assert data.discrete().tolist() == [True, True, False, True]


def test_values_listed_in_order_make_an_ordinal_column() -> None:
    data = altsel.Dataset(frame(), [0, 1] * 6, kinds={"size": [*SIZES, "huge"], "n": "ordinal"})
    assert (data.kinds["size"], data.kinds["n"]) == (Kind.ORDINAL, Kind.ORDINAL)
    assert data.matrix()[:3, 0].tolist() == [0.0, 1.0, 2.0]
    assert data.matrix()[:4, 1].tolist() == [3.0, 0.0, 7.0, 1.0]


@pytest.mark.filterwarnings("ignore:features determine the target:altsel.DataWarning")
def test_a_target_is_ordinal_or_a_count_by_its_kind() -> None:
    ordered = altsel.Dataset(frame(), "size", kinds={"size": SIZES})
    assert (ordered.target_kind, ordered.task) == (Kind.ORDINAL, Task.MULTICLASS)
    assert ordered.target_values()[:3].tolist() == [0.0, 1.0, 2.0]
    numbers = altsel.Dataset(frame(), "n", kinds={"n": "ordinal"})
    assert (numbers.target_kind, numbers.discrete_target) == (Kind.ORDINAL, True)
    counts = altsel.Dataset(frame(), "n", kinds={"n": "count"})
    assert (counts.target_kind, counts.task) == (Kind.COUNT, Task.REGRESSION)
    plain = altsel.Dataset(frame(), pd.Categorical(SIZES * 4, SIZES, ordered=True))
    assert plain.target_kind is Kind.ORDINAL
    assert altsel.Dataset(frame(), "n").target_kind is Kind.CATEGORICAL
    unordered = altsel.Dataset(
        frame(), pd.Categorical(SIZES * 4, SIZES, ordered=True), kinds={"y": "categorical"}
    )
    assert unordered.target_kind is Kind.CATEGORICAL


def test_two_values_are_binary_whatever_their_order() -> None:
    data = altsel.Dataset(frame()[["x"]], ["lo", "hi"] * 6, kinds={"y": ["lo", "hi"], "x": "ordinal"})
    assert (data.target_kind, data.task, data.kinds["x"]) == (Kind.BINARY, Task.BINARY, Kind.ORDINAL)


@pytest.mark.parametrize("target", [{"size": SIZES}, {"n": "ordinal"}, {"n": "count"}])
def test_parts_of_the_rows_keep_the_kinds(target: dict[str, object]) -> None:
    (name,) = target
    data = altsel.Dataset(frame(), name, kinds=target)  # type: ignore[arg-type]
    part = subset(data, slice(0, 8), data.features)
    assert (part.target_kind, part.kinds) == (data.target_kind, data.kinds)
    binned = altsel.data.binned(data, 3)
    assert (binned.target_kind is data.target_kind) == data.discrete_target
    few = subset(data, np.flatnonzero(data.target_values() < 2), data.features)
    assert few.target_kind in {Kind.BINARY, Kind.COUNT}


def test_hold_out_rows_have_the_same_order() -> None:
    data = altsel.Dataset(frame(), "size", kinds={"size": SIZES, "n": ["7", "3", "1", "0"]})
    other = data.holdout(frame()[:9], "size")
    assert other.target_values()[:3].tolist() == [0.0, 1.0, 2.0]
    assert other.matrix()[:4, 0].tolist() == [1.0, 3.0, 0.0, 2.0]


def test_levels_of_hold_out_rows_mean_the_same() -> None:
    table = frame().assign(text=SIZES * 4, two=["a", "b"] * 6)
    data = altsel.Dataset(table, "n", kinds={"size": SIZES})
    ends = table[table["size"] != "medium"].assign(two="c", text=["large", "none"] * 4)
    other = data.holdout(ends, "n")
    assert other.X["size"].cat.ordered
    assert other.matrix()[:2, [0, 2, 3]].tolist() == [[0.0, 0.0, 2.0], [2.0, 3.0, 2.0]]
    some = table[table["n"] != 1]
    assert data.holdout(some, "n").target_values()[:3].tolist() == data.target_values()[:3].tolist()
    three = data.holdout(table.assign(two=["a", "b", "c"] * 4), "n")
    assert (three.kinds["two"], data.kinds["two"]) == (Kind.CATEGORICAL, Kind.BINARY)


def test_hold_out_rows_with_other_levels_of_an_order_are_refused() -> None:
    data = altsel.Dataset(frame(), "n", kinds={"size": SIZES})
    with pytest.raises(altsel.DataError, match="'size' holds 'top', which the order 'small', 'med"):
        data.holdout(frame().replace({"large": "top"}), "n")
    turned = pd.Categorical(SIZES * 4, SIZES[::-1], ordered=True)
    with pytest.raises(altsel.DataError, match="'size' has the order 'large', 'medium', 'small' here"):
        data.holdout(frame().assign(size=turned), "n")


def test_all_levels_or_some_are_shown_where_an_order_is_missing() -> None:
    for values, shown in ((SIZES, r"'small'\]}"), ("abcd", "'c', …")):
        with pytest.raises(altsel.ArgumentError, match=shown):
            altsel.Dataset(frame(), pd.Series(list(values) * 12, name="y")[:12], kinds={"y": "ordinal"})


@pytest.mark.parametrize(
    ("kinds", "task", "error", "message"),
    [
        ({"size": "ordinal"}, None, altsel.ArgumentError, "order of its categories is not known: list them"),
        ({"size": SIZES[:2]}, None, altsel.DataError, "'size' holds 'large', which the order"),
        ({"size": [*SIZES, "small"]}, None, altsel.ArgumentError, "named twice"),
        ({"size": "count"}, None, altsel.ArgumentError, "holds categories; its kind cannot be 'count'"),
        ({"x": "count"}, None, altsel.ArgumentError, "'x' is called a count, but holds other than integers"),
        ({"n": "binary"}, None, altsel.ArgumentError, "can be declared ordinal or a count only"),
        ({"n": "count"}, "multiclass", altsel.ArgumentError, "contradict each other"),
        ({"n": "ordinal"}, "regression", altsel.ArgumentError, "contradict each other"),
        ({"none": SIZES}, None, altsel.ArgumentError, "kinds names 'none'"),
    ],
)
def test_kinds_that_columns_cannot_have_are_refused(
    kinds: dict[str, object], task: str | None, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        altsel.Dataset(frame(), "n", task, kinds=kinds)  # type: ignore[arg-type]
