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

    def done(self) -> dict[str, dict[str, Any]]:
        """Read all results, by the cases' keys."""
        with self._open() as base:
            return {key: json.loads(text) for key, text in base.execute("SELECT key, result FROM runs")}

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.path, timeout=60)) as base, base:
                base.execute("PRAGMA journal_mode=WAL")
                base.execute("CREATE TABLE IF NOT EXISTS runs (key TEXT PRIMARY KEY, result TEXT NOT NULL)")
                yield base
        except sqlite3.DatabaseError as fault:
            raise ArgumentError(f"{self.path} is no store of a benchmark: {fault}") from fault
