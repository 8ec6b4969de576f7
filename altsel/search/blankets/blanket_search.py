"""What all searches for a Markov blanket share: testing within limits, and the result."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib import metadata
from math import isnan, log

import numpy as np

from altsel._types import BoolArray, IntArray
from altsel._version import __version__
from altsel.errors import SolverError, level, of_kind
from altsel.results.effort import Effort
from altsel.results.feature_set import FeatureSet, Proof, Role, Verdict
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.runtime.clock import OutOfTimeError, clock, in_force, limited
from altsel.runtime.memory import peak
from altsel.search.blankets.false_discoveries import refuse_or_warn
from altsel.search.blankets.limits import (
    Budget,
    Limits,
    OutOfBudgetError,
    checked_limits,
    of_features,
    refuse_limits_of_all,
)
from altsel.search.blankets.near_dependence import with_near_dependence
from altsel.search.blankets.undecided import undecided
from altsel.search.blankets.weakest import LastWord
from altsel.stats.independence.base import members_of
from altsel.stats.independence.protocol import (
    Deciding,
    Independence,
    LeastDependent,
    LeaveOneOut,
    Screening,
    TestResults,
    checked_test,
    joined,
)

logger = logging.getLogger("altsel.search")

GRACE = 1.0
"""Seconds in which a search that was stopped finds out p of which it knew bounds only."""


@dataclass
class BlanketSearch:
    """One search for the blanket of one target: its test, its limits, and the last word on each feature.

    Parameters
    ----------
    test
        The test, bound to the target.
    alpha
        Level of the tests.
    limits
        Features forced in or left out.
    budget
        The account of tests and seconds.

    Attributes
    ----------
    members
        The features selected now, in the order of their admission; those forced in come first.
    stop
        Why the search ended.
    fault
        What a solver failed with, if that ended it.
    """

    test: Independence
    alpha: float
    limits: Limits
    budget: Budget
    members: list[str] = field(default_factory=list)
    stop: Stop = Stop.COUNT
    fault: SolverError | None = None

    def __post_init__(self) -> None:
        self.forced = tuple(self.limits.include)
        self.members = list(self.forced)
        left_out = {*self.limits.exclude, *self.forced}
        self.candidates = [name for name in self.test.features if name not in left_out]
        self._verdicts: dict[str, LastWord] = {}
        self._last: list[tuple[TestResults, tuple[str, ...] | None]] = []  # answers not looked at yet
        self._later: dict[str, Callable[[str], LastWord]] = {}  # who finds the last word on a feature

    @cached_property
    def _screening(self) -> Screening | None:
        return self.test if isinstance(self.test, Screening) else None

    @cached_property
    def _deciding(self) -> Deciding | None:
        return self.test if isinstance(self.test, Deciding) else None

    @cached_property
    def _leave_one_out(self) -> LeaveOneOut | None:
        return self.test if isinstance(self.test, LeaveOneOut) else None

    @property
    def verdicts(self) -> dict[str, LastWord]:
        """The last word on each feature."""
        self._look()
        for name in list(self._later):
            self.word(name)
        return self._verdicts

    def word(self, name: str) -> LastWord:
        """Return the last word on one feature."""
        self._look()
        if name in self._later:
            self._verdicts[name] = self._later.pop(name)(name)
        return self._verdicts.get(name, LastWord(None, ()))

    def _look(self) -> None:
        """Look at the answers not looked at yet."""
        for answers, given in self._last:
            names = answers.candidates
            log_p = np.where(answers.tested, answers.log_p, np.nan).tolist()
            for name, value in zip(names, log_p, strict=True):
                known = None if isnan(value) else value
                others = tuple(member for member in names if member != name) if given is None else given
                self._verdicts[name] = LastWord(known, others)
                self._later.pop(name, None)
        self._last.clear()

    def with_target(self, target: str) -> BlanketSearch:
        """Begin the same search for another variable, on the same account; nothing is forced there."""
        return BlanketSearch(
            self.test.with_target(target), self.alpha, Limits((), self.limits.exclude), self.budget
        )

    def results(self, candidates: Sequence[str], given: Iterable[str] = ()) -> TestResults:
        """Test candidates given some features."""
        self.budget.add(len(candidates))
        return self.test(candidates, tuple(given))

    def decided(
        self, candidates: Sequence[str], given: Iterable[str] = (), weakest: Sequence[float] | None = None
    ) -> tuple[TestResults, BoolArray]:
        """Test candidates given some features; return the answers, and which were tested in full.

        The others are dependent, and p is known from above: sharply where it may be larger than that of the
        weakest test of each, given by its logarithm.
        """
        if self._deciding is None:
            return self.results(candidates, given), np.ones(len(candidates), dtype=bool)
        self.budget.add(len(candidates))
        levels = None if weakest is None else np.array(weakest)
        return self._deciding.decided(candidates, tuple(given), self.alpha, levels)

    def best_first(self, candidates: Sequence[str], order: Callable[[TestResults], IntArray]) -> TestResults:
        """Test candidates given all members, where only the first in some order is wanted; keep the answers.

        Tests that can rank candidates at less cost than they test them do so, and test the first: of the
        others p are estimates, which are no last words.
        """
        if self._screening is not None:
            self.budget.add(len(candidates))
            answers = self._screening.best_first(candidates, tuple(self.members), order)
            if answers.dependent(self.alpha).any():
                self.keep(answers.only(int(order(answers)[0])), self.members)
                return answers
        answers = self.results(candidates, self.members)  # that there is none is for full tests to say
        self.keep(answers, self.members)
        return answers

    def examine(self, name: str, given: Iterable[str]) -> TestResults:
        """Test one feature, and keep the answer as the last word on it."""
        given = tuple(given)
        answer = self.results([name], given)
        self.note(name, float(answer.log_p[0]) if answer.tested[0] else None, given)
        return answer

    def each_given_the_others(self) -> TestResults:
        """Test every member that is not forced in given all others, and keep the answers."""
        members = self.members
        if self.forced or self._leave_one_out is None:
            free = [name for name in members if name not in self.forced]
            return joined(
                [self.examine(name, [member for member in members if member != name]) for name in free]
            )
        self.budget.add(len(members))
        answers = self._leave_one_out.leave_one_out(members)
        self._last.append((answers, None))  # given the others
        return answers

    def least_dependent_given_the_others(self) -> TestResults:
        """Test members that are not forced in given all others, at least those that may have the largest p.

        If one is independent; else all are tested, and the answers kept.
        """
        if isinstance(self.test, LeastDependent) and not self.forced and len(self.members) > 1:
            answers = self.test.least_dependent(self.members)
            if answers.independent(self.alpha).any():
                self.budget.add(len(self.members))
                return answers
        return self.each_given_the_others()

    def admit(self, name: str) -> None:
        """Add a candidate to the members."""
        self.members.append(name)
        logger.info(
            "%s: %s is member %d; %d tests", self.test.target, name, len(self.members), self.budget.tests
        )

    def open(self) -> list[str]:
        """Name the candidates that are no members, in the order of the data."""
        inside = set(self.members)
        return [name for name in self.candidates if name not in inside]

    def note(self, name: str, log_p: float | None, given: Iterable[str]) -> None:
        """Keep the last word on a feature."""
        self._look()
        self._later.pop(name, None)
        self._verdicts[name] = LastWord(log_p, tuple(given))

    def note_later(self, name: str, find: Callable[[str], LastWord]) -> None:
        """Keep who finds the last word on a feature, if it is wanted."""
        self._look()
        self._later[name] = find

    def keep(self, answers: TestResults, given: Iterable[str]) -> None:
        """Keep answers as the last word on their candidates."""
        self._last.append((answers, tuple(given)))

    def at(self, members: Iterable[str], candidates: Iterable[str]) -> None:
        """Go to another state of a search: what is selected there, and what may be."""
        self.members, self.candidates = list(members), list(candidates)
        self._verdicts, self._last, self._later = {}, [], {}

    def dependent(self, name: str, given: Sequence[str]) -> bool:
        """Return whether a test finds a feature dependent."""
        return bool(self.decided([name], given)[0].dependent(self.alpha)[0])

    @contextmanager
    def limited(self) -> Iterator[None]:
        """Let limits, Ctrl-C and a solver that fails end the search with what it has.

        Slow tests look at the clock themselves.
        """
        outer, seconds = clock(), self.limits.max_seconds
        until = outer.until if seconds is None else min(outer.until, self.budget.began + seconds)
        try:
            with in_force(replace(outer, until=until, outer=outer)):
                yield
        except OutOfBudgetError as end:
            self.stop = end.stop
        except OutOfTimeError:
            self.stop = Stop.TIME
        except KeyboardInterrupt:
            self.stop = Stop.INTERRUPT
        except SolverError as fault:
            self.stop, self.fault = Stop.LIMIT, fault

    def solutions(self, search: str, role: Role = Role.MEMBER, spouses: Sequence[str] = ()) -> Solutions:
        """Build the result: members in the given role, and spouses."""
        if self.fault is not None:
            raise self.fault
        found = self.found(role, spouses)
        return Solutions(
            (found,),
            self.stop,
            universe=self.test.features,
            criterion=f"{self.test.name}, alpha = {self.alpha:g}",
            target=self.test.target,
            search=search,
            effort=Effort(tests=self.budget.tests, seconds=found.seconds, peak_memory=peak()),
            seed=getattr(self.test, "seed", None),
            versions=versions(),
            members=members_of(self.test),
        )

    def found(self, role: Role = Role.MEMBER, spouses: Sequence[str] = ()) -> FeatureSet:
        """Build a feature set of the members, with the last word on every feature."""
        roles = dict.fromkeys(self.members, role) | dict.fromkeys(spouses, Role.SPOUSE)
        verdicts: list[Verdict] = []
        with limited(GRACE if self.stop in {Stop.TIME, Stop.INTERRUPT} else None):
            latest = self.verdicts
        for name in self.test.features:
            last = latest.get(name)
            if name in roles:
                untested = last is None or last.log_p is None
                own = Role.MEMBER if untested and name in self.forced else roles[name]
                verdicts.append(Verdict(name, own, *(last or LastWord(None, ()))))
            elif last is not None:
                verdicts.append(Verdict(name, Role.REJECTED, *last))
        weakest = [verdict.log_p or 0.0 for verdict in verdicts if verdict.feature in roles]
        one = FeatureSet(
            tuple(name for name in self.test.features if name in roles),
            0.0 - max(weakest) / log(10) if weakest else 0.0,
            Proof.TESTED,
            seconds=time.perf_counter() - self.budget.began,
            verdicts=tuple(verdicts),
        )
        if self.stop.finished:
            return replace(one, verdicts=with_near_dependence(self.test, one.verdicts))
        left_out = set(self.limits.exclude)
        candidates = (name for name in self.test.features if name not in left_out)
        return undecided(one, self.alpha, candidates, self.forced)


@cache
def versions() -> dict[str, str]:
    """Name what a result by tests depends on."""
    return {"altsel": __version__, "numpy": metadata.version("numpy"), "scipy": metadata.version("scipy")}


def begin(
    test: Independence, alpha: float, limits: Limits | None, all_blankets: bool = False
) -> BlanketSearch:
    """Begin a search, and warn if it is expected to select features by chance.

    Parameters
    ----------
    test, alpha, limits
        As of every search for blankets.
    all_blankets
        Whether the limits may be those of a search for all blankets.

    Raises
    ------
    ArgumentError
        If alpha is no level or smaller than any p of the test, the test is none, or the limits name unknown
        features, or are of all blankets where one is searched.
    """
    level("alpha", alpha)
    checked_test(test)
    limits = checked_limits(limits)
    if not all_blankets:
        refuse_limits_of_all(limits)
    limits = of_features(limits, test.features, members_of(test), getattr(test, "absent", {}))
    search = BlanketSearch(test, alpha, limits, Budget(limits))
    refuse_or_warn(test, alpha, len(search.candidates))
    return search


def checked_search(search: object) -> None:
    """Raise an ArgumentError if what a phase is given is no search."""
    of_kind("search", search, BlanketSearch, "the state of a search, as forward_backward hands it over")
