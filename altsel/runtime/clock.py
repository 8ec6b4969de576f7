"""One clock a call: how long a search may take in all, and whether the user has stopped it.

A search opens a clock; searches and solves inside it share what is left. The clock in force is a
context variable, so that it reaches loops many calls deep without a parameter in each.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from math import inf, isfinite

from altsel.errors import ArgumentError


class OutOfTimeError(Exception):
    """The clock in force has run out; searches turn it into ``Stop.TIME``."""


STOPPED = (KeyboardInterrupt, OutOfTimeError)
"""What ends a search early, with what was found until then."""


BUSIEST = 10.0
"""Seconds of the wall that one CPU second may take on a busy machine."""


@dataclass(eq=False)
class Clock:
    """How long a call may take, and whether it was interrupted.

    Attributes
    ----------
    until
        ``time.perf_counter()`` at which time is up; infinite without a limit.
    outer
        The clock of the call that this one is part of.
    interrupted
        Whether the user has stopped the call; then nothing inside it begins anything new.
    cpu_until
        ``time.process_time()`` at which time is up, too; infinite without a limit.
    """

    until: float = inf
    outer: Clock | None = None
    interrupted: bool = False
    cpu_until: float = inf

    @property
    def left(self) -> float:
        """Seconds left; 0 once time is up, infinite without a limit."""
        left = self.until - time.perf_counter() if self.until < inf else inf
        if self.cpu_until < inf:
            left = min(left, self.cpu_until - time.process_time())
        return max(left, 0.0)

    @property
    def wall_left(self) -> float:
        """Seconds that a call may be told which counts those of the wall, and is stopped when time is up.

        Where CPU seconds are limited, a busy machine takes more of the wall's for them.
        """
        now = time.perf_counter()
        left = self.until - now if self.until < inf else inf
        if self.cpu_until < inf:
            left = min(left, BUSIEST * (self.cpu_until - time.process_time()))
        return max(left, 0.0)

    @property
    def over(self) -> bool:
        """Whether the call is to end: time is up, or the user has stopped it."""
        return self.interrupted or self.left == 0

    def check(self) -> None:
        """Raise what ends the call, if it is to end.

        Raises
        ------
        KeyboardInterrupt
            If the user has stopped it.
        OutOfTimeError
            If time is up.
        """
        if self.interrupted:
            raise KeyboardInterrupt
        if self.left == 0:
            raise OutOfTimeError

    def note(self, fault: BaseException) -> None:
        """Remember an interrupt that was caught to keep what was found."""
        if isinstance(fault, KeyboardInterrupt):
            clock: Clock | None = self
            while clock is not None:
                clock.interrupted = True
                clock = clock.outer


_in_force: ContextVar[Clock | None] = ContextVar("altsel_clock", default=None)


def clock() -> Clock:
    """Return the clock in force; one without a limit where no search has opened any."""
    return _in_force.get() or Clock()


@contextmanager
def limited(seconds: float | None) -> Iterator[Clock]:
    """Open a clock for a call: at most so many seconds, and never more than the outer call has left.

    Parameters
    ----------
    seconds
        Time limit; None: only that of the outer call, if there is one.

    Raises
    ------
    ArgumentError
        If it is no finite number above 0.
    """
    with in_force(opened(seconds)) as inner:
        yield inner


def opened(seconds: float | None) -> Clock:
    """Build a clock inside the one in force, without putting it in force."""
    if seconds is not None:
        number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
        if not number or not isfinite(seconds) or seconds <= 0:
            raise ArgumentError(f"time_limit={seconds!r}; use a number of seconds above 0, or None")
    outer = _in_force.get() or Clock()
    until = inf if seconds is None else time.perf_counter() + seconds
    return replace(outer, until=min(until, outer.until), outer=outer)


@contextmanager
def turn(seconds: float, part: float = 1.0) -> Iterator[Clock]:
    """Open a clock for one way of several to find something, which others may go on from.

    It counts CPU seconds, so that what is found does not depend on what else the machine does.

    Parameters
    ----------
    seconds
        CPU seconds of this process.
    part
        How much of the time that the outer call has left it may take.
    """
    outer, now = clock(), time.perf_counter()
    until = now + part * (outer.until - now)
    cpu_until = min(time.process_time() + seconds, outer.cpu_until)
    with in_force(replace(outer, until=until, cpu_until=cpu_until, outer=outer)) as inner:
        yield inner


@contextmanager
def in_force(inner: Clock) -> Iterator[Clock]:
    """Enter a clock, for a generator between two of its items."""
    token = _in_force.set(inner)
    try:
        yield inner
    finally:
        _in_force.reset(token)


@contextmanager
def grace(seconds: float = 0.2) -> Iterator[Clock]:
    """Enter a short clock of CPU seconds, to make something of a search whose time is up."""
    with in_force(Clock(cpu_until=time.process_time() + seconds)) as short:
        yield short
