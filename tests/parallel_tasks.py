"""Tasks of parallel runs, apart from their tests: a worker loads what the module of its task imports."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from altsel.errors import DataError


def doubled(number: int) -> int:
    return 2 * number


def noted(folder: Path, number: int) -> int:
    """Leave one file for each time that a task is done."""
    (folder / f"{number}-{time.time_ns()}").touch()
    return number


def kills_first(folder: Path, number: int) -> int:
    """Kill its worker at the first try of task 3."""
    if number == 3 and not (folder / "killed").exists():
        (folder / "killed").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return noted(folder, number)


def kills(number: int) -> int:
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def refuses(number: int) -> int:
    if number == 2:
        raise DataError("no such level")
    return number


def process(number: int) -> int:
    del number
    return os.getpid()


def environment(name: str) -> str | None:
    return os.environ.get(name)
