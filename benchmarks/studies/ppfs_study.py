"""The page of PPFS: its tables beside ours, from the records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import sqrt

import numpy as np

from benchmarks.ppfs_page import KEY, TIMES, times
from benchmarks.studies.comparison import (
    Comparison,
    apart,
    compared,
    data_sets,
    filled,
    reason,
    summary,
)
from benchmarks.studies.ppfs_paper import AVERAGES, FEATURES, FIGURES, METHODS, ROWS
from benchmarks.tmfbs_records import markdown, stored

PAGE = "ppfs"


@dataclass(frozen=True)
class Run:
    """A record: figures of seeds, and the mean number of features."""

    table: str
    data: str
    model: str
    method: str
    selected: str
    values: tuple[float, ...]
    features: float

    @property
    def unit(self) -> float:
        """What spreads are pooled in: of a share its binomial standard error, of other figures their own."""
        mean = float(np.mean(self.values))
        return sqrt(mean * (1 - mean) / ROWS[self.data]) if self.data in ROWS else 1.0

    @property
    def error(self) -> float:
        """Standard error of the difference to another run on the same rows, which are divided otherwise."""
        return self.unit * spread(None if self.data in ROWS else self.data) * sqrt(1 + 1 / len(self.values))


@cache
def spread(data: str | None) -> float:
    """Pool the standard deviations over seeds in the folds: of a data set, or (None) of all shares."""
    wanted = ROWS if data is None else [data]
    runs = [run for run in results() if run.data in wanted and run.selected == "in fold"]
    squares = [(np.std(run.values, ddof=1) / run.unit) ** 2 for run in runs if len(run.values) > 1]
    return sqrt(float(np.mean(squares)))


@cache
def results() -> list[Run]:
    """Read the records."""
    found = []
    for one in stored("ppfs").to_dict("records"):
        table, data, model, method, selected = (str(one[key]) for key in KEY)
        values = tuple(float(value) for value in str(one["figures"]).split())
        found.append(Run(table, data, model, method, selected, values, float(one["features"])))
    return found


def chosen(selected: str) -> Iterator[tuple[Run, str, str]]:
    """Return our runs that the paper prints a figure for: the paper's method, and its figure."""
    for run in results():
        for (method, name), printed in zip(
            METHODS.items(), FIGURES[run.table][run.data].split(), strict=True
        ):
            if run.method == name and run.selected == (selected if name != "all" else "in fold"):
                yield run, method, printed


def comparisons() -> Iterator[Comparison]:
    """Tables 2 to 5, features selected in the folds."""
    for run, method, printed in chosen("in fold"):
        figure = {"4": "error", "5": "RMSE"}.get(run.table, "accuracy")
        digits = 0 if run.table == "5" else 3
        ours = float(np.mean(run.values))
        yield Comparison(PAGE, run.table, run.data, method, figure, printed, ours, run.error, digits)


def all_rows() -> str:
    """Lay out what is selected on all rows, as the paper may have done, beside the folds."""
    rows = []
    inside = {(run.table, run.data, method): run for run, method, _ in chosen("in fold")}
    for run, method, printed in chosen("all rows"):
        if method != "All":
            digits = 0 if run.table == "5" else 3
            pair = [inside.get((run.table, run.data, method)), run]
            cells = ["-" if one is None else f"{np.mean(one.values):.{digits}f}" for one in pair]
            rows.append([run.table, run.data, method, printed, *cells])
    return markdown(["table", "data", "method", "paper", "ours, in the folds", "ours, on all rows"], rows)


def features() -> str:
    """Tables 6 and 7: numbers of features."""
    rows = []
    found: dict[tuple[str, str], list[float]] = {}
    for selected in ("in fold", "all rows"):
        for run, method, _ in chosen(selected):
            printed = FEATURES[run.data].split()[list(METHODS).index(method)]
            table = "7" if run.table == "4" else "6"
            if method == "All" or (table == "6" and selected != "in fold"):
                continue
            ours, theirs = run.features, float(printed)
            why = reason(PAGE, table, run.data, method, "features") if apart(ours, theirs) else ""
            rows.append([table, run.data, run.model, method, selected, printed, f"{ours:.1f}", why])
            if table == "6":
                found.setdefault((method, "trees" if run.model == "tree" else "SVM"), []).append(ours)
                if run.model == "SVR":
                    found.setdefault((method, "trees"), []).append(ours)
    for (method, model), sizes in found.items():
        rows.append(["6", "average", model, method, "in fold", AVERAGES[method], f"{np.mean(sizes):.1f}", ""])
    return markdown(
        ["table", "data", "model", "method", "selected", "paper", "ours, mean over folds", "why different"],
        rows,
    )


def page() -> str:
    """Return the page."""
    parts = {
        "data": data_sets(PAGE),
        "summary": summary(comparisons()),
        "compared": compared(comparisons()),
        "all rows": all_rows(),
        "features": features(),
        "times": markdown(TIMES, times()),
    }
    return filled(PAGE, parts)
