"""Rows dealt to folds, and some rows or features of a data set as one of its own."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence

import numpy as np

from altsel._types import IntArray
from altsel.data.dataset import Dataset, of_columns
from altsel.errors import DataWarning


def dealt(strata: IntArray, number: int, seed: int) -> Iterator[IntArray]:
    """Deal rows to folds like cards, stratum after stratum; rows of a fold ascend.

    Examples
    --------
    >>> [len(fold) for fold in dealt(np.zeros(7, dtype=np.int64), 3, seed=0)]
    [3, 2, 2]
    """
    order = np.random.default_rng(seed).permutation(len(strata))
    order = order[np.argsort(strata[order], kind="stable")]
    return (np.sort(order[first::number]) for first in range(number))


def subset(data: Dataset, rows: IntArray | slice, features: Sequence[str]) -> Dataset:
    """Return some rows and features of a data set; what is constant there is in its ``constant``."""
    table = data.X.iloc[rows][list(features)]
    varied = [name for name in features if (table[name] != table[name].iloc[0]).any()]
    kinds = {name: kind for name, kind in data.declared_kinds.items() if name in {*varied, data.target}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # said of all rows already
        return of_columns(table, data.y.iloc[rows], data.task, kinds).with_members(data.members)
