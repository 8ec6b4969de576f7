"""Chains of plain sums against all sets: every step and the end, with known sets, rules, sizes and ties."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import fsum
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from altsel import Dice, Jaccard, Problem, Proof, Stop, Univariate, domain, sequential
from altsel.exact import auto
from altsel.exact.kernels.descent import by_arrays, by_numbers
from altsel.exact.rules.linear_rules import Rules
from altsel.exact.run import Run
from altsel.exact.sources.every_set import engine as all_sets
from altsel.exact.sources.plain_sum import chain, frontier, race
from altsel.exact.sources.plain_sum.chain import Chain
from altsel.exact.sources.plain_sum.compiled import LOOPS
from altsel.exact.sources.plain_sum.conditions import read_conditions
from altsel.exact.sources.plain_sum.ground import ground
from altsel.exact.sources.plain_sum.prices import prices
from altsel.exact.sources.plain_sum.tree import Tree, Way
from altsel.runtime.clock import Clock, in_force
from tests.loops import choose_loops

Names = frozenset[str]


@pytest.fixture(autouse=True, params=[pytest.param("numba", marks=pytest.mark.long), "plain"])
def _loops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    choose_loops(LOOPS, request.param, monkeypatch)


def literal(
    weights: Sequence[float], sizes: tuple[int, int], keeps: Any, share: Any, known: list[Names]
) -> Any:
    """Give the sets left after known ones, best first, and what is left after one more."""
    names = [f"x{j}" for j in range(len(weights))]
    weight = dict(zip(names, weights, strict=True))
    every = [frozenset(s) for m in range(sizes[0], sizes[1] + 1) for s in combinations(names, m)]
    scored = sorted(((fsum(weight[f] for f in s), s) for s in every if keeps(s)), key=lambda one: -one[0])

    def after(left: Any, one: Names) -> Any:
        return [(q, s) for q, s in left if len(s & one) <= share * (len(s) + len(one))]

    for one in known:
        scored = after(scored, one)
    return scored, after


RULES: dict[str, tuple[Any, Any]] = {
    "none": (None, lambda s: True),
    "require": (domain.require("x2"), lambda s: "x2" in s),
    "forbid": (domain.forbid("x0", "x3"), lambda s: not s & {"x0", "x3"}),
    "implies": (domain.implies("x0", "x4", "x1"), lambda s: "x0" not in s or {"x4", "x1"} <= s),
    "at least": (domain.at_least(2, ["x1", "x3", "x4"]), lambda s: len(s & {"x1", "x3", "x4"}) >= 2),
    "exclusive": (domain.mutually_exclusive(["x0", "x1", "x2"]), lambda s: len(s & {"x0", "x1", "x2"}) <= 1),
    "budget": (
        domain.budget({"x0": 3, "x1": 2, "x2": 0.5, "x3": 1, "x4": 2}, 4, other=0),
        lambda s: sum({"x0": 3, "x1": 2, "x2": 0.5, "x3": 1, "x4": 2}.get(f, 0) for f in s) <= 4,
    ),
}


@pytest.mark.slow
@given(st.data())
@settings(max_examples=16)
def test_every_step_and_the_end_are_those_of_all_sets(data: st.DataObject) -> None:
    n = data.draw(st.integers(5, 9))
    one = st.one_of(st.sampled_from([-1.0, 0.0, 1.0, 1.0, 2.0, 0.1, 0.2]), st.floats(-1, 1, width=32))
    weights = data.draw(st.lists(one, min_size=n, max_size=n))
    sizes: tuple[int, int] = data.draw(st.sampled_from([(1, 1), (2, 2), (3, 3), (4, 4), (1, 3), (2, 4)]))
    (first, keep_one), (second, keep_two) = (
        RULES[data.draw(st.sampled_from(sorted(RULES)))] for _ in range(2)
    )
    tau = data.draw(st.sampled_from([0.2, 0.5, 0.7, 1.0]))
    measure = Dice(tau) if data.draw(st.booleans()) else Jaccard(tau)
    known = [frozenset(("x0", "x1"))] if data.draw(st.booleans()) else []
    problem = Problem(Univariate(weights), sizes, [rule for rule in (first, second) if rule is not None])
    with pytest.MonkeyPatch.context() as patch:
        if data.draw(st.booleans()):  # so that ways race, lists are shortened and taken up again
            share = data.draw(st.integers(5, 60))
            patch.setattr(race, "PLAIN_SHARE", share)
            patch.setattr(race, "COMPILED_SHARE", share)
            look = Chain._look_ahead
            keep = data.draw(st.integers(1, 5))

            def looked(self: Chain) -> None:
                look(self)
                self.keep = keep

            patch.setattr(Chain, "_look_ahead", looked)
        found = sequential(problem, measure, 25, known=known)
    assert found.search.endswith("; by list of the next sets")
    left, after = literal(weights, sizes, lambda s: keep_one(s) and keep_two(s), measure.share, known)
    for subset in found:
        assert subset.proof is Proof.OPTIMAL
        assert subset.score == left[0][0]
        left = after(left, frozenset(subset.features))
    assert found.stop is (Stop.INFEASIBLE if len(found) < 26 - len(known) else Stop.COUNT)
    assert found.stop is Stop.COUNT or not left


def test_a_least_quality_ends_a_chain() -> None:
    weights = np.random.default_rng(0).random(12)
    problem = Problem(Univariate(weights), 3, [domain.minimum_quality(2.0)])
    found = sequential(problem, Dice(0.5), 100)
    free = sequential(replace_rules(problem), Dice(0.5), 100)
    assert found.stop is Stop.INFEASIBLE
    assert [one.score for one in found] == [one.score for one in free if one.score >= 2.0]
    assert found.search.endswith("; by list of the next sets")


@pytest.mark.parametrize("k", [1, (1, 2)])
def test_a_set_that_the_rules_decide_alone_is_found(k: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ended in a `ZeroDivisionError`."""
    monkeypatch.setattr(all_sets, "MOST_SETS", 0)
    rules = [domain.require("x3"), domain.forbid("x0", "x1", "x2")]
    found = sequential(Problem(Univariate([0.5, 0.5, 0.75, 0.75]), k, rules), Jaccard(0.5), 3)
    assert [one.features for one in found] == [("x3",)]
    assert (found.proved, found.stop) == (True, Stop.INFEASIBLE)


def replace_rules(problem: Problem) -> Problem:
    return Problem(problem.objective, problem.k)


def test_a_list_taken_up_again_elsewhere_leaves_out_no_set() -> None:
    """A full list stopped within the last two features; the place was taken for that of another branch."""
    weights = np.sort(np.random.default_rng(4).beta(1, 6, 14))[::-1].copy()
    every = sorted((fsum(weights[list(s)]) for s in combinations(range(14), 5)), reverse=True)
    stated = read_conditions(weights, Rules([], []))
    loops = race.Race(lambda: False).loops
    for keep in (2, 3, 7, 50):
        given_all = ground(stated, np.arange(14), 5, [], [])
        assert given_all is not None
        tree = Tree(given_all, Way(), loops, -np.inf, False, np.inf, keep)
        while not tree.run(20):
            pass
        scores = sorted(tree.listed()[1], reverse=True)
        assert scores[:keep] == every[:keep]


def test_one_set_gives_way_to_better_ones_after_a_pause() -> None:
    """The search went on for ever once a list of one set was taken up again and a better set came."""
    weights = np.random.default_rng(0).random(10)
    stated = read_conditions(weights, Rules([], []))
    blocked = ground(stated, np.arange(10), 4, [np.argsort(-weights)[:5]], [2])
    assert blocked is not None
    loops = race.Race(lambda: False).loops
    tree = Tree(blocked, Way(2), loops, -np.inf, strict=False, high=np.inf, keep=1)
    pauses = 0
    while not tree.run(1):
        pauses += 1
        assert pauses < 5_000
    best = set(np.argsort(-weights)[:5].tolist())
    right = max(fsum(weights[list(s)]) for s in combinations(range(10), 4) if len(best & set(s)) <= 2)
    assert tree.listed()[1].tolist() == [right]


def test_any_prices_bound_the_sum() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        weights, rows = rng.normal(size=8), rng.integers(0, 2, (3, 8)).astype(float)
        limits = np.array([1.0, 2.0, 1.0])
        price = prices(weights, rows, limits, 3)
        assert (price >= 0).all()
        bound = price @ limits + np.sort(weights - price @ rows)[-3:].sum()
        sums = [weights[list(s)].sum() for s in combinations(range(8), 3) if fits(rows, limits, s)]
        assert max(sums, default=-np.inf) <= bound + 1e-12


def test_prices_with_whole_arrays_and_number_by_number_are_the_same() -> None:
    rng = np.random.default_rng(4)
    for need in (1, 3, 8):
        weights, rows = rng.normal(size=8), rng.integers(0, 2, (4, 8)).astype(float)
        limits = np.array([1.0, 0.0, 2.0, 1.0])
        for start in (np.zeros(4), rng.random(4)):
            given = (weights, rows, limits, need, start, 0.1, 50, 5)
            found, same = by_arrays(*given), by_numbers(*given)
            assert same == pytest.approx(found, abs=1e-9)
            bounds = [p @ limits + np.sort(weights - p @ rows)[-need:].sum() for p in (found, start)]
            assert bounds[0] <= bounds[1] + 1e-12


def fits(rows: np.ndarray, limits: np.ndarray, one: tuple[int, ...]) -> bool:
    return bool((rows[:, list(one)].sum(axis=1) <= limits).all())


@pytest.mark.slow
def test_what_takes_too_long_is_left_to_the_model_with_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race, "PLAIN_WORK", 100)
    monkeypatch.setattr(race, "COMPILED_WORK", 100)
    monkeypatch.setattr(race, "PLAIN_SHARE", 50)
    monkeypatch.setattr(race, "COMPILED_SHARE", 50)
    monkeypatch.setattr(frontier, "SHARE", 50)
    monkeypatch.setattr(race, "TREE_PART", 1.0)
    weights = np.random.default_rng(0).beta(1, 6, 40)
    found = sequential(Problem(Univariate(weights), 6), Dice(0.5), 6)
    assert found.proved
    assert found.search.endswith("; by list of the next sets, then model on highs")
    named = sequential(Problem(Univariate(weights), 6), Dice(0.5), 6, "highs")
    assert [one.score for one in found] == pytest.approx([one.score for one in named], abs=1e-9)


def test_time_that_is_up_claims_nothing() -> None:
    weights = np.random.default_rng(0).beta(1, 6, 60)
    run = Run(Problem(Univariate(weights), 10), None, "test")
    engine = next(one for one in auto.ENGINES if one.name == "list of the next sets")
    question = run.question(Dice(0.5)).after([[f"x{j}" for j in range(10)]])
    with in_force(Clock(until=0.0)):
        found: Any = engine.answer(question, run)
    assert found is None or found.outcome.proof is not Proof.OPTIMAL
    assert found is None or found.outcome.stop is not Stop.INFEASIBLE


def test_steps_known_ahead_are_only_for_the_chain_they_belong_to() -> None:
    weights = np.random.default_rng(2).random(12)
    problem = Problem(Univariate(weights), 3)
    run = Run(problem, None, "test")
    question = run.question(Dice(0.5))
    first = [one.features for one in sequential(problem, Dice(0.5), 8)]
    for known in (first[:5], first[:2], [first[3]], first[:5], [*first[:4], first[0]]):
        found = auto.answer(question.after(known), run)
        left, after = literal(weights.tolist(), (3, 3), lambda s: True, Dice(0.5).share, [])
        for one in known:
            left = after(left, frozenset(one))
        assert run.score(found.sets[0]) == left[0][0]


@pytest.mark.slow
@pytest.mark.parametrize("taken", [0, 3, 100])
def test_answers_that_follow_are_the_next_ones(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them, some, or none are taken before the next question; above a floor none is given."""
    monkeypatch.setattr(chain, "SOON", 1)
    weights = np.random.default_rng(2).random(12)
    problem = Problem(Univariate(weights), 4)
    run = Run(problem, None, "test")
    question, most = run.question(Dice(0.25)), 0
    known: list[list[str]] = []
    left, after = literal(weights.tolist(), (4, 4), lambda s: True, Dice(0.25).share, [])
    while left:
        found = auto.answer(question.after(known.copy()), run)
        following = found.following()
        most = max(most, len(following))
        for one in [found, *following[:taken]]:
            assert run.score(one.sets[0]) == left[0][0]
            known.append(one.sets[0])
            left = after(left, frozenset(one.sets[0]))
    assert most > 3
    assert auto.answer(question.after(known), run).outcome.stop is Stop.INFEASIBLE
    floored = Run(Problem(Univariate(weights), 4, [domain.minimum_quality(2.0)]), None, "test")
    assert auto.answer(floored.question(Dice(0.25)).after(known[:9]), floored).following() == []


def test_what_it_cannot_answer() -> None:
    def mine(problem: Problem) -> str | None:
        question = Run(problem, None, "test").question(Dice(0.5))
        return next(row.why_not for row in auto.reasons(question) if row.engine == "list of the next sets")

    many = [domain.implies(f"x{j}", f"x{j + 1}") for j in range(160)]
    quality = Univariate(np.arange(170.0))
    assert mine(Problem(quality, 3, many)) == "160 rows of rules are more than 150"
    assert mine(Problem(quality, 3)) is None
    assert mine(Problem(quality, 3, [domain.minimum_quality(5)])) is None


def test_an_interrupt_while_a_step_is_set_up_returns_no_set_of_the_step_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The best set met for the step before was still noted, and shares too much with itself."""
    monkeypatch.setattr(race, "PLAIN_SHARE", 5)
    monkeypatch.setattr(race, "COMPILED_SHARE", 5)
    weights = np.random.default_rng(0).beta(1, 6, 14)
    run = Run(Problem(Univariate(weights), 4), None, "test")
    engine = next(one for one in auto.ENGINES if one.name == "list of the next sets")
    question = run.question(Dice(0.5)).after([["x0", "x1", "x2", "x3"]])
    first: Any = engine.answer(question, run)

    def interrupted(self: Chain, window: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(Chain, "_grounds", interrupted)
    found: Any = engine.answer(question.after([*question.known, first.sets[0]]), run)
    assert found is None or not found.sets
    assert found is None or found.outcome.stop is not Stop.INFEASIBLE


def test_that_no_set_keeps_the_rules_is_soon_for_a_solver_to_say() -> None:
    random = np.random.default_rng(0)
    relevance, prices = random.random(150), random.integers(1, 10, 150).tolist()
    names = [f"x{j}" for j in range(150)]
    cost = dict(zip(names, map(float, prices), strict=True))
    rules = [
        domain.budget(cost, 34, other=0),
        domain.at_least(5, [name for name in names if cost[name] >= 7]),
    ]
    found = sequential(Problem(Univariate(relevance), 8, rules), Dice(0.5), 2)
    assert (found.stop, len(found), found.effort.solves) == (Stop.INFEASIBLE, 0, 1)
    work = race.COMPILED_WORK if race.Race(lambda: False).loops.words else race.PLAIN_WORK
    assert found.effort.nodes < work / 5  # the list is not made to its end before


def test_lists_after_the_first_one_under_rules_have_their_whole_work(monkeypatch: pytest.MonkeyPatch) -> None:
    patience: list[float] = []
    run = race.Race.run

    def noted(self: race.Race, *given: Any) -> Any:
        patience.append(self.patience)
        return run(self, *given)

    monkeypatch.setattr(race.Race, "run", noted)
    sequential(Problem(Univariate([5, 4, 3, 2, 1, 1]), 2, [domain.forbid("x0")]), Dice(1), 1)
    assert patience[0] < 1
    assert set(patience[1:]) == {1.0}


def test_prices_that_were_not_made_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[Any] = []
    keep = Chain._keep_prices

    def noted(self: Chain, grounds: list[Any]) -> None:
        keep(self, grounds)
        kept.extend((one.price is None, dict(self.prices)) for one in grounds)

    monkeypatch.setattr(Chain, "_keep_prices", noted)
    weights = np.random.default_rng(0).random(12)
    cost = {f"x{j}": 1.0 + j % 3 for j in range(12)}
    sequential(Problem(Univariate(weights), 4, [domain.budget(cost, 7.0)]), Dice(0.5), 4)
    assert any(without for without, _ in kept)
    assert all(np.isfinite(one).all() for _, prices in kept for one in prices.values())
