"""The family of features that share factors, by convex programs: sets large enough for a tree."""

from __future__ import annotations

from collections.abc import Callable
from math import comb, sqrt
from random import Random
from typing import Any

from benchmarks.exactness.criteria import Criterion, draw_criterion
from benchmarks.exactness.distance import draw_demand
from benchmarks.exactness.instance import Instance, Ready, masks_of, some_known
from benchmarks.exactness.near import ask_near_optimal, check_near_optimal, draw_loss
from benchmarks.exactness.rules_drawn import Ground, draw_rules
from benchmarks.exactness.searches import ask_sequential, check_sequential

KINDS = ("mrmr-k2", "mrmr", "cfs")
MOST = 1_500
"""Sets of an instance."""
Check = Callable[[Instance, Any], list[str]]


def draw_correlated(rng: Random) -> Instance:
    """Draw a question for `sequential` or `near_optimal` on one of three criteria."""
    while True:
        n, low = rng.randint(8, 15), rng.randint(3, 6)
        high = min(low + rng.choice([0, 0, 0, 1, 2]), n)
        if sum(comb(n, size) for size in range(low, high + 1)) <= MOST:
            break
    criterion = draw_criterion(rng, n, KINDS) if rng.random() < 0.3 else of_factors(rng, n)
    rules = draw_rules(rng, Ground(criterion, masks_of(n, (low, high))), quality=False)
    diversity, alternatives = draw_demand(rng, ("each",), 1.0), rng.randint(0, 3)
    instance = Instance(
        "correlated", criterion, (low, high), rules, (), diversity, alternatives, "auto", "convex"
    )
    if rng.random() < 0.5:
        instance.more.update(within=draw_loss(rng, instance), apart=rng.random() < 0.3)
        instance.more["limit"] = rng.choice([2, 5] if instance.more["apart"] else [5, 40, 200])
    elif alternatives and rng.random() < 0.3:
        instance.more["known"] = some_known(rng, instance)
    return instance


def of_factors(rng: Random, n: int) -> Criterion:
    """Absolute correlations of features that share some factors, or one that is rounded to few digits."""
    count, noise, digits = rng.randint(1, 4), rng.uniform(0.1, 1.5), rng.choice([17, 17, 17, 2, 1])
    loads = [[rng.gauss(0, 1) for _ in range(count)] for _ in range(n + 1)]
    size = [sqrt(sum(one * one for one in row) + noise * noise) for row in loads]

    def shared(i: int, j: int) -> float:
        total = sum(a * b for a, b in zip(loads[i], loads[j], strict=True)) / (size[i] * size[j])
        return round(1.0 if i == j else abs(total), digits)

    table = tuple(tuple(shared(min(i, j), max(i, j)) for j in range(n)) for i in range(n))
    return Criterion(rng.choice(KINDS), tuple(shared(i, n) for i in range(n)), table, "ordinary")


def ask_correlated(ready: Ready) -> Any:
    """Put it to altsel."""
    near = "within" in ready.instance.more
    return ask_near_optimal(ready) if near else ask_sequential(ready)


def check_correlated(instance: Instance, found: Any) -> list[str]:
    """Check the sets against all sets."""
    near = "within" in instance.more
    check: Check = check_near_optimal if near else check_sequential
    return check(instance, found)
