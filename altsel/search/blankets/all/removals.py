"""Which features TIE* hides next: by a tree of one-variable extensions (IGS), or by a hitting-set model."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Protocol

from altsel.search.blankets.all.admissible import Admission, Within

Names = frozenset[str]


class Removals(Protocol):
    """Generates sets of features to hide, from what was found without others."""

    def __len__(self) -> int:
        """Return how many sets wait."""

    def next(self) -> Names | None:
        """Return the next set to hide; None if every blanket is found."""

    def found(self, hidden: Names, blanket: Names) -> None:
        """Learn that without some features this blanket was found, new or not."""

    def failed(self, hidden: Names) -> None:
        """Learn that without some features there is no blanket."""


class IGS:
    """Incremental generation of the smallest removals: what was hidden, and one feature of what was found.

    A removal E that led to a blanket S is extended by each feature of S. The smallest one is next,
    of equal ones the first; one that contains a failed removal is left out, and one that was generated
    before. The rule as printed also joins several features of S at once; those sets are reached one by
    one, or nothing new can be found without them: another blanket B that avoids E + x + y avoids
    E + x, and the search goes on from there by a feature that B lacks.

    Parameters
    ----------
    keep
        Features that are never hidden.

    Examples
    --------
    >>> removals = IGS()
    >>> removals.next()
    frozenset()
    >>> removals.found(frozenset(), frozenset({"a", "b"}))
    >>> sorted(removals.next()), sorted(removals.next())
    (['a'], ['b'])

    References
    ----------
    Borboudakis and Tsamardinos (2021), algorithm 4; Statnikov et al., JMLR 14 (2013), figure 9.
    """

    def __init__(self, keep: Collection[str] = (), order: Sequence[str] = ()) -> None:
        self._keep = frozenset(keep)
        self._place = {name: j for j, name in enumerate(order)}
        self._heap: list[tuple[int, int, Names]] = [(0, 0, frozenset())]
        self._seen: set[Names] = {frozenset()}
        self._failed: list[Names] = []

    def __len__(self) -> int:
        return len(self._heap)

    def next(self) -> Names | None:
        """Return the smallest removal that contains no failed one."""
        while self._heap:
            hidden = heapq.heappop(self._heap)[2]
            if not any(subset <= hidden for subset in self._failed):
                return hidden
        return None

    def found(self, hidden: Names, blanket: Names) -> None:
        """Extend a removal by each feature of the blanket it led to."""
        for name in sorted(blanket - self._keep, key=lambda subset: (self._place.get(subset, 0), subset)):
            larger = hidden | {name}
            if larger not in self._seen:
                self._seen.add(larger)
                heapq.heappush(self._heap, (len(larger), len(self._seen), larger))

    def failed(self, hidden: Names) -> None:
        """Leave out whatever contains this removal."""
        self._failed.append(hidden)


class HittingSet:
    """All features outside a set that keeps the rules and could be a blanket that is not known.

    Find x with ``sum_{j in E} x_j >= 1`` for every removal E that failed and ``sum_{j in S} x_j <= |S| - 1``
    for every blanket S that was found; at first nothing is hidden. That there is no such set proves that
    there is no other blanket, if the learner finds one wherever there is one.

    Parameters
    ----------
    admission
        The features and rules.
    within
        Features that are in, and out, whatever is hidden; removals that failed and blankets known before.

    Examples
    --------
    >>> removals = HittingSet(Admission(["a", "b", "c"]))
    >>> removals.next()
    frozenset()
    >>> removals.found(frozenset(), frozenset({"a", "b"}))
    >>> removals.failed(frozenset({"b"}))
    >>> "a" in removals.next()
    True
    """

    def __init__(self, admission: Admission, within: Within | None = None) -> None:
        self._admission, self._within = admission, within or Within()
        self._known, self._failed = list(self._within.avoided), list(self._within.met)

    def __len__(self) -> int:
        return 0

    def next(self) -> Names | None:
        """Solve the model; None if it is infeasible."""
        if not self._known and not self._failed:
            return frozenset()
        found = self._admission.find(replace(self._within, met=self._failed, avoided=self._known))
        return None if found is None else frozenset(self._admission.features) - found - self._within.absent

    def found(self, hidden: Names, blanket: Names) -> None:
        """Want no set that contains the blanket from now on."""
        del hidden
        self._known.append(blanket)

    def failed(self, hidden: Names) -> None:
        """Want a feature of the removal in every set from now on."""
        self._failed.append(hidden)
