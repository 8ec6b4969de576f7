"""Writing files whole or not at all."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib import util
from pathlib import Path
from uuid import uuid4

from altsel.errors import ArgumentError, ConfigurationError, checked_path
from altsel.runtime.processes import may_run, this_machine

LONGEST_ENDING = 16
PATIENCE = 2.0
"""Seconds for which a file that somebody reads is tried to be replaced: Windows refuses it meanwhile."""


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Yield a file beside a path to write to; it takes the path's place once all is written.

    The earlier file stays if writing fails, or the process ends; nothing else is left behind. What a
    process that was killed left, the next one that writes there removes.

    Raises
    ------
    ArgumentError
        If the file cannot be written.
    """
    path = Path(path)
    if "\0" in str(path):
        raise ArgumentError(f"{str(path)!r} is no path: it holds a zero byte")
    part: Path | None = None
    try:
        descriptor = stands_for(path)
        if descriptor is not None:  # what a shell has opened is written on, not replaced
            with os.fdopen(os.dup(descriptor), "wb") as stream:
                yield from _written_after(path, stream.write)
            return
        path = followed(path) if path.is_symlink() else path
        if path.exists() and not os.access(path, os.W_OK):
            raise ArgumentError(f"{path} cannot be written: it is read-only")
        if path.exists() and not path.is_file():  # a device or a pipe has no place to take
            yield from _written_after(path, path.write_bytes)
            return
        folder, mine = path.absolute().parent, f".altsel.{_machine()}.{os.getpid()}."
        _remove_leavings(folder)
        part = folder / f"{mine}{uuid4().hex[:8]}{_ending(path)}"
        part.touch(mode=_mode(path) or 0o666, exist_ok=False)
        yield part
        if mode := _mode(path):
            part.chmod(mode)
        _put(part, path)
        part = None
    except OSError as fault:
        raise ArgumentError(f"{path} cannot be written: {fault.strerror or fault}") from fault
    finally:
        if part is not None:  # also after an interrupt nothing stray is left
            with suppress(OSError):
                part.unlink()


def _put(part: Path, path: Path) -> None:
    """Let a file take the place of another; on Windows once nobody has that open, such as a virus scanner."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            part.replace(path)
        except PermissionError:
            if os.name == "posix" or time.monotonic() > end:
                raise
            time.sleep(0.02)
        else:
            return


def _written_after(path: Path, write: Callable[[bytes], object]) -> Iterator[Path]:
    """Yield a file elsewhere, whose content is written once it is whole."""
    with tempfile.TemporaryDirectory() as folder:
        yield (held := Path(folder) / f"part{_ending(path)}")
        write(held.read_bytes())


def followed(path: Path) -> Path:
    """Return where links lead; an OSError if it is back to themselves, whatever Python's version."""
    real = Path(os.path.realpath(path))
    if real.is_symlink():
        raise OSError("it is a link that leads to itself")
    return real


def stands_for(path: Path) -> int | None:
    """Return the open file that a path such as ``/dev/stdout`` or ``/dev/fd/3`` stands for."""
    text = path.as_posix()
    named = {"/dev/stdout": "1", "/dev/stderr": "2"}.get(text, "")
    number = named or text.removeprefix("/dev/fd/").removeprefix("/proc/self/fd/")
    return int(number) if number != text and number.isdecimal() else None


def _ending(path: Path) -> str:
    """Return the ending by which programs tell the form of a file; none if it is too long to be one."""
    return path.suffix if len(path.suffix) <= LONGEST_ENDING else ""


def _mode(path: Path) -> int:
    return path.stat().st_mode & 0o7777 if path.exists() else 0


def _machine() -> str:
    return sha256(this_machine().encode()).hexdigest()[:8]


def _remove_leavings(folder: Path) -> None:
    """Remove what processes of this machine began to write that are no more."""
    for part in folder.glob(f".altsel.{_machine()}.*"):
        pid = part.name.split(".")[3]
        if pid.isdecimal() and not may_run(int(pid)):
            with suppress(OSError):  # another user's, or a folder
                part.unlink()


def check_picture(path: str | Path, endings: tuple[str, ...], package: str, extra: str) -> None:
    """Refuse a picture that could not be drawn, before there is anything to draw.

    Raises
    ------
    ArgumentError
        If its ending is none of those.
    ConfigurationError
        If the package that draws it is not installed.
    """
    path = checked_path("path", path)
    if path.suffix.lower() not in endings:
        raise ArgumentError(f"{path} is no picture: end its name in {', '.join(endings)}")
    check_installed(package, extra)


def check_installed(package: str, extra: str) -> None:
    """Raise a ConfigurationError if a package that draws is not installed; an extra brings it."""
    if util.find_spec(package) is None:
        raise ConfigurationError(f'a picture needs {package}: pip install "altsel[{extra}]"')
