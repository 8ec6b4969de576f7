"""What a rule says of its own variables besides rows: domains with gaps, values that are fixed, Booleans."""

from __future__ import annotations

from math import inf, isclose, isfinite, isnan
from numbers import Real
from typing import Any

from altsel.errors import ArgumentError
from altsel.models.encodings.logic import parts_of_rules
from altsel.models.rule import unique_name
from altsel.pyomo_on_demand import pyo

MOST_VALUES = 10_000
"""Values of a domain that are modelled one by one."""
CLOSE = 1e-9
"""How far a fixed value may be from its domain, for its size."""


def state_domains(block: Any, title: str) -> None:
    """State as rows what solvers and readers of rows do not see of a rule's own variables.

    A variable with a domain of several numbers is a sum of them, each times a 0/1 variable, one of which is
    1. A Boolean that is fixed fixes the variable that stands for it. A variable that is fixed outside its
    domain makes the rule impossible.

    Raises
    ------
    ArgumentError
        If a domain has gaps and no end, or holds no numbers, or a variable is fixed at none.
    """
    rows, inside = list[Any](), parts_of_rules()
    for variable in list(block.component_data_objects(pyo.Var, descend_into=inside)):
        low, high = ends_of(variable, title)
        if _has_gaps(variable, title):
            rows += _one_of_several(block, variable, (low, high), title)
        elif variable.fixed and not _may_be(variable, low, high):
            rows.append(pyo.Constraint.Infeasible)
    for boolean in block.component_data_objects(pyo.BooleanVar, descend_into=inside):
        stands_for = boolean.get_associated_binary()
        of_a_disjunct = boolean is getattr(boolean.parent_block(), "indicator_var", None)
        if boolean.fixed and stands_for is not None and not of_a_disjunct:
            rows.append(stands_for == int(boolean.value))
            boolean.unfix()
    if rows:
        added = pyo.ConstraintList()
        block.add_component(unique_name(block, "domains"), added)
        for row in rows:
            added.add(row)


def ends_of(variable: Any, title: str) -> tuple[float, float]:
    """Return the ends of a variable, infinite if there is none.

    Raises
    ------
    ArgumentError
        If an end, or the value at which it is fixed, is no number.
    """
    name = variable.local_name
    try:
        low, high = variable.bounds
    except (ValueError, TypeError) as fault:
        raise ArgumentError(f"rule {title!r}: an end of {name!r} is no number: {fault}") from fault
    value = variable.value
    if variable.fixed and (isinstance(value, bool) or not isinstance(value, Real) or isnan(value)):
        raise ArgumentError(
            f"rule {title!r}: {name!r} is fixed at {value!r}, which is no number; fill in what is missing"
        )
    return (-inf if low is None else low), (inf if high is None else high)


def _may_be(variable: Any, low: float, high: float) -> bool:
    """Return whether a variable may have the value at which it is fixed."""
    close = CLOSE * max(1.0, abs(variable.value))
    whole = not variable.is_integer() or isclose(variable.value, round(variable.value), abs_tol=CLOSE)
    return bool(whole and low - close <= variable.value <= high + close)


def _has_gaps(variable: Any, title: str) -> bool:
    """Return whether a domain is no interval of numbers or integers."""
    try:
        start, end, step = variable.domain.get_interval()
    except Exception as fault:  # of sets of Pyomo's that are no sets of numbers
        raise _no_numbers(variable, title) from fault
    if step == 1:
        return any(isinstance(one, Real) and isfinite(one) and one != round(one) for one in (start, end))
    return bool(step != 0)


def _one_of_several(block: Any, variable: Any, ends: tuple[float, float], title: str) -> list[Any]:
    """Return rows by which a variable is one of the numbers of its domain."""
    domain = variable.domain
    if not domain.isfinite() or len(domain) > MOST_VALUES:
        raise ArgumentError(
            f"rule {title!r}: the domain of {variable.local_name!r} has gaps; give it bounds or a list of "
            "numbers, or say by 0/1 variables what it may be"
        )
    low, high = ends
    every = list(domain)
    if not all(isinstance(one, Real) and isfinite(one) for one in every):
        raise _no_numbers(variable, title)
    values = [float(one) for one in every if low <= one <= high]
    variable.domain = pyo.Reals
    variable.setlb(None if low == -inf else low)
    variable.setub(None if high == inf else high)
    which = pyo.Var(range(len(values)), within=pyo.Binary)
    block.add_component(unique_name(block, f"{variable.local_name} is"), which)
    return [
        sum(which.values()) == 1 if values else pyo.Constraint.Infeasible,
        variable == sum(value * z for value, z in zip(values, which.values(), strict=True)),
    ]


def _no_numbers(variable: Any, title: str) -> ArgumentError:
    return ArgumentError(
        f"rule {title!r}: the domain of {variable.local_name!r} holds what is no finite number; give a list "
        "of numbers, or bounds"
    )
