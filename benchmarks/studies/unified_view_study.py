"""The page of the unified view: its tables beside ours, from the stores."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import nan, sqrt

import pandas as pd

from benchmarks.studies.comparison import (
    Comparison,
    apart,
    compared,
    data_sets,
    filled,
    reason,
    summary,
    tables,
)
from benchmarks.tmfbs_records import markdown
from benchmarks.unified_view_conventions import PAPER_LIKE, TWO_BINS, method
from benchmarks.unified_view_figures import above
from benchmarks.unified_view_paper import printed
from benchmarks.unified_view_paper_sets import ACCURACY, GROUPS, METHODS, printed_set
from benchmarks.unified_view_paper_spread import SPREAD
from benchmarks.unified_view_records import RESULTS, by_search, stored

PAGE, SAMPLES, FOLDS, LEAST = "unified_view", 10, 10, 0.005
"""The last is the least standard deviation over folds: the paper prints two digits."""
ACCURACY_TABLES = dict(zip(GROUPS, ("9", "13", "17"), strict=True))


def mean_and_spread(cell: str) -> tuple[float, float]:
    """Read a stored mean and standard deviation."""
    mean, _, spread = str(cell).partition(" ± ")
    return float(mean), float(spread)


def alarm() -> Iterator[Comparison]:
    """Tables 3 to 7, by both spreads over ten samples."""
    table = stored("alarm")
    for run in table[table["conventions"] == PAPER_LIKE.title].itertuples():
        known = printed(method(str(run.search)), int(str(run.rows)))
        near = "neighbours" in str(run.search) or re.search(r"PC$|, 5$", str(run.search)) is not None
        numbers = ("7" if near else "4", "5", "6" if near else "3")
        columns = (("precision", "recall"), ("pc", "sp", "fp"), ("knn", "nbc"))
        for number, names, cells in zip(numbers, columns, known, strict=True):
            theirs = SPREAD.get((int(number), method(str(run.search)), int(str(run.rows))), "")
            each = cells.split(" / ") if cells else []
            for name, cell, sd in zip(names, each, theirs.split(" / "), strict=False):
                mean, spread = mean_and_spread(getattr(run, name))
                error = sqrt((spread**2 + float(sd) ** 2) / SAMPLES)
                data, digits = f"ALARM, {run.rows} rows", 2 if name in columns[2] else 3
                yield Comparison(
                    PAGE, number, data, str(run.search), name, cell, mean, error, digits, spread, sd
                )


def real() -> Iterator[Comparison]:
    """Tables 9, 13 and 17: accuracy of the linear machine, features selected on all rows."""
    table = stored("sets")
    table = table[
        (table["conventions"] == PAPER_LIKE.title)
        & (table["model"] == "linear")
        & (table["selected"] == "all rows")
    ]
    table = table.sort_values("data", key=lambda names: names.map(list(ACCURACY).index), kind="stable")
    numbers = {name: ACCURACY_TABLES[group] for group, names in GROUPS.items() for name in names}
    for run in table.itertuples():
        accuracy, sd, *_ = printed_set(str(run.data), method(str(run.search)))
        spread = float(str(run.accuracy_sd))
        theirs = nan if sd == "-" else max(float(sd), LEAST)
        ours = theirs if pd.isna(spread) else max(spread, LEAST)
        error = sqrt((theirs**2 + ours**2) / FOLDS)
        yield Comparison(PAGE, numbers[str(run.data)], str(run.data), str(run.search), "accuracy", accuracy,
                         float(str(run.accuracy)), error, 4, spread, sd.strip("-"))  # fmt: skip


def sizes() -> str:
    """Tables 10, 11, 14, 15, 18 and 19: numbers of features, and seconds."""
    table = stored("sets")
    table = table[(table["conventions"] == PAPER_LIKE.title) & (table["selected"] == "all rows")]
    rows = []
    for data, search, runs in by_search(table, list(ACCURACY)):
        of = runs.set_index("model")["features"]
        ours = [f"{of[model]:.0f}" if model in of else "-" for model in ("nbc", "knn", "linear")]
        ours = ours if len(set(ours)) > 1 else ours[:1]
        of_linear = runs[runs["model"] == "linear"]
        first, (_, _, features, seconds) = of_linear.iloc[0], printed_set(data, method(search))
        stop = " (limit)" if first["stop"] == "time" else ""
        far = len(ours) == 1 and features.isdigit() and apart(float(ours[0]), float(features))
        why = reason(PAGE, "sizes", data, method(search), "features") if far else ""
        rows.append([data, search, features, "/".join(ours) + stop, seconds, f"{first['seconds']:.2f}", why])
    head = [
        "data",
        "search",
        "features: paper, NBC/KNN/SVM (one if all are the same)",
        "ours",
        "seconds: paper",
        "ours, CPU",
        "why different",
    ]
    return markdown(head, rows)


def two_bins() -> str:
    """Lay out what numbers in two bins give, beside those in five: features and accuracy, on all rows."""
    table = stored("sets")
    table = table[(table["model"] == "linear") & (table["selected"] == "all rows")]
    of = {(run.conventions, run.data, run.search): run for run in table.itertuples()}
    rows = []
    for (title, data, search), run in of.items():
        if title == TWO_BINS.title:
            accuracy, _, features, _ = printed_set(str(data), method(str(search)))
            pair = [of[PAPER_LIKE.title, data, search], run]
            rows.append([str(data), str(search), f"{features}; {accuracy}",
                         *(f"{one.features:.0f}; {one.accuracy:.3f}" for one in pair)])  # fmt: skip
    head = [
        "data",
        "search",
        "paper: features (of filters NBC/KNN/SVM); accuracy",
        "ours, five bins",
        "two bins",
    ]
    return markdown(head, rows)


def inside() -> str:
    """Lay out accuracies on all rows and in the folds, of all models, with kappa and AUC."""
    table = stored("sets")
    table = table[table["conventions"] == PAPER_LIKE.title]
    rows = []
    for data, search, runs in by_search(table, list(ACCURACY)):
        of = {(run.selected, run.model): run for run in runs.itertuples()}
        cells = []
        for model in ("linear", "knn", "nbc"):
            pair = [of.get((where, model)) for where in ("all rows", "in folds")]
            cells.append(" / ".join("-" if run is None else f"{run.accuracy:.3f}" for run in pair))
        linear = [of.get((where, "linear")) for where in ("all rows", "in folds")]
        for name in ("kappa", "auc"):
            values = [nan if run is None else getattr(run, name) for run in linear]
            cells.append(" / ".join("-" if pd.isna(value) else f"{value:.3f}" for value in values))
        rows.append([data, search, *cells])
    head = ["data", "search", "linear SVM: all rows / in folds", "KNN", "NBC", "kappa, linear", "AUC, linear"]
    return markdown(head, rows)


def done() -> str:
    """Say which data sets have all eight searches of the paper, and which some."""
    table = stored("sets")
    table = table[table["conventions"] == PAPER_LIKE.title]
    counts = table.groupby("data")["search"].agg(lambda labels: len({method(label) for label in labels}))
    return ", ".join(f"{name} ({counts.get(name, 0)} of {len(METHODS)} searches)" for name in ACCURACY)


def comparisons() -> list[Comparison]:
    """Return all figures that have a standard error."""
    return [*alarm(), *real()]


def page() -> str:
    """Return the page."""
    statements, properties, *_ = tables(RESULTS / "unified_view_theory.md")
    best = ["filter", "model", "best number of features", "accuracy %", "true neighbours %", "difference",
            "with 5 features", "with all 36"]  # fmt: skip
    parts = {
        "data": data_sets(PAGE),
        "done": done(),
        "summary": summary(comparisons()),
        "alarm": compared(alarm()),
        "real": compared(real()),
        "sizes": sizes(),
        "two bins": two_bins(),
        "inside": inside(),
        "best": markdown(best, above()),
        "statements": statements,
        "properties": properties,
    }
    return filled(PAGE, parts)
