"""One question as data, drawn from seed, family and number; and what altsel is given of it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from math import comb
from random import Random
from typing import Any

import altsel
from benchmarks.exactness.criteria import KINDS, AnyCriterion, draw_criterion, names
from benchmarks.exactness.distance import Diversity, draw_demand
from benchmarks.exactness.oracle import Oracle
from benchmarks.exactness.rules import Across, Rule
from benchmarks.exactness.rules_built import build_across, build_rule
from benchmarks.exactness.rules_drawn import Ground, draw_across, draw_rules

MODES = {"auto": 40, "nopool": 30, "nolist": 12, "convex": 18, "raced": 0}
SOLVERS = {"auto": 60, "highs": 14, "cp-sat": 11, "scip": 11, "glpk": 4}
MOST_SETS = {1: 260, 2: 260, 3: 60, 4: 26}
"""Sets that a question about so many sets at once may have."""


@dataclass(frozen=True)
class Instance:
    """One question; `more` holds what only its family knows of."""

    family: str
    criterion: AnyCriterion
    k: tuple[int, int]
    rules: tuple[Rule, ...]
    across: tuple[Across, ...]
    diversity: Diversity
    alternatives: int
    solver: str
    mode: str
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """Number of sets."""
        return self.alternatives + 1

    @cached_property
    def oracle(self) -> Oracle:
        """The brute force for this question."""
        return Oracle(self.criterion, masks_of(self.criterion.n, self.k), self.rules)

    @property
    def problem(self) -> altsel.Problem:
        """The problem as altsel takes it."""
        rules = [build_rule(rule, index) for index, rule in enumerate(self.rules)]
        across = [build_across(rule, index) for index, rule in enumerate(self.across)]
        k = self.k[0] if self.k[0] == self.k[1] else self.k
        return altsel.Problem(self.criterion.build(), k, rules, across)


@dataclass(frozen=True)
class Ready:
    """An instance with a solver, to be put to altsel; `seconds` is a limit for the whole call."""

    instance: Instance
    solver: Any
    seconds: float | None = None

    def call(self, function: Callable[..., Any], *given: Any, **named: Any) -> Any:
        """Call a search, with the solver and the time limit if it takes them."""
        takes = inspect.signature(function).parameters
        if "solver" in takes:
            named["solver"] = self.solver
        if self.seconds is not None and "time_limit" in takes:
            named["time_limit"] = self.seconds
        if "start" in takes and "start" in self.instance.more:
            named["start"] = [names(mask) for mask in self.instance.more["start"]]
        return function(*given, **named)


def masks_of(n: int, k: tuple[int, int]) -> tuple[int, ...]:
    """List the sets of the sizes allowed, by bits."""
    sizes = range(k[0], k[1] + 1)
    return tuple(
        sum(1 << i for i in combination) for size in sizes for combination in combinations(range(n), size)
    )


def draw_shape(rng: Random, most: int, largest: int = 9) -> tuple[int, tuple[int, int]]:
    """Draw n and k so that there are at most so many sets."""
    while True:
        n = rng.randint(4, largest)
        low = high = rng.randint(1, 4)
        if rng.random() < 0.35:
            low, high = sorted((rng.randint(1, 4), rng.randint(2, 4)))
        if high <= n and sum(comb(n, size) for size in range(low, high + 1)) <= most:
            return n, (low, high)


@dataclass(frozen=True)
class Taste:
    """What a family wants of its instances.

    Attributes
    ----------
    together
        Whether all sets are searched at once.
    demands
        Kinds of demands.
    most
        Most alternatives.
    across
        How often there is a rule across sets.
    quality
        Whether rules may name the quality.
    kinds
        Kinds of criteria.
    sets
        Most sets of the sizes allowed; default: what the number of alternatives bears.
    solvers
        Whether other solvers than ``auto`` are called.
    largest
        Most features.
    """

    together: bool = False
    diversities: Sequence[str] = ("each",)
    most: int = 3
    across: float = 0.0
    quality: bool = True
    kinds: Sequence[str] = KINDS
    sets: int | None = None
    solvers: bool = True
    largest: int = 9


def draw_instance(rng: Random, family: str, taste: Taste) -> Instance:
    """Draw an instance; with few that have no set at all."""
    for _ in range(5):
        alternatives = rng.randint(1 if taste.together else 0, taste.most)
        most = MOST_SETS[alternatives + 1] if taste.together else MOST_SETS[1]
        n, k = draw_shape(rng, taste.sets or most, taste.largest)
        rare = [kind for kind in taste.kinds if kind != "black box" or rng.random() < 0.5]
        criterion = draw_criterion(rng, n, rare or taste.kinds)
        ground = Ground(criterion, masks_of(n, k))
        quality = taste.quality and criterion.kind != "black box"
        rules = draw_rules(rng, ground, quality)
        across = draw_across(rng, n, alternatives + 1) if rng.random() < taste.across else ()
        scale = max(map(abs, ground.scores)) or 1.0
        diversity = draw_demand(rng, taste.diversities, scale)
        instance = Instance(family, criterion, k, rules, across, diversity, alternatives, *_means(rng))
        if criterion.kind == "black box" or not taste.solvers:
            instance = replace(instance, solver="auto")
        if criterion.kind == "black box":
            instance = replace(instance, mode="auto")
        if instance.oracle.sure or rng.random() < 0.2:
            break
    return instance


def _means(rng: Random) -> tuple[str, str]:
    solver = rng.choices(list(SOLVERS), list(SOLVERS.values()))[0]
    return solver, rng.choices(list(MODES), list(MODES.values()))[0]


def some_known(rng: Random, instance: Instance, most: int = 2) -> list[int]:
    """Draw sets that are there already, valid or not."""
    n, (low, high) = instance.criterion.n, instance.k
    sizes = [rng.randint(max(1, low - 1), min(n, high + 1)) for _ in range(rng.randint(1, most))]
    return [sum(1 << i for i in rng.sample(range(n), size)) for size in sizes]


def named(masks: Sequence[int]) -> list[tuple[str, ...]]:
    """Name sets."""
    return [names(mask) for mask in masks]
