"""Room in a model for the rounding that the definition of a rule allows: no set that keeps it is cut off."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from altsel.models.returned_conditions import is_inside
from altsel.pyomo_on_demand import pyo, standard_repn

ROOM = 2e-9
"""Share of a row's terms by which it is widened: twice what a set may miss it by; see `rule_reading`."""


def widen_rules(model: Any, largest: int) -> None:
    """Widen all rows of rules, on each set and across sets; each set has so many features at most."""
    blocks = list(model.sets.values())
    for block in blocks:
        if "own_rules" in block.__dict__:
            allow_rounding(block.own_rules, block.x.values(), largest)
    if "own_rules" in model.__dict__:
        features = [x for block in blocks for x in block.x.values()]
        allow_rounding(model.own_rules, features, largest * len(blocks))


def allow_rounding(host: Any, chosen: Iterable[Any], largest: int) -> None:
    """Widen the rows of rules by what rounding of their terms may come to.

    A set found beyond what the definition allows is excluded by who solves the model. Rows of integers
    over 0/1 variables are left as they are, and equations that define a variable of the rule's own.

    Parameters
    ----------
    host
        The block of a rule, or of all rules.
    chosen
        The 0/1 variables of the features of the set, or of all sets.
    largest
        How many of them may be 1.
    """
    features = {id(one) for one in chosen}
    for row in host.component_data_objects(pyo.Constraint, active=True, descend_into=True):
        form = standard_repn(row.body, quadratic=False)
        own = any(is_inside(v, host) for v in form.linear_vars)
        if not form.is_linear() or (row.equality and own):
            continue
        ends = [float(end) for end in (row.lb, row.ub) if end is not None]
        numbers = [float(form.constant), *map(float, form.linear_coefs), *ends]
        if all(one.is_integer() for one in numbers) and all(map(_within_one, form.linear_vars)):
            continue
        terms = zip(form.linear_coefs, form.linear_vars, strict=True)
        room = ROOM * (_largest(terms, features, largest) + max(map(abs, (numbers[0], *ends))))
        low, high = (row.lb, row.ub)
        row.set_value((None if low is None else low - room, row.body, None if high is None else high + room))


def _within_one(variable: Any) -> bool:
    """Return whether a variable is one between 0 and 1, as features and products of them are."""
    return variable.lb is not None and variable.lb >= 0 and variable.ub is not None and variable.ub <= 1


def _largest(terms: Iterable[tuple[Any, Any]], features: set[int], largest: int) -> float:
    """Sum the largest absolute weights of features; bounds of other variables say little of their size."""
    sizes = [abs(float(weight)) for weight, variable in terms if id(variable) in features]
    return sum(sorted(sizes, reverse=True)[:largest])
