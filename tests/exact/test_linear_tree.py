"""Chains by a tree of linear programs that grows from step to step, beside all sets."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import fsum
from typing import Any

import numpy as np
import pytest

from altsel import Dice, Problem, Proof, Stop, Univariate, domain, sequential
from altsel.exact.rules.linear_rules import Rules
from altsel.exact.sources.plain_sum import chain, frontier
from altsel.exact.sources.plain_sum.compiled import LINEAR_LOOPS, LOOPS
from altsel.exact.sources.plain_sum.conditions import read_conditions
from altsel.exact.sources.plain_sum.frontier import Frontier, begin
from altsel.exact.sources.plain_sum.ground import ground


@dataclass
class Walk:
    """What a chain by a tree alone has met."""

    scores: list[float]
    bounds: list[list[float]]


def walk(weights: np.ndarray, size: int, overlap: int, rows: Any, low: float, loops: Any) -> Walk:
    """Take one step after another until no set of at least a score is left."""
    stated = read_conditions(weights, Rules(rows, []))
    known: list[np.ndarray] = []
    found = Walk([], [])
    tree, high = None, np.inf
    while True:
        left = ground(stated, np.arange(len(weights)), size, known, [overlap] * len(known))
        if left is None:
            return found
        if tree is None:
            first = begin(left, np.arange(len(weights)), low, 0.01)
            tree = Frontier(first.low, first.window, first.features, 0.01, loops)
        assert tree.grow(left, min(high, left.top + left.rounding), lambda _: True)
        if tree.best == -np.inf:
            return found
        found.scores.append(tree.best)
        found.bounds.append(sorted(tree.bound.tolist()))
        known.append(tree.members_of_best())
        high = tree.best


def best_sums(
    weights: np.ndarray, size: int, overlap: int, rows: Any, low: float, chosen: int
) -> list[float]:
    """Return the scores of all sets that keep the rows, best first, as far as they are at least `low`."""
    every = [
        fsum(weights[list(s)])
        for s in combinations(range(len(weights)), size)
        if all(row[list(s)].sum() <= limit for row, _, limit in rows)
    ]
    return sorted((one for one in every if one >= low), reverse=True)[:chosen]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("room", [1, 1_024])
def test_the_plain_and_the_compiled_tree_do_the_same(
    seed: int, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = LINEAR_LOOPS.compiled
    if compiled is None:
        pytest.skip("numba is not installed")
    monkeypatch.setattr(frontier, "ROOM", room)
    monkeypatch.setattr(frontier, "SHARE", 1 if room == 1 else 2_000_000)
    random = np.random.default_rng(seed)
    weights = random.random(10) if seed % 2 else random.integers(-2, 4, 10).astype(float)
    rows = [(random.integers(0, 3, 10).astype(float), -np.inf, 5.0)] if seed % 3 == 0 else []
    size, overlap = int(random.integers(2, 5)), int(random.integers(0, 2))
    low = float(np.sort(weights)[-size:].sum() - random.random() * 2)
    plain = walk(weights, size, overlap, rows, low, LINEAR_LOOPS.plain)
    fast = walk(weights, size, overlap, rows, low, compiled)
    assert plain.scores == fast.scores
    assert plain.scores[:1] == best_sums(weights, size, overlap, rows, low, 1)
    for one, other in zip(plain.bounds, fast.bounds, strict=True):
        assert one == pytest.approx(other, abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_every_step_and_the_end_are_those_of_all_sets(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With equal weights and ties, too: a step between targets of the same score never ended."""
    if LOOPS.compiled is None or LINEAR_LOOPS.compiled is None:
        pytest.skip("numba is not installed")
    monkeypatch.setattr(chain, "HARD", -1)
    monkeypatch.setattr(chain, "CHEAP", 10**15)
    random = np.random.default_rng(seed)
    weights = [random.random(10), random.integers(-1, 3, 10).astype(float), np.ones(10)][seed % 3]
    price = random.integers(0, 4, 10)
    names = [f"x{j}" for j in range(10)]
    rules = [domain.budget(dict(zip(names, map(float, price), strict=True)), 7.0)] if seed % 2 else []
    measure = Dice([0.25, 0.5, 0.75][seed % 3])
    left = [
        (fsum(weights[list(s)]), frozenset(s))
        for s in combinations(range(10), 4)
        if not rules or price[list(s)].sum() <= 7
    ]
    for subset in (found := sequential(Problem(Univariate(weights), 4, rules), measure, 40)):
        one = frozenset(int(f[1:]) for f in subset.features)
        assert subset.proof is Proof.OPTIMAL
        assert subset.score == max(score for score, _ in left)
        left = [(score, s) for score, s in left if len(s & one) <= measure.share * 8]
    assert found.stop is (Stop.INFEASIBLE if len(found) < 41 else Stop.COUNT)
    assert found.stop is Stop.COUNT or not left


def test_a_tree_that_is_stopped_claims_no_end() -> None:
    weights = np.random.default_rng(0).random(12)
    stated = read_conditions(weights, Rules([], []))
    left = ground(stated, np.arange(12), 5, [np.argsort(-weights)[:5]], [2])
    assert left is not None
    tree = Frontier(-10.0, np.arange(12), left.features, 0.001, LINEAR_LOOPS.plain)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frontier, "SHARE", 1)
        assert not tree.grow(left, left.top, lambda _: False)
