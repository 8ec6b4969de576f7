"""Why a clock has ended a search."""

from __future__ import annotations

from altsel.results.solutions import Stop
from altsel.runtime.clock import Clock, clock


def stopped(current: Clock) -> Stop:
    """Return why a clock that is over has ended a search."""
    return Stop.INTERRUPT if current.interrupted else Stop.TIME


def noted(fault: BaseException) -> Stop:
    """Note on the clock in force what was caught, and return why the search ends."""
    current = clock()
    current.note(fault)
    return stopped(current)
