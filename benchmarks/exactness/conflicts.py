"""The family of explanations: that the conflict is one, each part is needed, the repairs fix it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from random import Random
from typing import Any

import altsel
from altsel import Stop
from benchmarks.exactness.checks import sequence
from benchmarks.exactness.criteria import bits, names
from benchmarks.exactness.distance import all_pairs, pairs_with
from benchmarks.exactness.instance import Instance, Ready, Taste, draw_instance, masks_of
from benchmarks.exactness.oracle import grown
from benchmarks.exactness.repairs import unmended
from benchmarks.exactness.rules import every


@dataclass(frozen=True)
class Condition:
    """One condition by its name: a test of families, and whether sets are compared by it."""

    name: str
    test: Callable[[tuple[int, ...]], bool | None]


def draw_explain(rng: Random) -> Instance:
    """Draw a question that is likely to have no answer."""
    at_once = rng.random() < 0.4
    taste = Taste(
        together=at_once, diversities=("each", "each", "each", "average"), most=2, sets=20 if at_once else 90
    )
    for _ in range(12):
        instance = draw_instance(rng, "explain", taste)
        instance = replace(
            instance, diversity=replace(instance.diversity, tau=rng.choice([0.5, 0.75, 0.9, 1.0]))
        )
        instance.more["together"] = at_once
        if at_once and instance.criterion.n > 6:
            continue
        if len(instance.oracle.sure) < 8:
            break
    return instance


def ask_explain(ready: Ready) -> Any:
    """Put it to altsel: what was found, and why no more."""
    wanted = ready.instance
    given = (wanted.problem, wanted.diversity.build(), wanted.alternatives)
    if wanted.more["together"]:
        return None, ready.call(altsel.explain, *given, together=True)
    found = ready.call(altsel.sequential, *given)
    return found, ready.call(altsel.explain, *given, found=found)


def check_explain(instance: Instance, result: Any) -> list[str]:
    """Check the conflict, its parts and the repairs."""
    found, message = result
    known = [] if found is None else [bits(subset.features) for subset in found]
    wrong = [] if found is None else sequence(instance, found, [], instance.diversity, instance.count)
    if wrong:
        return wrong
    conditions = _conditions(instance, known)
    unknown = [one for one in message.conflict if one not in conditions]
    if unknown:
        return [f"the conflict names {unknown}, there are {list(conditions)}"]
    if not message.conflict:
        return _no_conflict(instance, found, message, conditions)
    call = _Possible(instance, [conditions[condition] for condition in conditions])
    part = tuple(message.conflict)
    if call.surely(part):
        return [f"the conflict {part} can hold: {call.witness(part)}"]
    if message.irreducible:
        spare = [one for one in part if not call.perhaps(tuple(other for other in part if other != one))]
        wrong += [f"{spare} are not needed in {part}, which is called irreducible"] * bool(spare)
    if message.smallest:
        less = (some for size in range(len(part)) for some in combinations(conditions, size))
        smaller = next((some for some in less if not call.perhaps(some)), None)
        wrong += [f"{part} is called smallest, {smaller} is smaller"] * (smaller is not None)
    return wrong + [fault for repair in message.repairs for fault in unmended(instance, repair)]


def _no_conflict(instance: Instance, found: Any, message: Any, conditions: dict[str, Condition]) -> list[str]:
    if found is not None and found.stop is Stop.INFEASIBLE:
        return ["no conflict is reported, yet the search was infeasible"]
    if message.stop is Stop.COUNT and found is None:
        call = _Possible(instance, list(conditions.values()))
        return ["nothing is in conflict, it is said, yet there is no family"] * (
            not call.perhaps(tuple(conditions))
        )
    return []


def _conditions(instance: Instance, known: Sequence[int]) -> dict[str, Condition]:
    """Name the conditions as altsel names them."""
    low, high = instance.k
    value = instance.criterion.value
    made = [
        Condition(
            f"k = {low}" if low == high else f"k = {low} to {high}",
            _each(lambda m: low <= m.bit_count() <= high),
        )
    ]
    made.append(
        Condition(f"what {instance.criterion.build().name} admits", _each(lambda m: value(m).feasible))
    )
    for index, rule in enumerate(instance.rules):
        made.append(Condition(f"rule {index}", _each(lambda m, rule=rule: rule.verdict(m, value(m)))))
    return {one.name: one for one in [*made, *_distances(instance, known)]}


def _each(test: Callable[..., bool | None]) -> Callable[[tuple[int, ...]], bool | None]:
    return lambda family: every(test(mask) for mask in family)


def _distances(instance: Instance, known: Sequence[int]) -> list[Condition]:
    diversity = instance.diversity
    words = f"{diversity.measure.capitalize()} of at least {diversity.tau:g}"
    if instance.more["together"]:
        mean = " on average" if diversity.lenient else ""
        name = f"the {instance.count} sets differ by {words}{mean}"
        return [Condition(name, lambda family: diversity.keeps(all_pairs(family)))]
    if diversity.lenient and known:
        name = f"the sets before differ by {words} on average"
        return [Condition(name, lambda family: diversity.keeps(pairs_with(known, family[0])))]
    return [
        Condition(f"differs from set {i} by {words}", _each(partial(diversity.pair, subset)))
        for i, subset in enumerate(known)
    ]


@dataclass
class _Possible:
    """Whether some conditions can hold together; a rule on the quality wants it to be defined."""

    instance: Instance
    conditions: list[Condition]

    def witness(self, some: Sequence[str], sure: bool = True) -> list[tuple[str, ...]] | None:
        """Find sets that keep some conditions."""
        wanted = [
            condition
            for condition in self.conditions
            if condition.name in some or self._implied(condition, some)
        ]
        singles = [one for one in wanted if not one.name.startswith("the ")]
        pairs = [one for one in wanted if one.name.startswith("the ") and self.instance.more["together"]]
        lone = [one for one in wanted if one.name.startswith("the ") and one not in pairs]
        n = self.instance.criterion.n
        good = (True,) if sure else (True, None)
        masks = [m for m in masks_of(n, (1, n)) if all(one.test((m,)) in good for one in [*singles, *lone])]
        if not pairs:
            return [names(mask) for mask in masks[:1]] or None
        diversity = self.instance.diversity
        families = grown(masks, diversity.pair, self.instance.count)
        first = next(
            (family for family in families if all(test.test(family) in good for test in pairs)), None
        )
        return None if first is None else [names(mask) for mask in first]

    def _implied(self, one: Condition, some: Sequence[str]) -> bool:
        on_quality = [f"rule {i}" for i, rule in enumerate(self.instance.rules) if rule.on_quality]
        return one.name.startswith("what ") and any(name in some for name in on_quality)

    def surely(self, some: Sequence[str]) -> bool:
        """Whether sets surely keep them."""
        return self.witness(some) is not None

    def perhaps(self, some: Sequence[str]) -> bool:
        """Whether sets may keep them, up to rounding."""
        return self.witness(some, sure=False) is not None
