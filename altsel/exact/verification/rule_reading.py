"""Rules of a domain read as rows, apart from how searches read them: for the check of their answers."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from math import inf
from typing import Any

from altsel.models.problem import Problem
from altsel.models.rule import bounds_of
from altsel.pyomo_on_demand import expressions, pyo, repn

ROUNDING = 1e-9
"""Share of a row's largest sum of terms by which it may be missed: rounding of the user's numbers."""


@dataclass(frozen=True)
class Row:
    """A linear row of a rule: ``low <= constant + sum_j weight_j x_j + on_quality Q <= high``."""

    constant: float
    weights: dict[str, float]
    on_quality: float
    low: float
    high: float

    def missed(self, one: Collection[str], quality: float) -> float:
        """Return by how much a set breaks the row, beyond rounding; 0 if it keeps it."""
        terms = [self.constant, self.on_quality * quality, *(self.weights.get(f, 0.0) for f in one)]
        limits = [abs(limit) for limit in (self.low, self.high) if abs(limit) < inf]
        slack = ROUNDING * max([sum(map(abs, terms)), *limits])
        total = sum(terms)
        miss = max(total - self.high, self.low - total)
        return miss if miss > slack else 0.0


def fresh_model(problem: Problem) -> Any:
    """Make the block a rule may name: ``x``, ``size``, ``cardinality`` and ``quality``."""
    low, high = problem.sizes
    model = pyo.ConcreteModel()
    model.implied = pyo.Suffix(direction=pyo.Suffix.LOCAL)
    model.sets = pyo.Block(range(1))
    block = model.sets[0]
    block.x = pyo.Var(problem.objective.features, domain=pyo.Binary)
    block.size = pyo.Expression(expr=pyo.quicksum(block.x.values()))
    block.cardinality = pyo.Constraint(expr=pyo.inequality(low, block.size, high))
    block.reported = pyo.Var()
    block.quality = pyo.Expression(expr=block.reported)
    return model


def added_rows(block: Any, rule: Callable[[Any], Any]) -> list[Row] | None:
    """Let a rule add to a block, and read what it added; None if that is more than linear rows."""
    before = {id(row) for row in block.component_data_objects(pyo.Constraint)}
    rule(block)
    added = [
        row for row in block.component_data_objects(pyo.Constraint, active=True) if id(row) not in before
    ]
    name_of = {id(x): f for f, x in block.x.items()}
    rows = [_row(row, name_of, id(block.reported)) for row in added]
    return None if any(row is None for row in rows) else [row for row in rows if row is not None]


def _row(row: Any, name_of: dict[int, str], quality: int) -> Row | None:
    fixed = [v for v in expressions.identify_variables(row.body) if v.fixed]
    for variable in fixed:
        variable.unfix()
    try:
        form = repn.generate_standard_repn(row.body)
    finally:
        for variable in fixed:
            variable.fixed = True
    if not form.is_linear():
        return None
    weights, on_quality = dict[str, float](), 0.0
    for variable, weight in zip(form.linear_vars, form.linear_coefs, strict=True):
        if id(variable) == quality:
            on_quality = float(weight)
        elif id(variable) in name_of:
            weights[name_of[id(variable)]] = float(weight)
        else:
            return None
    low, high = (None if limit is None else float(limit) for limit in (row.lb, row.ub))
    return Row(
        float(form.constant),
        weights,
        on_quality,
        -inf if low is None else low,
        inf if high is None else high,
    )


def bounds_rows(block: Any) -> list[Row]:
    """Rows of the features that rules fixed or bounded."""
    bounded = [(f, bounds_of(x)) for f, x in block.x.items() if x.fixed or (x.lb, x.ub) != (0, 1)]
    return [Row(0.0, {f: 1.0}, 0.0, low, high) for f, (low, high) in bounded]
