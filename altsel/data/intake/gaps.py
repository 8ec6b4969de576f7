"""Where values are missing: in which rows, and how often in each column."""

from __future__ import annotations

import numpy as np
import pandas as pd

from altsel._types import BoolArray, IntArray
from altsel.data.dates import present
from altsel.data.intake.blocks import CELLS


def gaps(frame: pd.DataFrame) -> tuple[BoolArray, IntArray]:
    """Return which rows miss a value, and how many each column misses.

    Raises
    ------
    DataError
        If a column holds what is neither a value nor missing.

    Examples
    --------
    >>> rows, counts = gaps(pd.DataFrame({"a": [1.0, None, 3.0], "b": ["x", None, None]}))
    >>> rows.tolist(), counts.tolist()
    ([False, True, True], [1, 2])
    """
    rows, counts = np.zeros(len(frame), dtype=bool), np.zeros(frame.shape[1], dtype=np.int64)
    width = max(1, CELLS // max(len(frame), 1))
    for first in range(0, frame.shape[1], width):
        absent = _absent(frame.iloc[:, first : first + width])
        rows |= absent.any(axis=1)
        counts[first : first + width] = absent.sum(axis=0)
    return rows, counts


def _absent(part: pd.DataFrame) -> BoolArray:
    try:
        return np.asarray(part.isna().to_numpy(), dtype=bool)
    except ArithmeticError:
        return np.column_stack([~present(part.iloc[:, j]).to_numpy() for j in range(part.shape[1])])
