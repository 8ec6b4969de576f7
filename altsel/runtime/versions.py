"""Versions of what an answer depends on."""

from __future__ import annotations

from functools import cache
from importlib import metadata

from altsel._version import __version__


def versions(solver: str) -> dict[str, str]:
    """Versions of altsel, Pyomo and the engines installed, and the solver's profile."""
    return {"altsel": __version__, "solver": solver, **_packages()}


@cache
def _packages() -> dict[str, str]:
    found = {}
    for package in ("pyomo", "highspy", "ortools", "pyscipopt"):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found
