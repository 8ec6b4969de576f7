"""Small made tables: classes that depend on classes, and numbers that depend on numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd

import altsel


def classes(seed: int = 0, rows: int = 400) -> altsel.Dataset:
    random = np.random.default_rng(seed)
    y = random.integers(0, 3, rows)
    table = {
        "a": (y + random.integers(0, 2, rows)) % 3,
        "b": random.integers(0, 2, rows),
        "c": random.integers(0, 4, rows),
        "d": np.where(random.random(rows) < 0.7, y > 0, random.random(rows) < 0.5).astype(int),
    }
    return altsel.Dataset(table, pd.Series(y, name="y"))


def numbers(seed: int = 0, rows: int = 200) -> altsel.Dataset:
    random = np.random.default_rng(seed)
    base = random.normal(size=(rows, 4))
    base[:, 2] += base[:, 0]
    table = pd.DataFrame(base, columns=list("abcd"))
    return altsel.Dataset(
        table, pd.Series(base[:, 0] + 0.3 * base[:, 3] + random.normal(size=rows), name="y")
    )


def with_copies(seed: int = 0, rows: int = 120) -> altsel.Dataset:
    random = np.random.default_rng(seed)
    table = pd.DataFrame(random.normal(size=(rows, 4)), columns=list("abcd"))
    table["copy"] = 3 * table["a"] - 1
    table["sum"] = table["a"] + table["b"]
    y = table["a"] + table["b"] + 0.5 * table["c"] + random.normal(size=rows)
    return altsel.Dataset(table, y.rename("y"))


def binary(seed: int = 0, rows: int = 120) -> altsel.Dataset:
    data = with_copies(seed, rows)
    return altsel.Dataset(data.X, (data.y > data.y.median()).astype(int))
