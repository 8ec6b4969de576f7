"""The family of near-optimal sets, and losses of quality."""

from __future__ import annotations

from math import inf
from random import Random
from typing import Any

import altsel
from altsel import Stop
from benchmarks.exactness.checks import REFUTED, sequence
from benchmarks.exactness.criteria import CLOSE, ROUNDING, bits, names
from benchmarks.exactness.distance import ANY, Diversity
from benchmarks.exactness.draws import threshold
from benchmarks.exactness.instance import Instance, Ready, Taste, draw_instance
from benchmarks.exactness.rules import FLOOR


def draw_loss(rng: Random, instance: Instance) -> tuple[str, float]:
    """Draw a loss of quality: absolute, of the scale of the qualities, or relative if there is no price."""
    scores = [one.score for one in instance.oracle.maybe.values()] or [1.0]
    if rng.random() < 0.5 and getattr(instance.criterion, "penalty", None) not in {"aic", "bic", "ebic"}:
        return "relative", rng.choice([0.0, 0.02, 0.1, 0.25, 0.5, 1.0])
    best = max(scores)
    return "absolute", max(0.0, best - threshold(rng, [score for score in scores if score <= best], 0.3))


def loss(instance: Instance) -> Any:
    """Make altsel's loss."""
    kind, number = instance.more["within"]
    return {"relative": altsel.RelativeLoss, "absolute": altsel.AbsoluteLoss}[kind](number)


def floor(instance: Instance, best: float) -> tuple[float, float]:
    """Least quality within the loss, and what it is exact to."""
    kind, number = instance.more["within"]
    least = best - number * (abs(best) if kind == "relative" else 1.0)
    return least, max(CLOSE * max(abs(least), abs(best)), FLOOR)


def draw_near_optimal(rng: Random) -> Instance:
    """Draw a question for `near_optimal`, with or without a distance and a limit."""
    instance = draw_instance(rng, "near_optimal", Taste(sets=130))
    instance.more.update(within=draw_loss(rng, instance), apart=rng.random() < 0.4)
    instance.more["limit"] = rng.choice([1, 2, 5, 30, 150])
    return instance


def ask_near_optimal(ready: Ready) -> Any:
    """Put it to altsel."""
    wanted, more = ready.instance, ready.instance.more
    apart = wanted.diversity.build() if more["apart"] else None
    return ready.call(altsel.near_optimal, wanted.problem, loss(wanted), more["limit"], apart)


def check_near_optimal(instance: Instance, found: Any) -> list[str]:
    """Check that the sets are near, in order, each once, and that none is missing."""
    apart = instance.more["apart"] and instance.diversity.least > 0  # at tau 0 each set is found once
    diversity = instance.diversity if apart else ANY
    masks = [bits(subset.features) for subset in found]
    if len(set(masks)) < len(masks):
        return [f"{len(masks) - len(set(masks))} sets come twice"]
    wrong = sequence(instance, found, [], diversity, instance.more["limit"], ends=False)
    wrong += _poor(instance, found)
    if wrong or found.stop not in (*REFUTED, Stop.COUNT):
        return wrong
    if len(masks) > instance.more["limit"] or (
        found.stop is Stop.COUNT and len(masks) < instance.more["limit"]
    ):
        return [f"{len(masks)} sets with limit {instance.more['limit']}, stop {found.stop}"]
    if found.stop is Stop.COUNT:
        return []
    return _missing(instance, found, diversity, masks)


def _poor(instance: Instance, found: Any) -> list[str]:
    if not found:
        return []
    least, hair = floor(instance, found[0].score)
    terms = max(instance.criterion.value(bits(subset.features)).terms for subset in found)
    poor = [subset for subset in found if subset.score < least - max(hair, ROUNDING * terms)]
    return [f"{one.features} with {one.score!r} is below the floor {least!r}" for one in poor]


def _missing(instance: Instance, found: Any, diversity: Diversity, masks: list[int]) -> list[str]:
    least, hair = floor(instance, found[0].score) if found else (-inf, 0.0)
    oracle = instance.oracle
    left = [
        mask
        for mask in oracle.following(diversity, masks)
        if oracle.sure[mask].score > least + max(hair, ROUNDING * oracle.sure[mask].terms)
    ]
    message = [f"{names(mask)} with {oracle.sure[mask].score!r}" for mask in left[:3]]
    return [f"stop is {found.stop} after {len(masks)} sets, yet there is {message}; floor {least!r}"] * bool(
        left
    )
