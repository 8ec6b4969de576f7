"""The distribution of a column in a few bars, for a picture."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from altsel.data.columns import numbers
from altsel.errors import printable

BARS = 12
"""Bins of numbers."""
LEVELS = 8
"""Levels that have a bar each; the others share one."""
WHISKER = 5.0
"""Interquartile ranges beyond the quartiles that are drawn; what is farther is in the last bar."""
TICKS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True)
class Shape:
    """Bars of a column, from the lowest number to the highest, or from the most frequent level on.

    Attributes
    ----------
    counts
        Rows in each bar.
    labels
        What each bar is: an interval, a level.
    words
        The range and the median of numbers, or the largest levels with their shares.
    others
        Whether the last bar is of all other levels.
    """

    counts: tuple[int, ...]
    labels: tuple[str, ...]
    words: str
    others: bool = False

    @property
    def drawn(self) -> tuple[int, ...]:
        """Rows in each bar but that of all other levels."""
        return self.counts[:-1] if self.others else self.counts

    @property
    def ticks(self) -> str:
        """The bars as letters of different height, and a sign if there are other levels."""
        most = max(self.drawn, default=0)
        bars = "".join(" " if not one else TICKS[(len(TICKS) - 1) * one // most] for one in self.drawn)
        return f"{bars}…" if self.others else bars


def shape_of(column: pd.Series[Any], levels: bool) -> Shape:
    """Count a normal column without missing values by levels, or in bins of equal width.

    Examples
    --------
    >>> shape_of(pd.Series([1.0, 2.0, 2.5, 9.0]), levels=False).words
    '1 to 9, median 2.25'
    >>> shape_of(pd.Series(["a", "b", "b"], dtype="category"), levels=True).words
    'b 67 %, a 33 %'
    """
    if levels:
        return _of_levels(column)
    values = numbers(column)
    values = values[np.isfinite(values)]
    if not len(values):
        return Shape((), (), "")
    least, first, median, third, most = np.quantile(values, [0, 0.25, 0.5, 0.75, 1])
    room = WHISKER * (third - first) or most - least
    low, high = max(least, first - room), min(most, third + room)
    counts, edges = np.histogram(np.clip(values, low, high), BARS, (low, high))
    labels = [f"{left:.4g} to {right:.4g}" for left, right in pairwise(edges)]
    labels[0] = f"up to {edges[1]:.4g}" if low > least else labels[0]
    labels[-1] = f"{edges[-2]:.4g} and more" if high < most else labels[-1]
    words = f"{least:.6g} to {most:.6g}, median {median:.6g}"
    return Shape(tuple(counts.tolist()), tuple(labels), words)


def _of_levels(column: pd.Series[Any]) -> Shape:
    found = column.value_counts()
    first = found.iloc[:LEVELS]
    labels = [_label(value) for value in first.index]
    counts = [*map(int, first)]
    words = ", ".join(
        f"{label} {100 * count / len(column):.0f} %" for label, count in zip(labels[:3], counts, strict=False)
    )
    if len(found) > LEVELS:
        counts, labels = (
            [*counts, int(found.iloc[LEVELS:].sum())],
            [*labels, f"{len(found) - LEVELS:,} others"],
        )
    return Shape(tuple(counts), tuple(labels), words + (" …" if len(found) > 3 else ""), len(found) > LEVELS)


def _label(value: Any) -> str:
    text = printable(f"{value:g}" if isinstance(value, float) else str(value))
    return text if len(text) <= 24 else f"{text[:23]}…"
