"""Logical conditions and disjunctions as linear rows, by Pyomo's transformations."""

from __future__ import annotations

from typing import Any

from altsel.errors import ArgumentError
from altsel.models.quality_ends import bound_quality
from altsel.pyomo_on_demand import faults, pyo

LINEAR = {
    "Constraint",
    "Var",
    "Block",
    "Expression",
    "Param",
    "Set",
    "RangeSet",
    "BooleanVar",
    "Suffix",
    "Reference",
}
LOGIC = (
    "pyo.implies and such take features, not comparisons: if-then is 2 * b.x['a'] <= b.x['b'] + b.x['c'], "
    "either-or a Disjunction"
)
HARMLESS = {"BuildCheck", "BuildAction", "Disjunct", "Port", "External", "ExternalFunction", "SetOf"}


def logic_to_rows(block: Any, title: str) -> None:
    """Write ``LogicalConstraint`` and ``Disjunction`` of a block as rows with 0/1 variables, exactly.

    A disjunct that does not hold is switched off by the largest value that its rows can have: variables in it
    need bounds.

    Raises
    ------
    ArgumentError
        If a variable has no bounds, or a component is of another kind. It names the rule.
    """
    from pyomo.gdp import Disjunction  # noqa: PLC0415  (heavy)
    from pyomo.gdp.util import GDP_Error  # noqa: PLC0415

    if _has(block, pyo.LogicalConstraint):
        try:
            pyo.TransformationFactory("contrib.logical_to_disjunctive").apply_to(block)
        except _faults() as fault:
            raise ArgumentError(
                f"rule {title!r}: logic cannot be written as rows ({type(fault).__name__}): {LOGIC}"
            ) from fault
    if _has(block, Disjunction):
        bound_quality(block)
        try:
            pyo.TransformationFactory("gdp.bigm").apply_to(block)
        except (GDP_Error, *_faults()) as fault:
            reported = " ".join(str(fault).split())
            raise ArgumentError(
                f"rule {title!r}: a disjunction cannot be written as rows: {reported:.200}; give "
                "all variables in it bounds"
            ) from fault
    _switch_off_disjuncts(block, title)
    _refuse_others(block, title)


def _switch_off_disjuncts(block: Any, title: str) -> None:
    """Leave out disjuncts of a disjunction that is switched off; refuse those of none."""
    from pyomo.gdp import Disjunct, Disjunction  # noqa: PLC0415

    inside = parts_of_rules()
    off = {
        id(disjunct)
        for one in block.component_data_objects(Disjunction, descend_into=inside)
        for disjunct in one.disjuncts
        if not one.active
    }
    for disjunct in block.component_data_objects(Disjunct, active=True, descend_into=inside):
        if id(disjunct) not in off:
            raise ArgumentError(
                f"rule {title!r}: disjunct {disjunct.local_name!r} is in no disjunction, so it says nothing; "
                "add a Disjunction(expr=[…]) of those of which one is to hold"
            )
        disjunct.deactivate()


def _has(block: Any, kind: Any) -> bool:
    found = block.component_data_objects(kind, active=True, descend_into=parts_of_rules())
    return next(found, None) is not None


def parts_of_rules() -> tuple[Any, ...]:
    """Return the kinds of blocks in which a rule may state things: within its own."""
    from pyomo.gdp import Disjunct  # noqa: PLC0415

    return pyo.Block, Disjunct


def _faults() -> tuple[type[Exception], ...]:
    return (faults.PyomoException, ValueError, TypeError, AttributeError)


def _refuse_others(block: Any, title: str) -> None:
    """Refuse components that are none of a mixed-integer program."""
    for component in block.component_objects(active=True, descend_into=True):
        kind = component.ctype.__name__
        if kind == "Objective":
            raise ArgumentError(
                f"rule {title!r} adds an objective, {component.local_name!r}; what is maximised is the "
                "problem's own objective"
            )
        if kind not in {"SOSConstraint", *LINEAR, *HARMLESS}:
            raise ArgumentError(
                f"rule {title!r}: {component.local_name!r} is a {kind}, which altsel cannot turn into rows; "
                "state it by constraints, or as altsel.domain.predicate"
            )
