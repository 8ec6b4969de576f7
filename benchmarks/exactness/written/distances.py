"""Distances that a user may ask for: altsel's ready-made ones, and classes of the user's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, permutations
from random import Random
from typing import Any

import pandas as pd

import altsel
from benchmarks.exactness.criteria import name, names
from benchmarks.exactness.distance import Pair
from benchmarks.exactness.written.forms import NAMES
from benchmarks.exactness.written.own_distances import ByProducts, ByShare, BySize, InSpace, Lenient

CLOSE = 1e-9
"""How far a distance of floats may be below tau."""
TAUS = (0.0, 0.1, 0.2, 0.25, 0.3, 1 / 3, 0.4, 0.5, 0.5, 0.6, 2 / 3, 0.75, 1.0)


@dataclass(frozen=True)
class Distance:
    """A distance of at least tau for each pair of sets, evaluated by calling it.

    Attributes
    ----------
    measure
        As altsel takes it.
    truth
        The distance by a formula written here; None: what the measure itself returns.
    wrong
        Whether its encoding is not its definition.
    once
        Whether a set may not stand beside itself, whatever the measure says of that.
    """

    measure: Any
    truth: Callable[[frozenset[str], frozenset[str]], Fraction] | None = field(default=None, compare=False)
    wrong: bool = False
    once: bool = False
    kind = "each"
    lenient = False
    _known: dict[Pair, Fraction] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def tau(self) -> float:
        """The least distance."""
        return float(self.measure.tau)

    @property
    def symmetric(self) -> bool:
        """Whether it is the same both ways."""
        return not isinstance(self.measure, InSpace)

    @property
    def least(self) -> Fraction:
        """The fraction that tau stands for."""
        return Fraction(self.tau).limit_denominator(10_000)

    def apart(self, one: int, other: int) -> Fraction:
        """Return the distance of two sets, in their order."""
        if (one, other) not in self._known:
            pair = frozenset(names(one)), frozenset(names(other))
            called = Fraction(float(self.measure(*pair)))
            truth = called if self.truth is None else self.truth(*pair)
            if abs(truth - called) > Fraction(1, 10**12):
                raise ValueError(f"{self.measure} gives {float(called)} for {pair}, it is {truth}")
            self._known[one, other] = truth
        return self._known[one, other]

    def pair(self, one: int, other: int) -> bool:
        """Return whether two sets may stand beside each other, in their order."""
        if self.once and one == other:
            return False
        return float(self.apart(one, other)) >= self.tau - CLOSE

    def mean(self, pairs: Sequence[Pair]) -> bool:
        """Return whether a mean is large enough: there is no demand on it."""
        del pairs
        return True

    def keeps(self, pairs: Sequence[Pair]) -> bool:
        """Return whether pairs are as different as demanded."""
        return all(self.pair(*pair) for pair in pairs)

    def penalty_paid(self, pairs: Sequence[Pair]) -> float:
        """Price of some pairs: there is none."""
        del pairs
        return 0.0

    def gathered(self, pairs: Sequence[Pair]) -> Fraction:
        """Least dissimilarity of some pairs; 1 without a pair."""
        return min((self.apart(*pair) for pair in pairs), default=Fraction(1))

    def build(self) -> Any:
        """Return altsel's diversity."""
        return self.measure

    def __str__(self) -> str:
        return f"{type(self.measure).__name__} of {self.tau:g}"


def _draw_weighted(rng: Random, n: int, tau: float) -> Distance:
    weights = {name(i): rng.choice([0, 1, 1, 2, 3, 0.5, 4]) for i in range(n)}
    exact = {f: Fraction(w) for f, w in weights.items()}

    def dice(a: frozenset[str], b: frozenset[str]) -> Fraction:
        total = sum((exact[f] for f in (*a, *b)), Fraction(0))
        return 1 - 2 * sum((exact[f] for f in a & b), Fraction(0)) / total if total else Fraction(0)

    def jaccard(a: frozenset[str], b: frozenset[str]) -> Fraction:
        total = sum((exact[f] for f in a | b), Fraction(0))
        return 1 - sum((exact[f] for f in a & b), Fraction(0)) / total if total else Fraction(0)

    if rng.random() < 0.5:
        return Distance(altsel.WeightedDice(tau, weights), dice)
    return Distance(altsel.WeightedJaccard(tau, weights), jaccard)


def _dice(common: int, first: int, second: int) -> Fraction:
    return 1 - Fraction(2 * common, first + second)


def _draw_groups(rng: Random, n: int, tau: float) -> Distance:
    groups = {name(i): rng.choice("abcd") for i in range(n) if rng.random() < 0.85} or {"x0": "a"}

    def truth(a: frozenset[str], b: frozenset[str]) -> Fraction:
        one, other = ({groups.get(f, f) for f in names} for names in (a, b))
        return _dice(len(one & other), len(one), len(other))

    return Distance(altsel.GroupDice(tau, groups), truth)


def _draw_aware(rng: Random, n: int, tau: float) -> Distance:
    base: Any = rng.choice([altsel.Dice, altsel.Jaccard])
    r = rng.choice([0.5, 0.8])
    table = [[1.0] * n for _ in range(n)]
    for i, j in combinations(range(n), 2):
        table[i][j] = table[j][i] = rng.choice([-0.9, -0.3, 0.0, 0.1, 0.4, 0.6, 0.85])
    labels = [name(i) for i in range(n)]

    def same(f: str, g: str) -> bool:
        return abs(table[int(f[1:])][int(g[1:])]) >= r

    def truth(a: frozenset[str], b: frozenset[str]) -> Fraction:
        short, long = sorted([sorted(a), sorted(b)], key=len)
        matched = max(
            sum(same(f, g) for f, g in zip(short, order, strict=True))
            for order in permutations(long, len(short))
        )
        if base is altsel.Dice:
            return _dice(matched, len(a), len(b))
        return 1 - Fraction(matched, len(a) + len(b) - matched)

    return Distance(altsel.CorrelationAware(base(tau), pd.DataFrame(table, labels, labels), r=r), truth)


def _draw_counted(rng: Random, n: int, tau: float) -> Distance:
    if rng.random() < 0.5:
        return Distance(altsel.Hamming(tau / 2, n), lambda a, b: Fraction(len(a ^ b), n))
    return Distance(altsel.Overlap(tau), lambda a, b: 1 - Fraction(len(a & b), min(len(a), len(b))))


def _draw_own(rng: Random, n: int, tau: float) -> Distance:
    labels = tuple(rng.sample(NAMES, 3))
    some = tuple(name(i) for i in rng.sample(range(n), 3))
    made: Sequence[Callable[[], Any]] = (
        lambda: ByProducts(tau, some),
        lambda: InSpace(tau, labels, rng.random() < 0.5),
        lambda: ByShare(tau),
        lambda: BySize(tau, labels[0]),
    )
    return Distance(rng.choice(made)())


DRAWN: dict[str, Callable[[Random, int, float], Distance]] = {
    "weights": _draw_weighted,
    "groups": _draw_groups,
    "correlated": _draw_aware,
    "counts": _draw_counted,
    "own": _draw_own,
}
"""The kinds of distances."""


def draw_distance(rng: Random, n: int, wrong: float) -> Distance:
    """Draw a distance; a few whose rows are too lenient."""
    tau = rng.choice(TAUS)
    if rng.random() < wrong:
        return Distance(Lenient(max(tau, 0.2), ("x0", "x1")), wrong=True)
    return DRAWN[rng.choice([*DRAWN, "own"])](rng, n, tau)
