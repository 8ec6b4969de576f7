"""How different feature sets must be: Dice and Jaccard dissimilarity as linear rows.

Both measures allow an overlap of at most ``share * (|F1| + |F2|)`` features; tau is taken as
the exact fraction it stands for, so that no rounding moves a bound: ``(1 - 0.9) * 10`` is 1.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import Any, Protocol

from altsel.errors import ArgumentError
from altsel.pyomo_on_demand import pyo
from altsel.runtime.clock import clock


class Dissimilarity(Protocol):
    """A set dissimilarity in [0, 1] with a threshold tau.

    Examples
    --------
    >>> measure: Dissimilarity = Jaccard(0.5)
    >>> measure.tau, measure.share, measure({"a", "b"}, {"b", "c", "d"})
    (0.5, Fraction(1, 3), 0.75)
    """

    @property
    def tau(self) -> float:
        """Smallest dissimilarity allowed."""
        ...

    @property
    def share(self) -> Fraction:
        """Largest overlap allowed, as a share of ``|F1| + |F2|``."""
        ...

    def __call__(self, first: Collection[str], second: Collection[str]) -> float:
        """Dissimilarity of two sets."""
        ...


@dataclass(frozen=True)
class Dice:
    """Dice dissimilarity ``d = 1 - 2 |F1 & F2| / (|F1| + |F2|) >= tau`` (AFS eq. 3 and 5).

    Parameters
    ----------
    tau
        Smallest dissimilarity, in [0, 1]; with sizes k the sets differ in at least tau k features.

    Raises
    ------
    ArgumentError
        If tau is outside [0, 1].

    Examples
    --------
    >>> Dice(0.5)({"a", "b"}, {"b", "c"})
    0.5
    >>> largest_overlap(Dice(0.9), 10, 10)
    1
    """

    tau: float

    def __post_init__(self) -> None:
        exact(self.tau)

    @property
    def share(self) -> Fraction:
        """``(1 - tau) / 2``."""
        return (1 - exact(self.tau)) / 2

    def __call__(self, first: Collection[str], second: Collection[str]) -> float:
        """Dissimilarity of two sets that are not both empty."""
        return 1 - 2 * _common(first, second) / (len(first) + len(second))


@dataclass(frozen=True)
class Jaccard:
    """Jaccard distance ``d = 1 - |F1 & F2| / |F1 | F2| >= tau`` (AFS eq. 2 and 4).

    Parameters
    ----------
    tau
        Smallest distance, in [0, 1].

    Raises
    ------
    ArgumentError
        If tau is outside [0, 1].

    Examples
    --------
    >>> round(Jaccard(0.5)({"a", "b"}, {"b", "c"}), 3)
    0.667
    """

    tau: float

    def __post_init__(self) -> None:
        exact(self.tau)

    @property
    def share(self) -> Fraction:
        """``(1 - tau) / (2 - tau)``."""
        return (1 - exact(self.tau)) / (2 - exact(self.tau))

    def __call__(self, first: Collection[str], second: Collection[str]) -> float:
        """Distance of two sets that are not both empty."""
        common = _common(first, second)
        return 1 - common / (len(first) + len(second) - common)


def exact(tau: float) -> Fraction:
    """Read tau as the fraction of small denominator within 1e-12 of it, or as the float it is.

    Raises
    ------
    ArgumentError
        If it is no number in [0, 1].
    """
    if isinstance(tau, bool) or not isinstance(tau, (int, float, Fraction)) or not 0 <= tau <= 1:
        raise ArgumentError(f"tau={tau!r}; use a number from 0 (may be the same) to 1 (no common feature)")
    return _near(tau)


@lru_cache(maxsize=1024)
def _near(tau: float) -> Fraction:
    near = Fraction(tau).limit_denominator(10_000)
    close = abs(near - Fraction(tau)) <= Fraction(1, 10**12)
    return near if close and (near > 0 or tau == 0) else Fraction(tau)  # above 0 sets are distinct


def largest_overlap(dissimilarity: Dissimilarity, first: int, second: int) -> int:
    """Largest number of common features of two sets of known sizes."""
    return min(first, second, floor(dissimilarity.share * (first + second)))


def simplest_share(dissimilarity: Dissimilarity, most: int) -> Fraction:
    """Simplify the share of the overlap allowed, for sets of at most `most` features together.

    The largest fraction p / q below the share with ``q <= most`` allows the same overlaps:
    ``floor(share * m) / m`` is such a fraction for every ``m <= most``. So rows on sizes that are free
    hold small integers, and a broken one is broken by 1 or more, whatever tau is.

    Examples
    --------
    >>> simplest_share(Dice(1e-9), 8)
    Fraction(3, 7)
    """
    return _simplest(dissimilarity.share, most)


@lru_cache(maxsize=1024)
def _simplest(share: Fraction, most: int) -> Fraction:
    if share.denominator <= most:
        return share
    return max(Fraction(floor(share * q), q) for q in range(1, most + 1))


def differ_from(
    dissimilarity: Dissimilarity, block: Any, known: Collection[str], sizes: tuple[int, int]
) -> None:
    """Keep a block's set different enough from a known one: one row.

    Parameters
    ----------
    dissimilarity
        Measure and threshold.
    block
        A block made by `formulate`.
    known
        Names of the known set.
    sizes
        Smallest and largest size of the block's set.
    """
    if block.component("differs_from") is None:
        block.differs_from = pyo.ConstraintList()
    common = pyo.quicksum(block.x[f] for f in known if f in block.x)
    if sizes[0] == sizes[1]:
        block.differs_from.add(
            pyo.inequality(None, common, largest_overlap(dissimilarity, len(known), sizes[0]))
        )
    else:
        share = simplest_share(dissimilarity, len(known) + sizes[1])
        allowed = share.numerator * len(known)
        block.differs_from.add(share.denominator * common - share.numerator * block.size <= allowed)


def differ(dissimilarity: Dissimilarity, model: Any, sizes: tuple[int, int]) -> None:
    """Keep all sets of a model different enough from each other.

    ``t >= x_1 + x_2 - 1`` and ``sum t <= overlap`` for each pair; the overlap is bounded above
    only, so AFS eq. 6 needs no more rows, and ``t`` need not be declared integer.

    Parameters
    ----------
    dissimilarity
        Measure and threshold.
    model
        A model made by `formulate` with two sets or more.
    sizes
        Smallest and largest size of a set.
    """
    blocks = list(model.sets.values())
    if not _possible(blocks):
        return  # every feature is excluded; the sets' sizes already say that there are none
    model.differ = pyo.ConstraintList()
    for (i, j), shared in common_features(model).items():
        model.differ.add(_overlap_row(dissimilarity, shared, blocks[i].size + blocks[j].size, sizes))


def common_features(model: Any) -> dict[tuple[int, int], Any]:
    """Add ``t >= x_1 + x_2 - 1`` for each feature and pair of sets, and give the sums of t by pair."""
    blocks = list(model.sets.values())
    pairs = [(i, j) for i in range(len(blocks)) for j in range(i)]
    names = _possible(blocks)
    model.common = pyo.Var(pairs, names, bounds=(0, 1))
    model.both = pyo.ConstraintList()
    for (i, j, f), common in model.common.items():
        clock().check()
        model.implied[common] = 1
        model.both.add(common >= blocks[i].x[f] + blocks[j].x[f] - 1)
    return {(i, j): pyo.quicksum(model.common[i, j, f] for f in names) for i, j in pairs}


def bound_memberships(dissimilarity: Dissimilarity, model: Any, sizes: tuple[int, int]) -> None:
    """Strengthen the relaxation of `differ` by a cut on how many sets a feature is in.

    A feature in c sets is common to ``c (c - 1) / 2`` pairs. That number, bounded below by its
    tangents ``l c - l (l + 1) / 2``, sums over the features to at most the overlaps of all pairs.
    It pays for the sum of qualities (alone, CP-SAT then proves nothing in 20 s for four sets of
    30 features, with it in 0.2 s), and does harm for the minimum (3.3 s without, 11 s with it).
    Arguments as in `differ`.
    """
    blocks = list(model.sets.values())
    pairs = len(blocks) * (len(blocks) - 1) // 2
    if not _possible(blocks):
        return
    model.pairs_of = pyo.Var(_possible(blocks), bounds=(0, pairs))
    model.tangent = pyo.ConstraintList()
    for f, number in model.pairs_of.items():
        model.implied[number] = 1
        count = pyo.quicksum(block.x[f] for block in blocks)
        for level in range(1, len(blocks)):
            model.tangent.add(number >= level * count - level * (level + 1) // 2)
    size = (len(blocks) - 1) * pyo.quicksum(block.size for block in blocks)
    together = pyo.quicksum(model.pairs_of.values())
    model.together = pyo.Constraint(expr=_overlap_row(dissimilarity, together, size, sizes, pairs))


def _possible(blocks: Sequence[Any]) -> list[str]:
    """Names of the features that are not excluded everywhere; those that a rule fixed to 1 are in."""
    return [f for f in blocks[0].x if not all(b.x[f].fixed and b.x[f].value < 0.5 for b in blocks)]


def _overlap_row(
    dissimilarity: Dissimilarity, common: Any, size: Any, sizes: tuple[int, int], pairs: int = 1
) -> Any:
    if sizes[0] == sizes[1]:
        return common <= pairs * largest_overlap(dissimilarity, *sizes)
    share = simplest_share(dissimilarity, 2 * sizes[1])
    return share.denominator * common <= share.numerator * size


def _common(first: Collection[str], second: Collection[str]) -> int:
    return len(set(first) & set(second))
