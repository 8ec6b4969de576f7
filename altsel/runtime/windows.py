"""What Windows does otherwise: whether a process runs, and processes that end with others."""

from __future__ import annotations

import ctypes
import os
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

QUERY = 0x1000
"""PROCESS_QUERY_LIMITED_INFORMATION: the right to ask whether a process has ended, of any user's."""
NO_SUCH_PROCESS = 87
"""ERROR_INVALID_PARAMETER, by which `OpenProcess` says that no process has that number."""
STILL_ACTIVE = 259
"""The exit code of a process that has none yet."""
NEW_GROUP = 0x200
"""CREATE_NEW_PROCESS_GROUP: Ctrl-C of the console does not reach the process."""


def runs(pid: int) -> bool:
    """Return whether a process exists; where that cannot be known, that it may.

    ``os.kill(pid, 0)`` is no question there: it sends Ctrl-C.

    Parameters
    ----------
    pid
        Number of the process.
    """
    if not 0 < pid < 2**32:
        return True
    kernel: Any = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]
    kernel.OpenProcess.argtypes = [ctypes.c_uint32, ctypes.c_int, ctypes.c_uint32]
    kernel.OpenProcess.restype = ctypes.c_void_p
    kernel.GetExitCodeProcess.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint32)]
    kernel.CloseHandle.argtypes = [ctypes.c_void_p]
    handle = kernel.OpenProcess(QUERY, 0, pid)
    if not handle:
        return bool(ctypes.get_last_error() != NO_SUCH_PROCESS)  # type: ignore[attr-defined,unused-ignore]
    try:
        code = ctypes.c_uint32()
        known = kernel.GetExitCodeProcess(handle, ctypes.byref(code))
        return not known or code.value == STILL_ACTIVE
    finally:
        kernel.CloseHandle(handle)


def end_tree(program: subprocess.Popen[Any]) -> None:
    """End a program that is at work, and what it has started.

    The system's own ``taskkill`` does, called by its whole path: Windows looks for programs in the working
    directory first.

    Parameters
    ----------
    program
        The program; one that has ended is left alone.
    """
    if program.poll() is not None:
        return
    taskkill = Path(os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32", "taskkill.exe")
    with suppress(OSError, subprocess.SubprocessError):
        command = [str(taskkill), "/T", "/F", "/PID", str(program.pid)]
        subprocess.run(command, capture_output=True, timeout=10, check=False)
    program.kill()
