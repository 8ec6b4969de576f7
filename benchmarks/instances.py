"""What the benchmarks solve: qualities of features and what is wanted of them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, make_classification

import altsel
from altsel.data.frames import to_table


@dataclass(frozen=True)
class Instance:
    """One search: ``search`` is "sequential", "sum" or "min"; a larger ``limit`` than 60 s needs patience."""

    name: str
    quality: tuple[float, ...]
    k: int
    alternatives: int
    tau: float
    search: str
    solver: str = "highs"
    criterion: str = "univariate"
    redundancy: tuple[tuple[float, ...], ...] = ()


def speed() -> Iterator[Instance]:
    """Yield the instances whose ratios the README reports."""
    uniform = np.random.default_rng(0).random(5000)
    yield Instance("uniform n=5000", tuple(uniform), 10, 10, 0.5, "sequential")
    cancer, digits = load_breast_cancer(), load_digits()
    wdbc = _mutual_information(pd.DataFrame(cancer.data), pd.Series(cancer.target))
    even = _mutual_information(pd.DataFrame(digits.data), pd.Series(digits.target % 2))
    for tau in (0.2, 0.5):
        yield Instance("wdbc", wdbc, 5, 5, tau, "sum")
        yield Instance("digits odd/even", even, 10, 5, tau, "sum")
    yield Instance("wdbc", wdbc, 5, 5, 0.5, "min", "cp-sat")


def multivariate() -> Iterator[Instance]:
    """Yield FCBF and mRMR instances, on mutual information and on absolute correlations."""
    cancer, digits = load_breast_cancer(), load_digits()
    wdbc, even = (cancer.data, cancer.target), (digits.data, digits.target % 2)
    made = {n: make_classification(1000, n, n_informative=20, random_state=0) for n in (200, 500)}
    mi, pearson = altsel.measures.MutualInformation(debiased=False), altsel.measures.absolute_pearson
    yield _instance("wdbc, MI", wdbc, mi, "mrmr", (10, 1), "sequential")
    yield _instance("wdbc, MI", wdbc, mi, "mrmr", (5, 10), "sequential")
    yield _instance("wdbc, MI", wdbc, mi, "mrmr", (5, 5), "sum")
    yield _instance("wdbc, MI", wdbc, mi, "mrmr", (5, 5), "min")
    yield _instance("wdbc, Pearson", wdbc, pearson, "mrmr", (10, 0), "sequential")
    yield _instance("digits, Pearson", even, pearson, "mrmr", (10, 0), "sequential")
    yield _instance("digits, MI", even, mi, "mrmr", (10, 10), "sequential")
    linked = make_classification(1000, 200, n_informative=20, n_redundant=100, random_state=0)
    yield _instance("made, n=200, Pearson", made[200], pearson, "mrmr", (10, 0), "sequential")
    yield _instance("made, n=200, 100 of them redundant", linked, pearson, "mrmr", (10, 0), "sequential")
    yield _instance("made, n=200, Pearson", made[200], pearson, "fcbf", (10, 10), "sequential")
    yield _instance("made, n=500, Pearson", made[500], pearson, "fcbf", (10, 0), "sequential")
    for search in ("sum", "min"):
        yield _instance("digits, MI", even, mi, "fcbf", (3, 5), search)
        yield _instance("digits, Pearson", even, pearson, "fcbf", (5, 5), search)


def _instance(
    name: str, data: tuple[Any, Any], measure: Any, criterion: str, wanted: tuple[int, int], search: str
) -> Instance:
    table, target = data
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", altsel.DataWarning)
        rows = altsel.Dataset(pd.DataFrame(table).add_prefix("x"), pd.Series(target, name="the target"))
    found = altsel.dependence(rows, measure)
    redundancy = tuple(map(tuple, found.redundancy.to_numpy().tolist()))
    k, alternatives = wanted
    quality = tuple(found.relevance.tolist())
    return Instance(name, quality, k, alternatives, 0.5, search, "auto", criterion, redundancy)


def pmlb(folder: Path) -> Iterator[Instance]:
    """Yield the grid of AFS on a folder of data sets ``*.csv.gz`` with a column ``target``."""
    for path in sorted(folder.glob("*.csv.gz")):
        table = to_table(path)
        target = table.pop("target")
        quality = _mutual_information(table.apply(filled), target)
        for k, tau in product((5, 10), (0.2, 0.5, 1.0)):
            if k <= len(quality):
                yield Instance(path.name.removesuffix(".csv.gz"), quality, k, 10, tau, "sequential")
                yield Instance(path.name.removesuffix(".csv.gz"), quality, k, 3, tau, "sum")


def filled(column: pd.Series) -> pd.Series:
    """Fill missing numbers by the median, missing categories by one of their own."""
    if pd.api.types.is_numeric_dtype(column):
        return column.fillna(column.median())
    return column.astype(object).fillna("missing")


def _mutual_information(table: pd.DataFrame, target: pd.Series) -> tuple[float, ...]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", altsel.DataWarning)
        data = altsel.Dataset(table, target.rename("the target"))
    given = altsel.dependence(data, altsel.measures.MutualInformation(debiased=False))
    return tuple(given.normalized().relevance.tolist())
