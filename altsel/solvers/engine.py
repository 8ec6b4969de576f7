"""What an engine gets and gives, and how a solve is watched: progress, Ctrl-C."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from importlib import metadata
from math import inf
from pathlib import Path
from typing import Any, Protocol

from altsel._types import FloatArray
from altsel.errors import AltselError, SolverError, checked_integer, no_negative, of_kind
from altsel.results.stop import Stop
from altsel.runtime.clock import OutOfTimeError, clock
from altsel.runtime.no_processes import started
from altsel.runtime.progress import silence
from altsel.solvers.outcome import Outcome
from altsel.solvers.rows import Rows

log = logging.getLogger("altsel.solvers")
HEARTBEAT = 10.0
"""Seconds between two messages that a solve still runs."""
GRACE = 0.2
"""Seconds after which an engine is made to stop that has let its time limit pass."""
SHORTEST = 0.01
"""Seconds between two looks at the clock, where CPU time ends a solve."""


class Ability(StrEnum):
    """What an engine can do beyond solving.

    Examples
    --------
    >>> from altsel.solvers import profiles
    >>> any(Ability.START in one.abilities for one in profiles())
    True
    """

    START = "warm start"
    BOUND = "bound at a limit"
    INTERRUPT = "interrupt"
    LOG = "log file"
    TIME = "time limit"
    GAP = "gap"
    THREADS = "threads"
    SEED = "seed"


@dataclass(frozen=True)
class SolveLimits:
    """How a solve is to be run; see ``solvers.toml`` for the meanings.

    Attributes
    ----------
    time_limit
        Seconds; None: no limit.
    gap
        Relative gap at which to stop.
    threads
        Number of threads.
    options
        Native options of the engine, over all others.
    log
        File to which the engine appends its log.
    seed
        Seed of what the engine draws at random; None: the engine's own.

    Examples
    --------
    >>> SolveLimits(time_limit=60).gap
    0.0
    """

    time_limit: float | None = None
    gap: float = 0.0
    threads: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)
    log: Path | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.time_limit is not None:
            no_negative("time_limit", self.time_limit)
        no_negative("gap", self.gap)
        checked_integer("threads", self.threads, 1)
        of_kind("options", self.options, Mapping, "options by name")
        of_kind("log", self.log, Path | None, "a Path")

    def within(self, seconds: float) -> SolveLimits:
        """Return the limits of a call that has so many seconds left."""
        if seconds == inf:
            return self
        own = inf if self.time_limit is None else self.time_limit
        return replace(self, time_limit=max(min(own, seconds), 1e-3))


@dataclass(frozen=True, eq=False)
class Answer:
    """An engine's answer: why it stopped, its best point and its bound on ``cost @ x``."""

    stop: Stop
    point: FloatArray | None
    bound: float = -inf


@cache
def version_of(package: str) -> str:
    """Version of an installed package; reading its description takes a millisecond, once."""
    return metadata.version(package)


class Engine(Protocol):
    """One adapter: rows in, answer out."""

    @property
    def package(self) -> str:
        """Name of the package that it comes with."""
        ...

    @property
    def abilities(self) -> frozenset[Ability]:
        """What it can do."""
        ...

    def version(self) -> str | None:
        """Version of the installed engine; None if it is not installed."""
        ...

    def solve(self, rows: Rows, limits: SolveLimits) -> Answer:
        """Minimise ``cost @ x`` over the rows."""
        ...


def solved(
    name: str, program: str, version: Callable[[], str | None], solve: Callable[[], Outcome]
) -> Outcome:
    """Solve; whatever a solver raises is a SolverError that names it, but interrupts and limits pass.

    Parameters
    ----------
    name
        Name of the profile.
    program
        What it runs.
    version
        Called for the version of that, if there is a fault.
    solve
        Called for the outcome.
    """
    try:
        return solve()
    except SolverError as fault:
        raise type(fault)(f"solver {name!r} ({program} {version()}): {fault}") from fault
    except (AltselError, OutOfTimeError):
        raise
    except Exception as fault:
        said = ": ".join(filter(None, [type(fault).__name__, str(fault)]))
        raise SolverError(f"solver {name!r} ({program} {version()}) failed: {said}") from fault


def watched(run: Callable[[], None], cancel: Callable[[], None]) -> bool:
    """Run an engine in a thread; on Ctrl-C, and when time is long up, cancel it and keep its incumbent.

    Where no thread can be started, as in a browser, it runs in the caller's, and its own limits end it.

    Parameters
    ----------
    run
        The blocking solve; it must release the GIL.
    cancel
        Ask the engine to stop soon.

    Returns
    -------
    bool
        Whether the user interrupted it.
    """
    fault: list[BaseException] = []

    def work() -> None:
        try:
            run()
        except BaseException as caught:  # re-raised below, in the caller's thread
            fault.append(caught)
        finally:
            done.set()

    done = threading.Event()
    began = time.perf_counter()
    current, interrupted, beat = clock(), False, silence(HEARTBEAT)
    if started(work) is None:  # no threads here: its own limits alone end it
        run()
        return False
    while not done.is_set():
        try:
            patience = GRACE if current.cpu_until == inf else 0.0  # else its own limit is not what ends it
            if not done.wait(min(beat, max(current.left + patience, SHORTEST))):
                if current.left == 0:
                    cancel()
                if time.perf_counter() - began >= beat:
                    log.info("still solving, %.0f s", time.perf_counter() - began)
        except KeyboardInterrupt as stopped:
            interrupted = True
            current.note(stopped)
            cancel()
        except BaseException:  # what another signal's handler raised
            cancel()
            done.wait(GRACE)
            raise
    if fault:
        raise fault[0]
    return interrupted


def cancelled(interrupted: bool) -> Stop:
    """Return why a solve ended that was stopped: the user wished it, or it let the time limit pass."""
    return Stop.INTERRUPT if interrupted or clock().left > 0 else Stop.TIME
