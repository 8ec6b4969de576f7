"""Templates of TMFBS: complete where they say so, and never more than that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import combinations, product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel.blankets import (
    Limits,
    Pruning,
    Stopping,
    Template,
    confirmed,
    hiton_pc_template,
    information_template,
    mmpc_template,
    tmfbs,
)
from altsel.errors import ArgumentError
from altsel.independence import DSeparation, GSquare, JointTable, PartialCorrelation
from altsel.results.stop import Stop
from altsel.search.blankets.blanket_search import BlanketSearch, begin
from tests.oracles.known_blankets import Family, all_blankets, copies, random_table, sets, table, xor
from tests.stats.test_oracle import random_dag

Make = Callable[[], Template]

BY_SUBSETS: dict[str, Make] = {
    "MMPC": mmpc_template,
    "MMPC, any size": partial(mmpc_template, None),
    "HITON-PC": hiton_pc_template,
    "HITON-PC, size 0": partial(hiton_pc_template, 0),
}
AS_FBS: dict[str, Make] = {
    f"{one}": partial(information_template, one) for one in ("mrmr", "jmi", "cife", "cmim")
}
STOPPING_EARLY: dict[str, Make] = {
    f"{one}, {rule.value}": partial(information_template, one, rule)
    for one in ("mrmr", "jmi", "cmim")
    for rule in (Stopping.BEST_INDEPENDENT, Stopping.SCORE)
}
EVERY: dict[str, Make] = {
    **BY_SUBSETS,
    **AS_FBS,
    **STOPPING_EARLY,
    "FBS, confirmed": partial(Template, confirm=confirmed),
}
UNPRUNED = Pruning(False, False, False)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize(
    ("test", "family"), [copies((3, 2, 1)), copies((2, 2), kind="noisy"), copies((1, 1))]
)
def test_known_families_are_found_and_confirmed(name: str, test: JointTable, family: Family) -> None:
    found = tmfbs(test, template=EVERY[name]())
    assert (sets(found), found.stop) == (family, Stop.EXHAUSTED)
    assert found.search.startswith("TMFBS")
    assert "not confirmed" not in found.search


@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY)
@settings(max_examples=4)
@given(st.integers(0, 100_000), st.booleans())
def test_exhausted_means_all_blankets_and_nothing_else(name: str, seed: int, pruned: bool) -> None:
    test = random_table(seed)
    found = tmfbs(test, template=EVERY[name](), prune=None if pruned else UNPRUNED)
    if found.stop is Stop.EXHAUSTED:
        assert sets(found) == all_blankets(test)
    else:
        assert (found.stop, "was not confirmed" in found.search) == (Stop.HEURISTIC, True)


@pytest.mark.slow
def test_both_ends_occur_among_random_tables() -> None:
    ends: Counter[tuple[Stop, bool]] = Counter()
    for seed in range(20):
        test = random_table(seed)
        found = tmfbs(test, template=mmpc_template())
        ends[found.stop, sets(found) == all_blankets(test)] += 1
    assert ends[Stop.EXHAUSTED, True] == 15
    assert ends[Stop.HEURISTIC, False] == 5
    assert ends[Stop.EXHAUSTED, False] == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_SUBSETS)
@settings(max_examples=6)
@given(st.integers(0, 100_000))
def test_unpruned_every_blanket_without_a_separable_member_is_found(name: str, seed: int) -> None:
    test = random_table(seed)
    known = all_blankets(test)
    found = sets(tmfbs(test, template=EVERY[name](), prune=UNPRUNED))
    if not found & known:
        return  # the reference is no blanket
    for one in known:
        separable = any(
            test([member], some).independent(0.05)[0]
            for member in one
            for size in range(len(one))
            for some in combinations(sorted(one - {member}), size)
        )
        assert separable or one in found


@pytest.mark.parametrize("name", [*BY_SUBSETS, *AS_FBS, *STOPPING_EARLY])
def test_features_that_tell_something_only_together_are_not_claimed_to_be_absent(name: str) -> None:
    found = tmfbs(xor((3, 2))[0], template=EVERY[name]())
    assert (sets(found), found.stop) == ({frozenset()}, Stop.HEURISTIC)
    assert "in 1 of 1 states assumption 1 was not confirmed" in found.search


@pytest.mark.slow
@settings(max_examples=20)
@given(st.integers(0, 1_000_000), st.integers(2, 7))
def test_by_d_separation_a_spouse_keeps_the_claim_from_being_made(seed: int, nodes: int) -> None:
    graph = random_dag(seed, nodes, 0.35)
    near = {*graph.predecessors("v0"), *graph.successors("v0")}
    spouses = (
        {cause for child in graph.successors("v0") for cause in graph.predecessors(child)} - near - {"v0"}
    )
    for make in (mmpc_template, hiton_pc_template):
        found = tmfbs(DSeparation(graph, "v0"), template=make(None))
        assert near <= set(found[0])
        if not spouses:
            assert (sets(found), found.stop) == ({frozenset(near)}, Stop.EXHAUSTED)
        elif found.stop is Stop.EXHAUSTED:  # a path that is open given what was selected brings them in
            assert set(found[0]) == near | spouses


@pytest.mark.slow
def test_rule_3_is_off_by_default_and_unproved_if_requested() -> None:
    fired = 0
    for seed in (0, 13):
        test = random_table(seed)
        plain = tmfbs(test, template=mmpc_template())
        ruled = tmfbs(test, template=mmpc_template(), prune=Pruning())
        if (plain.stop, ruled.stop) == (Stop.EXHAUSTED, Stop.HEURISTIC):
            fired += 1
            assert sets(ruled) <= sets(plain)
            assert ruled.effort.nodes < plain.effort.nodes
    assert fired


def test_orders_are_those_of_the_algorithms() -> None:
    # I(X; T): strong 0.9, weak 0.8; given strong, weak's copy of its error tells least
    random = np.random.default_rng(1)
    y = random.normal(size=4000)
    strong = y + 0.5 * random.normal(size=4000)
    near = strong + 0.4 * random.normal(size=4000)
    other = y + 1.5 * random.normal(size=4000)
    weak_copy = 0.7 * y + 0.3 * strong + 0.55 * random.normal(size=4000)
    data = altsel.Dataset({"strong": strong, "near": near, "other": other, "copy": weak_copy}, y)
    test = PartialCorrelation(data)
    marginal = [test.features[j] for j in test(test.features).order()]
    rest = [name for name in test.features if name != "strong"]
    given_strong = test(rest, ["strong"])
    weakest = [
        max(float(test([name]).log_p[0]), float(p)) for name, p in zip(rest, given_strong.log_p, strict=True)
    ]
    left = [name for name, out in zip(rest, given_strong.independent(0.05), strict=True) if not out]
    by_weakest = sorted(left, key=dict(zip(rest, weakest, strict=True)).__getitem__)
    by_marginal = [name for name in marginal if name in left]
    assert by_weakest != by_marginal  # else this shows nothing
    for make, expected in ((mmpc_template, by_weakest), (hiton_pc_template, by_marginal)):
        search = begin(test, 0.05, None)
        order = make().order_variables
        assert next(iter(order(search))) == marginal[0] == "strong"
        search.at(("strong",), test.features)
        assert list(order(search)) == expected


@pytest.mark.parametrize(
    ("criterion", "peer"),
    [
        ("mrmr", altsel.ranking.mrmr),
        ("jmi", altsel.ranking.jmi),
        ("cife", altsel.ranking.cife),
        ("cmim", altsel.ranking.cmim),
    ],
)
def test_the_first_path_of_an_order_by_score_is_the_filters(
    criterion: str, peer: Callable[..., altsel.Solutions]
) -> None:
    rows = altsel.read_network("examples/data/asia.bif").sample(3000, random_state=2)
    data = altsel.Dataset(rows.drop(columns="either"), rows["either"])
    ranked = [step.feature for step in peer(data, 5)[0].path]
    search = begin(GSquare(data), 0.05, None)
    order = information_template(criterion, "score").order_variables
    chosen: list[str] = []
    while len(chosen) < 5 and (candidates := list(order(search))):
        chosen.append(candidates[0])
        search.admit(candidates[0])
    assert chosen == ranked[: len(chosen)]
    assert len(chosen) >= 2


@pytest.mark.parametrize("criterion", ["mrmr", "jmi", "cife", "cmim"])
def test_an_order_by_score_does_not_begin_with_noise_of_many_levels(criterion: str) -> None:
    random = np.random.default_rng(5)
    y = random.integers(0, 2, 600)
    real = np.where(random.random(600) < 0.72, y, 1 - y)
    place = np.char.add("p", random.integers(0, 200, 600).astype(str))
    data = altsel.Dataset({"place": place, "real": real}, np.where(y, "yes", "no"))
    assert altsel.measures.MutualInformation(debiased=False)(place, y) > 0.15
    search = begin(GSquare(data), 0.05, None)
    assert next(iter(information_template(criterion, "score").order_variables(search))) == "real"


@pytest.mark.slow
def test_best_independent_stops_where_a_better_scored_candidate_is_superfluous() -> None:
    lost = 0
    for seed in (13, 63, 64):
        test = random_table(seed)
        full = tmfbs(test, template=information_template("jmi"))
        early = tmfbs(test, template=information_template("jmi", Stopping.BEST_INDEPENDENT))
        if full.stop is Stop.EXHAUSTED and early.stop is Stop.HEURISTIC:
            lost += 1
            assert sets(full) == all_blankets(test)
            assert early.dual is not None
            assert early.dual.missed or sets(early) != sets(full)
    assert lost


@pytest.mark.slow
def test_memory_along_a_path_changes_no_answer_and_saves_tests() -> None:
    """The same tree by an order that forgets everything."""
    test, family = copies((2, 2, 1), kind="noisy")
    template = mmpc_template(None)

    def forgetful(search: BlanketSearch) -> list[str]:
        return list(mmpc_template(None).order_variables(search))

    with_memory = tmfbs(test, template=template)
    without = tmfbs(test, template=Template(forgetful, template.backward_phase, confirm=confirmed))
    again = tmfbs(test, template=template)  # the same object
    assert [one.features for one in with_memory] == [one.features for one in without]
    assert sets(with_memory) == family
    assert with_memory.effort.tests == again.effort.tests < without.effort.tests
    assert with_memory.effort.nodes == without.effort.nodes


@pytest.mark.slow
def test_samples_of_copies_are_found_by_every_template() -> None:
    random = np.random.default_rng(4)
    a, b, c = random.integers(0, 3, size=(3, 4000))
    y = np.where(random.random(4000) < 0.8, a + 3 * (b > 0), random.integers(0, 6, 4000))
    data = altsel.Dataset({"a": a, "b": b > 0, "code": 5 - a, "c": c}, y.astype(str))
    family = {frozenset({"a", "b"}), frozenset({"code", "b"})}
    for name in ("MMPC", "HITON-PC", "jmi", "mrmr", "cmim"):
        found = tmfbs(GSquare(data), 0.001, template=EVERY[name]())
        assert (sets(found), found.stop) == (family, Stop.EXHAUSTED)


@pytest.mark.slow
@pytest.mark.parametrize("make", [mmpc_template, information_template])
def test_limits_and_forced_features_hold(make: Make) -> None:
    test, family = copies((2, 2, 2))
    assert tmfbs(test, template=make(), limits=Limits(max_solutions=3)).stop is Stop.LIMIT
    forced = tmfbs(test, template=make(), limits=Limits(include=["g0_1"]))
    assert sets(forced) == {one for one in family if "g0_1" in one}
    without = tmfbs(test, template=make(), limits=Limits(exclude=["g0_1"]))
    assert sets(without) == {one for one in family if "g0_1" not in one}
    ruled = tmfbs(test, template=make(), limits=Limits(subject_to=[altsel.domain.forbid("g1_0")]))
    assert sets(ruled) == {one for one in family if "g1_0" not in one}


@pytest.mark.parametrize("make", [mmpc_template, hiton_pc_template])
def test_all_members_are_a_subset_whatever_their_number(make: Callable[[int], Template]) -> None:
    """``z`` tells of both bits, so that only both together separate it."""
    rows = [
        {"a": a, "b": b, "z": (a & b) ^ wrong, "y": a + 2 * b} for a, b, wrong in product((0, 1), repeat=3)
    ]
    test = table(rows, [1 if row["z"] != (row["a"] & row["b"]) else 9 for row in rows])
    search = begin(test, 0.05, None)
    order = make(1).order_variables
    for members, left in (((), {"a", "b", "z"}), (("a",), {"b", "z"}), (("a", "b"), set())):
        search.at(members, test.features)
        assert set(order(search)) == left


def test_rejected_features_of_the_reference_name_what_separates_them() -> None:
    test, _ = copies((2, 1))
    found = tmfbs(test, template=mmpc_template())[0]
    out = next(iter({"g0_0", "g0_1"} - set(found)))
    assert test([out], found.rejected[out].given).independent(0.05)[0]


def test_wrong_names_and_tests_without_information_are_refused() -> None:
    with pytest.raises(ArgumentError, match="criterion='mutual'"):
        information_template("mutual")
    with pytest.raises(ArgumentError, match="stopping='soon'"):
        information_template("jmi", "soon")
    with pytest.raises(ArgumentError, match="max_conditioning"):
        mmpc_template(-1)
    graph = nx.DiGraph([("a", "y")])
    with pytest.raises(ArgumentError, match="measures no information"):
        tmfbs(DSeparation(graph, "y"), template=information_template())
