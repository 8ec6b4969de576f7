"""What a user's rule says, read apart from altsel: stated once on a model made here.

Nothing is transformed: rows, logic, disjunctions, ordered sets and piecewise functions stay what the user
wrote, for `deciding` to evaluate on sets.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pyomo.environ as pyo
from pyomo.common.log import LoggingIntercept
from pyomo.core.base.piecewise import PiecewiseData
from pyomo.core.expr import identify_variables
from pyomo.core.expr.expr_common import ExpressionType
from pyomo.gdp import Disjunct, Disjunction
from pyomo.repn import generate_standard_repn

from benchmarks.exactness.written.said_expressions import (
    is_binary,
    is_bounded,
    is_function,
    is_kind,
    owner_of,
)

Bounded = tuple[Any, float | None, float | None]
"""An expression, and its least and largest value."""
INSIDE = (pyo.Block, Disjunct)
MOST_TRIED = 6
"""0/1 variables of a rule up to which all their values are tried, so that rows may multiply them."""


@dataclass(eq=False)
class Row:
    """A row that a rule says, or stands for.

    Attributes
    ----------
    bounded
        The expression, and its ends.
    owner
        The disjunct that it is in; None if it holds everywhere.
    own
        Variables of the rule's own that are no 0/1 variables.
    known
        Whether it has no variables but those of the sets.
    fuzzy
        Whether it is rounded where it is just kept.
    """

    bounded: Bounded
    owner: Any = None
    own: list[Any] = field(default_factory=list)
    known: bool = True
    fuzzy: bool = False

    @cached_property
    def is_curved(self) -> bool:
        """Whether it multiplies two numbers of the rule's own, which are not 0/1."""
        own = {id(v) for v in self.own}
        form = generate_standard_repn(self.bounded[0], quadratic=True) if self.own else None
        pairs = () if form is None else form.quadratic_vars
        return any(id(v) in own and id(w) in own for v, w in pairs)


class Reading:
    """A rule on sets whose features are variables of a model made here.

    Parameters
    ----------
    rule
        The user's function.
    names
        Of the features.
    sets
        How many sets it is across; None for a rule on one set.

    Attributes
    ----------
    x
        Variables of the features, by set and name.
    quality
        Variable of the quality of a set.
    truths
        What was said to be true or false.
    moved
        Features that were fixed or bounded, with their ends.
    rows, logic, disjunctions
        What must hold, each with the disjunct that it belongs to.
    choices
        Alternatives, each a list of rows: one of every choice must hold.
    binaries, booleans, numbers
        The rule's own variables: 0/1, logical, and all others.
    """

    def __init__(self, rule: Callable[..., Any], names: list[str], sets: int | None = None) -> None:
        self.model = pyo.ConcreteModel()
        self.model.x = pyo.Var(range(sets or 1), names, domain=pyo.Binary)
        self.model.quality = self.quality = pyo.Var()
        self.model.one = pyo.Block()
        self.model.own = pyo.Block()
        self.x: dict[tuple[int, str], Any] = dict(self.model.x.items())
        self.truths: list[bool] = []
        with LoggingIntercept(None, "pyomo", logging.CRITICAL):
            if sets is None:
                self._take(rule(self._block_of_one_set(names)))
            else:
                self._take(rule(self.model.own, [{f: self.x[i, f] for f in names} for i in range(sets)]))
        self.moved = list(self._released())
        self._read()

    def _block_of_one_set(self, names: list[str]) -> Any:
        one = self.model.one
        one.x = pyo.Reference({f: self.x[0, f] for f in names})
        one.size = pyo.Expression(expr=pyo.quicksum(one.x.values()))
        one.quality = pyo.Expression(expr=self.quality)
        self.model.own.__dict__.update(x=one.x, size=one.size, quality=one.quality)
        return self.model.own

    def _take(self, value: Any) -> None:
        """Attach what was returned."""
        skipped = (pyo.Constraint.Skip, pyo.Constraint.Feasible)
        if value is None or any(value is one for one in skipped):
            return
        if isinstance(value, (bool, np.bool_)):
            self.truths.append(bool(value))
        elif value is pyo.Constraint.Infeasible:
            self.truths.append(False)
        elif is_kind(value, ExpressionType.RELATIONAL) or is_bounded(value):
            self._attach(pyo.Constraint(expr=value))
        elif is_kind(value, ExpressionType.LOGICAL) or getattr(value, "ctype", None) is pyo.BooleanVar:
            self._attach(pyo.LogicalConstraint(expr=value))
        elif hasattr(value, "ctype") or hasattr(value, "parent_component"):
            if value.parent_block() is None:
                self._attach(value)
        elif isinstance(value, Mapping):
            self._take(list(value.values()))
        elif isinstance(value, Iterable) and not isinstance(value, str):
            for one in value:
                self._take(one)
        else:
            raise TypeError(f"{value!r} says nothing of a set")

    def _attach(self, component: Any) -> None:
        self.model.add_component(f"returned {len(self.model.component_map())}", component)

    def _released(self) -> Iterator[tuple[Any, float, float]]:
        """Give the features that were fixed or bounded, and make them variables again."""
        for x in self.x.values():
            low, high = x.lb, x.ub
            if x.fixed:
                low, high = max(low, x.value), min(high, x.value)
            if (low, high) != (0, 1):
                yield x, low, high
            x.unfix()
            x.setlb(0)
            x.setub(1)

    def _read(self) -> None:
        self._given = {id(x) for x in (*self.x.values(), self.quality)}
        own = [v for v in self._all(pyo.Var) if id(v) not in self._given and not v.fixed]
        self.binaries = [v for v in own if is_binary(v)]
        if len(self.binaries) > MOST_TRIED and not self._all(Disjunction):
            self.binaries = []  # SciPy chooses them with the numbers
        self.booleans = [v for v in self._all(pyo.BooleanVar) if v.get_associated_binary() is None]
        self.tied = [v for v in self._all(pyo.BooleanVar) if v.get_associated_binary() is not None]
        self.numbers = [v for v in own if not any(v is one for one in self.binaries)]
        self.logic = [(one, owner_of(one)) for one in self._all(pyo.LogicalConstraint)]
        self.disjunctions = [(one, owner_of(one)) for one in self._all(Disjunction)]
        pieces = [one for one in self._all(pyo.Block) if isinstance(one, PiecewiseData)]
        within = {id(row) for one in pieces for row in one.component_data_objects(pyo.Constraint)}
        inner = {id(v) for one in pieces for v in one.component_data_objects(pyo.Var)}
        sets = {id(one) for piece in pieces for one in piece.component_data_objects(pyo.SOSConstraint)}
        self.numbers = [v for v in self.numbers if id(v) not in inner]
        self.binaries = [v for v in self.binaries if id(v) not in inner]
        self.rows = [self._row(one) for one in self._all(pyo.Constraint) if id(one) not in within]
        self.choices = [self._segments(one) for one in pieces]
        self.choices += [self._windows(one) for one in self._all(pyo.SOSConstraint) if id(one) not in sets]

    def _all(self, kind: Any) -> list[Any]:
        active = None if kind in (pyo.Var, pyo.BooleanVar) else True
        return list(self.model.component_data_objects(kind, active=active, descend_into=INSIDE))

    def _row(self, row: Any) -> Row:
        return self._of(row.body, row.lb, row.ub, owner_of(row))

    def _of(self, body: Any, low: Any, high: Any, owner: Any = None) -> Row:
        numbers = {id(v) for v in self.numbers}
        held = list(identify_variables(body, include_fixed=False)) if hasattr(body, "args") else [body]
        fuzzy = any(v is self.quality for v in held) or is_function(body)
        own = [v for v in held if id(v) in numbers]
        ends = (
            None if low is None else float(pyo.value(low)),
            None if high is None else float(pyo.value(high)),
        )
        known = all(id(v) in self._given for v in held)
        return Row((body, *ends), owner, own, known, fuzzy)

    def _segments(self, piece: Any) -> list[list[Row]]:
        """Return for each segment of a function that its argument is in it, and the value on it."""
        x, y = piece.referenced_variables()
        kind = str(piece._bound_type).rpartition(".")[2]
        choices = []
        points = list(zip(piece._domain_pts, piece._range_pts, strict=True))
        for (p, value), (q, other) in pairwise(points):
            missing = y - (value + (other - value) / (q - p) * (x - p))
            low, high = (None if kind in {"UB", "Upper"} else 0.0), (None if kind in {"LB", "Lower"} else 0.0)
            choices.append([self._of(x, p, q), self._of(missing, low, high)])
        return choices

    def _windows(self, ordered: Any) -> list[list[Row]]:
        """Return for each place of a special ordered set that all variables elsewhere are 0."""
        variables = [v for v, _ in sorted(ordered.get_items(), key=lambda item: item[1])]
        width = min(ordered.level, len(variables))
        return [
            [self._of(v, 0.0, 0.0) for i, v in enumerate(variables) if not first <= i < first + width]
            for first in range(len(variables) - width + 1)
        ]
