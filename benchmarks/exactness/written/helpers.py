"""Rules with variables of their own: binary, integer, continuous, with bounds and without."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pyomo.environ as pyo

from benchmarks.exactness.criteria import name
from benchmarks.exactness.rules_drawn import Ground
from benchmarks.exactness.written.forms import Names, Said
from benchmarks.exactness.written.linear import Of, Say, draw_costs, limit_of, total

Group = list[str]


def attach(b: Any, names: Names, component: Any) -> Any:
    """Attach a component under the next name."""
    setattr(b, next(names), component)
    return component


def draw_group(rng: Random, ground: Ground, least: int = 2, most: int = 5) -> Group:
    """Draw names of features."""
    n = ground.criterion.n
    return [name(i) for i in sorted(rng.sample(range(n), rng.randint(least, min(most, n))))]


def count_of(group: Group, mask: int) -> int:
    """Count the members of a group in a set."""
    return sum(mask >> int(f[1:]) & 1 for f in group)


def draw_panels(rng: Random, ground: Ground) -> Say:
    """Draw panels that are paid for once, by 0/1 variables, indexed or not."""
    panels = [draw_group(rng, ground) for _ in range(rng.randint(1, 3))]
    prices = [rng.randint(1, 4) for _ in panels]
    limit = limit_of(
        rng, ground, lambda mask: sum(c for c, p in zip(prices, panels, strict=True) if count_of(p, mask))
    )
    whole = rng.choice([pyo.Binary, pyo.Integers, pyo.NonNegativeReals, pyo.UnitInterval])
    single = rng.random() < 0.3

    def say(b: Any, of: Of, names: Names) -> Said:
        if single:
            used: Any = [attach(b, names, pyo.Var(domain=whole, bounds=(0, 1))) for _ in panels]
        else:
            used = attach(b, names, pyo.Var(range(len(panels)), domain=whole, bounds=(0, 1)))
        rows = [used[p] >= of.x[f] for p, group in enumerate(panels) for f in group]
        return Said([*rows, sum(c * used[p] for p, c in enumerate(prices)) <= limit])

    return say


def draw_parity(rng: Random, ground: Ground) -> Say:
    """Draw a count that must be a multiple, by an integer variable, with bounds or without."""
    group, step = draw_group(rng, ground, 3, 8), rng.choice([2, 2, 3])
    rest = rng.randrange(step)
    bounds = rng.choice([(0, 4), (0, 8), (-3, 9), (None, None), (0, None)])
    costs = draw_costs(rng, ground.criterion.n) if rng.random() < 0.3 else None
    if costs is not None:
        costs = {f: float(round(c)) or 1.0 for f, c in costs.items()}

    def say(b: Any, of: Of, names: Names) -> Said:
        times = attach(b, names, pyo.Var(domain=pyo.Integers, bounds=bounds))
        count = sum(c * of.x[f] for f, c in (costs or dict.fromkeys(group, 1)).items())
        return Said([count == step * times + rest])

    return say


def draw_measured(rng: Random, ground: Ground) -> Say:
    """Draw an amount that a continuous variable names, with bounds or without, made in some way."""
    costs = draw_costs(rng, ground.criterion.n)
    limit = limit_of(rng, ground, lambda mask: total(costs, mask))
    bounds = rng.choice([(None, None), (-60, 60), (0, None), (-100, 7.5)])
    way, made = rng.choice(["<=", ">=", "bound"]), rng.choice(["attached", "returned", "in a block", "fixed"])

    def say(b: Any, of: Of, names: Names) -> Said:
        ends = (bounds[0], limit) if way == "bound" and (bounds[0] is None or bounds[0] <= limit) else bounds
        amount, said = pyo.Var(bounds=bounds if made == "fixed" else ends), Said()  # at 0, which these allow
        if made == "returned":
            said.components.append(amount)
        elif made == "in a block":
            part = pyo.Block(concrete=True)
            attach(b, names, part)
            part.amount = amount
        else:
            attach(b, names, amount)
        if made == "fixed":
            amount.fix(0)
            more = attach(b, names, pyo.Var(bounds=ends))
            said.rows.append(more + amount == sum(c * of.x[f] for f, c in costs.items()))
            amount = more
        else:
            said.rows.append(amount == sum(c * of.x[f] for f, c in costs.items()))
        if way != "bound":
            said.rows.append(amount <= limit if way == "<=" else amount >= limit)
        return said

    return say


def draw_recourse(rng: Random, ground: Ground) -> Say:
    """Draw scenarios in which what features supply is completed by purchases, within a budget for all."""
    scenarios = [draw_costs(rng, ground.criterion.n) for _ in range(rng.randint(1, 3))]
    demands = [rng.randint(0, 5) for _ in scenarios]
    kind = rng.choice([pyo.NonNegativeReals, pyo.NonNegativeIntegers, pyo.Reals])

    def missing(mask: int) -> float:
        pairs = zip(demands, scenarios, strict=True)
        return sum(max(0.0, demand - total(supply, mask)) for demand, supply in pairs)

    limit = limit_of(rng, ground, missing)

    def say(b: Any, of: Of, names: Names) -> Said:
        bought = attach(b, names, pyo.Var(range(len(demands)), domain=kind, bounds=(0, None)))
        pairs = zip(demands, scenarios, strict=True)
        rows = [
            bought[s] + sum(c * of.x[f] for f, c in supply.items()) >= demand
            for s, (demand, supply) in enumerate(pairs)
        ]
        return Said([*rows, sum(bought[s] for s in range(len(demands))) <= limit])

    return say


def draw_least(rng: Random, ground: Ground) -> Say:
    """Draw a variable between two sums: one may not be far above the other."""
    one, other = (draw_costs(rng, ground.criterion.n) for _ in range(2))
    width = limit_of(rng, ground, lambda mask: abs(total(one, mask) - total(other, mask)))

    def say(b: Any, of: Of, names: Names) -> Said:
        middle = attach(b, names, pyo.Var())
        sums = [sum(c * of.x[f] for f, c in costs.items()) for costs in (one, other)]
        return Said([pyo.inequality(-width / 2, s - middle, width / 2) for s in sums])

    return say


def draw_levels(rng: Random, ground: Ground) -> Say:
    """Draw an integer level of the size, or of the quality, and a limit on it."""
    of_quality = rng.random() < 0.4
    scores = sorted(ground.scores)
    unit = (scores[-1] - scores[0]) / 4 or 1.0

    def come(mask: int) -> float:
        return ground.criterion.value(mask).score / unit if of_quality else mask.bit_count()

    limit = round(limit_of(rng, ground, come, 0.0))
    low, high = round(scores[0] / unit) - 9, round(scores[-1] / unit) + 9

    def say(b: Any, of: Of, names: Names) -> Said:
        level = attach(b, names, pyo.Var(domain=pyo.Integers, bounds=(low, high) if of_quality else (0, 12)))
        body = of.quality / unit if of_quality else of.size
        return Said(
            [level >= body, level <= max(limit, low)] if of_quality else [level == body, level <= limit]
        )

    return say


HELPERS: dict[str, Callable[[Random, Ground], Say]] = {
    "panels": draw_panels,
    "parity": draw_parity,
    "amount": draw_measured,
    "recourse": draw_recourse,
    "between two sums": draw_least,
    "levels": draw_levels,
}
"""Rules with linear rows and variables of their own."""
