"""Rules with logic, disjunctions, special ordered sets, and piecewise linear functions."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pyomo.environ as pyo
from pyomo.gdp import Disjunct, Disjunction

from benchmarks.exactness.criteria import name
from benchmarks.exactness.rules_drawn import Ground
from benchmarks.exactness.written.forms import Names, Said
from benchmarks.exactness.written.helpers import attach, count_of, draw_group
from benchmarks.exactness.written.linear import Of, Say, draw_costs, limit_of, total

REPRESENTATIONS = ("SOS2", "BIGM_BIN", "BIGM_SOS1", "CC", "DCC", "DLOG", "LOG", "MC", "INC")
Row = Callable[[Of], Any]


def _draw_simple(rng: Random, ground: Ground, quality: bool = False) -> Row:
    """Draw one row for a disjunct: over features, the size, a product, or the quality."""
    n = ground.criterion.n
    kind = rng.choice(["one", "sum", "sum", "size", "product", *(["quality"] if quality else [])])
    if kind == "one":
        f, side = name(rng.randrange(n)), rng.choice([0, 1])
        return lambda of: of.x[f] == side
    if kind == "size":
        size = rng.randint(1, 4)
        return rng.choice(
            [lambda of: of.size <= size, lambda of: of.size >= size, lambda of: of.size == size]
        )
    if kind == "product":
        f, g = (name(i) for i in rng.sample(range(n), 2))
        return lambda of: of.x[f] * of.x[g] == 0
    if kind == "quality":
        least = limit_of(rng, ground, lambda mask: ground.criterion.value(mask).score, 0.1)
        return lambda of: of.quality >= least
    costs = draw_costs(rng, n)
    limit = limit_of(rng, ground, lambda mask: total(costs, mask))
    if rng.random() < 0.5:
        return lambda of: sum(c * of.x[f] for f, c in costs.items()) <= limit
    return lambda of: sum(c * of.x[f] for f, c in costs.items()) >= limit


def draw_disjunction(rng: Random, ground: Ground) -> Say:
    """Draw a disjunction of rows, made in one of the ways there are."""
    quality = rng.random() < 0.15
    parts = [
        [_draw_simple(rng, ground, quality) for _ in range(rng.choice([1, 1, 2]))]
        for _ in range(rng.choice([2, 2, 3]))
    ]
    way, xor = rng.choice(["lists", "lists", "disjuncts", "indexed", "nested", "linked"]), rng.random() < 0.5
    helper = rng.choice(["none", "none", "amount"])
    costs = draw_costs(rng, ground.criterion.n)
    limits = [limit_of(rng, ground, lambda mask: total(costs, mask)) for _ in parts]

    def say(b: Any, of: Of, names: Names) -> Said:
        said, rows = Said(), [[row(of) for row in part] for part in parts]
        if helper == "amount":
            amount = attach(b, names, pyo.Var(bounds=(-100, 100)))
            said.rows.append(amount >= sum(c * of.x[f] for f, c in costs.items()))
            rows = [[*part, amount <= limit] for part, limit in zip(rows, limits, strict=True)]
        if way == "lists":
            said.components.append(Disjunction(expr=rows, xor=xor))
            return said
        outer = rows[:2] if way == "nested" else rows
        made = [_disjunct(b, names, part, way) for part in outer]
        if way == "nested":
            inner = [_disjunct(made[0], names, part) for part in rows[-2:]]
            attach(made[0], names, Disjunction(expr=inner, xor=xor))
        said.components.append(Disjunction(expr=made, xor=xor))
        if way == "linked":
            said.components.append(
                pyo.LogicalConstraint(expr=made[0].indicator_var.implies(pyo.lnot(made[1].indicator_var)))
            )
        return said

    return say


def _disjunct(b: Any, names: Names, rows: list[Any], way: str = "") -> Any:
    """Attach a disjunct with rows; an indexed one holds them by its only index."""
    indexed = way == "indexed"
    made = attach(b, names, Disjunct(["only"]) if indexed else Disjunct())
    made = made["only"] if indexed else made
    made.rows = pyo.ConstraintList()
    for row in rows:
        made.rows.add(row)
    return made


def draw_logic(rng: Random, ground: Ground) -> Say:
    """Draw logical conditions on features, and on logical variables of the rule's own."""
    group, seed = draw_group(rng, ground, 3, 6), rng.getrandbits(32)
    free = rng.choice([0, 0, 1])
    way = rng.choice(["single", "single", "made", "variable", "several"])

    def say(b: Any, of: Of, names: Names) -> Said:
        drawn = Random(seed)
        has = attach(b, names, pyo.BooleanVar(group))
        for f in group:
            has[f].associate_binary_var(of.x[f])
        literals = [has[f] for f in group]
        literals += [attach(b, names, pyo.BooleanVar()) for _ in range(free)]
        made = [_sentence(drawn, literals, 2) for _ in range(2 if way == "several" else 1)]
        if way == "made":
            return Said(components=[pyo.LogicalConstraint(range(len(made)), rule=lambda _, i: made[i])])
        return Said(logic=[literals[0], *made] if way == "variable" else made)

    return say


def _sentence(rng: Random, literals: list[Any], depth: int) -> Any:
    """Draw a sentence of some depth."""
    if not depth:
        one = rng.choice(literals)
        return pyo.lnot(one) if rng.random() < 0.3 else one
    parts = [_sentence(rng, literals, depth - 1) for _ in range(3)]
    number = rng.randint(1, 2)
    some = rng.sample(literals, min(3, len(literals)))
    makers: list[Callable[[], Any]] = [
        lambda: pyo.land(*parts),
        lambda: pyo.lor(*parts),
        lambda: parts[0].implies(parts[1]) if hasattr(parts[0], "implies") else pyo.lor(*parts),
        lambda: pyo.implies(parts[0], parts[1]),
        lambda: pyo.equivalent(parts[0], parts[1]),
        lambda: pyo.xor(parts[0], parts[1]),
        lambda: pyo.atleast(number, some),
        lambda: pyo.atmost(number, some),
        lambda: pyo.exactly(number, some),
    ]
    return rng.choice(makers)()


def draw_ordered(rng: Random, ground: Ground) -> Say:
    """Draw a special ordered set of features, or of variables of the rule's own."""
    group, kind = draw_group(rng, ground, 3, 6), rng.choice([1, 2])
    order = rng.sample(group, len(group))
    own, weighed = rng.random() < 0.4, rng.random() < 0.4
    least = limit_of(rng, ground, lambda mask: count_of(group, mask))

    def say(b: Any, of: Of, names: Names) -> Said:
        weights = {f: i + 1 for i, f in enumerate(order)}
        if not own:
            made = pyo.SOSConstraint(
                var=of.x, index=order, sos=kind, **({"weights": weights} if weighed else {})
            )
            return Said(components=[made])
        share = attach(b, names, pyo.Var(group, bounds=(0, 1)))
        rows = [share[f] <= of.x[f] for f in group]
        made = pyo.SOSConstraint(var=share, index=order, sos=kind)
        return Said([*rows, sum(share.values()) >= min(least, kind)], [made])

    return say


def draw_piecewise(rng: Random, ground: Ground) -> Say:
    """Draw a limit on a piecewise linear function of a count, in any of Pyomo's representations."""
    group, representation = draw_group(rng, ground, 3, 6), rng.choice(REPRESENTATIONS)
    inner = sorted(rng.sample([0.5, 1, 1.5, 2, 2.5, 3], 3))
    points = [0.0, *map(float, inner), 6.0]
    shape = rng.choice(["any", "any", "convex", "concave"])
    slopes = [float(rng.randint(-3, 4)) for _ in range(4)]
    slopes = slopes if shape == "any" else sorted(slopes, reverse=shape == "concave")
    values = [float(rng.randint(-2, 2))]
    for i, slope in enumerate(slopes):
        values.append(values[-1] + slope * (points[i + 1] - points[i]))
    kind = rng.choice(["EQ", "LB", "UB"])

    def value(mask: int) -> float:
        at = count_of(group, mask)
        i = max(j for j in range(4) if points[j] <= at)
        return values[i] + slopes[i] * (at - points[i])

    limit = limit_of(rng, ground, value)
    below = {"LB": True, "UB": False, "EQ": rng.random() < 0.5}[kind]
    one_feature, by_rule = rng.random() < 0.15, rng.random() < 0.3

    def say(b: Any, of: Of, names: Names) -> Said:
        result = attach(b, names, pyo.Var(bounds=(-60, 60)))
        rows = [result <= limit if below else result >= limit]
        if one_feature:
            argument, pts, at = of.x[group[0]], [0.0, 0.25, 0.5, 0.75, 1.0], values
        else:
            argument, pts, at = attach(b, names, pyo.Var(bounds=(0, 6))), points, values
            rows.append(argument == sum(of.x[f] for f in group))
        table = dict(zip(pts, at, strict=True))
        function = (lambda *given: table[given[-1]]) if by_rule else at
        made = pyo.Piecewise(
            result,
            argument,
            pw_pts=pts,
            f_rule=function,
            pw_constr_type=kind,
            pw_repn=representation,
            warning_tol=-1.0,  # slopes may be the same
        )
        return Said(rows, [made])

    return say


BEYOND: dict[str, Callable[[Random, Ground], Say]] = {
    "disjunction": draw_disjunction,
    "logic": draw_logic,
    "ordered set": draw_ordered,
    "piecewise": draw_piecewise,
}
"""Rules that altsel turns into rows."""
