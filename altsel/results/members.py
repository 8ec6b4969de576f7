"""Units: features that stand for a group of columns with interchangeable names, their members."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from altsel.errors import ArgumentError, did_you_mean, listing, printable

Members = Mapping[str, tuple[str, ...]]
"""All names of a unit by the one that stands for it, itself first; only units of several names."""
SHOWN = 3
"""Further names of a unit that a text shows."""


def unit_of(members: Members) -> dict[str, str]:
    """Return the unit of every member, its own column included.

    Examples
    --------
    >>> unit_of({"a": ("a", "b")})
    {'a': 'a', 'b': 'a'}
    """
    return {name: unit for unit, names in members.items() for name in names}


def known_names(features: Iterable[str], members: Members) -> set[str]:
    """Return all names that features go by."""
    return {name for unit in features for name in members.get(unit, (unit,))}


def with_others(name: str, members: Members) -> str:
    """Show a feature with the first three of its other names, and how many more there are.

    Examples
    --------
    >>> with_others("a", {"a": ("a", "b", "c", "d", "e")}), with_others("z", {})
    ('a (or b, c, d and 1 more)', 'z')
    """
    others = list(map(printable, members.get(name, ())[1:]))
    if not others:
        return printable(name)
    more = f" and {len(others) - SHOWN} more" if len(others) > SHOWN else ""
    return f"{printable(name)} (or {', '.join(others[:SHOWN])}{more})"


def first_fault_of(members: Members, universe: Collection[str]) -> str | None:
    """Report what is wrong with members, if anything: units there are not, or names of several features."""
    strange = [unit for unit in members if unit not in universe]
    if strange:
        return f"the universe has no {listing(strange)}"
    for unit, names in members.items():
        if len(names) < 2 or names[0] != unit:
            return f"the members of {unit!r} are not itself and others"
    counts = Counter(name for names in members.values() for name in names)
    features = set(universe).difference(members)
    twice = {name for name, count in counts.items() if count > 1 or name in features}
    return f"{listing(sorted(twice))} would be several features" if twice else None


def costs_of_units(
    costs: Mapping[str, Any], units: Iterable[str], known: Collection[str], members: Members
) -> dict[str, Any]:
    """Return the cost of each unit: of several names what the cheapest costs that is named.

    Raises
    ------
    ArgumentError
        If costs name what is not known, or a unit has none.

    Examples
    --------
    >>> costs_of_units({"a": 3, "a2": 1, "b": 2}, ["a", "b"], ["a", "a2", "b"], {"a": ("a", "a2")})
    {'a': 1, 'b': 2}
    """
    unknown = [str(name) for name in costs if name not in known]
    if unknown:
        near = did_you_mean(unknown[0], known)
        raise ArgumentError(f"costs name {listing(unknown)}, which are no features{near}")
    own = {name: [costs[m] for m in members.get(name, (name,)) if m in costs] for name in units}
    absent = [name for name, prices in own.items() if not prices]
    if absent:
        raise ArgumentError(f"costs: there is none of {listing(absent)}; give 0 for what costs nothing")
    return {name: min(prices) for name, prices in own.items()}
