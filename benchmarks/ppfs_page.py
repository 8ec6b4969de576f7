"""The page of PPFS, made of what is stored and of the text beside this program."""

from __future__ import annotations

import numpy as np

from benchmarks.ppfs_design import PLACES, ROWS
from benchmarks.tmfbs_records import markdown, page, stored

KEY = ["table", "data", "model", "method", "selected"]
HEAD = [*KEY, "figure (of seeds)", "paper", "features", "paper", "CPU s"]
TIMES = [
    "data",
    "B",
    "as printed",
    "valid test (B folds)",
    "valid test, linear",
    "PyImpetus",
    "ratio as printed",
]


def figures() -> list[list[str]]:
    """Lay out one line for each row of the paper's tables, method and place of selection."""
    table = stored("ppfs")
    order = {row.key: (place, row) for place, row in enumerate(ROWS)}
    methods = list(dict.fromkeys(table["method"]))
    lines = []
    for run in table.to_dict("records"):
        place, row = order[run["table"], run["data"], run["model"]]
        method, selected = str(run["method"]), str(run["selected"])
        digits = 0 if row.table == 5 else 3
        values = [float(value) for value in str(run["figures"]).split()]
        each = " ".join(f"{value:.{digits}f}" for value in values)
        mean = f"**{np.mean(values):.{digits}f}**" + (f" ({each})" if len(values) > 1 else "")
        ours = method.startswith("PPFS")
        paper = row.everything if method == "all" else row.ppfs if ours else ""
        sizes = [f"{run['features']:.1f}", f"{row.features}" if ours else ""]
        cells = [f"{row.table}", row.data, row.model, method, selected, mean, f"{paper}", *sizes]
        cells.append(f"{run['seconds']:.1f}")
        lines.append((place, methods.index(method), PLACES.index(selected), cells))
    return [cells for *_, cells in sorted(lines, key=lambda line: line[:3])]


def times() -> list[list[str]]:
    """Lay out CPU seconds of one selection."""
    return [
        [*(str(value) for value in one.values()), f"{one['PyImpetus'] / one['printed']:.0f}"]
        for one in stored("ppfs_times").to_dict("records")
    ]


def write() -> None:
    """Write the page of all that is kept."""
    page("ppfs", markdown(TIMES, times()), markdown(HEAD, figures()))
