"""Tables 9 to 11 of the unified view: accuracy of support vector machines, set sizes, times.

Features are selected on all rows, as the paper seems to have done, and then judged by ten folds of these
rows; or selected anew in the training rows of every fold, so that no test row takes part in the selection.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

from altsel import Dataset
from altsel import blankets as blanket
from altsel.blankets import Limits
from altsel.data import binned

from .unified_view_conventions import (
    ALPHA,
    DEFAULTS,
    PAPER_LIKE,
    Conventions,
    Filter,
    Learner,
    Search,
    method,
)
from .unified_view_paper import printed_svm

SECONDS, FOLDS, BINS = 120, 10, 5
WITHIN_SECONDS = 20
"""Searches that take longer on all rows are not repeated in the folds."""
SIZES = (5, 10, 15, 20, 25)
KERNELS = ("linear", "rbf")
FIRST_ROWS = {"madelon": 2000}
"""Rows of the paper, where the file holds more: the training part."""
TESTED: dict[str, Learner] = {
    "MMPC": blanket.mmpc,
    "HITON-PC": blanket.hiton_pc,
    "MMMB": blanket.mmmb,
    "HITON-MB": blanket.hiton_mb,
    "IAMB": blanket.iamb,
}
HEAD = (
    "| data | search | features | linear | RBF | features, in folds | linear, in folds | RBF, in folds "
    "| CPU s | tests | stop | paper, accuracy | paper, features | paper, s |"
)

Selection = Callable[[Dataset, str], list[str]]
"""Names features for a machine with a kernel."""
Fold = tuple[Dataset, pd.DataFrame, pd.Series]
"""Training rows, and features and classes of test rows."""
Folds = list[Fold]


def read(folder: Path, name: str) -> Dataset:
    """Read a set, its first rows only if the paper has no more, without rows that miss values."""
    table = pd.read_csv(folder / f"{name}.csv.gz", keep_default_na=False, na_values=[""])
    return Dataset(table.iloc[: FIRST_ROWS.get(name)], "target", missing="drop rows")


def part(data: Dataset, rows: list[int]) -> Dataset:
    """Take some rows; columns that are constant there are left out."""
    table = data.X.iloc[rows]
    varying = [name for name in data.features if (table[name] != table[name].iloc[0]).any()]
    kinds = {name: data.kinds[name] for name in varying}
    return Dataset(table[varying], data.y.iloc[rows], data.task, kinds=kinds)


def accuracy(fold: Fold, features: list[str], kernel: str) -> float:
    """Accuracy of a machine (C = 1) on test rows; numbers are standardised, categories are indicators."""
    train, test_x, test_y = fold
    if not features:
        return float((test_y == train.y.mode()[0]).mean())
    nominal = any(isinstance(train.X[name].dtype, pd.CategoricalDtype) for name in features)
    scale = OneHotEncoder(handle_unknown="ignore") if nominal else StandardScaler()
    machine = make_pipeline(scale, SVC(kernel=kernel)).fit(train.X[features], train.y)
    return float((machine.predict(test_x[features]) == test_y).mean())


def divided(data: Dataset) -> Folds:
    """Divide the rows into ten parts, each the test rows once."""
    return [
        (part(data, train.tolist()), data.X.iloc[test], data.y.iloc[test])
        for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(data.X, data.y)
    ]


def judged(folds: Folds, features: list[str], kernel: str) -> float:
    """Mean accuracy of given features over the folds."""
    shares = []
    for fold in folds:
        varying = [name for name in features if name in fold[0].features]
        shares.append(accuracy(fold, varying, kernel))
    return float(np.mean(shares))


def judged_within(folds: Folds, select: Selection) -> list[str]:
    """Mean number of features, and accuracies, of selections in the training rows of each fold."""
    sizes, shares = [], dict[str, list[float]]({kernel: [] for kernel in KERNELS})
    for fold in folds:
        for kernel in KERNELS:
            features = select(fold[0], kernel)
            shares[kernel].append(accuracy(fold, features, kernel))
            sizes.append(len(features))
    return [f"{np.mean(sizes):.1f}", *(f"{np.mean(shares[kernel]):.4f}" for kernel in KERNELS)]


def once(search: Search) -> Selection:
    """Select by a search, whose result for the last data is kept, as it is the same for every kernel."""
    last: list[tuple[Dataset, list[str]]] = []

    def select(data: Dataset, _: str) -> list[str]:
        if not last or last[0][0] is not data:
            last[:] = [(data, list(search(binned(data, BINS))[0]))]
        return last[0][1]

    return select


def path(rank: Filter, data: Dataset) -> list[str]:
    """Rank features on binned rows."""
    flat = binned(data, BINS)
    return [step.feature for step in rank(flat, min(max(SIZES), len(flat.features)))[0].path]


def with_size(rank: Filter) -> Selection:
    """Select as many features of a ranking as do best on a quarter of the rows, ranked on the others."""
    last: list[tuple[Dataset, Fold, list[str], list[str]]] = []

    def select(data: Dataset, kernel: str) -> list[str]:
        if not last or last[0][0] is not data:
            rows = np.arange(len(data.y))
            train, rest = train_test_split(rows, test_size=0.25, random_state=0, stratify=data.y)
            inner = part(data, train.tolist()), data.X.iloc[rest], data.y.iloc[rest]
            last[:] = [(data, inner, path(rank, inner[0]), path(rank, data))]
        _, inner, tried, names = last[0]
        return names[: max(SIZES, key=lambda size: accuracy(inner, tried[:size], kernel))]

    return select


def tested_row(folds: Folds, flat: Dataset, search: Search, within: float) -> list[str]:
    """Judge a search by tests: both kernels, on all rows and in the folds; time, tests, stop."""
    began = time.process_time()
    found = search(flat)
    seconds = time.process_time() - began
    shares = [f"{judged(folds, list(found[0]), kernel):.4f}" for kernel in KERNELS]
    inside = judged_within(folds, once(search)) if seconds <= within else ["", "", ""]
    return [str(len(found[0])), *shares, *inside, f"{seconds:.2f}", str(found.effort.tests), found.stop.value]


def ranked_row(folds: Folds, flat: Dataset, rank: Filter) -> list[str]:
    """Judge a filter, on all rows with the size that is most accurate on the test rows, as the paper."""
    began = time.process_time()
    names = [step.feature for step in rank(flat, min(max(SIZES), len(flat.features)))[0].path]
    seconds = time.process_time() - began
    sizes, shares = [], []
    for kernel in KERNELS:
        by_size = {size: judged(folds, names[:size], kernel) for size in SIZES if size <= len(names)}
        sizes.append(max(by_size, key=lambda size: by_size[size]))
        shares.append(f"{by_size[sizes[-1]]:.4f}")
    inside = judged_within(folds, with_size(rank))
    return [" / ".join(map(str, sizes)), *shares, *inside, f"{seconds:.2f}", "", "count"]


def rows(conventions: Conventions, data: Dataset, name: str, within: float) -> Iterator[str]:
    """Make one row a search."""
    flat, folds = binned(data, BINS), divided(data)
    for first in conventions.tested({"MMPC": blanket.mmpc}, Limits(max_tests=5000)).values():
        first(flat)  # compiles or loads what is compiled
    for label, search in conventions.tested(TESTED, Limits(max_seconds=SECONDS)).items():
        cells = [*tested_row(folds, flat, search, within), *printed_svm(name, method(label))]
        yield f"| {name} | {label} | {' | '.join(cells)} |"
    for label, rank in conventions.ranked().items():
        cells = [*ranked_row(folds, flat, rank), *printed_svm(name, method(label))]
        yield f"| {name} | {label} | {' | '.join(cells)} |"


def real_data(folder: Path, names: list[str], within: float) -> None:
    """Print one row a data set and search under both conventions."""
    for conventions in (PAPER_LIKE, DEFAULTS):
        print(f"\n## Real data, numbers in {BINS} bins for selection, alpha = {ALPHA}: {conventions.title}\n")
        print(HEAD + "\n|" + "---|" * (HEAD.count("|") - 1))
        for name in names:
            for line in rows(conventions, read(folder, name), name, within):
                print(line, flush=True)
