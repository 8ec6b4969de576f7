"""Tables 9 to 19 of the unified view: what classifiers make of selected features, set sizes, times.

Features are selected on all rows, as the paper seems to have done, and then judged by ten folds of these
rows; or selected anew in the training rows of every fold, so that no test row takes part in the selection.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold, train_test_split

from altsel import Dataset, Solutions, Stop
from altsel import blankets as blanket
from altsel.blankets import Limits
from altsel.data import binned

from .unified_view_conventions import DEFAULTS, PAPER_LIKE, TWO_BINS, Conventions, Filter, Learner, Search
from .unified_view_models import Scores, scores
from .unified_view_records import replace

FOLDS, BINS, INNER_ROWS = 10, 5, 1000
SECONDS, WITHIN_SECONDS = 20.0, 5.0
"""CPU seconds of a search on all rows; and those above which it is not done in the folds."""
FEW_ROWS = ("prostate", "arcene", "leukemia", "lung")
"""Sets with up to 40 features from filters; the others have up to 25."""
FIRST_ROWS = {"madelon": 2000, "arcene": 100}
"""Rows of the paper, where the file holds more: the training part."""
BASES = tuple("ACGT")
TESTED: dict[str, Learner] = {
    "MMPC": blanket.mmpc,
    "HITON-PC": blanket.hiton_pc,
    "MMMB": blanket.mmmb,
    "HITON-MB": blanket.hiton_mb,
    "IAMB": blanket.iamb,
}
Record = dict[str, object]


def read(folder: Path, name: str) -> Dataset:
    """Read the rows of the paper, without those that miss values or, in splice, name no base."""
    table = pd.read_csv(folder / f"{name}.csv.gz", keep_default_na=False, na_values=[""])
    if name == "splice":
        table = table[table.drop(columns="target").isin(BASES).all(axis=1)].reset_index(drop=True)
    if name == "arcene":
        first = table.iloc[: FIRST_ROWS[name]]
        table = table.loc[:, (first != first.iloc[0]).any()]
    return Dataset(table.iloc[: FIRST_ROWS.get(name)], "target", missing="drop rows", rows_lost=1)


def part(data: Dataset, rows: list[int]) -> Dataset:
    """Take some rows; columns that are constant there are left out."""
    table = data.X.iloc[rows]
    varying = table.columns[(table.to_numpy() != table.iloc[0].to_numpy()).any(axis=0)]
    kinds = {name: data.kinds[name] for name in varying}
    return Dataset(table[varying], data.y.iloc[rows], data.task, kinds=kinds)


@dataclass(frozen=True)
class Fold:
    """Training rows, and features and classes of test rows."""

    train: Dataset
    test_x: pd.DataFrame
    test_y: pd.Series
    bins: int = BINS

    @cached_property
    def flat(self) -> Dataset:
        """The training rows with numbers in bins, for selection."""
        return binned(self.train, self.bins)

    @cached_property
    def inner(self) -> Fold:
        """A division of the training rows, of at most a thousand to learn from and to judge by."""
        y = self.train.y
        learn, judge = train_test_split(np.arange(len(y)), test_size=0.25, random_state=0, stratify=y)
        learn, judge = learn[:INNER_ROWS], judge[:INNER_ROWS]
        return Fold(part(self.train, learn.tolist()), self.train.X.iloc[judge], y.iloc[judge], self.bins)

    def scores(self, features: list[str], model: str) -> Scores:
        """Judge features that vary in the training rows."""
        known = [name for name in features if name in self.train.features]
        return scores(self.train, self.test_x, self.test_y, known, model)


def divided(data: Dataset, bins: int) -> list[Fold]:
    """Divide the rows into ten parts, each the test rows once."""
    return [
        Fold(part(data, train.tolist()), data.X.iloc[test], data.y.iloc[test], bins)
        for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(data.X, data.y)
    ]


def within(seconds: float, search: Search, data: Dataset) -> tuple[Solutions | None, float, str]:
    """Search for at most some CPU seconds; return what was found, what it took, and how it ended."""
    before = signal.signal(signal.SIGPROF, signal.default_int_handler)
    began = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        found = search(data)
        stop = "time" if found.stop is Stop.INTERRUPT else found.stop.value
    except KeyboardInterrupt:
        found, stop = None, "time"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return found, time.process_time() - began, stop


def summary(model: str, sizes: list[int], judged: list[Scores]) -> Record:
    """Sum up the folds: means and standard deviations."""
    record: Record = {"model": model, "features": float(np.mean(sizes))}
    for name, values in zip(("accuracy", "kappa", "auc"), np.array(judged).T, strict=True):
        record[name], record[f"{name}_sd"] = float(np.mean(values)), float(np.std(values, ddof=1))
    return record


def ranked(rank: Filter, flat: Dataset, most: int) -> list[str]:
    """Rank features on binned rows."""
    return [step.feature for step in rank(flat, min(most, len(flat.features)))[0].path]


@dataclass(frozen=True)
class Experiment:
    """One data set, its folds, the sizes tried and the models."""

    name: str
    data: Dataset
    folds: list[Fold]
    models: list[str]
    seconds: float
    within: float
    bins: int = BINS

    @property
    def sizes(self) -> range:
        """Numbers of features that filters try."""
        return range(5, 41 if self.name in FEW_ROWS else 26, 5)

    @cached_property
    def flat(self) -> Dataset:
        """All rows with numbers in bins, for selection."""
        return binned(self.data, self.bins)

    def tested(self, search: Search) -> Iterator[Record]:
        """Judge a search by tests, on all rows and, if it is quick, in the folds."""
        found, seconds, stop = within(self.seconds, search, self.flat)
        chosen = list(found[0]) if found is not None else []
        tests = found.effort.tests if found is not None else None
        told = {"seconds": seconds, "tests": tests, "stop": stop}
        for model in self.models:
            judged = [fold.scores(chosen, model) for fold in self.folds]
            yield {"selected": "all rows", **summary(model, [len(chosen)], judged), **told}
        if seconds > self.within or stop == "time":
            return
        inside = [within(self.seconds, search, fold.flat)[0] for fold in self.folds]
        names = [list(one[0]) if one is not None else [] for one in inside]
        for model in self.models:
            judged = [fold.scores(one, model) for fold, one in zip(self.folds, names, strict=True)]
            yield {"selected": "in folds", **summary(model, [len(one) for one in names], judged)}

    def filtered(self, rank: Filter) -> Iterator[Record]:
        """Judge a filter: the best size on the test rows, as the paper; or the best in the training rows."""
        began = time.process_time()
        names = ranked(rank, self.flat, max(self.sizes))
        told = {"seconds": time.process_time() - began, "tests": None, "stop": "count"}
        paths = [
            (ranked(rank, fold.flat, max(self.sizes)), ranked(rank, fold.inner.flat, max(self.sizes)))
            for fold in self.folds
        ]
        for model in self.models:
            tried = [
                summary(model, [len(names[:size])], [fold.scores(names[:size], model) for fold in self.folds])
                for size in self.sizes
            ]
            yield {"selected": "all rows", **max(tried, key=lambda one: one["accuracy"]), **told}  # type: ignore[arg-type, return-value]
            sizes, judged = [], []
            for fold, (whole, inner) in zip(self.folds, paths, strict=True):
                sizes.append(max(self.sizes, key=lambda size: fold.inner.scores(inner[:size], model)[0]))
                judged.append(fold.scores(whole[: sizes[-1]], model))
            yield {"selected": "in folds", **summary(model, sizes, judged)}

    def run(self, conventions: Conventions, told: Callable[[str], None]) -> None:
        """Do all searches of one set of conventions, and store each when it is done."""
        limits = Limits(max_tests=5000)
        for first in conventions.tested({"MMPC": blanket.mmpc}, limits).values():
            first(self.flat)  # compiles or loads what is compiled
        work: dict[str, Callable[[], Iterator[Record]]] = {}
        for label, search in conventions.tested(TESTED, Limits()).items():
            work[label] = lambda search=search: self.tested(search)  # type: ignore[misc]
        for label, rank in conventions.ranked().items():
            work[label] = lambda rank=rank: self.filtered(rank)  # type: ignore[misc]
        for label, records in work.items():
            shared = {"data": self.name, "conventions": conventions.title, "search": label}
            done: list[Record] = [{**shared, **record} for record in records()]
            replace("sets", done, ["data", "conventions", "search", "model"])
            told(f"{self.name}, {label}: {time.process_time():.0f} CPU s")


def real_data(
    folder: Path, names: list[str], models: list[str], limits: tuple[float, float], bins: int
) -> None:
    """Do all searches on some sets under both conventions, or by two bins under those of the paper."""
    for name in names:
        data = read(folder, name)
        experiment = Experiment(name, data, divided(data, bins), models, *limits, bins)
        for conventions in (PAPER_LIKE, DEFAULTS) if bins == BINS else (TWO_BINS,):
            experiment.run(conventions, print)
