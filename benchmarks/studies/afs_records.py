"""The records of the study of AFS, read from their store."""

from __future__ import annotations

from math import nan
from pathlib import Path
from typing import Any

import pandas as pd

from altsel.errors import ArgumentError
from altsel.runtime.store import Store
from benchmarks.studies.afs_models import MODELS, Features
from benchmarks.studies.afs_search import Record

KEYS = ["data", "fold", "selector", "k", "tau", "search", "asked", "number"]
"""What tells one set that was asked for from all others."""
Scores = dict[tuple[str, str, int], dict[Features, tuple[float, float]]]
"""MCC on training and on test rows by model, data set and number of the fold, and by set."""


def store_of(path: Path) -> Store:
    """Return the store in a file; another number where records would change."""
    return Store(path, "study of AFS, design 2")


def scores_of(results: dict[str, Any]) -> Scores:
    """Return what models reach, of all results of a store."""
    scores: Scores = {}
    for fits in (result for result in results.values() if isinstance(result, dict)):
        of = scores.setdefault((fits["model"], fits["data"], fits["fold"]), {})
        of.update({tuple(names): (train, test) for names, train, test in fits["scores"]})
    return scores


def records(path: Path) -> pd.DataFrame:
    """Return one row for each set that was asked for, with what trees and forests reach on it.

    Columns are those of `afs_search.Record`, and ``tree_train``, ``tree_test``, ``forest_train``,
    ``forest_test``; missing where a model was not fitted.
    """
    results = store_of(path).load() if path.is_file() else {}
    rows: list[Record] = [
        record for result in results.values() if isinstance(result, list) for record in result
    ]
    if not rows:
        raise ArgumentError(f"{path} holds no records of the study; --out makes them")
    table = pd.DataFrame(rows).drop_duplicates(KEYS, keep="last", ignore_index=True)
    scores = scores_of(results)
    for model in MODELS:
        table[[f"{model}_train", f"{model}_test"]] = [
            scores.get((model, data, fold), {}).get(tuple(names or ()), (nan, nan))
            for data, fold, names in zip(table["data"], table["fold"], table["features"], strict=True)
        ]
    wrapped = table["selector"] == "wrapper"
    table.loc[wrapped, "test"] = table.loc[wrapped, "tree_test"]
    return table.astype({"train": float, "test": float, "bound": float})
