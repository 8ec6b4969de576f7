"""Warnings that point at the line that called altsel, whatever of it and of others lies between."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable
from typing import Any

from altsel.errors import DataWarning, listing


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn at the line that called altsel first: functions of Python's library may lie between its own."""
    level, outermost, frame = 2, 2, sys._getframe(1)
    while frame.f_back is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] == "altsel":
            outermost = level + 1
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=outermost)


def note_unpriced(what: str, names: Iterable[str], fix: str, *, number: str = "cost") -> None:
    """Warn of names without a number where others have one, if there are any: they count as 0.

    Parameters
    ----------
    what
        Who counts them.
    names
        The names.
    fix
        How it is said that 0 is meant, or what else.
    number
        What a number is called.
    """
    if free := list(names):
        has = "has" if len(free) == 1 else "have"
        warn_caller(f"{what}: {listing(free)} {has} no {number}, which counts as 0; {fix}", DataWarning)


def quietly(make: Callable[..., Any], *given: Any, **options: Any) -> Any:
    """Make something of data whose oddities were said already."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return make(*given, **options)
