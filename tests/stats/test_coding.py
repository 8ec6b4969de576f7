"""Codes of whole tables against those of each column by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel.data.binning import cut
from altsel.data.columns import codes, is_discrete, numbers
from altsel.stats.discrete.coding import coded

pytestmark = pytest.mark.filterwarnings("ignore::altsel.DataWarning")


def one_by_one(data: altsel.Dataset, bins: int) -> list[list[int]]:
    columns = ((data.X[name], data.kinds[name]) for name in data.features)
    return [
        (codes(column) if is_discrete(column, kind) else cut(numbers(column), bins)).tolist()
        for column, kind in columns
    ]


def odd_columns(random: np.random.Generator, rows: int) -> dict[str, np.ndarray]:
    names = np.array([f"level {number:04}" for number in range(1000)])
    few = random.integers(0, 2, rows)
    return {
        "binary": few,
        "gaps": 3 * random.integers(0, 4, rows) - 7,
        "half": random.integers(0, 2, rows) / 4 + 0.25,
        "continuous": random.normal(size=rows),
        "words": names[random.integers(0, 5, rows)],
        "many words": names[random.integers(0, 1000, rows)],
        "extremes": np.where(few, np.iinfo(np.int64).max - 1, np.iinfo(np.int64).min),
        "three far": np.array([-(10**17), 0, 10**17])[random.integers(0, 3, rows)],
        "many integers": random.integers(0, 900, rows),
        "wide": random.integers(0, 18, rows) * 10,
        "as floats": random.integers(0, 6, rows) * 2.0,
        "large floats": random.integers(0, 3, rows) * 1e300,
        "tied": np.where(random.random(rows) < 0.9, 7.5, random.normal(size=rows)),
        "called categories": random.normal(size=rows),
        "called a number": random.integers(0, 4, rows),
        "called integer": random.normal(size=rows),
        "ranks": random.integers(0, 900, rows),
        "half ranks": random.integers(0, 5, rows) / 2,
        "counts": random.poisson(40, rows),
        "ordered words": names[random.integers(0, 40, rows)],
    }


@pytest.mark.parametrize("bins", [2, 5, 40])
@pytest.mark.parametrize("seed", range(4))
def test_whole_tables_are_coded_as_each_column_by_itself(seed: int, bins: int) -> None:
    random = np.random.default_rng(seed)
    rows = int(random.integers(20, 600))
    columns = odd_columns(random, rows)
    names = random.permutation(list(columns)).tolist()
    kinds: dict[str, Any] = {
        "called categories": "categorical", "called a number": "continuous", "called integer": "integer",
        "ranks": "ordinal", "half ranks": "ordinal", "counts": "count",
        "ordered words": [f"level {number:04}" for number in range(39, -1, -1)],
    }  # fmt: skip
    data = altsel.Dataset(
        pd.DataFrame({name: columns[name] for name in names}), few(random, rows), kinds=kinds
    )
    assert coded(data, bins).tolist() == one_by_one(data, bins)


def few(random: np.random.Generator, rows: int) -> np.ndarray:
    return np.append([0, 1], random.integers(0, 2, rows - 2))


def test_tables_of_several_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("altsel.data.intake.blocks.CELLS", 100)
    random = np.random.default_rng(0)
    data = altsel.Dataset(pd.DataFrame(odd_columns(random, 50)), few(random, 50))
    assert coded(data, 5).tolist() == one_by_one(data, 5)


def test_rows_without_a_level_of_a_category() -> None:
    data = altsel.Dataset({"a": ["u", "v", "w", "w"], "b": [0, 1, 1, 0]}, [0, 1, 0, 1])
    other = data.holdout(pd.DataFrame({"a": ["w", "u", "w"], "b": [1, 1, 1]}), [0, 1, 1])
    assert coded(other, 5).tolist() == [[1, 0, 1], [0, 0, 0]]
