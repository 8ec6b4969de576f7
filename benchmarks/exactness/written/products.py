"""Rules with products of features, of their own variables, and of both; and functions of features."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import exp, log, sqrt
from random import Random
from typing import Any

import pyomo.environ as pyo

from benchmarks.exactness.rules_drawn import Ground
from benchmarks.exactness.written.forms import Names, Said
from benchmarks.exactness.written.helpers import attach, count_of, draw_group
from benchmarks.exactness.written.linear import Of, Say, bounded, draw_costs, limit_of, total


def draw_pairs(rng: Random, ground: Ground) -> Say:
    """Draw a limit on priced products of two features or three, as they stand or as a power of a sum."""
    group, size = draw_group(rng, ground, 3, 5), rng.choice([2, 2, 3])
    some = [one for one in combinations(group, size) if rng.random() < 0.7] or [tuple(group[:size])]
    prices = [float(rng.choice([-2, -1, 1, 1, 2, 3])) for _ in some]
    power, way = rng.choice([0, 0, 2, 3]), rng.choice(["<=", "<=", ">=", "==", "within"])
    with_size = rng.random() < 0.3

    def come(mask: int) -> float:
        if power:
            return float(count_of(group, mask) ** power)
        value = sum(c for c, one in zip(prices, some, strict=True) if count_of(list(one), mask) == len(one))
        return value + (mask.bit_count() * count_of(group[:1], mask) if with_size else 0)

    limit, width, seed = limit_of(rng, ground, come), rng.randint(0, 3), rng.getrandbits(32)

    def say(b: Any, of: Of, names: Names) -> Said:
        body: Any = sum(of.x[f] for f in group) ** power if power else 0
        if not power:
            body = sum(c * _product(of.x[f] for f in one) for c, one in zip(prices, some, strict=True))
            body = body + (of.size * of.x[group[0]] if with_size else 0)
        return Said([bounded(Random(seed), body, way, limit, width, of.first)])

    return say


def _product(factors: Any) -> Any:
    value: Any = 1
    for one in factors:
        value = value * one
    return value


def draw_switched(rng: Random, ground: Ground) -> Say:
    """Draw an amount within bounds that counts only where features are chosen, or another switch is on."""
    costs, group = draw_costs(rng, ground.criterion.n, 4), draw_group(rng, ground, 1, 2)
    kind = rng.choice([pyo.Reals, pyo.Integers, pyo.NonNegativeReals])
    own_switch = rng.random() < 0.4
    limit = limit_of(rng, ground, lambda mask: total(costs, mask))
    least, nested = rng.choice([0, 1, 2]), rng.random() < 0.3

    def say(b: Any, of: Of, names: Names) -> Said:
        low = 0 if kind is pyo.NonNegativeReals else -5
        amount = attach(b, names, pyo.Var(domain=kind, bounds=(low, 20)))
        rows = [amount >= sum(c * of.x[f] for f, c in costs.items())]
        switch = _product(of.x[f] for f in group)
        if own_switch:
            on = attach(b, names, pyo.Var(domain=pyo.Binary))
            rows += [on >= of.x[f] for f in group]
            switch = on * of.x[group[0]] if nested else on
        rows.append(switch * amount <= limit)
        rows.append(amount + (1 - switch) * least >= least)
        return Said(rows)

    return say


def draw_function(rng: Random, ground: Ground) -> Say:
    """Draw a row with a function of features, size or quality that is no polynomial."""
    costs, group = draw_costs(rng, ground.criterion.n, 5), draw_group(rng, ground)
    kinds: dict[str, tuple[Callable[[int], float], Callable[[Of], Any]]] = {
        "root": (lambda m: sqrt(m.bit_count() + count_of(group, m)), lambda of: _root(of, group)),
        "logarithm": (
            lambda m: log(1 + count_of(group, m)) - 0.2 * m.bit_count(),
            lambda of: pyo.log(1 + sum(of.x[f] for f in group)) - 0.2 * of.size,
        ),
        "exponential": (lambda m: exp(total(costs, m) / 4), lambda of: pyo.exp(_sum(of, costs) / 4)),
        "ratio": (
            lambda m: count_of(group, m) / m.bit_count(),
            lambda of: sum(of.x[f] for f in group) / of.size,
        ),
        "absolute": (lambda m: abs(total(costs, m) - 1), lambda of: abs(_sum(of, costs) - 1)),
        "power": (lambda m: m.bit_count() ** 1.5, lambda of: of.size**1.5),
        "if": (
            lambda m: total(costs, m) if m.bit_count() >= 3 else count_of(group, m),
            lambda of: pyo.Expr_if(of.size >= 2.5, _sum(of, costs), sum(of.x[f] for f in group)),
        ),
        "quality per feature": (
            lambda m: ground.criterion.value(m).score / m.bit_count(),
            lambda of: of.quality / of.size,
        ),
        "root of the quality": (
            lambda m: sqrt(1 + ground.criterion.value(m).score ** 2),
            lambda of: pyo.sqrt(1 + of.quality**2),
        ),
        "quality of some": (
            lambda m: ground.criterion.value(m).score * count_of(group[:1], m),
            lambda of: of.quality * of.x[group[0]],
        ),
    }
    come, made = kinds[rng.choice(list(kinds))]
    way, seed = rng.choice(["<=", ">=", "within"]), rng.getrandbits(32)
    limit, more = limit_of(rng, ground, come, 0.1), draw_costs(rng, ground.criterion.n)
    most = limit_of(rng, ground, lambda mask: total(more, mask)) if rng.random() < 0.4 else None

    def say(b: Any, of: Of, names: Names) -> Said:
        rows = [bounded(Random(seed), made(of), way, limit, abs(limit) / 2, of.first)]
        return Said(rows if most is None else [*rows, _sum(of, more) <= most])

    return say


def _root(of: Of, group: list[str]) -> Any:
    return pyo.sqrt(of.size + sum(of.x[f] for f in group))


def _sum(of: Of, costs: dict[str, float]) -> Any:
    return sum(c * of.x[f] for f, c in costs.items())
