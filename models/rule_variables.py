"""What a rule says of its own variables besides rows: domains with gaps, and Booleans that are fixed."""

from __future__ import annotations

from math import isclose
from typing import Any

from altsel.errors import ArgumentError
from altsel.models.rule import unique_name
from altsel.pyomo_on_demand import pyo

MOST_VALUES = 10_000
"""Values of a domain that are modelled one by one."""


def state_domains(block: Any, title: str) -> None:
    """State as rows what solvers and readers of rows do not see of a rule's own variables.

    A variable with a domain of several numbers is a sum of them, each times a 0/1 variable, one of which is
    1. A Boolean that is fixed fixes the variable that stands for it.

    Raises
    ------
    ArgumentError
        If a domain has gaps and no end.
    """
    from pyomo.gdp import Disjunct  # noqa: PLC0415  (with the first model)

    rows, inside = list[Any](), (pyo.Block, Disjunct)
    for variable in list(block.component_data_objects(pyo.Var, descend_into=inside)):
        if variable.domain.get_interval()[2] not in {0, 1}:
            rows += _one_of_several(block, variable, title)
        elif variable.fixed and variable.is_integer() and not isclose(variable.value % 1, 0, abs_tol=1e-9):
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


def _one_of_several(block: Any, variable: Any, title: str) -> list[Any]:
    """Return rows by which a variable is one of the numbers of its domain."""
    domain = variable.domain
    if not domain.isfinite() or len(domain) > MOST_VALUES:
        raise ArgumentError(
            f"rule {title!r}: the domain of {variable.local_name!r} has gaps; give it bounds or a list of "
            "numbers, or say by 0/1 variables what it may be"
        )
    low, high = variable.bounds
    values = [float(one) for one in domain if (low is None or one >= low) and (high is None or one <= high)]
    variable.domain = pyo.Reals
    variable.setlb(low)
    variable.setub(high)
    which = pyo.Var(range(len(values)), within=pyo.Binary)
    block.add_component(unique_name(block, f"{variable.local_name} is"), which)
    return [
        sum(which.values()) == 1 if values else pyo.Constraint.Infeasible,
        variable == sum(value * z for value, z in zip(values, which.values(), strict=True)),
    ]
