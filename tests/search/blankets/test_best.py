"""The best blankets by any linear criterion, under rules: held against all blankets, by brute force."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

import altsel
from altsel import blankets, domain
from altsel.errors import ArgumentError
from altsel.results.certificate_text import certificate_lines, infeasible_text
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.search.blankets.all.admissible import Admission
from tests.oracles.coins import Coins, Names, copies_of, cost_of, random_coins, random_rules


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["costs", "gains", "one after another"])
def test_the_best_come_in_order_and_are_proved(kind: str) -> None:
    proved = 0
    for seed in range(25):
        random, test = np.random.default_rng(seed), random_coins(seed)
        rules, keeps = random_rules(random, test.features)
        least = -4 if kind == "gains" else 0
        costs = {name: float(random.integers(least, 8)) for name in test.features}
        second = {name: float(random.integers(0, 3)) for name in test.features}
        several = [costs, second] if kind == "one after another" else [costs]

        def cost(one: Names | altsel.results.FeatureSet, several: Any = several) -> tuple[float, ...]:
            return tuple(cost_of(tuple(one), part) for part in several)

        truth = sorted(cost(one) for one in test.blankets() if keeps(one))
        limits = blankets.Limits(subject_to=rules)
        for number in (1, 3):
            found = blankets.best(test, several, number=number, limits=limits)
            if found.stop is Stop.INFEASIBLE or any(one.proof is Proof.OPTIMAL for one in found):
                assert [cost(one) for one in found] == truth[:number], (seed, number)
                assert all(one.score == -cost(one)[0] and keeps(frozenset(one)) for one in found)
                proved += len(found)
    assert proved > 20


def wide(kind: str, random: np.random.Generator, features: tuple[str, ...]) -> list[dict[str, Any]]:
    """Draw costs over twelve orders of magnitude, some of them gains, or one after another."""
    sizes = {name: float(10 ** random.uniform(-3, 9)) for name in features}
    if kind == "gains":
        return [{name: cost * random.choice([-1, 1, 1]) for name, cost in sizes.items()}]
    if kind == "never":
        return [{name: float(random.choice([1e9, 1.0 + random.integers(8)])) for name in features}]
    if kind == "doubling":
        return [{name: 2 ** int(random.integers(0, 40)) + int(random.integers(2)) for name in features}]
    return [{name: float(random.integers(3)) for name in features}, sizes] if kind == "tied" else [sizes]


@pytest.mark.parametrize("kind", ["sizes", "gains", "never", "doubling", "tied"])
def test_costs_of_any_scale_are_exact(kind: str) -> None:
    proved = 0
    for seed in range(8):
        random, test = np.random.default_rng(seed), random_coins(seed, 9)
        rules, keeps = random_rules(random, test.features)
        costs = wide(kind, random, test.features)
        exact = [{name: Fraction(str(cost)) for name, cost in one.items()} for one in costs]

        def cost(one: Any, exact: Any = exact) -> tuple[Fraction, ...]:
            return tuple(sum((part[name] for name in one), Fraction(0)) for part in exact)

        truth = sorted(cost(one) for one in test.blankets() if keeps(one))
        found = blankets.best(test, costs, number=3, limits=blankets.Limits(subject_to=rules))
        if found.stop is Stop.INFEASIBLE or any(one.proof is Proof.OPTIMAL for one in found):
            assert [cost(one.features) for one in found] == truth[:3], seed
            assert [one.score for one in found] == [-float(one[0]) + 0.0 for one in truth[:3]]
            proved += len(found)
    assert proved > 3


def test_costs_that_differ_by_one_unit_beside_a_huge_one_are_told_apart() -> None:
    test = copies_of((2, 2))
    for never in (1e9, 10**40, Fraction(10**30, 7)):
        costs: Any = {"g0_0": never, "g0_1": 2 * never, "g1_0": 1.0, "g1_1": 1.0 + 1e-15, "z0": -(10**50)}
        found = blankets.best(test, costs, number=2)
        assert [one.features for one in found] == [("g0_0", "g1_0"), ("g0_0", "g1_1")]
        assert found.stop is Stop.COUNT
        assert found.proved


@pytest.mark.parametrize(
    ("search", "solves"),
    [
        (blankets.tmfbs, 0),
        (blankets.tie_star, 0),
        (partial(blankets.tie_star, removal="hitting_set"), 0),
        (partial(blankets.tie_star, removal="hitting_set"), 2),
        (partial(blankets.best, number=3), 0),
        (partial(blankets.best, number=3), 2),
        (blankets.dual, 0),
    ],
)
def test_a_solver_that_fails_ends_a_search_with_what_it_has(
    search: Any, solves: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved, calls = Admission._solved, iter(range(99))

    def failing(self: Admission, rows: Any) -> Any:
        if next(calls) >= solves:
            raise altsel.SolverError("numbers range too widely")
        return solved(self, rows)

    monkeypatch.setattr(Admission, "_solved", failing)
    found = search(copies_of((2, 2)))
    assert found.stop is Stop.LIMIT
    assert found.sets
    assert "ended by a solver that failed: numbers range too widely" in found.search
    assert not any(one.proof is Proof.OPTIMAL for one in found)


def test_a_solver_that_fails_before_there_is_a_blanket_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(self: Admission, rows: Any) -> Any:
        raise altsel.SolverError("numbers range too widely")

    monkeypatch.setattr(Admission, "_solved", failing)
    rules = blankets.Limits(subject_to=[domain.forbid("z0")])
    with pytest.raises(altsel.SolverError, match="range too widely"):
        blankets.best(copies_of((2, 2)), limits=rules)


def test_a_search_that_is_cut_short_has_an_honest_bound() -> None:
    test, random = copies_of((3, 3, 3)), np.random.default_rng(0)
    costs = {name: float(10 ** random.uniform(-3, 9)) for name in test.features}
    least = min(cost_of(one, costs) for one in test.blankets())
    for states in (1, 5, 10, 20):
        found = blankets.best(test, costs, number=2, limits=blankets.Limits(max_states=states))
        assert all(one.bound is None or one.bound >= one.score for one in found)
        bounds = [one.bound for one in found if one.proof is Proof.FEASIBLE and one.bound is not None]
        others = [cost_of(one, costs) for one in test.blankets() if one not in {*map(frozenset, found)}]
        assert all(-bound <= min(others) for bound in bounds)
        assert least <= -found[0].score


def test_there_is_no_bound_where_the_reference_is_not_confirmed() -> None:
    """``y = a xor b``, and c: a search that selects one after another sees c alone."""
    test = Coins({"a": [1], "b": [2], "c": [4]}, [3, 4])
    for states in (1, 2, 3, None):
        found = blankets.best(test, number=2, limits=blankets.Limits(max_states=states))
        assert found.dual is not None
        assert not found.dual.reference_confirmed
        assert [one.bound for one in found] == [None] * len(found)
        assert not any(one.proof is Proof.OPTIMAL for one in found)


@pytest.mark.parametrize("never", [1e9, 1e13])
@pytest.mark.parametrize("search", [blankets.tmfbs, blankets.tie_star, blankets.best])
def test_never_in_a_budget_is_seen(search: Any, never: float) -> None:
    test = copies_of((2, 3))
    costs: Any = {"g0_0": never, "g0_1": 1.0, "g1_0": never, "g1_1": 2.5, "g1_2": 4.0, "z0": never}
    for limit in (0.5, 3.5, 5, 1000):
        found = search(test, limits=blankets.Limits(subject_to=[domain.budget(costs, limit)]))
        truth = {one for one in test.blankets() if cost_of(one, costs) <= limit}
        assert {frozenset(one) for one in found} <= truth
        assert found.stop is (
            Stop.INFEASIBLE if not truth else Stop.COUNT if search is blankets.best else Stop.EXHAUSTED
        )
        if search is not blankets.best:
            assert len(found) == len(truth)


@pytest.mark.slow
def test_the_cheapest_of_a_million_is_found_without_listing_them() -> None:
    random = np.random.default_rng(0)
    told = random.normal(size=(20, 500))
    columns = {f"g{i}_{j}": (j + 1) * told[i] + j for i in range(20) for j in range(2)}
    columns |= {f"z{j}": random.normal(size=500) for j in range(5)}
    data = altsel.Dataset(columns, told.sum(0) + random.normal(size=500))
    test = altsel.independence.PartialCorrelation(data)
    costs = {name: float(random.integers(1, 30)) for name in test.features}
    found = blankets.best(test, costs, 1e-6, number=2)
    assert -found[0].score == sum(min(costs[f"g{i}_0"], costs[f"g{i}_1"]) for i in range(20))
    assert [one.proof for one in found] == [Proof.OPTIMAL] * 2
    assert found.effort.nodes < 200
    assert found[0].bound == found[0].score
    assert found.dual is not None
    assert len(found.dual.failed) == 20


def test_without_costs_the_smallest_is_best() -> None:
    test = random_coins(3)
    assert len(blankets.best(test)[0]) == min(map(len, test.blankets()))


def test_rules_that_leave_none_and_limits() -> None:
    test = copies_of((2, 2))
    limits = blankets.Limits(subject_to=[domain.forbid("g0_0", "g0_1")])
    for search in (blankets.best, blankets.tmfbs, blankets.tie_star):
        none = search(test, limits=limits)
        assert (len(none), none.stop) == (0, Stop.INFEASIBLE)
        assert infeasible_text(none) == "no blanket keeps the rules"
        assert "no set keeps the rules and has a feature of each" in certificate_lines(none)[0]
    never = [domain.require("z0"), domain.forbid("z0")]
    none = blankets.best(test, limits=blankets.Limits(subject_to=never))
    assert (none.stop, infeasible_text(none)) == (Stop.INFEASIBLE, "no set keeps the rules")
    short = blankets.best(test, limits=blankets.Limits(max_states=1))
    assert (short.stop, short[0].proof) == (Stop.LIMIT, Proof.FEASIBLE)
    assert blankets.best(test, limits=blankets.Limits(max_seconds=0)).stop is Stop.TIME
    held = blankets.best(test, limits=blankets.Limits(include=["z0"], exclude=["g0_0"]))
    assert {"z0", "g0_1"} < set(held[0])


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        ({"g0_0": 1.0}, "there is none of 'g0_1', 'z0'; give 0"),
        ({"g0_0": 1.0, "g0_1": 1.0, "z0": 1.0, "w": 2.0}, "'w', which are no features"),
        ({"g0_0": 1.0, "g0_1": float("nan"), "z0": 1.0}, "cost of 'g0_1': nan; use a finite number"),
        ({"g0_0": 1e308, "g0_1": 1e308, "z0": 0.0}, "the sum is beyond 1.8e.308, the largest number"),
        (["g0_0"], "give a cost by feature"),
        ([], "give a cost by feature"),
    ],
)
def test_wrong_costs_are_named(costs: Any, words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        blankets.best(copies_of((2,)), costs)
