"""Rules of a domain, and those that are ready made."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from altsel.errors import ArgumentError, did_you_mean
from altsel.models.units import of_units
from altsel.pyomo_on_demand import pyo
from altsel.results.members import Members

Rule = Callable[[Any], Any]
"""A domain constraint: a function of one set's block, in plain Pyomo; what it adds or returns must hold."""
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


def _within_budget(b: Any, x: Any, given: Mapping[str, Any]) -> Iterator[Any]:
    panels = given["fixed"]
    used = pyo.Var(range(len(panels)), domain=pyo.Binary)
    if panels:
        b.add_component(unique_name(b, "groups_used"), used)
    shared = pyo.quicksum(panel["cost"] * used[g] for g, panel in enumerate(panels))
    yield pyo.quicksum(cost * x(f) for f, cost in given["cost"].items()) + shared <= given["limit"]
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
    "proxy_limit": lambda b, x, given: [
        pyo.quicksum(d * x(f) for f, d in given["dependence"].items()) <= given["limit"]
    ],
    "minimum_quality": lambda b, x, given: [b.quality >= given],
}
"""The rows of each kind of rule, from block, features by name, and what the rule says."""


def _member(name: str, x: Mapping[str, Any], feature: str) -> Any:
    if feature not in x:
        raise ArgumentError(
            f"rule {name!r}: there is no feature {feature!r} that could be chosen (constant columns are left "
            f"out, those given to a LinearFit are always in){did_you_mean(str(feature), x)}"
        )
    return x[feature]


def _sum(x: Any, group: Collection[str]) -> Any:
    return pyo.quicksum(x(f) for f in group)


def unique_name(block: Any, name: str) -> str:
    """Return a name that no component of a block has, like one given."""
    from pyomo.common.modeling import unique_component_name  # noqa: PLC0415  (imported with the first model)

    return str(unique_component_name(block, name))
