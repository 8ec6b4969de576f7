"""Modules imported when they are first used: some take longer to import than a search takes."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class OnDemand:
    """Stands for a module, which is imported when something of it is first used.

    Unlike ``lazy_loader.load`` it does not import the packages that a submodule is in.

    Parameters
    ----------
    name
        Full name of the module.

    Examples
    --------
    >>> OnDemand("math").sqrt(4.0)
    2.0
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(import_module(self._name), attribute)
        setattr(self, attribute, found)
        return found
