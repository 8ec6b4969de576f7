"""Whether a process may still be at work, and workers that end with the one that called them."""

from __future__ import annotations

import os
import platform
import time
from functools import cache
from pathlib import Path
from threading import Thread

LOOK = 2.0
"""Seconds after which a worker looks whether its parent is there."""


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


@cache
def end_with_parent() -> None:
    """Let this worker end soon after the process that started it, which may have been killed.

    Workers of loky wait for a killed parent's tasks for ever: nobody tells them.
    """
    if os.name == "posix":
        Thread(target=_watch, args=(os.getppid(),), name="altsel, parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK)
    os._exit(1)
