"""The ways in which a user may say what a rule says: returned in every form, attached, or both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pyomo.environ as pyo

NAMES = tuple(
    """
    x y z t u s v w b a i j n m k h size quality cardinality cardinality_scaled reported product
    products rlt value formula is_size one_size sized ratio unit square scaled below predominance
    overridden unknown least poorest order total sets common both implied differ differs_from pairs_of
    tangent together similar similar_enough distinct average excluded rules across constants features
    returned logic nothing conditions exclusive relevant touched fit known own_rules evaluated sizes
    """.split()  # noqa: SIM905
)
"""Names of components, most of which altsel uses itself."""


@dataclass
class Said:
    """What a rule is about to say.

    Attributes
    ----------
    rows, logic
        Comparisons, and logical expressions.
    components
        Components that belong to no block yet.
    truths
        True, False, and what Pyomo has for them: these can only be returned.
    feature
        One of the features.
    """

    rows: list[Any] = field(default_factory=list)
    components: list[Any] = field(default_factory=list)
    logic: list[Any] = field(default_factory=list)
    truths: list[Any] = field(default_factory=list)
    feature: Any = None

    @property
    def every(self) -> list[Any]:
        """All of it, as it may be returned."""
        return [*self.truths, *self.rows, *self.logic, *self.components]

    @property
    def made(self) -> list[Any]:
        """All but the truths as components."""
        logic = (pyo.LogicalConstraint(expr=one) for one in self.logic)
        return [*(pyo.Constraint(expr=row) for row in self.rows), *logic, *self.components]


Names = Iterator[str]
Form = Callable[[Any, Said, Names], Any]
"""Says it on a block, under names; gives what the rule returns."""


def _as(make: Callable[[list[Any]], Any]) -> Form:
    return lambda b, said, names: make(said.every)


def _single(b: Any, said: Said, names: Names) -> Any:
    return said.every[0] if len(said.every) == 1 else said.every


def _generator(b: Any, said: Said, names: Names) -> Any:
    yield from reversed(said.every)


def _array(every: Sequence[Any]) -> Any:
    made = np.empty(len(every), dtype=object)
    made[:] = every
    return made


def _unattached_indexed(b: Any, said: Said, names: Names) -> Any:
    rows, rest = said.rows, replace(said, rows=[])
    return [pyo.Constraint(range(len(rows)), rule=lambda _, i: rows[i]), *rest.every]


def _unattached_list(b: Any, said: Said, names: Names) -> Any:
    return (pyo.ConstraintList(rule=list(said.rows)), replace(said, rows=[]).every)


def _unattached_block(b: Any, said: Said, names: Names) -> Any:
    part = pyo.Block(concrete=True)
    for one in said.made:
        part.add_component(next(names), one)
    return [part, *said.truths] if said.truths else part


def _attach_all(b: Any, components: Sequence[Any], names: Names) -> None:
    for one in components:
        setattr(b, next(names), one)


def _attached(b: Any, said: Said, names: Names) -> Any:
    _attach_all(b, said.made, names)
    return said.truths or None


def _attached_list(b: Any, said: Said, names: Names) -> Any:
    rows = pyo.ConstraintList()
    _attach_all(b, [rows], names)
    for row in said.rows:
        rows.add(row)
    return _attached(b, replace(said, rows=[]), names)


def _attached_indexed(b: Any, said: Said, names: Names) -> Any:
    index, rows = pyo.Set(initialize=range(len(said.rows))), said.rows
    _attach_all(b, [index, pyo.Constraint(index, rule=lambda _, i: rows[i])], names)
    return _attached(b, replace(said, rows=[]), names)


def _attached_block(b: Any, said: Said, names: Names) -> Any:
    part = pyo.Block()
    _attach_all(b, [part], names)
    return _attached(part, said, names)


def _attached_and_returned(b: Any, said: Said, names: Names) -> Any:
    made = said.made
    _attach_all(b, made, names)
    return [*made, *said.truths] or None


def _half(b: Any, said: Said, names: Names) -> Any:
    """Attach one row and the components, and return the rest."""
    _attach_all(b, replace(said, rows=said.rows[:1]).made, names)
    return [*said.truths, *said.rows[1:]]


def _besides_others(b: Any, said: Said, names: Names) -> Any:
    """Return it beside components that are switched off, fixed, or unused."""
    off, part = pyo.Constraint(expr=said.feature >= 3), pyo.Block(concrete=True)
    part.off = pyo.Constraint(expr=said.feature <= -1)
    fixed = pyo.Var([0, 1], bounds=(0, 1))
    _attach_all(b, [off, part, fixed, pyo.Param(initialize=3), pyo.Expression(expr=said.feature)], names)
    off.deactivate()
    part.deactivate()
    fixed[0].fix(0)
    return said.every


FORMS: dict[str, Form] = {
    "itself": _single,
    "list": _as(list),
    "tuple": _as(lambda every: (*every, True)),
    "mapping": _as(lambda every: {("row", i): one for i, one in enumerate(every)}),
    "nested": _as(lambda every: [every[:1], {"rest": (list(every[1:]), np.bool_(True))}]),
    "array": _as(_array),
    "series": _as(lambda every: pd.Series(_array(every))),
    "generator": _generator,
    "iterator": _as(iter),
    "with Skip": _as(lambda every: [pyo.Constraint.Skip, *every, pyo.Constraint.Feasible]),
    "unattached": lambda b, said, names: [*said.made, *said.truths],
    "unattached, indexed": _unattached_indexed,
    "unattached list": _unattached_list,
    "unattached block": _unattached_block,
    "attached": _attached,
    "attached list": _attached_list,
    "attached, indexed": _attached_indexed,
    "attached block": _attached_block,
    "attached and returned": _attached_and_returned,
    "half attached": _half,
    "besides others": _besides_others,
}
"""The ways by name."""


def draw_form(rng: Random) -> tuple[str, Form]:
    """Draw a way to say something."""
    name = rng.choice(list(FORMS))
    return name, FORMS[name]


def draw_names(rng: Random) -> list[str]:
    """Draw names for components; where many are attached, they come again with a number."""
    some = rng.sample(NAMES, 16)
    return [*some, *(f"{one}_{i}" for i in range(1, 9) for one in some)]
