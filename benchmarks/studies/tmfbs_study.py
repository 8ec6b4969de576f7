"""The page of TMFBS: its tables beside ours, from the stores."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan, sqrt

import pandas as pd

from benchmarks.multiple_solutions import CLASSES, COLUMNS, METRICS, PAPER, PAPER_METRICS
from benchmarks.sample_size import HEAD as SIZE_HEAD
from benchmarks.sample_size import kept
from benchmarks.sample_size import rows as size_rows
from benchmarks.studies.comparison import HEAD, Comparison, data_sets, filled, summary, tables
from benchmarks.tmfbs_records import RESULTS, markdown, stored

PAGE = "tmfbs"
PAPER_NODES = {("crime-violent", 3): "5"}
"""Figure 7: nodes without root and leaf, by data set and number of solutions."""
SPEED = {data: text.rsplit(", ", 1)[1] for data, text in PAPER.items()}
BESIDES = {data: text.split(",")[0].split(" ")[0] for data, text in PAPER.items()}
BY_TIE = BESIDES | {"uji-longitude": "13"}
EQUIVALENT = {"crime-violent": "2", "uji-longitude": "9"}
EQUIVALENT_BY_TIE = {"crime-violent": "2", "uji-longitude": "10"}
RANGES = {
    "crime-violent": (("0.583", "0.590"), ("252.3", "255.4"), ("359.0", "362.2")),
    "uji-longitude": (("0.938", "0.938"), ("22.93", "23.02"), ("30.89", "30.98")),
}
"""Ranges of tables 3 and 5, where the paper has several solutions."""
HEAD_HERE = ["table", "data", "divisions: ours below, equal, above", *HEAD[3:]]


def runs() -> Iterator[tuple[str, pd.DataFrame]]:
    """Return the divisions of each data set."""
    table = stored("multiple_solutions")
    return ((data, table[table["data"] == data]) for data in PAPER if (table["data"] == data).any())


def one(table: str, data: str, figure: str, printed: str, values: pd.Series, digits: int) -> Comparison:
    """Set a mean over divisions beside a figure of the paper, which is of one division."""
    values = values.dropna()
    spread = float(values.std(ddof=1)) if len(values) > 1 else nan
    error = spread * sqrt(1 + 1 / len(values))
    below, equal, above = sides(printed, values)
    count = f"{len(values)} divisions" if len(values) > 1 else "1 division"
    outside = len(values) > 1 and not equal and not (below and above)
    return Comparison(PAGE, table, data, f"{count}: {below} / {equal} / {above}", figure, printed,
                      float(values.mean()), error, digits, spread, outside=outside)  # fmt: skip


def sides(printed: str, values: pd.Series) -> tuple[int, int, int]:
    """Count divisions whose figure is below the paper's, equal to it as it is rounded, or above."""
    places = len(printed.partition(".")[2])
    apart = values.round(places) - float(printed.replace(",", ""))
    return int((apart < -1e-9).sum()), int((apart.abs() <= 1e-9).sum()), int((apart > 1e-9).sum())


def comparisons() -> Iterator[Comparison]:
    """Tables 3 and 5."""
    for data, table in runs():
        yield one("3", data, "solutions besides, TMFBS", BESIDES[data], table["besides"], 1)
        yield one("3", data, "solutions besides, TIE*-IGS", BY_TIE[data], table["besides_tie"], 1)
        if data in EQUIVALENT:
            yield one("3", data, "equivalent of those, TMFBS", EQUIVALENT[data], table["equal"], 1)
            if table["equal_tie"].notna().any():
                by_tie = EQUIVALENT_BY_TIE[data]
                yield one("3", data, "equivalent of those, TIE*-IGS", by_tie, table["equal_tie"], 1)
        yield one("3", data, "speed-up in tests", SPEED[data], table["tests_tie"] / table["tests"], 2)
        names = METRICS[data in CLASSES]
        for name, column, printed in zip(names, COLUMNS, PAPER_METRICS[data], strict=True):
            if printed is not None and table[column].notna().any():
                yield one("5", data, name, f"{printed:g}", table[column], 3 if printed < 1 else 1)
        if data in RANGES:
            several = table[table["besides"] > 0]
            for name, column, ends in zip(names, COLUMNS, RANGES[data], strict=True):
                digits = len(ends[0].partition(".")[2])
                low, high = (several[f"{column}_{end}"] for end in ("low", "high"))
                yield one("5", data, f"{name}, lowest", ends[0], low, digits)
                yield one("5", data, f"{name}, highest", ends[1], high, digits)
                width = f"{float(ends[1]) - float(ends[0]):.{digits}f}"
                yield one("5", data, f"{name}, width", width, high - low, digits)


def said() -> str:
    """Set what section 8.1 says in words beside what all divisions say."""
    table = stored("multiple_solutions")
    same = table["besides"] == table["besides_tie"]
    others = ", ".join(f"{len(runs)} of {data}" for data, runs in table[~same].groupby("data"))
    ratio, besides = table["tests_tie"] / table["tests"], table["besides"].sum()
    most = table["besides"].max()
    widest = (table["first_high"] - table["first_low"]).groupby(table["data"]).max()
    rows = [
        ["both algorithms find the same solutions, but for UJI longitude",
         f"as many in {same.sum()} of {len(table)} divisions; not in {others}"],
        ["a single solution on 7 of 11 data sets, at most 19 besides elsewhere",
         f"a single one in {(table['besides'] == 0).sum()} divisions, at most {most} besides"],
        ["about 5 % of the solutions are rejected as not equivalent on the test rows",
         f"{100 * (1 - table['equal'].sum() / besides):.0f} % of {besides}"],
        ["solutions differ by less than .1 % in R2 or AUC (its own table has .583 to .590)",
         "at most " + ", ".join(f"{value:.4f} ({name})" for name, value in widest.items())],
        ["TMFBS is 1.5 to 2.5 times faster in tests",
         f"{ratio.min():.2f} to {ratio.max():.2f} times, median {ratio.median():.2f}"],
    ]  # fmt: skip
    return markdown(["the paper says (section 8.1)", "ours"], rows)


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
        "compared": markdown(HEAD_HERE, [row.cells() for row in comparisons()]),
        "said": said(),
        "graphs": graphs(),
        "sizes": markdown(SIZE_HEAD, size_rows(kept())),
        "counts": tables(RESULTS / "solution_counts.md")[0],
        "pruned": pruned(),
    }
    return filled(PAGE, parts)
