"""The family of fronts: all trade-offs of quality and dissimilarity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import altsel
from benchmarks.exactness.checks import REFUTED, across_kept, family, one_set
from benchmarks.exactness.criteria import CLOSE, ROUNDING, bits
from benchmarks.exactness.distance import ANY, MEANS, Diversity, all_pairs, pairs_with
from benchmarks.exactness.instance import Instance, Ready, Taste, draw_instance, named, some_known
from benchmarks.exactness.oracle import Best

Offer = tuple[Fraction, Best]
"""How different, and what it is worth."""


def draw_front(rng: Random) -> Instance:
    """Draw a question for `pareto_front`, with sets at once or not."""
    at_once = rng.random() < 0.5
    diversities = ("each", "each", "average")
    taste = Taste(together=at_once, diversities=diversities, most=2, sets=40 if at_once else 130)
    instance = draw_instance(rng, "fronts", taste)
    instance.more["together"] = at_once
    if at_once:
        instance.more["total"] = rng.choice(["sum", "min"])
    elif rng.random() < 0.6:
        instance.more["known"] = some_known(rng, instance)
    return instance


def ask_front(ready: Ready) -> Any:
    """Put it to altsel."""
    wanted, more = ready.instance, ready.instance.more
    problem, diversity = wanted.problem, wanted.diversity.build()
    if more["together"]:
        return ready.call(
            altsel.pareto_front,
            problem,
            diversity,
            alternatives=wanted.alternatives,
            total=more["total"],
            together=True,
        )
    return ready.call(altsel.pareto_front, problem, diversity, named(more.get("known", [])))


def check_front(instance: Instance, front: Any) -> list[str]:
    """Check the points against all offers, from known sets or from the best one."""
    if instance.more["together"] or "known" in instance.more:
        return _checked(instance, front, instance.more.get("known", []))
    if not front.reference:
        return _checked_empty(instance, front)
    reference = [bits(one) for one in front.reference]
    whole = front.stop in REFUTED
    if len(reference) != 1 or reference[0] not in (_best_sets(instance) if whole else instance.oracle.maybe):
        return [f"the front is measured from {front.reference}"]
    return _checked(instance, front, reference)


def _best_sets(instance: Instance) -> list[int]:
    oracle = instance.oracle
    alone = oracle.following(instance.diversity, [], instance.across)
    best = max((oracle.sure[mask].score for mask in alone), default=None)
    if best is None:
        return list(oracle.maybe)
    return [
        mask for mask, one in oracle.maybe.items() if one.score >= best - max(one.slack, CLOSE * abs(best))
    ]


def _checked_empty(instance: Instance, front: Any) -> list[str]:
    return [f"{len(front)} points, yet there is no set"] if len(front) and not instance.oracle.maybe else []


def _checked(instance: Instance, front: Any, known: Sequence[int]) -> list[str]:
    diversity, wrong = instance.diversity, []
    for point in front:
        masks = [bits(subset.features) for subset in point.found]
        wrong += _point(instance, point, masks, known)
    if wrong or (front.stop not in REFUTED and not len(front)):
        return wrong
    offers = list(_offers(instance, known))
    nexts = [*(one.found.proved for one in front), front.stop in REFUTED][1:]
    for point, strictly in zip(front, nexts, strict=True):
        if point.found.proved:
            wrong += _beaten(point, offers, diversity, front if strictly else None)
    return wrong + (_left_out(front, offers, diversity) if front.stop in REFUTED else [])


def _point(instance: Instance, point: Any, masks: list[int], known: Sequence[int]) -> list[str]:
    """Check one point by itself."""
    diversity, at_once = instance.diversity, instance.more["together"]
    if at_once:
        wrong = family(instance, point.found, diversity)
        pairs = all_pairs(masks)
        wrong += [f"{len(masks)} sets, {instance.count} were wanted"] * (len(masks) != instance.count)
    else:
        wrong = [fault for subset in point.found for fault in one_set(instance, subset)]
        pairs = pairs_with(known, masks[0])
        wrong += [f"{point.found[0].features} is too similar"] * (diversity.keeps(pairs) is False)
        wrong += across_kept([*known, *masks], instance.across)
    if wrong or any(mask not in instance.oracle.maybe for mask in masks):
        return wrong
    truth, worth = diversity.gathered(pairs), _worth(instance, masks)
    if abs(point.dissimilarity - truth) > 1e-12:
        wrong.append(f"a point says dissimilarity {point.dissimilarity!r}, it is {truth}")
    if abs(point.quality - worth.value) > ROUNDING * worth.terms:
        wrong.append(f"a point says quality {point.quality!r}, it is {worth.value!r}")
    return wrong


def _worth(instance: Instance, masks: Sequence[int]) -> Best:
    return instance.oracle.total(ANY, masks, instance.more.get("total", "sum"))


def _offers(instance: Instance, known: Sequence[int]) -> Iterable[Offer]:
    """Return what can surely be had: of each dissimilarity the best."""
    oracle, diversity = instance.oracle, instance.diversity
    found: dict[Fraction, Best] = {}
    if instance.more["together"]:
        families = oracle.families(diversity, instance.count, instance.across)
        pairs = ((diversity.gathered(all_pairs(one)), one) for one in families)
    else:
        sets = oracle.following(diversity, known, instance.across)
        pairs = ((diversity.gathered(pairs_with(known, subset)), (subset,)) for subset in sets)
    for apart, masks in pairs:
        worth = _worth(instance, masks)
        if apart not in found or worth.value > found[apart].value:
            found[apart] = worth
    return found.items()


def _beaten(point: Any, offers: Iterable[Offer], diversity: Diversity, front: Any) -> list[str]:
    """Look for an offer that is better and as different; and, given the whole front, as good and more so.

    The latter may be the next point, found to within a tolerance.
    """
    resolution = MEANS if diversity.kind == "average" else Fraction(1, 10**9)
    for apart, best in offers:
        hair = max(best.slack(point.quality), 0.0)
        ahead = apart - Fraction(point.dissimilarity)
        if ahead >= -Fraction(1, 10**12) and best.value > point.quality + hair:
            return [f"point {_told(point)} is called proved; {named(best.masks)} has {_brief(apart, best)}"]
        same = best.value >= point.quality and ROUNDING * best.terms < 1e-10 * abs(best.value)
        if front and ahead > resolution and same and not _reached(front, apart, best, resolution):
            return [f"point {_told(point)} is beaten by {named(best.masks)}: {_brief(apart, best)}"]
    return []


def _left_out(front: Any, offers: Iterable[Offer], diversity: Diversity) -> list[str]:
    """Look for an offer that no point reaches, where these are said to be all."""
    resolution = MEANS if diversity.kind == "average" else Fraction(1, 10**12)
    for apart, best in offers:
        if not _reached(front, apart, best, resolution):
            return [f"stop is {front.stop}, yet no point reaches {named(best.masks)}: {_brief(apart, best)}"]
    return []


def _reached(front: Any, apart: Fraction, best: Best, resolution: Fraction) -> bool:
    return any(
        Fraction(one.dissimilarity) >= apart - resolution
        and one.quality >= best.value - best.slack(one.quality)
        for one in front
    )


def _told(point: Any) -> str:
    return f"({point.dissimilarity:.6g}, {point.quality!r})"


def _brief(apart: Fraction, best: Best) -> str:
    return f"({float(apart):.6g}, {best.value!r})"
