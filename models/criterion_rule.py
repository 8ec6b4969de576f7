"""A second criterion as a rule: a set must be good enough, or must not be too good, by another objective."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.errors import ArgumentError, listing
from altsel.models.declarations import check_forms
from altsel.models.objective import Kind, Objective, is_own
from altsel.models.own_model import express
from altsel.models.pair_products import multiply, quadratic_form
from altsel.pyomo_on_demand import pyo

ROUNDING = 1e-9
"""Share of a limit, or of the value, by which the value may miss it."""


@dataclass(frozen=True, eq=False)
class CriterionRule:
    """``at_least <= Q'(s) <= at_most`` for another objective; see `altsel.domain.criterion`.

    Whether a set keeps it is evaluated by the formula. Rows say as much as there is a model that is right
    from both sides: of plain sums, quadratic forms and ratios all. Of a linear fit there are none: it never
    falls when features are added, which `monotone` says.

    Attributes
    ----------
    objective
        The other criterion.
    at_least, at_most
        Ends, infinite if there is none.
    """

    objective: Objective
    at_least: float = -inf
    at_most: float = inf
    monotone: str | None = field(init=False)
    has_rows = True

    @property
    def rows_suffice(self) -> bool:
        """Whether the rows say all: of criteria whose models are right from both sides."""
        return self.objective.kind in {Kind.SUM, Kind.QUADRATIC, Kind.RATIO}

    def __post_init__(self) -> None:
        rises = self.objective.rises
        one_sided = self.at_least == -inf or self.at_most == inf
        direction = ("up" if self.at_least > -inf else "down") if rises and one_sided else None
        object.__setattr__(self, "monotone", direction)

    @property
    def __name__(self) -> str:
        ends = [f"at least {self.at_least:g}"] if self.at_least > -inf else []
        ends += [f"at most {self.at_most:g}"] if self.at_most < inf else []
        return f"{self.objective.name} of {' and '.join(ends)}"

    def holds(self, names: tuple[str, ...]) -> bool:
        """Return whether the other criterion admits a set, and its value is within the ends."""
        mask = np.isin(self.objective.features, names)
        if not self.objective.checked_feasible(mask):
            return False
        value = self.objective.checked_score(mask)
        low = ROUNDING * max(abs(value), abs(self.at_least) if self.at_least > -inf else 0.0)
        high = ROUNDING * max(abs(value), abs(self.at_most) if self.at_most < inf else 0.0)
        return self.at_least - low <= value <= self.at_most + high

    def __call__(self, block: Any) -> None:
        """Add rows that are right from both sides, where there are such.

        Raises
        ------
        ArgumentError
            If the other criterion lacks a feature that may be chosen.
        """
        absent = [f for f in block.x if f not in set(self.objective.features)]
        if absent:
            raise ArgumentError(
                f"rule {self.__name__!r}: {self.objective.name} knows no feature {listing(absent)}; make "
                "it of the same columns"
            )
        if is_own(self.objective):
            check_forms(self.objective, block.sizes)
        STATED.get(self.objective.kind, _express)(self, block)

    def limit(self, rows: Any, expression: Any, slack: Any = 0.0) -> None:
        """Add rows that keep an expression within the ends, but for a slack."""
        if self.at_least > -inf:
            rows.add(expression >= self.at_least - slack)
        if self.at_most < inf:
            rows.add(expression <= self.at_most + slack)


def _state_sum(rule: CriterionRule, block: Any) -> None:
    weights = zip(rule.objective.features, rule.objective.weights.tolist(), strict=True)
    block.limit = pyo.ConstraintList()
    rule.limit(block.limit, pyo.quicksum(w * block.x[f] for f, w in weights if f in block.x))


def _state_quadratic(rule: CriterionRule, block: Any) -> None:
    """State the form of every size, with products that are right from both sides."""
    objective = rule.objective
    if objective.as_sum is not None:  # a sum under conditions
        own, condition = objective.as_sum
        _state_sum(CriterionRule(own, rule.at_least, rule.at_most), block)
        condition(block)
        return
    names: list[str] = list(block.x)
    low, high = block.sizes
    products = _products(block, names, (low, high))
    index = [list(objective.features).index(f) for f in names]
    block.limit = pyo.ConstraintList()
    if low == high:
        linear, pairs = objective.quadratic(low)
        rule.limit(block.limit, quadratic_form(products, names, linear[index], -pairs[np.ix_(index, index)]))
        return
    block.is_size = pyo.Var(range(low, high + 1), domain=pyo.Binary)
    block.one_size = pyo.Constraint(expr=pyo.quicksum(block.is_size.values()) == 1)
    block.sized = pyo.Constraint(expr=pyo.quicksum(m * z for m, z in block.is_size.items()) == block.size)
    for m, is_size in block.is_size.items():
        linear, pairs = objective.quadratic(m)
        linear, pairs = linear[index], pairs[np.ix_(index, index)]
        reach = _reach(linear, pairs, high) + max(
            abs(e) for e in (rule.at_least, rule.at_most) if abs(e) < inf
        )
        rule.limit(block.limit, quadratic_form(products, names, linear, -pairs), reach * (1 - is_size))


def _products(block: Any, names: list[str], sizes: tuple[int, int]) -> Any:
    block.of = pyo.Block()
    block.of.__dict__["x"] = block.x
    if sizes[1] == 1:
        block.of.t = pyo.Var([])
    else:
        multiply(block.of, names, sizes, upper=np.ones((len(names), len(names)), dtype=bool))
    return block.of


def _reach(linear: FloatArray, pairs: FloatArray, high: int) -> float:
    """Bound the absolute value of a form over all sets of at most so many features."""
    single = np.sort(np.abs(linear))[::-1][:high].sum()
    double = np.sort(np.abs(pairs[np.triu_indices(len(linear), 1)]))[::-1]
    return float(single + double[: high * (high - 1) // 2].sum())


def _state_ratio(rule: CriterionRule, block: Any) -> None:
    """State that the parametric form of a level is above 0, or not, as it is where the ratio is."""
    objective = rule.objective
    names = list(block.x)
    index = [list(objective.features).index(f) for f in names]
    for row, low, high in objective.rows or ():
        total = pyo.quicksum(
            c * block.x[f] for f, c in zip(objective.features, row.tolist(), strict=True) if f in block.x
        )
        block.keep_valid = pyo.Constraint(
            expr=pyo.inequality(None if low == -inf else low, total, None if high == inf else high)
        )
    products = _products(block, names, block.sizes)
    block.limit = pyo.ConstraintList()
    for level, sign in ((rule.at_least, 1), (rule.at_most, -1)):
        if abs(level) == inf or (level < 0 and sign > 0):
            continue
        if level < 0:
            block.limit.add(pyo.Constraint.Infeasible)  # ratios are at least 0
            continue
        linear, pairs = objective.parametric(level).quadratic(block.sizes[1])
        form = quadratic_form(products, names, linear[index], -pairs[np.ix_(index, index)])
        block.limit.add(sign * form >= 0)


def _state_nothing(rule: CriterionRule, block: Any) -> None:
    """Add nothing: the criterion is evaluated."""
    del rule, block


def _express(rule: CriterionRule, block: Any) -> None:
    """State it by the objective's own model, which may bound the quality from one side only."""
    block.of = pyo.Block()
    block.of.__dict__.update({"x": _of_all(rule.objective, block), "size": block.size})
    express(rule.objective, block.of, block.sizes)
    block.limit = pyo.ConstraintList()
    rule.limit(block.limit, block.of.quality)


def _of_all(objective: Objective, block: Any) -> Any:
    """Return variables of all features of a criterion; of those that cannot be chosen they are fixed to 0."""
    absent = [f for f in objective.features if f not in block.x]
    if not absent:
        return block.x
    block.never = pyo.Var(absent, domain=pyo.Binary)
    block.never.fix(0)
    return pyo.Reference({f: block.x[f] if f in block.x else block.never[f] for f in objective.features})


STATED: dict[Kind, Any] = {
    Kind.SUM: _state_sum,
    Kind.QUADRATIC: _state_quadratic,
    Kind.RATIO: _state_ratio,
    Kind.LEAST_SQUARES: _state_nothing,
    Kind.MODEL_FIT: _state_nothing,
    Kind.BLACK_BOX: _state_nothing,
}
"""How a criterion of each kind is stated; another is by its own model."""
