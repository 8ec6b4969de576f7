"""Groups of columns that are one feature: those that a user names, and what stands for each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np

from altsel.errors import ArgumentError, absence, listing
from altsel.runtime.caller import note_unpriced

GIVE = "give each a cost, 0 if that is meant: the cheapest of a group stands for it"
"""What is said of names that have no cost."""
Groups = Mapping[str, Collection[str]] | Collection[Collection[str]]
"""Names that belong together: lists of them, or lists by a title."""


def check_groups(
    groups: Groups, unit: Mapping[str, str], target: str, absent: Mapping[str, str]
) -> list[list[str]]:
    """Check the groups that a user names, and return them by columns.

    Parameters
    ----------
    groups
        The groups. A title that is the name of a member puts that one first.
    unit
        The column of every name that may be used, in the order of the data.
    target
        Name of the target.
    absent
        Why other columns are no features.

    Raises
    ------
    ArgumentError
        Names the group or the feature, and says what is wrong.
    """
    if isinstance(groups, str) or not isinstance(groups, Collection):
        raise ArgumentError(f"grouped({groups!r}): give a bound such as 0.999, or lists of names")
    checked = []
    owner: dict[str, tuple[int, str]] = {}
    place = {name: j for j, name in enumerate(unit)}
    titled = groups.items() if isinstance(groups, Mapping) else ((None, group) for group in groups)
    for number, (title, group) in enumerate(titled):
        if isinstance(group, str) or not isinstance(group, Collection):
            raise ArgumentError(f"grouped: {group!r} is no group; give a list of names: [{str(group)!r}]")
        label = repr(title) if title is not None else f"[{listing(group)}]"
        if not group:
            raise ArgumentError(f"grouped: the group {label} is empty; leave it out")
        if len(set(group)) < len(group):
            raise ArgumentError(f"grouped: the group {label} has a name twice")
        for name in group:
            column = _column(name, label, unit, target, absent)
            if owner.setdefault(column, (number, label))[0] != number:
                raise ArgumentError(
                    f"grouped: {name!r} is in the groups {owner[column][1]} and {label}; join them, or leave "
                    "it out of one"
                )
        first = unit[str(title)] if title in group else None
        checked.append(sorted({unit[name] for name in group}, key=lambda name: (name != first, place[name])))
    return checked


def checked_bound(bound: Any) -> float:
    """Return the least correlation of a group, or raise an ArgumentError."""
    number = isinstance(bound, (int, float, np.number)) and not isinstance(bound, bool)
    if not number or not 0 < bound <= 1:
        raise ArgumentError(
            f"grouped(bound={bound!r}): use a correlation above 0 and of at most 1: 1.0 groups copies, 0.999 "
            "near copies"
        )
    return float(bound)


def checked_costs(
    costs: Mapping[str, float], known: Collection[str], absent: Mapping[str, str]
) -> Mapping[str, float]:
    """Return costs by name, or raise an ArgumentError that names what is none."""
    if not isinstance(costs, Mapping):
        raise ArgumentError(f"costs={costs!r}; give costs by name: {{'age': 2.0}}")
    for name, cost in costs.items():
        if name not in known:
            raise ArgumentError(f"costs name {name!r}, which is no feature{absence(name, known, absent)}")
        if isinstance(cost, bool) or not isinstance(cost, (int, float, np.number)) or not isfinite(cost):
            raise ArgumentError(f"the cost of {name!r} is {cost!r}; use a number")
    return costs


def united(
    groups: Iterable[Sequence[str]],
    members: Mapping[str, tuple[str, ...]],
    costs: Mapping[str, float] | None,
    order: Sequence[str],
) -> dict[str, tuple[str, ...]]:
    """Return the members of every unit by its representative: the cheapest column, or the first given.

    Parameters
    ----------
    groups
        Columns that belong together; each in one group at most.
    members
        The members that columns have already.
    costs
        Cost of each name; one that is not named costs nothing, which is said. None: there are no costs.
    order
        The columns in the order of the data.
    """
    units = dict(members)
    place = {name: j for j, name in enumerate(order)}
    for group in groups:
        parts = {column: units.pop(column, (column,)) for column in group}
        first = next(iter(parts))
        if costs is not None:
            every = [name for part in parts.values() for name in part]
            if any(name in costs for name in every):
                note_unpriced("grouped", (name for name in every if name not in costs), GIVE)
            dues = {column: min(costs.get(name, 0.0) for name in part) for column, part in parts.items()}
            first = min(parts, key=lambda column: (dues[column], place[column]))
        rest = sorted((column for column in parts if column != first), key=place.__getitem__)
        units[first] = tuple(name for column in [first, *rest] for name in parts[column])
    return {name: units[name] for name in order if len(units.get(name, ())) > 1}


def _column(name: Any, label: str, unit: Mapping[str, str], target: str, absent: Mapping[str, str]) -> str:
    if name == target:
        raise ArgumentError(f"grouped: {name!r} of the group {label} is the target; leave it out")
    if name not in unit:
        raise ArgumentError(
            f"grouped: there is no feature {name!r}, of the group {label}{absence(str(name), unit, absent)}"
        )
    return unit[name]
