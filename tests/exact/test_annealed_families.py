"""Many sets at once: profiles by brute force, Deza's theorem, annealings, and the engine's claims."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import altsel
from altsel import Dice, Problem, Proof, Univariate
from altsel.exact.families.counts import annealed_families, profiles, realised_families
from altsel.exact.families.counts.annealing import Wanted, good_family
from altsel.exact.families.counts.compiled import ANNEALINGS, PLAIN
from altsel.exact.families.counts.membership_patterns import feasible_profiles
from altsel.exact.families.counts.profiles import prices, profiles_above, realisable
from altsel.exact.families.counts.realised_families import Found, of_profile
from altsel.exact.question import Question, Structure
from altsel.exact.run import Run
from altsel.exact.sources.every_set import engine as all_sets
from altsel.runtime.clock import Clock, OutOfTimeError, clock, in_force, limited
from tests.loops import choose_loops
from tests.oracles import brute_force as bf


@pytest.mark.parametrize(
    ("n", "sets", "k", "overlap"), [(6, 5, 3, 2), (6, 6, 3, 2), (6, 5, 2, 1), (7, 4, 3, 1)]
)
def test_no_profile_that_sets_have_is_excluded(n: int, sets: int, k: int, overlap: int) -> None:
    every = np.array([[i in one for i in range(n)] for one in combinations(range(n), k)], dtype=int)
    near = every @ every.T > overlap
    families = np.array(list(combinations(range(len(every)), sets)))
    for i, j in combinations(range(sets), 2):
        families = families[~near[families[:, i], families[:, j]]]
    memberships = every[families].sum(axis=1)
    counted = (memberships[:, :, None] == np.arange(1, sets + 1)).sum(axis=1)
    met = {tuple(one) for one in counted.tolist()}
    profiles = feasible_profiles(sets, k, overlap * sets * (sets - 1) // 2, n)
    assert profiles is not None
    possible = realisable(profiles, k, overlap)
    assert met <= {tuple(one) for one in profiles[possible].tolist()}
    assert possible.all() == (sets <= (k - overlap) ** 2 + k - overlap + 2)


@pytest.mark.parametrize("seed", range(8))
def test_profiles_above_a_sum_are_those_of_the_whole_list(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, sets, k = int(rng.integers(5, 9)), int(rng.integers(2, 5)), int(rng.integers(2, 4))
    cap = int(rng.integers(1, k)) * sets * (sets - 1) // 2
    weights = np.sort(rng.normal(size=n) if seed % 2 else rng.integers(0, 3, n).astype(float))[::-1]
    every = feasible_profiles(sets, k, cap, n)
    assert every is not None
    sums = np.concatenate([[0.0], np.cumsum(weights)])[np.cumsum(every[:, ::-1], axis=1)].sum(axis=1)
    bound = prices(weights, sets, k, cap)[2]
    assert bound >= sums.max(initial=-np.inf)
    for least in (-np.inf, float(np.median(sums)) if len(sums) else 0.0):
        found = profiles_above(weights, sets, k, cap, least)
        assert found is not None
        wanted = sorted(map(tuple, every[sums > least].tolist()))
        assert sorted(map(tuple, found[0].tolist())) == wanted
        assert (np.diff(found[1]) <= 0).all()


@pytest.mark.long
@pytest.mark.parametrize("smallest", [False, True])
def test_compiled_loops_do_what_plain_ones_do(smallest: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = Wanted(np.linspace(1, 0.1, 20), 5, 4, 2, 0.1, smallest)
    profile = of_profile(np.array([4, 4, 1, 0, 1]))
    found = []
    for kind in ("plain", "numba"):
        loops = replace(choose_loops(ANNEALINGS, kind, monkeypatch), steps=1_000, share=1)
        monkeypatch.setattr(ANNEALINGS, "after", lambda _, loops=loops: loops)
        found.append(good_family(wanted, profile, 9.0, 2))
    plain, other = found
    assert plain is not None
    assert other is not None
    assert (plain == other).all()
    common = plain.astype(int) @ plain.T.astype(int)
    assert (common.diagonal() == 4).all()
    assert common[np.triu_indices(5, 1)].max() <= 2


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Anneal two sets too, shortly."""
    monkeypatch.setattr(annealed_families, "LEAST", {"sum": 2, "min": 2})
    monkeypatch.setattr(all_sets, "MOST_SETS", 0)
    monkeypatch.setattr(ANNEALINGS, "after", lambda _: replace(PLAIN, steps=300))
    monkeypatch.setattr(annealed_families, "FREE", 4)
    monkeypatch.setattr(annealed_families, "FIXED", 2)


@pytest.mark.slow
def test_an_annealing_goes_on_up_to_its_goal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ANNEALINGS, "after", lambda _: replace(PLAIN, steps=3_000, share=1))
    weights = np.sort(np.random.default_rng(0).random(7))[::-1].copy()
    wanted = Wanted(weights, 3, 3, 1, 0.1, smallest=True)
    every = np.array([[i in one for i in range(7)] for one in combinations(range(7), 3)])
    near = every.astype(int) @ every.T.astype(int) > 1
    best = max(
        wanted.value(every[list(three)])
        for three in combinations(range(len(every)), 3)
        if not near[np.ix_(three, three)][np.triu_indices(3, 1)].any()
    )
    found = good_family(wanted, np.array([2, 2, 1, 1, 1, 1, 1]), 10.0, 4)
    assert found is not None
    assert wanted.value(found) == pytest.approx(best)


CLAIMED = [
    (("sum", "min")[(seed + j) % 2], tau, seed) for seed in range(3) for j, tau in enumerate([0.3, 0.5, 1.0])
]
"""Every threshold with every seed; each of both with either total, but not all three together."""


@pytest.mark.parametrize(("total", "tau", "seed"), CLAIMED)
@pytest.mark.usefixtures("few")
def test_what_is_claimed_holds(total: Any, tau: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    objective = Univariate(rng.normal(size=7) if seed else rng.integers(0, 3, 7).astype(float))
    question = Run(Problem(objective, 3), None, "test").question(Dice(tau), 2, total)
    engine = annealed_families.Annealing()
    assert engine.why_not(question) is None
    found = engine.answer(question, Run(Problem(objective, 3), None, "test"))
    scores = bf.scored(objective, list(bf.all_sets(objective.features, (3, 3))))
    best = bf.best_together(scores, 2, bf.dice, tau, sum if total == "sum" else min)
    if found is None:
        return
    assert best is not None
    assert found.outcome.value is not None
    assert found.outcome.value <= best + 1e-9
    assert found.outcome.bound is not None
    assert found.outcome.bound >= best - 1e-9
    if found.outcome.proof is Proof.OPTIMAL:
        assert found.outcome.value == pytest.approx(best)


@pytest.mark.usefixtures("few")
def test_sets_without_room_are_left_to_models() -> None:
    found = altsel.simultaneous(Problem(Univariate([3.0, 2.0, 1.0]), 2), Dice(1.0), 1)
    assert found.stop is altsel.Stop.INFEASIBLE


def test_profiles_of_many_sets_heed_the_clock_and_their_room(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = np.array([3.0, 2.0, 1.0, 0.0])
    whole = profiles_above(weights, 2, 2, 1, 0.0)
    assert whole is not None
    with in_force(Clock(until=0.0)):
        with pytest.raises(OutOfTimeError):
            prices(weights, 2, 2, 1)
        known = (1.0, 0.5, 9.0)
        monkeypatch.setattr(profiles, "prices", lambda *_: known)
        with pytest.raises(OutOfTimeError):
            profiles_above(weights, 2, 2, 1, 0.0)
    monkeypatch.setattr(profiles, "MOST_CELLS", 3)
    assert profiles_above(weights, 2, 2, 1, 0.0) is None
    many = Question(Structure(Problem(Univariate(weights), 2)), Dice(0.5), (), 10**7, "sum")
    assert "memberships" in str(annealed_families.Annealing().why_not(many))


def test_an_engine_says_why_not() -> None:
    problem = Problem(Univariate(np.arange(30.0)), 5)
    engine = annealed_families.Annealing()
    asked = Run(problem, None, "test").question
    assert engine.why_not(asked(Dice(0.5), 7, "sum")) is None
    assert engine.why_not(asked(Dice(0.5), 3, "sum")) == "models prove fewer than 7 sets sooner"
    free = Run(Problem(problem.objective, (4, 5)), None, "test").question
    assert engine.why_not(free(Dice(0.5), 7, "sum")) == "the size of the sets is free"


@pytest.mark.parametrize("total", ["sum", "min"])
@pytest.mark.usefixtures("few")
def test_an_interrupt_keeps_what_was_met(total: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One between two loops, such as while random numbers are drawn, once lost the sets and the bound."""

    def stopped(*_: object) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(annealed_families, "best_profile", lambda asked, *_: Found(None, 99.0))
    monkeypatch.setattr(annealed_families, "slowly_annealed", stopped)
    monkeypatch.setattr(realised_families, "counts_above", stopped)
    problem = Problem(Univariate(np.linspace(1, 0.1, 9)), 3)
    question = Run(problem, None, "test").question(Dice(0.3), 4, total)
    with limited(None):
        found = annealed_families.Annealing().answer(question, Run(problem, None, "test"))
        assert clock().over
    assert found is not None
    assert len(found.sets) == 4
    assert found.outcome.proof is not Proof.OPTIMAL
