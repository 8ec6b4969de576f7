"""Words for parameters: the names of `altsel.catalogue`."""

from __future__ import annotations

from typing import Any

from altsel.errors import ArgumentError, did_you_mean, listing


def by_name(what: str, given: Any, names: Any, *further: str) -> Any:
    """Return the member of an enumeration.

    Raises
    ------
    ArgumentError
        If there is none of that name; it lists the names.

    Examples
    --------
    >>> from altsel.catalogue import DissimilarityName
    >>> by_name("distance", "dice", DissimilarityName)
    <DissimilarityName.DICE: 'dice'>
    """
    try:
        return names(given)
    except ValueError as fault:
        known = [*further, *names]
        hint = did_you_mean(str(given), known)
        raise ArgumentError(f"{what}={given!r}; use {listing(known, 20)}{hint}") from fault
