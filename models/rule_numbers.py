"""Numbers of rules: those that are none, or infinite, are refused by name before any engine reads them."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite, isnan
from typing import Any

import numpy as np

from altsel.errors import ArgumentError
from altsel.pyomo_on_demand import pyo


def refuse_no_numbers(block: Any, title: str) -> None:
    """Refuse rows of a rule with a number that is missing or, but for a row's end, infinite.

    Solvers drop such rows, or call the model infeasible.

    Raises
    ------
    ArgumentError
        Names the rule, the row, the number and the variable that it stands with.
    """
    for row in block.component_data_objects(pyo.Constraint, active=True, descend_into=True):
        ends = [end for end in (row.lower, row.upper) if end is not None]
        for value, variable in (*_numbers(row.body), *((pyo.value(end), None) for end in ends)):
            if isnan(value) or (variable is not None and not isfinite(value)):
                where = "" if variable is None else f", with {getattr(variable, 'local_name', variable)}"
                raise ArgumentError(
                    f"rule {title!r}, row {row.local_name!r}: a number is {value}{where}; fill in what is "
                    "missing first, as by costs.fillna(0)"
                )


def _numbers(expression: Any) -> Iterator[tuple[float, Any]]:
    """Yield the numbers of an expression, each with the variable beside it, or what it stands in."""
    stack: list[tuple[Any, Any]] = [(expression, None)]
    while stack:
        one, beside = stack.pop()
        if isinstance(one, (float, np.floating)):
            yield float(one), "no variable" if beside is None else beside
        elif isinstance(one, int):
            continue
        elif getattr(one, "is_expression_type", bool)():
            variables = (
                a
                for a in one.args
                if not isinstance(a, (int, float)) and getattr(a, "is_variable_type", bool)()
            )
            near = next(variables, beside)
            stack.extend((a, near) for a in one.args)
        elif getattr(one, "is_parameter_type", bool)() and one.value is not None:
            yield float(one.value), one if beside is None else beside
