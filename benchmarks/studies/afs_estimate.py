"""What the whole study of AFS would take, estimated from the records of a part of it."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.studies.afs_design import FOLDS, settings

FITTED = {"tree": 0.015, "forest": 0.31}
"""CPU seconds of a model on one set, mean of the part kept here."""
CALLS, TRIED = 1_000, 300
"""Calls of a hill of the wrapper in the whole study, and in the part."""
CORES = (2, 16, 100)


def whole(table: pd.DataFrame) -> list[str]:
    """Say in hours what the study takes in all, by kind of work and number of cores."""
    hours = {name: seconds / 3600 for name, seconds in _seconds(table).items()}
    hours["in all"] = sum(hours.values())
    lines = [
        "Hours, estimated from the CPU seconds of this part (searches by selector, data set and fold; a tree",
        f"{FITTED['tree']:g} s and a forest {FITTED['forest']:g} s a set; calls of the wrapper by rows), and",
        "divided by the cores: there are far more tasks than cores, and each is stored by itself.",
        "",
        "| work | " + " | ".join(f"{cores} cores" for cores in CORES) + " |",
        "|---|" + "---|" * len(CORES),
    ]
    return lines + [
        f"| {name} | " + " | ".join(f"{value / cores:,.1f}" for cores in CORES) + " |"
        for name, value in hours.items()
    ]


def _seconds(table: pd.DataFrame) -> dict[str, float]:
    exact = table[table["selector"] != "wrapper"]
    runs = exact.drop_duplicates(["data", "fold", "selector", "k", "tau", "search", "asked"])
    units = exact.drop_duplicates(["data", "fold", "selector"])
    done = units.shape[0] / (table["data"].nunique() * FOLDS * units["selector"].nunique())
    searches = (runs["seconds"].sum() + units["seconds_quality"].sum()) / done
    found = exact[exact["features"].notna()]
    sets = found.assign(set=found["features"].map(tuple)).drop_duplicates(["data", "fold", "set"])
    parts = {"exact searches and estimates of dependence": searches}
    for model, each in FITTED.items():
        parts[f"{model}s"] = each * len(sets) / done
    wrapped = table[table["selector"] == "wrapper"]
    if len(wrapped):
        parts[f"wrapper, {CALLS:,} calls a hill"] = _wrapper(wrapped, table)
    return parts


def _wrapper(wrapped: pd.DataFrame, table: pd.DataFrame) -> float:
    """Estimate the wrapper's seconds: a call takes a constant and a time for each row."""
    runs = wrapped.drop_duplicates(["data", "fold", "k", "tau", "search", "asked"])
    hills = np.where(runs["search"] == "sequential", runs["asked"] + 1, 1)
    each = runs["seconds"] / (hills * TRIED)
    slope, constant = np.polyfit(runs["rows"], each, 1)
    rows = table.drop_duplicates("data")["rows"]
    per_fold = sum(one.asked + 1 if one.search == "sequential" else 1 for one in settings())
    return float((max(constant, 0.0) + max(slope, 0.0) * rows).sum() * CALLS * per_fold * FOLDS)
