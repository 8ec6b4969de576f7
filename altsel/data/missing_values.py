"""Rows with missing values: refused, or dropped as far as that is meant, with what they cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import ceil
from typing import Any

import numpy as np
import pandas as pd

from altsel._types import BoolArray, IntArray
from altsel.data.cleaning import Cleaning
from altsel.data.findings.finding import Effect, Finding, options
from altsel.data.intake.gaps import gaps
from altsel.errors import DataError

NAMED = 10
"""Columns that a message names."""


def columns_missing(frame: pd.DataFrame, most: float | None, keep: Iterable[str]) -> list[Finding]:
    """Return the columns that miss more than a share of their values, and are left out for it."""
    if most is None or not len(frame):
        return []
    counts, kept = gaps(frame)[1], set(keep)
    return [
        Finding(
            "missing",
            (name,),
            f"{name!r} misses {count:,} values",
            options("keep", [name]),
            f"keep=[{name!r}]",
            Effect.LEFT_OUT,
        )
        for name, count in zip(map(str, frame.columns), counts.tolist(), strict=True)
        if count > most * len(frame) and name not in kept
    ]


def rows_to_use(
    frame: pd.DataFrame, target: pd.Series[Any], cleaning: Cleaning, hints: Iterable[str] = ()
) -> tuple[BoolArray | None, list[Finding]]:
    """Return the rows without missing values, None if these are all, and what is to be said of the others.

    Parameters
    ----------
    frame, target
        The features and the target.
    cleaning
        What is wanted of such rows.
    hints
        What to say if rows are refused, besides.

    Raises
    ------
    DataError
        If there are such rows and none may be dropped, or more of those with a target would be than is meant.
    """
    rows, counts = gaps(frame)
    absent = target.isna().to_numpy()
    rows = rows | absent
    if not rows.any():
        return None, []
    share = float(rows[~absent].mean()) if not absent.all() else 1.0  # rows without a target are of no use
    found = dict(zip(map(str, frame.columns), counts.tolist(), strict=True)) | {
        str(target.name): int(absent.sum())
    }
    left = f"{int((~rows).sum()):,} of {len(rows):,} rows"
    dropping = cleaning.missing == "drop rows" or (cleaning.missing == "category" and not share)
    if dropping and share <= cleaning.rows_lost and not rows.all():
        return ~rows, [Finding("rows dropped", (), said_of_rows(left, found, str(target.name)))]
    also = "".join(f"; {hint}" for hint in hints)
    if cleaning.missing != "drop rows":
        fix = "fill them, or drop such rows with missing='drop rows' (command line: --drop-missing)"
        if cleaning.missing == "error":
            fix += "; or keep the rows: missing='category' (--missing category), or altsel.imputation"
        raise DataError(f"missing values in {costs(found)}; {left} miss none: {fix}{also}")
    if rows.all():
        fix = (
            _fix_by_columns(frame, counts, absent)
            or "fill them or drop the columns that miss most (drop=, --drop)"
        )
        raise DataError(f"every row has a missing value, most in {costs(found)}: {fix}{also}")
    raise too_few_rows(left, found, share, _fix_by_columns(frame, counts, absent), also)


def said_of_rows(left: str, counts: Mapping[str, int], target: str) -> str:
    """Report that rows were dropped, which columns cost most, and how many lack the target itself."""
    lacking = f"; {counts[target]:,} have no target" if counts.get(target) else ""
    return f"{left} left: the others have missing values, most in {costs(counts, 3)}{lacking}"


def too_few_rows(
    left: str, counts: Mapping[str, int], share: float, by_columns: str, also: str = ""
) -> DataError:
    """Return the error of a table that would lose more of the rows with a target than is meant."""
    most = ceil(100 * share) / 100
    fixes = [by_columns, "fill them", f"or mean it: rows_lost={most:g} (--rows-lost {most:g})"]
    what = f"{left} would be left: most are lost by {costs(counts)}"
    return DataError(f"{what}; {', '.join(filter(None, fixes))}{also}")


def costs(counts: Mapping[str, int], named: int = NAMED) -> str:
    """Name the columns that miss most values, with how many.

    Examples
    --------
    >>> costs({"a": 2, "b": 0, "c": 1200})
    "'c' (1,200), 'a' (2)"
    """
    most = sorted(((name, count) for name, count in counts.items() if count), key=lambda one: -one[1])
    more = f" and {len(most) - named} more columns" if len(most) > named else ""
    return ", ".join(f"{name!r} ({count:,})" for name, count in most[:named]) + more


def _fix_by_columns(frame: pd.DataFrame, counts: IntArray, absent: BoolArray) -> str:
    """Return what would be left if the columns that miss most were left out, if that is much."""
    shares = counts / len(frame)
    for most in (0.2, 0.1, 0.05, 0.02, 0.0):
        keep = np.flatnonzero(shares <= most)
        if not len(keep) or len(keep) == len(shares):
            continue
        left = int((~(gaps(frame.iloc[:, keep])[0] | absent)).sum())
        if left >= 0.8 * int((~absent).sum()):
            option = options("most-missing", [f"{most:g}"])
            fewer = len(shares) - len(keep)
            what = f"leaves out {fewer} {'column' if fewer == 1 else 'columns'} and keeps {left:,} rows"
            return f"most_missing={most:g} ({option}) {what}"
    return ""
