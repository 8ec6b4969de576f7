"""Claims: runs that share a folder do no case twice."""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from altsel.bench.store import Store
from altsel.errors import ArgumentError
from altsel.runtime.processes import may_run, this_machine

BEAT = 5.0
"""Seconds between two signs of life of a run."""
GONE = 60.0
"""Seconds without a sign of life after which a run counts as gone."""


@dataclass(frozen=True)
class Runner:
    """One call of `bench`, which may have several processes.

    Parameters
    ----------
    store
        Where the results are.
    since
        Seconds since the epoch: errors reported before are tried again.
    name
        What tells it apart.
    """

    store: Store
    since: float = 0.0
    name: str = field(default_factory=lambda: uuid.uuid4().hex)

    def done(self) -> set[str]:
        """Return the cases that need not be run."""
        return set(self.store.done(self.since))

    def claim(self, key: str) -> bool:
        """Take a case, unless it is done or another run that is alive has it."""
        with self.store.writing() as base:
            row = base.execute("SELECT result FROM runs WHERE key = ?", (key,)).fetchone()
            if row is not None and self.store.is_done(row[0], self.since):
                return False
            holder = base.execute(
                "SELECT name, host, pid, seen FROM claims JOIN runners ON runner = name WHERE key = ?", (key,)
            ).fetchone()
            if holder is not None and holder[0] != self.name and _alive(*holder[1:]):
                return False
            base.execute("INSERT OR REPLACE INTO claims VALUES (?, ?)", (key, self.name))
            return True

    def release(self, key: str) -> None:
        """Release a case, done or not."""
        with self.store.writing() as base:
            base.execute("DELETE FROM claims WHERE key = ? AND runner = ?", (key, self.name))

    def beat(self) -> None:
        """Signal that the process is alive."""
        with self.store.writing() as base:
            row = (self.name, this_machine(), os.getpid(), time.time())
            base.execute("INSERT OR REPLACE INTO runners VALUES (?, ?, ?, ?)", row)

    def leave(self) -> None:
        """Release all cases."""
        with self.store.writing() as base:
            base.execute("DELETE FROM claims WHERE runner = ?", (self.name,))
            base.execute("DELETE FROM runners WHERE name = ?", (self.name,))


@contextmanager
def running(store: Store, since: float = 0.0) -> Iterator[Runner]:
    """Be alive to other runs until the end of the block."""
    runner, ended = Runner(store, since), threading.Event()

    def live() -> None:
        while not ended.wait(BEAT):
            with suppress(ArgumentError):  # a store that is busy for a minute: the next sign tells
                runner.beat()

    runner.beat()
    thread = threading.Thread(target=live, name="altsel bench, signs of life", daemon=True)
    thread.start()
    try:
        yield runner
    finally:
        ended.set()
        thread.join()
        runner.leave()


def _alive(host: str, pid: int, seen: float) -> bool:
    """Return whether a run is at work: seen lately, and its process, if we can look it up, exists."""
    if time.time() - seen > GONE:
        return False
    return host != this_machine() or may_run(pid)
