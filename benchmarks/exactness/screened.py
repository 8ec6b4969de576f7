"""Criteria of few pairs, taken for those of very many features."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np

from altsel.exact.stages import screening
from altsel.models.pair_criterion import PairCriterion

KINDS = ("mrmr", "cfs", "cfs-linearised", "fcbf")
"""Criteria that are screened."""
BASES = (*["sequential"] * 8, *["simultaneous"] * 4, "lenient", "satisfying", "near_optimal", "fronts")
"""Families that ask about them; all but the first three take what all pairs are measured for."""


@dataclass(frozen=True)
class GivenPairs:
    """Redundancies that are given, read for some features at a time."""

    table: Any

    def among(self, features: Any) -> Any:
        """Return those of some features."""
        return self.table[np.ix_(features, features)]


@contextmanager
def screened(rng: Random) -> Iterator[None]:
    """Search few features first, by criteria that hold no pairs."""
    take, relax = PairCriterion._take_pairs, PairCriterion.relaxed
    narrow = [False]

    def take_pairs(self: PairCriterion, given: Any, whole: bool = False) -> None:
        take(self, given, whole)
        if not narrow[0] and not whole and self.pairs is None and self.__dict__["_table"].min() >= 0:
            object.__setattr__(self, "pairs", GivenPairs(self.__dict__.pop("_table")))

    def relaxed(self: PairCriterion, *given: Any) -> PairCriterion:
        narrow[0] = True
        try:
            return relax(self, *given)
        finally:
            narrow[0] = False

    ways = {"FIRST": (1, 1, 2, 3), "GROWTH": (2, 3), "ROOM": (1,), "MOST": (3, 5, 1_000, 1_000, 1_000)}
    with ExitStack() as stack:
        stack.enter_context(patch.object(PairCriterion, "_take_pairs", take_pairs))
        stack.enter_context(patch.object(PairCriterion, "relaxed", relaxed))
        for name, values in ways.items():
            stack.enter_context(patch.object(screening, name, rng.choice(values)))
        yield
