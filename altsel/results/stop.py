"""Why a search ended."""

from __future__ import annotations

from enum import StrEnum

from altsel.runtime.clock import Clock, clock


class Stop(StrEnum):
    """Why a search, or one solve, ended.

    ``COUNT``: all sets requested were found. ``EXHAUSTED``: the whole space was searched.
    ``INFEASIBLE``: proved that no further set exists. ``TIME``, ``LIMIT``: out of time, or
    of nodes, memory or candidates. ``INTERRUPT``: the user stopped it. ``HEURISTIC``: it ended by
    itself, by a method that does not guarantee that all sets were found.
    """

    COUNT = "count"
    EXHAUSTED = "exhausted"
    INFEASIBLE = "infeasible"
    TIME = "time"
    LIMIT = "limit"
    INTERRUPT = "interrupt"
    HEURISTIC = "heuristic"


def stopped(current: Clock) -> Stop:
    """Return why a clock that is over has ended a search."""
    return Stop.INTERRUPT if current.interrupted else Stop.TIME


def noted(fault: BaseException) -> Stop:
    """Note on the clock in force what was caught, and return why the search ends."""
    current = clock()
    current.note(fault)
    return stopped(current)
