"""Folds of the rows, and the parts of the data that blankets are learned on."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from altsel._types import IntArray
from altsel.data.columns import codes
from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError, DataWarning, checked_integer, listing


class Learned(StrEnum):
    """Which rows a blanket is learned on: all but those of a fold, or those of the fold alone."""

    REST = "rest"
    FOLD = "fold"


@dataclass(frozen=True)
class Folds:
    """How rows are divided into folds; each gets its share of each class.

    Parameters
    ----------
    number
        How many.
    part
        ``"rest"``: learn on all rows but the fold's; ``"fold"``: on the fold's alone, as printed.
    random_state
        Seed.

    Raises
    ------
    ArgumentError
        If an argument is out of its range.

    Examples
    --------
    >>> Folds(3).number
    3
    """

    number: int = 5
    part: Learned | str = Learned.REST
    random_state: int = 0

    def __post_init__(self) -> None:
        checked_integer("number of folds", self.number, 2)
        checked_integer("random_state", self.random_state, 0)
        try:
            object.__setattr__(self, "part", Learned(self.part))
        except ValueError as fault:
            raise ArgumentError(f"part={self.part!r}; use {listing(Learned)}") from fault

    def rows(self, data: Dataset) -> Iterator[IntArray]:
        """Return the rows to learn on, fold after fold.

        Raises
        ------
        ArgumentError
            If there are fewer than two rows a fold.
        """
        rows = len(data.y)
        if rows < 2 * self.number:
            raise ArgumentError(f"{self.number} folds of {rows} rows: fewer than two each; use fewer folds")
        order = np.random.default_rng(self.random_state).permutation(rows)
        if data.discrete_target:
            order = order[np.argsort(codes(data.y)[order], kind="stable")]  # dealt like cards
        for first in range(self.number):
            fold = np.sort(order[first :: self.number])
            yield fold if self.part is Learned.FOLD else np.setdiff1d(np.arange(rows), fold)


def part_of(data: Dataset, rows: IntArray) -> Dataset:
    """Return some rows of a data set; features that are constant there are in its ``constant``."""
    table = data.X.iloc[rows]
    varied = [name for name in data.features if (table[name] != table[name].iloc[0]).any()]
    kinds = {name: data.kinds[name] for name in varied}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # said of all rows already
        return Dataset(table, data.y.iloc[rows], data.task, kinds=kinds)
