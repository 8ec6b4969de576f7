"""What an expression that a rule returns is, and what a component of it belongs to."""

from __future__ import annotations

from typing import Any

from pyomo.core.expr.numeric_expr import (
    DivisionExpression,
    MonomialTermExpression,
    NegationExpression,
    PowExpression,
    ProductExpression,
    SumExpression,
)
from pyomo.gdp import Disjunct


def is_kind(value: Any, kind: Any) -> bool:
    """Return whether something is an expression of a kind."""
    return hasattr(value, "is_expression_type") and bool(value.is_expression_type(kind))


def is_bounded(value: Any) -> bool:
    """Return whether a tuple is an equation, or bounds around an expression."""
    if not isinstance(value, tuple) or len(value) not in {2, 3}:
        return False
    return all(one is None or type(one) in {int, float} or is_number(one) for one in value)


def is_number(value: Any) -> bool:
    """Return whether something is a number, a variable, or an expression of them."""
    numeric = getattr(value, "is_numeric_type", None)
    return numeric is not None and bool(numeric())


def is_binary(variable: Any) -> bool:
    """Return whether a variable is 0 or 1."""
    return bool(variable.is_integer() and variable.bounds == (0, 1))


def is_function(expression: Any) -> bool:
    """Return whether an expression holds more than sums and products."""
    if not hasattr(expression, "args"):
        return False
    kinds = (SumExpression, ProductExpression, MonomialTermExpression, NegationExpression)
    plain = isinstance(expression, kinds) or expression.is_named_expression_type()
    if isinstance(expression, (PowExpression, DivisionExpression)):
        plain = type(expression.arg(1)) in {int, float} and expression.arg(1) == int(expression.arg(1))
    return not plain or any(map(is_function, expression.args))


def owner_of(component: Any) -> Any:
    """Return the disjunct that a component is in, if it is in one."""
    block = component.parent_block()
    while block is not None and block.ctype is not Disjunct:
        block = block.parent_block()
    return block
