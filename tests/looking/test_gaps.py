"""What missing values cost, against counting."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from altsel.looking.gaps import ENOUGH, gaps_of


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
    frame = pd.DataFrame({"a": [None, None, 1], "b": [None, 1, 1], "c": [1, 2, 3], "y": [1, 0, 1]})
    assert gaps_of(frame, "y", keep=["a"]).drop == ("b",)


def test_one_column_stays() -> None:
    frame = pd.DataFrame({"a": [None, None, 1, 1], "b": [1, 1, None, None], "y": [1, 0, 1, 0]})
    found = gaps_of(frame, "y")
    assert (found.drop, found.left_then) == (("a",), 2)
