"""Rules of a domain, and what they do to the features of a block."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Any

import pyomo.environ as pyo

Rule = Callable[[Any], Any]
"""A domain constraint: a function of one set's block, in plain Pyomo."""
Across = Callable[[Any, Sequence[Mapping[str, Any]]], Any]
"""A constraint on all sets: a function of a block, and of a variable or 0/1 by name for each set."""


def impose(block: Any, rules: Sequence[Rule]) -> None:
    """Put rules on a block so that all hold, though one fixes or bounds a feature and another does too.

    The last word counts for a variable of Pyomo's: what it overrides is added as rows.
    """
    least: dict[int, float] = {}
    most: dict[int, float] = {}
    variables = list(block.x.values())
    for rule in rules:
        rule(block)
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


def bounds_of(x: Any) -> tuple[float, float]:
    """Return the ends of what a variable's bounds and its being fixed leave of it; perhaps nothing."""
    low, high = -inf if x.lb is None else x.lb, inf if x.ub is None else x.ub
    return (max(low, x.value), min(high, x.value)) if x.fixed else (low, high)
