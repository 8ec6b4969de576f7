"""Writing files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib import util
from pathlib import Path
from uuid import uuid4

from altsel.errors import ArgumentError, ConfigurationError
from altsel.runtime.processes import may_run, this_machine


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Give a file beside a path to write to; it takes the path's place once all is written.

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
        path = path.resolve() if path.is_symlink() else path
        if path.exists() and not os.access(path, os.W_OK):
            raise ArgumentError(f"{path} cannot be written: it is read-only")
        if path.exists() and not path.is_file():
            with tempfile.TemporaryDirectory() as other:  # a device or a pipe has no place to take
                yield (held := Path(other) / f"part{path.suffix}")
                path.write_bytes(held.read_bytes())
            return
        folder, mine = path.absolute().parent, f".altsel.{_machine()}.{os.getpid()}."
        _remove_leavings(folder)
        part = folder / f"{mine}{uuid4().hex[:8]}{path.suffix}"
        part.touch(mode=0o666, exist_ok=False)
        yield part
        if path.exists():
            part.chmod(path.stat().st_mode & 0o777)
        part.replace(path)
        part = None
    except OSError as fault:
        raise ArgumentError(f"{path} cannot be written: {fault.strerror or fault}") from fault
    finally:
        if part is not None:  # also after an interrupt nothing stray is left
            part.unlink(missing_ok=True)


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
    path = Path(path)
    if path.suffix.lower() not in endings:
        raise ArgumentError(f"{path} is no picture: end its name in {', '.join(endings)}")
    if util.find_spec(package) is None:
        raise ConfigurationError(f'a picture needs {package}: pip install "altsel[{extra}]"')
