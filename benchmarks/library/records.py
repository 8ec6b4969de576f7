"""What was run, audited and read, as CSV files beside the page: later runs are added to them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pandas as pd

from altsel.bench.run import STORE
from altsel.bench.store import Store
from benchmarks.library.questions import name_of

KEPT = (
    *("name", "solver", "objective", "search", "features", "status", "objective_value", "largest_gap"),
    *("cpu", "wall", "time_limit", "version", "message"),
)
"""Columns of a run that the page, and whoever reads it, needs."""
SECONDS = 60.0
"""Limit of a run that is recorded."""


def runs_in(folder: Path) -> pd.DataFrame:
    """Return the runs of a store, by the questions' names; none where there is no store."""
    path = folder / STORE
    if not path.exists():
        return pd.DataFrame(columns=list(KEPT))
    done = Store(path).done().values()
    return pd.DataFrame([{**run, "name": name_of(SimpleNamespace(**run))} for run in done])[list(KEPT)]


def of_a_minute(runs: pd.DataFrame) -> pd.DataFrame:
    """Leave out runs with another limit than the records have, and say so."""
    others = runs["time_limit"] != SECONDS
    if others.any():
        print(f"{others.sum()} runs with another limit than {SECONDS:g} s are left out of the records")
    return runs[~others]


def added(path: Path, new: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Add rows to a CSV file, in the place of those that are alike in the columns `by`."""
    old = pd.read_csv(path) if path.exists() else new.iloc[:0]
    table = pd.concat([one for one in (old, new) if len(one)] or [new], ignore_index=True)
    table = table.drop_duplicates(list(by), keep="last")
    if len(table):
        table.to_csv(path, index=False)
    return table
