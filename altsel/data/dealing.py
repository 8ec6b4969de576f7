"""Rows dealt to folds, and some rows or features of a data set as one of its own."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from math import ceil
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import IntArray
from altsel.data.dataset import Dataset, of_columns
from altsel.data.schema import Kind
from altsel.errors import ArgumentError, DataWarning, absence, checked_integer


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
        made = of_columns(table, data.y.iloc[rows], data.task, kinds).with_members(data.members)
        object.__setattr__(made, "absent", {**data.absent, **made.absent})
        object.__setattr__(made, "_missing_levels", data._missing_levels)
        return made


def split(
    data: Dataset, share: float, random_state: int = 0, groups: str | npt.ArrayLike | None = None
) -> tuple[Dataset, Dataset]:
    """Return rows to learn from, and a share of the rows that is held out; see `altsel.Dataset.split`."""
    number = isinstance(share, (int, float)) and not isinstance(share, bool)
    if not (number and 0 < share < 1):
        raise ArgumentError(f"share={share!r}; hold out a share of the rows above 0 and below 1, such as 0.3")
    checked_integer("random_state", random_state, 0)
    kept, aside = _parted(data, float(share), random_state, _group_of_rows(data, groups))
    train = subset(data, kept, data.features)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return train, train.holdout(data.X.iloc[aside], data.y.iloc[aside])


def _parted(
    data: Dataset, share: float, seed: int, groups: npt.NDArray[Any] | None
) -> tuple[IntArray, IntArray]:
    """Deal rows to both sides: of every class alike, or whole groups."""
    from sklearn import model_selection  # noqa: PLC0415  (heavy)

    rows = np.arange(len(data.y))
    try:
        if groups is not None:
            whole = model_selection.GroupShuffleSplit(1, test_size=share, random_state=seed)
            kept, aside = next(whole.split(rows, groups=groups))
        else:
            strata = data.y if data.discrete_target else None
            kept, aside = model_selection.train_test_split(
                rows, test_size=share, random_state=seed, stratify=strata
            )
    except ValueError as fault:
        raise ArgumentError(
            f"a share of {share:g} holds {ceil(share * len(rows))} of {len(rows)} rows out: too few on one "
            "side for each class, or for whole groups; use a share such as 0.3"
        ) from fault
    return np.asarray(kept), np.asarray(aside)


def _group_of_rows(data: Dataset, groups: str | npt.ArrayLike | None) -> npt.NDArray[Any] | None:
    if groups is None:
        return None
    if isinstance(groups, str) and groups not in data.features:
        why = absence(groups, data.features, data.absent)
        raise ArgumentError(
            f"groups={groups!r} is no column of the data{why}; give a name, or one group a row"
        )
    found = data.X[groups].to_numpy() if isinstance(groups, str) else np.asarray(groups)
    if found.shape != (len(data.y),):
        raise ArgumentError(f"groups has shape {found.shape}; give one a row, {len(data.y)}")
    return found


def joined(data: Dataset, holdout: Dataset) -> Dataset:
    """Return the rows of both, those to learn from first, with the levels of the others: all there are.

    Raises
    ------
    ArgumentError
        If they are no rows of the same table, or the same rows.
    """
    if (holdout.target, holdout.task) != (data.target, data.task) or holdout.features != data.features:
        raise ArgumentError(
            "holdout has other columns than data: make it by data.holdout(X, y), or data.split()"
        )
    if holdout.fingerprint == data.fingerprint:
        raise ArgumentError("holdout has the rows that models are fitted to: their scores say nothing")
    levels = {name: kind for name, kind in holdout.X.dtypes.items() if kind == "category"}
    table = pd.concat([data.X.astype(levels), holdout.X], ignore_index=True)
    known = data.y.astype(holdout.y.dtype) if holdout.y.dtype == "category" else data.y
    target = pd.concat([known, holdout.y], ignore_index=True).rename(data.target)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        kinds = {name: kind for name, kind in data.declared_kinds.items() if kind is not Kind.BINARY}
        return of_columns(table, target, data.task, kinds).with_members(data.members)
