"""A family of blankets by its failed removals: every answer against the list of all, by trying all sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, islice
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel.blankets import Blankets
from altsel.errors import ArgumentError
from altsel.results.dual import Dual, Evidence, FailedRemoval, minimal
from tests.oracles.transversals import minimal_transversals

UNIVERSE = tuple("abcdefgh")
REMOVALS = st.lists(st.sets(st.sampled_from(UNIVERSE[:7]), min_size=1, max_size=4), min_size=1, max_size=7)
COSTS = st.lists(st.integers(-3, 9), min_size=8, max_size=8).map(
    lambda values: dict(zip(UNIVERSE, values, strict=True))
)


def found_by(
    removals: Sequence[Sequence[str]],
    listed: Sequence[Sequence[str]] = (),
    universe: Sequence[str] = UNIVERSE,
) -> altsel.Solutions:
    """Return what a search that proved its failed removals would."""
    failed = tuple(FailedRemoval(tuple(sorted(one)), (), Evidence.NEEDED) for one in removals)
    sets = tuple(altsel.FeatureSet(tuple(one), 1.0, altsel.Proof.TESTED) for one in listed)
    return altsel.Solutions(
        sets, altsel.Stop.EXHAUSTED, tuple(universe), "a test", "y", dual=Dual(failed, complete=True)
    )


def family_of(removals: Sequence[set[str]]) -> tuple[Blankets, list[frozenset[str]]]:
    kept = [sorted(one) for one in minimal(map(frozenset, removals))]
    return Blankets(found_by(kept)), list(minimal_transversals(kept, UNIVERSE))


@pytest.mark.slow
@settings(max_examples=300)
@given(REMOVALS)
def test_counts_shares_and_classes(removals: list[set[str]]) -> None:
    family, sets = family_of(removals)
    held = Counter(name for one in sets for name in one)
    assert family.count() == len(sets)
    assert family.bounds() == (len(sets), len(sets))
    assert family.sizes() == dict(sorted(Counter(map(len, sets)).items()))
    assert family.shares().to_dict() == pytest.approx({name: held[name] / len(sets) for name in UNIVERSE})
    words = {0: "in no solution", len(sets): "indispensable"}
    expected = {name: words.get(held[name], "replaceable") for name in UNIVERSE}
    table = family.classes()
    assert dict(zip(table["feature"], table["class"], strict=True)) == expected
    assert sorted(map(sorted, family)) == sorted(map(sorted, sets))
    assert sorted(map(sorted, family.graph().paths())) == sorted(map(sorted, sets))
    least = min(map(len, sets))
    assert {frozenset(one) for one in family.smallest()} == {one for one in sets if len(one) == least}
    assert {frozenset(one) for one in family.sample(30, 1)} <= set(sets)
    assert all((tuple(one) in family) == (frozenset(one) in sets) for one in combinations(UNIVERSE, 3))


@settings(max_examples=200)
@given(REMOVALS, COSTS)
@pytest.mark.slow
def test_costs(removals: list[set[str]], costs: dict[str, int]) -> None:
    family, sets = family_of(removals)
    total = {one: sum(costs[name] for name in one) for one in sets}
    as_series: Any = pd.Series(costs)
    best = family.cheapest(costs)
    assert best.cost == min(total.values())
    assert total[frozenset(best.features)] == best.cost
    assert [one.cost for one in family.in_order(as_series)] == sorted(total.values())
    unbeaten: list[tuple[int, int]] = []
    for size in sorted(set(map(len, sets))):
        cost = min(total[one] for one in sets if len(one) == size)
        if all(cost < known for _, known in unbeaten):
            unbeaten.append((size, cost))
    front = family.front(costs)
    assert [(len(one.features), one.cost) for one in front] == unbeaten
    assert all(total[frozenset(one.features)] == one.cost for one in front)


@pytest.mark.slow
@settings(max_examples=200)
@given(REMOVALS)
def test_substitutions(removals: list[set[str]]) -> None:
    family, sets = family_of(removals)
    table = family.substitutions()
    shown = {
        (a, b): (number, share)
        for a, b, number, share in zip(*(table[column] for column in table), strict=True)
    }
    for a in UNIVERSE:
        having = [one for one in sets if a in one]
        for b in UNIVERSE:
            alone = sum(b not in one and one - {a} | {b} in sets for one in having) if a != b else 0
            assert shown.get((a, b), (0, 0))[0] == alone
            if alone:
                assert shown[a, b][1] == pytest.approx(alone / len(having))
            if (a, b) in shown:  # some blanket has the one and not the other, some the other way round
                assert any(b not in one for one in having)
    assert list(table["feature"]) == sorted(table["feature"])


@pytest.mark.slow
@settings(max_examples=60)
@given(REMOVALS)
def test_the_most_different_pair(removals: list[set[str]]) -> None:
    family, sets = family_of(removals)
    pair = family.most_different()
    if len(sets) == 1:
        assert pair is None
        return
    assert pair is not None
    assert {frozenset(pair.first), frozenset(pair.second)} <= set(sets)
    assert pair.first != pair.second
    assert len(pair.shared) == min(len(one & other) for one, other in combinations(sets, 2))


def test_a_million_blankets() -> None:
    names = [f"{kind}{j}" for j in range(20) for kind in "ab"]
    family = Blankets(found_by([[f"a{j}", f"b{j}"] for j in range(20)], universe=names))
    assert family.count() == 2**20
    assert set(family.shares()) == {0.5}
    cost = {name: int(name[1:]) + (name[0] == "a") for name in names}
    assert family.cheapest(cost).cost == sum(range(20))
    pair = family.most_different()
    assert pair is not None
    assert pair.shared == ()
    assert len(list(islice(family, 5))) == 5
    assert family.graph().size()["nodes"] == 20
    assert str(family).startswith("1,048,576 blankets by 20 failed removals")
    assert set(family.substitutions()["blankets"]) == {2**19}


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(REMOVALS, COSTS, st.integers(1, 4))
def test_where_the_diagram_does_not_fit(removals: list[set[str]], costs: dict[str, int], width: int) -> None:
    fitting, sets = family_of(removals)
    family = replace(fitting, most_nodes=3)
    assert family.bounds()[0] <= len(sets) <= family.bounds()[1]
    bounds, shares = family.share_bounds(width), fitting.shares()
    assert (bounds["low"].to_numpy() <= shares.to_numpy() + 1e-12).all()
    assert (bounds["high"].to_numpy() >= shares.to_numpy() - 1e-12).all()
    assert fitting.share_bounds()["low"].tolist() == fitting.share_bounds()["high"].tolist() == [*shares]
    told = dict(zip(bounds["feature"], zip(bounds["low"], bounds["high"], strict=True), strict=True))
    for name, kind in zip(family.classes()["feature"], family.classes()["class"], strict=True):
        assert told[name] == {"indispensable": (1, 1), "in no solution": (0, 0)}.get(kind, told[name])
    assert [(len(one.features), one.cost) for one in family.front(costs)] == [
        (len(one.features), one.cost) for one in fitting.front(costs)
    ]
    assert all(frozenset(one.features) in sets for one in family.front(costs))
    assert set(map(frozenset, family.smallest())) == set(map(frozenset, fitting.smallest()))


def test_what_needs_the_diagram_says_so() -> None:
    family = Blankets(found_by([["a", "b"], ["b", "c"], ["c", "d"]]), most_nodes=3)
    needing: list[Callable[[], object]] = [family.count, family.shares, family.sizes, family.substitutions]
    needing += [family.graph, lambda: family.sample(1)]
    for ask in needing:
        with pytest.raises(ArgumentError, match="most_nodes"):
            ask()
    assert family.cheapest().features in {("b", "c"), ("b", "d"), ("a", "c")}
    assert {frozenset(one) for one in family} == {frozenset("bc"), frozenset("bd"), frozenset("ac")}
    assert family.classes()["share"].isna().all()
    assert "replaceable" in str(family)
    fine = dict.fromkeys("abcd", 1.0) | {"a": 1.0000000001}
    with pytest.raises(ArgumentError, match="round them"):
        family.front(fine)


def test_what_is_refused() -> None:
    found = found_by([["a", "b"]], [["a"], ["b"]])
    dual = found.dual
    assert dual is not None
    part = replace(dual, complete=False)
    refused = {
        "not known": replace(found, dual=None),
        "rules \\('budget'": replace(found, dual=replace(dual, rules=("budget",))),
        "cut short .stop: limit": replace(found, stop=altsel.Stop.LIMIT, dual=part),
        "cut short .stop: time": replace(  # after a blanket was found that a removal forbids
            found_by([["a", "b"]], [["a"], ["c"]]), stop=altsel.Stop.TIME
        ),
        "neither a proof nor draws": replace(found, stop=altsel.Stop.HEURISTIC, dual=part),
    }
    for words, one in refused.items():
        with pytest.raises(ArgumentError, match=words):
            Blankets(one)
    with pytest.raises(ArgumentError, match="found"):
        Blankets([["a"]])  # type: ignore[arg-type]
    family = Blankets(found)
    for costs, words in (({"a": 1}, "none of 'b'"), ({"a": 1, "b": 1, "x": 1}, "no features"), (3, "costs")):
        with pytest.raises(ArgumentError, match=words):
            family.cheapest(costs)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="finite"):
        family.cheapest({"a": 1, "b": float("nan")})


def test_what_it_rests_on_is_said() -> None:
    found = found_by([["a", "b"]], [["a"], ["b"], ["b", "c"]])
    dual = found.dual
    assert dual is not None
    assert Blankets(found).notes() == [
        "proved: no other set has a feature of each failed removal",
        "1 set found is not minimal, and not counted",
    ]
    unsure = FailedRemoval(("a", "b"))
    drawn = replace(dual, failed=(unsure,), complete=False, draws=299, runs=1)
    notes = Blankets(replace(found, sets=found.sets[:2], stop=altsel.Stop.HEURISTIC, dual=drawn)).notes()
    assert notes[0].startswith("not proved: 299 sets drawn are blankets: less than 1.2 %")
    assert notes[1:] == ["1 of 1 failed removal is not confirmed by tests"]


def test_features_forced_in_and_left_out() -> None:
    random = np.random.default_rng(0)
    a, b, c = random.normal(size=(3, 500))
    data = altsel.Dataset({"a": a, "twice": 2 * a, "b": b, "c": c}, a + b + random.normal(size=500))
    test = altsel.independence.PartialCorrelation(data)
    limits = altsel.blankets.Limits(include=("c",), exclude=("twice",))
    family = Blankets(altsel.blankets.tmfbs(test, 0.01, limits=limits))
    assert list(family) == [("a", "b", "c")]
    assert list(family.classes()["class"]) == ["indispensable", "forbidden", "indispensable", "required"]
    assert [note for note in family.notes() if "told so" in note] == [
        "in every blanket as the search was told so: 'c'",
        "left out as the search was told so: 'twice'",
    ]
    with pytest.raises(ArgumentError, match="forbid"):
        Blankets(
            altsel.blankets.tmfbs(
                test, limits=altsel.blankets.Limits(subject_to=[altsel.domain.forbid("twice")])
            )
        )


def test_copies_cost_what_the_cheapest_does() -> None:
    random = np.random.default_rng(0)
    a, b = random.normal(size=(2, 500))
    data = altsel.Dataset({"a": a, "twice": 2 * a, "b": b}, a + b + random.normal(size=500)).grouped()
    family = Blankets(altsel.blankets.tmfbs(altsel.independence.PartialCorrelation(data)))
    assert family.cheapest({"a": 5, "twice": 1, "b": 1}).cost == 2


@pytest.mark.parametrize("search", [altsel.blankets.tmfbs, altsel.blankets.tie_star, altsel.blankets.dual])
def test_no_feature_is_a_blanket_too(search: object) -> None:
    random = np.random.default_rng(0)
    data = altsel.Dataset({"a": random.normal(size=99)}, random.normal(size=99))
    found = search(altsel.independence.PartialCorrelation(data), 0.001)  # type: ignore[operator]
    family = Blankets(found)
    assert (family.count(), list(family), family.cheapest().cost) == (1, [()], 0)
    assert family.most_different() is None
    assert len(family.substitutions()) == 0
    assert str(family).startswith("1 blanket by 0 failed removals")
