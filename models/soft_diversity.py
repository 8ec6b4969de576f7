"""Soft diversity: sets differ on average, or pay a penalty for similarity (left open by AFS 3.2.2 and 7.2).

Both see a pair of sets through the number o of common features alone: its *similarity*, convex in o, is
bounded in total or has a penalty. A convex similarity is the largest of its chords at integers, so the
models stay linear and exact.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import floor, inf, lcm
from typing import Any, Protocol, TypeGuard, runtime_checkable

import numpy as np

from altsel._types import FloatArray
from altsel.errors import ArgumentError, no_negative
from altsel.models.dissimilarity import (
    Dice,
    Dissimilarity,
    dissimilarity_of,
    refuse_no_dissimilarity,
    share_of,
)
from altsel.models.overlap_rows import common_features
from altsel.models.problem import chosen
from altsel.pyomo_on_demand import pyo

EXACT = 1e-9
"""How far a limit may be missed that is met but for rounding."""
CLEAR = 1e-6
"""How far a limit is kept from the values there are: far beyond what solvers let pass."""
MOST_CLEAR = 10**5
"""Largest common denominator of similarities where that is possible."""


@runtime_checkable
class SoftDiversity(Protocol):
    """A diversity of all pairs together; sets must only be distinct one by one.

    Examples
    --------
    >>> from altsel import Dice
    >>> isinstance(Average(Dice(0.5)), SoftDiversity), isinstance(Dice(0.5), SoftDiversity)
    (True, False)
    >>> Penalised(Dice(1), penalty=6).similarities(2, 2).tolist()
    [0.0, 0.5, 1.0]
    """

    @property
    def distance(self) -> Dissimilarity:
        """Dissimilarity of a pair."""
        ...

    @property
    def penalty(self) -> float:
        """What one unit of similarity costs of the quality."""
        ...

    def similarities(self, first: int, second: int) -> FloatArray:
        """Load of a pair of sets of two sizes with 0, 1, 2, … common features."""
        ...

    def limit(self, pairs: int) -> float:
        """Largest total similarity of so many pairs; infinite if only the penalty keeps sets apart."""
        ...


Diversity = Dissimilarity | SoftDiversity
"""How sets must differ: every pair for itself, or all pairs together."""


def _refuse_rows(diversity: Average | Penalised) -> None:
    """Refuse a distance that is no function of the number of common features."""
    refuse_no_dissimilarity(diversity.distance)
    if share_of(diversity.distance) is None:
        raise ArgumentError(
            f"{type(diversity).__name__}({diversity.distance!s:.50}): give Dice(tau) or Jaccard(tau); others "
            "hold pair by pair only"
        )


def is_soft(diversity: object) -> TypeGuard[SoftDiversity]:
    """Return whether a diversity is one of all pairs together: what `isinstance` says, sooner if not.

    Examples
    --------
    >>> is_soft(Dice(0.5)), is_soft(Average(Dice(0.5)))
    (False, True)
    """
    return hasattr(diversity, "distance") and isinstance(diversity, SoftDiversity)


@dataclass(frozen=True)
class Average:
    """Sets differ enough on average: ``mean d(s, s') >= tau`` over the earlier sets, or over all pairs.

    Parameters
    ----------
    distance
        `Dice` or `Jaccard`; its tau is that of the mean.

    Examples
    --------
    >>> from altsel import Average, Dice, Problem, Univariate, sequential
    >>> found = sequential(Problem(Univariate([5, 4, 2, 1]), k=2), Average(Dice(0.5)), alternatives=2)
    >>> [subset.features for subset in found]
    [('x0', 'x1'), ('x0', 'x2'), ('x0', 'x3')]
    """

    distance: Dissimilarity

    penalty = 0.0

    def __post_init__(self) -> None:
        _refuse_rows(self)

    def similarities(self, first: int, second: int) -> FloatArray:
        """Similarity ``1 - d`` by the number of common features."""
        return similarities(self.distance, first, second)

    def limit(self, pairs: int) -> float:
        """``(1 - tau) * pairs``."""
        return (1 - self.distance.tau) * pairs


@dataclass(frozen=True)
class Penalised:
    """Sets may be too similar, at a penalty: ``Q - penalty * sum max(0, tau - d)`` over the pairs.

    Parameters
    ----------
    distance
        `Dice` or `Jaccard` with the tau below which similarity costs.
    penalty
        Loss of quality for a missing dissimilarity of 1, at least 0.

    Raises
    ------
    ArgumentError
        If the penalty is negative, missing or infinite.

    Examples
    --------
    >>> from altsel import Dice, Penalised, Problem, Univariate, sequential
    >>> problem = Problem(Univariate([5, 4, 2, 1]), k=2)
    >>> found = sequential(problem, Penalised(Dice(1), penalty=6), alternatives=1)
    >>> [subset.features for subset in found]
    [('x0', 'x1'), ('x0', 'x2')]
    """

    distance: Dissimilarity
    penalty: float

    def __post_init__(self) -> None:
        no_negative("penalty", self.penalty)
        _refuse_rows(self)

    def similarities(self, first: int, second: int) -> FloatArray:
        """Missing dissimilarity ``max(0, tau - d)`` by the number of common features."""
        excess = similarities(self.distance, first, second) - (1 - self.distance.tau)
        return np.where(excess > 1e-12, excess, 0.0)

    def limit(self, pairs: int) -> float:
        """Infinite."""
        del pairs
        return inf


DISTINCT = Average(Dice(0))
"""Keeps sets from being the same, and no more."""


def similarities(distance: Dissimilarity, first: int, second: int) -> FloatArray:
    """Tabulate ``1 - d`` of sets of two sizes with 0, 1, …, min(first, second) common features.

    Examples
    --------
    >>> from altsel import Dice
    >>> similarities(Dice(0.5), 2, 2).tolist()
    [0.0, 0.5, 1.0]
    """
    one = {str(j) for j in range(first)}
    others = [
        {str(j) for j in range(first - common, first - common + second)}
        for common in range(min(first, second) + 1)
    ]
    return np.array([1 - dissimilarity_of(distance, one, other) for other in others])


def similarity(diversity: SoftDiversity, first: Collection[str], second: Collection[str]) -> float:
    """Load of a pair of sets."""
    return float(diversity.similarities(len(first), len(second))[len(set(first) & set(second))])


def penalty_paid(diversity: Diversity, pairs: Iterable[tuple[Collection[str], Collection[str]]]) -> float:
    """Penalty of some pairs of sets; 0 where there is none."""
    if not isinstance(diversity, SoftDiversity):
        return 0.0
    return diversity.penalty * sum(similarity(diversity, one, other) for one, other in pairs)


def unpaid(diversity: Diversity) -> Diversity:
    """Leave a penalty out: it makes no set unacceptable, and the best set with it may not be the best.

    Examples
    --------
    >>> unpaid(Penalised(Dice(1), penalty=6)) == DISTINCT, unpaid(Dice(0.5)) == Dice(0.5)
    (True, True)
    """
    return DISTINCT if isinstance(diversity, SoftDiversity) and diversity.penalty else diversity


def differ_softly_from(
    diversity: SoftDiversity, model: Any, known: Sequence[Collection[str]], sizes: tuple[int, int]
) -> None:
    """Keep the set of a model's only block from known ones, and subtract the penalty of its similarities.

    Parameters
    ----------
    diversity
        `Average` or `Penalised`.
    model
        Made by `formulate`, of one set.
    known
        The sets to differ from.
    sizes
        Smallest and largest size of the block's set.
    """
    block = model.sets[0]
    own = _sized(block, sizes) if known else {}
    pairs = [
        (
            pyo.quicksum(block.x[f] for f in subset if f in block.x),
            {len(subset): 1},
            own,
            len(subset) + block.size,
        )
        for subset in known
    ]
    _weigh(diversity, model, pairs)


def differ_softly(diversity: SoftDiversity, model: Any, sizes: tuple[int, int]) -> None:
    """Keep all sets of a model from each other, less the penalty of their similarities; see above."""
    blocks = list(model.sets.values())
    common = common_features(model)
    sized = [_sized(block, sizes) for block in blocks]
    pairs = [
        (common[i, j], sized[i], sized[j], blocks[i].size + blocks[j].size)
        for j, i in combinations(range(len(blocks)), 2)
    ]
    _weigh(diversity, model, pairs)


def propose_similarities(diversity: SoftDiversity, model: Any, known: Sequence[Collection[str]]) -> None:
    """Set the variables of similarities and sizes to the values that follow from the sets proposed."""
    sets = []
    for block in model.sets.values():
        sets.append(chosen(block))
        for size, is_size in (block.component("is_size") or {}).items():
            is_size.set_value(int(size == len(sets[-1])), skip_validation=True)
    pairs = [(subset, sets[0]) for subset in known] or list(combinations(sets, 2))
    for (one, other), similarities in zip(pairs, model.component("similarities").values(), strict=True):
        similarities.set_value(similarity(diversity, one, other), skip_validation=True)


def _weigh(diversity: SoftDiversity, model: Any, pairs: Sequence[tuple[Any, Mapping, Mapping, Any]]) -> None:
    """Add a variable for the similarity of every pair; pairs are (overlap, sizes, sizes, sum of sizes)."""
    sizes = {(a, b) for _, firsts, seconds, _ in pairs for a in firsts for b in seconds}
    heaviest = max((float(max(diversity.similarities(a, b))) for a, b in sizes), default=0.0)
    model.similarities = pyo.Var(range(len(pairs)), bounds=(0, heaviest))
    model.similar_enough = pyo.ConstraintList()
    model.distinct = pyo.ConstraintList()
    for pair, (overlap, firsts, seconds, together) in enumerate(pairs):
        model.distinct.add(together - 2 * overlap >= 1)
        for least in _chords(diversity, overlap, firsts, seconds):
            model.similar_enough.add(model.similarities[pair] >= least)
    total = pyo.quicksum(model.similarities.values())
    if pairs and diversity.limit(len(pairs)) < inf:
        model.average = pyo.Constraint(expr=total <= _clear_limit(diversity, sizes, len(pairs)))
    if diversity.penalty:
        model.total.expr = model.total.expr - diversity.penalty * total


def _clear_limit(diversity: SoftDiversity, sizes: Collection[tuple[int, int]], pairs: int) -> float:
    """Move the limit of all similarities together between the values that they can have.

    All are multiples of 1 / D, for D their common denominator. On a value itself, a limit is met
    to the last digit, and HiGHS 1.13 took sets that meet it for too similar in a fifth of its runs.
    """
    limit = diversity.limit(pairs)
    common = 1
    for a, b in sizes:
        for value in diversity.similarities(a, b):
            common = lcm(common, Fraction(float(value)).limit_denominator(10_000).denominator)
            if common > MOST_CLEAR:
                return limit + EXACT
    return floor(limit * common + common * EXACT) / common + min(CLEAR, 0.5 / common)


def _chords(diversity: SoftDiversity, overlap: Any, firsts: Mapping, seconds: Mapping) -> Iterator[Any]:
    """Lower bounds on a similarity, in force for the sizes that are chosen."""
    widest = min(max(firsts), max(seconds))
    for a, is_a in firsts.items():
        for b, is_b in seconds.items():
            similarities = diversity.similarities(a, b)
            slopes = np.diff(similarities)
            for o in np.flatnonzero(np.diff(slopes, prepend=-inf) > 1e-12).tolist():
                slope, base = float(slopes[o]), float(similarities[o] - slopes[o] * o)
                if slope:
                    away = max(base + slope * widest, 0.0) * (2 - is_a - is_b)
                    yield base + slope * overlap - away


def _sized(block: Any, sizes: tuple[int, int]) -> dict[int, Any]:
    """State by 0/1 variables which size a block's set has; those of the objective, if it has any.

    A fixed size needs none. Twins of the objective's own made HiGHS 1.12 to 1.14 cut optima off.
    """
    low, high = sizes
    if low == high:
        return {low: 1}
    if block.component("is_size") is None:
        block.is_size = pyo.Var(range(low, high + 1), domain=pyo.Binary)
        block.one_size = pyo.Constraint(expr=pyo.quicksum(block.is_size.values()) == 1)
        size = pyo.quicksum(m * is_m for m, is_m in block.is_size.items())
        block.sized = pyo.Constraint(expr=size == block.size)
    return dict(block.is_size.items())
