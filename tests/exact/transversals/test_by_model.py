"""Minimal transversals by a solver: in order, and the most different two, against all sets tried."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest

import altsel
from altsel.errors import SolverError
from altsel.exact.transversals import by_model
from altsel.exact.transversals.costs import exact_costs
from altsel.exact.transversals.transversals import Transversals
from altsel.models import Dice, Jaccard
from altsel.results.stop import Stop
from altsel.runtime.clock import OutOfTimeError
from altsel.solvers import Outcome
from tests.oracles.transversals import minimal_transversals

NAMES = tuple("abcdefgh")


def random_family(seed: int) -> tuple[Random, list[list[str]]]:
    random = Random(seed)
    largest = random.choice([2, 3, 4])
    return random, [random.sample(NAMES, random.randint(1, largest)) for _ in range(random.randint(0, 8))]


@pytest.mark.parametrize("seed", range(12))
def test_in_order_as_all_sets_tried(seed: int) -> None:
    random, removals = random_family(seed)
    family = minimal_transversals(removals, NAMES)
    costs = exact_costs({name: random.randint(-5, 9) for name in NAMES}, NAMES)
    found = list(by_model.in_order(removals, costs))
    assert [cost for _, cost in found] == sorted(sum(costs[name] for name in one) for one in family)
    assert len(found) == len(family)
    assert {names for names, _ in found} == family


@pytest.mark.parametrize("seed", [7, 9, 11])
def test_costs_of_any_scale_are_in_order(seed: int) -> None:
    random, removals = random_family(seed)
    family = minimal_transversals(removals, NAMES)
    sizes = {name: random.choice([1e9, 10 ** random.uniform(-3, 9), -1e-6, 2**40 + 1]) for name in NAMES}
    costs = exact_costs(sizes, NAMES)
    found = list(by_model.in_order(removals, costs))
    assert [cost for _, cost in found] == sorted(sum(costs[name] for name in one) for one in family)
    assert len(family) > 1


@pytest.mark.parametrize("seed", range(12, 36))
def test_the_most_different_two(seed: int) -> None:
    _, removals = random_family(seed)
    family = minimal_transversals(removals, NAMES)
    found = Transversals(removals, NAMES)
    fewest, furthest = found.most_different(), found.most_different("dissimilarity")
    two = list(combinations(family, 2))
    if not two:
        assert fewest is None
        assert furthest is None
        return
    assert fewest is not None
    assert furthest is not None
    for pair in (fewest, furthest):
        assert {frozenset(pair.first), frozenset(pair.second)} <= family
        assert pair.first != pair.second
        assert set(pair.shared) == set(pair.first) & set(pair.second)
    assert len(fewest.shared) == min(len(one & other) for one, other in two)
    assert furthest.dice == pytest.approx(max(Dice(0)(*pair) for pair in two))
    assert furthest.jaccard == pytest.approx(max(Jaccard(0)(*pair) for pair in two))


def test_the_furthest_two_may_share_more_than_others() -> None:
    """Sets with more in common are further apart, if they are larger: the ratio is what counts."""
    removals = [["s"], ["a", "b"], ["a", "c"], ["b", "c"]]
    pair = Transversals(removals).most_different("dissimilarity")
    assert pair is not None
    assert len(pair.shared) == 2


def test_a_family_without_two() -> None:
    for removals in ([], [["a"]], [["a"], ["b"]], [["a", "b"], []]):
        assert Transversals(removals).most_different() is None
        assert Transversals(removals).most_different("dissimilarity") is None


def test_the_solver_answers_where_the_diagram_does_not_fit() -> None:
    random = Random(3)
    removals = [[f"f{j}" for j in random.sample(range(30), 4)] for _ in range(15)]
    full, small = Transversals(removals), Transversals(removals, most_nodes=10)
    cost = {name: random.randint(1, 30) for name in full.order}
    assert not small.fits
    best = small.cheapest(cost)
    assert best is not None
    assert best.cost == full.cheapest(cost).cost  # type: ignore[union-attr]
    assert small.contains(best.features)


class Answers:
    """A solver that says what it is told to."""

    name = "told"

    def __init__(self, outcome: Outcome | None = None) -> None:
        self._outcome = outcome

    def __call__(self, model: Any) -> Outcome:
        outcome = altsel.solver()(model)
        if self._outcome is not None:
            return self._outcome
        for x in model.x.values():
            x.set_value(1)
        return outcome


def test_what_is_not_proved_is_no_answer() -> None:
    removals, costs = [["a", "b"], ["b", "c"]], exact_costs({"a": 1, "b": 3, "c": 1}, "abc")
    for outcome, fault in (
        (None, SolverError),
        (Outcome.unfinished(Stop.LIMIT, 2.0, 1.0), SolverError),
        (Outcome.unfinished(Stop.TIME), OutOfTimeError),
        (Outcome.unfinished(Stop.INTERRUPT), KeyboardInterrupt),
    ):
        with pytest.raises(fault):
            next(by_model.in_order(removals, costs, Answers(outcome)))
