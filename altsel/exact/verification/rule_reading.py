"""Rules of a domain as they were stated, evaluated on sets: for the check of answers.

What searches make of a rule (rows for linear solvers, cuts) is not looked at: its constraints are evaluated
as the user wrote them. Whether variables of a rule's own can be chosen is for `own_variables`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from math import inf
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.errors import ArgumentError
from altsel.exact.verification.own_rows import OwnRows
from altsel.models.encodings import Curve, encode
from altsel.models.predicate import Condition
from altsel.models.problem import Problem
from altsel.models.quality_ends import note_ends
from altsel.models.rule import title_of
from altsel.models.rule_block import refuse_own_variables
from altsel.models.rule_slack import allow_rounding
from altsel.models.rule_statement import own_block, state
from altsel.models.rules_alone import ends_of_quality
from altsel.pyomo_on_demand import expressions, pyo, standard_repn
from altsel.runtime.clock import Clock, in_force

ROUNDING = 1e-9 * (1 + 1e-6)
"""Share of a row's terms, or its limit, by which it may be missed: what searches allow, and the rounding of
sums that they add up in another order."""
MOST_OWN = 10
"""Variables of a rule's own up to which all their choices are tried."""
Values = Mapping[int, float]
"""The value of each variable of the sets, by its identity; those that are 0 may be left out."""


@dataclass(frozen=True)
class Row:
    """A linear row of a rule: ``low <= constant + sum_j w_j x_j <= high``, variables by their identity."""

    constant: float
    weights: dict[int, float]
    low: float
    high: float

    def terms(self, values: Values) -> list[float]:
        """Return the terms of a set, but for those that are 0."""
        return [self.constant, *(self.weights[v] * x for v, x in values.items() if v in self.weights)]

    def missed(self, values: Values) -> float:
        """Return by how much a set breaks the row, beyond rounding; 0 if it keeps it."""
        terms = self.terms(values)
        return _missed(sum(terms), sum(map(abs, terms)), self.low, self.high)


@dataclass(frozen=True)
class Choices:
    """Rows with a few 0/1 variables of the rule's own: every choice of these is tried.

    A solver keeps each row, and each of these variables, within a tolerance; together these may come to more
    than rounding.

    Attributes
    ----------
    rows
        Of each row what it says of the variables of the sets.
    own
        Its weights of the rule's own, one row a choice: the terms that the choice adds.
    """

    rows: tuple[Row, ...]
    own: tuple[FloatArray, ...]

    def missed(self, values: Values) -> float:
        """Return by how much a set breaks the rows by the best choice, beyond rounding; 0 if it does not."""
        worst = np.zeros(len(self.own[0]) if self.own else 1)
        for row, own in zip(self.rows, self.own, strict=True):
            terms = row.terms(values)
            totals, sizes = sum(terms) + own.sum(axis=1), sum(map(abs, terms)) + np.abs(own).sum(axis=1)
            miss = np.maximum(totals - row.high, row.low - totals)
            slack = ROUNDING * np.maximum(sizes, _largest(row.low, row.high))
            worst = np.maximum(worst, np.where(miss > slack, miss, 0.0))
        return float(worst.min())


@dataclass(frozen=True, eq=False)
class Formula:
    """A row of a rule that is not linear, with no variables but those of the sets."""

    row: Any

    def missed(self, values: Values, title: str) -> float:
        """Return by how much sets break the row; their values are on the variables.

        Raises
        ------
        ArgumentError
            If it has no value there, as a division by 0.
        """
        del values
        try:
            value, size = float(pyo.value(self.row.body)), _size(self.row.body)
        except (ArithmeticError, ValueError, TypeError) as fault:
            raise ArgumentError(
                f"rule {title!r}, row {self.row.local_name!r} has no value for a set: "
                f"{type(fault).__name__}: {fault}"
            ) from fault
        return _missed(value, size, *_ends(self.row))


def _size(expression: Any) -> float:
    """Sum the absolute terms of an expression: the measure of its rounding."""
    if isinstance(expression, expressions.numeric_expr.SumExpression):
        return sum(map(_size, expression.args))
    return abs(float(pyo.value(expression)))


def _missed(total: float, size: float, low: float, high: float) -> float:
    slack = ROUNDING * max(size, _largest(low, high))
    miss = max(total - high, low - total)
    return miss if miss > slack else 0.0


def _largest(low: float, high: float) -> float:
    """Return the larger of two limits that are finite, without its sign."""
    return max((abs(limit) for limit in (low, high) if abs(limit) < inf), default=0.0)


def _linear(row: Any) -> Row | None:
    """Read a row; None if it is not linear."""
    form = standard_repn(row.body, quadratic=False)
    if not form.is_linear():
        return None
    weights = {id(v): float(w) for v, w in zip(form.linear_vars, form.linear_coefs, strict=True)}
    return Row(float(form.constant), weights, *_ends(row))


def _ends(row: Any) -> tuple[float, float]:
    low, high = (None if limit is None else float(limit) for limit in (row.lb, row.ub))
    return (-inf if low is None else low), (inf if high is None else high)


@dataclass(eq=False)
class ReadRule:
    """One rule on a block of its own, as it was stated.

    Attributes
    ----------
    title
        What it is called.
    rows, formulas
        Its constraints that have no variables but those of the sets.
    choices
        Its constraints, if it has a few 0/1 variables of its own.
    block
        Its block, if it has other variables of its own: a solver says whether they can be chosen.
    curves
        Its convex rows, of which the block has tangents.
    own_rows
        The block's rows, once they were translated.
    condition
        The rule, if it is evaluated as a whole.
    """

    title: str
    rows: list[Row] = field(default_factory=list)
    formulas: list[Formula] = field(default_factory=list)
    choices: Choices | None = None
    block: Any = None
    curves: list[Curve] = field(default_factory=list)
    own_rows: OwnRows | None = None
    condition: Condition | None = None

    def names(self, variable: int) -> bool:
        """Return whether a variable of the sets, by its identity, is in a row that needs no other."""
        rows = [*self.rows, *(self.choices.rows if self.choices is not None else ())]
        return any(variable in row.weights for row in rows)

    def broken(self, values: Values, names: tuple[str, ...]) -> str | None:
        """Return how sets break the rule; None if they keep it, as far as that takes no solver.

        Parameters
        ----------
        values
            Of all variables of the sets; they are on the variables too.
        names
            The set, in the order of the features, for a rule on one set.
        """
        if self.condition is not None:
            return None if self.condition.holds(names) else "it does not hold"
        missed = max((row.missed(values) for row in self.rows), default=0.0)
        missed = max([missed, *(formula.missed(values, self.title) for formula in self.formulas)])
        missed = missed if self.choices is None else max(missed, self.choices.missed(values))
        return f"missed by {missed:.3g}" if missed else None


def read_rule(
    host: Any, rule: Any, given: Mapping[str, Any], variables: Sequence[Any], arguments: Sequence[Any] = ()
) -> ReadRule:
    """State a rule on a block of its own, and read what it says.

    Parameters
    ----------
    host
        Block that holds those of all rules.
    rule
        The rule.
    given
        What the rule may name; see `own_block`.
    variables
        The variables of the sets: features, and the quality.
    arguments
        What it is called with besides its block.
    """
    read = ReadRule(title_of(rule))
    if isinstance(rule, Condition):
        read.condition = rule
        return read
    block = own_block(host, rule, given)
    state(rule, block, variables, *arguments, silent=bool(arguments) or getattr(rule, "may_be_silent", False))
    ours = {id(v) for v in variables}
    if _has_more(block, ours):
        read.choices = _choices(block, ours)
        if read.choices is not None:
            return read
        read.block = block
        with in_force(Clock()):  # a check is no part of the search whose time may be up
            others = encode(block, read.title)
        sets = len(arguments[0]) if arguments else 1
        allow_rounding(block, variables, host.model().__dict__.get("largest", len(variables)) * sets)
        for rest in others:
            if rest.curve is not None:
                read.curves.append(rest.curve)
                continue
            refuse_own_variables(rest, block, read.title)
            read.formulas.append(Formula(rest.row))
        return read
    for row in block.component_data_objects(pyo.Constraint, active=True, descend_into=True):
        linear = _linear(row)
        if linear is not None:
            read.rows.append(linear)
        else:
            read.formulas.append(Formula(row))
    return read


def _has_more(block: Any, ours: Collection[int]) -> bool:
    """Return whether a rule has more than constraints on the variables of the sets."""
    plain = {"Constraint", "Expression", "Param", "Set", "RangeSet", "Block", "Suffix", "Var"}
    if any(
        one.ctype.__name__ not in plain for one in block.component_objects(active=True, descend_into=True)
    ):
        return True
    return any(
        id(v) not in ours
        for row in block.component_data_objects(pyo.Constraint, active=True, descend_into=True)
        for v in expressions.identify_variables(row.body, include_fixed=False)
    )


def _choices(block: Any, ours: Collection[int]) -> Choices | None:
    """Read rows over features and a few 0/1 variables; None if a rule has other variables or constraints."""
    plain = {"Constraint", "ConstraintList", "Expression", "Param", "Set", "RangeSet", "Var"}
    parts = block.component_objects(active=True, descend_into=True)
    own = [v for v in block.component_data_objects(pyo.Var, descend_into=True) if id(v) not in ours]
    binary = all(v.is_binary() and not v.fixed and v.bounds == (0, 1) for v in own)
    if not binary or len(own) > MOST_OWN or any(one.ctype.__name__ not in plain for one in parts):
        return None
    rows = [_linear(row) for row in block.component_data_objects(pyo.Constraint, active=True)]
    known = {*ours, *map(id, own)}
    read = [row for row in rows if row is not None and row.weights.keys() <= known]
    if len(read) < len(rows):
        return None
    choices = np.array(list(product((0.0, 1.0), repeat=len(own)))).reshape(-1, len(own))
    added = tuple(choices * [row.weights.get(id(v), 0.0) for v in own] for row in read)
    return Choices(tuple(replace(row, weights=_of(row.weights, ours)) for row in read), added)


def _of(weights: Mapping[int, float], ours: Collection[int]) -> dict[int, float]:
    return {v: weight for v, weight in weights.items() if v in ours}


def single_set(problem: Problem) -> Any:
    """Build the model of one set with what rules may name; the quality is a variable."""
    model = pyo.ConcreteModel()
    model.implied = pyo.Suffix(direction=pyo.Suffix.LOCAL)
    model.x = pyo.Var(problem.objective.features, domain=pyo.Binary)
    model.size = pyo.Expression(expr=pyo.quicksum(model.x.values()))
    model.reported = pyo.Var()
    model.quality = pyo.Expression(expr=model.reported)
    note_ends(model.reported, partial(ends_of_quality, problem))
    model.rules = pyo.Block()
    model.__dict__["largest"] = problem.sizes[1]
    return model
