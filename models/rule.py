"""Rules of a domain, and what they do to the features of a block."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from math import inf
from typing import Any

from altsel.errors import ArgumentError, did_you_mean
from altsel.models.units import of_units
from altsel.pyomo_on_demand import pyo
from altsel.results.members import Members

Rule = Callable[[Any], Any]
"""A domain constraint: a function of one set's block, in plain Pyomo."""
Across = Callable[[Any, Sequence[Mapping[str, Any]]], Any]
"""A constraint on all sets: a function of a block, and of a variable or 0/1 by name for each set."""


OF_MODELS = """
x size quality cardinality cardinality_scaled reported t product rlt value formula is_size one_size sized
ratio u y z unit square scaled below predominance overridden unknown
"""
RESERVED = frozenset(OF_MODELS.split())
"""Names of components that models of sets have of their own."""


def impose(block: Any, rules: Sequence[Rule]) -> None:
    """Put rules on a block so that all hold, though one fixes or bounds a feature and another does too.

    The last word counts for a variable of Pyomo's: what it overrides is added as rows.
    """
    least: dict[int, float] = {}
    most: dict[int, float] = {}
    variables = list(block.x.values())
    for rule in rules:
        _called(rule, block)
        for j, x in enumerate(variables):
            if x.fixed or x.lower is not None or x.upper is not None:
                low, high = bounds_of(x)
                least[j], most[j] = max(low, least.get(j, low)), min(high, most.get(j, high))
    lost = [j for j in least if bounds_of(variables[j]) != (least[j], most[j]) or least[j] > most[j]]
    if lost:
        block.overridden = pyo.ConstraintList()
        for j in lost:
            block.overridden.add(variables[j] >= least[j])
            block.overridden.add(variables[j] <= most[j])


def _called(rule: Rule, block: Any) -> None:
    """Call a rule, and refuse names of components that a model has, or will have, of its own."""
    _refuse_no_rule(rule, block)
    before = {
        component.local_name: id(component) for component in block.component_objects(descend_into=False)
    }
    title = getattr(rule, "__name__", type(rule).__name__)
    try:
        rule(block)
    except KeyError as fault:
        if "is not valid for indexed component" not in str(fault):
            raise
        raise ArgumentError(
            f"rule {title!r}: {fault.args[0]}: no feature that could be chosen; constant columns are out, "
            "those given to a LinearFit always in, its weights no feature, and of grouped data a function "
            "names the column of each group (the rules of altsel.domain any)"
        ) from fault
    except RuntimeError as fault:
        if "Cannot add component" not in str(fault):
            raise
        raise ArgumentError(f"rule {title!r}: the model has a component of that name: {fault}") from fault
    after = {component.local_name: id(component) for component in block.component_objects(descend_into=False)}
    taken = [name for name, known in before.items() if after.get(name) != known]
    taken += sorted(RESERVED & after.keys() - before.keys())
    if taken:
        raise ArgumentError(
            f"rule {title!r}: the model has a component {taken[0]!r} of its own; call it otherwise, such as "
            f"'my_{taken[0]}'"
        )


def _refuse_no_rule(rule: Any, block: Any) -> None:
    """Refuse what is no function of a block."""
    fix = "give functions of one block, as def cheap(b): …, or rules of altsel.domain"
    if not callable(rule):
        raise ArgumentError(f"the rule {rule!r:.60} is no function; {fix}")
    try:
        signature(rule).bind(block)
    except TypeError as fault:
        title = getattr(rule, "__name__", type(rule).__name__)
        raise ArgumentError(
            f"rule {title!r} cannot be called with the block of a set: {fault}; {fix}"
        ) from fault
    except ValueError:  # of a function without a signature that Python knows
        return


def bounds_of(x: Any) -> tuple[float, float]:
    """Return the ends of what a variable's bounds and its being fixed leave of it; perhaps nothing."""
    low, high = -inf if x.lb is None else x.lb, inf if x.ub is None else x.ub
    return (max(low, x.value), min(high, x.value)) if x.fixed else (low, high)


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
