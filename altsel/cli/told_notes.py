"""Notes on how a table is read: whole the first time, in one line where a file at hand holds the same."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from altsel.cli.messages import note
from altsel.errors import DataWarning
from altsel.results.text import number_of

LONG = 120
"""Characters of notes that are told whole whenever the table is read."""


@dataclass(frozen=True)
class _Known:
    """The notes on the table of the command under way, and those that the files hold which it is given."""

    notes: list[str] = field(default_factory=list)
    files: dict[str, list[str]] = field(default_factory=dict)


_known: ContextVar[_Known | None] = ContextVar("notes that are known", default=None)


@contextmanager
def command_under_way() -> Iterator[None]:
    """Begin to remember notes; a command that another one runs again knows the same files."""
    before = _known.get()
    token = _known.set(_Known(files={} if before is None else dict(before.files)))
    try:
        yield
    finally:
        _known.reset(token)


def notes_in(request: Mapping[str, Any]) -> list[str]:
    """Return the notes that solutions hold of the command that found them; none if no command did."""
    command = request.get("command")
    held = command.get("notes") if isinstance(command, Mapping) else None
    return [one for one in held if isinstance(one, str)] if isinstance(held, list) else []


def known_from(file: Path, notes: Sequence[str]) -> None:
    """Remember which notes a file holds that the command under way is given."""
    known = _known.get()
    if known is not None:
        known.files[str(file)] = list(notes)


def told() -> list[str]:
    """Return the notes on the table that the command under way has read."""
    known = _known.get()
    return [] if known is None else list(known.notes)


@contextmanager
def told_once(data: Path, target: str) -> Iterator[None]:
    """Print the notes on a table that is read: those that a file at hand holds too, in one line."""
    known = _known.get()
    if known is None:
        yield
        return
    caught: list[warnings.WarningMessage] = []
    try:
        with warnings.catch_warnings(record=True) as caught:
            yield
    finally:
        notes = [str(one.message) for one in caught if issubclass(one.category, DataWarning)]
        known.notes[:] = dict.fromkeys(notes)
        _print(caught, known, data, target)


def _print(caught: Sequence[Any], known: _Known, data: Path, target: str) -> None:
    """Print what no file holds, then how many notes one does; whole where they are short."""
    held = {file: [one for one in known.notes if one in notes] for file, notes in known.files.items()}
    file = max(held, key=lambda one: len(held[one]), default="")
    old = held.get(file, [])
    where = f"altsel look {shlex.quote(str(data))} --target {shlex.quote(target)} --table {shlex.quote(file)}"
    line = f"{number_of(len(old), 'note')} on how {data} is read, as when {file} was made; whole: {where}"
    if sum(map(len, old)) <= LONG:
        old = []
    for one in caught:
        if str(one.message) not in old:
            warnings.showwarning(one.message, one.category, one.filename, one.lineno)
    if old:
        note(line)
