"""Sets of features as a user gives them: Solutions, or lists of names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from altsel.errors import ArgumentError, listing, of_kind

Names = tuple[str, ...]


def checked_sets(found: Iterable[Iterable[str]], name: str = "found") -> tuple[Names, ...]:
    """Return sets as tuples of names, each name once in a set.

    Raises
    ------
    ArgumentError
        If they are no sets of names, such as one text, or one names a feature twice.

    Examples
    --------
    >>> checked_sets([["a", "b"], ["c"]])
    (('a', 'b'), ('c',))
    """
    such_as = "Solutions, or lists of names: [['a', 'b'], ['c']]"
    of_kind(name, found, Iterable, such_as)
    sets: list[Any] = list(found)
    if isinstance(found, (str, Mapping)) or not all(_is_set(subset) for subset in sets):
        raise ArgumentError(f"{name}={found!r:.60}; give {such_as}")
    for number, subset in enumerate(sets):
        twice = sorted(name for name, count in Counter(subset).items() if count > 1)
        if twice:
            raise ArgumentError(f"set {number} names {listing(twice)} more than once")
    return tuple(map(tuple, sets))


def _is_set(given: object) -> bool:
    """Return whether something is names, and not one name, which is letters."""
    plain = isinstance(given, Iterable) and not isinstance(given, (str, bytes, Mapping))
    return plain and all(isinstance(name, str) for name in given)  # type: ignore[attr-defined]
