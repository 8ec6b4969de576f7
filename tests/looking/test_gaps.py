"""What missing values cost, against counting."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel.data.table_file import TableFile
from altsel.looking.gaps import ENOUGH, LEAST, gaps_of
from altsel.looking.relations import told_by_gappy


@pytest.mark.parametrize("seed", range(5))
def test_columns_are_left_out_until_most_rows_with_a_target_are_whole(seed: int) -> None:
    r = np.random.default_rng(seed)
    values = r.normal(size=(200, 7))
    values[r.random(values.shape) < r.choice([0, 0.02, 0.1, 0.6], 7)] = np.nan
    frame = pd.DataFrame(values, columns=list("abcdefy"))
    found = gaps_of(frame, "y")
    assert found.left == len(frame.dropna())
    assert found.left_then == len(frame.drop(columns=[*found.drop]).dropna())
    there = frame.dropna(subset=["y"])
    assert len(there.drop(columns=[*found.drop]).dropna()) >= ENOUGH * len(there)
    for name, lost in found.alone.items():
        assert lost == len(frame.drop(columns=[name]).dropna()) - found.left
    fewer = combinations("abcdef", max(len(found.drop) - 1, 0))
    enough = [one for one in fewer if len(there.drop(columns=[*one]).dropna()) >= ENOUGH * len(there)]
    assert not found.drop or not enough


def test_columns_that_are_to_stay_stay() -> None:
    frame = pd.DataFrame({"a": [None, 1, 1], "b": [1, None, 1], "c": [1, 2, 3], "y": [1, 0, 1]})
    assert gaps_of(frame, "y", keep=["a"]).drop == ("b",)


def test_one_column_stays() -> None:
    frame = pd.DataFrame({"a": [None, None, 1, 1], "b": [1, 1, None, None], "y": [1, 0, 1, 0]})
    found = gaps_of(frame, "y")
    assert (found.drop, found.left_then) == (("a",), 2)


@pytest.mark.parametrize("seed", range(3))
def test_columns_that_tell_something_stay_if_half_of_the_rows_do(seed: int) -> None:
    r = np.random.default_rng(seed)
    values = r.normal(size=(300, 7))
    values[r.random(values.shape) < [0.3, 0.6, 0.1, 0.3, 0.6, 0.1, 0.01]] = np.nan
    frame = pd.DataFrame(values, columns=list("abcdefy"))
    found = gaps_of(frame, "y", tells={"d": 0.2, "e": 0.1, "f": 0.3})
    assert {"d", "f"} & {*found.drop} == set()
    assert {"a", "b", "e"} <= {*found.drop}
    there, kept = frame.dropna(subset=["y"]), [*found.drop]
    assert len(there.drop(columns=kept).dropna()) >= LEAST * len(there)
    for name in kept:  # each makes rows whole
        others = [one for one in kept if one != name]
        assert len(frame.drop(columns=others).dropna()) < found.left_then
    whole = frame.drop(columns=kept)
    for name, lost in found.costs.items():
        if name != "y":
            assert lost == len(there[whole.columns].drop(columns=[name]).dropna()) - found.left_then


def test_what_makes_no_row_whole_stays() -> None:
    gaps = [None] * 3 + [1] * 4
    frame = pd.DataFrame({"a": gaps, "b": gaps, "c": 1, "y": [0, 1, 0, 1, 0, 1, 0]})
    assert gaps_of(frame, "y", tells={"a": 0.4}).drop == ()


def test_look_leaves_out_for_its_gaps_only_what_tells_nothing() -> None:
    r = np.random.default_rng(0)
    n = 300
    rows = pd.DataFrame(r.normal(size=(n, 3)).round(3), columns=["noise", "dose", "age"])
    rows["ill"] = np.where(rows["dose"] + r.normal(size=n) > 0, "yes", "no")
    rows["seen"] = rows["ill"].map({"yes": None, "no": "x"})  # whether it is there tells the target
    rows["weight"] = [f"{value:.1f} kg" for value in r.normal(70, 9, n)]
    rows.loc[r.random(n) < 0.25, "dose"] = None
    rows.loc[r.random(n) < 0.25, "noise"] = None
    rows.loc[r.random(n) < 0.25, "weight"] = None
    found = altsel.look(rows.drop(columns="seen"), "ill")
    assert {*found.table.drop} == {"noise", "weight"}
    (one,) = (one for one in found.findings if one.kind == "missing values")
    assert "no dependence of the target on them shows" in one.message
    assert (
        "stay that tell something of the target, at the cost of rows: 'dose' (association 0." in one.message
    )
    assert "--rows-lost 0.2" in one.fix
    assert found.left == rows["dose"].notna().sum()
    assert "seen" in told_by_gappy(rows, "ill", TableFile())
