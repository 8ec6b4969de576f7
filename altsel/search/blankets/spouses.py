"""From parents and children to the whole blanket: symmetry, and the other parents of the children."""

from __future__ import annotations

import time
from collections.abc import Container, Iterable
from dataclasses import dataclass, field

from altsel.errors import flags
from altsel.results.feature_set import Role
from altsel.results.solutions import Solutions
from altsel.search.blankets.blanket_search import BlanketSearch, begin
from altsel.search.blankets.limits import Limits
from altsel.search.blankets.neighbourhoods import neighbours
from altsel.search.blankets.parents_and_children import Learner, Neighbours, checked_conditioning
from altsel.search.blankets.weakest import LastWord
from altsel.stats.independence.protocol import Independence


@dataclass
class Locality:
    """The parents and children of a target and of the variables around it, each found once.

    Parameters
    ----------
    search
        The search for blankets of the target.
    learner
        Finds parents and children of one variable.
    max_conditioning
        Largest conditioning set; None: any size.
    """

    search: BlanketSearch
    learner: Learner
    max_conditioning: int | None
    known: dict[str, Neighbours] = field(default_factory=dict)
    seconds: float = 0.0  # that the target took

    @property
    def target(self) -> str:
        """Name of the target."""
        return self.search.test.target

    def around(self, name: str) -> Neighbours:
        """Find the neighbours of a variable, some of which only symmetry can rule out."""
        if name not in self.known:
            search = self.search if name == self.target else self.search.with_target(name)
            self.known[name], began = Neighbours(search, self.max_conditioning), time.perf_counter()
            self.learner(self.known[name])
            self.seconds = self.seconds or time.perf_counter() - began
        return self.known[name]

    def look_around(self, names: Iterable[str]) -> None:
        """Find the neighbours of variables that are looked at next, at once if there are workers."""
        left = [name for name in names if name not in self.known and name not in self.search.forced]
        found = neighbours(self.search, left, self.learner, self.max_conditioning, self.seconds)
        self.known.update(found)

    def linked(self, name: str, other: str) -> bool:
        """Return whether each is among the neighbours of the other, or was lost there to a twin only."""
        here, there = self.around(name), self.around(other)
        if other not in here.found:
            return False
        return name in there.found or self._has_twin(here, other, there.separated.get(name, ()))

    def _has_twin(self, here: Neighbours, other: str, given: tuple[str, ...]) -> bool:
        """Return whether a feature and one of those that separate it from a variable stand for each other.

        With ``I(V; X | W, Z) = 0``, ``I(V; Z | W, X) = 0`` and ``I(V; X | W) > 0``, X and Z tell the
        same of V. No faithful distribution has such a pair, so nothing is lost where theory holds;
        where it does not, symmetry would remove both.
        """
        search = here.search
        for twin in given:
            if twin in here.found:
                continue
            rest = [name for name in given if name != twin]
            answers, _ = search.decided([twin], [*rest, other])
            replaced = answers.independent(search.alpha)[0]
            if replaced and search.dependent(other, rest):
                return True
        return False

    def correct(self) -> None:
        """Keep only neighbours of the target of which the target is a neighbour too (symmetry correction)."""
        found = self.around(self.target).found
        self.look_around(found)
        for name in list(found):
            if name in self.search.forced or self.linked(self.target, name):
                continue
            found.remove(name)
            there = self.around(name)
            given = there.separated.get(self.target, ())
            self.search.note(name, there.search.word(self.target).log_p, given)

    def separator(self, name: str) -> tuple[str, ...] | None:
        """Return the set that separated a feature from the target, found from either side."""
        own = self.around(self.target).separated
        if name in own:
            return own[name]
        return self.around(name).separated.get(self.target)

    def spouses(self, symmetric: bool) -> list[str]:
        """Find the other parents of children: separated by some set, but not once the child is given too.

        Y is a spouse through X if ``I(T; Y | S) = 0`` and ``I(T; Y | S + X) > 0`` (UV eq. 52).
        """
        search, found = self.search, list(self.around(self.target).found)
        self.look_around(found)
        spouses: list[str] = []
        for child in found:
            if child in search.forced:
                continue
            dependent = self._dependent_given(child, {self.target, *found, *spouses})
            if symmetric:
                self.look_around(dependent)
            for name, word in dependent.items():
                if not symmetric or self.linked(child, name):
                    search.note(name, *word)
                    spouses.append(name)
        return spouses

    def _dependent_given(self, child: str, known: Container[str]) -> dict[str, LastWord]:
        """Test the neighbours of a child given it too; return those that are dependent then."""
        dependent = {}
        for name in list(self.around(child).found):
            given = None if name in known else self.separator(name)
            if given is None or child in given:
                continue
            answer = self.search.results([name], (*given, child))
            if answer.dependent(self.search.alpha)[0]:
                dependent[name] = LastWord(float(answer.log_p[0]), (*given, child))
        return dependent


@dataclass(frozen=True)
class Options:
    """How a search for parents and children is done.

    Parameters
    ----------
    name
        Name of the search.
    max_conditioning
        Largest conditioning set (gamma of the gamma-greedy search); None: any size.
    symmetric
        Whether a neighbour must have the target as its own neighbour. Without it descendants
        of a child may stay (UV figure 6).
    """

    name: str
    max_conditioning: int | None
    symmetric: bool

    def __post_init__(self) -> None:
        flags(symmetric=self.symmetric)

    def label(self, alpha: float) -> str:
        """Describe the search with its arguments."""
        gamma = "none" if self.max_conditioning is None else str(self.max_conditioning)
        corrected = "" if self.symmetric else ", no symmetry correction"
        return f"{self.name}, alpha={alpha:g}, max_conditioning={gamma}{corrected}"


def neighbours_only(
    test: Independence, alpha: float, limits: Limits | None, learner: Learner, options: Options
) -> Solutions:
    """Find parents and children by a learner."""
    search = begin(test, alpha, limits)
    local = Locality(search, learner, checked_conditioning(options.max_conditioning))
    with search.limited():
        local.around(test.target)
        if options.symmetric:
            local.correct()
    return search.solutions(options.label(alpha), Role.NEIGHBOUR)


def neighbours_and_spouses(
    test: Independence, alpha: float, limits: Limits | None, learner: Learner, options: Options
) -> Solutions:
    """Find parents and children by a learner, correct them by symmetry, then find spouses."""
    search = begin(test, alpha, limits)
    local = Locality(search, learner, checked_conditioning(options.max_conditioning))
    spouses: list[str] = []
    with search.limited():
        local.around(test.target)
        if options.symmetric:
            local.correct()
        spouses = local.spouses(options.symmetric)
    return search.solutions(options.label(alpha), Role.NEIGHBOUR, spouses)
