"""Features that determine the target: recoded copies of it, or what it was made from."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, lgamma
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.data.columns import codes
from altsel.data.intake.blocks import blocks
from altsel.data.schema import FEW_LEVELS

HEAD = 256
"""Rows by which most columns are seen not to determine the target."""
PAIRS = 60
"""Pairs of equal values among random rows that a column of few values is expected to have, at the least."""
CHANCE = 0.01
"""Probability that a feature tells the target by chance, up to which it is said that it does."""
OFTEN = 4
"""Times that each value of a column occurs on average, at the least, if it is to say something."""


def leaks(table: pd.DataFrame, target: pd.Series[Any]) -> list[str]:
    """Name the features that determine the target.

    A feature does if its values, each of which occurs four times on average at the least, go with one
    value of the target each, and one of so many features would not do so by chance (`_is_chance`); or if the
    target is a straight line of it.
    """
    wanted = codes(target)
    likely = sorted(_likely(table, target, wanted))
    telling = [index for index, may_tell, _ in likely if may_tell]
    repeating = _repeating(table, np.array(telling, dtype=np.int64))
    found = []
    for index, _, may_line in likely:
        if index not in repeating and not may_line:
            continue
        column = table.iloc[:, index]
        if (index in repeating and _determines(column, wanted, table.shape[1])) or (
            may_line and _on_a_line(column, target)
        ):
            found.append(str(table.columns[index]))
    return found


def _likely(
    table: pd.DataFrame, target: pd.Series[Any], wanted: IntArray
) -> Iterator[tuple[int, bool, bool]]:
    """Yield the columns that the first rows do not rule out, and whether they may be a line of the target."""
    first = wanted[:HEAD]
    numbers = not isinstance(target.dtype, pd.CategoricalDtype)
    goal = target.iloc[:HEAD].to_numpy(dtype=float) if numbers else None
    for indices, values, categories in blocks(table.iloc[:HEAD]):
        order = np.argsort(values, axis=1, kind="stable")
        ordered, of_target = np.take_along_axis(values, order, axis=1), first[order]
        same = ordered[:, 1:] == ordered[:, :-1]
        tells = ~(same & (of_target[:, 1:] != of_target[:, :-1])).any(axis=1)
        if len(table) <= HEAD:  # these are all rows
            tells &= OFTEN * (len(first) - same.sum(axis=1)) <= len(first)
        line = np.zeros(len(values), bool) if categories or goal is None else _lines(values, goal)
        for index in np.flatnonzero(tells | line).tolist():
            yield int(indices[index]), bool(tells[index]), bool(line[index])


def _lines(values: npt.NDArray[Any], goal: FloatArray) -> BoolArray:
    """Return which columns may be lines of the target, by the correlation in the first rows."""
    x, y = values.astype(float), goal
    x = x / np.maximum(np.abs(x).max(axis=1, keepdims=True), 1e-300)
    y = y / max(float(np.abs(y).max()), 1e-300)
    x, y = x - x.mean(axis=1, keepdims=True), y - y.mean()
    size = (x**2).sum(axis=1) * float(y @ y)
    return np.asarray((x @ y) ** 2 >= (1 - 1e-6) * size)


def _determines(column: pd.Series[Any], wanted: IntArray, features: int) -> bool:
    if column.nunique() * OFTEN > len(column):
        return False
    own = codes(column)
    pairs = len(np.unique(own * (int(wanted.max()) + 1) + wanted))
    return pairs == int(own.max()) + 1 and not _is_chance(wanted, int(own.max()) + 1, features)


def _is_chance(wanted: IntArray, values: int, features: int) -> bool:
    """Return whether one of so many features may go with the target by chance: if it is dealt at random.

    Of the ``n! / (n_1! n_2! …)`` orders of the target at most `values` factorial leave it the same wherever a
    feature has one value.
    """
    orders = lgamma(len(wanted) + 1) - sum(lgamma(count + 1) for count in np.bincount(wanted).tolist())
    return features * exp(min(lgamma(values + 1) - orders, 0)) > CHANCE


def _repeating(table: pd.DataFrame, indices: IntArray) -> set[int]:
    """Return those of some columns that have equal values in some rows, as one of few values has.

    Of s random rows of m, a column whose values occur `OFTEN` times on average has at least
    ``s^2 (OFTEN - 1) / 2m`` equal pairs in the mean.
    """
    rows, found = len(table), set[int]()
    count = min(rows, int(np.ceil(np.sqrt(2 * PAIRS * rows / (OFTEN - 1)))))
    some = np.sort(np.random.default_rng(0).choice(rows, count, replace=False))
    for places, values, _ in blocks(table.iloc[some, indices]) if len(indices) else ():
        ordered = np.sort(values, axis=1)
        found.update(indices[places[(ordered[:, 1:] == ordered[:, :-1]).any(axis=1)]].tolist())
    return found


def _on_a_line(column: pd.Series[Any], target: pd.Series[Any]) -> bool:
    x, y = (values.to_numpy(dtype=float) for values in (column, target))
    x, y = (values / max(float(np.abs(values).max()), 1e-300) for values in (x, y))
    x, y = x - x.mean(), y - y.mean()
    off = y - x * (x @ y) / max(float(x @ x), 1e-300)
    return len(x) > FEW_LEVELS and float(off @ off) <= 1e-20 * float(y @ y)
