"""What a search for all blankets claims, and what proves it: held against all sets, by brute force."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import altsel
from altsel import blankets, domain
from altsel.errors import ArgumentError
from altsel.results.dual import Evidence
from altsel.results.stop import Stop
from tests.oracles.coins import copies_of, random_coins, random_rules
from tests.oracles.known_blankets import SEARCHES, Search, sets, xor
from tests.pairs import paired

ALL: dict[str, Search] = {
    **SEARCHES,
    "no pruning": partial(blankets.tmfbs, prune=blankets.Pruning(False, False, False)),
    "TIE*, IAMB": partial(blankets.tie_star, learner=blankets.iamb),
}
CLAIMS = {Stop.EXHAUSTED, Stop.INFEASIBLE}


@pytest.mark.slow
@pytest.mark.parametrize(("ruled", "search"), paired([False, True], ALL))
def test_what_is_called_exhausted_is_the_family(search: Search, ruled: bool) -> None:
    claimed = 0
    for seed in range(24):
        test = random_coins(seed)
        rules, keeps = random_rules(np.random.default_rng(seed), test.features) if ruled else ([], bool)
        family = {one for one in test.blankets() if not ruled or keeps(one)}
        found = search(test, limits=blankets.Limits(subject_to=rules))
        if found.stop in CLAIMS:
            claimed += 1
            assert sets(found) == family, seed
    assert claimed > 12


@pytest.mark.slow
def test_without_rules_the_failed_removals_are_the_minimal_transversals() -> None:
    for seed in range(60):
        test = random_coins(seed)
        found = blankets.tmfbs(test)
        if found.stop is not Stop.EXHAUSTED:
            continue
        assert found.dual is not None
        family = test.blankets()
        for one in found.dual.failed:
            removal = set(one.removed)
            assert all(removal & blanket for blanket in family)
            assert all(any(not (removal - {name}) & blanket for blanket in family) for name in removal)


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_one_solve_proves_a_family_of_copies(search: Search) -> None:
    found = search(copies_of((3, 3, 2)))
    assert (len(found), found.stop) == (18, Stop.EXHAUSTED)
    dual = found.dual
    assert dual is not None
    assert (dual.complete, dual.solves, dual.missed, dual.attempts, dual.doubts()) == (True, 1, 0, 0, [])
    assert {one.removed for one in dual.failed} == {
        ("g0_0", "g0_1", "g0_2"),
        ("g1_0", "g1_1", "g1_2"),
        ("g2_0", "g2_1"),
    }
    assert {one.evidence for one in dual.failed} == {Evidence.NEEDED}
    assert dual.tests < found.effort.tests / 2
    assert altsel.Solutions.from_json(found.to_json()).dual == dual


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_a_reference_that_is_no_blanket_is_not_called_exhausted(search: Search) -> None:
    found = search(xor((2, 2))[0])
    assert (sets(found), found.stop) == ({frozenset()}, Stop.HEURISTIC)
    assert "tests do not confirm that the reference is a blanket" in found.search


def test_sets_that_contain_one_another_are_not_called_exhausted() -> None:
    for search in SEARCHES.values():
        found = search(copies_of((2, 2)), equivalent=lambda reference, one: True)
        assert found.stop is not Stop.EXHAUSTED or len(found) == 4
        assert found.dual is not None
        assert bool(found.dual.nested) == any(set(a) < set(b) for a in found for b in found)


def near_copies(seed: int) -> altsel.independence.PartialCorrelation:
    """Return smooth channels of three random walks, as sensors have them."""
    random = np.random.default_rng(seed)
    walks = random.normal(size=(215, 3)).cumsum(0)
    shapes = np.array([[np.exp(-(((j / 23 - c) / 0.3) ** 2)) for c in (0.2, 0.5, 0.8)] for j in range(24)])
    channels = walks @ shapes.T + 0.01 * random.normal(size=(215, 24))
    target = walks[:, 0] - walks[:, 2] + 2 * random.normal(size=215)
    data = altsel.Dataset({f"c{j}": channels[:, j] for j in range(24)}, target)
    return altsel.independence.PartialCorrelation(data)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("search", [blankets.tmfbs, partial(blankets.tie_star, removal="hitting_set")])
def test_near_copies_are_not_called_exhausted_while_more_are_accepted(search: Search) -> None:
    test = near_copies(0)
    found = search(test, 0.001, limits=blankets.Limits(max_states=400))
    assert found.stop is not Stop.EXHAUSTED
    alone = blankets.tmfbs(test, 0.001, limits=blankets.Limits(attempts=0))
    assert alone.dual is not None
    assert alone.dual.attempts == 0


FIRST, SECOND = ([f"g{g}_{i}" for g in range(4)] for i in (0, 1))
RULES: dict[str, tuple[Any, int]] = {
    "forbid": ([domain.forbid(*FIRST, *SECOND)], 1),
    "at most": ([domain.at_most(0, FIRST)], 16),
    "require": ([domain.require(*FIRST)], 1),
    "budget": ([domain.budget({f"g{g}_{i}": i for g in range(4) for i in range(3)}, 1, other=0)], 5),
}


@pytest.mark.slow
@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
@pytest.mark.parametrize(("rules", "number"), RULES.values(), ids=RULES)
def test_rules_cut_what_no_admissible_blanket_is_in(search: Search, rules: Any, number: int) -> None:
    test = copies_of((3, 3, 3, 3))
    found = search(test, limits=blankets.Limits(subject_to=rules))
    assert (len(found), found.stop) == (number, Stop.EXHAUSTED)
    assert found.effort.tests < blankets.tmfbs(test).effort.tests


@pytest.mark.slow
def test_what_a_limit_left_is_returned_with_the_removals_that_failed() -> None:
    test = copies_of((2, 2, 2))
    for states in range(1, 30):
        found = blankets.tmfbs(test, limits=blankets.Limits(max_states=states))
        assert found.dual is not None
        assert found.stop is Stop.EXHAUSTED or not found.dual.complete
    late = blankets.tie_star(test, removal="hitting_set", limits=blankets.Limits(max_seconds=0))
    assert (late.stop, len(late)) == (Stop.TIME, 0)
    with pytest.raises(ArgumentError, match="attempts"):
        blankets.Limits(attempts=-1)
