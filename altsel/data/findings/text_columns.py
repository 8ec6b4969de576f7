"""The columns of text of a table, with each label once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Number
from typing import Any

import numpy as np
import pandas as pd

from altsel._types import IntArray
from altsel.data.intake.blocks import columns_where

SAMPLE = 2000
"""Labels that are looked at before all of them are."""


@dataclass(frozen=True, eq=False)
class TextColumn:
    """A column of labels.

    Attributes
    ----------
    name
        Its name.
    labels
        Each label once, not missing.
    counts
        How often each occurs.
    """

    name: str
    labels: tuple[Any, ...]
    counts: IntArray

    @property
    def rows(self) -> int:
        """Number of rows with a label."""
        return int(self.counts.sum())

    @property
    def sample(self) -> tuple[Any, ...]:
        """Some of the labels, evenly spaced; all if they are few."""
        return self.labels[:: max(len(self.labels) // SAMPLE, 1)]


def text_columns(frame: pd.DataFrame) -> list[TextColumn]:
    """Return the columns that hold labels: text, categories, or objects other than numbers.

    Examples
    --------
    >>> found = text_columns(pd.DataFrame({"a": ["x", "y", "x", None], "b": [1, 2, 3, 4]}))
    >>> [(one.name, one.labels, one.counts.tolist()) for one in found]
    [('a', ('x', 'y'), [2, 1])]
    """
    wanted = np.flatnonzero(columns_where(frame, _may_hold_text)).tolist()
    found = (_counted(str(frame.columns[index]), frame.iloc[:, index]) for index in wanted)
    return [one for one in found if one is not None]


def same_but_for_blanks(labels: Iterable[Any]) -> list[str]:
    """Return labels that are the same but for blanks, capitals or type; none if all differ.

    Examples
    --------
    >>> same_but_for_blanks(["north", "south", "North "])
    ['north', 'North ']
    """
    same: dict[str, list[str]] = {}
    for label in labels:
        same.setdefault(" ".join(str(label).split()).casefold(), []).append(str(label))
    return next((group for group in same.values() if len(group) > 1), [])


def _may_hold_text(kind: Any) -> bool:
    return isinstance(kind, (pd.CategoricalDtype, pd.StringDtype)) or kind == np.dtype(object)


def _counted(name: str, column: pd.Series[Any]) -> TextColumn | None:
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes, labels = column.cat.codes.to_numpy(), column.cat.categories
    else:
        try:
            codes, labels = pd.factorize(column)
        except Exception:  # lists and the like, which are refused elsewhere
            return None
        if not len(labels) or all(isinstance(label, Number) for label in labels):
            return None
    counts = np.bincount(codes[codes >= 0], minlength=len(labels))
    return TextColumn(name, tuple(np.asarray(labels, dtype=object)[counts > 0]), counts[counts > 0])
