"""What replaces what, against all pairs of sets one by one, in memory that does not grow with the pairs."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import altsel
from altsel.analysis import substitutions as module
from altsel.results.feature_set import FeatureSet, Proof
from altsel.runtime import memory

NAMES = tuple(f"x{j}" for j in range(40))


def solutions(sets: list[tuple[str, ...]]) -> altsel.Solutions:
    found = tuple(FeatureSet(names, float(-i), Proof.FEASIBLE) for i, names in enumerate(sets))
    return altsel.Solutions(found, altsel.Stop.COUNT, universe=NAMES, criterion="given", search="given")


def test_the_nearest_sets_without_a_feature_say_what_replaces_it(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    sets = sorted({tuple(sorted(random.choice(NAMES[:9], random.integers(1, 5), False))) for _ in range(40)})
    found = solutions([tuple(map(str, one)) for one in random.permutation(np.array(sets, dtype=object))])
    expected = []
    for name in NAMES:
        ways: dict[tuple[frozenset[str], frozenset[str]], int] = {}
        others = [frozenset(one) for one in found if name not in one]
        for one in (frozenset(subset) for subset in found if name in subset):
            least = min(len(one ^ other) for other in others)
            for other in (other for other in others if len(one ^ other) == least):
                way = (one - other - {name}, other - one)
                ways[way] = ways.get(way, 0) + 1
        expected += [(name, *way, count) for way, count in ways.items()]
    monkeypatch.setattr(module, "ROWS", 7)
    table = altsel.substitutions(found)
    rows = table[["feature", "along with", "replaced by", "sets"]].itertuples(index=False)
    assert [(name, frozenset(a), frozenset(b), count) for name, a, b, count in rows] == expected


@pytest.mark.slow
def test_memory_does_not_grow_with_the_square_of_the_sets() -> None:
    held = np.random.default_rng(0).random((8_000, 30)) < 0.2
    tracemalloc.start()
    try:
        counts = [differ.max() for differ in module._differing(held)]
        assert tracemalloc.get_traced_memory()[1] < 60e6  # a table of all pairs takes 256 MB
    finally:
        tracemalloc.stop()
    assert counts[0] == (held ^ held[0]).sum(axis=1).max()
    assert len(counts) == len(held)


def test_too_many_ways_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    found = solutions([(name,) for name in NAMES])
    monkeypatch.setattr(memory, "SMALL", 0)
    monkeypatch.setattr(module, "ROWS", 1)
    monkeypatch.setenv("ALTSEL_MEMORY", "10KB")
    with pytest.raises(altsel.ArgumentError, match=r"ways to replace features need .* give fewer sets"):
        altsel.substitutions(found)
