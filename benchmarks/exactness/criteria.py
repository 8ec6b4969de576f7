"""The criteria from their formulas, as data: what a set is worth, and what altsel is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import fsum, sqrt
from random import Random
from typing import Any

import numpy as np
import pandas as pd

import altsel
from altsel.catalogue import OBJECTIVES, objective, of_data
from benchmarks.exactness.draws import Table, doubled, magnitude, redundancies, relevances
from benchmarks.exactness.fits import Fit, draw_fit
from benchmarks.exactness.model_fits import ModelFit

ROUNDING = 1e-13
"""Rounding of a score, relative to the sum of its absolute terms."""
CLOSE = 1e-9
"""Relative difference that an optimum may have."""
KINDS = (*(name for name in OBJECTIVES.own if not of_data(name)), "black box")
"""altsel's criteria of dependences, by their names, and one of which only values are known."""
SUMS = ("univariate", "fcbf")
"""Those that are a sum of relevances."""
SIGNED = (*SUMS, "mrmr", "mrmr-k2")
"""Those that take redundancies below 0."""


@dataclass(frozen=True)
class Value:
    """What a set is worth.

    Attributes
    ----------
    score
        By the formula.
    terms
        Sum of the absolute terms of the score: the measure of its rounding.
    admitted
        Whether the criterion admits the set; None if that is a matter of rounding.
    """

    score: float
    terms: float
    feasible: bool | None = True

    @property
    def slack(self) -> float:
        """How much better another set may be if this one is called optimal."""
        return max(CLOSE * abs(self.score), ROUNDING * self.terms)


@dataclass(frozen=True)
class Criterion:
    """A criterion as data: relevances q and redundancies r of features x0, x1 and so on."""

    kind: str
    q: tuple[float, ...]
    r: Table
    size: str

    @property
    def n(self) -> int:
        """Number of features."""
        return len(self.q)

    def value(self, mask: int) -> Value:
        """Evaluate the formula on a set, given by bits; of a criterion without one here, its own score."""
        inside = members(mask)
        q = [self.q[i] for i in inside]
        if self.kind == "univariate":
            return Value(fsum(q), _sizes(q))
        pairs = [self.r[i][j] for i, j in combinations(inside, 2)]
        if self.kind == "fcbf":
            clash = any(self.r[i][j] >= min(self.q[i], self.q[j]) for i, j in combinations(inside, 2))
            return Value(fsum(q), _sizes(q), not clash)
        if self.kind == "black box":
            return _black_box(q, pairs)
        if self.kind in {"cfs", "cfs-linearised"}:
            return _cfs(q, pairs)
        if self.kind not in {"mrmr", "mrmr-k2"}:
            return _own_score(self, mask)
        own = [self.r[i][i] for i in inside] if self.kind == "mrmr-k2" else []
        return _mrmr(q, [*pairs, *pairs, *own], squared=self.kind == "mrmr-k2")

    def build(self) -> Any:
        """Make altsel's objective."""
        names = [name(i) for i in range(self.n)]
        relevance = pd.Series(self.q, index=names, dtype=float)
        if self.kind == "black box":
            return altsel.BlackBox(lambda chosen: self.value(bits(chosen)).score, names)
        pairs = pd.DataFrame(self.r, index=names, columns=names) if self.r else None
        return objective(self.kind, altsel.Dependence(relevance, pairs))


@lru_cache(maxsize=4)
def _built(criterion: Criterion) -> Any:
    return criterion.build()


def _own_score(criterion: Criterion, mask: int) -> Value:
    """Return what altsel's own formula gives: of a new criterion, before its formula is written here."""
    made, inside = _built(criterion), members(mask)
    chosen = np.isin(np.arange(criterion.n), inside)
    if not made.is_feasible(chosen):
        return Value(0.0, 1.0, False)
    terms = [criterion.q[i] for i in inside] + [criterion.r[i][j] for i in inside for j in inside]
    return Value(made.score(chosen), _sizes(terms))


def _cfs(q: list[float], pairs: list[float]) -> Value:
    above, root = fsum(q), sqrt(fsum([len(q), *pairs, *pairs]))
    rounded_and_checked = None if -ROUNDING * _sizes(q) <= above < 0 else above >= 0
    return Value(above / root, _sizes(q) / root, rounded_and_checked)


def _mrmr(q: list[float], r: list[float], squared: bool) -> Value:
    k = len(q)
    below = k * k if squared else max(k * (k - 1), 1)
    return Value(fsum(q) / k - fsum(r) / below, _sizes(q) / k + _sizes(r) / below)


def _black_box(q: list[float], pairs: list[float]) -> Value:
    """Something that is no sum: relevances less the largest redundancy."""
    worst = max(pairs, default=0.0)
    return Value(fsum([*q, -worst]), _sizes(q) + abs(worst))


AnyCriterion = Criterion | Fit | ModelFit
ONLY_FITS: ContextVar[Callable[[Random, int], AnyCriterion] | None] = ContextVar("ONLY_FITS", default=None)
"""What draws all criteria, where all are fits."""


@contextmanager
def only_fits(draw: Callable[[Random, int], AnyCriterion] = draw_fit) -> Iterator[None]:
    """Draw fits, of linear models by default, whatever a family wants."""
    before = ONLY_FITS.set(draw)
    try:
        yield
    finally:
        ONLY_FITS.reset(before)


def draw_criterion(rng: Random, n: int, kinds: Sequence[str] = KINDS[:-1]) -> AnyCriterion:
    """Draw a criterion of n features."""
    if (draw := ONLY_FITS.get()) is not None:
        return draw(rng, n)
    kind, size = rng.choice(kinds), magnitude(rng)
    q = relevances(rng, n, size)
    table = redundancies(rng, q, size, signed=kind in SIGNED, edges=kind == "fcbf")
    if rng.random() < 0.15:
        q, table = doubled(rng, q, table)
    return Criterion(kind, tuple(q), () if kind == "univariate" else table, size)


def members(mask: int) -> list[int]:
    """List the indices of a set given by bits."""
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def name(index: int) -> str:
    """Name a feature."""
    return f"x{index}"


def names(mask: int) -> tuple[str, ...]:
    """Name the features of a set."""
    return tuple(map(name, members(mask)))


def bits(features: Sequence[str] | Any) -> int:
    """Turn names into bits."""
    return sum(1 << int(feature[1:]) for feature in features)


def _sizes(numbers: list[float]) -> float:
    return fsum(map(abs, numbers))
