"""What a search for a Markov blanket may use, and what it has used."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from altsel.errors import ArgumentError, absence, checked_integer, list_of_names, listing, no_negative
from altsel.models.rule import Rule
from altsel.models.rule import by_unit as rules_by_unit
from altsel.models.units import Units
from altsel.results.members import Members, known_names
from altsel.results.stop import Stop

MOST_SOLUTIONS = 1000
"""Blankets after which a search for all of them ends, unless another number is given."""


ATTEMPTS = 10
"""Attempts to refute that all blankets were found, unless another number is given."""


@dataclass(frozen=True)
class Limits:
    """What a search for Markov blankets may use, and which blankets it may return.

    Parameters
    ----------
    include
        Features that are in every blanket whatever the tests say (whitelist).
    exclude
        Features that are never selected nor conditioned on (blacklist).
    max_tests, max_seconds
        The search ends with ``stop=LIMIT`` or ``TIME`` and what it has by then.
    max_solutions
        A search for all blankets ends with ``stop=LIMIT`` when it has so many; None: no limit. There can
        be exponentially many.
    max_states
        Most states of TMFBS, or runs of the learner in TIE*.
    attempts
        How often a search for all blankets tries to refute that it found all, before it calls them exhausted:
        it hides, at random, more than a removal that failed, or begins anew with candidates taken at random.
    subject_to
        Domain constraints on all blankets, as for ``Problem``: functions of a block with ``x[name]`` and
        ``size``. Blankets that break them are not returned, and branches that can lead to none that keeps
        them are cut. That a branch can is judged by the blankets met so far, as in pruning rule 2 of TMFBS.

    Raises
    ------
    ArgumentError
        If a limit is no integer of at least 1, the seconds are no number of at least 0, names are no list, or
        a rule is no function.

    Examples
    --------
    >>> Limits(exclude=("id",), max_seconds=60).exclude
    ('id',)
    """

    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    max_tests: int | None = None
    max_seconds: float | None = None
    max_solutions: int | None = MOST_SOLUTIONS
    max_states: int | None = None
    attempts: int = ATTEMPTS
    subject_to: Sequence[Rule] = ()

    def __post_init__(self) -> None:
        for what in ("include", "exclude"):
            names = list_of_names(what, getattr(self, what))
            object.__setattr__(self, what, tuple(dict.fromkeys(names)))
        both = set(self.include) & set(self.exclude)
        if both:
            raise ArgumentError(f"both included and excluded: {listing(sorted(both))}")
        for what in ("max_tests", "max_solutions", "max_states"):
            if getattr(self, what) is not None:
                checked_integer(what, getattr(self, what), 1)
        checked_integer("attempts", self.attempts, 0)
        if self.max_seconds is not None:
            no_negative("max_seconds", self.max_seconds)
        rules = (self.subject_to,) if callable(self.subject_to) else self.subject_to
        if not isinstance(rules, Iterable) or not all(callable(rule) for rule in rules):
            raise ArgumentError("subject_to takes functions of a block, such as altsel.domain.forbid('age')")
        object.__setattr__(self, "subject_to", tuple(rules))


OF_ALL = ("max_solutions", "max_states", "attempts", "subject_to")
"""Limits of searches for all blankets."""


def checked_limits(limits: Limits | None) -> Limits:
    """Return limits, those that nothing was said of by default; refuse what are none."""
    if limits is not None and not isinstance(limits, Limits):
        raise ArgumentError(f"limits={limits!r}; give altsel.blankets.Limits(max_seconds=60), say")
    return limits or Limits()


def of_features(
    limits: Limits, features: Collection[str], members: Members, absent: Mapping[str, str]
) -> Limits:
    """Return limits where units stand for their members, as `by_unit` does; refuse features there are not.

    Raises
    ------
    ArgumentError
        If a feature is unknown that is forced in or left out, or only some names of a unit are excluded.
    """
    named = by_unit(limits, members)
    known = known_names(features, members)
    unknown = sorted({*limits.include, *limits.exclude}.difference(known))
    if unknown:
        why = absence(unknown[0], sorted(known), absent)
        raise ArgumentError(f"there is no feature {listing(unknown)} to include or exclude{why}")
    return named


def by_unit(limits: Limits, members: Members) -> Limits:
    """Return limits where members of a unit that are included, or named by a rule, stand for the unit.

    Raises
    ------
    ArgumentError
        If some names of a unit are excluded, but not all.
    """
    if not members:
        return limits
    Units(members, f"exclude {listing(limits.exclude)}").whole(limits.exclude)
    include = Units(members, "include").names(limits.include)
    return replace(limits, include=include, subject_to=rules_by_unit(limits.subject_to, members))


def of_one_blanket(limits: Limits) -> Limits:
    """Return the same limits without those of searches for all blankets."""
    return replace(limits, max_solutions=MOST_SOLUTIONS, max_states=None, attempts=ATTEMPTS, subject_to=())


def rest_of(limits: Limits, tests: int, seconds: float) -> Limits:
    """Return what is left of the limits after some tests and seconds; at least one test."""
    return replace(
        limits,
        max_tests=None if limits.max_tests is None else max(limits.max_tests - tests, 1),
        max_seconds=None if limits.max_seconds is None else max(limits.max_seconds - seconds, 0.0),
    )


def refuse_limits_of_all(limits: Limits) -> None:
    """Refuse limits that a search for one blanket cannot keep.

    Raises
    ------
    ArgumentError
        Names them.
    """
    only = of_one_blanket(limits)
    names = [name for name in OF_ALL if getattr(limits, name) != getattr(only, name)]
    if names:
        raise ArgumentError(
            f"{listing(names)}: only searches for all blankets can keep that; use altsel.blankets.tmfbs "
            "or tie_star"
        )


class OutOfBudgetError(Exception):
    """A limit of the search is reached; it carries the reason."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(stop.value)
        self.stop = stop


@dataclass
class Budget:
    """Tests done and time gone, for one target and all others tested on its behalf."""

    limits: Limits
    tests: int = 0
    began: float = field(default_factory=time.perf_counter)

    def add(self, tests: int) -> None:
        """Count tests that are about to be done, or stop before them."""
        limits = self.limits
        if limits.max_tests is not None and self.tests + tests > limits.max_tests:
            raise OutOfBudgetError(Stop.LIMIT)
        if limits.max_seconds is not None and time.perf_counter() - self.began > limits.max_seconds:
            raise OutOfBudgetError(Stop.TIME)
        self.tests += tests
