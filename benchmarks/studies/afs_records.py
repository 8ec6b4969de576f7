"""The records of the study of AFS, read from their store."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

RUN = "study of AFS, design 1"
"""What the store calls the study; another number where records would change."""
Scores = dict[tuple[str, int], dict[tuple[str, ...], tuple[float, float]]]


def stored(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the key and the result of all tasks done."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as base:
        for task, result in base.execute("SELECT task, result FROM results WHERE run = ?", (RUN,)):
            yield task, json.loads(result)


def known_scores(path: Path, model: str) -> Scores:
    """Return the MCC on training and on test rows by fold and set, of all sets a model has been fitted to."""
    known: Scores = {}
    for task, result in stored(path):
        parts = task.split(", ")
        if len(parts) == 4 and parts[2] == model:  # a data set, "fold 0", the model, a digest of the sets
            scores = known.setdefault((parts[0], int(parts[1].removeprefix("fold "))), {})
            scores.update({tuple(names): (train, test) for names, train, test in result})
    return known


def records(path: Path) -> pd.DataFrame:
    """Return one row for each set that was asked for, with what trees and forests reach on it.

    Columns are those of `afs_search.Record`, and ``tree_train``, ``tree_test``, ``forest_train``,
    ``forest_test``; missing where a model was not fitted.
    """
    rows: dict[tuple[Any, ...], dict[str, Any]] = {}
    for task, result in stored(path):
        parts = task.split(", ")
        if len(parts) == 4 and parts[2] in {"tree", "forest"}:
            continue
        for record in result:
            key = tuple(
                record[name] for name in ("data", "fold", "selector", "k", "tau", "search", "asked", "number")
            )
            rows[key] = record
    table = pd.DataFrame(list(rows.values()))
    if table.empty:
        return table
    sets = [tuple(names) if names else None for names in table["features"]]
    for model in ("tree", "forest"):
        known = known_scores(path, model)
        found = [
            known.get((data, fold), {}).get(one, (np.nan, np.nan)) if one else (np.nan, np.nan)
            for data, fold, one in zip(table["data"], table["fold"], sets, strict=True)
        ]
        table[[f"{model}_train", f"{model}_test"]] = found
    wrapped = table["selector"] == "wrapper"
    table.loc[wrapped, "test"] = table.loc[wrapped, "tree_test"]
    return table.astype({"train": float, "test": float, "bound": float})
