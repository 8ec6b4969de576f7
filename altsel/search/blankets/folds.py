"""Folds of the rows that blankets are learned on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from altsel._types import IntArray
from altsel.data.columns import codes
from altsel.data.dataset import Dataset
from altsel.data.dealing import dealt
from altsel.errors import ArgumentError, checked_integer, listing


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
        strata = codes(data.y) if data.discrete_target else np.zeros(rows, dtype=np.int64)
        for fold in dealt(strata, self.number, self.random_state):
            yield fold if self.part is Learned.FOLD else np.setdiff1d(np.arange(rows), fold)
