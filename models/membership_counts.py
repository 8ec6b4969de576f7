"""Simultaneous univariate alternatives under rules: in how many sets each feature is, a bound and often more.

With ``r_j`` for the number of sets that hold feature j, m sets of size k with at most o common features, that
keep rules ``a x + b u <= c`` each (u helper variables of the rules), have

    sum_j r_j = m k        sum_j r_j (r_j - 1) / 2 <= o m (m - 1) / 2        a r + b s <= m c

where s sums up the helper variables, as r does the features. The sum of all qualities is ``sum_j q_j r_j``:
its largest value under these rows bounds that of the sets, and sets that have such counts are optimal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.pyomo_on_demand import pyo


@dataclass(frozen=True, eq=False)
class SummedRules:
    """Rules on one set as rows over features and helper variables: what their sums over all sets keep.

    Attributes
    ----------
    features, helpers
        Coefficients, shapes (rows, features) and (rows, helpers).
    low, high
        Limits of the rows, for one set.
    least, most, integer
        Bounds of the helper variables, and which are integer.
    """

    features: FloatArray
    helpers: FloatArray
    low: FloatArray
    high: FloatArray
    least: FloatArray
    most: FloatArray
    integer: BoolArray


def no_rules(features: int) -> SummedRules:
    """Return what says nothing of so many features."""
    nothing = np.zeros(0)
    return SummedRules(
        np.zeros((0, features)), np.zeros((0, 0)), nothing, nothing, nothing, nothing, np.zeros(0, dtype=bool)
    )


def membership_counts(weights: FloatArray, sets: int, k: int, overlap: int, rules: SummedRules) -> Any:
    """Model the counts with the largest sum of qualities: ``model.D[j, l]`` is 1 if ``r_j >= l``.

    A row ``x_i <= x_j`` on each set is one on every level: ``D[i, l] <= D[j, l]``.

    Parameters
    ----------
    weights
        Qualities.
    sets, k, overlap
        Number of sets, their size, and most common features of two.
    rules
        What each set keeps.

    Examples
    --------
    Two sets of two features, one in common, at most one of the first two in each:

    >>> rows = SummedRules(np.array([[1.0, 1, 0, 0]]), np.zeros((1, 0)), np.array([-np.inf]), np.ones(1),
    ...                    np.zeros(0), np.zeros(0), np.zeros(0, dtype=bool))
    >>> model = membership_counts(np.array([4.0, 3, 2, 1]), 2, 2, 1, rows)
    >>> len(model.D), len(model.rules)
    (8, 1)
    """
    model = pyo.ConcreteModel()
    model.D = pyo.Var(range(len(weights)), range(1, sets + 1), domain=pyo.Binary)
    held = [pyo.quicksum(model.D[j, level] for level in range(1, sets + 1)) for j in range(len(weights))]
    model.sizes = pyo.Constraint(expr=pyo.quicksum(model.D.values()) == sets * k)
    model.pairs = pyo.Constraint(
        expr=pyo.quicksum((level - 1) * d for (_, level), d in model.D.items())
        <= overlap * (sets * (sets - 1) // 2)
    )
    model.levels = pyo.ConstraintList()
    for j in range(len(weights)):
        for level in range(1, sets):
            model.levels.add(model.D[j, level + 1] <= model.D[j, level])
    model.s = pyo.Var(range(len(rules.least)))
    for h, s in model.s.items():
        s.setlb(None if rules.least[h] == -inf else sets * float(rules.least[h]))
        s.setub(None if rules.most[h] == inf else sets * float(rules.most[h]))
        s.domain = pyo.Integers if rules.integer[h] else pyo.Reals
    model.rules = pyo.ConstraintList()
    _add_rules(model, held, sets, rules)
    model.excluded = pyo.ConstraintList()
    model.total = pyo.Objective(
        expr=pyo.quicksum(float(q) * r for q, r in zip(weights, held, strict=True)), sense=pyo.maximize
    )
    return model


def _add_rules(model: Any, held: Sequence[Any], sets: int, rules: SummedRules) -> None:
    """Add the rows, summed over the sets; those of two features at every level."""
    for row, helpers, low, high in zip(rules.features, rules.helpers, rules.low, rules.high, strict=True):
        where = np.flatnonzero(row)
        if not helpers.any() and len(where) == 2 and row[where].sum() == 0 and high == 0:
            first, then = where if row[where[0]] > 0 else where[::-1]
            for level in range(1, sets + 1):
                model.rules.add(model.D[int(first), level] <= model.D[int(then), level])
        if not len(where) and not helpers.any():
            if low > 0 or high < 0:
                model.rules.add(pyo.Constraint.Infeasible)
            continue
        body = pyo.quicksum(float(row[j]) * held[int(j)] for j in where)
        body += pyo.quicksum(float(helpers[h]) * model.s[h] for h in np.flatnonzero(helpers))
        if low > -inf:
            model.rules.add(body >= sets * low)
        if high < inf:
            model.rules.add(body <= sets * high)


def counts_of(model: Any) -> IntArray:
    """Read in how many sets each feature is from a solved model."""
    features = 1 + max(j for j, _ in model.D)
    counts = np.zeros(features, dtype=np.int64)
    for (j, _), d in model.D.items():
        counts[j] += round(d.value or 0)
    return counts


def exclude_counts(model: Any, counts: IntArray) -> None:
    """Exclude counts that no sets have."""
    model.excluded.add(
        pyo.quicksum(1 - d if counts[j] >= level else d for (j, level), d in model.D.items()) >= 1
    )
