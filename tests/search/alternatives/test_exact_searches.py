"""Both exact searches against brute force, over random problems and every shape of them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pyomo.environ as pyo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import Dice, Jaccard, Problem, Proof, Stop, Univariate, sequential, simultaneous
from altsel.exact import auto
from altsel.exact.families.counts import membership_patterns as counting
from altsel.exact.families.counts.engine import Counts
from tests.oracles import brute_force as bf

WEAK = {"glpk", "cbc"}
"""Solvers that take objectives for the same within 1e-7: theirs are no proofs to 1e-9."""
MEASURES = {Dice: bf.dice, Jaccard: bf.jaccard}
weights = st.one_of(
    st.lists(st.floats(-1, 1, allow_subnormal=False).map(lambda q: round(q, 6)), min_size=4, max_size=12),
    st.lists(st.integers(0, 3).map(float), min_size=4, max_size=12),  # many ties
)
taus = st.sampled_from([0.0, 0.1, 0.2, 0.25, 1 / 3, 0.4, 0.5, 0.6, 2 / 3, 0.75, 0.9, 1.0])


@st.composite
def problems(draw: st.DrawFn, most: int = 12, largest: int = 4) -> tuple[Problem, Any]:
    q = draw(weights)[:most]
    low = draw(st.integers(1, min(largest, len(q))))
    high = draw(st.one_of(st.just(low), st.integers(low, min(largest, len(q)))))
    measure = draw(st.sampled_from([Dice, Jaccard]))(draw(taus))
    return Problem(Univariate(q), k=low if low == high else (low, high)), measure


def check_sequential(
    problem: Problem, measure: Any, found: altsel.Solutions, wanted: int, rule: Any = None, weak: bool = False
) -> None:
    distance = MEASURES[type(measure)]
    sets = [s for s in bf.all_sets(problem.objective.features, problem.sizes) if rule is None or rule(s)]
    scores = bf.scored(problem.objective, sets)
    known: list[bf.Set] = []
    for subset in found:
        best = bf.best_after(scores, known, distance, measure.tau)
        assert best == pytest.approx(subset.score, abs=1e-9)
        if weak:
            assert subset.gap is not None
            assert subset.gap < 1e-4
        elif subset.score != 0:  # near 0 an engine's tolerance can hide what 1e-9 of it would be
            assert subset.proof is Proof.OPTIMAL
            assert (subset.gap, subset.bound) == (0, subset.score)
        assert frozenset(subset) in scores
        assert all(distance(frozenset(subset), before) >= measure.tau - 1e-9 for before in known)
        known.append(frozenset(subset))
    if found.stop is Stop.COUNT:
        assert len(found) == wanted
    else:
        assert found.stop is Stop.INFEASIBLE
        assert bf.best_after(scores, known, distance, measure.tau) is None


def check_simultaneous(
    problem: Problem,
    measure: Any,
    found: altsel.Solutions,
    count: int,
    total: str,
    rule: Any = None,
    weak: bool = False,
) -> None:
    distance = MEASURES[type(measure)]
    sets = [s for s in bf.all_sets(problem.objective.features, problem.sizes) if rule is None or rule(s)]
    scores = bf.scored(problem.objective, sets)
    add: Any = {"sum": sum, "min": min}[total]
    best = bf.best_together(scores, count, distance, measure.tau, add)
    if best is None:
        assert (len(found), found.stop) == (0, Stop.INFEASIBLE)
        return
    assert add([subset.score for subset in found]) == pytest.approx(best, abs=1e-9)
    assert found.proved or weak or best == 0  # near 0 an engine's tolerance can hide what 1e-9 of it would be
    assert len(found) == count
    assert all(frozenset(subset) in scores for subset in found)
    assert all(distance(frozenset(a), frozenset(b)) >= measure.tau - 1e-9 for a, b in combinations(found, 2))
    assert [subset.score for subset in found] == sorted((subset.score for subset in found), reverse=True)


@pytest.mark.slow
@given(problems(), st.integers(0, 3))
@settings(max_examples=30)
def test_sequential_equals_brute_force(case: tuple[Problem, Any], alternatives: int) -> None:
    problem, measure = case
    check_sequential(problem, measure, sequential(problem, measure, alternatives), alternatives + 1)


@given(problems(most=6, largest=2), st.integers(1, 3), st.sampled_from([sum, min]))
@settings(max_examples=30)
def test_the_oracle_equals_its_own_oracle(case: tuple[Problem, Any], count: int, total: Any) -> None:
    problem, measure = case
    scores = bf.scored(problem.objective, list(bf.all_sets(problem.objective.features, problem.sizes)))
    wanted = (scores, count, MEASURES[type(measure)], measure.tau, total)
    assert bf.best_together(*wanted) == pytest.approx(bf.best_together_plainly(*wanted))


@given(problems(most=12, largest=4), st.integers(0, 3))
@settings(max_examples=60)
@pytest.mark.slow
def test_simultaneous_sum_equals_brute_force(case: tuple[Problem, Any], alternatives: int) -> None:
    problem, measure = case
    found = simultaneous(problem, measure, alternatives)
    check_simultaneous(problem, measure, found, alternatives + 1, "sum")


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["auto", "highs"])
@given(case=problems(most=12, largest=4), alternatives=st.integers(0, 3))
@settings(max_examples=30)
def test_simultaneous_min_equals_brute_force(
    solver: str, case: tuple[Problem, Any], alternatives: int
) -> None:
    problem, measure = case
    found = simultaneous(problem, measure, alternatives, "min", solver)
    check_simultaneous(problem, measure, found, alternatives + 1, "min")


@pytest.mark.slow
@given(st.lists(st.floats(0, 1), min_size=6, max_size=6), taus)
@settings(max_examples=40)
def test_simultaneous_of_four_equals_brute_force(q: list[float], tau: float) -> None:
    problem = Problem(Univariate(q), k=2)
    for total in ("sum", "min"):
        check_simultaneous(problem, Dice(tau), simultaneous(problem, Dice(tau), 3, total), 4, total)


def at_most_one_of_the_first_three(b: Any) -> None:
    b.panel = pyo.Constraint(expr=b.x["x0"] + b.x["x1"] + b.x["x2"] <= 1)


def not_without_the_last(b: Any) -> None:
    last = max(b.x, key=lambda f: int(f[1:]))
    b.needs = pyo.Constraint(expr=b.x["x0"] <= b.x[last])


RULES: dict[Any, Callable[[bf.Set, int], bool]] = {
    at_most_one_of_the_first_three: lambda s, n: len(s & {"x0", "x1", "x2"}) <= 1,
    not_without_the_last: lambda s, n: "x0" not in s or f"x{n - 1}" in s,
}


@pytest.mark.parametrize("solver", ["auto", "highs"])
@pytest.mark.parametrize("rule", RULES)
@given(case=problems(most=7, largest=3), alternatives=st.integers(0, 2))
@settings(max_examples=12)
@pytest.mark.slow
def test_domain_constraints_keep_the_searches_exact(
    rule: Any, solver: str, case: tuple[Problem, Any], alternatives: int
) -> None:
    free, measure = case
    problem = Problem(free.objective, free.k, [rule])
    n = len(free.objective.features)

    def is_feasible(one: bf.Set) -> bool:
        return RULES[rule](one, n)

    check_sequential(
        problem, measure, sequential(problem, measure, alternatives), alternatives + 1, is_feasible
    )
    for total in ("sum", "min"):
        found = simultaneous(problem, measure, alternatives, total, solver)
        check_simultaneous(problem, measure, found, alternatives + 1, total, is_feasible)


@pytest.mark.slow
def test_every_solver_finds_the_same_optimum(profile: Any) -> None:
    q = np.random.default_rng(3).random(9)
    problem, measure = Problem(Univariate(q), k=3), Jaccard(0.5)
    for total in ("sum", "min"):
        found = simultaneous(problem, measure, 1, total, profile.name)
        check_simultaneous(problem, measure, found, 2, total, weak=profile.name in WEAK)
    found = sequential(problem, measure, 4, profile.name)
    check_sequential(problem, measure, found, 5, weak=profile.name in WEAK)


@given(st.permutations(range(8)))
@settings(max_examples=12)
def test_results_do_not_depend_on_the_order_of_columns(order: list[int]) -> None:
    q = np.array([0.9, 0.8, 0.7, 0.65, 0.5, 0.4, 0.3, 0.25])
    names = np.array([f"f{j}" for j in range(8)])
    problem = Problem(Univariate(pd.Series(q[order], index=names[order])), k=3)
    plain = Problem(Univariate(pd.Series(q, index=names)), k=3)
    assert [one.score for one in sequential(problem, Dice(0.6), 3)] == [
        one.score for one in sequential(plain, Dice(0.6), 3)
    ]


@pytest.mark.parametrize(("profiles", "designs"), [(0, 400), (200_000, 0)])
@given(problems(most=7, largest=3))
@settings(max_examples=20)
def test_the_whole_count_model_agrees(profiles: int, designs: int, case: tuple[Problem, Any]) -> None:
    problem, measure = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "MOST_PROFILES", profiles)
        patch.setattr(counting, "MOST_DESIGNS", designs)
        found = simultaneous(problem, measure, 2)
    check_simultaneous(problem, measure, found, 3, "sum")


class Tired:
    """A solver that gives up on its first calls."""

    name = "tired"

    def __init__(self, calls: int, stop: Stop) -> None:
        self.calls, self.stop, self.real = calls, stop, altsel.solver("highs")

    def __call__(self, model: Any) -> altsel.solvers.Outcome:
        self.calls -= 1
        return (
            altsel.solvers.Outcome(self.stop, None, None, None, 0.0) if self.calls >= 0 else self.real(model)
        )


@pytest.mark.parametrize("shift", [0.0, -0.4])
def test_an_undecided_profile_leaves_a_gap(shift: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "ENGINES", (Counts(),))
    q = np.array([0.53, 0.41, 0.32, 0.21, 0.1]) + shift
    problem = Problem(Univariate(q), k=2)
    best = simultaneous(problem, Dice(0.5), 2)
    found = simultaneous(problem, Dice(0.5), 2, solver=Tired(1, Stop.TIME))
    assert found.stop is Stop.COUNT
    assert {subset.proof for subset in found} == {Proof.FEASIBLE}
    slack = [subset.bound - subset.score for subset in found if subset.bound is not None]
    assert len(slack) == 3
    assert sum(subset.score for subset in found) + slack[0] >= sum(subset.score for subset in best) - 1e-12
    nothing = simultaneous(problem, Dice(0.5), 2, solver=Tired(1, Stop.INTERRUPT))
    assert (len(nothing), nothing.stop) == (0, Stop.INTERRUPT)


@pytest.mark.parametrize("stop", [Stop.TIME, Stop.LIMIT])
def test_where_a_solver_gives_up_the_set_at_hand_is_given_with_a_bound(stop: Stop) -> None:
    found = sequential(Problem(Univariate([4, 3, 2, 1]), k=2), Dice(0.5), 2, Tired(1, stop))
    assert found.stop is Stop.COUNT
    assert found[0].bound == pytest.approx(7)


def test_an_interrupted_solver_ends_a_sequential_search() -> None:
    found = sequential(Problem(Univariate([4, 3, 2, 1]), k=2), Dice(0.5), 2, Tired(1, Stop.INTERRUPT))
    assert (len(found), found.stop) == (1, Stop.INTERRUPT)


def test_an_infeasible_alternative_ends_the_search_with_what_was_found() -> None:
    found = sequential(Problem(Univariate([5, 4, 3, 2, 1]), k=2), Dice(1), alternatives=5)
    assert [subset.features for subset in found] == [("x0", "x1"), ("x2", "x3")]
    assert found.stop is Stop.INFEASIBLE


def test_many_features_need_a_small_model_only() -> None:
    problem = Problem(Univariate(np.random.default_rng(0).random(100_000)), k=10)
    found = sequential(problem, Dice(0.5), alternatives=3)
    assert found.proved
    assert found[0].score == pytest.approx(np.sort(problem.objective.weights)[-10:].sum())


@pytest.mark.parametrize("alternatives", [-1, 1.5, True, "2"])
def test_a_wrong_number_of_alternatives_is_refused(alternatives: Any) -> None:
    problem = Problem(Univariate([2, 1]), k=1)
    for search in (sequential, simultaneous, altsel.greedy.replacement, altsel.greedy.balancing):
        with pytest.raises(altsel.ArgumentError, match="alternatives="):
            search(problem, Dice(0.5), alternatives)


def test_an_unknown_total_is_refused() -> None:
    with pytest.raises(altsel.ArgumentError, match="total='mean'"):
        simultaneous(Problem(Univariate([2, 1]), k=1), Dice(0.5), 1, "mean")
