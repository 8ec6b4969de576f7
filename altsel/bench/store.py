"""Results on disk: one row a case, each complete or absent, whatever stops the run."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from altsel.bench.grid import Case
from altsel.errors import ArgumentError

TABLES = (
    "runs (key TEXT PRIMARY KEY, result TEXT NOT NULL)",
    "runners (name TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, seen REAL NOT NULL)",
    "claims (key TEXT PRIMARY KEY, runner TEXT NOT NULL)",
)


@dataclass(frozen=True)
class Store:
    """A SQLite file in write-ahead mode, to which several processes may write.

    Parameters
    ----------
    path
        The file; made when first written to.

    Raises
    ------
    ArgumentError
        If the file is no such store.
    """

    path: Path

    def save(self, case: Case, result: dict[str, Any]) -> None:
        """Save the result of a case, over an earlier one."""
        with self._open() as base:
            base.execute(
                "INSERT OR REPLACE INTO runs VALUES (?, ?)", (case.key, json.dumps(result, sort_keys=True))
            )

    def done(self, since: float = 0.0) -> dict[str, dict[str, Any]]:
        """Read the results by the cases' keys; errors reported before a time are left out."""
        with self._open() as base:
            found = dict(base.execute("SELECT key, result FROM runs"))
        return {key: json.loads(text) for key, text in found.items() if self.is_done(text, since)}

    @staticmethod
    def is_done(result: str, since: float) -> bool:
        """Return whether a case need not be run; the cause of an error reported before may be fixed."""
        try:
            values = json.loads(result)
            return bool(values["status"] != "error" or values["finished"] >= since)
        except (ValueError, KeyError, TypeError) as fault:
            raise ArgumentError(
                f"a result in the store is damaged ({fault}); begin in a new folder"
            ) from fault

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Open the store for reading and writing that no other process comes between."""
        with self._open() as base:
            base.execute("BEGIN IMMEDIATE")
            yield base

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.path, timeout=60)) as base, base:
                base.execute("PRAGMA journal_mode=WAL")
                for table in TABLES:
                    base.execute(f"CREATE TABLE IF NOT EXISTS {table}")
                base.commit()
                yield base
        except sqlite3.OperationalError as fault:
            raise ArgumentError(f"{self.path} cannot be read or written: {fault}") from fault
        except sqlite3.DatabaseError as fault:
            raise ArgumentError(f"{self.path} is no store of a benchmark: {fault}") from fault
