"""Progress: what a long call logs of itself, once, and not what its parts would say on their own."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from typing import TypeVar

from altsel.runtime.clock import clock

T = TypeVar("T")
FIRST, EVERY = 2.0, 2.0
"""Seconds until a loop says how far it is, and between two such messages."""
log = logging.getLogger("altsel.runtime.progress")
_longest_silence: ContextVar[float] = ContextVar("altsel_longest_silence", default=inf)
_part_of_a_search: ContextVar[bool] = ContextVar("altsel_part_of_a_search", default=False)


def counted(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Go through items under the clock in force, and log from two seconds on about how long the rest takes.

    Parameters
    ----------
    items
        Pieces of about the same work.
    total
        How many these are.
    what
        What they are, in the plural.

    Raises
    ------
    KeyboardInterrupt, OutOfTimeError
        If the call is to end.
    """
    current, pace = clock(), Pace(total, what)
    for done, item in enumerate(items):
        current.check()
        pace.at(done)
        yield item


class Pace:
    """Logs from two seconds on how far a long call is, and about how long the rest takes.

    Parameters
    ----------
    total
        How many pieces of about the same work there are.
    what
        What they are, in the plural.
    """

    def __init__(self, total: int, what: str) -> None:
        self._total, self._what = total, what
        self._began, self._due = time.perf_counter(), FIRST

    def at(self, done: int) -> None:
        """Report how far the call is, if it is time to."""
        passed = time.perf_counter() - self._began
        if done and passed >= self._due and done < self._total:
            pace = pace_text(done / passed, self._total - done)
            log.info("%s: %d of %d, %s", self._what, done, self._total, pace)
            self._due = passed + EVERY


def pace_text(rate: float, rest: int) -> str:
    """Write how many pieces are done a second, or a minute where they are slow, and how long the rest takes.

    Examples
    --------
    >>> pace_text(1234.5, 9000), pace_text(0.05, 9)
    ('1,234 a second, about 7 s left', '3 a minute, about 3 min left')
    """
    number, unit = (rate, "second") if rate >= 1 else (60 * rate, "minute")
    speed = f"{number:,.0f}" if number >= 10 else f"{number:.2g}"
    return f"{speed} a {unit}, about {_duration(rest / rate)} left"


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


@contextmanager
def told_every(seconds: float) -> Iterator[None]:
    """Let long loops say how far they are at least so often, for whoever looks on."""
    token = _longest_silence.set(seconds)
    try:
        yield
    finally:
        _longest_silence.reset(token)


def silence(usual: float) -> float:
    """Return the seconds that a loop may be silent for: as usual, or less where somebody looks on.

    Examples
    --------
    >>> with told_every(0.5):
    ...     silence(5.0), silence(0.1)
    (0.5, 0.1)
    """
    return min(usual, _longest_silence.get())


@contextmanager
def parts() -> Iterator[None]:
    """Keep searches that are steps of another from reporting their own ends."""
    token = _part_of_a_search.set(True)
    try:
        yield
    finally:
        _part_of_a_search.reset(token)


def report(logger: logging.Logger, message: str, *values: object) -> None:
    """Log a step of a search, for information; if it is part of another one for debugging only."""
    logger.log(logging.DEBUG if _part_of_a_search.get() else logging.INFO, message, *values)
