"""Families of minimal transversals: the same by the diagram as by trying all sets, and limits."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import islice
from math import inf, nan
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from altsel.errors import ArgumentError
from altsel.exact.transversals import counting
from altsel.exact.transversals.bounds import bounds, most_transversals
from altsel.exact.transversals.diagram import DiagramTooLargeError
from altsel.exact.transversals.hypergraph import as_bitset
from altsel.exact.transversals.residual import start
from altsel.exact.transversals.transversals import Transversals
from altsel.runtime.clock import Clock, OutOfTimeError, in_force
from tests.oracles.transversals import minimal_transversals

NAMES = tuple("abcdefgh")
REMOVALS = st.lists(st.sets(st.sampled_from(NAMES), max_size=5).map(sorted), max_size=8)
COSTS = st.lists(st.integers(-20, 20), min_size=8, max_size=8).map(
    lambda tenths: {name: number / 10 for name, number in zip(NAMES, tenths, strict=True)}
)


def random_removals(seed: int, sets: int, size: int, features: int) -> list[list[str]]:
    random = Random(seed)
    return [[f"f{j}" for j in random.sample(range(features), size)] for _ in range(sets)]


def pairs(number: int) -> list[list[str]]:
    return [[f"a{j}", f"b{j}"] for j in range(number)]


@pytest.mark.slow
@settings(max_examples=300)
@given(REMOVALS)
def test_the_family_is_that_of_all_sets_tried(removals: list[list[str]]) -> None:
    family, found = minimal_transversals(removals, NAMES), Transversals(removals, NAMES)
    listed = list(found)
    assert set(map(frozenset, listed)) == family
    assert found.count() == len(listed) == len(family)
    assert found.counts_by_feature() == {name: sum(name in one for one in family) for name in NAMES}
    assert found.sizes() == dict(sorted(Counter(map(len, family)).items()))
    ranked = [counting.set_of_rank(found.diagram, rank, found._below) for rank in range(len(family))]
    assert set(map(frozenset, ranked)) == family
    if family:
        assert set(found.indispensable) == frozenset.intersection(*family)
        assert set(found.replaceable) == frozenset.union(*family) - frozenset.intersection(*family)


@settings(max_examples=200)
@given(REMOVALS, st.sets(st.sampled_from(NAMES)))
@pytest.mark.slow
def test_what_it_contains(removals: list[list[str]], chosen: set[str]) -> None:
    assert Transversals(removals).contains(chosen) == (chosen in minimal_transversals(removals, NAMES))


@settings(max_examples=200)
@given(REMOVALS, COSTS)
@pytest.mark.slow
def test_order_and_front_of_costs_of_any_sign(removals: list[list[str]], cost: dict[str, float]) -> None:
    family, found = minimal_transversals(removals, NAMES), Transversals(removals, NAMES)

    def price(chosen: frozenset[str]) -> float:
        return float(sum(Fraction(str(cost[name])) for name in chosen))

    ordered = list(found.in_order(cost))
    assert [one.cost for one in ordered] == sorted(map(price, family))
    assert {frozenset(one.features) for one in ordered} == family
    assert len(ordered) == len(family)
    assert all(one.cost == price(frozenset(one.features)) for one in ordered)
    points = {(len(one), price(one)) for one in family}
    front = found.front(cost)
    assert {frozenset(one.features) for one in front} <= family
    assert [(len(one.features), one.cost) for one in front] == sorted(
        point for point in points if not any(p <= point[0] and q <= point[1] for p, q in points - {point})
    )


@settings(max_examples=200)
@given(REMOVALS, st.integers(1, 4))
@pytest.mark.slow
def test_bounds_enclose_the_number(removals: list[list[str]], width: int) -> None:
    least, most = bounds(removals, width)
    assert least <= len(minimal_transversals(removals, NAMES)) <= most
    exact = bounds(removals, 10_000)
    assert exact == (len(minimal_transversals(removals, NAMES)),) * 2


@pytest.mark.slow
@settings(max_examples=200)
@given(REMOVALS)
def test_one_formula_bounds_the_number(removals: list[list[str]]) -> None:
    bit = {name: 1 << j for j, name in enumerate(NAMES)}
    state = start([as_bitset(one, bit) for one in removals])
    family = minimal_transversals(removals, NAMES)
    assert (state is None) == (not family)
    assert state is None or most_transversals(state) >= len(family)


@pytest.mark.slow
def test_few_nodes_are_made_that_are_not_kept() -> None:
    """What is left to decide is brought to a form that is the same where the sets are the same."""
    assert Transversals(pairs(40), most_nodes=82).fits
    removals = random_removals(2, 30, 4, 40)
    kept = len(Transversals(removals).diagram)
    assert Transversals(removals, most_nodes=kept + kept // 4).fits


def test_millions_are_not_listed() -> None:
    found = Transversals(pairs(40))
    assert found.count() == 2**40
    assert len(found.diagram) == 82
    assert set(found.counts_by_feature().values()) == {2**39}
    cost = {name: (1 if name[0] == "a" else 2) * (1 + int(name[1:])) for name in found.order}
    first = list(islice(found.in_order(cost), 5))
    assert [one.cost for one in first] == [820, 821, 822, 823, 823]
    assert found.bounds() == (2**40, 2**40)
    draw = found.sample(3, Random(0))
    assert draw == found.sample(3, Random(0))
    assert all(found.contains(one) for one in draw)
    assert Transversals([[f"{g}{i}" for i in range(4)] for g in "abcdefghijkl"]).count() == 4**12


@pytest.mark.slow
def test_a_thousand_features_in_a_chain() -> None:
    chain = [[f"f{j}", f"f{j + 1}"] for j in range(999)]
    found = Transversals(chain)
    counts = [1, 2, 2]  # minimal vertex covers of paths of 1, 2, 3, ... nodes: Padovan's numbers
    while len(counts) < 1000:
        counts.append(counts[-2] + counts[-3])
    assert found.count() == counts[-1]
    assert len(next(iter(found))) >= 333


def test_draws_are_uniform() -> None:
    found = Transversals([["a", "b", "c"], ["c", "d"], ["b", "d", "e"]])
    drawn = Counter(found.sample(6000, Random(1)))
    expected = 6000 / found.count()
    assert len(drawn) == found.count()
    assert (
        sum((seen - expected) ** 2 / expected for seen in drawn.values()) < 30
    )  # chi square, p = 1e-5 or less


def test_a_diagram_that_does_not_fit() -> None:
    removals = random_removals(0, 30, 5, 40)
    found = Transversals(removals, most_nodes=1000)
    assert not found.fits
    for asked in (found.count, found.counts_by_feature, found.sizes, lambda: next(iter(found))):
        with pytest.raises(DiagramTooLargeError, match="1,000 nodes"):
            asked()
    least, most = found.bounds(50)
    assert 1 < least < most
    assert 0 < len(found.replaceable) <= 40


def test_the_clock_ends_it() -> None:
    with in_force(Clock(until=0.0)), pytest.raises(OutOfTimeError):
        Transversals(pairs(3)).count()
    with in_force(Clock(interrupted=True)), pytest.raises(KeyboardInterrupt):
        Transversals(pairs(3)).count()


@pytest.mark.parametrize(
    ("cost", "said"),
    [
        ({"a": 1}, "none for 'b'"),
        ({"a": 1, "b": nan}, "'b'"),
        ({"a": inf, "b": 1}, "'a'"),
        ({"a": "1", "b": 1}, "'a'"),
        ([1, 2], "by feature"),
    ],
)
def test_costs_that_are_none(cost: Any, said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        Transversals([["a", "b"]]).in_order(cost)


def test_wrong_arguments() -> None:
    with pytest.raises(ArgumentError, match="'b' in removals"):
        Transversals([["a", "b"]], order=["a"])
    with pytest.raises(ArgumentError, match="order='ab' is one name"):
        Transversals([["a", "b"]], order="ab")
    with pytest.raises(ArgumentError, match="removals"):
        Transversals("ab")
    with pytest.raises(ArgumentError, match="no set to draw"):
        Transversals([[]]).sample(1, Random(0))
    with pytest.raises(ArgumentError, match="dissimilarity"):
        Transversals([["a"]]).most_different("jaccard")


def test_a_diagram_has_room_for_three_nodes_at_least() -> None:
    with pytest.raises(ArgumentError, match="most_nodes"):
        Transversals([["a", "b"]], most_nodes=2)
