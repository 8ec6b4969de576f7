"""What a rule returned, as components of its block: comparisons, truth values, components, collections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from altsel.errors import ArgumentError
from altsel.models.predicate import Condition
from altsel.models.rule import title_of, unique_name
from altsel.pyomo_on_demand import expressions, pyo


def take(block: Any, value: Any, title: str) -> bool:
    """Add what a rule returned to its block; return whether it returned anything."""
    if value is None:
        return False
    rows: list[Any] = []
    _collect(block, value, title, rows)
    if rows:
        added = pyo.ConstraintList()
        block.add_component(unique_name(block, "returned"), added)
        for row in rows:
            added.add(row)
    return True


def _collect(block: Any, value: Any, title: str, rows: list[Any]) -> None:
    """Sort what was returned into rows, conditions of logic and components."""
    kinds = expressions.ExpressionType
    if isinstance(value, (bool, np.bool_)):
        block.__dict__["said_plainly"] = bool(value)
        rows.append(pyo.Constraint.Feasible if value else pyo.Constraint.Infeasible)
    elif value is pyo.Constraint.Skip:
        return
    elif _is(value, kinds.RELATIONAL) or _is_range(value):
        rows.append(value)
    elif _is(value, kinds.LOGICAL) or getattr(value, "ctype", None) is pyo.BooleanVar:
        block.add_component(unique_name(block, "logic"), pyo.LogicalConstraint(expr=value))
    elif hasattr(value, "ctype") or hasattr(value, "parent_component"):
        _attach(block, value, title)
    elif isinstance(value, Mapping):
        for each in value.values():
            _collect(block, each, title, rows)
    elif isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        empty = True
        for each in _all_of(value):
            empty = False
            _collect(block, each, title, rows)
        if empty:
            block.__dict__["said_nothing"] = True
    else:
        raise _refusal(value, title)


def _all_of(value: Iterable[Any]) -> Iterator[Any]:
    """Yield what a collection holds; of a generator that returns something too, that as well."""
    last: Any = yield from value  # type: ignore[func-returns-value]  # a generator's may
    if last is not None:
        yield last


def _is(value: Any, kind: Any) -> bool:
    return hasattr(value, "is_expression_type") and bool(value.is_expression_type(kind))


def _is_range(value: Any) -> bool:
    """Return whether a tuple is Pyomo's for a row: an equation of two sides, or bounds around a body."""
    if not isinstance(value, tuple) or len(value) not in {2, 3}:
        return False
    numbers = [
        side for side in value if isinstance(side, (int, float, np.number)) and not isinstance(side, bool)
    ]
    bodies = [
        side
        for side in value
        if hasattr(side, "is_expression_type") and not _is(side, expressions.ExpressionType.RELATIONAL)
    ]
    if len(bodies) + len(numbers) + sum(side is None for side in value) < len(value):
        return False
    return len(bodies) > 0 and not any(_is(side, expressions.ExpressionType.LOGICAL) for side in bodies)


def _attach(block: Any, value: Any, title: str) -> None:
    """Take a component that was returned: one that belongs to no block yet is added."""
    if is_inside(value, block):
        return
    whole = value.parent_component() if hasattr(value, "parent_component") else value
    if whole is value and value.parent_block() is None and value.ctype is not pyo.Objective:
        block.add_component(unique_name(block, value.ctype.__name__.lower()), value)
        return
    raise _refusal(value, title)


def is_inside(value: Any, block: Any) -> bool:
    """Return whether a component belongs to a block, or to one within it."""
    parent = value.parent_block()
    while parent is not None and parent is not block:
        parent = parent.parent_block()
    return parent is block


def _refusal(value: Any, title: str) -> ArgumentError:
    if isinstance(value, Condition):
        return ArgumentError(
            f"rule {title!r} returns the rule {title_of(value)!r}, which is evaluated on sets; give that one "
            "in subject_to, in place of the function that returns it"
        )
    fix = "return comparisons (<=, >=, ==), True or False, or Pyomo components of its own"
    if hasattr(value, "is_expression_type") or isinstance(value, (int, float, np.number)):
        shown = str(value)
        return ArgumentError(
            f"rule {title!r} returns {shown[:60]}{' …' if len(shown) > 60 else ''}, which is no comparison: "
            f"say what it must be, such as … <= 1; {fix}"
        )
    return ArgumentError(f"rule {title!r} returns {value!r:.60}, which says nothing of a set; {fix}")
