"""Rules of a domain, and what they do to the features of a block."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Any

from altsel.errors import ArgumentError
from altsel.pyomo_on_demand import pyo

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
    before = {
        component.local_name: id(component) for component in block.component_objects(descend_into=False)
    }
    title = getattr(rule, "__name__", type(rule).__name__)
    try:
        rule(block)
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


def bounds_of(x: Any) -> tuple[float, float]:
    """Return the ends of what a variable's bounds and its being fixed leave of it; perhaps nothing."""
    low, high = -inf if x.lb is None else x.lb, inf if x.ub is None else x.ub
    return (max(low, x.value), min(high, x.value)) if x.fixed else (low, high)
