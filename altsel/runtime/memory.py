"""Memory: how much a process has held at most, how much there is, and what would need more is refused.

What is available is the least of what the machine, the control groups that the process is in and its own
limit on address space (``ulimit -v``) leave; ``ALTSEL_MEMORY``, such as ``8GB``, takes the place of all of
them. Where none can be had nothing is refused.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from altsel.errors import ArgumentError, ConfigurationError

SETTING = "ALTSEL_MEMORY"
UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
SMALL = 50_000_000
"""Bytes up to which nothing is looked up."""
UNLIMITED = 2**60
"""What control groups of version 1 say where there is no limit, or more."""
NUMBER = 8
"""Bytes of a number."""


def peak() -> int | None:
    """Return the most memory that this process has held (resident), in bytes; None where it cannot be had.

    It is that of the whole process since it began, interpreter, libraries and data included; not that of
    other processes, such as workers.

    Examples
    --------
    >>> held = peak()
    >>> held is None or held > 1_000_000
    True
    """
    with suppress(OSError, ValueError, IndexError):  # Linux; getrusage would count what ran before `exec`
        return 1024 * int(_entry(Path("/proc/self/status"), "VmHWM:"))
    try:
        import resource  # noqa: PLC0415  (not on Windows)
    except ImportError:
        return None
    held = int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    return held if os.uname().sysname == "Darwin" else 1024 * held


def available(root: Path = Path("/")) -> int | None:
    """Return how much more memory this process may take, in bytes; None where nothing says.

    Parameters
    ----------
    root
        Where the system's files are.

    Raises
    ------
    ConfigurationError
        If ``ALTSEL_MEMORY`` is set to no size.

    Examples
    --------
    >>> have = available()
    >>> have is None or have > 0
    True
    """
    given = os.environ.get(SETTING)
    if given:
        return _parsed(given)
    return min((have for have in (*_of_machine(root), *_of_groups(root), *_of_limit(root))), default=None)


def require(needed: float, what: str, fix: str) -> None:
    """Refuse what would need more memory than is available, before any of it is taken.

    Parameters
    ----------
    needed
        Bytes.
    what
        What would need them, in the plural.
    fix
        What to do instead.

    Raises
    ------
    ArgumentError
        If they are not available; says how many are needed, how many are there, and the fix.
    """
    why = shortage(needed, what)
    if why is not None:
        raise ArgumentError(f"{why}: {fix}, or set {SETTING} if there is more")


def shortage(needed: float, what: str) -> str | None:
    """Return why memory does not suffice, with the numbers; None if it does, or nothing says."""
    if needed <= SMALL:
        return None
    have = available()
    if have is None or needed <= have:
        return None
    return f"{what} need {size_text(needed)} of memory, {size_text(have)} are available"


def tables(size: int, number: int) -> tuple[int, str]:
    """Return the bytes of some square tables of numbers, and their name.

    Examples
    --------
    >>> tables(100_000, 1)
    (80000000000, 'tables of 100,000 x 100,000')
    """
    return NUMBER * number * size**2, f"tables of {size:,} x {size:,}"


def size_text(size: float) -> str:
    """Write a number of bytes.

    Examples
    --------
    >>> size_text(80e9), size_text(1_234_567_890), size_text(64e6), size_text(0)
    ('80 GB', '1.2 GB', '64 MB', '0 MB')
    """
    for unit in ("TB", "GB"):
        if size >= UNITS[unit]:
            number = size / UNITS[unit]
            return f"{number:,.0f} {unit}" if number >= 10 else f"{number:.2g} {unit}"
    return f"{size / UNITS['MB']:.0f} MB"


def _parsed(text: str) -> int:
    found = re.fullmatch(r"(\d+(?:\.\d*)?)\s*([KMGT]?B?)", text.strip().upper())
    unit = "" if found is None else found[2]
    unit = unit if unit in UNITS else f"{unit}B"
    if found is None:
        raise ConfigurationError(f"{SETTING}={text!r} is no size of memory; use one such as 8GB or 500MB")
    return int(float(found[1]) * UNITS[unit])


def _of_machine(root: Path) -> Iterator[int]:
    with suppress(OSError, ValueError, IndexError):
        yield 1024 * int(_entry(root / "proc/meminfo", "MemAvailable:"))


def _of_groups(root: Path) -> Iterator[int]:
    """Return what the control groups of this process leave, of version 2 or 1, and those above them."""
    try:
        lines = (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if not controllers:
            top, limit, used, idle = "sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"
        elif "memory" in controllers.split(","):
            top, limit = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
            used, idle = "memory.usage_in_bytes", "total_inactive_file"
        else:
            continue
        group = Path(path.lstrip("/"))
        for folder in (group, *group.parents):  # the last one is where the groups are mounted
            with suppress(OSError, ValueError, IndexError):  # "max", or not to be seen from a container
                most = int((root / top / folder / limit).read_text(encoding="utf-8"))
                held = int((root / top / folder / used).read_text(encoding="utf-8"))
                if most < UNLIMITED:
                    yield max(most - held + int(_entry(root / top / folder / "memory.stat", idle)), 0)


def _of_limit(root: Path) -> Iterator[int]:
    """Return what a limit on the address space of this process leaves."""
    with suppress(ImportError, OSError, ValueError, IndexError):
        import resource  # noqa: PLC0415  (not on Windows)

        most, _ = resource.getrlimit(resource.RLIMIT_AS)
        if most != resource.RLIM_INFINITY:
            pages = int((root / "proc/self/statm").read_text(encoding="utf-8").split()[0])
            yield max(most - pages * resource.getpagesize(), 0)


def _entry(file: Path, name: str) -> str:
    """Return the word after a name at the beginning of a line."""
    for line in file.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words and words[0] == name:
            return words[1]
    raise IndexError(name)
