"""The pool: every admissible set, and exact families of them."""

from __future__ import annotations

from math import comb, inf
from typing import Any

import numpy as np
import pandas as pd
import pyomo.environ as pyo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import MRMR, Dependence, Dice, Jaccard, Problem, Univariate
from altsel.exact.question import Structure
from altsel.exact.sources.every_set import engine as all_sets
from altsel.exact.sources.every_set import pool
from altsel.exact.sources.every_set.engine import why_not_listed
from altsel.exact.sources.every_set.pool import Pool
from altsel.models.objective import Objective
from altsel.runtime.clock import Clock, OutOfTimeError, in_force
from tests.oracles import brute_force as bf


class BlackBox(Objective):
    """An objective known by its value alone."""

    name, features = "black box", tuple(f"x{j}" for j in range(8))

    def score(self, mask: np.ndarray) -> float:
        indices = np.flatnonzero(mask)
        return float(np.sin(indices * 3.7).sum() ** 2 + len(set(indices % 3)))

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        raise AssertionError("a black box has no model")


def listed(problem: Problem, tau: float = 0.5) -> Pool:
    structure = Structure(problem)
    assert why_not_listed(structure) is None
    return all_sets.every_set(structure, Dice(tau))


def test_the_pool_lists_every_admissible_set_once() -> None:
    rng = np.random.default_rng(0)
    r = rng.random((70, 70))
    names = [f"x{j}" for j in range(70)]
    dependence = Dependence(rng.random(70), pd.DataFrame((r + r.T) / 2, index=names, columns=names))
    found = listed(Problem(MRMR(dependence), (1, 2)))
    assert len(found.scores) == 70 + comb(70, 2)
    assert (np.diff(found.scores) <= 0).all()
    assert len({frozenset(found.names(j)) for j in range(len(found.scores))}) == len(found.scores)
    for j in (0, 5, 2000):
        mask = np.array([f in found.names(j) for f in names])
        assert MRMR(dependence).score(mask) == pytest.approx(found.scores[j])


@pytest.mark.parametrize("measure", [Dice(0.5), Jaccard(0.5), Jaccard(2 / 3)])
def test_sets_that_differ_just_enough_are_told_from_others(measure: Any) -> None:
    found = all_sets.every_set(Structure(Problem(BlackBox(), (1, 3))), measure)
    every = np.arange(len(found.scores))
    for one in (["x0", "x1"], ["x2", "x4", "x7"]):
        wanted = [measure(one, found.names(j)) >= measure.tau - 1e-12 for j in every.tolist()]
        assert found.dissimilar_enough(one, every).tolist() == wanted


def test_a_black_box_is_searched_exactly() -> None:
    problem = Problem(BlackBox(), (2, 3))
    scores = bf.scored(problem.objective, list(bf.all_sets(BlackBox.features, (2, 3))))
    for total, add in (("sum", sum), ("min", min)):
        found = altsel.simultaneous(problem, Jaccard(0.5), 2, total)
        best = bf.best_together(scores, 3, bf.jaccard, 0.5, add)
        assert add([subset.score for subset in found]) == pytest.approx(best)
    assert found.effort.listed == comb(8, 2) + comb(8, 3)
    assert found.effort.solves == 0


def test_rules_become_rows() -> None:
    def rule(b: Any) -> None:
        b.penalty = pyo.Constraint(expr=2.5 * b.x["x0"] + b.x["x1"] <= 2.5)
        b.x["x2"].fix(0)
        b.x["x3"].setlb(1)
        b.even = pyo.Constraint(expr=pyo.inequality(1, b.x["x4"] + b.x["x5"], 1))

    def fits(one: bf.Set) -> bool:
        return not {"x0", "x1"} <= one and "x2" not in one and "x3" in one and len(one & {"x4", "x5"}) == 1

    found = listed(Problem(BlackBox(), (2, 4), [rule]))
    sets = {frozenset(found.names(j)) for j in range(len(found.scores))}
    assert sets == {subset for subset in bf.all_sets(BlackBox.features, (2, 4)) if fits(subset)}


def test_a_rule_on_the_quality_is_kept_by_the_pool() -> None:
    """It was read with quality 0 once, and then nothing was admissible."""

    def enough(b: Any) -> None:
        b.enough = pyo.Constraint(expr=b.quality >= 1.0)

    problem = Problem(Univariate([0.9, 0.8, 0.5, 0.3, 0.1]), 2, [enough])
    every = listed(problem, 1)
    assert every.scores.tolist() == pytest.approx([1.7, 1.4, 1.3, 1.2, 1.1, 1.0])
    for solver in ("auto", "highs"):
        assert len(altsel.simultaneous(problem, Dice(1), 1, "min", solver)) == 2
        assert altsel.simultaneous(problem, Dice(1), 2, "min", solver).stop is altsel.Stop.INFEASIBLE


def test_no_pool_where_it_would_be_wrong_or_large(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_helper(b: Any) -> None:
        b.helper = pyo.Var(domain=pyo.Integers, bounds=(0, 9))  # x0 and x1 both or neither: no row says that
        b.row = pyo.Constraint(expr=b.x["x0"] + b.x["x1"] == 2 * b.helper)

    def impossible(b: Any) -> None:
        b.x["x0"].fix(0)
        b.row = pyo.Constraint(expr=b.x["x0"] >= 1)

    quality = Univariate(np.arange(8.0))
    assert "variables of its own" in (why_not_listed(Structure(Problem(quality, 2, [with_helper]))) or "")
    assert len(listed(Problem(quality, 2, [impossible])).scores) == 0
    monkeypatch.setattr(all_sets, "MOST_SETS", comb(8, 2) - 1)
    assert why_not_listed(Structure(Problem(quality, 2))) == "28 sets are more than 27"


@pytest.mark.slow
@given(
    st.lists(st.floats(-1, 1), min_size=4, max_size=8),
    st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]),
    st.integers(1, 4),
    st.sampled_from(["sum", "min"]),
)
@settings(max_examples=80)
def test_families_are_exact(q: list[float], tau: float, count: int, total: str) -> None:
    problem = Problem(Univariate(q), (1, 3))
    add: Any = {"sum": sum, "min": min}[total]
    scores = bf.scored(problem.objective, list(bf.all_sets(problem.objective.features, (1, 3))))
    indices, value, bound = listed(problem, tau).together(count, total)
    best = bf.best_together(scores, count, bf.dice, tau, add)
    if best is None:
        assert not indices
        return
    assert value == bound == pytest.approx(best, abs=1e-9)


def test_a_family_given_up_says_how_far_it_may_be_from_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem(Univariate(np.random.default_rng(1).random(12)), 4)
    _, best, _ = listed(problem, 0.75).together(3, "min")
    monkeypatch.setattr(pool, "MOST_WORK", 1)
    _, value, bound = listed(problem, 0.75).together(3, "min")
    assert -inf < value <= best <= bound
    found = altsel.simultaneous(problem, Dice(0.75), 2, "min")  # a model takes over
    assert found.proved
    assert found.effort.solves == 1
    assert min(subset.score for subset in found) == pytest.approx(best)


@pytest.mark.slow
@pytest.mark.parametrize("total", ["sum", "min"])
def test_a_family_of_more_sets_than_calls_may_be_nested(total: str) -> None:
    rng = np.random.default_rng(0)
    r = rng.random((8, 8))
    names = [f"x{j}" for j in range(8)]
    given = Dependence(pd.Series(rng.random(8), names), pd.DataFrame((r + r.T) / 2, names, names))
    problem = Problem(MRMR(given), 3)
    best = altsel.sequential(problem, Dice(0), 0)[0]
    found = altsel.simultaneous(problem, Dice(0), 1_500, total)
    assert {subset.features for subset in found} == {best.features}
    assert (len(found), found.proved) == (1_501, True)


@pytest.mark.parametrize("total", ["sum", "min"])
def test_very_many_different_sets_are_bounded_and_not_searched_for(
    total: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = listed(Problem(Univariate([float(j) for j in range(6)]), 2), 0.1)
    best = found.together(4, total)
    monkeypatch.setattr(pool, "DEEPEST", 3)
    indices, value, bound = found.together(4, total)
    assert indices == best[0]
    assert value == pytest.approx(best[1])
    assert bound >= value
    assert found.together(16, total) == ([], -inf, -inf)  # there are 15 sets


def test_a_list_that_sets_are_taken_from_heeds_the_clock() -> None:
    found = listed(Problem(Univariate([3.0, 2.0, 1.0]), 2), 0.0)
    with in_force(Clock(until=0.0)), pytest.raises(OutOfTimeError):
        found.following(10**9)


@pytest.mark.parametrize("total", ["sum", "min"])
def test_sets_that_may_be_the_same_keep_rules_that_are_evaluated(total: str) -> None:
    """The best set of the list was taken as many times as wanted, whether it was valid or not."""

    def steady(block: Any) -> list[Any]:
        block.level = pyo.Var()
        return [block.level >= 3 * block.x["x0"], block.level <= 2 * block.x["x1"] + 2 * block.x["x2"]]

    def balanced(block: Any) -> Any:
        return block.size**0.5 >= 1

    problem = Problem(Univariate([5.0, 4, 3, 2]), 2, [steady, balanced])
    found = altsel.simultaneous(problem, Dice(0), 1, total)
    assert [one.features for one in found] == [("x1", "x2")] * 2
    assert found.proved
