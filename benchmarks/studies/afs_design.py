"""The design of the study of AFS (v1, section 5): data, folds, settings, and the records they give."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pandas as pd
from sklearn.model_selection import StratifiedKFold

from altsel.data.frames import to_table
from altsel.errors import ArgumentError
from benchmarks.instances import filled

SEED = 25
FOLDS = 10
SIZES = (5, 10)
SEQUENTIAL, SIMULTANEOUS = 10, (1, 2, 3, 4, 5)
"""Alternatives of the sequential run, and of each simultaneous run."""
SELECTORS = ("mi", "gain", "fcbf", "wrapper")
LATER = ("mrmr",)
"""The selector that the later version of the paper adds."""
SECONDS = 60.0
"""Limit of one solver run."""


@dataclass(frozen=True)
class Fold:
    """The training and the test rows of one fold of a data set, as numbers.

    Attributes
    ----------
    data, number
        The data set's name and the fold's number.
    X, y
        Training rows and classes.
    X_test, y_test
        Test rows and classes.
    """

    data: str
    number: int
    X: pd.DataFrame
    y: pd.Series
    X_test: pd.DataFrame
    y_test: pd.Series


@dataclass(frozen=True)
class Setting:
    """One run: what is wanted of the sets.

    Attributes
    ----------
    k
        Features of a set.
    tau
        Dice dissimilarity of any two sets.
    search
        ``"sequential"``, ``"sum"`` or ``"min"`` (simultaneous), ``"replacement"`` or ``"balancing"``.
    asked
        Number of alternatives.
    """

    k: int
    tau: float
    search: str
    asked: int


def thresholds(k: int) -> tuple[float, ...]:
    """Return the taus of a size, one for each overlap below it."""
    return tuple(round(i / k, 2) for i in range(1, k + 1))


def settings() -> Iterator[Setting]:
    """Yield the runs of a selector, in the order of the paper."""
    for k in SIZES:
        for tau in thresholds(k):
            yield Setting(k, tau, "sequential", SEQUENTIAL)
            yield from (Setting(k, tau, "sum", asked) for asked in SIMULTANEOUS)


def later_settings(selector: str) -> Iterator[Setting]:
    """Yield the runs that the later version of the paper adds."""
    for k in SIZES:
        for tau in thresholds(k):
            yield from (Setting(k, tau, "min", asked) for asked in SIMULTANEOUS)
            if selector in {"mi", "gain"}:
                yield Setting(k, tau, "replacement", SEQUENTIAL)
                yield Setting(k, tau, "balancing", SEQUENTIAL)


@lru_cache(maxsize=4)
def coded(path: Path) -> tuple[pd.DataFrame, pd.Series]:
    """Read a table: categories as sorted codes, missing ones as one of their own, numbers as the median."""
    table = to_table(path).apply(filled)
    if "target" not in table:
        raise ArgumentError(f"{path}: no column 'target'")
    target = pd.Series(pd.factorize(table.pop("target"), sort=True)[0], name="target")
    for name in table:
        if not pd.api.types.is_numeric_dtype(table[name]):
            table[name] = pd.factorize(table[name], sort=True)[0]
    return table.astype(float), target


def fold(path: Path, number: int) -> Fold:
    """Divide a table by stratified folds, shuffled with the study's seed, and return one of them."""
    X, y = coded(path)
    divided = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED).split(X, y)
    train, test = list(divided)[number]
    parts = [part.iloc[rows].reset_index(drop=True) for rows in (train, test) for part in (X, y)]
    return Fold(name_of(path), number, *parts)


def name_of(path: Path) -> str:
    """Return a data set's name."""
    return path.name.removesuffix(".csv.gz")
