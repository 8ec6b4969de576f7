"""All Markov blankets: known families by exact oracles, pruning, removals, limits, rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import networkx as nx
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import blankets as blanket
from altsel.errors import ArgumentError
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.search.blankets.all.order_variables import dependent_in_pairs
from altsel.search.blankets.blanket_search import BlanketSearch
from tests.oracles.known_blankets import (
    SEARCHES,
    Family,
    Search,
    all_blankets,
    copies,
    misleading_summary,
    sets,
    table,
    xor,
)

KNOWN = {
    "three groups of three": copies((3, 3, 3)),
    "two groups of six": copies((6, 6), irrelevant=0),
    "groups of features that are no copies": copies((2, 3), kind="noisy"),
    "one blanket": copies((1, 1, 1)),
}


@pytest.mark.slow
@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
@pytest.mark.parametrize(("test", "family"), KNOWN.values(), ids=KNOWN)
def test_exactly_the_known_family_is_found(
    search: Search, test: altsel.independence.JointTable, family: Family
) -> None:
    found = search(test)
    assert sets(found) == family
    assert found.stop is Stop.EXHAUSTED
    assert found[0].features == blanket.forward_backward(test)[0].features


LARGE = [pytest.param(groups, marks=pytest.mark.long) for groups in ((6, 6, 6), (20, 20))]


@pytest.mark.parametrize("groups", [(3, 3, 3, 3, 3), *LARGE])
@pytest.mark.slow
def test_families_of_hundreds(groups: tuple[int, ...]) -> None:
    """``benchmarks/families.py`` has them by TIE* too."""
    test, family = copies(groups, irrelevant=0)
    found = altsel.blankets.tmfbs(test)
    assert (sets(found), found.stop) == (family, Stop.EXHAUSTED)


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_a_target_without_a_blanket_has_the_empty_one(search: Search) -> None:
    nothing = table([{"a": a, "b": b, "y": y} for a in (0, 1) for b in (0, 1) for y in (0, 1)])
    found = search(nothing)
    assert (sets(found), found.stop) == ({frozenset()}, Stop.EXHAUSTED)


def in_pairs(
    test: altsel.independence.Independence, alpha: float, limits: altsel.blankets.Limits
) -> Solutions:
    return blanket.forward_backward(test, alpha, order_variables=dependent_in_pairs, limits=limits)


in_pairs.__dict__["sound_with_equivalences"] = True  # where pairs suffice, as here


def test_xor_needs_an_order_that_looks_at_pairs() -> None:
    test, family = xor((3, 2))
    assert sets(altsel.blankets.tmfbs(test)) == {frozenset()}, (
        "forward-backward selection assumes composition"
    )
    template = altsel.blankets.Template(order_variables=dependent_in_pairs)
    assert sets(altsel.blankets.tmfbs(test, template=template)) == family
    for removal in altsel.blankets.Removal:
        found = altsel.blankets.tie_star(test, learner=in_pairs, removal=removal)
        assert (sets(found), found.stop) == (family, Stop.EXHAUSTED)


@pytest.mark.slow
@settings(max_examples=15)
@given(
    st.lists(st.integers(1, 3), min_size=1, max_size=3),
    st.integers(0, 2),
    st.permutations(range(9)),
    st.builds(altsel.blankets.Pruning, st.booleans(), st.booleans(), st.booleans()),
)
def test_random_families(
    groups: list[int], irrelevant: int, order: list[int], prune: altsel.blankets.Pruning
) -> None:
    test, family = copies(groups, irrelevant=irrelevant)
    names = sorted(test.features, key=lambda name: order[hash_of(name) % 9])
    frame = as_frame(test)
    shuffled = table(frame[[*names, "y"]].to_dict("records"))
    searches: list[Search] = [*SEARCHES.values(), partial(altsel.blankets.tmfbs, prune=prune)]
    for search in searches:
        found = search(shuffled)
        assert (sets(found), found.stop) == (family, Stop.EXHAUSTED)


def hash_of(name: str) -> int:
    return sum(map(ord, name))


def as_frame(test: altsel.independence.JointTable) -> pd.DataFrame:
    return pd.DataFrame(test._codes.T, columns=list(test._variables.names))


PRUNING = [altsel.blankets.Pruning(*(bool(n & bit) for bit in (1, 2, 4))) for n in range(8)]


@pytest.mark.parametrize("prune", PRUNING, ids=[str(one) for one in PRUNING])
def test_no_rule_loses_a_solution(prune: altsel.blankets.Pruning) -> None:
    test, family = copies((2, 2, 2))
    found = altsel.blankets.tmfbs(test, prune=prune)
    assert (sets(found), found.stop) == (family, Stop.EXHAUSTED)


@pytest.mark.parametrize("rule", ["rule_1", "rule_2"])
def test_rules_1_and_2_fire(rule: str) -> None:
    test, _ = copies((2, 2, 2))
    none = altsel.blankets.Pruning(False, False, False)
    one = altsel.blankets.Pruning(**{"rule_1": False, "rule_2": False, "rule_3": False, rule: True})
    assert (
        altsel.blankets.tmfbs(test, prune=one).effort.nodes
        < altsel.blankets.tmfbs(test, prune=none).effort.nodes
    )


def test_rule_3_fires_where_what_was_selected_leaves_again() -> None:
    test, family = misleading_summary()
    assert test(["a", "b", "c", "s"]).order()[0] == 3
    first = altsel.blankets.forward_backward(test)
    none, three = altsel.blankets.Pruning(False, False, False), altsel.blankets.Pruning(False, False, True)
    without, with_rule = altsel.blankets.tmfbs(test, prune=none), altsel.blankets.tmfbs(test, prune=three)
    assert sets(without) == sets(with_rule) == all_blankets(test) == family
    assert "s" not in first[0]
    assert with_rule.effort.nodes < without.effort.nodes


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_limits_end_a_search_with_what_it_has(search: Search) -> None:
    test, family = copies((3, 3, 3))
    some = search(test, limits=altsel.blankets.Limits(max_solutions=4))
    assert (len(some), some.stop) == (4, Stop.LIMIT)
    assert sets(some) < family
    for limits in (altsel.blankets.Limits(max_states=6), altsel.blankets.Limits(max_tests=200)):
        ended = search(test, limits=limits)
        assert ended.stop is Stop.LIMIT
        assert sets(ended) < family
    late = search(test, limits=altsel.blankets.Limits(max_seconds=0))
    assert (late.stop, len(late)) == (Stop.TIME, 0)


def test_a_criterion_of_ones_own_discards_and_says_so() -> None:
    test, family = copies((2, 2))
    found = altsel.blankets.tmfbs(test, equivalent=lambda reference, one: len(one) == 2 and "g0_1" not in one)
    assert sets(found) == {subset for subset in family if "g0_1" not in subset}
    assert {one.reason for one in found.discarded} == {"not equivalent to the reference"}
    first, second = found[0], found[1]
    assert {verdict.role.value for verdict in first.verdicts} == {"member", "rejected"}
    assert [(verdict.feature, verdict.given) for verdict in second.verdicts] == [
        (name, ()) for name in second
    ]
    read = altsel.Solutions.from_json(found.to_json())
    assert read.discarded == found.discarded
    assert read[1].comparisons == found[1].comparisons


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:columns are copies")
def test_codes_of_the_same_values_are_found_in_samples_of_alarm() -> None:
    rows = altsel.read_network("examples/data/alarm.bif").sample(5000, random_state=0)
    X = rows.drop(columns="HR")
    codes = {value: f"code {j}" for j, value in enumerate(sorted(X["HRBP"].unique()))}
    X = X.assign(copy=X["HRBP"].map(codes), both=X["HREKG"].astype(str) + "/" + X["HRSAT"].astype(str))
    found = altsel.blankets.tmfbs(altsel.independence.GSquare(altsel.Dataset(X, rows["HR"])), 0.01)
    rest = frozenset({"STROKEVOLUME", "ERRCAUTER", "CO"})  # these are true; two more are too weak here
    pairs = [frozenset({"both"}), frozenset({"HREKG", "HRSAT"})]
    assert sets(found) == {rest | {one} | pair for one in ("HRBP", "copy") for pair in pairs}
    assert {one.reason for one in found.discarded} == {"not equivalent to the reference"}


@settings(max_examples=8)
@given(st.lists(st.integers(1, 3), min_size=1, max_size=4))
@pytest.mark.slow
def test_no_state_is_visited_twice(groups: list[int]) -> None:
    test, _ = copies(groups)
    states = []

    def order(search: BlanketSearch) -> list[str]:
        states.append(frozenset(search.members))
        return list(altsel.blankets.dependent_in_turn(search))

    found = altsel.blankets.tmfbs(
        test, template=altsel.blankets.Template(order), prune=altsel.blankets.Pruning(False, False, False)
    )
    assert len(states) == len(set(states)) == found.effort.nodes


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::altsel.errors.FalseDiscoveryWarning")
def test_results_do_not_depend_on_the_order_of_columns(ionosphere: altsel.Dataset) -> None:
    limits = altsel.blankets.Limits(max_solutions=6)
    found = altsel.blankets.tmfbs(altsel.independence.LikelihoodRatio(ionosphere), 0.1, limits=limits)
    assert len(found) > 1
    turned = altsel.Dataset(ionosphere.X[list(ionosphere.features[::-1])], ionosphere.y)
    again = altsel.blankets.tmfbs(altsel.independence.LikelihoodRatio(turned), 0.1, limits=limits)
    assert [frozenset(subset) for subset in found] == [frozenset(one) for one in again]
    assert all(subset.comparisons for subset in found[1:])


def test_an_interrupt_leaves_what_was_found() -> None:
    test, family = copies((3, 3))
    calls = 0

    def impatient(reference: Sequence[str], one: Sequence[str]) -> bool:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise KeyboardInterrupt
        return len(one) == 2

    for search in SEARCHES.values():
        calls = 0
        found = search(test, equivalent=impatient)
        assert found.stop is Stop.INTERRUPT
        assert found.sets
        assert sets(found) < family


def test_what_is_wrong_is_named() -> None:
    test, _ = copies((2, 2))
    with pytest.raises(ArgumentError, match="EarlyDropping remembers"):
        altsel.blankets.Template(blanket.EarlyDropping())
    with pytest.raises(ArgumentError, match="removal='best'"):
        altsel.blankets.tie_star(test, removal="best")
    with pytest.raises(ArgumentError, match="max_solutions=0"):
        altsel.blankets.Limits(max_solutions=0)
    with pytest.raises(ArgumentError, match="takes functions"):
        altsel.blankets.Limits(subject_to=["budget"])  # type: ignore[list-item]
    with pytest.raises(ArgumentError, match="'nobody'"):
        altsel.blankets.tmfbs(test, limits=altsel.blankets.Limits(exclude=["nobody"]))


def two_bits_and_their_code() -> altsel.independence.JointTable:
    """``f0`` and ``f2`` are one bit, ``f1`` is another, ``f4`` is both; the target is both."""
    rows = [{"f0": b, "f1": a, "f2": b, "f4": 2 * a + b, "y": 2 * a + b} for a in (0, 1) for b in (0, 1)]
    return table(rows)


@pytest.mark.parametrize("name", ["mmmb", "hiton_mb", "ipcmb"])
def test_a_learner_that_needs_faithfulness_makes_no_claim_of_all(name: str) -> None:
    found = altsel.blankets.tie_star(two_bits_and_their_code(), learner=getattr(altsel.blankets, name))
    assert found.stop is altsel.Stop.HEURISTIC  # it was exhausted, with one of three blankets
    assert "stop: heuristic" in str(found)


@pytest.mark.parametrize(
    "learner",
    [
        altsel.blankets.forward_backward,
        partial(altsel.blankets.forward_backward_early_dropping, extra_runs=None),
        altsel.blankets.grow_shrink,
        altsel.blankets.iamb,
        altsel.blankets.inter_iamb,
        altsel.blankets.fast_iamb,
    ],
    ids=["fbs", "fbed", "grow-shrink", "iamb", "inter-iamb", "fast-iamb"],
)
def test_learners_that_claim_to_find_all_do(learner: Search) -> None:
    found = altsel.blankets.tie_star(two_bits_and_their_code(), learner=learner)
    assert found.stop is altsel.Stop.EXHAUSTED
    assert {frozenset(one) for one in found} == {
        frozenset(one) for one in (("f0", "f1"), ("f1", "f2"), ("f4",))
    }


def test_learners_that_stop_short_of_hidden_common_causes_make_no_claim() -> None:
    arcs = [("L1", "t"), ("L1", "a"), ("L2", "a"), ("L2", "b"), ("L3", "b"), ("L3", "c"), ("L4", "c")]
    test = altsel.independence.DSeparation(nx.DiGraph([*arcs, ("L4", "d")]), "t")
    limits = altsel.blankets.Limits(exclude=("L1", "L2", "L3", "L4"))
    early = altsel.blankets.forward_backward_early_dropping
    short: list[Search] = [partial(early, extra_runs=1), partial(early, extra_runs=2), altsel.blankets.stmb]
    for learner in short:
        found = altsel.blankets.tie_star(test, learner=learner, limits=limits)
        assert found.stop is altsel.Stop.HEURISTIC  # they find no more than a, b and c
    whole: list[Search] = [partial(early, extra_runs=None), altsel.blankets.forward_backward]
    for learner in whole:
        found = altsel.blankets.tie_star(test, learner=learner, limits=limits)
        assert (sets(found), found.stop) == ({frozenset("abcd")}, altsel.Stop.EXHAUSTED)


def test_a_learner_of_ones_own_says_that_it_is_sound() -> None:
    def own(*arguments: Any, **options: Any) -> altsel.Solutions:
        return altsel.blankets.iamb(*arguments, **options)

    assert altsel.blankets.tie_star(two_bits_and_their_code(), learner=own).stop is altsel.Stop.HEURISTIC
    own.__dict__["sound_with_equivalences"] = True
    assert altsel.blankets.tie_star(two_bits_and_their_code(), learner=own).stop is altsel.Stop.EXHAUSTED


def test_without_a_second_run_early_dropping_makes_no_claim() -> None:
    learner = altsel.blankets.forward_backward_early_dropping
    assert altsel.blankets.tie_star(two_bits_and_their_code(), learner=learner).stop is altsel.Stop.HEURISTIC
