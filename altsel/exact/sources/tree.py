"""The loop of all trees of open nodes: until nothing is open, a limit is reached, or the user stops."""

from __future__ import annotations

import logging
import time
from typing import Protocol

from altsel.results.stop import Stop, stopped
from altsel.runtime.clock import STOPPED, Clock
from altsel.runtime.progress import silence

log = logging.getLogger("altsel.search")
HEARTBEAT = 5.0
"""Seconds between messages."""


class Budget(Protocol):
    """What a search may take."""

    @property
    def clock(self) -> Clock:
        """Ends the search."""
        ...

    @property
    def spent(self) -> bool:
        """Whether as many nodes as are allowed have been searched."""
        ...


class OpenTree(Protocol):
    """What is searched node by node."""

    @property
    def left(self) -> bool:
        """Whether a node is open that may hold a better set."""
        ...

    def step(self) -> None:
        """Search a node, or some."""
        ...

    def report(self) -> str:
        """Report how far it is."""
        ...


def explore(tree: OpenTree, budget: Budget) -> Stop:
    """Search a tree until nothing is open; what is open afterwards, the tree knows.

    Each round: 1. end if time, or the number of nodes, is spent; 2. say every five seconds how far it is, or
    as often as whoever looks on wants to know; 3. search a node. An interrupt, or a clock that is looked at
    within a step, ends it as a limit does.
    """
    told, beat = time.perf_counter(), silence(HEARTBEAT)
    try:
        while tree.left:
            if budget.clock.over:
                return stopped(budget.clock)
            if budget.spent:
                return Stop.LIMIT
            if (now := time.perf_counter()) - told > beat:
                told = now
                log.info("%s", tree.report())
            tree.step()
    except STOPPED as fault:
        budget.clock.note(fault)
        return stopped(budget.clock)
    return Stop.EXHAUSTED
