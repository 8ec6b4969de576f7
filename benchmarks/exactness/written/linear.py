"""Rules with rows over features, size and quality, and rules that fix, bound, or say true and false."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pyomo.environ as pyo

from benchmarks.exactness.criteria import members, name
from benchmarks.exactness.draws import threshold
from benchmarks.exactness.rules_drawn import Ground
from benchmarks.exactness.written.forms import Names, Said


@dataclass(frozen=True)
class Of:
    """What a rule may name of its set, taken from the block before anything there bears the same name."""

    x: Any
    size: Any = None
    quality: Any = None

    @property
    def first(self) -> Any:
        """One of the features."""
        return next(iter(self.x.values()))


Say = Callable[[Any, Of, Names], Said]
"""Says a rule on a block, given what it may name, and names for components."""
Draw = Callable[[Random, Ground], Say]
Costs = dict[str, float]


def draw_costs(rng: Random, n: int, most: int | None = None) -> Costs:
    """Draw coefficients of some features: whole numbers, quarters, or decimals."""
    some = sorted(rng.sample(range(n), rng.randint(2, min(n, most or n))))
    unit = rng.choice([1, 1, 1, 4, 10])
    numbers = [rng.choice([-3, -2, -1, 1, 1, 2, 3, 4, 5]) for _ in some]
    return {name(i): number / unit for i, number in zip(some, numbers, strict=True)}


def total(costs: Costs, mask: int) -> float:
    """Sum the coefficients over a set."""
    return sum(costs.get(name(i), 0.0) for i in members(mask))


def limit_of(rng: Random, ground: Ground, value: Callable[[int], float], edge: float = 0.6) -> float:
    """Choose a limit by what the sets come to."""
    return threshold(rng, [value(mask) for mask in ground.masks], edge)


def bounded(rng: Random, body: Any, way: str, limit: float, width: float, x: Any) -> Any:
    """Write that an expression is at most, at least, or just a limit, or within a width below it."""
    kinds: dict[str, Sequence[Callable[[], Any]]] = {
        "<=": (
            lambda: body <= limit,
            lambda: limit >= body,
            lambda: body - limit <= 0,
            lambda: body + x <= limit + x,
            lambda: (None, body, limit),
            lambda: pyo.inequality(None, body, limit),
            lambda: -2 * body >= -2 * limit,
        ),
        ">=": (
            lambda: body >= limit,
            lambda: limit <= body,
            lambda: x + limit <= body + x,
            lambda: (limit, body, None),
            lambda: pyo.inequality(body=body, lower=limit),
        ),
        "==": (
            lambda: body == limit,
            lambda: (body, limit),
            lambda: limit == body,
            lambda: body - limit == 0,
        ),
        "within": (
            lambda: pyo.inequality(limit - width, body, limit),
            lambda: (limit - width, body, limit),
        ),
    }
    return rng.choice(kinds[way])()


def draw_row(rng: Random, ground: Ground) -> Say:
    """Draw one to three rows over features and the size."""
    parts = []
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        costs, sizes = draw_costs(rng, ground.criterion.n), rng.choice([0, 0, 0, 1, -1, 2])
        way = rng.choice(["<=", "<=", ">=", ">=", "within", "=="])

        def come(mask: int, costs: Costs = costs, sizes: int = sizes) -> float:
            return total(costs, mask) + sizes * mask.bit_count()

        parts.append((costs, sizes, way, limit_of(rng, ground, come), rng.randint(0, 2), rng.getrandbits(32)))

    def say(b: Any, of: Of, names: Names) -> Said:
        rows = []
        for costs, sizes, way, limit, width, seed in parts:
            drawn = Random(seed)
            body = _summed(drawn, costs, of.x) + (sizes * of.size if sizes else 0)
            rows.append(bounded(drawn, body, way, limit, width, of.first))
        return Said(rows)

    return say


def _summed(rng: Random, costs: Costs, x: Any) -> Any:
    """Write a sum of priced features in one of the ways there are."""
    ways: Sequence[Callable[[], Any]] = (
        lambda: sum(c * x[f] for f, c in costs.items()),
        lambda: pyo.quicksum(c * x[f] for f, c in costs.items()),
        lambda: pyo.sum_product(costs, x, index=list(costs)),
        lambda: sum((c * x[f] + c for f, c in costs.items()), start=-sum(costs.values())),
        lambda: -sum(-c * x[f] for f, c in costs.items()),
    )
    return rng.choice(ways)()


def draw_quality(rng: Random, ground: Ground) -> Say:
    """Draw a row that holds the quality, from either side."""
    scores = sorted(ground.scores)
    way = rng.choice(["<=", ">=", ">=", "within", "mixed", "mixed", "size"])
    costs, spread = draw_costs(rng, ground.criterion.n, 4), (scores[-1] - scores[0]) or 1.0
    rate = rng.choice([-1, 1, 0.5, 2])
    price = spread / 8

    def come(mask: int) -> float:
        quality = ground.criterion.value(mask).score
        if way == "mixed":
            return rate * quality + price * total(costs, mask)
        return quality - price * mask.bit_count() if way == "size" else quality

    limit, seed = limit_of(rng, ground, come, 0.1), rng.getrandbits(32)
    side = way if way in {"<=", ">=", "within"} else rng.choice(["<=", ">="])

    def say(b: Any, of: Of, names: Names) -> Said:
        drawn = Random(seed)
        body: Any = of.quality
        if way == "mixed":
            body = rate * of.quality + price * _summed(drawn, costs, of.x)
        if way == "size":
            body = of.quality - price * of.size
        return Said([bounded(drawn, body, side, limit, spread / 3, of.first)])

    return say


def draw_constant(rng: Random, ground: Ground) -> Say:
    """Draw true or false, with a row or alone."""
    false = rng.random() < 0.1
    more = draw_row(rng, ground) if rng.random() < 0.6 else None
    kind = rng.choice(["plain", "Pyomo's", "numpy's"])

    def say(b: Any, of: Of, names: Names) -> Said:
        values = {
            "plain": not false,
            "Pyomo's": pyo.Constraint.Infeasible if false else pyo.Constraint.Feasible,
            "numpy's": np.bool_(not false),
        }
        return replace(more(b, of, names) if more else Said(), truths=[values[kind]])

    return say


def draw_moved(rng: Random, ground: Ground) -> Say:
    """Draw features that are fixed or bounded, with a row or without."""
    some = rng.sample(range(ground.criterion.n), rng.choice([1, 1, 2, 3]))
    acts = [rng.choice(["fix(0)", "fix(1)", "setub(0)", "setlb(1)", "setub(0.5)", "bounds"]) for _ in some]
    more = draw_row(rng, ground) if rng.random() < 0.4 else None

    def say(b: Any, of: Of, names: Names) -> Said:
        for i, act in zip(some, acts, strict=True):
            one = of.x[name(i)]
            moves: dict[str, Callable[[], Any]] = {
                "fix(0)": partial(one.fix, 0),
                "fix(1)": partial(one.fix, 1),
                "setub(0)": partial(one.setub, 0),
                "setlb(1)": partial(one.setlb, 1),
                "setub(0.5)": partial(one.setub, 0.5),
                "bounds": partial(setattr, one, "bounds", (0, 0)),
            }
            moves[act]()
        return more(b, of, names) if more else Said()

    return say
