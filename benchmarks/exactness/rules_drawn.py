"""Rules at random, each with the rows it means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from random import Random

from benchmarks.exactness.criteria import AnyCriterion, Value, members
from benchmarks.exactness.draws import costs, threshold
from benchmarks.exactness.rules import Across, Row, Rule


@dataclass(frozen=True)
class Ground:
    """What rules are drawn over: a criterion, and the sets of the sizes allowed (or some of them)."""

    criterion: AnyCriterion
    masks: tuple[int, ...]

    @cached_property
    def values(self) -> list[Value]:
        """What the sets are worth."""
        return [self.criterion.value(mask) for mask in self.masks]

    @property
    def scores(self) -> list[float]:
        """Scores of the sets admitted, or of all if there are none."""
        return [value.score for value in self.values if value.feasible] or [
            value.score for value in self.values
        ]

    def limit(self, rng: Random, row: Row, edge: float = 0.3) -> float:
        """Choose a limit for a row by what the sets come to."""
        pairs = zip(self.masks, self.values, strict=True)
        return threshold(rng, [sum(row.total(mask, value)[0]) for mask, value in pairs], edge)


Draw = Callable[[Random, Ground], Rule]


def _group(rng: Random, ground: Ground, least: int = 1) -> int:
    n = ground.criterion.n
    return sum(1 << i for i in rng.sample(range(n), rng.randint(least, max(least, n // 2))))


def _ones(group: int) -> tuple[tuple[int, float], ...]:
    return tuple((i, 1.0) for i in members(group))


def _single(kind: str, side: int) -> Draw:
    def draw(rng: Random, ground: Ground) -> Rule:
        index = rng.randrange(ground.criterion.n)
        row = Row(((index, 1.0),), side, side)
        return Rule(kind, (1 << index if kind in {"require", "forbid"} else index,), (row,))

    return draw


def _counted(kind: str) -> Draw:
    def draw(rng: Random, ground: Ground) -> Rule:
        group = _group(rng, ground, 2)
        number = rng.randint(0 if kind == "at_most" else 1, 2)
        low, high = {"at_most": (None, number), "at_least": (number, None), "exactly": (number, number)}[kind]
        return Rule(kind, (number, group), (Row(_ones(group), low, high),))

    return draw


def _implies(rng: Random, ground: Ground) -> Rule:
    group = _group(rng, ground, 2)
    first, *then = members(group)
    rows = tuple(Row(((first, 1.0), (j, -1.0)), None, 0) for j in then)
    return Rule("implies", (first, group & ~(1 << first)), rows)


def _all_or_none(rng: Random, ground: Ground) -> Rule:
    group = _group(rng, ground, 2)
    first, *others = members(group)
    return Rule("all_or_none", (group,), tuple(Row(((first, 1.0), (j, -1.0)), 0, 0) for j in others))


def _exclusive(rng: Random, ground: Ground) -> Rule:
    group = _group(rng, ground, 2)
    return Rule("mutually_exclusive", (group,), (Row(_ones(group), None, 1),))


def _priced(rng: Random, ground: Ground) -> tuple[tuple[int, float], ...]:
    return tuple(enumerate(costs(rng, ground.criterion.n)))


def _budget(rng: Random, ground: Ground) -> Rule:
    prices = _priced(rng, ground)
    some = rng.randint(1, 2) if rng.random() < 0.5 else 0
    panels = tuple((float(rng.randint(0, 5)), _group(rng, ground)) for _ in range(some))
    limit = ground.limit(rng, Row(prices, panels=panels))
    return Rule("budget", (prices, limit, panels), (Row(prices, None, limit, panels),))


def _proxy(rng: Random, ground: Ground) -> Rule:
    prices = tuple((i, round(rng.random(), 2)) for i in range(ground.criterion.n))
    limit = ground.limit(rng, Row(prices))
    return Rule("proxy_limit", (prices, limit), (Row(prices, None, limit),))


def _quality(kind: str) -> Draw:
    def draw(rng: Random, ground: Ground) -> Rule:
        limit = threshold(rng, ground.scores, 0.15)
        low, high = (None, limit) if kind == "quality <=" else (limit, None)
        return Rule(kind, (limit,), (Row((), low, high, quality=1.0),))

    return draw


def _mixed(rng: Random, ground: Ground) -> Rule:
    scale = max(map(abs, ground.scores))
    prices = tuple((i, rng.randint(-2, 3) / 4 * scale) for i in range(ground.criterion.n))
    limit = ground.limit(rng, Row(prices, quality=1.0), 0.1)
    low, high = (None, limit) if rng.random() < 0.4 else (limit, None)
    return Rule("quality and x", (), (Row(prices, low, high, quality=1.0),))


def _size(rng: Random, ground: Ground) -> Rule:
    heavy = rng.randrange(ground.criterion.n)
    weight = rng.choice([1.0, 1.0, 2.0, 0.0])
    counted = tuple((i, weight if i == heavy else 1.0) for i in range(ground.criterion.n))
    limit = ground.limit(rng, Row(counted), 0.8)
    low, high = (None, limit) if rng.random() < 0.5 else (limit, None)
    return Rule("size", (heavy, weight), (Row(counted, low, high),))


def _helper_binary(rng: Random, ground: Ground) -> Rule:
    panels = tuple((1.0, _group(rng, ground)) for _ in range(rng.randint(2, 3)))
    return Rule("helper binary", (), (Row((), None, rng.randint(1, 2), panels),))


def _helper_continuous(rng: Random, ground: Ground) -> Rule:
    prices = _priced(rng, ground)
    limit = ground.limit(rng, Row(prices))
    low, high = (None, limit) if rng.random() < 0.5 else (limit, None)
    return Rule("helper continuous", (), (Row(prices, low, high),))


def _helper_steps(rng: Random, ground: Ground) -> Rule:
    prices = _priced(rng, ground)
    limit = ground.limit(rng, Row(prices))
    factors = tuple(rng.choice([1, 2, 3, 5]) * 10.0 ** -rng.randint(1, 5) for _ in range(rng.randint(1, 5)))
    return Rule("helper steps", factors, (Row(prices, None, limit),))


def _equality(rng: Random, ground: Ground) -> Rule:
    prices = tuple((i, float(rng.randint(-1, 4))) for i in range(ground.criterion.n))
    value = ground.limit(rng, Row(prices), 1.0)
    return Rule("equality", (), (Row(prices, value, value),))


LINEAR: tuple[Draw, ...] = (
    *(_single(kind, 1) for kind in ("require", "fix(1)", "setlb(1)")),
    *(_single(kind, 0) for kind in ("forbid", "fix(0)", "setub(0)")),
    *(_counted(kind) for kind in ("at_most", "at_least", "exactly")),
    *(_implies, _all_or_none, _exclusive, _budget, _budget, _proxy, _size, _equality),
)
HELPERS: tuple[Draw, ...] = (_helper_binary, _helper_continuous, _helper_steps, _budget)
ON_QUALITY: tuple[Draw, ...] = (
    *(_quality(kind) for kind in ("minimum_quality", "quality >=", "quality <=")),
    _mixed,
)


def draw_rules(rng: Random, ground: Ground, quality: bool = True) -> tuple[Rule, ...]:
    """Draw none to three rules; those on the quality only if wanted."""
    number = rng.choices([0, 1, 2, 3], [35, 35, 20, 10])[0]
    kinds, shares = [LINEAR, HELPERS, ON_QUALITY], [70, 12, 18 if quality else 0]
    return tuple(rng.choice(rng.choices(kinds, shares)[0])(rng, ground) for _ in range(number))


def draw_across(rng: Random, n: int, sets: int) -> tuple[Across, ...]:
    """Draw a rule across sets: features in few of them, or a budget for all."""
    some = rng.sample(range(n), rng.randint(1, max(1, n // 2)))
    if rng.random() < 0.6:
        return (Across("in_at_most", tuple((i, 1.0) for i in some), rng.randint(1, max(1, sets - 1))),)
    prices = tuple((i, float(rng.randint(0, 9))) for i in range(n))
    return (Across("budget", prices, float(rng.randint(4 * sets, 14 * sets))),)
