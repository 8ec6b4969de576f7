"""Rules of the domain, and features forced in or out, in searches for all blankets."""

from __future__ import annotations

from typing import Any

import pytest

import altsel
from altsel import domain
from altsel.errors import ArgumentError
from altsel.results.stop import Stop
from altsel.search.blankets.all.admissible import Admission
from tests.oracles.known_blankets import SEARCHES, Search, copies, sets


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
@pytest.mark.slow
def test_rules_of_the_domain_cut_and_drop(search: Search) -> None:
    test, family = copies((3, 3, 3))
    penalty = {name: 1.0 + 2.0 * name.endswith("_1") for name in test.features}
    rules = [domain.forbid("g1_1", "g1_2"), domain.budget(penalty, 5, other=0)]
    wanted = {
        subset for subset in family if not subset & {"g1_1", "g1_2"} and sum(penalty[f] for f in subset) <= 5
    }
    found = search(test, limits=altsel.blankets.Limits(subject_to=rules))
    assert (sets(found), found.stop) == (wanted, Stop.EXHAUSTED)
    dropped = {frozenset(one.features) for one in found.discarded if one.reason == "breaks the rules"}
    assert dropped <= family - wanted
    assert found.effort.tests < search(test).effort.tests
    assert "budget of 5" in found.search
    none = search(test, limits=altsel.blankets.Limits(subject_to=[domain.require("z0"), domain.forbid("z0")]))
    assert (len(none), none.stop) == (0, Stop.INFEASIBLE)
    with pytest.raises(ArgumentError, match=r"quality of at least 1.*may name b\.x, b\.size,"):
        search(test, limits=altsel.blankets.Limits(subject_to=[domain.minimum_quality(1)]))


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_a_rule_may_fix_variables(search: Search) -> None:
    test, _ = copies((2, 2))

    def fixed(block: Any) -> None:
        block.x["g0_1"].fix(1)
        block.x["g1_0"].fix(0)

    found = search(test, limits=altsel.blankets.Limits(subject_to=[fixed]))
    assert sets(found) == {frozenset({"g0_1", "g1_1"})}


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_features_forced_in_or_left_out(search: Search) -> None:
    test, _ = copies((2, 2))
    found = search(test, limits=altsel.blankets.Limits(include=["g0_1"], exclude=["g1_0"]))
    assert sets(found) == {frozenset({"g0_1", "g1_1"})}
    rules = [domain.implies("g0_0", "g1_0")]
    ruled = search(test, limits=altsel.blankets.Limits(exclude=["g1_0"], subject_to=rules))
    assert sets(ruled) == {frozenset({"g0_1", "g1_1"})}


def test_calls_of_the_solver_are_counted() -> None:
    admission = Admission(["a", "b"], [domain.forbid("a")])
    assert admission.solves == 0
    assert (admission.keeps(["b"]), admission.keeps(["a"])) == (True, False)
    assert admission.solves == 2
