"""Sets of features to be met, as bits of integers: the smallest of them, and what meets them all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from altsel.errors import ArgumentError, list_of_names, listing
from altsel.results.sets import checked_sets

Names = tuple[str, ...]
Sets = Collection[Collection[str]]


def minimal(sets: Iterable[int]) -> list[int]:
    """Return the sets of which no other one is a part, the smallest first: what meets them meets all.

    Examples
    --------
    >>> minimal([0b111, 0b011, 0b100, 0b011])
    [4, 3]
    """
    kept: list[int] = []
    for one in sorted(set(sets), key=int.bit_count):
        for other in kept:
            if other & one == other:
                break
        else:
            kept.append(one)
    return kept


def checked_removals(removals: Iterable[Iterable[str]], order: Iterable[str] | None) -> tuple[Sets, Names]:
    """Return the minimal sets to be met, and all features in their order.

    Raises
    ------
    ArgumentError
        If they are no sets of names, or a name is not in the order, or twice in it.

    Examples
    --------
    >>> checked_removals([["a", "b"], ["c"], ["b", "c"]], None)
    ((('a', 'b'), ('c',)), ('a', 'b', 'c'))
    """
    sets = checked_sets(removals, "removals")
    named = tuple(dict.fromkeys(name for subset in sets for name in subset))
    universe = named if order is None else checked_sets([list_of_names("order", order)], "order")[0]
    unknown = sorted(set(named).difference(universe))
    if unknown:
        raise ArgumentError(
            f"order: {listing(unknown)} in removals and not in the order; add what is missing"
        )
    bit = {name: 1 << j for j, name in enumerate(universe)}
    as_bits = {as_bitset(subset, bit): tuple(sorted(subset, key=bit.__getitem__)) for subset in sets}
    kept = set(minimal(as_bits))
    return tuple(subset for bits, subset in as_bits.items() if bits in kept), universe


def as_bitset(names: Collection[str], bit: dict[str, int]) -> int:
    """Return a set of names as the sum of their bits."""
    return sum(bit[name] for name in names)


def is_minimal_transversal(chosen: Collection[str], removals: Sets) -> bool:
    """Return whether a set meets all others, and each of its features is the only one that meets some set.

    Examples
    --------
    >>> is_minimal_transversal(["b"], [["a", "b"], ["b", "c"]])
    True
    >>> is_minimal_transversal(["a", "b"], [["a", "b"], ["b", "c"]])
    False
    """
    inside = [set(chosen).intersection(removal) for removal in removals]
    return all(inside) and set(chosen) == {name for met in inside if len(met) == 1 for name in met}


def make_minimal(transversal: Iterable[str], removals: Sets) -> frozenset[str]:
    """Leave features out of a transversal until it is minimal, the last ones first.

    Examples
    --------
    >>> sorted(make_minimal(["b", "a", "c"], [["a", "b"], ["b", "c"]]))
    ['b']
    """
    left = list(transversal)
    for name in left[::-1]:
        others = set(left) - {name}
        if all(others.intersection(removal) for removal in removals):
            left.remove(name)
    return frozenset(left)


def occurrences(removals: Sequence[Collection[str]]) -> dict[str, list[int]]:
    """Return in which of the sets each feature is, by their numbers."""
    found: dict[str, list[int]] = {}
    for number, removal in enumerate(removals):
        for name in removal:
            found.setdefault(name, []).append(number)
    return found
