"""Rules of a domain, and those that are ready made."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from altsel._types import FloatArray
from altsel.errors import ArgumentError, absence
from altsel.models.units import of_units
from altsel.pyomo_on_demand import pyo
from altsel.results.members import Members

Rule = Callable[[Any], Any]
"""A domain constraint: a function of one set's block, in plain Pyomo; what it adds or returns must hold."""
Row = tuple[FloatArray, float, float]
"""Coefficients of the features, and the least and largest value of their sum over a set."""
Across = Callable[[Any, Sequence[Mapping[str, Any]]], Any]
"""A constraint on all sets: a function of a block, and of a variable by name for each set."""


def title_of(rule: Any) -> str:
    """Return what a rule is called: the name of its function, also of one with arguments filled in.

    Examples
    --------
    >>> from functools import partial
    >>> def cheap(limit, block): ...
    >>> title_of(partial(cheap, 3))
    'cheap'
    """
    while isinstance(rule, partial):
        rule = rule.func
    return str(getattr(rule, "__name__", type(rule).__name__))


@dataclass(frozen=True, eq=False, repr=False)
class Stated:
    """A ready-made rule, which is data: equal if it says the same, and able to travel to files and processes.

    Attributes
    ----------
    kind
        Name of the function that made it.
    title
        The rule in words; its rows bear it.
    data
        The rule as a file of rules has it.
    applied
        What it says of units, where features go by several names; see `of_units`.
    """

    kind: str
    title: str
    data: dict[str, Any]
    applied: dict[str, Any] | None = None

    def by_unit(self, members: Members, forbidden: Collection[str] = ()) -> Stated:
        """Return the rule on units; what it says of a member it says of its unit."""
        return replace(self, applied=of_units(self.kind, self.title, self.data, members, forbidden))

    def __call__(self, b: Any, sets: Sequence[Mapping[str, Any]] = ()) -> None:
        """Add the rows to the block of one set; a rule on all `sets` together to the block given."""
        rows = pyo.ConstraintList()
        b.add_component(unique_name(b, self.title), rows)
        given = (self.applied or self.data)[self.kind]
        given = given[0] if isinstance(given, list) and self.kind not in {"require", "forbid"} else given
        if self.kind == "in_at_most":
            made: Iterable[Any] = (
                pyo.quicksum(_member(self.title, subset, f) for subset in sets) <= given["number"]
                for f in given["of"]
            )
        else:
            made = ROWS[self.kind](b, lambda f: _member(self.title, b.x, f), given)
        for row in made:
            rows.add(row)

    @property
    def __name__(self) -> str:  # as a function has it: rules of one's own are functions
        return self.title

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stated) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return f"<rule: {self.title}>"

    @property
    def _text(self) -> str:
        return json.dumps(self.data, sort_keys=True)


def by_unit(rules: Iterable[Any], members: Members) -> tuple[Any, ...]:
    """Return rules on units; functions of one's own name these themselves."""
    rules = tuple(rules)
    if not members:
        return rules
    stated = [rule for rule in rules if isinstance(rule, Stated)]
    forbidden = {name for rule in stated if rule.kind == "forbid" for name in rule.data["forbid"]}
    return tuple(rule.by_unit(members, forbidden) if isinstance(rule, Stated) else rule for rule in rules)


NUMBERS = {"budget": "cost", "proxy_limit": "dependence"}
"""Rules that take a number of each feature, and what that is called."""


def unnamed(given: Mapping[str, Any], number: str, names: Iterable[str]) -> list[str]:
    """Return the names among some that a rule has no number of, neither their own nor one of a group.

    Examples
    --------
    >>> unnamed({"cost": {"a": 1}, "fixed": [{"cost": 2, "of": ["b"]}]}, "cost", ["a", "b", "c"])
    ['c']
    """
    grouped = {name for panel in given.get("fixed", ()) for name in panel["of"]}
    return [name for name in names if name not in given[number] and name not in grouped]


def _total(b: Any, x: Any, given: Mapping[str, Any], number: str) -> Any:
    """Sum the numbers of the chosen features, those that are not named too."""
    other = given.get("other", 0.0)
    rest = unnamed(given, number, b.x) if other else []
    return pyo.quicksum(value * x(f) for f, value in given[number].items()) + other * _sum(x, rest)


def _within_budget(b: Any, x: Any, given: Mapping[str, Any]) -> Iterator[Any]:
    panels = given["fixed"]
    used = pyo.Var(range(len(panels)), domain=pyo.Binary)
    if panels:
        b.add_component(unique_name(b, "groups_used"), used)
    shared = pyo.quicksum(panel["cost"] * used[g] for g, panel in enumerate(panels))
    yield _total(b, x, given, "cost") + shared <= given["limit"]
    for g, panel in enumerate(panels):
        yield from (used[g] >= x(f) for f in panel["of"])


ROWS: dict[str, Callable[[Any, Any, Any], Iterable[Any]]] = {
    "require": lambda b, x, given: (x(f) == 1 for f in given),
    "forbid": lambda b, x, given: (x(f) == 0 for f in given),
    "at_most": lambda b, x, given: [_sum(x, given["of"]) <= given["number"]],
    "at_least": lambda b, x, given: [_sum(x, given["of"]) >= given["number"]],
    "exactly": lambda b, x, given: [_sum(x, given["of"]) == given["number"]],
    "implies": lambda b, x, given: (x(given["if"]) <= x(f) for f in given["then"]),
    "all_or_none": lambda b, x, given: (x(f) == x(given[0]) for f in given[1:]),
    "mutually_exclusive": lambda b, x, given: [_sum(x, given) <= 1],
    "budget": _within_budget,
    "proxy_limit": lambda b, x, given: [_total(b, x, given, "dependence") <= given["limit"]],
    "minimum_quality": lambda b, x, given: [b.quality >= given],
}
"""The rows of each kind of rule, from block, features by name, and what the rule says."""


def _member(name: str, x: Mapping[str, Any], feature: str) -> Any:
    if feature not in x:
        raise ArgumentError(
            f"rule {name!r}: there is no feature {feature!r} that could be chosen"
            f"{absence(str(feature), x, absent_of(x))}"
        )
    return x[feature]


def absent_of(x: Any) -> Mapping[str, str]:
    """Return why columns of the data are none of a set's variables, by name, as far as it is known."""
    block = x.parent_block() if hasattr(x, "parent_block") else None
    known: Mapping[str, str] = {} if block is None else block.__dict__.get("absent", {})
    return known


def _sum(x: Any, group: Collection[str]) -> Any:
    return pyo.quicksum(x(f) for f in group)


def unique_name(block: Any, name: str) -> str:
    """Return a name that no component of a block has, like one given."""
    from pyomo.common.modeling import unique_component_name  # noqa: PLC0415  (imported with the first model)

    return str(unique_component_name(block, name))
