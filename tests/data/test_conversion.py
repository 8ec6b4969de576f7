"""Text that is read as numbers because its kind was named, and other rows in the same way."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from altsel import ArgumentError, DataError, Dataset, DataWarning

Y = [0, 1, 1, 0, 1] * 4
BASE = {"x": [(3 * j % 7) ** 0.5 for j in range(20)]}


def data_of(values: list[Any], kind: str) -> Dataset:
    return Dataset({**BASE, "v": values * (20 // len(values))}, Y, kinds={"v": kind})


@pytest.mark.parametrize(
    ("values", "kind", "numbers"),
    [
        (["1 €", "2,50 €", "3 €", "1.004 €"], "numeric", [1, 2.5, 3, 1004]),
        (["45 %", "7 %", "9.5 %", "1 %"], "numeric", [45, 7, 9.5, 1]),
        (["3", "1", "2", "1"], "integer", [3, 1, 2, 1]),
        (["3", "1", "3", "1"], "count", [3, 1, 3, 1]),
        (["31.12.1970", "01.01.1970", "02.01.1970", "01.01.1970"], "date", [364, 0, 1, 0]),
        (["13/01/1970", "01/02/1970", "02/01/1970", "01/01/1970"], "date", [12, 31, 1, 0]),
        (["12:30", "00:00", "06:15", "23:59:30"], "date", [12.5, 0, 6.25, 23 + 59.5 / 60]),
        ([pd.Timestamp("1970-01-02 06:00"), pd.Timestamp(0)] * 2, "date", [1.25, 0, 1.25, 0]),
        ([pd.Timedelta("36h"), pd.Timedelta(0)] * 2, "date", [1.5, 0, 1.5, 0]),
    ],
)
def test_text_becomes_numbers(values: list[Any], kind: str, numbers: list[float]) -> None:
    data = data_of(values, kind)
    assert data.X["v"].tolist()[:4] == pytest.approx(numbers)
    assert data.kinds["v"] in {"continuous", "integer", "count", "binary"}


def test_other_rows_are_read_in_the_same_way() -> None:
    price = ["1.234,50 €", "99,00 €", "12,25 €", "7,00 €"]
    data = Dataset(
        {**BASE, "price": price * 5, "day": ["13.02.2024", "01.02.2024"] * 10},
        Y,
        kinds={"price": "numeric", "day": "date"},
    )
    some = pd.DataFrame({**BASE, "price": ["1.234 €"] * 20, "day": ["03.02.2024"] * 20})
    held = data.holdout(some, Y)
    assert held.X["price"].tolist() == [1234.0] * 20
    assert held.X["day"].iloc[0] == data.X["day"].min() + 2


def test_a_day_and_month_either_way_round_are_told() -> None:
    with pytest.warns(DataWarning, match="read as month/day/year, .*--kind v=date-day-first"):
        assert data_of(["01/02/1970", "02/01/1970"], "date").X["v"].tolist()[:2] == [1, 31]
    assert data_of(["01/02/1970", "02/01/1970"], "date-day-first").X["v"].tolist()[:2] == [31, 1]


@pytest.mark.parametrize(
    ("values", "kind", "error", "message"),
    [
        (["1 kg", "2 kg", "3 lb", "4 lb"], "numeric", DataError, "several units, 'kg', 'lb'"),
        (["1", "2", "3", "k.A."], "numeric", DataError, "'v' is called a number, but holds 'k.A.'.*--na"),
        (["a", "b", "c", "d"], "continuous", ArgumentError, "holds categories; its kind cannot be"),
        (["2020-01-01", "never"], "date", DataError, "'v' is called a date, but is none"),
    ],
)
def test_what_cannot_be_read_is_refused(
    values: list[Any], kind: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        data_of(values, kind)


def test_a_target_of_numbers_with_a_unit() -> None:
    data = Dataset({**BASE, "t": [f"{j}.5 €" for j in range(20)]}, "t", kinds={"t": "numeric"})
    assert (data.task, data.y.tolist()[:2]) == ("regression", [0.5, 1.5])


@pytest.mark.parametrize(
    ("values", "half", "whole"),
    [
        (["<0.5", "0.7", "1.2", ">100"], [0.25, 0.7, 1.2, 100], [0.5, 0.7, 1.2, 100]),
        (["<0,5", "0,7", "1,2", "≥ 100"], [0.25, 0.7, 1.2, 100], [0.5, 0.7, 1.2, 100]),
        (["<0,5", "0.7", "1.2", "3.4"], [0.25, 0.7, 1.2, 3.4], [0.5, 0.7, 1.2, 3.4]),
        (["< 5 mg/l", "7 mg/l", "9 mg/l", "<=4 mg/l"], [2.5, 7, 9, 2], [5, 7, 9, 4]),
        (["<-5", "-3", "0", "4"], [-5, -3, 0, 4], [-5, -3, 0, 4]),
        (["1", "2", "3", "4"], [1, 2, 3, 4], [1, 2, 3, 4]),
    ],
)
def test_values_beyond_a_limit(values: list[str], half: list[float], whole: list[float]) -> None:
    assert data_of(values, "half-limit").X["v"].tolist()[:4] == half
    assert data_of(values, "at-limit").X["v"].tolist()[:4] == whole


@pytest.mark.parametrize("kind", ["numeric", "continuous", "count", "integer"])
def test_it_is_to_be_said_how_limits_are_read(kind: str) -> None:
    with pytest.raises(DataError, match=r"limit, '<1'; say how.*--kind v=at-limit or --kind v=half-limit"):
        data_of(["<1", "2", "3", "4"], kind)


def test_the_mark_of_a_limit_is_that_of_thousands_where_it_may_be() -> None:
    assert data_of(["<1,000", "2.5", "3.5", "4.5"], "at-limit").X["v"].max() == 1000
    assert data_of(["<1,00", "2.5", "3.5", "4.5"], "at-limit").X["v"].max() == 4.5


def test_a_target_with_limits() -> None:
    target = ["<0.5" if j < 3 else f"{j}.5" for j in range(40)]
    with pytest.raises(DataError, match="--kind t=half-limit"):
        Dataset({"x": range(40, 0, -1), "z": [0.5, 1.7] * 20, "t": target}, "t", keep=["x"])
    data = Dataset({"x": [0.5, 2.5] * 20, "t": target}, "t", kinds={"t": "half-limit"})
    assert (data.task, data.y.tolist()[:4]) == ("regression", [0.25, 0.25, 0.25, 3.5])


def test_hold_out_rows_have_their_limits_read_in_the_same_way() -> None:
    data = data_of(["<0.5", "0.7", "1.2", "3.1"], "half-limit")
    held = data.holdout({**BASE, "v": ["<0.3", "0.7", "1.2", ">3"] * 5}, Y)
    assert held.X["v"].tolist()[:4] == [0.15, 0.7, 1.2, 3.0]
