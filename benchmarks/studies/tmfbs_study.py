"""The page of TMFBS: its tables beside ours, from the stores."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan, sqrt

import pandas as pd

from benchmarks.multiple_solutions import CLASSES, COLUMNS, METRICS, PAPER, PAPER_METRICS
from benchmarks.sample_size import HEAD as SIZE_HEAD
from benchmarks.sample_size import kept
from benchmarks.sample_size import rows as size_rows
from benchmarks.studies.comparison import Comparison, compared, data_sets, filled, summary, tables
from benchmarks.tmfbs_records import RESULTS, markdown, stored

PAGE = "tmfbs"
PAPER_NODES = {("crime-violent", 3): "5"}
"""Figure 7: nodes without root and leaf, by data set and number of solutions."""
SPEED = {data: text.rsplit(", ", 1)[1] for data, text in PAPER.items()}
BESIDES = {data: text.split(",")[0].split(" ")[0] for data, text in PAPER.items()}
BY_TIE = BESIDES | {"uji-longitude": "13"}
EQUIVALENT = {"crime-violent": "2", "uji-longitude": "9"}
WIDTHS = {
    "crime-violent": ("0.007", "3.1", "3.2"),
    "uji-longitude": ("0.000", "0.09", "0.09"),
}
"""Widths of the ranges of tables 3 and 5, where the paper has several solutions."""


def runs() -> Iterator[tuple[str, pd.DataFrame]]:
    """Return the divisions of each data set."""
    table = stored("multiple_solutions")
    return ((data, table[table["data"] == data]) for data in PAPER if (table["data"] == data).any())


def one(table: str, data: str, figure: str, printed: str, values: pd.Series, digits: int) -> Comparison:
    """Set a mean over divisions beside a figure of the paper, which is of one division."""
    values = values.dropna()
    spread = float(values.std(ddof=1)) if len(values) > 1 else nan
    error = spread * sqrt(1 + 1 / len(values))
    divisions = f"{len(values)} divisions" if len(values) > 1 else "1 division"
    return Comparison(
        PAGE, table, data, divisions, figure, printed, float(values.mean()), error, digits, spread
    )


def comparisons() -> Iterator[Comparison]:
    """Tables 3 and 5."""
    for data, table in runs():
        yield one("3", data, "solutions besides, TMFBS", BESIDES[data], table["besides"], 1)
        yield one("3", data, "solutions besides, TIE*-IGS", BY_TIE[data], table["besides_tie"], 1)
        if data in EQUIVALENT:
            yield one("3", data, "equivalent of those, TMFBS", EQUIVALENT[data], table["equal"], 1)
        yield one("3", data, "speed-up in tests", SPEED[data], table["tests_tie"] / table["tests"], 2)
        names = METRICS[data in CLASSES]
        for name, column, printed in zip(names, COLUMNS, PAPER_METRICS[data], strict=True):
            if printed is not None and table[column].notna().any():
                yield one("5", data, name, f"{printed:g}", table[column], 3 if printed < 1 else 1)
        if data in WIDTHS:
            several = table[table["besides"] > 0]
            for name, column, width in zip(names, COLUMNS, WIDTHS[data], strict=True):
                ours = several[f"{column}_high"] - several[f"{column}_low"]
                yield one("5", data, f"{name}, width", width, ours, len(width.partition(".")[2]))


def graphs() -> str:
    """Nodes of the graphs of all divisions with several solutions, beside figure 7."""
    table = stored("multiple_solutions")
    table = table[(table["besides"] > 0) & table["nodes"].notna()]
    rows = []
    for _, run in table.iterrows():
        known = PAPER_NODES.get((run["data"], run["besides"] + 1), "")
        cells = (run["seed"], run["besides"] + 1, run["features"], round(run["nodes"]))
        rows.append([run["data"], *map(str, cells), known])
    head = ["data", "division", "solutions", "features of the reference", "nodes, ours", "nodes, paper"]
    return markdown(head, rows)


def pruned() -> str:
    """States and tests by each rule alone, in per cent of those by none: the first table of that page."""
    by_family: dict[str, dict[str, tuple[int, int]]] = {}
    for line in tables(RESULTS / "pruning.md")[0].splitlines()[2:]:
        family, template, rule, states, tests, *_ = (cell.strip() for cell in line.strip("|").split("|"))
        by_family.setdefault(f"{family}, {template}", {})[rule] = (int(states), int(tests))
    rules = [rule for rule in next(iter(by_family.values())) if rule != "none"]
    rows = [
        [family, f"{counts['none'][1]}",
         *(" / ".join(f"{100 * counts[rule][i] / counts['none'][i]:.0f}" for i in (0, 1)) for rule in rules)]
        for family, counts in by_family.items()
    ]  # fmt: skip
    return markdown(
        ["family, template", "tests by no rule", *(f"rule {rule}: states / tests, %" for rule in rules)], rows
    )


def page() -> str:
    """Return the page."""
    parts = {
        "data": data_sets(PAGE),
        "summary": summary(comparisons()),
        "compared": compared(comparisons()),
        "graphs": graphs(),
        "sizes": markdown(SIZE_HEAD, size_rows(kept())),
        "counts": tables(RESULTS / "solution_counts.md")[0],
        "pruned": pruned(),
    }
    return filled(PAGE, parts)
