"""What a search for a Markov blanket may use, and what it has used."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from altsel.errors import ArgumentError, checked_integer, listing, no_negative
from altsel.results.stop import Stop


@dataclass(frozen=True)
class Scope:
    """What a search for a Markov blanket may use.

    Parameters
    ----------
    include
        Features that are in the blanket whatever the tests say (whitelist).
    exclude
        Features that are never selected nor conditioned on (blacklist).
    max_tests, max_seconds
        The search ends with ``stop=LIMIT`` or ``TIME`` and what it has by then.

    Examples
    --------
    >>> Scope(exclude=("id",), max_seconds=60)
    Scope(include=(), exclude=('id',), max_tests=None, max_seconds=60)
    """

    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    max_tests: int | None = None
    max_seconds: float | None = None

    def __post_init__(self) -> None:
        for what in ("include", "exclude"):
            names = getattr(self, what)
            if isinstance(names, str):
                raise ArgumentError(f"{what}={names!r} is one name; give a list of names")
            object.__setattr__(self, what, tuple(names))
        both = set(self.include) & set(self.exclude)
        if both:
            raise ArgumentError(f"both included and excluded: {listing(sorted(both))}")
        if self.max_tests is not None:
            checked_integer("max_tests", self.max_tests, 1)
        if self.max_seconds is not None:
            no_negative("max_seconds", self.max_seconds)


class OutOfBudgetError(Exception):
    """A limit of the search is reached; it carries the reason."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(stop.value)
        self.stop = stop


@dataclass
class Spent:
    """Tests done and time gone, for one target and all others asked about on its behalf."""

    scope: Scope
    tests: int = 0
    began: float = field(default_factory=time.perf_counter)

    def add(self, tests: int) -> None:
        """Count tests that are about to be done, or stop before them."""
        scope = self.scope
        if scope.max_tests is not None and self.tests + tests > scope.max_tests:
            raise OutOfBudgetError(Stop.LIMIT)
        if scope.max_seconds is not None and time.perf_counter() - self.began > scope.max_seconds:
            raise OutOfBudgetError(Stop.TIME)
        self.tests += tests
