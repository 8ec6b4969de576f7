"""Progress: what a long call logs of itself, once, and not what its parts would say on their own."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from altsel.runtime.clock import clock

T = TypeVar("T")
FIRST, EVERY = 2.0, 2.0
"""Seconds until a loop says how far it is, and between two such messages."""
log = logging.getLogger("altsel.runtime.progress")
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
        """Say how far the call is, if it is time to."""
        passed = time.perf_counter() - self._began
        if done and passed >= self._due and done < self._total:
            left, rate = passed / done * (self._total - done), rate_text(done / passed)
            log.info("%s: %d of %d, %s, %s left", self._what, done, self._total, rate, duration_text(left))
            self._due = passed + EVERY


def rate_text(rate: float) -> str:
    """Show how many a second, or a minute where they are slow.

    Examples
    --------
    >>> rate_text(1234.5), rate_text(2.5), rate_text(0.05)
    ('1,234 a second', '2.5 a second', '3 a minute')
    """
    number, unit = (rate, "second") if rate >= 1 else (60 * rate, "minute")
    return f"{number:,.0f} a {unit}" if number >= 10 else f"{number:.2g} a {unit}"


def duration_text(seconds: float) -> str:
    """Show about how long something takes.

    Examples
    --------
    >>> duration_text(9.4), duration_text(200), duration_text(8000)
    ('about 9 s', 'about 3 min', 'about 2.2 h')
    """
    if seconds < 120:
        return f"about {seconds:.0f} s"
    return f"about {seconds / 60:.0f} min" if seconds < 7200 else f"about {seconds / 3600:.1f} h"


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
