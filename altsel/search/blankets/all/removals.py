"""Which features TIE* hides next: by a tree of one-variable extensions (IGS), or by a hitting-set model."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Sequence
from typing import Protocol

from altsel.exact.auto_solver import automatic
from altsel.models.removal import grown, removal
from altsel.models.rule import Rule
from altsel.results.feature_set import Proof
from altsel.search.blankets.all.admissible import solved
from altsel.solvers import Solver

Names = frozenset[str]


class Removals(Protocol):
    """Generates sets of features to hide, from what was found without others."""

    solves: int

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

    solves = 0

    def __init__(self, keep: Collection[str] = (), order: Sequence[str] = ()) -> None:
        self._keep = frozenset(keep)
        self._place = {name: j for j, name in enumerate(order)}
        self._heap: list[tuple[int, int, Names]] = [(0, 0, frozenset())]
        self._seen: set[Names] = {frozenset()}
        self._failed: list[Names] = []

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
    """The fewest features that meet every known blanket and contain no failed removal, by a model.

    That the model is infeasible proves that there is no other blanket, if the learner finds one wherever
    there is one.

    Parameters
    ----------
    features
        Names of all features.
    rules
        Domain constraints; blankets that break them need not be found.
    keep
        Features that are never hidden.
    solver
        The solver; default: that of ``solvers.toml``.

    Examples
    --------
    >>> removals = HittingSet(["a", "b", "c"])
    >>> removals.found(frozenset(), frozenset({"a", "b"}))
    >>> removals.failed(frozenset({"b"}))
    >>> sorted(removals.next())
    ['a']
    """

    def __init__(
        self,
        features: Sequence[str],
        rules: Sequence[Rule] = (),
        keep: Collection[str] = (),
        solver: Solver | None = None,
    ) -> None:
        self.solves = 0
        self._features, self._rules = features, rules
        self._keep, self._solver = frozenset(keep), solver or automatic()
        self._known: list[Names] = []
        self._failed: list[Names] = []
        self._least = 0

    def next(self) -> Names | None:
        """Solve the model; None if it is infeasible."""
        if not all(subset - self._keep for subset in self._known) or frozenset() in self._failed:
            return None  # a blanket that cannot be met, or none even if nothing is hidden
        self.solves += 1
        model = removal(self._features, self._known, self._failed, self._rules, self._keep)
        grown(model, self._least)
        outcome = solved(self._solver, model)
        if outcome is None:
            return None
        hidden = frozenset(name for name, h in model.hidden.items() if h.value > 0.5)
        if outcome.proof is Proof.OPTIMAL:
            self._least = len(hidden)
        return hidden

    def found(self, hidden: Names, blanket: Names) -> None:
        """Want the blanket to be met from now on."""
        del hidden
        self._known.append(blanket)

    def failed(self, hidden: Names) -> None:
        """Want the removal not to be contained from now on."""
        self._failed.append(hidden)
