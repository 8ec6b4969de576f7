"""Missing values: what each column costs in rows, and which columns to leave out so that most rows stay."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import BoolArray

ENOUGH = 0.8
"""Share of the rows with a target that is to stay, if that costs no column that tells something of it."""
LEAST = 0.5
"""Share of the rows with a target that is to stay, whatever that costs."""


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
        Columns to leave out, the costliest first.
    left_then
        Rows left if they are.
    tells
        Association with the target of the columns that tell something of it, as far as that was heeded.
    costs
        Rows that each of the columns that stay costs by itself, once the others are left out.
    """

    missing: dict[str, int]
    alone: dict[str, int]
    left: int
    drop: tuple[str, ...]
    left_then: int
    tells: Mapping[str, float]
    costs: Mapping[str, int]


def gaps_of(
    frame: pd.DataFrame, target: str, keep: Collection[str] = (), tells: Mapping[str, float] | None = None
) -> Gaps:
    """Count missing values, and find columns to leave out.

    As long as fewer than 80 % of the rows with a target are whole, and more than one column is left, the
    column goes whose absence makes most rows whole; of several the one that misses most. Columns that tell
    something of the target stay, unless fewer than half of the rows would be whole: then those go that make
    most rows whole for what they tell.

    Parameters
    ----------
    frame
        The columns that are used, and the target.
    target
        Name of the target.
    keep
        Columns that stay.
    tells
        Association with the target of the columns that tell something of it.

    Examples
    --------
    >>> table = pd.DataFrame({"a": [None, None, 1, 1], "b": [None, 2, 2, 2], "c": 1, "y": [0, 1, 0, 1]})
    >>> found = gaps_of(table, "y")
    >>> found.left, found.drop, found.left_then
    (2, ('a', 'b'), 4)
    >>> gaps_of(table, "y", tells={"b": 0.3}).drop
    ('a',)
    """
    absent = frame.isna().to_numpy()
    names = list(map(str, frame.columns))
    per_row = absent.sum(axis=1)
    alone = absent[per_row == 1].sum(axis=0).tolist()
    there = ~absent[:, names.index(target)]
    fixed = {target, *keep}
    tells = tells or {}
    worth = [tells.get(name, 0.0) for name in names]
    drop = _costly(absent[there], [j for j, name in enumerate(names) if name not in fixed], worth)
    stay = [j for j in range(len(names)) if j not in drop]
    kept = absent[there][:, stay]
    costs = kept[kept.sum(axis=1) == 1].sum(axis=0).tolist()
    return Gaps(
        {name: count for name, count in zip(names, absent.sum(axis=0).tolist(), strict=True) if count},
        {name: count for name, count in zip(names, alone, strict=True) if count},
        int((per_row == 0).sum()),
        tuple(names[j] for j in drop),
        int((~absent[:, stay].any(axis=1)).sum()),
        tells,
        {names[j]: count for j, count in zip(stay, costs, strict=True) if count},
    )


def _costly(absent: BoolArray, candidates: list[int], worth: list[float]) -> list[int]:
    """Return the columns to leave out, in the order in which they go."""
    per_row: npt.NDArray[np.int64] = absent.sum(axis=1)
    drop: list[int] = []
    most = len(candidates) - 1
    gappy = [j for j in candidates if absent[:, j].any()]
    # 1. of those that tell nothing, until most rows are whole; 2. of the others, until half are
    for enough, some in (
        (ENOUGH, [j for j in gappy if not worth[j]]),
        (LEAST, [j for j in gappy if worth[j]]),
    ):
        while some and len(drop) < most and (per_row == 0).mean() < enough:
            single = per_row == 1
            gain = [
                (absent[single, j].sum() / (worth[j] or 1), absent[:, j].sum() / (worth[j] or 1))
                for j in some
            ]
            worst = some.pop(max(range(len(some)), key=gain.__getitem__))
            drop.append(worst)
            per_row = per_row - absent[:, worst]
    # 3. what makes no row whole stays
    for j in reversed(drop):
        if not (absent[:, j] & (per_row == 0)).any():
            drop = [one for one in drop if one != j]
            per_row = per_row + absent[:, j]
    return drop
