"""Whether the repairs of an explanation fix it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from benchmarks.exactness.distance import Diversity, all_pairs, pairs_with
from benchmarks.exactness.instance import Instance, masks_of
from benchmarks.exactness.oracle import Oracle, grown

MOST_PATHS = 200
"""Ways through ties that are followed before a repair is taken as true."""


def unmended(instance: Instance, repair: Any) -> list[str]:
    """Check that a repair fixes the search, for some choice among sets equally good."""
    changed = instance
    if repair.name == "tau":
        changed = replace(instance, diversity=replace(instance.diversity, tau=float(repair.value)))
    elif repair.name == "k":
        changed = replace(instance, k=(int(repair.value), int(repair.value)))
    else:
        changed = replace(instance, alternatives=int(repair.value))
    oracle = Oracle(changed.criterion, masks_of(changed.criterion.n, changed.k), changed.rules)
    if instance.more["together"]:
        fixes = any(True for _ in _perhaps_families(oracle, changed.diversity, changed.count))
    else:
        fixes = _path(oracle, changed.diversity, (), changed.count, [MOST_PATHS])
    return [] if fixes else [f"the repair '{repair}' does not fix it"]


def _perhaps_families(oracle: Oracle, diversity: Diversity, count: int) -> Iterator[tuple[int, ...]]:
    families = grown(list(oracle.maybe), diversity.pair, count)
    return (family for family in families if diversity.keeps(all_pairs(family)) is not False)


def _path(oracle: Oracle, diversity: Diversity, known: tuple[int, ...], count: int, left: list[int]) -> bool:
    """Follow sequential search through ties, as far as that is worth it."""
    if len(known) == count or left[0] <= 0:
        return True
    left[0] -= 1
    fit = [m for m in oracle.maybe if diversity.keeps(pairs_with(known, m)) is not False]
    worth = {m: oracle.worth(diversity, known, m) for m in fit}
    best = max((one.value for m, one in worth.items() if m in oracle.sure), default=None)
    ties = [m for m, one in worth.items() if best is None or one.value >= best - one.slack(best)]
    return any(_path(oracle, diversity, (*known, m), count, left) for m in ties)
