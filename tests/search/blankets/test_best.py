"""The best blankets by any linear criterion, under rules: held against all blankets, by brute force."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import altsel
from altsel import blankets, domain
from altsel.errors import ArgumentError
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from tests.oracles.coins import Names, copies_of, cost_of, random_coins, random_rules


@pytest.mark.parametrize("kind", ["costs", "gains", "one after another"])
def test_the_best_come_in_order_and_are_proved(kind: str) -> None:
    proved = 0
    for seed in range(40):
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
    assert proved > 30


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
    none = blankets.best(test, limits=blankets.Limits(subject_to=[domain.forbid("g0_0", "g0_1")]))
    assert (len(none), none.stop) == (0, Stop.INFEASIBLE)
    never = [domain.require("z0"), domain.forbid("z0")]
    assert blankets.best(test, limits=blankets.Limits(subject_to=never)).stop is Stop.INFEASIBLE
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
        ({"g0_0": 1.0, "g0_1": float("nan"), "z0": 1.0}, "'g0_1': a cost must be a finite number"),
        (["g0_0"], "give a cost by feature"),
        ([], "give a cost by feature"),
    ],
)
def test_wrong_costs_are_named(costs: Any, words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        blankets.best(copies_of((2,)), costs)
