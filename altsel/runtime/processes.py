"""Whether a process, of this machine or another, may still be at work."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def this_machine() -> str:
    """Name what numbers of processes are distinguished on: the machine, and its space of such numbers."""
    try:
        space = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        space = ""
    return platform.node() + space


def may_run(pid: int) -> bool:
    """Return whether a process of this machine exists; where that cannot be known, that it may.

    Examples
    --------
    >>> import os
    >>> may_run(os.getpid())
    True
    """
    if os.name == "posix":
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        except (PermissionError, OverflowError):
            pass
    return True
