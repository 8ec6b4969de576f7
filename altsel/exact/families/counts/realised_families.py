"""Many sets at once from exact counts: the best profile that sets have, and the best poorest set."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.exact.families.counts.count_vectors import counts_above
from altsel.exact.families.counts.realisation import Asked, realise
from altsel.runtime.clock import clock

TRIED, NODES = 8, 300_000
"""Profiles that are searched for, the best first, and nodes for each: half a second."""
POOREST_NODES = 10_000_000
"""Nodes for all counts together that a poorest set may have."""
PARTS = (0.1, 0.4, 1.0)
"""Of the way from the bound down to the best poorest set known: the counts above are listed, and searched."""


@dataclass(frozen=True, eq=False)
class Found:
    """The best sets that were found, if any, and a bound on all."""

    family: BoolArray | None
    bound: float


def best_profile(asked: Asked, profiles: IntArray, sums: FloatArray, bound: float) -> Found:
    """Search for sets of the best profile, of the next one if there are none, and so on.

    With qualities in falling order the best features are in most sets, and of a profile any sets will do.

    Parameters
    ----------
    asked
        The sets.
    profiles, sums
        As `altsel.exact.families.counts.profiles.profiles_above` returns them; `bound` holds for all others.
    """
    upper = None
    for profile, total in list(zip(profiles, sums.tolist(), strict=True))[:TRIED]:
        counts = np.zeros(len(asked.weights), dtype=np.int64)
        memberships = of_profile(profile)
        counts[: len(memberships)] = memberships
        found = realise(asked, counts, NODES)
        if upper is None and (not found.decided or found.family is not None):
            upper = total
        if found.family is not None or clock().over:
            return Found(found.family, bound if upper is None else upper)
    if upper is None:  # all that were tried are refuted
        upper = float(sums[min(TRIED, len(sums) - 1)]) if len(sums) else bound
    return Found(None, upper)


def best_poorest(asked: Asked, family: BoolArray, bound: float) -> Found:
    """Search all counts that better families may have, those of the largest sum first.

    ``m`` sets whose poorest is above v sum to more than m v; so counts of smaller sums need no search, and
    each set is at most the sum less ``(m - 1) v``.

    Parameters
    ----------
    asked
        The sets.
    family
        The best known.
    bound
        On the poorest set.
    """
    search = _Poorest(asked, family, bound)
    try:
        for part in PARTS:
            if clock().over or not search.all_above(bound - part * (bound - search.value)):
                break
            if search.bound <= search.value:
                break
    except KeyboardInterrupt as fault:  # what was found before is kept
        clock().note(fault)
    return Found(search.family, max(search.bound, search.value))


@dataclass(eq=False)
class _Poorest:
    """The best family so far, and a bound on the poorest set of all families."""

    asked: Asked
    family: BoolArray
    bound: float
    nodes: int = POOREST_NODES

    @property
    def value(self) -> float:
        """Of the poorest set."""
        return float((self.family @ self.asked.weights).min())

    def all_above(self, level: float) -> bool:
        """Search the counts whose average is at least a level; return whether all were searched."""
        asked = self.asked
        listed = counts_above(asked.weights, asked.sets, asked.k, asked.cap, asked.sets * level)
        if listed is None:
            return False
        for counts in listed:
            average = float(counts @ asked.weights) / asked.sets
            if average <= self.value:
                break
            self.bound = min(self.bound, average)
            found = realise(asked, counts, self.nodes, self.value)
            self.nodes -= found.nodes
            if found.family is not None:
                self.family = max(found.family, self.family, key=lambda one: (one @ asked.weights).min())
            if not found.decided:
                return False
        self.bound = min(self.bound, max(level, self.value))
        return True


def of_profile(profile: IntArray) -> IntArray:
    """Assign the best features most memberships: counts by feature, from numbers in exactly 1, 2, … sets."""
    return np.repeat(np.arange(len(profile), 0, -1), profile[::-1])
