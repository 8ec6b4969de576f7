"""How the classes of a target, or thirds of its values, spread over a column, for a violin or bars."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from altsel._types import FloatArray, IntArray
from altsel.data import columns
from altsel.data.columns import codes
from altsel.errors import printable
from altsel.results.text import number_text

if TYPE_CHECKING:
    from altsel.data.dataset import Dataset

SPREAD = 40
"""Columns of a page whose spread is shown."""
GROUPS = 6
"""Classes that are shown, the most frequent ones."""
LEVELS = 8
"""Values up to which a column has bars, and no violin; of a category the most frequent ones."""
BINS = 24
"""Widths of a violin."""
TAIL = 0.005
"""Share of the rows at either end that a violin counts as its end."""


@dataclass(frozen=True)
class TargetGroups:
    """Names of groups of rows, and the group of each row; -1: of none."""

    names: tuple[str, ...]
    of: IntArray


def groups_of(data: Dataset) -> TargetGroups:
    """Return the classes of a target, the most frequent six; of numbers the lowest, middle and highest third.

    Examples
    --------
    >>> from altsel import Dataset
    >>> groups_of(Dataset({"a": [1, 2, 3, 5]}, ["no", "yes", "no", "no"])).names
    ('no', 'yes')
    """
    if data.discrete_target:
        of = codes(data.y)
        labels = _levels(data.y)
        most = np.sort(np.argsort(-np.bincount(of, minlength=len(labels)), kind="stable")[:GROUPS])
        place = np.full(len(labels), -1)
        place[most] = np.arange(len(most))
        return TargetGroups(tuple(labels[j] for j in most), place[of])
    values = data.target_values()
    low, high = np.quantile(values, [1 / 3, 2 / 3])
    names = (
        f"lowest third (to {number_text(float(low))})",
        "middle third",
        f"highest third (above {number_text(float(high))})",
    )
    return TargetGroups(names, np.where(values <= low, 0, np.where(values <= high, 1, 2)))


def spread_over(data: Dataset, name: str, groups: TargetGroups) -> dict[str, Any]:
    """Return a column's shares in each group: of its levels, or of bins from end to end, largest 100."""
    column = data.X[name]
    nominal = isinstance(column.dtype, pd.CategoricalDtype)
    different = int(column.nunique())
    if nominal or different <= LEVELS:
        of, labels = codes(column), _levels(column)
        most = np.argsort(-np.bincount(of, minlength=len(labels)), kind="stable")[:LEVELS]
        kept = np.sort(most)
        table = _shares(of, groups, len(labels))[:, kept]
        return {
            "levels": [labels[j] for j in kept],
            "more": len(labels) - len(kept),
            "shares": _rounded(table, 3),
        }
    values = columns.numbers(column)
    low, high = np.quantile(values, [TAIL, 1 - TAIL])
    if low == high:
        low, high = values.min(), values.max()
    bins = np.clip(((values - low) / (high - low) * BINS).astype(int), 0, BINS - 1)
    table = _shares(bins, groups, BINS)
    medians = [
        float(np.median(values[groups.of == g])) if (groups.of == g).any() else None
        for g in range(len(groups.names))
    ]
    return {
        "low": float(low),
        "high": float(high),
        "shares": (100 * table / max(float(table.max()), 1e-12)).round().astype(int).tolist(),
        "medians": medians,
    }


def _levels(column: pd.Series[Any]) -> list[str]:
    """Return the names of a column's values by their codes."""
    first = pd.Series(column.to_numpy(), index=codes(column)).groupby(level=0).first()
    return [printable(_text(value)) for value in first]


def _text(value: Any) -> str:
    return number_text(float(value)) if isinstance(value, float | np.floating) else str(value)


def _shares(of: IntArray, groups: TargetGroups, width: int) -> FloatArray:
    """Return the share of each group's rows that has each value, shape (groups, values)."""
    count = len(groups.names)
    table = np.zeros((count, width))
    inside = groups.of >= 0
    np.add.at(table, (groups.of[inside], of[inside]), 1.0)
    return np.asarray(table / np.maximum(table.sum(axis=1, keepdims=True), 1))


def _rounded(table: FloatArray, digits: int) -> list[list[float]]:
    return [[round(float(value), digits) for value in row] for row in table]
