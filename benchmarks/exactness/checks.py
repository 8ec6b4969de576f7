"""Checks that all families share: of one set, of a bound, of a sequence, of sets found together."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Any

from altsel import Proof, Stop
from benchmarks.exactness.criteria import ROUNDING, bits, names
from benchmarks.exactness.distance import Diversity, all_pairs, pairs_with
from benchmarks.exactness.instance import Instance
from benchmarks.exactness.oracle import Best, Oracle
from benchmarks.exactness.rules import Across, every

REFUTED = (Stop.INFEASIBLE, Stop.EXHAUSTED)


def one_set(instance: Instance, one: Any) -> list[str]:
    """Check that a set is valid, and that its score is the formula's."""
    mask, value = bits(one.features), instance.criterion.value(bits(one.features))
    message = f"{one.features} "
    wrong = []
    if list(one.features) != list(names(mask)):
        wrong.append(f"{message}: features twice or in another order")
    if not instance.k[0] <= len(one) <= instance.k[1]:
        wrong.append(f"{message}: {len(one)} features, k is {instance.k}")
    wrong += [
        f"{message}breaks rule {index} ({rule.kind})"
        for index, rule in enumerate(instance.rules)
        if rule.verdict(mask, value) is False
    ]
    if value.feasible is False:
        wrong.append(f"{message}is not admitted by the criterion")
    if abs(one.score - value.score) > ROUNDING * value.terms:
        wrong.append(f"{message}scores {one.score!r}, the formula gives {value.score!r}")
    return wrong + _own_bound(one)


def _own_bound(one: Any) -> list[str]:
    message, wrong = f"{one.features} ", []
    if one.bound is not None and one.bound < one.score:
        wrong.append(f"{message}has bound {one.bound!r} below its score {one.score!r}")
    if one.proof is Proof.OPTIMAL and one.gap not in (None, 0):
        wrong.append(f"{message}is optimal with a gap of {one.gap}")
    if one.gap is not None and not one.gap >= 0:
        wrong.append(f"{message}has gap {one.gap}")
    return wrong


def claim(message: str, one: Any, worth: Best, best: Best | None) -> list[str]:
    """Check proof and bound of a set, or of a total, against the best there is."""
    if best is None:
        return []
    most = worth.value if one.bound is None else fsum([worth.value, one.bound, -one.score])
    if one.proof is Proof.OPTIMAL and best.value - worth.value > max(
        1e-9 * abs(worth.value), ROUNDING * worth.terms
    ):
        better = [names(mask) for mask in best.masks]
        return [f"{message} is called optimal with {worth.value!r}; {better} has {best.value!r}"]
    if one.bound is not None and most < best.value - best.slack(most):
        better = [names(mask) for mask in best.masks]
        return [f"{message} has bound {most!r}; {better} has {best.value!r}"]
    return []


def distances(diversity: Diversity, masks: Sequence[int], pairs: Sequence[tuple[int, int]]) -> list[str]:
    """Check that sets differ as demanded."""
    if diversity.keeps(pairs) is False:
        return [f"{[names(mask) for mask in masks]} do not differ by {diversity}"]
    return []


def across_kept(masks: Sequence[int], across: Sequence[Across]) -> list[str]:
    """Check rules across sets."""
    if every(rule.verdict(masks) for rule in across) is False:
        return [f"{[names(mask) for mask in masks]} break a rule across sets"]
    return []


def sequence(
    instance: Instance, found: Any, before: Sequence[int], diversity: Diversity, count: int, ends: bool = True
) -> list[str]:
    """Check sets found one after another, given those before; and why it ended, if `ends`."""
    oracle, known, wrong = instance.oracle, list(before), []
    for subset in found:
        mask = bits(subset.features)
        faults = one_set(instance, subset)
        faults += distances(diversity, [*known, mask], pairs_with(known, mask))
        faults += across_kept([*known, mask], instance.across)
        if mask in oracle.maybe:
            best = oracle.best_after(diversity, known, instance.across)
            message = f"{subset.features} after {[names(mask) for mask in known]}"
            faults += claim(message, subset, oracle.worth(diversity, known, mask), best)
        wrong += faults
        known.append(mask)
    if wrong or not ends:
        return wrong
    return ended(oracle, found, known, diversity, count, instance.across)


def ended(
    oracle: Oracle,
    found: Any,
    known: Sequence[int],
    diversity: Diversity,
    count: int,
    across: Sequence[Across],
) -> list[str]:
    """Check why a sequence ended."""
    if found.stop is Stop.COUNT and len(found) != count:
        return [f"stop is count with {len(found)} sets of {count}"]
    if len(found) > count:
        return [f"{len(found)} sets, {count} were wanted"]
    if found.stop in REFUTED:
        others = oracle.following(diversity, known, across)
        if others:
            before = [names(mask) for mask in known]
            return [f"stop is {found.stop} after {before}, yet there is {names(others[0])}"]
    return []


def together(instance: Instance, found: Any, total: str) -> list[str]:
    """Check sets found at once."""
    oracle, masks = instance.oracle, [bits(subset.features) for subset in found]
    best = oracle.best_family(instance.diversity, instance.count, total, instance.across)
    if not masks:
        if found.stop in (*REFUTED, Stop.COUNT) and best is not None:
            return [f"stop is {found.stop}, yet there are {[names(mask) for mask in best.masks]}"]
        return []
    wrong = family(instance, found, instance.diversity)
    if len(masks) != instance.count:
        wrong.append(f"{len(masks)} sets, {instance.count} were wanted")
    if wrong or not all(mask in oracle.maybe for mask in masks):
        return wrong
    worth = oracle.total(instance.diversity, masks, total)
    message = f"{[subset.features for subset in found]}"
    return [fault for subset in found for fault in claim(message, subset, worth, best)][:1]


def family(instance: Instance, found: Any, diversity: Diversity) -> list[str]:
    """Check that sets found at once are valid, and keep all conditions between them."""
    masks = [bits(subset.features) for subset in found]
    wrong = [fault for subset in found for fault in one_set(instance, subset)]
    return wrong + distances(diversity, masks, all_pairs(masks)) + across_kept(masks, instance.across)
