"""How far sets are apart, computed again as exact fractions: for the check of answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.exact.verification.verifier import Check
from altsel.models.dissimilarity import Dice, Jaccard, dissimilarity_of, exact
from altsel.models.soft_diversity import Average, is_soft
from altsel.models.stated_dissimilarity import CLOSE

Names = Collection[str]
Overlaps = Counter[tuple[int, int, int]]
"""How many pairs have so many features in common, and so many in the first and in the second set."""


def distance(diversity: Any, first: Names, second: Names) -> Fraction:
    """Compute a dissimilarity as an exact fraction."""
    measure = getattr(diversity, "distance", diversity)
    one, other = set(first), set(second)
    if isinstance(measure, (Dice, Jaccard)):
        return by_overlap(measure, len(one & other), len(one), len(other))
    return Fraction(dissimilarity_of(measure, one, other))


@lru_cache(maxsize=4096)
def by_overlap(measure: Dice | Jaccard, common: int, first: int, second: int) -> Fraction:
    """Compute a dissimilarity from the sizes of two sets and their overlap."""
    if isinstance(measure, Dice):
        return 1 - Fraction(2 * common, first + second)
    return 1 - Fraction(common, first + second - common)


def distances(
    diversity: Any, sets: Sequence[Names], known: Sequence[Names], together: bool
) -> Iterator[Check]:
    """Check the dissimilarities of a search: of all pairs, or of each set and those before it."""
    every = list(sets) if together else [*known, *sets]
    first = 0 if together else len(known)
    if not isinstance(getattr(diversity, "distance", diversity), (Dice, Jaccard)):
        yield from _by_pairs(diversity, every, first, together)
        return
    table = _memberships(every)
    sizes = table.sum(axis=1)
    of_each = (_overlaps(table, sizes, number) for number in range(first, len(every)))
    for overlaps in [sum(of_each, Overlaps())] if together else of_each:
        yield from overlap_checks(diversity, overlaps)


def _memberships(sets: Sequence[Names]) -> FloatArray:
    """Return which set holds which feature, shape (sets, features)."""
    index = {name: j for j, name in enumerate(dict.fromkeys(name for one in sets for name in one))}
    table = np.zeros((len(sets), len(index)))
    for row, one in zip(table, sets, strict=True):
        row[[index[name] for name in one]] = 1
    return table


def _overlaps(table: FloatArray, sizes: FloatArray, number: int) -> Overlaps:
    """Count the overlaps of a set with those before it."""
    width = table.shape[1] + 1
    codes = (table[:number] @ table[number]) * width + sizes[:number]
    often = np.bincount(codes.astype(np.int64))
    own = int(sizes[number])
    return Overlaps(
        {(code // width, code % width, own): int(often[code]) for code in np.flatnonzero(often).tolist()}
    )


def overlap_checks(diversity: Any, overlaps: Overlaps) -> Iterator[Check]:
    """Check how far pairs of sets are apart by Dice or Jaccard; an average is one of all of them."""
    if not overlaps:
        return
    if is_soft(diversity):
        yield _distinct(sum(n for (common, a, b), n in overlaps.items() if common == a == b))
        if isinstance(diversity, Average) and diversity.distance.tau > 0:
            measure: Any = diversity.distance
            total = sum((n * by_overlap(measure, *overlap) for overlap, n in overlaps.items()), Fraction(0))
            yield _mean(diversity, total / overlaps.total())
        return
    measure = getattr(diversity, "distance", diversity)
    yield _least(
        diversity, nearest := min(by_overlap(measure, *one) for one in overlaps), nearest >= _tau(measure)
    )


def _by_pairs(diversity: Any, every: Sequence[Names], first: int, together: bool) -> Iterator[Check]:
    """Check pairs by a measure of the user's own."""
    if together:
        yield from pair_checks(diversity, list(combinations(every, 2)))
        return
    for number in range(first, len(every)):
        yield from pair_checks(diversity, [(before, every[number]) for before in every[:number]])


def pair_checks(diversity: Any, pairs: Sequence[tuple[Names, Names]]) -> Iterator[Check]:
    """Check how far pairs of sets are apart; an average is one of all of them."""
    if not pairs:
        return
    measure = getattr(diversity, "distance", diversity)
    each = [distance(diversity, a, b) for a, b in pairs]
    if is_soft(diversity):
        yield _distinct(sum(set(a) == set(b) for a, b in pairs))
        if isinstance(diversity, Average) and diversity.distance.tau > 0:
            yield _mean(diversity, sum(each, Fraction(0)) / len(pairs))
        return
    yield _least(diversity, min(each), float(min(each)) >= float(_tau(measure)) - CLOSE)


def _tau(measure: Any) -> Fraction:
    return exact(measure.tau)


def _distinct(same: int) -> Check:
    return Check("sets are distinct", not same, f"{same} pairs are the same" if same else "")


def _mean(diversity: Average, mean: Fraction) -> Check:
    least = _tau(diversity.distance)
    return Check(f"mean dissimilarity of at least {float(least):g}", mean >= least, f"{float(mean):g}")


def _least(diversity: Any, nearest: Fraction, good: bool) -> Check:
    measure = getattr(diversity, "distance", diversity)
    claim = f"{type(measure).__name__} dissimilarity of at least {float(_tau(measure)):g}"
    return Check(claim, good, f"nearest {float(nearest):g}")
