"""What is odd about a table in use but can be lived with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from altsel.data.findings.finding import options
from altsel.data.findings.rows import duplicates
from altsel.data.findings.telling import told
from altsel.data.intake.checks import equal_columns
from altsel.errors import listing

LEAST_INTEGER = -(2**31)
"""The least integer of 32 bits: R writes a missing integer as it, and hands it on to Python as a number."""


def peculiarities(table: pd.DataFrame, constant: Sequence[str]) -> list[str]:
    """Return what is odd about columns: constant ones, copies of others, R's missing integers."""
    copies = [f"{name} = {first}" for name, first in equal_columns(table)]
    integers = table.select_dtypes("integer")
    missing = [str(name) for name in integers.columns[(integers == LEAST_INTEGER).any()]]
    message: dict[str, Sequence[str]] = {
        "constant columns are left out and never selected": constant,
        f"columns hold {LEAST_INTEGER}, which is a missing integer of R; use as.numeric() there": missing,
        "columns are copies of others; data.grouped() makes one feature of each": copies,
    }
    return [f"{what}: {listing(which)}" for what, which in message.items() if which]


def doubts(table: pd.DataFrame, target: pd.Series[Any], determining: tuple[str, ...]) -> list[str]:
    """Return what makes results look better than they are: features that tell the target, copies of rows."""
    copied = told(duplicates(pd.concat([table, target], axis=1)))
    return [*of_leaks(str(target.name), determining), *copied]


def of_leaks(target: str, determining: tuple[str, ...]) -> list[str]:
    """Return what is said of features that determine the target; nothing if none does."""
    if not determining:
        return []
    what = f"features determine the target {target!r}, as copies of it would: {listing(determining)}"
    fix = f"drop={list(determining[:5])} ({options('drop', determining[:5])})"
    return [f"{what}; leave them out? {fix}"]
