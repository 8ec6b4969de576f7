"""Versions of what an answer depends on."""

from __future__ import annotations

from functools import cache
from importlib import metadata

from altsel._version import __version__


def versions(solver: str) -> dict[str, str]:
    """Versions of altsel, Pyomo and the engines installed, and the solver's profile."""
    return {"altsel": __version__, "solver": solver, **_packages()}


def versions_of(*packages: str) -> dict[str, str]:
    """Versions of altsel and of some packages, those that are installed."""
    return {"altsel": __version__, **_installed(packages)}


def _packages() -> dict[str, str]:
    return _installed(("pyomo", "highspy", "ortools", "pyscipopt"))


@cache
def _installed(packages: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for package in packages:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found
