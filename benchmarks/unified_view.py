"""The experiments of the unified view: ALARM with HR as the target, and four real data sets.

Run: python -m benchmarks.unified_view [folder of data sets]
Without a folder of data sets only ALARM is done (tables 3 to 7 of the paper).
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.naive_bayes import CategoricalNB
from sklearn.neighbors import KNeighborsClassifier

from altsel import Dataset, Solutions, ranking, read_network
from altsel import blankets as blanket
from altsel.blankets import Limits
from altsel.data import BayesianNetwork
from altsel.independence import GSquare

from .unified_view_paper import printed
from .unified_view_sets import real_data

ALARM = Path(__file__).parents[1] / "examples" / "data" / "alarm.bif"
TARGET, SEEDS, ALPHA, TEST_ROWS = "HR", 10, 0.01, 1000
MOST_TESTS = 200_000

Search = Callable[[Dataset], Solutions]


def by_test(search: Callable[..., Solutions], **options: object) -> Search:
    """Make a search of a learner, with options of the test."""

    def run(data: Dataset) -> Solutions:
        test = GSquare(data, **options)  # type: ignore[arg-type]
        return search(test, ALPHA, limits=Limits(max_tests=MOST_TESTS))

    return run


BLANKETS: dict[str, Callable[..., Solutions]] = {
    "IAMB": blanket.iamb,
    "MMMB": blanket.mmmb,
    "HITON-MB": blanket.hiton_mb,
    "Inter-IAMB": blanket.inter_iamb,
    "Fast-IAMB": blanket.fast_iamb,
    "Grow-Shrink": blanket.grow_shrink,
    "FBS": blanket.forward_backward,
    "IPC-MB": blanket.ipcmb,
    "STMB": blanket.stmb,
}
NEIGHBOURS: dict[str, Callable[..., Solutions]] = {"MMPC": blanket.mmpc, "HITON-PC": blanket.hiton_pc}
FILTERS: dict[str, Callable[..., Solutions]] = {
    "mRMR": ranking.mrmr,
    "CMIM": ranking.cmim,
    "JMI": ranking.jmi,
}
CONVENTIONS: dict[str, dict[str, object]] = {
    "adjusted dof, 5 rows a cell, else skipped (default)": {},
    "full dof": {"adjusted": False},
    "no minimum of rows": {"samples_per_cell": 0},
    "too few rows: independent": {"untestable": "independent"},
    "too few rows: dependent": {"untestable": "dependent"},
    "full dof, no minimum": {"adjusted": False, "samples_per_cell": 0},
}


def drawn(network: BayesianNetwork, rows: int, seed: int) -> tuple[Dataset, pd.DataFrame]:
    """Draw a training set, and a test set of its own."""
    train, test = network.sample(rows, seed), network.sample(TEST_ROWS, 10_000 + seed)
    return Dataset(train.drop(columns=TARGET), train[TARGET]), test


def accuracies(data: Dataset, test: pd.DataFrame, features: list[str]) -> tuple[float, float]:
    """Accuracy of three nearest neighbours (Hamming) and of naive Bayes on the test rows, in percent."""
    truth = test[TARGET].to_numpy()
    if not features:
        share = 100 * float((truth == data.y.mode()[0]).mean())
        return share, share
    levels = {name: list(test[name].cat.categories) for name in features}
    train_x, test_x = (
        np.column_stack([pd.Categorical(table[name], categories=levels[name]).codes for name in features])
        for table in (data.X, test)
    )
    near = KNeighborsClassifier(3, metric="hamming").fit(train_x, data.y)
    naive = CategoricalNB(min_categories=[len(level) for level in levels.values()]).fit(train_x, data.y)
    return tuple(100 * float((model.predict(test_x) == truth).mean()) for model in (near, naive))  # type: ignore[return-value]


def spread(values: list[float], digits: int = 3) -> str:
    """Mean and standard deviation."""
    return f"{np.mean(values):.{digits}f} ± {np.std(values, ddof=1):.{digits}f}"


def row(network: BayesianNetwork, rows: int, search: Search | None, near: bool) -> list[str]:
    """Precision, recall, true neighbours, spouses, false positives, accuracies and milliseconds."""
    neighbours, spouses = (set(part(TARGET)) for part in (network.parents_and_children, network.spouses))
    truth = neighbours if near else neighbours | spouses
    columns: list[list[float]] = [[] for _ in range(8)]
    for seed in range(SEEDS):
        data, test = drawn(network, rows, seed)
        began = time.perf_counter()
        found = truth & set(data.features) if search is None else set(search(data)[0])
        spent = 1000 * (time.perf_counter() - began)
        hits = len(found & truth)
        near_share, naive_share = accuracies(data, test, sorted(found))
        values = (
            hits / max(len(found), 1), hits / len(truth), len(found & neighbours), len(found & spouses),
            len(found - neighbours - spouses), near_share, naive_share, spent,
        )  # fmt: skip
        for column, value in zip(columns, values, strict=True):
            column.append(value)
    return [*(spread(column) for column in columns[:5]), *(spread(column, 2) for column in columns[5:7]),
            f"{np.mean(columns[7]):.1f}"]  # fmt: skip


def alarm() -> None:
    """Print tables 3 to 7, and what other conventions cost."""
    network = read_network(ALARM)
    by_test(blanket.iamb)(drawn(network, 500, SEEDS)[0])  # compiles or loads what is compiled
    size = {False: len(network.blanket(TARGET)), True: len(network.parents_and_children(TARGET))}
    for rows in (5000, 50):
        print(f"\n## ALARM, {TARGET}, {rows} rows, alpha = {ALPHA}, {SEEDS} samples\n")
        print(
            "| search | precision | recall | PC | SP | FP | KNN % | NBC % | ms | paper, precision / recall |"
        )
        print("|---|---|---|---|---|---|---|---|---|---|")
        lines: list[tuple[str, Search | None, bool]] = [("true blanket", None, False)]
        lines += [(name, by_test(search), False) for name, search in BLANKETS.items()]
        lines += [(name, partial(search, k=size[False]), False) for name, search in FILTERS.items()]
        lines += [("all features", lambda data: ranking.mim(data, len(data.features)), False)]
        lines += [("true neighbours", None, True)]
        lines += [(name, by_test(search), True) for name, search in NEIGHBOURS.items()]
        lines += [(f"{name}, 5", partial(search, k=size[True]), True) for name, search in FILTERS.items()]
        for name, search, near in lines:
            message = " | ".join(row(network, rows, search, near))
            print(f"| {name} | {message} | {' | '.join(printed(name, rows))} |", flush=True)
    conventions(network)


def conventions(network: BayesianNetwork) -> None:
    """Print precision / recall under other conventions of the test."""
    print("\n## What other conventions cost (precision / recall)\n")
    names = ["IAMB", "MMMB", "HITON-MB", "MMPC", "HITON-PC"]
    print("| convention | rows |", " | ".join(names), "|")
    print("|---|---|" + "---|" * len(names))
    for label, options in CONVENTIONS.items():
        for rows in (5000, 50):
            cells = []
            for name in names:
                search = by_test({**BLANKETS, **NEIGHBOURS}[name], **options)
                precision, recall = row(network, rows, search, name in NEIGHBOURS)[:2]
                cells.append(f"{precision.split()[0]} / {recall.split()[0]}")
            print(f"| {label} | {rows} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Print all tables as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    folder = parser.parse_args().folder
    warnings.simplefilter("ignore")
    alarm()
    if folder is not None:
        real_data(folder)


if __name__ == "__main__":
    main()
