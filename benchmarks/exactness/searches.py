"""Families of plain searches: sequential, simultaneous, lenient, good enough."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import altsel
from altsel import Stop
from benchmarks.exactness.checks import REFUTED, distances, family, one_set, sequence, together
from benchmarks.exactness.criteria import CLOSE, ROUNDING, bits
from benchmarks.exactness.distance import pairs_with
from benchmarks.exactness.draws import threshold
from benchmarks.exactness.instance import Instance, Ready, Taste, draw_instance, named, some_known
from benchmarks.exactness.rules import FLOOR


def draw_sequential(rng: Random) -> Instance:
    """Draw a question for `sequential`, some with sets that are there already."""
    instance = draw_instance(rng, "sequential", Taste(across=0.08))
    if instance.alternatives and not instance.across and rng.random() < 0.2:
        instance.more["known"] = some_known(rng, instance)
    return instance


def draw_chain(rng: Random) -> Instance:
    """Draw a long chain under a plain sum, often to its end, with known sets, rules and free sizes."""
    most, sets, largest = rng.choice([(6, 1_000, 12), (12, 500, 12), (20, 260, 9), (60, 130, 9)])
    taste = Taste(most=most, kinds=("univariate",), sets=sets, largest=largest, solvers=False)
    instance = draw_instance(rng, "chains", taste)
    if instance.alternatives and rng.random() < 0.25:
        instance.more["known"] = some_known(rng, instance)
    return replace(instance, mode=rng.choice(["auto", "raced"]))


def ask_sequential(ready: Ready) -> Any:
    """Put it to altsel."""
    wanted = ready.instance
    known = named(wanted.more.get("known", []))
    return ready.call(
        altsel.sequential, wanted.problem, wanted.diversity.build(), wanted.alternatives, known=known
    )


def check_sequential(instance: Instance, found: Any) -> list[str]:
    """Check the sets against the best after those before."""
    known = instance.more.get("known", [])
    return sequence(instance, found, known, instance.diversity, instance.count - bool(known))


def draw_simultaneous(rng: Random) -> Instance:
    """Draw a question for `simultaneous`."""
    instance = draw_instance(rng, "simultaneous", Taste(together=True, across=0.08))
    instance.more["total"] = rng.choice(["sum", "min"])
    return instance


def ask_simultaneous(ready: Ready) -> Any:
    """Put it to altsel."""
    wanted = ready.instance
    total = wanted.more["total"]
    return ready.call(
        altsel.simultaneous, wanted.problem, wanted.diversity.build(), wanted.alternatives, total=total
    )


def check_simultaneous(instance: Instance, found: Any) -> list[str]:
    """Check the sets against the best family."""
    return together(instance, found, instance.more["total"])


def draw_lenient(rng: Random) -> Instance:
    """Draw a question with Average or Penalised, for either search."""
    at_once = rng.random() < 0.5
    taste = Taste(
        together=at_once, diversities=("average", "penalised"), across=0.05, most=2 if at_once else 3
    )
    instance = draw_instance(rng, "lenient", taste)
    if at_once:
        instance.more["total"] = rng.choice(["sum", "min"])
    return instance


def ask_lenient(ready: Ready) -> Any:
    """Put it to altsel."""
    return ask_simultaneous(ready) if "total" in ready.instance.more else ask_sequential(ready)


def check_lenient(instance: Instance, found: Any) -> list[str]:
    """Check it by the search it was put to."""
    at_once = "total" in instance.more
    return check_simultaneous(instance, found) if at_once else check_sequential(instance, found)


def draw_satisfying(rng: Random) -> Instance:
    """Draw a question for `satisfying`, with sets at once or not."""
    at_once = rng.random() < 0.5
    taste = Taste(together=at_once, diversities=("each", "each", "average", "penalised"), across=0.05, most=2)
    instance = draw_instance(rng, "satisfying", taste)
    scores = [one.score for one in instance.oracle.maybe.values()] or [1.0]
    instance.more.update(together=at_once, least=threshold(rng, scores, 0.2))
    return instance


def ask_satisfying(ready: Ready) -> Any:
    """Put it to altsel."""
    wanted, more = ready.instance, ready.instance.more
    search = partial(altsel.satisfying, together=more["together"])
    return ready.call(search, wanted.problem, wanted.diversity.build(), wanted.alternatives, more["least"])


def check_satisfying(instance: Instance, found: Any) -> list[str]:
    """Check that all sets are good enough, and that there are no more if so it is said."""
    least, oracle, masks = (
        instance.more["least"],
        instance.oracle,
        [bits(subset.features) for subset in found],
    )
    wrong = [fault for subset in found for fault in one_set(instance, subset)]
    for subset in found:
        value = instance.criterion.value(bits(subset.features))
        if subset.score < least - max(CLOSE * abs(least), FLOOR, ROUNDING * value.terms):
            wrong.append(f"{subset.features} with {subset.score!r} is below {least!r}")
    if wrong or found.stop not in (*REFUTED, Stop.COUNT):
        return wrong
    good = [mask for mask in oracle.falling if _good(oracle.sure[mask], least)]
    if instance.more["together"]:
        wrong += family(instance, found, instance.diversity)
        others = next(oracle.families(instance.diversity, instance.count, instance.across, good), ())
    else:
        for index, mask in enumerate(masks):
            wrong += distances(instance.diversity, masks[: index + 1], pairs_with(masks[:index], mask))
        others = tuple(set(oracle.following(instance.diversity, masks, instance.across)) & set(good))
    if found.stop is Stop.COUNT and len(masks) != instance.count:
        wrong.append(f"{len(masks)} sets, {instance.count} were wanted")
    if found.stop in REFUTED and others:
        wrong.append(f"stop is {found.stop} after {len(masks)} sets, yet there is {named(others)}")
    return wrong


def _good(value: Any, least: float) -> bool:
    return bool(value.score >= least + max(CLOSE * abs(least), FLOOR, ROUNDING * value.terms))
