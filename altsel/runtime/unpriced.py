"""Names that numbers were not given for, where others were: they count as 0, and that is said."""

from __future__ import annotations

from collections.abc import Iterable

from altsel.errors import DataWarning, listing
from altsel.runtime.caller import warn_caller


def note_unpriced(what: str, names: Iterable[str], fix: str, *, number: str = "cost") -> None:
    """Warn of names without a number, if there are any.

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
