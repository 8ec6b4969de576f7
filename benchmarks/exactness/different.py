"""The family of the most different sets that lose little quality."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import altsel
from altsel import Stop
from benchmarks.exactness.checks import REFUTED, across_kept, family, one_set, sequence
from benchmarks.exactness.criteria import CLOSE, ROUNDING, bits
from benchmarks.exactness.distance import ANY, MEANS, Diversity, all_pairs, pairs_with
from benchmarks.exactness.instance import Instance, Ready, Taste, draw_instance, named
from benchmarks.exactness.near import draw_loss, floor, loss
from benchmarks.exactness.oracle import Best

Offer = tuple[Fraction, Best]
"""How different, and what it is worth."""


def draw_different(rng: Random) -> Instance:
    """Draw a question for `most_different`, with sets at once or not."""
    at_once = rng.random() < 0.5
    diversities = ("each", "each", "average")
    taste = Taste(together=at_once, diversities=diversities, most=2, sets=40 if at_once else 130)
    instance = draw_instance(rng, "most_different", taste)
    instance.more.update(together=at_once, within=draw_loss(rng, instance))
    return instance


def ask_different(ready: Ready) -> Any:
    """Put it to altsel."""
    wanted = ready.instance
    search = partial(altsel.most_different, together=wanted.more["together"])
    return ready.call(search, wanted.problem, wanted.diversity.build(), wanted.alternatives, loss(wanted))


def check_different(instance: Instance, found: Any) -> list[str]:
    """Check that nothing within the loss is more different, nor as different and better."""
    masks = [bits(subset.features) for subset in found]
    wrong = [fault for subset in found for fault in one_set(instance, subset)]
    if wrong:
        return wrong
    if instance.more["together"]:
        return _different_together(instance, found, masks)
    wrong = sequence(instance, found[:1], [], instance.diversity, 1, ends=False)
    for index in range(1, len(masks)):
        wrong += _next_different(instance, found, masks[:index], found[index])
    if found.stop in REFUTED and not wrong:
        wrong += _still(instance, found, _within(instance, _further(instance, masks), found), masks)
    return wrong


def _further(instance: Instance, known: Sequence[int]) -> list[Offer]:
    """List what can surely come next: sets, and how different they are."""
    diversity, oracle = instance.diversity, instance.oracle
    offers = [
        (diversity.gathered(pairs_with(known, mask)), oracle.worth(ANY, [], mask))
        for mask in oracle.following(diversity, known, instance.across)
    ]
    return [offer for offer in offers if offer[0] > 0]


def _within(instance: Instance, offers: list[Offer], found: Any) -> list[Offer]:
    """Keep what is surely within the loss of the best set."""
    if not len(found):
        return offers
    least, hair = floor(instance, found[0].score)
    return [offer for offer in offers if offer[1].value > least + max(hair, ROUNDING * offer[1].terms)]


def _still(instance: Instance, found: Any, offers: list[Offer], masks: list[int]) -> list[str]:
    if offers and len(masks) < instance.count:
        return [f"stop is {found.stop} after {named(masks)}, yet there is {named(offers[0][1].masks)}"]
    return []


def _next_different(instance: Instance, found: Any, known: list[int], one: Any) -> list[str]:
    pairs = pairs_with(known, bits(one.features))
    least, hair = floor(instance, found[0].score)
    worth = instance.oracle.worth(ANY, [], bits(one.features))
    wrong = [f"{one.features} is too similar"] * (instance.diversity.keeps(pairs) is False)
    wrong += across_kept([*known, bits(one.features)], instance.across)
    if one.score < least - max(hair, ROUNDING * worth.terms):
        wrong.append(f"{one.features} with {one.score!r} is below the floor {least!r}")
    if wrong or one.proof is not altsel.Proof.OPTIMAL:
        return wrong
    offers = _within(instance, _further(instance, known), found)
    message = f"{one.features} after {named(known)}"
    return _surpassed(instance.diversity, message, instance.diversity.gathered(pairs), worth, offers)


def _surpassed(
    diversity: Diversity, message: str, apart: Fraction, worth: Best, offers: list[Offer]
) -> list[str]:
    resolution = MEANS if diversity.kind == "average" else Fraction(0)
    for other, best in offers:
        if other > apart + resolution:
            return [f"{message} is called optimal with {apart}; {named(best.masks)} is as far as {other}"]
        if other >= apart and best.value > worth.value + worth.slack(best.value):
            better = f"{named(best.masks)} is as far and has {best.value!r}"
            return [f"{message} is called optimal with {worth.value!r}; {better}"]
    return []


def _different_together(instance: Instance, found: Any, masks: list[int]) -> list[str]:
    oracle, diversity = instance.oracle, instance.diversity
    alone = oracle.following(diversity, [], instance.across)
    best = max((oracle.sure[mask].score for mask in alone), default=None)
    if best is None:
        return [f"{len(masks)} sets, yet there is none"] * bool(masks and not oracle.maybe)
    whole = not masks or found.stop in (*REFUTED, Stop.COUNT)
    if not whole:  # the loss is from the best set that was met
        best = min(best, max(subset.score for subset in found))
    # a set that keeps a rule but for rounding may have been the best one
    most = max(best, *(one.score for one in oracle.maybe.values() if one.feasible)) if whole else best
    least, hair = floor(instance, most)
    hair = max(hair, CLOSE * abs(most))
    good = [m for m in oracle.falling if oracle.sure[m].score > least + max(hair, oracle.sure[m].slack)]
    offers = [
        (diversity.gathered(all_pairs(one)), oracle.total(ANY, one, "min"))
        for one in oracle.families(diversity, instance.count, instance.across, good)
    ]
    offers = [offer for offer in offers if offer[0] > 0]
    if not masks:
        return _still(instance, found, offers, masks) if found.stop in (*REFUTED, Stop.COUNT) else []
    least, hair = floor(instance, best)
    hair = max(hair, CLOSE * abs(best))
    wrong = family(instance, found, diversity)
    poor = [m for m in masks if oracle.maybe[m].score < least - max(hair, oracle.maybe[m].slack)]
    wrong += [f"{named(poor)} are below the floor {least!r}"] * bool(poor)
    if wrong or not found.proved:
        return wrong
    apart, worth = diversity.gathered(all_pairs(masks)), oracle.total(ANY, masks, "min")
    return _surpassed(diversity, f"{named(masks)}", apart, worth, offers)
