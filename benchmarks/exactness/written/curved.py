"""Rules with a convex quadratic row of their own variables; and its least value on rows, found by SciPy."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pyomo.environ as pyo
from scipy.optimize import LinearConstraint, linprog, minimize

from benchmarks.exactness.rules_drawn import Ground
from benchmarks.exactness.written.forms import Names, Said
from benchmarks.exactness.written.helpers import attach, draw_group
from benchmarks.exactness.written.linear import Of, Say, draw_costs, limit_of, total

FEASIBLE = 1e-7
"""By how much the point that SciPy finds may miss rows."""


def least_value(
    form: np.ndarray, linear: np.ndarray, rows: LinearConstraint, ends: np.ndarray
) -> float | None:
    """Return the least of ``linear u + u' form u`` on rows; infinity if none keeps them, None if unsure."""
    table: Any = rows.A
    equal = rows.lb == rows.ub
    upper, lower = np.isfinite(rows.ub) & ~equal, np.isfinite(rows.lb) & ~equal
    ahead = np.vstack([table[upper], -table[lower]])
    most = np.concatenate([rows.ub[upper], -rows.lb[lower]])
    solve: Any = linprog
    found = solve(np.zeros(len(linear)), ahead, most, table[equal], rows.ub[equal], ends)
    if found.status == 2:
        return float("inf")
    parts = [(table[some], rows.lb[some], rows.ub[some]) for some in (equal, ~equal) if some.any()]
    descend: Any = minimize
    best = descend(
        lambda u: linear @ u + u @ form @ u,
        found.x,
        jac=lambda u: linear + 2 * form @ u,
        method="SLSQP",
        bounds=ends,
        constraints=[LinearConstraint(*part) for part in parts],
        options={"maxiter": 500, "ftol": 1e-12},
    )
    value = table @ best.x
    misses = np.concatenate([rows.lb - value, value - rows.ub, [0.0]]).max()
    return float(best.fun) if best.success and misses <= FEASIBLE else None


def draw_weighted_mean(rng: Random, ground: Ground) -> Say:
    """Draw weights of the chosen features of a group that sum to one, and vary little."""
    group = draw_group(rng, ground, 4, 6)
    factors = np.array([[rng.choice([-2, -1, 0, 1, 2]) for _ in range(3)] for _ in group])
    form = factors @ factors.T + np.diag([rng.choice([0.25, 0.5, 1.0, 2.0]) for _ in group])
    limit, as_least = limit_of(rng, ground, _least_mean(group, form), 0.1), rng.random() < 0.3

    def say(b: Any, of: Of, names: Names) -> Said:
        w = attach(b, names, pyo.Var(group, bounds=(0, 1)))
        pairs = [(f, g) for f in range(len(group)) for g in range(len(group)) if form[f, g]]
        body = sum(float(form[f, g]) * w[group[f]] * w[group[g]] for f, g in pairs)
        row = -body >= -limit if as_least else body <= limit
        return Said([*(w[f] <= of.x[f] for f in group), sum(w.values()) == 1, row])

    return say


def _least_mean(group: list[str], form: np.ndarray) -> Callable[[int], float]:
    """Return the least form of weights of the members that sum to one; a lot without members."""

    def come(mask: int) -> float:
        inside = [i for i, f in enumerate(group) if mask >> int(f[1:]) & 1]
        if not inside:
            return 10.0
        one = LinearConstraint(np.ones((1, len(inside))), np.array([1.0]), np.array([1.0]))
        ends = np.array([[0.0, 1.0]] * len(inside))
        return least_value(form[np.ix_(inside, inside)], np.zeros(len(inside)), one, ends) or 10.0

    return come


def draw_norm(rng: Random, ground: Ground) -> Say:
    """Draw two amounts whose squares, and what features cost besides, are together at most a limit."""
    one, other, price = (draw_costs(rng, ground.criterion.n, 4) for _ in range(3))
    shift, mixed = rng.choice([0, 1, -2]), rng.choice([0.0, 0.0, 0.5, -1.0])

    def come(mask: int) -> float:
        u, v = total(one, mask) - shift, total(other, mask)
        return u * u + v * v + mixed * u * v + total(price, mask)

    limit = limit_of(rng, ground, come, 0.1)

    def say(b: Any, of: Of, names: Names) -> Said:
        u, v = (attach(b, names, pyo.Var(bounds=(-30, 30))) for _ in range(2))
        sums = [sum(c * of.x[f] for f, c in costs.items()) for costs in (one, other, price)]
        square = u**2 + v**2 + mixed * u * v if mixed else u**2 + v * v
        return Said([u == sums[0] - shift, v == sums[1], square + sums[2] <= limit])

    return say


CURVED: dict[str, Callable[[Random, Ground], Say]] = {
    "weighted mean": draw_weighted_mean,
    "norm": draw_norm,
}
"""Rules with a convex row."""
