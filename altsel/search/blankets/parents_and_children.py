"""Parents and children of a target: candidates leave as soon as some subset of the others separates them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from altsel.errors import checked_integer
from altsel.search.blankets.blanket_search import BlanketSearch
from altsel.search.blankets.weakest import Weakest


@dataclass
class Neighbours:
    """The search for the parents and children of one target, under way.

    Parameters
    ----------
    search
        The search for blankets of that target.
    max_conditioning
        Largest conditioning set (gamma of the gamma-greedy search); None: any size.

    Attributes
    ----------
    weakest
        The weakest association of each candidate.
    separated
        Separating set of each candidate that was removed.
    """

    search: BlanketSearch
    max_conditioning: int | None
    separated: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _asked: dict[tuple[str, ...], set[str]] = field(default_factory=dict)
    _hopeless: set[frozenset[str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.weakest = Weakest(self.search.test)

    @property
    def found(self) -> list[str]:
        """The parents and children as known now, in the order of their admission."""
        return self.search.members

    def associated(self) -> list[str]:
        """Find the candidates that are dependent given nothing, strongest first; remove the others."""
        search = self.search
        candidates = search.open()
        if not candidates:
            return []
        answers = search.results(candidates)
        dependent = answers.dependent(search.alpha)
        self.weakest.add(answers, (), answers.tested)
        for j, name in enumerate(candidates):
            tested = bool(answers.tested[j])
            search.note(name, float(answers.log_p[j]) if tested else None, ())
            if not dependent[j]:
                self.separated[name] = ()
        self._asked[()] = set(candidates)
        return [candidates[j] for j in answers.order().tolist() if dependent[j]]

    def separate(self, names: Iterable[str], given: tuple[str, ...]) -> set[str]:
        """Test features given one set, and name those it separates from the target.

        Where the data do not suffice for a test, it separates nothing; and where they suffice for no
        candidate, they do not for a larger set either, which is then not tested.
        """
        if self._too_few_rows(given):
            self.search.budget.add(0)  # time goes by here too
            return set()
        search, done = self.search, self._asked.setdefault(given, set())
        untested = [
            name for name in names if name not in done and name not in given and name not in search.forced
        ]
        if not untested:
            return set()
        answers, full = search.decided(untested, given, [self.weakest.at_most(name) for name in untested])
        done.update(untested)
        independent = answers.independent(search.alpha)
        log_p = answers.log_p.tolist()
        if not answers.tested.any():
            self._hopeless.add(frozenset(given))
        for name in self.weakest.add(answers, given, full):
            search.note_later(name, self.weakest.word)
        removed = set()
        for j, name in enumerate(untested):
            if independent[j]:
                search.note(name, log_p[j], given)
                self.separated[name] = given
                removed.add(name)
        return removed

    def _too_few_rows(self, given: tuple[str, ...]) -> bool:
        """Return whether a part of a set already left too few rows for every test."""
        if not self._hopeless:
            return False
        whole = frozenset(given)
        if whole in self._hopeless or any(whole - {name} in self._hopeless for name in given):
            self._hopeless.add(whole)
            return True
        return False

    def eliminate(self, names: list[str], containing: str | None = None) -> None:
        """Remove from `names` and from the found all that a subset of the found separates.

        `containing` names the last one admitted: subsets without it were tried before.
        """
        for given in self.subsets(containing):
            if all(name in self.found for name in given):
                for name in self.separate([*names, *self.found], given):
                    (names if name in names else self.found).remove(name)

    def subsets(self, containing: str | None = None) -> Iterable[tuple[str, ...]]:
        """Return subsets of the found that may be conditioned on, but for those that leave few rows."""
        able = self.able()
        alone = containing is not None and containing not in able
        return subsets(able, 1 if alone else self.max_conditioning, containing)

    def able(self) -> list[str]:
        """Name the found given which something can be tested, as far as is known."""
        return [name for name in self.found if frozenset([name]) not in self._hopeless]


Learner = Callable[[Neighbours], None]
"""Finds parents and children, and perhaps some features that only symmetry can rule out."""


def subsets(
    names: Sequence[str], largest: int | None, containing: str | None = None
) -> Iterable[tuple[str, ...]]:
    """Return the subsets up to some size, smallest first, of the names as they are now.

    Examples
    --------
    >>> list(subsets(["a", "b", "c"], 2, "c"))
    [('c',), ('a', 'c'), ('b', 'c')]
    """
    rest = [name for name in names if name != containing]
    fixed = () if containing is None else (containing,)
    most = len(rest) + len(fixed) if largest is None else min(largest, len(rest) + len(fixed))
    for size in range(most - len(fixed) + 1):
        for some in combinations(rest, size):
            yield (*some, *fixed)


def checked_conditioning(max_conditioning: int | None) -> int | None:
    """Return a bound on conditioning sets, or refuse it."""
    return None if max_conditioning is None else checked_integer("max_conditioning", max_conditioning, 0)
