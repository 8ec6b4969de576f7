"""The console and the streams of a command: UTF-8 and colours on Windows, and pipes that nobody reads."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress

from altsel.runtime.on_demand import load


def prepare() -> None:
    """Let the streams of a command be what they are on other systems; there nothing is done.

    On Windows a result that is redirected to a file would be in the code page of the system, which has no
    letters of other languages, and its lines would end otherwise; it is UTF-8, unless ``PYTHONIOENCODING``
    says another. Consoles before Windows 10 show escapes as they are: they get none.
    """
    if os.name != "nt":
        return
    if not os.environ.get("PYTHONIOENCODING"):
        for stream in (sys.stdout, sys.stderr):
            with suppress(AttributeError, OSError, ValueError):  # none, closed, or another's
                stream.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    try:
        load("colorama").just_fix_windows_console()  # the command line's packages bring it there
    except (ImportError, AttributeError):
        os.environ.setdefault("TERM", "dumb")


def is_closed_pipe(fault: OSError) -> bool:
    """Return whether writing failed as nobody reads any more: Windows reports an invalid argument.

    Examples
    --------
    >>> is_closed_pipe(BrokenPipeError()), is_closed_pipe(FileNotFoundError())
    (True, False)
    """
    return isinstance(fault, BrokenPipeError) or (os.name == "nt" and fault.errno == errno.EINVAL)
