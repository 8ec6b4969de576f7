"""The stores of the unified view: what was measured, in CSV files of ``results``, replaced part by part."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

RESULTS = Path(__file__).parent / "results"
STORES = {
    "alarm": ["rows", "conventions", "search", "precision", "recall", "pc", "sp", "fp", "knn", "nbc", "ms"],
    "options": ["convention", "rows", "search", "precision", "recall", "pc", "sp", "fp"],
    "sets": ["data", "conventions", "search", "selected", "model", "features", "accuracy", "accuracy_sd",
             "kappa", "kappa_sd", "auc", "auc_sd", "seconds", "tests", "stop"],
    "sizes": ["filter", "features", "knn", "nbc", "knn_true", "nbc_true"],
}  # fmt: skip
"""Columns of each store."""


def path(store: str) -> Path:
    """Return the file of a store."""
    return RESULTS / f"unified_view_{store}.csv"


def stored(store: str) -> pd.DataFrame:
    """Return all records of a store; empty cells are missing."""
    file = path(store)
    return pd.read_csv(file) if file.exists() else pd.DataFrame(columns=STORES[store])


def by_search(table: pd.DataFrame, names: Sequence[str]) -> list[tuple[str, str, pd.DataFrame]]:
    """Return data, search and records of each search, the data in a given order."""
    groups = table.groupby(["data", "search"], sort=False)
    found = [(str(key[0]), str(key[1]), runs) for key, runs in groups]
    return sorted(found, key=lambda one: names.index(one[0]))


def replace(store: str, records: list[dict[str, object]], key: list[str]) -> None:
    """Write records in place of those with the same key; the others keep their order."""
    if not records:
        return
    new = pd.DataFrame(records, columns=STORES[store])
    old = stored(store)
    again = pd.MultiIndex.from_frame(new[key].astype(str))
    kept = old[~pd.MultiIndex.from_frame(old[key].astype(str)).isin(again)]
    new = pd.concat([part for part in (kept, new) if len(part)])
    new.to_csv(path(store), index=False, float_format="%.6g")
