"""What a rule says of columns, as what it says of units: features that go by several names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from altsel.errors import ArgumentError, listing
from altsel.results.members import Members, unit_of


class Units:
    """Turns names into units, and data of ready-made rules into such of units.

    A member stands for its unit. A unit costs what its cheapest member does, and tells of a protected column
    what the member that tells most does.

    Parameters
    ----------
    members
        All names of each unit.
    title
        The rule in words, for errors.
    forbidden
        Names that other rules forbid.
    """

    def __init__(self, members: Members, title: str, forbidden: Collection[str] = ()) -> None:
        self.members, self.title, self.unit = members, title, unit_of(members)
        self.forbidden = forbidden

    def names(self, names: Iterable[str]) -> list[str]:
        """Return the units of names, each once."""
        return list(dict.fromkeys(self.unit.get(name, name) for name in names))

    def whole(self, names: Iterable[str]) -> list[str]:
        """Return the units of names that are all names of their units.

        Raises
        ------
        ArgumentError
            If only some names of a unit are there, or forbidden by other rules: the rest could still be used.
        """
        given = list(names)
        out = {*given, *self.forbidden}
        for name in given:
            rest = [other for other in self.members.get(self.unit.get(name, name), ()) if other not in out]
            if rest:
                raise ArgumentError(
                    f"{self.title!r}: {name!r} is one feature with {listing(rest)}; name them all, or leave "
                    f"{name!r} out before data are grouped: Dataset(…, drop=[{name!r}]) (--drop {name})"
                )
        return self.names(given)

    def numbers(
        self, given: Mapping[str, Any], number: str, choose: Callable[..., float]
    ) -> dict[str, float]:
        """Return one number a unit, chosen of those of its members; a name without one has what others do."""
        numbers, other = given[number], given.get("other", 0.0)
        grouped = {name for panel in given.get("fixed", ()) for name in panel["of"]}
        every = {unit: self.members.get(unit, (unit,)) for unit in self.names(numbers)}
        return {
            unit: choose(numbers.get(name, 0.0 if name in grouped else other) for name in names)
            for unit, names in every.items()
        }

    def panel(self, panel: Mapping[str, Any]) -> dict[str, Any]:
        """Return a fixed cost, paid by units all of whose members have it.

        Raises
        ------
        ArgumentError
            If it is that of some members only.
        """
        for unit in self.names(panel["of"]):
            rest = [name for name in self.members.get(unit, ()) if name not in panel["of"]]
            if rest:
                raise ArgumentError(
                    f"{self.title!r}: {listing(rest)} would be free of a fixed cost that other names of the "
                    f"feature {unit!r} have; put all of them into its group, or leave out those that you "
                    "will not use, before data are grouped: Dataset(…, drop=[…]) (--drop)"
                )
        return {**panel, "of": self.names(panel["of"])}


def _implied(units: Units, given: Mapping[str, Any]) -> dict[str, Any]:
    first = units.names([given["if"]])[0]
    return {"if": first, "then": [name for name in units.names(given["then"]) if name != first]}


def _counted(units: Units, given: Mapping[str, Any]) -> dict[str, Any]:
    return {**given, "of": units.names(given["of"])}


EACH: dict[str, Callable[[Units, Any], Any]] = {
    "at_most": _counted,
    "at_least": _counted,
    "exactly": _counted,
    "in_at_most": _counted,
    "implies": _implied,
    "all_or_none": Units.names,
    "mutually_exclusive": Units.names,
    "budget": lambda units, given: {
        **given,
        "cost": units.numbers(given, "cost", min),
        "fixed": [units.panel(panel) for panel in given["fixed"]],
    },
    "proxy_limit": lambda units, given: {
        **given,
        "dependence": units.numbers(given, "dependence", max),
    },
}
"""How what a rule of each kind says is read by units."""


def of_units(
    kind: str, title: str, data: Mapping[str, Any], members: Members, forbidden: Collection[str] = ()
) -> dict[str, Any]:
    """Return the data of a rule with units for their members; other rules may forbid names too.

    Raises
    ------
    ArgumentError
        If it forbids or charges some names of a unit only.

    Examples
    --------
    >>> of_units("require", "require 'b'", {"require": ["b", "c"]}, {"a": ("a", "b")})
    {'require': ['a', 'c']}
    """
    units = Units(members, title, forbidden)
    if kind == "require":
        return {kind: units.names(data[kind])}
    if kind == "forbid":
        return {kind: units.whole(data[kind])}
    if kind not in EACH:
        return dict(data)
    return {kind: [EACH[kind](units, given) for given in data[kind]]}
