"""Piecewise linear functions and special ordered sets as linear rows with 0/1 variables."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from altsel.errors import ArgumentError
from altsel.models.rule import unique_name
from altsel.pyomo_on_demand import pyo


def piecewise_to_rows(block: Any, title: str) -> None:
    """Write every ``pyomo.environ.Piecewise`` of a block anew, whatever its representation.

    ``x = p_0 + sum_i d_i (p_i - p_{i-1})`` and ``y = r_0 + sum_i d_i (r_i - r_{i-1})``, or ``<=``, ``>=``,
    with ``d_{i+1} <= z_i <= d_i``, z binary: the incremental form (Markowitz and Manne 1957). Of Pyomo's own
    representations two are wrong in some cases, and others hold ordered sets, which few solvers take.
    """
    from pyomo.core.base.piecewise import PiecewiseData  # noqa: PLC0415  (with the first model)

    blocks = block.block_data_objects(active=True, descend_into=True)
    for piece in [one for one in blocks if isinstance(one, PiecewiseData)]:
        x, y = piece.referenced_variables()
        points, values = list(piece._domain_pts), list(piece._range_pts)
        rows = pyo.Block()
        block.add_component(unique_name(block, f"{piece.local_name} in steps"), rows)
        _incremental(rows, (x, y), points, values, str(piece._bound_type).rpartition(".")[2])
        piece.deactivate()


def _incremental(
    rows: Any, variables: tuple[Any, Any], points: list[float], values: list[float], kind: str
) -> None:
    x, y = variables
    count = len(points) - 1
    rows.step = pyo.Var(range(count), bounds=(0, 1))
    rows.full = pyo.Var(range(count - 1), domain=pyo.Binary)
    along = points[0] + pyo.quicksum((b - a) * rows.step[i] for i, (a, b) in enumerate(pairwise(points)))
    value = values[0] + pyo.quicksum((b - a) * rows.step[i] for i, (a, b) in enumerate(pairwise(values)))
    rows.along = pyo.Constraint(expr=x == along)
    rows.value = pyo.Constraint(
        expr={"EQ": y == value, "Equal": y == value}.get(kind, _one_sided(kind, y, value))
    )
    rows.order = pyo.ConstraintList()
    for i, full in rows.full.items():
        rows.order.add(full <= rows.step[i])
        rows.order.add(rows.step[i + 1] <= full)


def _one_sided(kind: str, y: Any, value: Any) -> Any:
    return y <= value if kind in {"UB", "Upper"} else y >= value


def ordered_sets_to_rows(block: Any, title: str) -> None:
    """Write special ordered sets as rows: one variable may differ from 0, or two that are next to each other.

    ``L_i s_i <= v_i <= U_i s_i`` with ``s_i = z_i`` and ``sum_i z_i <= 1`` for sets of type 1, and with
    ``s_i = z_{i-1} + z_i`` and ``sum_i z_i = 1`` over the gaps for sets of type 2.

    Raises
    ------
    ArgumentError
        If a variable of a set has no bounds.
    """
    for ordered in list(block.component_data_objects(pyo.SOSConstraint, active=True)):
        variables = [v for v, _ in sorted(ordered.get_items(), key=lambda item: item[1])]
        for v in variables:
            if v.lb is None or v.ub is None:
                raise ArgumentError(
                    f"rule {title!r}: the variable {v.local_name!r} is in an ordered set and has no bounds; "
                    "give it some, such as pyo.Var(bounds=(0, 1))"
                )
        rows = pyo.Block()
        block.add_component(unique_name(block, "ordered"), rows)
        if ordered.level == 1:
            rows.z = pyo.Var(range(len(variables)), domain=pyo.Binary)
            rows.one = pyo.Constraint(expr=pyo.quicksum(rows.z.values()) <= 1)
            nonzero = [rows.z[i] for i in range(len(variables))]
        else:
            gaps = max(len(variables) - 1, 1)
            rows.z = pyo.Var(range(gaps), domain=pyo.Binary)
            rows.one = pyo.Constraint(expr=pyo.quicksum(rows.z.values()) == 1)
            nonzero = [
                pyo.quicksum(rows.z[g] for g in (i - 1, i) if 0 <= g < gaps) for i in range(len(variables))
            ]
        rows.ends = pyo.ConstraintList()
        for v, is_nonzero in zip(variables, nonzero, strict=True):
            rows.ends.add(v <= v.ub * is_nonzero)
            rows.ends.add(v >= v.lb * is_nonzero)
        ordered.deactivate()
