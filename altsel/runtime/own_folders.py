"""Temporary folders of a process, which the next process removes where it was killed."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from io import BufferedWriter
from pathlib import Path
from typing import Any

from altsel.runtime.on_demand import OnDemand

fcntl: Any = OnDemand("fcntl")
IN_USE = "in-use"
"""A file that the owner of a folder has locked: the system unlocks it when the process ends, however.

On Windows it is locked by being open: nobody can remove it then.
"""


def own_folder(prefix: str) -> tuple[Path, Callable[[], None]]:
    """Create a temporary folder, and remove those whose owners were killed.

    Parameters
    ----------
    prefix
        How its name begins; it tells folders of one use from others.

    Returns
    -------
    tuple
        The folder, and a function that removes it; the folder is in use as long as that is kept.

    Raises
    ------
    OSError
        If no folder can be made.
    """
    _remove_abandoned(prefix)
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    return folder, partial(_remove, folder, _locked(folder), os.getpid())


def _locked(folder: Path) -> BufferedWriter | None:
    """Lock a folder; None where nothing can be locked: then nobody else removes the folder either."""
    with suppress(OSError):
        if os.name != "posix":
            return (folder / IN_USE).open("wb")
        beside = folder / f"{IN_USE}.new"
        file = beside.open("wb")
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        beside.rename(folder / IN_USE)  # others see the file when it is locked, never before
        return file
    return None


def _remove(folder: Path, lock: BufferedWriter | None, owner: int) -> None:
    if os.getpid() != owner:  # a fork of the owner does not own it
        return
    if lock is not None and os.name != "posix":
        lock.close()  # what is open cannot be removed
    shutil.rmtree(folder, ignore_errors=True)
    if lock is not None:
        lock.close()


def _remove_abandoned(prefix: str) -> None:
    """Remove the folders of this user that no process has locked any more."""
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with suppress(OSError):  # it is in use, or gone meanwhile
            if folder.is_symlink():
                continue
            if os.name != "posix":
                (folder / IN_USE).unlink()
                shutil.rmtree(folder, ignore_errors=True)
                continue
            if folder.stat().st_uid != os.getuid():
                continue
            with (folder / IN_USE).open("r+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
