"""A quality that a model only bounds, by rows that are right at one set each and added when it is met."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations
from math import comb
from typing import Any, ClassVar

import numpy as np

from altsel._types import BoolArray, IntArray
from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError
from altsel.models.objective import Objective
from altsel.pyomo_on_demand import pyo

EXACT = 1e-10
"""Excess of the model's quality over the formula that needs no further row."""
MOST_ROWS = 10_000
"""Sets up to which a model written to a file has a row for each."""
MOST_SCORES = 100_000
"""Sets whose scores are kept: answers are looked at several times, at last by their check."""
FEW_SETS = 200
"""Sets up to which a model begins with a row for each."""


class RowsOfSets(Objective):
    """An objective whose model is a variable below rows; `row_at` gives that of a set.

    Attributes
    ----------
    least, most
        Ends of the scores of all sets.
    fitted
        What it fits, in words.
    """

    least: float
    most: float
    fitted: ClassVar[str]

    def describe(self, data: Dataset, given: Collection[str], held: Mapping[str, str]) -> None:
        """Take over from the data what stands for a feature, and why other columns are none.

        Parameters
        ----------
        data
            What is fitted to.
        given
            Names of columns that are in every model.
        held
            Columns that are no features, each with what it holds.
        """
        self._scores: dict[bytes, float] = {}
        self.target, self.fingerprint = data.target, data.fingerprint
        self.members = {name: part for name, part in data.members.items() if name in self.features}
        always = dict.fromkeys(given, "it is given, and so in every model")
        self.absent = {**data.absent, **always, **{name: f"it holds {what}" for name, what in held.items()}}

    def worth_of(self, members: IntArray) -> float:
        """Evaluate the formula on a set, given by the indices of its features, rising."""
        raise NotImplementedError

    def score(self, mask: BoolArray) -> float:
        """Evaluate the formula; an empty set explains what the given columns do."""
        key = np.packbits(mask).tobytes()
        value = self._scores.get(key)
        if value is None:
            if len(self._scores) == MOST_SCORES:
                self._scores.clear()
            value = self._scores[key] = self.worth_of(np.flatnonzero(mask))
        return value

    def row_at(self, block: Any, mask: BoolArray) -> Any:
        """Return a row ``block.fit <= ...`` that all sets keep, and that is tight at one."""
        raise NotImplementedError

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        """Add a quality below some rows to the block; `add_cut` adds that of a set."""
        block.fit = pyo.Var(bounds=(self.least, self.most))
        block.quality = pyo.Expression(expr=block.fit)
        block.touched = set()
        block.below = pyo.ConstraintList()
        if _sets(len(block.x), sizes) <= FEW_SETS:
            self.complete(block, sizes)
        for mask in self.begins_at:
            block.below.add(self.row_at(block, mask))

    @property
    def begins_at(self) -> tuple[BoolArray, ...]:
        """Masks whose rows every model begins with."""
        return ()

    def add_cut(self, block: Any) -> bool:
        """Add the row that makes the quality right at the block's set; return whether it was not."""
        if block.component("fit") is None:  # a model of the conditions alone
            return False
        mask = self._mask(block)
        key, value = mask.tobytes(), self.score(mask)
        if (
            block.fit.value is None
            or block.fit.value <= value + EXACT * max(abs(value), 1.0)
            or key in block.touched
        ):
            return False
        block.fit.set_value(value, skip_validation=True)
        block.touched.add(key)
        block.below.add(self.row_at(block, mask))
        return True

    def complete(self, block: Any, sizes: tuple[int, int]) -> None:
        """Add the rows of all sets of these sizes.

        Raises
        ------
        ArgumentError
            If they are more than 10,000.
        """
        if len(block.touched) == (count := _sets(len(block.x), sizes)):
            return
        if count > MOST_ROWS:
            raise ArgumentError(
                f"a model of {self.fitted} needs a row a set: {count:,}, of {MOST_ROWS:,} at most;"
                " search without a file, or choose a smaller k or fewer features"
            )
        for size in range(sizes[0], sizes[1] + 1):
            for members in combinations(block.x, size):
                mask = np.isin(self.features, members)
                block.touched.add(mask.tobytes())
                block.below.add(self.row_at(block, mask))

    def set_helper_values(self, block: Any) -> None:
        """Set the quality to the value that follows from those of ``x``."""
        block.fit.set_value(self.score(self._mask(block)), skip_validation=True)

    def row_of_one(self, block: Any, mask: BoolArray) -> Any:
        """Bound the quality of one set; that of others by the most there is."""
        value = self.score(mask)
        inside = dict(zip(self.features, mask.tolist(), strict=True))
        other = pyo.quicksum(1 - block.x[f] if inside[f] else block.x[f] for f in block.x)
        return block.fit <= value + (self.most - value) * other

    def row_of_sum(self, block: Any, constant: float, slopes: Any) -> Any:
        """Bound the quality by a constant and a sum over the set."""
        terms = zip(self.features, slopes.tolist(), strict=True)
        return block.fit <= constant + pyo.quicksum(c * block.x[f] for f, c in terms if f in block.x)

    def _mask(self, block: Any) -> BoolArray:
        return np.array([(block.x[f].value or 0) > 0.5 if f in block.x else False for f in self.features])


def _sets(n: int, sizes: tuple[int, int]) -> int:
    return sum(comb(n, size) for size in range(sizes[0], sizes[1] + 1))
