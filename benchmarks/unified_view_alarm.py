"""Tables 3 to 7 and figures 9 to 11 of the unified view: samples of ALARM with HR as the target."""

from __future__ import annotations

import time
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

from . import unified_view_records as records
from .unified_view_conventions import DEFAULTS, ORDERED, PAPER_LIKE, Conventions, Learner, Search

ALARM = Path(__file__).parents[1] / "examples" / "data" / "alarm.bif"
TARGET, SEEDS, TEST_ROWS = "HR", 10, 1000
SIZE_SEEDS = 10
"""Samples of figures 9 to 11."""
LIMITS = Limits(max_tests=200_000)
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
RANKED = ("mRMR", "CMIM (capped)", "JMI")
"""Filters of figures 9 to 11."""


def drawn(network: BayesianNetwork, rows: int, seed: int) -> tuple[Dataset, pd.DataFrame]:
    """Draw a training set, and a test set of its own."""
    train, test = network.sample(rows, seed), network.sample(TEST_ROWS, 10_000 + seed)
    return Dataset(train.drop(columns=TARGET), train[TARGET]), test


def coded(data: Dataset, test: pd.DataFrame, features: list[str]) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Codes of training and test rows, and numbers of levels."""
    levels = [list(test[name].cat.categories) for name in features]
    train_x, test_x = (
        np.column_stack(
            [
                pd.Categorical(table[name], categories=known).codes
                for name, known in zip(features, levels, strict=True)
            ]
        )
        for table in (data.X, test)
    )
    return train_x, test_x, [len(known) for known in levels]


def accuracies(data: Dataset, test: pd.DataFrame, features: list[str]) -> tuple[float, float]:
    """Accuracy of three nearest neighbours (Hamming) and of naive Bayes on the test rows, in percent."""
    truth = test[TARGET].to_numpy()
    if not features:
        share = 100 * float((truth == data.y.mode()[0]).mean())
        return share, share
    train_x, test_x, levels = coded(data, test, features)
    near = KNeighborsClassifier(3, metric="hamming").fit(train_x, data.y)
    naive = CategoricalNB(min_categories=levels).fit(train_x, data.y)
    return tuple(100 * float((model.predict(test_x) == truth).mean()) for model in (near, naive))  # type: ignore[return-value]


def growing(data: Dataset, test: pd.DataFrame, names: list[str]) -> Iterator[tuple[float, float]]:
    """Accuracies with the first feature, the first two, …; distances are those before and one more."""
    truth = test[TARGET].to_numpy()
    train_x, test_x, levels = coded(data, test, names)
    classes, labels = np.unique(data.y.to_numpy(), return_inverse=True)
    distances = np.zeros((len(test_x), len(train_x)), dtype=np.uint8)
    for size in range(1, len(names) + 1):
        distances += test_x[:, size - 1, None] != train_x[:, size - 1]
        nearest = labels[np.argpartition(distances, 2, axis=1)[:, :3]]
        votes = (nearest[:, :, None] == np.arange(len(classes))).sum(axis=1)
        naive = CategoricalNB(min_categories=levels[:size]).fit(train_x[:, :size], labels)
        guesses = votes.argmax(axis=1), naive.predict(test_x[:, :size])
        yield tuple(100 * float((classes[guess] == truth).mean()) for guess in guesses)  # type: ignore[misc]


def sizes(seeds: int) -> None:
    """Store the mean accuracies by number of features, 5,000 rows: figures 9 to 11."""
    network = read_network(ALARM)
    truth = sorted(network.parents_and_children(TARGET))
    values: dict[str, list[list[tuple[float, float]]]] = {name: [] for name in RANKED}
    bound = []
    for seed in range(seeds):
        data, test = drawn(network, 5000, seed)
        bound.append(list(growing(data, test, truth))[-1])  # ties are broken as in the curves
        for name in RANKED:
            names = [step.feature for step in PAPER_LIKE.ranked()[name](data, len(data.features))[0].path]
            values[name].append(list(growing(data, test, names)))
    near_true, naive_true = np.mean(bound, axis=0)
    found = [
        {
            "filter": name,
            "features": size,
            "knn": near,
            "nbc": naive,
            "knn_true": near_true,
            "nbc_true": naive_true,
        }
        for name, runs in values.items()
        for size, (near, naive) in enumerate(np.mean(runs, axis=0), start=1)
    ]
    records.replace("sizes", found, ["filter", "features"])


def spread(values: list[float], digits: int = 3) -> str:
    """Mean and standard deviation."""
    return f"{np.mean(values):.{digits}f} ± {np.std(values, ddof=1):.{digits}f}"


def row(network: BayesianNetwork, rows: int, search: Search | None, near: bool) -> dict[str, object]:
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
    names = records.STORES["alarm"][3:]
    digits = [3] * 5 + [2, 2]
    cells = {name: spread(column, places) for name, column, places in zip(names, columns, digits)}  # noqa: B905
    return {**cells, "ms": f"{np.mean(columns[7]):.1f}"}


def alarm() -> None:
    """Store tables 3 to 7 under both conventions, and what other conventions of the test cost."""
    network = read_network(ALARM)
    for conventions in (PAPER_LIKE, DEFAULTS):  # compiles or loads what is compiled
        conventions.by_test(blanket.iamb, LIMITS)(drawn(network, 500, SEEDS)[0])
    for rows in (5000, 50):
        for conventions in (PAPER_LIKE, DEFAULTS):
            shared: dict[str, object] = {"rows": rows, "conventions": conventions.title}
            found = [
                {**shared, "search": label, **row(network, rows, search, near)}
                for label, search, near in lines(network, conventions)
            ]
            records.replace("alarm", found, ["rows", "conventions", "search"])
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
            yield (
                "all features",
                lambda data: ranking.mim(data, len(data.features), bins=5, debiased=False),
                False,
            )


def other_conventions(network: BayesianNetwork) -> None:
    """Store what is found under other conventions of the test."""
    for label, options in CONVENTIONS.items():
        setting = replace(PAPER_LIKE, options=options)
        found: list[dict[str, object]] = []
        for rows in (5000, 50):
            for name in ("IAMB", "MMMB", "HITON-MB", "MMPC", "HITON-PC"):
                order = {"order_variables": blanket.dependent_by_association} if name in ORDERED else {}
                search = setting.by_test({**BLANKETS, **NEIGHBOURS}[name], LIMITS, **order)
                got = row(network, rows, search, name in NEIGHBOURS)
                cells = {key: str(got[key]).split()[0] for key in records.STORES["options"][3:]}
                found.append({"convention": label, "rows": rows, "search": name, **cells})
        records.replace("options", found, ["convention", "rows", "search"])
