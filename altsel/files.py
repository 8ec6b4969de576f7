"""Writing files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import util
from pathlib import Path

from altsel.errors import ArgumentError, ConfigurationError


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Give a file beside a path to write to; it takes the path's place once all is written.

    The earlier file stays if writing fails, or the process ends; nothing else is left behind.

    Raises
    ------
    ArgumentError
        If the file cannot be written.
    """
    path = Path(path)
    part: Path | None = None
    try:
        handle, name = tempfile.mkstemp(dir=path.absolute().parent, prefix=".altsel.", suffix=path.suffix)
        os.close(handle)
        part = Path(name)
        yield part
        part.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
        part.replace(path)
        part = None
    except OSError as fault:
        raise ArgumentError(f"{path} cannot be written: {fault.strerror or fault}") from fault
    finally:
        if part is not None:  # also after an interrupt nothing stray is left
            part.unlink(missing_ok=True)


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
