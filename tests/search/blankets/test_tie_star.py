"""TIE*: removals, learners, what is not done twice."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, combinations, pairwise
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import blankets as blanket
from altsel.results.solutions import Solutions
from altsel.search.blankets.all.removals import IGS
from tests.oracles.known_blankets import all_blankets, copies, sets, table


@pytest.mark.slow
@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(2, 5))
def test_distributions_at_random_against_all_sets(seed: int, features: int) -> None:
    """Features are functions of a few coins: copies, unions, exclusive ors and noise, all at once."""
    random = np.random.default_rng(seed)
    coins = (np.arange(16)[:, None] >> np.arange(4)) & 1
    columns = {}
    for j in range(features):
        chosen = random.choice(4, size=random.integers(1, 3), replace=False)
        columns[f"x{j}"] = coins[:, chosen] @ (1 << np.arange(len(chosen)))
        if random.random() < 0.2:
            columns[f"x{j}"] = coins[:, chosen].sum(axis=1) % 2
    y = coins[:, :3] @ np.array([1, 2, 4]) if random.random() < 0.5 else coins[:, 0] ^ coins[:, 1]
    test = table(
        [dict(zip([*columns, "y"], row, strict=True)) for row in zip(*columns.values(), y, strict=True)]
    )
    family = all_blankets(test)
    found = {
        "igs": altsel.blankets.tie_star(test, learner=smallest),
        "hitting set": altsel.blankets.tie_star(test, learner=smallest, removal="hitting_set"),
    }
    for name, one in found.items():
        assert sets(one) == family, name


def smallest(
    test: altsel.independence.Independence, alpha: float, limits: altsel.blankets.Limits
) -> Solutions:
    """A learner that is always right: try all sets."""
    visible = [name for name in test.features if name not in limits.exclude]
    found = blanket.forward_backward(test, alpha, limits=limits)
    family = all_blankets(cast(altsel.independence.Independence, Visible(test, visible)))
    chosen = min(family, key=lambda one: (len(one), sorted(one)))
    ordered = tuple(name for name in test.features if name in chosen)
    return replace(found, sets=(replace(found[0], features=ordered),))


class Visible:
    """A test that shows some features only."""

    def __init__(self, test: altsel.independence.Independence, features: Sequence[str]) -> None:
        self._test, self.features = test, tuple(features)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._test, name)

    def __call__(
        self, candidates: Sequence[str], given: Sequence[str] = ()
    ) -> altsel.independence.TestResults:
        return self._test(candidates, given)


class Literal:
    """The rule as printed: among all subsets, the smallest one that keeps its three conditions."""

    solves = 0

    def __init__(self) -> None:
        self.hits: list[tuple[frozenset[str], frozenset[str]]] = []
        self.misses: list[frozenset[str]] = []

    def __len__(self) -> int:
        return 0

    def next(self) -> frozenset[str] | None:
        if not self.hits:
            return frozenset() if not self.misses else None
        used = {hidden for hidden, _ in self.hits}
        best: frozenset[str] | None = None
        for hidden, found in self.hits:
            extra = sorted(found - hidden)
            for more in chain.from_iterable(combinations(extra, n) for n in range(1, len(extra) + 1)):
                new = hidden | set(more)
                fits = new not in used and not any(miss <= new for miss in self.misses)
                if fits and (best is None or len(new) < len(best)):
                    best = new
        return best

    def found(self, hidden: frozenset[str], one: frozenset[str]) -> None:
        self.hits.append((hidden, one))

    def failed(self, hidden: frozenset[str]) -> None:
        self.misses.append(hidden)


@pytest.mark.parametrize("groups", [(2, 2, 2), (3, 3), (4, 1), (1, 1)])
def test_the_heap_generates_what_the_printed_rule_does(
    groups: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    test, family = copies(groups)
    plain = altsel.blankets.Reuse(blankets=False)
    found = altsel.blankets.tie_star(test, reuse=plain)
    module = sys.modules["altsel.search.blankets.all.tie_star"]
    monkeypatch.setattr(module, "IGS", lambda **_: Literal())
    printed = altsel.blankets.tie_star(test, reuse=plain)
    assert sets(found) == sets(printed) == family
    assert found.effort.nodes <= printed.effort.nodes
    if groups in {(2, 2, 2), (1, 1)}:
        assert found.effort.nodes == printed.effort.nodes


def test_reuse_saves_runs_and_tests_and_changes_nothing() -> None:
    """Two codes of nine classes: hiding either part of one leads to the same other one."""
    other = [3, 7, 1, 8, 0, 5, 2, 6, 4]
    rows = [
        {"a": y // 3, "b": y % 3, "c": other[y] // 3, "d": other[y] % 3, "y": y, "z": z}
        for y in range(9)
        for z in (0, 1)
    ]
    test = table(rows)
    family = all_blankets(test)
    assert {frozenset("ab"), frozenset("cd")} <= family
    plain = altsel.blankets.tie_star(test, reuse=altsel.blankets.Reuse(blankets=False))
    fewer = altsel.blankets.tie_star(test, reuse=altsel.blankets.Reuse(blankets=True))
    cached = altsel.blankets.tie_star(test, reuse=altsel.blankets.Reuse(blankets=False, answers=100_000))
    assert sets(plain) == sets(fewer) == sets(cached) == family
    assert fewer.effort.nodes < plain.effort.nodes == cached.effort.nodes
    assert cached.effort.tests < plain.effort.tests
    assert sets(altsel.blankets.tmfbs(test)) == family


def test_many_removals_are_generated_one_by_one() -> None:
    removals = IGS()
    pairs = [(f"a{i}", f"b{i}") for i in range(10)]
    hits = 0
    while (hidden := removals.next()) is not None:
        left = [[name for name in pair if name not in hidden] for pair in pairs]
        if all(left):
            hits += 1
            removals.found(hidden, frozenset(names[0] for names in left))
        else:
            removals.failed(hidden)
    assert hits == 1024


def test_every_learner_finds_the_family() -> None:
    rows = [
        {"a": a, "a2": 1 - a, "b": b, "z": z, "y": 2 * a + b} for a in (0, 1) for b in (0, 1) for z in (0, 1)
    ]
    test = table(rows)
    for learner in (blanket.iamb, blanket.grow_shrink, blanket.mmmb, blanket.hiton_mb, blanket.mmpc):
        found = altsel.blankets.tie_star(test, learner=learner)
        assert sets(found) == {frozenset({"a", "b"}), frozenset({"a2", "b"})}, learner.__name__


@pytest.mark.slow
@settings(max_examples=15)
@given(st.integers(0, 10_000))
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_samples_with_copies_give_one_family_whatever_the_search_and_the_order(seed: int) -> None:
    random = np.random.default_rng(seed)
    rows = int(random.integers(60, 300))
    base = random.normal(size=(rows, 3))
    columns = {f"g{i}_{j}": (j + 1) * base[:, i] + j for i in range(3) for j in range(random.integers(1, 4))}
    columns |= {
        "sum": base[:, 0] + base[:, 1],
        "z0": random.normal(size=rows),
        "z1": random.normal(size=rows),
    }
    y = base.sum(axis=1) + random.normal(size=rows) * (0.5 + 2 * random.random())
    families = []
    for names in (list(columns), random.permutation(list(columns)).tolist()):
        data = altsel.Dataset({name: columns[name] for name in names}, y)
        families += [
            sets(search(altsel.independence.PartialCorrelation(data), 0.01))
            for search in (altsel.blankets.tmfbs, altsel.blankets.tie_star)
        ]
    assert all(family == families[0] for family in families)


def test_the_learner_has_the_time_that_is_left() -> None:
    left = []

    def learner(test: Any, alpha: float, limits: Any) -> Solutions:
        left.append(limits.max_seconds)
        return blanket.mmmb(test, alpha, limits=limits)

    test, family = copies((2, 2))
    found = altsel.blankets.tie_star(test, learner=learner, limits=altsel.blankets.Limits(max_seconds=1e5))
    assert sets(found) == family
    assert all(1e5 >= before > after >= 0 for before, after in pairwise(left))
