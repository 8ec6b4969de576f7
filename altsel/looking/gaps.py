"""Missing values: what each column costs in rows, and which columns to leave out so that most rows stay."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import BoolArray

ENOUGH = 0.8
"""Share of the rows with a target that is to stay."""


@dataclass(frozen=True)
class Gaps:
    """Missing values of a table.

    Attributes
    ----------
    missing
        Missing values of each column, by its name.
    alone
        Rows in which a column alone is missing: what it costs if rows with missing values are dropped.
    left
        Rows without any.
    drop
        Columns to leave out so that at least 80 % of the rows with a target are left, the costliest first.
    left_then
        Rows left if they are.
    """

    missing: dict[str, int]
    alone: dict[str, int]
    left: int
    drop: tuple[str, ...]
    left_then: int


def gaps_of(frame: pd.DataFrame, target: str, keep: Collection[str] = ()) -> Gaps:
    """Count missing values, and find columns to leave out.

    As long as fewer than 80 % of the rows with a target are whole, and more than one column is left, the
    column goes whose absence makes most rows whole; of several the one that misses most.

    Parameters
    ----------
    frame
        The columns that are used, and the target.
    target
        Name of the target.
    keep
        Columns that stay.

    Examples
    --------
    >>> table = pd.DataFrame({"a": [None, None, 1, 1], "b": [None, 2, 2, 2], "c": 1, "y": [0, 1, 0, 1]})
    >>> found = gaps_of(table, "y")
    >>> found.left, found.drop, found.left_then
    (2, ('a', 'b'), 4)
    """
    absent = frame.isna().to_numpy()
    names = list(map(str, frame.columns))
    per_row = absent.sum(axis=1)
    alone = absent[per_row == 1].sum(axis=0).tolist()
    there = ~absent[:, names.index(target)]
    fixed = {target, *keep}
    drop = _costly(absent[there], [j for j, name in enumerate(names) if name not in fixed])
    stay = [j for j in range(len(names)) if j not in drop]
    return Gaps(
        {name: count for name, count in zip(names, absent.sum(axis=0).tolist(), strict=True) if count},
        {name: count for name, count in zip(names, alone, strict=True) if count},
        int((per_row == 0).sum()),
        tuple(names[j] for j in drop),
        int((~absent[:, stay].any(axis=1)).sum()),
    )


def _costly(absent: BoolArray, candidates: list[int]) -> list[int]:
    """Return the columns to leave out, in the order in which they go."""
    per_row: npt.NDArray[np.int64] = absent.sum(axis=1)
    drop: list[int] = []
    most = len(candidates) - 1
    candidates = [j for j in candidates if absent[:, j].any()]
    while candidates and len(drop) < most and (per_row == 0).mean() < ENOUGH:
        single = per_row == 1
        gain = [(int(absent[single, j].sum()), int(absent[:, j].sum())) for j in candidates]
        worst = candidates.pop(max(range(len(candidates)), key=gain.__getitem__))
        drop.append(worst)
        per_row = per_row - absent[:, worst]
    return drop
