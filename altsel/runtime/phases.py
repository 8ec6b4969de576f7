"""Where the time of a call goes: every moment belongs to one phase, so that the phases add up to the whole.

An account is opened once, by a command; what reads, measures or writes says so by `phase`, as a block or a
decorator, and costs nothing where no account is open. A phase inside another one takes over from it.
"""

from __future__ import annotations

import builtins
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

START, IMPORTS, READING, MEASURES, SEARCH, WRITING = (
    "start",
    "imports",
    "reading",
    "measures",
    "search",
    "writing",
)
DIFFER = 0.1
"""Share of the wall time by which CPU time must differ to be told."""
NOTHING = 0.05
"""Seconds by which it must differ, too."""
_loaded = time.perf_counter()


@dataclass(frozen=True)
class Spent:
    """Seconds that passed, and seconds of CPU used in them.

    Attributes
    ----------
    wall
        Seconds on the clock.
    cpu
        CPU seconds of this process, and of those it began that have ended.
    """

    wall: float = 0.0
    cpu: float = 0.0

    @classmethod
    def now(cls) -> Spent:
        """Read both clocks."""
        times = os.times()
        return cls(time.perf_counter(), time.process_time() + times.children_user + times.children_system)

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.wall + other.wall, self.cpu + other.cpu)

    def __sub__(self, other: Spent) -> Spent:
        return Spent(self.wall - other.wall, self.cpu - other.cpu)

    def __str__(self) -> str:
        """Write seconds on the clock, and those of CPU where they differ.

        Examples
        --------
        >>> str(Spent(2.0, 2.01)), str(Spent(2.0, 3.9))
        ('2.00 s', '2.00 s (CPU 3.90 s)')
        """
        differs = abs(self.cpu - self.wall) > max(NOTHING, DIFFER * self.wall)
        return f"{self.wall:.2f} s" + (f" (CPU {self.cpu:.2f} s)" if differs else "")


class Account:
    """What each phase of a call has taken.

    Parameters
    ----------
    first
        The phase that the call begins in, and that all is which belongs to no other.

    Examples
    --------
    >>> account = Account("search")
    >>> before = account.enter("writing")
    >>> before, sorted(account.spent())
    ('search', ['search', 'writing'])
    """

    def __init__(self, first: str = SEARCH) -> None:
        self._spent: dict[str, Spent] = {}
        self._phase, self._since = first, Spent.now()

    @classmethod
    def of_process(cls) -> Account:
        """Open an account of this process from its first moment on, which begins by starting up."""
        account = cls(START)
        account._since = Spent(time.perf_counter() - _age(), 0.0)
        return account

    @property
    def phase(self) -> str:
        """The phase under way."""
        return self._phase

    def enter(self, phase: str) -> str:
        """Begin a phase; return the one that it takes over from."""
        now, before = Spent.now(), self._phase
        self._spent[before] = self._spent.get(before, Spent()) + (now - self._since)
        self._phase, self._since = phase, now
        return before

    def spent(self) -> dict[str, Spent]:
        """Return what each phase has taken until now."""
        self.enter(self._phase)
        return {**self._spent}

    def __str__(self) -> str:
        spent = self.spent()
        order = dict.fromkeys([START, IMPORTS, READING, MEASURES, SEARCH, WRITING, *spent])
        parts = ", ".join(f"{name} {spent.get(name, Spent())}" for name in order)
        return f"{parts}; in all {sum(spent.values(), Spent())}"


_in_force: ContextVar[Account | None] = ContextVar("altsel_account", default=None)


@contextmanager
def accounted(account: Account | None = None) -> Iterator[Account]:
    """Keep an account of a block: one that is given, else the one in force, else a new one.

    The import of modules is a phase of its own, wherever it happens.
    """
    used = account or _in_force.get() or Account()
    token, real = _in_force.set(used), builtins.__import__
    builtins.__import__ = _apart(real)
    try:
        yield used
    finally:
        builtins.__import__ = real
        _in_force.reset(token)


@contextmanager
def phase(name: str) -> Iterator[None]:
    """Charge a block, or a function that this decorates, to a phase of the account in force, if there is one.

    Parameters
    ----------
    name
        The phase.

    Examples
    --------
    >>> with accounted() as account, phase("reading"):
    ...     account.phase
    'reading'
    """
    account = _in_force.get()
    if account is None:
        yield
        return
    before = account.enter(name)
    try:
        yield
    finally:
        account.enter(before)


def _apart(real: Any) -> Any:
    """Return an import statement that charges the account in force for what it takes."""

    def counted(*given: Any, **more: Any) -> Any:
        account = _in_force.get()  # of this thread alone: a new one has none
        if account is None or account.phase in {START, IMPORTS}:
            return real(*given, **more)
        before = account.enter(IMPORTS)
        try:
            return real(*given, **more)
        finally:
            account.enter(before)

    return counted


def _age() -> float:
    """Return the seconds since this process began; where that cannot be had, since this module was loaded."""
    try:
        fields = Path("/proc/self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        began = int(fields[19]) / os.sysconf("SC_CLK_TCK")
        return max(time.clock_gettime(time.CLOCK_BOOTTIME) - began, 0.0)
    except (OSError, ValueError, IndexError, AttributeError):
        return time.perf_counter() - _loaded
