"""Families about valid sets: all of them, some at random, and hill climbing over them."""

from __future__ import annotations

from random import Random
from typing import Any

import altsel
from altsel import Proof, Stop
from benchmarks.exactness.checks import REFUTED, across_kept, distances, family, one_set
from benchmarks.exactness.criteria import bits, members, name
from benchmarks.exactness.distance import pairs_with
from benchmarks.exactness.instance import (
    Instance,
    Ready,
    Taste,
    draw_instance,
    masks_of,
    named,
    some_known,
)
from benchmarks.exactness.rules import every


def draw_valid(rng: Random) -> Instance:
    """Draw a question for `enumerate_valid` or `sample_valid`."""
    instance = draw_instance(rng, "valid", Taste(sets=130))
    instance.more.update(sample=rng.choice([0, 0, 1, 5, 40]), apart=rng.random() < 0.6)
    instance.more.update(known=some_known(rng, instance, 3) if instance.more["apart"] else [])
    instance.more["state"] = rng.randrange(1000)
    return instance


def ask_valid(ready: Ready) -> Any:
    """Put it to altsel."""
    wanted, more = ready.instance, ready.instance.more
    diversity = wanted.diversity.build() if more["apart"] else None
    known = named(more["known"])
    if more["sample"]:
        return ready.call(
            altsel.sample_valid, wanted.problem, more["sample"], diversity, known, more["state"]
        )
    return list(ready.call(altsel.enumerate_valid, wanted.problem, diversity, known))


def check_valid(instance: Instance, found: Any) -> list[str]:
    """Check that all sets are valid, and that none is missing."""
    more, oracle = instance.more, instance.oracle
    sets = found.sets if more["sample"] else found
    sure = {mask for mask in oracle.sure if _apart(instance, mask)}
    maybe = {mask for mask in oracle.maybe if _apart(instance, mask)}
    got = [bits(subset) for subset in sets]
    wrong = [f"{subset} is not valid" for subset, mask in zip(sets, got, strict=True) if mask not in maybe]
    wrong += [
        f"{subset} is in another order"
        for subset in sets
        if list(subset) != [name(i) for i in members(bits(subset))]
    ]
    if more["sample"]:
        return wrong + _sampled(instance, found, sure)
    if len(set(got)) < len(got):
        wrong.append(f"{len(got) - len(set(got))} sets come twice")
    missing = sure - set(got)
    if missing:
        wrong.append(f"{len(missing)} of {len(sure)} valid sets are missing, such as {named([min(missing)])}")
    return wrong


def _apart(instance: Instance, mask: int) -> bool:
    return all(instance.diversity.pair(one, mask) for one in instance.more["known"])


def _sampled(instance: Instance, found: Any, sure: set[int]) -> list[str]:
    wanted = instance.more["sample"]
    wrong = [f"{len(found.sets)} sets of {wanted}, yet there are {len(sure)} valid ones"] * bool(
        sure and len(found.sets) != wanted
    )
    if found.valid is None:
        return wrong
    verdicts = []
    for mask in masks_of(instance.criterion.n, instance.k):
        value = instance.criterion.value(mask)
        if _apart(instance, mask):
            verdicts.append(every(rule.verdict(mask, value) for rule in instance.rules))
    least, most = verdicts.count(True), len(verdicts) - verdicts.count(False)
    if not least <= found.valid <= most:
        wrong.append(f"{found.valid} sets are counted, there are {least}")
    return wrong


def draw_wrapper(rng: Random) -> Instance:
    """Draw a question for `wrapper`, with sets at once or not."""
    at_once = rng.random() < 0.4
    diversities = ("each", "each", "average", "penalised")
    taste = Taste(together=at_once, diversities=diversities, across=0.05, kinds=("black box",), most=2)
    instance = draw_instance(rng, "wrapper", taste)
    climb = {"max_iters": rng.choice([1, 5, 30]), "restarts": rng.choice([0, 0, 2])}
    climb["random_state"] = rng.randrange(1000)
    if rng.random() < 0.3:
        climb["pairs"] = rng.random() < 0.5
    instance.more.update(together=at_once, total=rng.choice(["sum", "min"]), climb=climb)
    return instance


def ask_wrapper(ready: Ready) -> Any:
    """Put it to altsel."""
    wanted, more = ready.instance, ready.instance.more
    given = (wanted.problem, wanted.diversity.build(), wanted.alternatives)
    climb = altsel.HillClimbing(**more["climb"])
    if more["together"]:
        return ready.call(altsel.wrapper, *given, together=True, total=more["total"], climb=climb)
    return ready.call(altsel.wrapper, *given, climb=climb)


def check_wrapper(instance: Instance, found: Any) -> list[str]:
    """Check that the sets are valid and heuristic, and infeasibility."""
    oracle, masks = instance.oracle, [bits(subset.features) for subset in found]
    wrong = [fault for subset in found for fault in one_set(instance, subset)]
    wrong += [
        f"{subset.features} is {subset.proof}" for subset in found if subset.proof is not Proof.HEURISTIC
    ]
    if instance.more["together"]:
        wrong += family(instance, found, instance.diversity)
        others: Any = next(oracle.families(instance.diversity, instance.count, instance.across), ())
    else:
        for index, mask in enumerate(masks):
            wrong += distances(instance.diversity, masks[: index + 1], pairs_with(masks[:index], mask))
            wrong += across_kept(masks[: index + 1], instance.across)
        others = oracle.following(instance.diversity, masks, instance.across)
    if found.stop is Stop.COUNT and len(masks) != instance.count:
        wrong.append(f"stop is count with {len(masks)} sets of {instance.count}")
    if found.stop in REFUTED and others:
        wrong.append(f"stop is {found.stop} after {len(masks)} sets, yet there is {named(others[:3])}")
    return wrong
