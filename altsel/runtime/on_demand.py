"""Modules imported when they are first used: some take longer to import than a search takes."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from altsel.runtime.interrupts import hold_interrupts


def load(name: str) -> Any:
    """Import a module whole: an interrupt waits until it is there, as one imported in part is there for good.

    Parameters
    ----------
    name
        Full name of the module.

    Raises
    ------
    ImportError
        If it is not installed, or needs what is not.

    Examples
    --------
    >>> load("math").sqrt(4.0)
    2.0
    """
    with hold_interrupts():
        return import_module(name)


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
        with hold_interrupts():  # the attribute may be a module that its package imports now
            found = getattr(import_module(self._name), attribute)
        setattr(self, attribute, found)
        return found
