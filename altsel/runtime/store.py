"""Results on disk, so that what is done is never done again, whatever stopped the run."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from altsel.errors import ArgumentError

TABLE = "results (run TEXT NOT NULL, task TEXT NOT NULL, result TEXT NOT NULL, PRIMARY KEY (run, task))"


class Kept(Protocol):
    """Where results of tasks are kept, as `altsel.parallel.run` needs it."""

    def save(self, task: str, result: Any) -> None:
        """Save the result of a task."""

    def load(self, tasks: Iterable[str] | None = None) -> dict[str, Any]:
        """Return the results there are of some tasks."""


@dataclass(frozen=True)
class Store:
    """A SQLite file of results as JSON, each complete or absent; one process writes to it.

    Parameters
    ----------
    path
        The file; made when first used. It may hold results of several runs.
    run
        What tells this run's results from those of others, as `identity` makes it.

    Raises
    ------
    ArgumentError
        If the file is no such store, or cannot be read or written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = Store(Path(folder) / "results.sqlite", "a run")
    ...     store.save("first", [1, 2])
    ...     store.load(["first", "second"])
    ...     store.load()
    {'first': [1, 2]}
    {'first': [1, 2]}
    """

    path: Path
    run: str

    def save(self, task: str, result: Any) -> None:
        """Save the result of a task, over an earlier one."""
        with self._open() as base:
            row = (self.run, task, json.dumps(result, allow_nan=True))
            base.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", row)

    def load(self, tasks: Iterable[str] | None = None) -> dict[str, Any]:
        """Return the results there are of some tasks, or of all that were saved."""
        with self._open() as base:
            found = dict(base.execute("SELECT task, result FROM results WHERE run = ?", (self.run,)))
        wanted = tasks if tasks is None or isinstance(tasks, Mapping) else set(tasks)
        try:
            return {
                task: json.loads(text) for task, text in found.items() if wanted is None or task in wanted
            }
        except ValueError as fault:
            raise ArgumentError(f"a result in {self.path} is damaged ({fault}); name a new file") from fault

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.path, timeout=60)) as base, base:
                base.execute(f"CREATE TABLE IF NOT EXISTS {TABLE}")
                yield base
        except sqlite3.OperationalError as fault:
            raise ArgumentError(f"the store {self.path} cannot be read or written: {fault}") from fault
        except sqlite3.DatabaseError as fault:
            raise ArgumentError(f"{self.path} is no store of results: {fault}") from fault
