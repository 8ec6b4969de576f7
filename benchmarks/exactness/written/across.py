"""Rules across sets that a user may write: on pairs, on all sets, and on the first or the last of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations, pairwise
from random import Random
from typing import Any

import pyomo.environ as pyo
from pyomo.gdp import Disjunction

from benchmarks.exactness.criteria import name, names
from benchmarks.exactness.written.deciding import Verdict, decide
from benchmarks.exactness.written.forms import Said, draw_form, draw_names
from benchmarks.exactness.written.helpers import attach
from benchmarks.exactness.written.reading import Reading

MOST_PAIRED = 3
"""Sets of which all pairs are in a disjunction: the brute force tries all choices."""
Sets = Sequence[Mapping[str, Any]]
Say = Callable[[Any, Sets, Iterator[str]], Said]


@dataclass(frozen=True, eq=False)
class WrittenAcross:
    """A rule across sets of the user's own.

    Attributes
    ----------
    kind
        What it says, and in which form.
    function
        The rule, as altsel takes it.
    n
        Number of features.
    symmetric
        Whether it says the same in any order of the sets.
    """

    kind: str
    function: Callable[..., Any]
    n: int
    symmetric: bool
    _readings: dict[int, Reading] = field(default_factory=dict, init=False, repr=False)
    _known: dict[tuple[int, ...], Verdict] = field(default_factory=dict, init=False, repr=False)

    def verdict(self, masks: Sequence[int]) -> Verdict:
        """Return whether sets keep it, in their order."""
        if not masks:
            return True
        key = tuple(sorted(masks) if self.symmetric else masks)
        if key not in self._known:
            if len(masks) not in self._readings:
                features = [name(i) for i in range(self.n)]
                self._readings[len(masks)] = Reading(self.function, features, len(masks))
            sets = [frozenset(names(mask)) for mask in key]
            self._known[key] = decide(self._readings[len(masks)], sets)
        return self._known[key]

    def build(self) -> Callable[..., Any]:
        """Return the rule as altsel takes it."""
        return self.function


def _draw_swapped(rng: Random, n: int, count: int) -> Say:
    """Where one set has f, no other has g; of each pair, one way or both."""
    f, g = (name(i) for i in rng.sample(range(n), 2))

    def say(b: Any, sets: Sets, labels: Iterator[str]) -> Said:
        rows = [s[f] + t[g] <= 1 for s, t in combinations(sets, 2)]
        return Said([*rows, *(s[g] + t[f] <= 1 for s, t in combinations(sets, 2))])

    return say


def _draw_few(rng: Random, n: int, count: int) -> Say:
    """Each of some features in few sets."""
    some, most = rng.sample(range(n), rng.randint(1, n // 2)), rng.randint(1, max(1, count - 1))

    def say(b: Any, sets: Sets, labels: Iterator[str]) -> Said:
        return Said([sum(s[name(i)] for s in sets) <= most for i in some])

    return say


def _draw_spent(rng: Random, n: int, count: int) -> Say:
    """Draw a budget for all sets together."""
    costs = {name(i): rng.randint(0, 6) for i in range(n)}
    limit = rng.randint(4, 9) * count

    def say(b: Any, sets: Sets, labels: Iterator[str]) -> Said:
        return Said([pyo.quicksum(c * s[f] for s in sets for f, c in costs.items()) <= limit])

    return say


def _draw_common(rng: Random, n: int, count: int) -> Say:
    """Few features in common of each pair, by products or by variables."""
    some, most = [name(i) for i in rng.sample(range(n), rng.randint(2, n))], rng.randint(0, 1)
    by_variables = rng.random() < 0.5

    def say(b: Any, sets: Sets, labels: Iterator[str]) -> Said:
        rows = []
        if by_variables:
            both = attach(b, labels, pyo.Var(range(len(sets)), range(len(sets)), some, bounds=(0, 1)))
        for (i, s), (j, t) in combinations(enumerate(sets), 2):
            if by_variables:
                rows += [both[i, j, f] >= s[f] + t[f] - 1 for f in some]
                rows.append(sum(both[i, j, f] for f in some) <= most)
            else:
                rows.append(sum(s[f] * t[f] for f in some) <= most)
        return Said(rows)

    return say


def _draw_used(rng: Random, n: int, count: int) -> Say:
    """Few features in any set, by 0/1 variables."""
    most, domain = rng.randint(n // 2, n - 1), rng.choice([pyo.Binary, pyo.UnitInterval])

    def say(b: Any, sets: Sets, labels: Iterator[str]) -> Said:
        used = attach(b, labels, pyo.Var(list(sets[0]), domain=domain))
        rows = [used[f] >= s[f] for s in sets for f in s]
        return Said([*rows, sum(used.values()) <= most])

    return say


def _draw_either(rng: Random, n: int, count: int) -> Say:
    """Of each pair, one set without f or the other without g."""
    f, g = (name(i) for i in rng.sample(range(n), 2))

    def say(b: Any, sets: Sets, labels: Iterator[str]) -> Said:
        pairs = combinations(sets, 2) if len(sets) <= MOST_PAIRED else pairwise(sets)
        return Said(components=[Disjunction(expr=[[s[f] == 0], [t[g] == 0]], xor=False) for s, t in pairs])

    return say


def _draw_ordered(rng: Random, n: int, count: int) -> Say:
    """Draw that what a set has of some features, the one before it has more of, or as much."""
    some = [name(i) for i in rng.sample(range(n), rng.randint(1, 3))]

    def say(b: Any, sets: Sets, labels: Iterator[str]) -> Said:
        return Said([sum(t[f] for f in some) <= sum(s[f] for f in some) for s, t in pairwise(sets)])

    return say


def _draw_first(rng: Random, n: int, count: int) -> Say:
    """Draw that the last set has a feature, or the first has not."""
    f, side = name(rng.randrange(n)), rng.random() < 0.5

    def say(b: Any, sets: Sets, labels: Iterator[str]) -> Said:
        return Said([sets[-1][f] == 1 if side else sets[0][f] <= 0])

    return say


KINDS: dict[str, tuple[Callable[[Random, int, int], Say], bool]] = {
    "swapped": (_draw_swapped, True),
    "in few": (_draw_few, True),
    "budget": (_draw_spent, True),
    "in common": (_draw_common, True),
    "used": (_draw_used, True),
    "either": (_draw_either, False),
    "in order": (_draw_ordered, False),
    "first": (_draw_first, False),
}
"""The rules, and whether they say the same in any order."""


def draw_across(rng: Random, n: int, count: int) -> WrittenAcross:
    """Draw a rule across so many sets."""
    kind = rng.choice(list(KINDS))
    draw, symmetric = KINDS[kind]
    say, labels = draw(rng, n, count), draw_names(rng)
    form_name, form = draw_form(rng)
    rule = partial(_rule, say, form, labels, list(map(name, range(n))))

    def named(b: Any, sets: Sets) -> Any:
        return rule(b, sets)

    named.__name__ = named.__qualname__ = f"across_{kind.replace(' ', '_')}"
    return WrittenAcross(f"across, {kind}, {form_name}", named, n, symmetric)


def _rule(say: Say, form: Any, labels: list[str], features: list[str], b: Any, sets: Sets) -> Any:
    taken = iter(labels)
    return form(b, replace(say(b, sets, taken), feature=sets[-1][features[0]]), taken)
