"""Sets of given counts: which counts there are, and whether sets have them, by brute force."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

import altsel
from altsel import Dice, Problem, Univariate
from altsel.exact.families.counts import count_vectors, realisation
from altsel.exact.families.counts.compiled import REALISATIONS, Realisation
from altsel.exact.families.counts.count_vectors import counts_above
from altsel.exact.families.counts.realisation import Asked, realise
from altsel.exact.families.counts.realised_families import best_poorest
from altsel.runtime.clock import clock, limited
from tests.loops import choose_loops

SHAPES = [(6, 3, 2, 1), (6, 4, 3, 2), (6, 3, 3, 2), (5, 5, 2, 1), (7, 3, 3, 1)]
"""Features, sets, size and common features."""


@pytest.fixture
def _compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    choose_loops(REALISATIONS, "numba", monkeypatch)


def families(n: int, sets: int, k: int, overlap: int) -> list[np.ndarray]:
    """Return all families, shape (sets, features) each."""
    every = np.array([[i in one for i in range(n)] for one in combinations(range(n), k)], dtype=int)
    near = every @ every.T > overlap
    return [
        every[list(one)]
        for one in combinations(range(len(every)), sets)
        if not near[np.ix_(one, one)][np.triu_indices(sets, 1)].any()
    ]


@pytest.mark.parametrize(("n", "sets", "k", "overlap"), SHAPES)
@pytest.mark.usefixtures("_compiled")
@pytest.mark.slow
def test_sets_are_found_if_there_are_any(n: int, sets: int, k: int, overlap: int) -> None:
    met = {tuple(one.sum(axis=0).tolist()) for one in families(n, sets, k, overlap)}
    for counts in product(range(sets + 1), repeat=n):
        if sum(counts) != sets * k or list(counts) != sorted(counts, reverse=True):
            continue
        found = realise(Asked(np.ones(n), sets, k, overlap), np.array(counts), 10**6)
        assert found.decided
        assert (found.family is not None) == (counts in met)
        in_common = sum(c * (c - 1) // 2 for c in counts)
        assert found.nodes == 0 or in_common <= overlap * sets * (sets - 1) // 2  # needs no search
        if found.family is not None:
            assert found.family.sum(axis=0).tolist() == list(counts)
            common = found.family.astype(int) @ found.family.T.astype(int)
            assert (common.diagonal() == k).all()
            assert common[np.triu_indices(sets, 1)].max() <= overlap


@pytest.mark.slow
@pytest.mark.parametrize(("n", "sets", "k", "overlap"), SHAPES)
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.usefixtures("_compiled")
def test_the_best_poorest_set_is_found(n: int, sets: int, k: int, overlap: int, ties: bool) -> None:
    rng = np.random.default_rng(n + sets)
    weights = -np.sort(-(rng.integers(0, 3, n) if ties else rng.random(n))).astype(float)
    best: dict[tuple[int, ...], float] = {}
    for one in families(n, sets, k, overlap):
        counts = tuple(one.sum(axis=0).tolist())
        best[counts] = max(best.get(counts, -np.inf), float((one @ weights).min()))
    for counts, value in best.items():
        asked, wanted = Asked(weights, sets, k, overlap), np.array(counts)
        found = realise(asked, wanted, 10**6, value - 1e-6)
        assert found.decided
        assert found.family is not None
        assert (found.family @ weights).min() == pytest.approx(value)
        assert realise(asked, wanted, 10**6, value + 1e-6).family is None


@pytest.mark.slow
@pytest.mark.parametrize(("n", "sets", "k", "overlap"), SHAPES)
@pytest.mark.usefixtures("_compiled")
def test_the_best_poorest_set_is_proved_from_a_poor_family(n: int, sets: int, k: int, overlap: int) -> None:
    """All parts of the way from the bound down are gone, not only the first."""
    weights = -np.sort(-np.random.default_rng(n * sets).random(n))
    every = sorted(families(n, sets, k, overlap), key=lambda one: float((one @ weights).min()))
    best = float((every[-1] @ weights).min())
    bound = float(np.sort(weights)[::-1][:k].sum())
    found = best_poorest(Asked(weights, sets, k, overlap), every[0].astype(bool), bound)
    assert found.family is not None
    assert (found.family @ weights).min() == pytest.approx(best)
    assert found.bound == pytest.approx(best)


@pytest.mark.parametrize(("n", "sets", "k", "overlap"), SHAPES)
def test_counts_above_a_sum_are_those_of_the_whole_list(n: int, sets: int, k: int, overlap: int) -> None:
    rng = np.random.default_rng(n)
    weights, cap = -np.sort(-rng.normal(size=n)), overlap * sets * (sets - 1) // 2
    every = np.array([c for c in product(range(sets + 1), repeat=n) if sum(c) == sets * k])
    every = every[(every * (every - 1) // 2).sum(axis=1) <= cap]
    sums = np.sort(every @ weights)[::-1]
    for place in (0, len(sums) // 3, len(sums) - 1):
        found = counts_above(weights, sets, k, cap, float(sums[place]) - 1e-9)
        assert found is not None
        assert found @ weights == pytest.approx(sums[sums >= sums[place] - 1e-9])
        assert len({tuple(one) for one in found.tolist()}) == len(found)


def test_it_is_said_what_was_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, counts = Asked(np.ones(6), 3, 3, 2), np.array([2, 2, 2, 1, 1, 1])
    choose_loops(REALISATIONS, "numba", monkeypatch)
    assert not realise(asked, counts, 0).decided
    with monkeypatch.context() as patched:
        patched.setattr(realisation, "MOST_SETS", 1)
        assert realise(asked, counts, 10) == realisation.UNDECIDED
    with monkeypatch.context() as patched:
        choose_loops(REALISATIONS, "none", patched)
        assert realise(asked, counts, 10) == realisation.UNDECIDED
    monkeypatch.setattr(count_vectors, "MOST", 2)
    assert counts_above(np.ones(6), 3, 3, 6, 0.0) is None


def test_an_interrupt_is_kept_in_mind(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(REALISATIONS, "after", lambda _: Realisation(stopped, stopped))
    with limited(None):
        found = realise(Asked(np.ones(6), 3, 3, 2), np.array([2, 2, 2, 1, 1, 1]), 10)
        assert not found.decided
        assert clock().over


@pytest.mark.parametrize("total", ["sum", "min"])
def test_sets_may_be_the_same(total: Any) -> None:
    asked = Asked(np.array([3.0, 2.0, 1.0]), 4, 2, 2)
    assert realise(asked, np.array([4, 4, 0]), 1000) == realisation.UNDECIDED
    found = altsel.simultaneous(
        Problem(Univariate(np.random.default_rng(0).random(40)), 8), Dice(0), 6, total
    )
    best = np.sort(np.random.default_rng(0).random(40))[-8:].sum()
    assert found.proved
    assert [one.score for one in found] == pytest.approx([best] * 7)
