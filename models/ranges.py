"""Rules whose numbers range too widely for a solver: refused, as a wrong proof would be worse."""

from __future__ import annotations

from typing import Any

from altsel.errors import RangeError
from altsel.models.problem import Problem
from altsel.models.rules_alone import rules_alone
from altsel.pyomo_on_demand import pyo, standard_repn

WIDEST = 1e8
"""Largest ratio of two terms of a row: solvers keep rows to 1e-9 of the largest."""
HOPELESS = 1e10
"""The same for rows with variables of a rule's own, whatever their limit: HiGHS cut an optimum off there."""
RESIDUE = 1e-15
"""Share of the largest term below which a term is rounding."""
HARMLESS = 1e-9
"""Share of a row's limit that all terms too small to be seen may reach together."""
NARROWEST = 1e-6
"""Smallest range of a continuous variable of a rule's own."""


def refuse_wide_rules(problem: Problem) -> None:
    """Refuse to put rules into a model that a solver cannot tell from others.

    Raises
    ------
    RangeError
        If the terms of a row range too widely, or a variable of a rule's own may hardly move.
    """
    if not problem.subject_to:
        return
    alone = rules_alone(problem)
    own = {id(x) for x in alone.block.x.values()} | {id(alone.block.unknown)}
    for row in alone.rows:
        _check_row(row, own)
    for variable in alone.model.component_data_objects(pyo.Var):
        if variable.is_continuous() and not variable.fixed and None not in variable.bounds:
            low, high = variable.bounds
            if 0 < high - low < NARROWEST:
                raise RangeError(
                    f"the variable {variable.local_name!r} of a rule reaches from {low:g} to {high:g}: "
                    "solvers keep bounds to 1e-9 only; give it a larger unit"
                )


def _check_row(row: Any, own: set[int]) -> None:
    form = standard_repn(row.body, compute_values=True)
    helped = any(id(variable) not in own for variable in form.linear_vars)
    terms = sorted(
        abs(weight) * _reach(variable)
        for variable, weight in zip(form.linear_vars, form.linear_coefs, strict=True)
    )
    terms = [term for term in terms if term > RESIDUE * terms[-1]]
    if not terms or terms[0] * WIDEST >= terms[-1]:
        return
    unseen = sum(term for term in terms if term * WIDEST < terms[-1])
    limits = [abs(float(limit) - form.constant) for limit in (row.lb, row.ub) if limit is not None]
    hopeless = helped and terms[0] * HOPELESS < terms[-1]
    if hopeless or unseen > HARMLESS * min(limits, default=0.0):
        raise RangeError(
            f"the numbers of rule {_rule_of(row)!r}, row {row.local_name!r}, range from {terms[0]:.3g} to "
            f"{terms[-1]:.3g}: no solver tells them apart; change their unit, or leave out what is too "
            "small to matter"
        )


def _rule_of(row: Any) -> str:
    """Return the name of the block of a rule, which is that of the rule."""
    block = row.parent_block()
    while block.parent_block().local_name != "rules" and block.parent_block().parent_block() is not None:
        block = block.parent_block()
    return str(block.local_name)


def _reach(variable: Any) -> float:
    """Largest absolute value of a variable, 1 where it is not bounded."""
    if variable.is_binary() or variable.lb is None or variable.ub is None:
        return 1.0
    return max(abs(variable.lb), abs(variable.ub)) or 1.0
