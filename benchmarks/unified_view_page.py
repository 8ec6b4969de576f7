"""The page of the unified view, made of what is stored and of the text beside this program."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from .command import stamped
from .tmfbs_records import markdown
from .unified_view_conventions import ALPHA, DEFAULTS, PAPER_LIKE, TWO_BINS, method
from .unified_view_figures import above, draw
from .unified_view_paper import printed
from .unified_view_paper_sets import GROUPS, printed_set
from .unified_view_records import RESULTS, by_search, stored

TEXT = Path(__file__).with_name("unified_view_text.md")
CONVENTIONS = (PAPER_LIKE, DEFAULTS)
FOUND = ["search", "precision", "recall", "PC", "SP", "FP", "KNN %", "NBC %", "CPU ms",
         "paper, precision / recall", "paper, PC / SP / FP", "paper, KNN / NBC %"]  # fmt: skip
NAMES = {"linear": "linear SVM", "rbf": "RBF SVM", "knn": "KNN", "nbc": "NBC"}
JUDGED = ["data", "search", *NAMES.values(), "kappa", "AUC", "paper, SVM"]
SELECTED = ["data", "search", "features, linear / RBF / KNN / NBC", "in folds", "CPU s", "tests", "stop",
            "paper, features", "paper, s"]  # fmt: skip
OTHER = "{one.precision:.3f} / {one.recall:.3f}; {one.pc:.1f} / {one.sp:.1f} / {one.fp:.1f}"
ABOVE = ["filter", "model", "best number of features", "accuracy %", "true neighbours %", "difference",
         "with 5 features", "with all 36"]  # fmt: skip


def pm(record: pd.Series | None, name: str) -> str:
    """Return a mean over folds and its standard deviation, as far as it is known."""
    if record is None or pd.isna(record[name]):
        return ""
    deviation = record[f"{name}_sd"]
    return f"{record[name]:.4f}" + ("" if pd.isna(deviation) else f" ± {deviation:.2f}")


def by_model(runs: pd.DataFrame, selected: str) -> dict[str, pd.Series]:
    """Return the records of one search by their models."""
    return {one["model"]: one for _, one in runs[runs["selected"] == selected].iterrows()}


def judged(name: str, label: str, runs: pd.DataFrame, selected: str) -> list[str]:
    """Lay out what the models make of one search; kappa and AUC are the linear machine's."""
    records = by_model(runs, selected)
    linear = records.get("linear")
    accuracy, sd, *_ = printed_set(name, method(label))
    paper = accuracy + (f" ± {sd}" if sd != "-" else "")
    if not records:
        return [name, label, *["-"] * len(NAMES), "-", "-", paper]
    cells = [pm(records.get(model), "accuracy") for model in NAMES]
    return [name, label, *cells, pm(linear, "kappa"), pm(linear, "auc"), paper]


def selected(name: str, label: str, runs: pd.DataFrame) -> list[str]:
    """Lay out sizes, seconds and tests of one search."""
    outer, inner = by_model(runs, "all rows"), by_model(runs, "in folds")
    first = outer.get("linear", next(iter(outer.values())))
    same = first["stop"] != "count"
    whole = [f"{outer[model]['features']:.0f}" if model in outer else "" for model in NAMES]
    inside = [f"{inner[model]['features']:.1f}" if model in inner else "" for model in NAMES]
    sizes = [next(filter(None, cells), "-") if same else " / ".join(cells) for cells in (whole, inside)]
    tests = "" if pd.isna(first["tests"]) else f"{first['tests']:.0f}"
    *_, features, seconds = printed_set(name, method(label))
    return [name, label, *sizes, f"{first['seconds']:.2f}", tests, str(first["stop"]), features, seconds]


def sets(title: str, names: tuple[str, ...]) -> list[str]:
    """Lay out the tables of one group of data sets under both conventions."""
    table = stored("sets")
    parts = []
    for conventions in (*CONVENTIONS, TWO_BINS):
        chosen = table[(table["conventions"] == conventions.title) & table["data"].isin(names)]
        runs = by_search(chosen, names)
        if not runs:
            continue
        parts.append(f"## Real data, {title}: {conventions.title}")
        for where in ("all rows", "in folds"):
            rows = [judged(name, label, group, where) for name, label, group in runs]
            parts += [f"Selected {'on' if where == 'all rows' else ''} {where}".replace("  ", " ") + ":",
                      markdown(JUDGED, rows)]  # fmt: skip
        parts.append(markdown(SELECTED, [selected(name, label, group) for name, label, group in runs]))
    return parts


def alarm() -> list[str]:
    """Lay out tables 3 to 7, and what other conventions cost."""
    table, parts = stored("alarm"), []
    for rows in (5000, 50):
        for conventions in CONVENTIONS:
            runs = table[(table["rows"] == rows) & (table["conventions"] == conventions.title)]
            cells = [
                [*map(str, run[2:]), *printed(method(str(run[2])), rows)]
                for run in runs.itertuples(index=False, name=None)
            ]
            parts += [f"## ALARM, HR, {rows} rows, alpha = {ALPHA}, 10 samples: {conventions.title}",
                      markdown(FOUND, cells)]  # fmt: skip
    options = stored("options")
    names = list(dict.fromkeys(options["search"]))
    cells = [
        [str(label), str(rows), *(OTHER.format(one=one) for one in runs.itertuples())]
        for (label, rows), runs in options.groupby(["convention", "rows"], sort=False)
    ]
    return [*parts, "## What other conventions cost (precision / recall; PC / SP / FP; IAMB by G2 / dof)",
            markdown(["convention", "rows", *names], cells)]  # fmt: skip


def write() -> None:
    """Write the page whole, and its figures."""
    figures = [f"![{title}]({file})\n\n{title}." for file, title in draw().items()]
    parts = [
        TEXT.read_text("utf-8").rstrip(),
        *alarm(),
        "## Figures 9 to 11",
        markdown(ABOVE, above()),
        *figures,
    ]
    for title, names in GROUPS.items():
        parts += sets(title, names)
    (RESULTS / "unified_view.md").write_text(stamped("\n\n".join(parts)), "utf-8")
