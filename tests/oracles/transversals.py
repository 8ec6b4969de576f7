"""Minimal transversals by trying all sets of features."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

Family = frozenset[frozenset[str]]


def minimal_transversals(removals: Sequence[Collection[str]], names: Sequence[str]) -> Family:
    """Return the sets that meet all removals and of which no other such set is a part."""
    found: list[frozenset[str]] = []
    for size in range(len(names) + 1):
        for chosen in map(frozenset, combinations(names, size)):
            if not any(known <= chosen for known in found) and all(chosen & set(one) for one in removals):
                found.append(chosen)
    return frozenset(found)
