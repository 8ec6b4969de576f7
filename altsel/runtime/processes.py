"""Whether a process may still be at work, and processes that end with the one that called them."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any

from altsel.runtime.on_demand import OnDemand

windows: Any = OnDemand("altsel.runtime.windows")
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
    return bool(windows.runs(pid))


def own_group() -> dict[str, Any]:
    """Return arguments of `subprocess.Popen` by which Ctrl-C reaches a program through this process alone.

    Examples
    --------
    >>> list(own_group()) in (["process_group"], ["creationflags"])
    True
    """
    return {"process_group": 0} if os.name == "posix" else {"creationflags": windows.NEW_GROUP}


def run_in_group(
    *command: Any, input: str | None = None, timeout: float | None = None, **how: Any
) -> subprocess.CompletedProcess[str]:
    """Run a program as `subprocess.run` does; what it has started itself ends with it, however it ends.

    It gets a group of processes of its own, so that Ctrl-C reaches it through this process alone.

    Parameters
    ----------
    command, input, timeout, how
        As of `subprocess.run`, without ``check`` and ``capture_output``.

    Raises
    ------
    TimeoutExpired, OSError
        As `subprocess.run` does.
    """
    if input is not None:
        how["stdin"] = subprocess.PIPE
    how |= own_group()
    with subprocess.Popen(*command, **how) as program:
        try:
            output, errors = program.communicate(input, timeout)
        finally:
            if os.name == "posix":
                with suppress(ProcessLookupError, PermissionError):  # none is left, or it is another user's
                    os.killpg(program.pid, signal.SIGKILL)
            else:
                windows.end_tree(program)
    return subprocess.CompletedProcess(program.args, program.returncode, output, errors)


@cache
def end_with_parent() -> None:
    """Let this worker end soon after the process that started it, which may have been killed.

    Workers of loky wait for a killed parent's tasks for ever: nobody tells them.
    """
    Thread(target=_watch, args=(os.getppid(),), name="altsel, parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent and may_run(parent):  # Windows gives nobody another parent
        time.sleep(LOOK)
    os._exit(1)
