"""Whether results that somebody wrote by hand contradict themselves: such are refused, not shown."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import isfinite

from altsel.errors import DataError, listing
from altsel.results.feature_set import FeatureSet, Proof
from altsel.results.front import Front
from altsel.results.solutions import Solutions

CLOSE = 1e-6
"""Difference, as a share of the largest score, that is put down to rounding."""


def refuse_contradictions(found: Solutions, front: Front | None) -> None:
    """Refuse sets whose bound or proof contradicts their score, and points that others beat.

    Raises
    ------
    DataError
        If there is a contradiction; it names the set or the point.
    """
    universe = set(found.universe)
    rounding = CLOSE * max((abs(one.score) for one in found), default=0.0)
    for number, one in enumerate(found):
        for wrong in (*_unknown(one, universe), *_of_set(one, rounding)):
            raise DataError(f"set {number} contradicts itself: {wrong}; 'altsel audit' checks all of a file")
    for wrong in () if front is None else _of_front(front):
        raise DataError(f"the front contradicts itself: {wrong}")


def _unknown(one: FeatureSet, universe: set[str]) -> Iterator[str]:
    strange = sorted(set(one) - universe)
    if strange:
        yield f"it has {listing(strange)}, which the universe does not"


def _of_set(one: FeatureSet, rounding: float) -> Iterator[str]:
    score, bound, gap = one.score, one.bound, one.gap
    if not all(isfinite(value) for value in (score, bound, gap) if value is not None):
        yield f"score {score}, bound {bound}, gap {gap}, where finite numbers are due"
        return
    if bound is not None and bound < score - rounding:
        yield f"its bound {bound:g} is below its score {score:g}"
    if gap is not None and gap < -CLOSE:
        yield f"its gap {gap:g} is negative"
    if one.proof is Proof.OPTIMAL and bound is not None and bound > score + rounding:
        yield f"it is called optimal, yet its bound {bound:g} is above its score {score:g}"


def _of_front(front: Front) -> Iterator[str]:
    for number, point in enumerate(front):
        if not point.found.sets:
            yield f"point {number} has no set"
    for number, (one, other) in enumerate(pairwise(front)):
        if not (other.dissimilarity > one.dissimilarity and other.quality < one.quality):
            yield f"of points {number} and {number + 1} one is as different as the other and no worse"
