"""What a rule says: it is called on a block of its own, and all that it says is taken, or refused by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from inspect import signature
from math import inf
from textwrap import shorten
from typing import Any

from altsel.errors import ArgumentError
from altsel.models.predicate import Condition
from altsel.models.quality_ends import note_given
from altsel.models.returned_conditions import is_inside, take
from altsel.models.rule import Stated, title_of, unique_name
from altsel.models.rule_faults import OF_A_SET, called_with, named_faults, refuse_condition_across
from altsel.models.rule_numbers import refuse_no_numbers
from altsel.models.rule_variables import ends_of, state_domains
from altsel.pyomo_on_demand import expressions, pyo

COMPARED = 50
"""Rows of a rule that are compared with those of a second call, and most variables in one."""
STATES = ("Constraint", "LogicalConstraint", "Disjunction", "SOSConstraint", "Complementarity", "Objective")
"""Kinds of components that say something of a set; a variable or an expression alone does not."""


def own_block(host: Any, rule: Any, given: Mapping[str, Any]) -> Any:
    """Add a block to a host for what a rule says; attributes of it stand for what belongs to the set.

    Parameters
    ----------
    host
        The block of all rules of a set, or of a model.
    rule
        The rule, after which the block is named.
    given
        What the rule may name: references, no components of the block.
    """
    block = pyo.Block()
    host.add_component(unique_name(host, title_of(rule)), block)
    block.__dict__.update(given)
    note_given(block, given)
    return block


def state(
    rule: Callable[..., Any], block: Any, features: Iterable[Any], *arguments: Any, silent: bool = False
) -> None:
    """Call a rule on its own block, and take all that it says.

    Parameters
    ----------
    rule
        A function of a block and of `arguments`. It may add components to the block, fix or bound features,
        or return what should hold: comparisons, truth values, ``Constraint.Skip``, ``Feasible`` or
        ``Infeasible``, components that belong to no block yet, or a list, tuple, generator or mapping of
        these.
    block
        Made by `own_block`.
    features
        The 0/1 variables of the features that it may fix or bound.
    *arguments
        What it is called with besides its block.
    silent
        Whether it may say nothing, as a rule on pairs of sets does of a single one.

    Raises
    ------
    ArgumentError
        If the rule fails, returns anything else, says nothing, or changes what is not its own. It names the
        rule.
    """
    title, called = title_of(rule), called_with(rule, len(arguments))
    refuse_condition_across(rule, title, called)
    if isinstance(rule, (Condition, Stated)):
        with named_faults(title, block, called):
            rule(block, *arguments)
        return
    _refuse_no_rule(rule, title, (block, *arguments))
    features = list(features)
    before, domains = [_range(x) for x in features], [x.domain for x in features]
    for x in features:
        x.unfix()  # what a criterion has fixed, a rule may fix too: it says so
    around = _outside(block)
    with named_faults(title, block, called), _kept_components(block, title):
        returned = rule(block, *arguments)
        stated = take(block, returned, title)
    refuse_no_numbers(block, title)
    state_domains(block, title)
    for x in features:
        ends_of(x, title)
    moved = _restored(features, before)
    if _outside(block) != around or [x.domain for x in features] != domains:
        raise ArgumentError(
            f"rule {title!r} changes the model outside its own block, such as the size, the quality or the "
            "objective; a rule may only add conditions: sizes are the problem's k"
        )
    if moved:
        rows = pyo.ConstraintList()
        block.add_component(unique_name(block, "features"), rows)
        for x, (low, high) in moved:
            rows.add(x >= low)
            rows.add(x <= high)
    if not (silent or stated or moved or _says_something(block)):
        raise ArgumentError(
            f"rule {title!r} neither returns a condition nor adds an active one to its block; return it, as "
            f"return {called.a} + {called.b} <= 1, or add it, as b.limit = pyo.Constraint(expr=…)"
        )


def refuse_other_rows(rule: Any, block: Any, again: Any) -> None:
    """Refuse a rule that states other rows when it is called again, as one that reads a generator does.

    Raises
    ------
    ArgumentError
        Names the rule.
    """
    one, other = (
        list(each.component_data_objects(pyo.Constraint, descend_into=True)) for each in (block, again)
    )
    if len(one) != len(other):
        raise ArgumentError(
            f"rule {title_of(rule)!r} states {len(one)} rows, and {len(other)} when it is called again; what "
            "it reads must last: a list in place of a generator, zip, map or filter, and nothing random"
        )
    for row, same in zip(one[:COMPARED], other, strict=False):
        first, second = _of_features(row, block), _of_features(same, again)
        if first is not None and second is not None and first != second:
            raise ArgumentError(
                f"rule {title_of(rule)!r} states another row when it is called again: {shorten(first, 80)}, "
                f"then {shorten(second, 80)}; it must state the same each time: nothing random, nothing kept "
                "between calls"
            )


def _of_features(row: Any, block: Any) -> str | None:
    """Return a row as text, if it is short and has no variables of the rule's own, which bear its name."""
    variables = list(expressions.identify_variables(row.expr, include_fixed=True))
    if len(variables) > COMPARED or any(is_inside(v, block) for v in variables):
        return None
    return str(row.expr)


@contextmanager
def _kept_components(block: Any, title: str) -> Iterator[None]:
    """Refuse what takes a condition off a block: Pyomo does so where another is given its name."""
    removed: list[str] = []
    outer, take_off = block.__dict__.get("del_component"), block.del_component

    def noted(which: Any) -> None:
        component = block.component(which)
        if component is not None and component.ctype.__name__ in STATES:
            removed.append(component.local_name)
        take_off(which)

    block.__dict__["del_component"] = noted
    try:
        yield
    finally:
        del block.__dict__["del_component"]  # a copy of the model would take off components of this one
        if outer is not None:  # a rule called by another one, on the same block
            block.__dict__["del_component"] = outer
    if removed:
        raise ArgumentError(
            f"rule {title!r} adds {removed[0]!r} more than once, so that only the last one would hold; "
            "return the rows in a list, or add them to one pyo.ConstraintList()"
        )


def _refuse_no_rule(rule: Any, title: str, arguments: Sequence[Any]) -> None:
    """Refuse what is no function of a block."""
    if hasattr(rule, "add_cut"):
        raise ArgumentError(
            f"rule {title!r} has add_cut, which only criteria are asked for; a rule that cuts sets off as "
            "they are found is altsel.domain.predicate(f)"
        )
    if not callable(rule):
        raise ArgumentError(f"the rule {rule!r:.60} is no function; {OF_A_SET.fix}")
    try:
        signature(rule).bind(*arguments)
    except TypeError as fault:
        called = called_with(rule, len(arguments) - 1)
        raise ArgumentError(
            f"rule {title!r} cannot be called with {called.given}: {fault}; {called.fix}"
        ) from fault
    except ValueError:  # of a function without a signature that Python knows
        return


def _outside(block: Any) -> list[Any]:
    """Return what a rule could change of the model around its own block, to compare it before and after."""
    seen: list[Any] = []
    host = block.parent_block()
    outer = {id(host): host}
    while host is not None:
        outer[id(host)] = host
        host = host.parent_block()
    for around in outer.values():
        for component in around.component_objects(descend_into=False):
            if component is not block and component.ctype not in (pyo.Var, pyo.Suffix):
                seen.append((id(component), len(component), getattr(component, "active", None)))
                if component.ctype in (pyo.Expression, pyo.Objective) and not component.is_indexed():
                    seen.append(id(component.expr))
    return seen


def _range(x: Any) -> tuple[bool, Any, Any, Any]:
    return x.fixed, x.value if x.fixed else None, x.lb, x.ub


def bounds_of(x: Any) -> tuple[float, float]:
    """Return the ends of what a variable's bounds and its being fixed leave of it; perhaps nothing."""
    low, high = -inf if x.lb is None else x.lb, inf if x.ub is None else x.ub
    return (max(low, x.value), min(high, x.value)) if x.fixed else (low, high)


def _restored(features: Sequence[Any], before: Sequence[Any]) -> list[tuple[Any, tuple[float, float]]]:
    """Take back what a rule fixed or bounded; return these features with the ends that it left them.

    So one rule cannot override another: the ends become rows.
    """
    moved = []
    for x, old in zip(features, before, strict=True):
        fixed, value, low, high = old
        if _range(x) != (False, None, low, high):
            moved.append((x, bounds_of(x)))
            x.unfix()
            x.setlb(low)
            x.setub(high)
        if fixed:
            x.fix(value)
    return moved


def _says_something(block: Any) -> bool:
    """Return whether a block has an active component that says something, or a block that has."""
    return any(
        (component.ctype.__name__ in STATES and any(each.active for each in component.values()))
        or (
            component.ctype.__name__ in {"Block", "Disjunct"}
            and component.active
            and any(map(_says_something, component.values()))
        )
        for component in block.component_objects(descend_into=False)
    )
