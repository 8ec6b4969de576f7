"""Why a search ended."""

from __future__ import annotations

from enum import StrEnum

from altsel.runtime.clock import Clock, clock


class Stop(StrEnum):
    """Why a search, or one solve, ended.

    ``COUNT``: all sets requested were found, such as the one of a search for one Markov blanket.
    ``EXHAUSTED``: the whole space was searched; of blankets, as far as the tests are right and features that
    tell of the target together tell of it one after another (composition).
    ``INFEASIBLE``: proved that no further set exists; of blankets, that none keeps the rules. ``TIME``,
    ``LIMIT``: out of time, or of nodes, memory, candidates or digits (then a warning names the columns).
    ``INTERRUPT``: the user stopped it. ``HEURISTIC``: it ended by itself, by a method that does not guarantee
    that all sets were found.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> found = sequential(Problem(Univariate([3, 2, 1]), k=2), Dice(1), alternatives=2)
    >>> len(found), found.stop is Stop.INFEASIBLE, found.stop.finished
    (1, True, True)
    """

    COUNT = "count"
    EXHAUSTED = "exhausted"
    INFEASIBLE = "infeasible"
    TIME = "time"
    LIMIT = "limit"
    INTERRUPT = "interrupt"
    HEURISTIC = "heuristic"

    @property
    def finished(self) -> bool:
        """Whether the search ended by itself, not at a limit."""
        return self not in {Stop.TIME, Stop.LIMIT, Stop.INTERRUPT}


ENDS = {
    Stop.COUNT: "as many as were requested",
    Stop.EXHAUSTED: "these are all",
    Stop.INFEASIBLE: "proved: there is no further one",
    Stop.TIME: "time was up; there may be more",
    Stop.LIMIT: "a limit was reached; there may be more",
    Stop.INTERRUPT: "interrupted; there may be more",
    Stop.HEURISTIC: "a heuristic ended by itself; there may be more",
}
"""What it means that a search stopped, in words."""


def stopped(current: Clock) -> Stop:
    """Return why a clock that is over has ended a search."""
    return Stop.INTERRUPT if current.interrupted else Stop.TIME


def noted(fault: BaseException) -> Stop:
    """Note on the clock in force what was caught, and return why the search ends."""
    current = clock()
    current.note(fault)
    return stopped(current)
