"""What is said on stderr: notes, errors and progress, in colour and folded only where a terminal shows it."""

from __future__ import annotations

import logging
import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from typer import Exit

from altsel.errors import printable
from altsel.runtime.memory import peak, size_text
from altsel.runtime.phases import SEARCH, Account, accounted

NARROWEST = 20
"""Columns below which nothing is made to fit: the size of such a terminal is not known."""
COLOURS = {"altsel": "1;31", "note": "33"}
"""Colour of a message's first word, as a terminal is told it."""
SPACING = 1.0
"""Seconds between two messages of what is done, in a file or a pipe; warnings do not wait."""
PASSING = "altsel.runtime.progress"
"""Messages about how far a loop is: on a terminal each takes the place of the one before."""
ERASE = "\r\x1b[2K"

_passing = False  # whether the last line on the terminal is one that is to go


def columns_of(stream: IO[str]) -> int | None:
    """Return the width of a terminal, COLUMNS first; None if the stream is none: a file, a pipe."""
    if not _is_terminal(stream):
        return None
    columns = shutil.get_terminal_size().columns
    return columns if columns >= NARROWEST else None


def announce(text: object) -> None:
    """Print on stderr: notes, what ended a search, why there is nothing more."""
    columns, shown = columns_of(sys.stderr), str(text)
    if columns is not None and len(shown) > columns:
        from altsel.results.fitting import folded  # noqa: PLC0415 (with heavy neighbours)

        shown = folded(shown, columns)
    head, colon, rest = shown.partition(":")
    if head in COLOURS and coloured(sys.stderr):
        shown = f"\x1b[{COLOURS[head]}m{head}{colon}\x1b[0m{rest}"
    _erase()
    _write(f"{shown}\n")


def note(text: object) -> None:
    """Print on stderr what a reader of the result should know."""
    announce(f"note: {printable(str(text))}")


def coloured(stream: IO[str]) -> bool:
    """Return whether a stream is shown in colour: a terminal that can, and NO_COLOR is not set."""
    return _is_terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


class _Patient(logging.Handler):
    """Show messages on stderr once the work has taken longer than some seconds."""

    def __init__(self, patience: float) -> None:
        super().__init__(logging.INFO)
        self.began, self.patience = time.perf_counter(), patience
        self.last = -SPACING

    def emit(self, record: logging.LogRecord) -> None:
        passed = time.perf_counter() - self.began
        if passed <= self.patience or record.name == "altsel.data":  # commands note that themselves
            return
        columns = columns_of(sys.stderr)
        if columns is None and record.levelno < logging.WARNING and passed - self.last < SPACING:
            return
        self.last = passed
        line = f"[{passed:6.1f} s] {printable(record.getMessage())}"
        if columns is None or record.name != PASSING or os.environ.get("TERM") == "dumb":
            announce(line)
        else:
            _pass(line, columns)


@contextmanager
def told(wanted: bool) -> Iterator[None]:
    """Report at the end of a command what each phase of it has taken, if that is wanted."""
    if not wanted:
        yield
        return
    with accounted() as account:
        account.enter(SEARCH)
        try:
            yield
        except Exit:
            announce(_taken(account))
            raise
        announce(_taken(account))


def _taken(account: Account) -> str:
    held = peak()
    return f"{account}" if held is None else f"{account}; peak memory {size_text(held)}"


@contextmanager
def progress(quiet: bool, of: str = "altsel", patience: float = 1.0) -> Iterator[None]:
    """Show what altsel, or a part of it, logs on stderr, unless quiet."""
    logger = logging.getLogger(of)
    handler = _Patient(patience)
    level = logger.level
    if not quiet:
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
        _erase()


def _pass(line: str, columns: int) -> None:
    """Show a line in place of the last one that passes."""
    global _passing  # noqa: PLW0603 (a terminal is one thing)
    _write(f"{ERASE}{line[: columns - 1]}")
    _passing = True


def _erase() -> None:
    global _passing  # noqa: PLW0603
    if _passing:
        _write(ERASE)
    _passing = False


def _write(text: str) -> None:
    if sys.stderr is not None:  # as in a program without a console
        sys.stderr.write(text)
        sys.stderr.flush()


def _is_terminal(stream: IO[str]) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):  # none, or closed
        return False
