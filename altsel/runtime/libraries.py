"""Modules of installed libraries, whose content a name and a version tell."""

from __future__ import annotations

import os
import platform
import sys
from functools import cache
from importlib.metadata import packages_distributions, version
from operator import attrgetter
from pathlib import Path
from pickle import whichmodule  # type: ignore[attr-defined] # (it is there)
from typing import Any

from altsel._version import __version__

INSTALLED = {"site-packages", "dist-packages"}
STANDARD = (Path(os.__file__).parent, Path(sys.base_prefix, "DLLs"))
"""Folders of the standard library; the second one is that of Windows."""


@cache
def release_of(module: str) -> str | None:
    """Return the version of the library that a module belongs to; None if it is one of the user's own.

    An own package installed for editing is the user's: its code changes and its version does not.

    Examples
    --------
    >>> release_of("altsel.domain") == __version__, release_of("__main__")
    (True, None)
    """
    first = module.partition(".")[0]
    if first == "altsel":
        return __version__
    loaded = sys.modules.get(module)
    if first == "__main__" or loaded is None:
        return None
    if getattr(loaded.__spec__, "origin", None) in {"built-in", "frozen"}:
        return platform.python_version()
    file = Path(getattr(loaded, "__file__", None) or "")
    if INSTALLED & set(file.parts):
        return getattr(sys.modules.get(first), "__version__", None) or _of_distributions(first)
    return platform.python_version() if any(map(file.is_relative_to, STANDARD)) else None


def library_global(thing: Any, name: str) -> str | None:
    """Return full name and version of what a library has by this name; None of any other thing."""
    module = whichmodule(thing, name)
    release = release_of(module)
    try:
        found = release and attrgetter(name)(sys.modules[module])
    except (AttributeError, KeyError):
        return None
    return f"{module}.{name} {release}" if found is thing else None


def _of_distributions(package: str) -> str | None:
    """Return the versions of the distributions that a package comes from, for it may have none of its own."""
    return ", ".join(map(version, packages_distributions().get(package, ()))) or None
