"""AFS algorithm 1 as printed: the same calls in the same order as a literal transcription, by any solver."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import BlackBox, Dice, HillClimbing, OrderedFlips, Problem, Proof, Stop, domain, wrapper
from altsel.exact.starts.nearest_valid import Closest
from tests.oracles import brute_force as bf
from tests.pairs import paired
from tests.search.alternatives.test_wrapper import NAMES, rugged

Valid = Callable[[bf.Set], bool]
Side = tuple[int, str, bool]


def literal(quality: Callable[[bf.Set], float], solve: Callable[[list[Side]], Any], max_iters: int) -> Any:
    """AFS algorithm 1, line by line; j counts from 1 there and from 0 here."""
    s = solve([])
    iters = 1
    if s is None:
        return None, iters
    j = 0
    while iters < max_iters and j < len(NAMES):
        flipped = solve([(0, NAMES[j], NAMES[j] not in s)])
        iters = iters + 1
        if flipped is not None and quality(flipped) > quality(s):
            s = flipped
            j = 0
        else:
            j = j + 1
    return s, iters


@pytest.mark.slow
@settings(max_examples=25)
@given(
    seed=st.integers(0, 999),
    k=st.sampled_from([3, (1, 4), (2, 7)]),
    max_iters=st.sampled_from([1, 2, 9, 500]),
)
def test_calls_and_answers_are_those_of_the_printed_algorithm(seed: int, k: Any, max_iters: int) -> None:
    """Solve is a brute force here that returns the first valid set in an order of its own."""
    black = rugged(seed)
    problem = Problem(black, k, [domain.at_most(1, ["x0", "x4"])])
    low, high = problem.sizes
    sets = [one for one in bf.all_sets(NAMES, (low, high)) if not {"x0", "x4"} <= one]
    sets.sort(key=lambda one: hash((seed, *sorted(int(name[1:]) for name in one))))
    calls: list[list[Side]] = []

    def solve(sides: list[Side]) -> bf.Set | None:
        calls.append(sides)
        return next((one for one in sets if all((f in one) == side for _, f, side in sides)), None)

    def any_with(closest: Closest, sides: Sequence[Side]) -> Any:
        found = solve(list(sides))
        return (None, Stop.INFEASIBLE) if found is None else ([found], Stop.EXHAUSTED)

    expected, iters = literal(lambda one: black.score(problem.mask(one)), solve, max_iters)
    printed = list(calls)
    calls.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Closest, "any_with", any_with)
        found = wrapper(problem, Dice(0.5), 0, OrderedFlips(max_iters))
    assert calls == printed
    assert len(calls) == iters <= max_iters
    assert frozenset(found[0]) == expected


@pytest.mark.slow
@pytest.mark.parametrize(("k", "solver"), paired([3, (2, 4)], [None, "highs", "cp-sat"]))
def test_sets_are_valid_and_at_the_end_of_the_printed_loop(solver: str | None, k: Any) -> None:
    problem = Problem(rugged(5), k, [domain.all_or_none(["x0", "x1"])])
    found = wrapper(problem, Dice(0.5), 2, OrderedFlips(), solver=solver)
    known: list[set[str]] = []
    for subset in found:
        assert problem.sizes[0] <= len(subset) <= problem.sizes[1]
        assert len({"x0", "x1"} & set(subset)) in {0, 2}
        assert all(altsel.Dice(0)(set(subset), one) >= 0.5 for one in known)
        assert subset.proof is Proof.HEURISTIC
        known.append(set(subset))
    assert found.stop in {Stop.COUNT, Stop.INFEASIBLE}
    again = wrapper(problem, Dice(0.5), 2, OrderedFlips(), solver=solver)
    assert [subset.features for subset in again] == [subset.features for subset in found]


@pytest.mark.parametrize("most", [1, 2, 5, 8])
def test_max_iters_counts_every_call_of_the_solver(most: int) -> None:
    black = rugged(2)
    found = wrapper(Problem(black, 3), Dice(0.5), 0, OrderedFlips(most))
    assert found.effort.solves <= most
    assert black.evaluated <= most
    if most <= len(NAMES):  # no hill is over before every feature was flipped
        assert found.effort.solves == most


def test_families_are_climbed_set_by_set_and_feature_by_feature() -> None:
    flips: list[Side] = []
    plain = Closest.any_with

    def recorded(closest: Closest, sides: Sequence[Side]) -> Any:
        flips.extend(sides)
        return plain(closest, sides)

    problem = Problem(BlackBox(lambda names: 0.0, NAMES), 3)  # nothing is better than anything
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Closest, "any_with", recorded)
        found = wrapper(problem, Dice(0.5), 1, OrderedFlips(), together=True)
    assert [(i, name) for i, name, _ in flips] == [(i, name) for i in (0, 1) for name in NAMES]
    assert Dice(0)(set(found[0]), set(found[1])) >= 0.5


def test_no_valid_set_and_a_wrong_number() -> None:
    nothing = [domain.require("x0"), domain.forbid("x0")]
    found = wrapper(Problem(rugged(0), 2, nothing), Dice(0.5), 1, OrderedFlips())
    assert (len(found), found.stop) == (0, Stop.INFEASIBLE)
    with pytest.raises(altsel.ArgumentError, match="max_iters=0"):
        OrderedFlips(0)


def test_an_interrupt_keeps_the_best_set_until_then() -> None:
    calls: list[tuple[str, ...]] = []

    def quality(names: tuple[str, ...]) -> float:
        calls.append(names)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return float(len(calls))

    found = wrapper(Problem(BlackBox(quality, NAMES), 3), Dice(0.5), 1, OrderedFlips())
    assert (found.stop, [subset.score for subset in found]) == (Stop.INTERRUPT, [3.0])


def test_the_result_says_which_climb_it_was() -> None:
    found = wrapper(Problem(rugged(0), 3), Dice(0.5), 0, OrderedFlips(20))
    assert "OrderedFlips(max_iters=20)" in found.search
    assert "HillClimbing" in wrapper(Problem(rugged(0), 3), Dice(0.5), 0, HillClimbing(20)).search
