"""The experiments of the unified view: ALARM with HR as the target, and four real data sets.

Run: python -m benchmarks.unified_view [FOLDER] [--sets alarm mushroom kr-vs-kp madelon spambase]
Without a folder of data sets only ALARM is done (tables 3 to 7 of the paper).
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.naive_bayes import CategoricalNB
from sklearn.neighbors import KNeighborsClassifier

from altsel import Dataset, ranking, read_network
from altsel import blankets as blanket
from altsel.blankets import Limits
from altsel.data import BayesianNetwork

from .unified_view_conventions import (
    ALPHA,
    DEFAULTS,
    ORDERED,
    PAPER_LIKE,
    Conventions,
    Learner,
    Search,
    method,
)
from .unified_view_paper import SVM, printed
from .unified_view_sets import WITHIN_SECONDS, real_data

ALARM = Path(__file__).parents[1] / "examples" / "data" / "alarm.bif"
TARGET, SEEDS, TEST_ROWS = "HR", 10, 1000
LIMITS = Limits(max_tests=200_000)
HEAD = (
    "| search | precision | recall | PC | SP | FP | KNN % | NBC % | CPU ms "
    "| paper, precision / recall | paper, PC / SP / FP | paper, KNN / NBC % |"
)

BLANKETS: dict[str, Learner] = {
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
NEIGHBOURS: dict[str, Learner] = {"MMPC": blanket.mmpc, "HITON-PC": blanket.hiton_pc}
CLASSICAL: dict[str, dict[str, object]] = {
    "adjusted dof, 5 rows a cell, else skipped (the replication's)": {},
    "full dof": {"adjusted": False},
    "no minimum of rows": {"samples_per_cell": 0},
    "too few rows: independent": {"untestable": "independent"},
    "too few rows: dependent": {"untestable": "dependent"},
    "full dof, no minimum": {"adjusted": False, "samples_per_cell": 0},
}
CONVENTIONS: dict[str, dict[str, object]] = {
    **{label: {"corrected": False, **options} for label, options in CLASSICAL.items()},
    "corrected, no minimum (the package's default)": {},
    "corrected, 5 rows a cell, else skipped": {"samples_per_cell": 5},
}


def rule(head: str) -> str:
    """Return the line below a table's head."""
    return "|" + "---|" * (head.count("|") - 1)


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
    """Precision, recall, true neighbours, spouses, false positives, accuracies and CPU milliseconds."""
    neighbours, spouses = (set(part(TARGET)) for part in (network.parents_and_children, network.spouses))
    truth = neighbours if near else neighbours | spouses
    columns: list[list[float]] = [[] for _ in range(8)]
    for seed in range(SEEDS):
        data, test = drawn(network, rows, seed)
        began = time.process_time()
        found = truth & set(data.features) if search is None else set(search(data)[0])
        spent = 1000 * (time.process_time() - began)
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
    """Print tables 3 to 7 under both conventions, and what other conventions of the test cost."""
    network = read_network(ALARM)
    for conventions in (PAPER_LIKE, DEFAULTS):  # compiles or loads what is compiled
        conventions.by_test(blanket.iamb, LIMITS)(drawn(network, 500, SEEDS)[0])
    for rows in (5000, 50):
        for conventions in (PAPER_LIKE, DEFAULTS):
            print(
                f"\n## ALARM, {TARGET}, {rows} rows, alpha = {ALPHA}, {SEEDS} samples: {conventions.title}\n"
            )
            print(f"{HEAD}\n{rule(HEAD)}")
            for label, search, near in lines(network, conventions):
                cells = [*row(network, rows, search, near), *printed(method(label), rows)]
                print(f"| {label} | {' | '.join(cells)} |", flush=True)
    other_conventions(network)


def lines(network: BayesianNetwork, conventions: Conventions) -> Iterator[tuple[str, Search | None, bool]]:
    """Name what the table compares, and whether the neighbours alone are sought."""
    same = conventions is PAPER_LIKE  # what no convention changes is given once
    size = {False: len(network.blanket(TARGET)), True: len(network.parents_and_children(TARGET))}
    for near, truth, learners in ((False, "true blanket", BLANKETS), (True, "true neighbours", NEIGHBOURS)):
        if same:
            yield truth, None, near
        yield from ((label, search, near) for label, search in conventions.tested(learners, LIMITS).items())
        for label, rank in conventions.ranked().items():
            yield label + (", 5" if near else ""), partial(rank, k=size[near]), near
        if same and not near:
            yield "all features", lambda data: ranking.mim(data, len(data.features)), False


def other_conventions(network: BayesianNetwork) -> None:
    """Print precision / recall under other conventions of the test."""
    print("\n## What other conventions cost (precision / recall; IAMB by G2 / dof)\n")
    names = ["IAMB", "MMMB", "HITON-MB", "MMPC", "HITON-PC"]
    head = f"| convention | rows | {' | '.join(names)} |"
    print(f"{head}\n{rule(head)}")
    for label, options in CONVENTIONS.items():
        setting = replace(PAPER_LIKE, options=options)
        for rows in (5000, 50):
            cells = []
            for name in names:
                order = {"order_variables": blanket.dependent_by_association} if name in ORDERED else {}
                search = setting.by_test({**BLANKETS, **NEIGHBOURS}[name], LIMITS, **order)
                precision, recall = row(network, rows, search, name in NEIGHBOURS)[:2]
                cells.append(f"{precision.split()[0]} / {recall.split()[0]}")
            print(f"| {label} | {rows} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Print all tables as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--sets", nargs="*", choices=["alarm", *SVM], default=["alarm", *SVM])
    parser.add_argument("--within-seconds", type=float, default=WITHIN_SECONDS)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if "alarm" in given.sets:
        alarm()
    real = [name for name in given.sets if name != "alarm"]
    if given.folder is not None and real:
        real_data(given.folder, real, given.within_seconds)


if __name__ == "__main__":
    main()
