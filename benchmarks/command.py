"""What the programs here share: checked arguments, one line for faults, pages that name a commit."""

from __future__ import annotations

import argparse
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from altsel.errors import AltselError

STAMP = re.compile(r"^Of commit [0-9a-f]{7,}( and changes after it)?, date \d{4}-\d\d-\d\d\.$", re.MULTILINE)
"""The line of a page that says of which commit its figures are."""


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """Return what reads a whole number from `least` to `most`."""
    words = f"a whole number from {least}" + (" on" if most is None else f" to {most}")

    def read(text: str) -> int:
        if not text.lstrip("-").isdigit() or int(text) < least or (most is not None and int(text) > most):
            raise argparse.ArgumentTypeError(f"{text}: use {words}")
        return int(text)

    return read


def share_of_all(text: str) -> float:
    """Read a number above 0 and up to 1."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{text}: use a number above 0 and up to 1")
    return value


def folder_of(pattern: str) -> Callable[[str], Path]:
    """Return what reads a folder in which there are such files."""

    def read(text: str) -> Path:
        path = Path(text)
        if not path.is_dir():
            raise argparse.ArgumentTypeError(f"{text}: no such folder")
        if not any(path.glob(pattern)):
            raise argparse.ArgumentTypeError(f"{text}: no {pattern} in it")
        return path

    return read


@contextmanager
def in_one_line(parser: argparse.ArgumentParser) -> Iterator[None]:
    """End with one line where an argument, a file or what a file holds is wrong."""
    try:
        yield
    except (AltselError, OSError, ModuleNotFoundError) as fault:
        parser.error(str(fault))


def stamped(page: str = "") -> str:
    """Return a page with the line `STAMP` of this checkout below its heading, in place of an earlier one."""
    heading, _, rest = page.partition("\n") if page.startswith("# ") else ("", "", page)
    rest = STAMP.sub("", rest).strip("\n")
    return "\n\n".join(part for part in (heading, _of_commit(), rest) if part) + "\n"


def _of_commit() -> str:
    """Return the line of this checkout; a page of no commit is refused by the tests."""

    def git(*arguments: str) -> str:
        call = ["git", "-C", str(Path(__file__).parent), *arguments]
        return subprocess.run(call, capture_output=True, text=True, check=True).stdout.strip()

    day = f"{datetime.now(UTC):%Y-%m-%d}"
    try:
        commit = git("rev-parse", "--short", "HEAD")
        changed = git("status", "--porcelain", "--untracked-files=no", "--", ":/", ":(exclude)results")
    except (OSError, subprocess.CalledProcessError):
        return f"Of no commit, date {day}."
    return f"Of commit {commit}{' and changes after it' * bool(changed)}, date {day}."
