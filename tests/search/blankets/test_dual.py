"""The dual of a family, learned without a list: against families that are known, and against all sets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import blankets as blanket
from altsel.errors import ArgumentError
from altsel.results.dual import Dual
from tests.oracles.known_blankets import all_blankets, copies, random_table, sets, table, xor
from tests.oracles.transversals import minimal_transversals


def dual_of(found: altsel.Solutions) -> Dual:
    assert found.dual is not None
    return found.dual


@pytest.mark.parametrize("groups", [(1,), (2, 2), (3, 1, 2), (2, 2, 2, 2)])
@pytest.mark.parametrize("kind", ["recoded", "noisy"])
def test_families_that_are_known(groups: tuple[int, ...], kind: str) -> None:
    if kind == "noisy" and sum(groups) > 4:
        groups = groups[:2]
    test, family = copies(groups, kind=kind)
    found = blanket.dual(test)
    assert found.stop is altsel.Stop.EXHAUSTED
    assert sets(found) == family
    assert dual_of(found).complete
    assert dual_of(found).draws == 0
    removals = {frozenset(one.removed) for one in dual_of(found).failed}
    assert removals == {frozenset(f"g{i}_{j}" for j in range(size)) for i, size in enumerate(groups)}
    assert set(map(frozenset, blanket.Blankets(found))) == family


@pytest.mark.slow
@settings(max_examples=30)
@given(st.integers(0, 100_000))
def test_tables_at_random_against_all_sets(seed: int) -> None:
    """What is proved is right; failed removals are those of the family (minimal sets that meet all of it)."""
    test = random_table(seed)
    family = all_blankets(test)
    found = blanket.dual(test)
    if found.stop is altsel.Stop.EXHAUSTED:
        assert sets(found) == family
        removals = {frozenset(one.removed) for one in dual_of(found).failed}
        assert removals == minimal_transversals([sorted(one) for one in family], test.features)
        assert set(map(frozenset, blanket.Blankets(found))) == family
    else:
        assert found.stop is altsel.Stop.HEURISTIC
        assert dual_of(found).doubts()


def test_exclusive_or_by_pairs() -> None:
    test, family = xor((2, 3))
    by_pairs = blanket.Template(blanket.dependent_in_pairs, name="by pairs")
    found = blanket.dual(test, template=by_pairs)
    assert sets(found) == family
    assert found.stop is altsel.Stop.EXHAUSTED


def test_two_for_one() -> None:
    """One feature stands for two: blankets of two sizes, and which are of minimal size."""
    rows = [{"a": i, "b": j, "both": 2 * i + j, "y": 2 * i + j} for i in (0, 1) for j in (0, 1)]
    found = blanket.dual(table(rows))
    assert sets(found) == {frozenset(["both"]), frozenset("ab")}
    family = blanket.Blankets(found)
    assert family.sizes() == {1: 1, 2: 1}
    assert list(family.smallest()) == [("both",)]


def pairs(number: int, size: int = 2) -> altsel.independence.PartialCorrelation:
    random = np.random.default_rng(0)
    signals = random.normal(size=(number, 1000))
    columns = {f"s{j}_{i}": (i + 1) * signal + i for j, signal in enumerate(signals) for i in range(size)}
    columns |= {f"n{j}": random.normal(size=1000) for j in range(5)}
    y = signals.sum(axis=0) + random.normal(size=1000)
    return altsel.independence.PartialCorrelation(altsel.Dataset(columns, y))


@pytest.mark.slow
def test_a_family_too_large_to_list() -> None:
    found = blanket.dual(pairs(20), 1e-4, draws=30)
    dual = dual_of(found)
    assert {frozenset(one.removed) for one in dual.failed} == {
        frozenset({f"s{j}_0", f"s{j}_1"}) for j in range(20)
    }
    assert (found.stop, dual.complete, dual.draws, dual.uniform) == (altsel.Stop.HEURISTIC, False, 30, True)
    assert "30 sets drawn are blankets" in found.search
    assert blanket.Blankets(found).count() == 2**20
    assert altsel.Solutions.from_json(found.to_json()) == found


def test_the_share_that_draws_leave_open() -> None:
    """1 - .05^(1/n) but for the level, which is .05 over all runs together."""
    for draws, runs in ((299, 1), (59, 1), (100, 4)):
        share = Dual((), False, draws=draws, runs=runs).most_wrong()
        assert share is not None
        assert (1 - share) ** draws == pytest.approx(0.05 / (runs * (runs + 1)))
    assert Dual((), True).most_wrong() == 0
    assert Dual((), False).most_wrong() is None
    assert sum(0.05 / (run * (run + 1)) for run in range(1, 100_000)) < 0.05


@pytest.mark.parametrize(
    ("limits", "stop"),
    [
        ({"max_states": 1}, altsel.Stop.LIMIT),
        ({"max_states": 9}, altsel.Stop.LIMIT),
        ({"max_tests": 200}, altsel.Stop.LIMIT),
        ({"max_seconds": 0}, altsel.Stop.TIME),
    ],
)
def test_limits_keep_what_was_found_and_claim_nothing(limits: dict[str, Any], stop: altsel.Stop) -> None:
    found = blanket.dual(pairs(4), 1e-4, limits=blanket.Limits(**limits))
    assert found.stop is stop
    assert not dual_of(found).complete
    assert not dual_of(found).draws
    with pytest.raises(ArgumentError, match="cut short"):
        blanket.Blankets(found)


def test_fewer_blankets_than_there_are() -> None:
    found = blanket.dual(pairs(3), 1e-4, limits=blanket.Limits(max_solutions=5))
    assert (len(found), found.stop) == (5, altsel.Stop.LIMIT)
    assert blanket.Blankets(found).count() == 8


@pytest.mark.slow
def test_a_diagram_that_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("altsel.search.blankets.all.dual.MOST_NODES", 4)
    found = blanket.dual(pairs(6), 1e-4, draws=20)
    assert not dual_of(found).uniform
    assert "not each with the same probability" in found.search
    assert blanket.Blankets(found).count() == 64


@pytest.mark.slow
def test_near_copies_are_not_called_exhausted() -> None:
    random = np.random.default_rng(0)
    z = random.normal(size=(215, 3)).cumsum(1)
    channels = {
        f"c{j}": z @ np.sin((j + np.arange(3)) / 7.0) + 0.01 * random.normal(size=215) for j in range(20)
    }
    data = altsel.Dataset(channels, z[:, 0] + z[:, 1] + 0.5 * random.normal(size=215))
    test = altsel.independence.PartialCorrelation(data)
    found = blanket.dual(test, 0.001, limits=blanket.Limits(max_states=3000))
    assert found.stop is altsel.Stop.HEURISTIC
    assert dual_of(found).withdrawn > 0
    assert {frozenset(one) for one in found} > {frozenset(one) for one in blanket.tmfbs(test, 0.001)}


def test_rules_are_refused() -> None:
    limits = blanket.Limits(subject_to=[altsel.domain.forbid("s0_0")])
    with pytest.raises(ArgumentError, match="best"):
        blanket.dual(pairs(2), limits=limits)
    with pytest.raises(ArgumentError, match="draws"):
        blanket.dual(pairs(2), draws=0)
