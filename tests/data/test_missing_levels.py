"""Missing values as a level of their own, in a data set, its hold-out rows and its parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel import ArgumentError, DataError, Dataset
from altsel.data.missing_levels import MissingLevel, with_missing_levels

pytestmark = pytest.mark.filterwarnings("ignore::altsel.DataWarning")


def table(rows: int = 60) -> pd.DataFrame:
    """Draw columns of all kinds with gaps, one without, and a target that misses some."""
    random = np.random.default_rng(0)
    made = pd.DataFrame({"whole": random.normal(size=rows), "dose": random.normal(size=rows)})
    made["stage"] = random.choice(["i", "ii", "iii"], rows)
    made["flag"] = random.integers(0, 2, rows).astype(float)
    made["zip"] = random.choice([10.0, 20.0, 30.0, 40.0, 50.0, 60.0], rows)
    for j, name in enumerate(("dose", "stage", "flag", "zip")):
        made.loc[j::7, name] = None
    made["y"] = np.where(made.whole > 0, "a", "b")
    made.loc[59, "y"] = None
    return made


def test_gaps_are_levels_and_numbers_with_gaps_are_binned() -> None:
    made = table()
    kinds: dict[str, Any] = {"zip": "categorical", "stage": ["i", "ii", "iii"]}
    data = Dataset(made, "y", missing="category", kinds=kinds)
    held = made[made.y.notna()]
    assert (len(data.y), data.dropped) == (59, 1)
    assert {name: str(kind) for name, kind in data.kinds.items()} == {
        "whole": "continuous",
        **dict.fromkeys(("dose", "stage", "flag", "zip"), "categorical"),
    }
    for name in ("dose", "stage", "flag", "zip"):
        assert ((data.X[name] == "missing").to_numpy() == held[name].isna().to_numpy()).all()
    assert set(data.X["flag"]) == {"0", "1", "missing"}
    assert set(data.X["zip"]) == {"10", "20", "30", "40", "50", "60", "missing"}
    bins = pd.qcut(held.dose, 5, labels=False)
    assert pd.crosstab(bins, data.X.loc[: len(held) - 1, "dose"].to_numpy()).gt(0).sum().sum() == 5
    assert data.X["whole"].equals(held["whole"])


def test_hold_out_rows_become_the_same_levels_and_gaps_elsewhere_are_refused(tmp_path: Path) -> None:
    made = table()
    made.to_csv(file := tmp_path / "table.csv", index=False)
    data = Dataset(file, "y", missing="category")
    again = data.holdout(made[made.y.notna()].reset_index(drop=True), "y")
    assert again.fingerprint == data.fingerprint
    few = pd.DataFrame({"whole": [0.1, 0.2], "dose": [-9.0, None], "stage": ["i", None], "flag": [1.0, 0.0]})
    few = few.assign(zip=[10.0, np.nan], y=["a", "b"])
    held = data.holdout(few, "y")
    assert held.X["dose"].tolist() == [data.X["dose"].cat.categories[0], "missing"]
    assert held.X["dose"].cat.categories.tolist() == data.X["dose"].cat.categories.tolist()
    with pytest.raises(DataError, match="missing values in 'whole'"):
        data.holdout(few.assign(whole=[0.1, np.nan]), "y")
    train, aside = data.split(0.3)
    assert train.holdout(few, "y").X["dose"].tolist() == held.X["dose"].tolist()
    assert {*train.X.columns} == {*aside.X.columns}


def test_bins_are_told_apart_by_their_names() -> None:
    close = pd.Series([1.00001, 1.00002, 1.00003, 1.00004, 1.00005, 1.00006, None])
    level = MissingLevel.of(close)
    assert len(set(level.labels)) == 5
    assert level(close).nunique() == 6
    named = MissingLevel.of(pd.Series(["missing", None, "x"], dtype="category"))
    assert named.label == "missing_"
    ties = pd.Series([0.0] * 50 + [1.0, 2.0, 3.0, 4.0, 5.0, None])
    assert MissingLevel.of(ties)(ties).nunique() == 3  # zero, more, missing


def test_what_was_binned_is_not_binned_again() -> None:
    column = pd.Series([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, None], name="a")
    first, known = with_missing_levels(column.to_frame(), {}, {}, every=True)
    second, _ = with_missing_levels(first, {}, known, every=True)
    assert second["a"].tolist() == first["a"].tolist()


def test_searches_take_the_levels_as_they_take_categories() -> None:
    random = np.random.default_rng(1)
    x = random.normal(size=300)
    gone = random.random(300) < 0.4
    y = np.where(gone, "ill", np.where(random.random(300) < 0.5, "ill", "well"))  # that it is missing tells
    made = pd.DataFrame({"x": np.where(gone, np.nan, x), "noise": random.normal(size=300)})
    data = Dataset(made, y, missing="category")
    found = altsel.blankets.iamb(altsel.independence.auto(data), alpha=0.001)
    assert found[0].features == ("x",)


def test_ways_that_are_none_are_refused() -> None:
    for way, told in (("impute", r"altsel\.imputation\.impute"), ("fill", "use 'error', 'drop rows', 'cat")):
        with pytest.raises(ArgumentError, match=told):
            Dataset(table(), "y", missing=way)
    with pytest.raises(DataError, match=r"missing='category' \(--missing category\)"):
        Dataset(table(), "y")
