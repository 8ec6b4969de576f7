"""Rows with missing values: what they cost is said, many of them stop, the rest is as without them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from altsel import ArgumentError, DataError, Dataset, DataWarning

ROWS = 60
RANDOM = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {"a": RANDOM.normal(size=ROWS), "b": RANDOM.normal(size=ROWS), "y": RANDOM.integers(0, 2, ROWS)}
)


def holed(**shares: int) -> pd.DataFrame:
    """Return the table without the first values of columns, and without the last ones of others."""
    return FRAME.assign(
        **{name: np.where(np.arange(ROWS) < count, np.nan, FRAME[name]) for name, count in shares.items()}
    )


def test_few_rows_are_dropped_and_said() -> None:
    with pytest.warns(DataWarning, match=r"57 of 60 rows left: .*most in 'a' \(3\), 'b' \(1\)"):
        data = Dataset(holed(a=3, b=1), "y", missing="drop rows")
    assert (data.dropped, len(data.y)) == (3, 57)


def test_many_rows_stop_with_what_they_cost() -> None:
    frame = holed(a=20, b=2)
    message = (
        r"40 of 60 rows would be left: most are lost by 'a' \(20\), 'b' \(2\); most_missing=0.2 "
        r"\(--most-missing 0.2\) leaves out 1 column and keeps 58 rows, fill them, or mean it: rows_lost=0.34"
    )
    with pytest.raises(DataError, match=message):
        Dataset(frame, "y", missing="drop rows")
    with pytest.warns(DataWarning, match="40 of 60 rows left"):
        assert Dataset(frame, "y", missing="drop rows", rows_lost=0.34).dropped == 20
    with pytest.warns(DataWarning, match="left out: 'a' .too many|58 of 60 rows left"):
        data = Dataset(frame, "y", missing="drop rows", most_missing=0.2)
    assert (data.features, data.dropped) == (("b",), 2)


def test_rows_without_a_target_are_dropped_whatever_their_share() -> None:
    frame = holed(b=2).assign(y=FRAME["y"].where(np.arange(ROWS) % 5 > 1))
    with pytest.warns(DataWarning, match=r"36 of 60 rows left: .*most in 'y' \(24\).*; 24 have no target"):
        assert Dataset(frame, "y", missing="drop rows").dropped == 24
    more = holed(a=30).assign(y=frame["y"])
    with pytest.raises(DataError, match=r"18 of 60 rows would be left.*rows_lost=0.5"):
        Dataset(more, "y", missing="drop rows")
    with pytest.raises(DataError, match="every row has a missing value"):
        Dataset(FRAME.assign(y=np.nan), "y", missing="drop rows", rows_lost=1)


def test_every_row_misses_something() -> None:
    frame = FRAME.assign(
        a=FRAME["a"].where(np.arange(ROWS) % 2 == 0), b=FRAME["b"].where(np.arange(ROWS) % 2 == 1)
    )
    with pytest.raises(DataError, match=r"every row has a missing value, most in 'a' \(30\), 'b' \(30\)"):
        Dataset(frame, "y", missing="drop rows", rows_lost=1)
    with pytest.raises(DataError, match=r"no usable feature: columns left out: 'a', 'b' .too many"):
        Dataset(frame, "y", missing="drop rows", most_missing=0.4)


def test_a_word_for_nothing_is_named_where_it_costs_most(tmp_path: Path) -> None:
    path = tmp_path / "houses.csv"
    masonry = np.where(np.arange(ROWS) % 5 < 3, "None", "brick")
    frame = FRAME.assign(masonry=masonry, lot=["NA", *["1.5", "2.5", "3.5"] * 19, "7", "8"])
    frame.to_csv(path, index=False)
    with pytest.raises(DataError, match=r"'None' is 60 % of 'masonry': missing, or a category\? --na NA"):
        Dataset(path, "y", missing="drop rows")


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_kinds_levels_and_fingerprint_are_those_of_the_rows_that_are_left(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    rows = [f"{j % 7},{'ab'[j % 2]},{j * j % 5},{j % 2}" for j in range(ROWS)]
    path.write_text("\n".join(["n,t,m,y", *rows]) + "\n")
    clean = Dataset(path, "y")
    path.write_text("\n".join(["n,t,m,y", "unknown,c,,maybe", *rows, "1.5,,2,1"]) + "\n")
    data = Dataset(path, "y", missing="drop rows")
    assert (data.dropped, data.kinds, data.classes) == (2, clean.kinds, clean.classes)
    assert data.fingerprint == clean.fingerprint


def test_copies_of_rows_are_told_and_left_out() -> None:
    twice = pd.concat([FRAME, FRAME.iloc[:6]], ignore_index=True)
    with pytest.warns(DataWarning, match="6 of 66 rows are copies of others: .*--unique-rows"):
        data = Dataset(twice, "y")
    assert len(data.y) == 66
    alone = Dataset(twice, "y", unique_rows=True)
    assert alone.fingerprint == Dataset(FRAME, "y").fingerprint


@pytest.mark.parametrize(
    "wrong",
    [
        {"rows_lost": 2},
        {"rows_lost": True},
        {"most_missing": -0.1},
        {"unique_rows": "yes"},
        {"keep": "a"},
    ],
)
def test_what_no_share_is(wrong: dict[str, object]) -> None:
    with pytest.raises(ArgumentError, match=next(iter(wrong))):
        Dataset(FRAME, "y", **wrong)  # type: ignore[arg-type]
