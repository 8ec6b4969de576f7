"""Simultaneous univariate alternatives under rules, by patterns: which of the sets hold which feature.

A pattern is a non-empty subset P of the sets. ``z[j, P]`` is 1 if feature j is in exactly the sets of P:

    sum_P z[j, P] <= 1     sum_j sum_{P with i} z[j, P] = k     sum_j sum_{P with i and i'} z[j, P] <= o

and a rule ``a x + b u <= c`` of set i has ``x_j = sum_{P with i} z[j, P]``. Overlaps are linear, without
products of 0/1 variables: few sets are proved far sooner than by a model of ``x`` alone. Where it is known
how many sets each feature is in, features of equal rules and counts are one class: its patterns are counted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import combinations
from math import inf
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.models.membership_counts import SummedRules
from altsel.pyomo_on_demand import pyo

Pattern = tuple[int, ...]
Found = list[list[int]]
"""Indices of the features of each set."""


@dataclass(frozen=True, eq=False)
class FamilyConditions:
    """What the sets have in common: number, size, most common features of two, and rules on each."""

    sets: int
    k: int
    overlap: int
    rules: SummedRules


def patterns_model(weights: FloatArray, family: FamilyConditions) -> Any:
    """Model the sets with the largest sum of qualities.

    Examples
    --------
    >>> from altsel.models.membership_counts import no_rules
    >>> model = patterns_model(np.array([4.0, 3, 2]), FamilyConditions(2, 2, 1, no_rules(3)))
    >>> len(model.z)
    9
    """
    patterns = [P for size in range(1, family.sets + 1) for P in combinations(range(family.sets), size)]
    model = _model(family, [([j], patterns) for j in range(len(weights))])
    value = pyo.quicksum(float(weights[js[0]]) * len(P) * z for js, P, z in model.items_of)
    model.total = pyo.Objective(expr=value, sense=pyo.maximize)
    return model


def design_of_counts(counts: IntArray, family: FamilyConditions) -> Any:
    """Model sets that hold each feature so many times; nothing is maximised.

    The sets are interchangeable: of a class in most, but not all of them, one feature is in the first.
    """
    table = np.vstack([family.rules.features, counts])
    classes: dict[bytes, list[int]] = {}
    for j in np.flatnonzero(counts).tolist():
        classes.setdefault(table[:, j].tobytes(), []).append(j)
    groups = [(js, list(combinations(range(family.sets), int(counts[js[0]])))) for js in classes.values()]
    model = _model(family, groups)
    for js, _ in groups:
        model.chosen.add(pyo.quicksum(z for other, _, z in model.items_of if other is js) == len(js))
    some = [(P, z) for _, P, z in model.items_of if len(P) < family.sets]
    if some:
        first = max(some, key=lambda one: len(one[0]))[1]  # a class begins with the pattern of the first sets
        first.setlb(1)
    model.total = pyo.Objective(expr=0.0)
    return model


def _model(family: FamilyConditions, groups: Iterable[tuple[list[int], list[Pattern]]]) -> Any:
    """Build the variables of groups of alike features, and the rows of all sets."""
    model = pyo.ConcreteModel()
    model.z = pyo.VarList(domain=pyo.NonNegativeIntegers)
    model.chosen = pyo.ConstraintList()
    items: list[tuple[list[int], Pattern, Any]] = []
    for members, patterns in groups:
        own = [model.z.add() for _ in patterns]
        for z in own:
            z.setub(len(members))
        model.chosen.add(pyo.quicksum(own) <= len(members))
        items += [(members, P, z) for P, z in zip(patterns, own, strict=True)]
    model.items_of = items
    model.sizes = pyo.ConstraintList()
    inside = [[(js[0], z) for js, P, z in items if i in P] for i in range(family.sets)]
    for own_items in inside:
        _limited(model.sizes, [z for _, z in own_items], family.k, family.k)
    model.differ = pyo.ConstraintList()
    for one, other in combinations(range(family.sets), 2):
        _limited(model.differ, [z for _, P, z in items if one in P and other in P], -inf, family.overlap)
    model.u = pyo.Var(range(family.sets), range(len(family.rules.least)))
    model.rules = pyo.ConstraintList()
    for i, own_items in enumerate(inside):
        _add_rules(model, i, own_items, family.rules)
    return model


def _add_rules(model: Any, i: int, inside: Collection[tuple[int, Any]], rules: SummedRules) -> None:
    """Add the rules on one set, given the variables of the features in it."""
    for h in range(len(rules.least)):
        u = model.u[i, h]
        u.domain = pyo.Integers if rules.integer[h] else pyo.Reals
        u.setlb(None if rules.least[h] == -inf else float(rules.least[h]))
        u.setub(None if rules.most[h] == inf else float(rules.most[h]))
    for row, helpers, low, high in zip(rules.features, rules.helpers, rules.low, rules.high, strict=True):
        if not helpers.any() and len(row) and row[0] and (row == row[0]).all():
            continue  # it counts all features, as the size does
        terms = [float(row[j]) * z for j, z in inside if row[j]]
        terms += [float(helpers[h]) * model.u[i, h] for h in np.flatnonzero(helpers)]
        _limited(model.rules, terms, float(low), float(high))


def _limited(rows: Any, terms: list[Any], low: float, high: float) -> None:
    """Add ``low <= sum of terms <= high``; without terms only if that is wrong."""
    if terms:
        ends = None if low == -inf else low, None if high == inf else high
        rows.add(pyo.inequality(ends[0], pyo.quicksum(terms), ends[1]))
    elif low > 0 or high < 0:
        rows.add(pyo.Constraint.Infeasible)


def propose_sets(model: Any, found: Found) -> None:
    """Propose sets to a model made by `patterns_model`."""
    pattern = {j: tuple(i for i, one in enumerate(found) if j in one) for one in found for j in one}
    for js, P, z in model.items_of:
        z.set_value(int(pattern.get(js[0]) == P))


def sets_of(model: Any, sets: int) -> Found:
    """Read the sets from a solved model."""
    found: Found = [[] for _ in range(sets)]
    used: dict[int, int] = {}
    for js, P, z in model.items_of:
        number, before = round(z.value or 0), used.get(js[0], 0)
        for i in P:
            found[i] += js[before : before + number]
        used[js[0]] = before + number
    return found
