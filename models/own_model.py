"""The model of a criterion on a set's block; one of the user's own has a block of its own."""

from __future__ import annotations

from typing import Any

from altsel.errors import ArgumentError
from altsel.models.encodings import encode, linear_form
from altsel.models.encodings.polynomials import NoPolynomialError
from altsel.models.objective import Objective, is_own
from altsel.models.own_code import call_own
from altsel.models.rule import unique_name
from altsel.models.rule_variables import state_domains
from altsel.pyomo_on_demand import pyo

WOULD_DO = (
    "a model must be linear, or multiply 0/1 variables and one other that has bounds; add_cut states a curve "
    "by tangents"
)


def express(objective: Objective, block: Any, sizes: tuple[int, int]) -> None:
    """Add the model of a criterion to a set's block, as linear rows and ``block.quality``.

    Parameters
    ----------
    objective
        The criterion. One of the user's own gets a block within the set's, on which ``x`` and ``size`` stand
        for those of the set: no name is reserved. Its products, logic, disjunctions, ordered sets and
        piecewise functions are written as rows.
    block
        The set's block, with ``x`` and ``size``.
    sizes
        Smallest and largest size of the set.

    Raises
    ------
    ArgumentError
        If ``express`` of the user's own fails, states no quality, or what cannot be made linear.
    """
    if not is_own(objective):
        objective.express(block, sizes)
        return
    own, title = pyo.Block(), f"{objective.name}: express"
    block.add_component(unique_name(block, "criterion"), own)
    own.__dict__.update(x=block.x, size=block.size)
    block.__dict__["of_criterion"] = own
    own_method(objective, "express", own, sizes)
    state_domains(own, title)
    if own.component("quality") is None:
        raise ArgumentError(f"{title} must add block.quality = pyo.Expression(expr=...)")
    for rest in encode(own, title):
        raise ArgumentError(f"{title}, row {rest.row.local_name!r}: {rest.why}; {WOULD_DO}")
    try:
        block.quality = pyo.Expression(expr=linear_form(own, own.quality, title))
    except NoPolynomialError as fault:
        raise ArgumentError(f"{title}, quality: {fault}; {WOULD_DO}") from fault


def model_of(block: Any) -> Any:
    """Return the block that holds the model of a set's criterion: its own one, or the set's."""
    return block.__dict__.get("of_criterion", block)


def own_method(objective: Objective, name: str, *given: Any) -> Any:
    """Call a method of a criterion on its model; where one of the user's own fails, the error names it."""
    return call_own(getattr(objective, name), given, lambda: f"{objective.name}: {name}")
