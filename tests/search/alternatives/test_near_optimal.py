"""All near-optimal sets against brute force, in order, with the certificate."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import (
    AbsoluteLoss,
    Dependence,
    Dice,
    Problem,
    Proof,
    RelativeLoss,
    Stop,
    Univariate,
    near_optimal,
)
from tests.models.test_objectives import OBJECTIVES, WAYS, dependences, is_not_both, not_both, prepared
from tests.oracles import brute_force as bf
from tests.pairs import paired

within = st.one_of(
    st.sampled_from([0, 0.05, 0.2, 1.0]).map(AbsoluteLoss), st.sampled_from([0, 0.1, 0.3]).map(RelativeLoss)
)


@pytest.mark.parametrize(("make", "way"), paired(OBJECTIVES, WAYS))
@given(data=st.data(), loss=within, limit=st.sampled_from([1, 4, 30]), ruled=st.booleans())
@settings(max_examples=3)
def test_all_sets_within_a_loss(
    way: str, make: Any, data: Any, loss: altsel.AbsoluteLoss | altsel.RelativeLoss, limit: int, ruled: bool
) -> None:
    problem = Problem(make(data.draw(dependences(6))), (1, 2), [not_both] if ruled else [])
    with pytest.MonkeyPatch.context() as patch:
        found = near_optimal(problem, loss, limit, solver=prepared(way, patch))
    sets = [s for s in bf.all_sets(problem.objective.features, (1, 2)) if not ruled or is_not_both(s)]
    scores = bf.scored(problem.objective, sets)
    if not scores:
        assert (len(found), found.stop) == (0, Stop.INFEASIBLE)
        return
    floor = loss.floor(max(scores.values()))
    near = sorted((q for q in scores.values() if q >= floor - 1e-9), reverse=True)
    assert [subset.score for subset in found] == pytest.approx(near[:limit], abs=1e-8)
    assert len({frozenset(subset) for subset in found}) == len(found)
    assert all(scores[frozenset(subset)] == pytest.approx(subset.score) for subset in found)
    assert found.stop is (Stop.EXHAUSTED if len(near) <= limit else Stop.COUNT)
    # a score of exactly 0 has no terms that a solver's rounding could be measured by
    assert all(
        subset.proof is Proof.OPTIMAL or (subset.score == 0 and (subset.bound or 0) < 1e-10)
        for subset in found
    )


@pytest.mark.slow
@pytest.mark.parametrize("way", [*WAYS[:2], pytest.param(WAYS[2], marks=pytest.mark.long)])
@given(data=st.data(), loss=within)
@settings(max_examples=10)
def test_members_that_differ(way: str, data: Any, loss: Any) -> None:
    problem = Problem(altsel.MRMR(data.draw(dependences(6))), 2)
    with pytest.MonkeyPatch.context() as patch:
        found = near_optimal(problem, loss, 100, Dice(0.5), prepared(way, patch))
    scores = bf.scored(problem.objective, list(bf.all_sets(problem.objective.features, (2, 2))))
    known: list[bf.Set] = []
    for subset in found:
        assert bf.best_after(scores, known, bf.dice, 0.5) == pytest.approx(subset.score)
        known.append(frozenset(subset))
    left = bf.best_after(scores, known, bf.dice, 0.5)
    assert found.stop is Stop.EXHAUSTED
    assert left is None or left < loss.floor(found[0].score)


def test_a_list_that_lacks_a_known_set_is_not_called_exhausted(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One after another they are found all the same."""
    listing = import_module("altsel.exact.sources.quadratic.listing")
    take = listing.Listing._take

    def loses(self: Any, node: Any, choices: Any) -> None:
        sets = np.column_stack([np.tile(node.inside, (len(choices), 1)), node.indices[choices]])
        take(self, node, choices[(np.sort(sets, axis=1) != [0, 1, 2]).any(axis=1)])

    monkeypatch.setattr(listing.Listing, "_take", loses)
    monkeypatch.setattr(import_module("altsel.exact.sources.every_set.engine"), "MOST_SETS", 0)
    relevance, redundancy = np.linspace(0.9, 0.4, 6), np.full((6, 6), 0.1)
    problem = Problem(altsel.MRMR(Dependence(relevance, redundancy)), 3)
    found = near_optimal(problem, AbsoluteLoss(0.1), 100)
    assert found[0].features == ("x0", "x1", "x2")
    scores = problem.objective.scores(np.array(list(combinations(range(6), 3))))
    assert len(found) == (scores >= scores.max() - 0.1 - 1e-12).sum()
    assert "lacks the set 'x0', 'x1', 'x2'" in caplog.text
    together = altsel.simultaneous(problem, Dice(0.3), 1)
    assert sum(one.score for one in together) == pytest.approx(2 * scores.max() - 0.1 / 3)


@pytest.mark.parametrize("name", ["univariate", "mrmr", "fcbf", "cfs"])
def test_the_best_of_very_many(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("altsel.search.alternatives.near_optimal")
    monkeypatch.setattr(module, "MOST_SETS", 900)  # lists again with a higher floor
    rng = np.random.default_rng(3)
    r = rng.random((25, 25)) / 3
    names = [f"x{j}" for j in range(25)]
    table = pd.DataFrame((r + r.T) / 2, index=names, columns=names)
    problem = Problem(OBJECTIVES[name](Dependence(rng.random(25) + 0.2, table)), 3)
    complete = near_optimal(problem, AbsoluteLoss(10), limit=60)
    prepared("auto without a pool", monkeypatch)
    found = near_optimal(problem, AbsoluteLoss(10), limit=60)
    assert [subset.score for subset in found] == pytest.approx([one.score for one in complete])
    assert found.stop is complete.stop is Stop.COUNT


def test_ties_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared("auto without a pool", monkeypatch)
    found = near_optimal(Problem(Univariate([1.0] * 30 + [2.0]), 3), AbsoluteLoss(0), limit=7)
    assert [subset.score for subset in found] == [4.0] * 7
    assert found.stop is Stop.COUNT


class OutOfTime:
    """A solver that at one of its calls has its set, but of the bound only that nothing exceeds `bound`."""

    name = "out of time"

    def __init__(self, call: int, bound: float) -> None:
        self.call, self.bound, self.real = call, bound, altsel.solver("highs")

    def __call__(self, model: Any) -> altsel.solvers.Outcome:
        self.call -= 1
        found = self.real(model)
        if self.call:
            return found
        return replace(found, stop=Stop.TIME, proof=Proof.FEASIBLE, bound=self.bound)


@pytest.mark.parametrize(
    ("bound", "stop"),
    [
        (8.5, Stop.TIME),  # a set of 8 could be there: its score being too low says nothing
        (7.5, Stop.EXHAUSTED),  # no set of 8 is there
    ],
)
def test_that_there_are_no_others_takes_a_bound_and_not_a_poor_set(bound: float, stop: Stop) -> None:
    # of 9, 7, 6: all within 1 is the first one alone
    problem = Problem(Univariate([5, 4, 2, 0]), 2)
    found = near_optimal(problem, AbsoluteLoss(1), solver=OutOfTime(2, bound))
    assert [subset.score for subset in found] == [9]
    assert found.stop is stop


@pytest.mark.parametrize("wrong", [-0.1, float("nan"), "5 %", True])
def test_wrong_losses_are_refused(wrong: Any) -> None:
    for loss in (AbsoluteLoss, RelativeLoss):
        with pytest.raises(altsel.ArgumentError, match="at least 0"):
            loss(wrong)


def test_wrong_arguments_are_refused() -> None:
    problem = Problem(Univariate([1, 2]), 1)
    with pytest.raises(altsel.ArgumentError, match="limit=0"):
        near_optimal(problem, AbsoluteLoss(1), limit=0)
    with pytest.raises(altsel.ArgumentError, match="AbsoluteLoss"):
        near_optimal(problem, 0.1)  # type: ignore[arg-type]


@pytest.mark.slow
def test_thousands_of_features_that_could_be_in_a_near_optimal_set() -> None:
    weights = np.sort(np.random.default_rng(0).random(4000))[::-1] / 10 + 1
    found = near_optimal(Problem(Univariate(weights), 4), RelativeLoss(0.2), limit=20)
    plain = near_optimal(Problem(Univariate(weights[:40]), 4), RelativeLoss(0.2), limit=20)
    assert [subset.score for subset in found] == pytest.approx([one.score for one in plain])
    assert found.stop is Stop.COUNT


@pytest.mark.slow
def test_scores_near_nought_of_a_named_solver_do_not_end_the_list() -> None:
    rng = np.random.default_rng(1)
    q, r = rng.random(5), rng.random((5, 5))
    r = np.triu(r, 1) + np.triu(r, 1).T + np.eye(5)
    q[1], q[3] = 0.9, 0.8
    problem = Problem(altsel.MRMR(Dependence(q, r), "k^2"), (1, 4))
    found = near_optimal(problem, AbsoluteLoss(0.5), solver="highs")
    scores = bf.scored(problem.objective, list(bf.all_sets(problem.objective.features, (1, 4))))
    near = sorted((score for score in scores.values() if score >= max(scores.values()) - 0.5), reverse=True)
    assert found.stop is Stop.EXHAUSTED
    assert [subset.score for subset in found] == pytest.approx(near, abs=1e-9)
    assert not found.proved  # else this tests nothing: one score is too near to nought for a solver
    assert "0 refuted" in str(altsel.audit(found, problem))
