"""Relevances of wide tables, some columns after others, so that only these are held as floats."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.dataset import Dataset, with_attributes

CELLS = 1 << 21
"""Cells of a part: measures hold some ten floats of each."""
LEAST = 256
"""Columns of a part, however many rows there are."""
Relevance = Callable[[Any, Dataset], FloatArray]


def in_parts(relevance: Relevance) -> Relevance:
    """Let a measure find the relevances of a wide table a part of the columns at a time.

    The relevance of a column must not depend on other columns.

    Parameters
    ----------
    relevance
        A method of a measure that returns a number a feature of some data.

    Returns
    -------
    function
        The same method, for tables of any width.
    """

    @wraps(relevance)
    def of_all(measure: Any, data: Dataset) -> FloatArray:
        width = max(LEAST, CELLS // max(len(data.y), 1))
        firsts = range(0, len(data.features), width)
        if len(firsts) == 1:
            return relevance(measure, data)
        return np.concatenate([relevance(measure, columns_of(data, slice(j, j + width))) for j in firsts])

    return of_all


def columns_of(data: Dataset, some: slice | IntArray) -> Dataset:
    """Return some of the columns of data, by their indices, as they are."""
    table = data.X.iloc[:, some]
    return with_attributes(data, X=table, kinds={name: data.kinds[name] for name in table.columns})
