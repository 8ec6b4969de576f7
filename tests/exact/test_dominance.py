"""Leaving features out under rules that name all of them: exact, and worth it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyomo.environ as pyo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import Dice, Problem, Univariate, domain
from altsel.exact.dominance import reduction
from altsel.models.dominance import candidates
from tests.oracles import brute_force as bf
from tests.search.alternatives.test_exact_searches import check_sequential, check_simultaneous

whole = st.lists(st.integers(0, 5), min_size=10, max_size=10)


def ruled(data: Any) -> tuple[Problem, Any]:
    """Draw a sum with many ties, and rules on all features: a budget, a quota, a least total."""
    names = [f"x{j}" for j in range(10)]
    cost = dict(zip(names, map(float, data.draw(whole)), strict=True))
    worth = dict(zip(names, map(float, data.draw(whole)), strict=True))
    most, least = data.draw(st.integers(2, 9)), data.draw(st.integers(0, 6))
    group = names[: data.draw(st.integers(1, 9))]

    def keeps(s: bf.Set) -> bool:
        penalty_paid, got = sum(cost[f] for f in s), sum(worth[f] for f in s)
        return penalty_paid <= most and got >= least and len(s & set(group)) <= 2

    def enough(b: Any) -> None:
        b.enough = pyo.Constraint(expr=pyo.quicksum(worth[f] * b.x[f] for f in b.x) >= least)

    rules = [domain.budget(cost, most, other=0), domain.at_most(2, group), enough]
    weights = [float(q) for q in data.draw(whole)]
    return Problem(Univariate(weights), data.draw(st.sampled_from([3, (2, 3)])), rules), keeps


@pytest.mark.slow
@given(data=st.data())
@settings(max_examples=40)
def test_sequences_stay_exact(data: Any) -> None:
    problem, keeps = ruled(data)
    found = altsel.sequential(problem, Dice(0.5), 3)
    check_sequential(problem, Dice(0.5), found, 4, keeps)


def upper(b: Any) -> None:
    b.x["x0"].setub(0)  # the best feature is out


def lower(b: Any) -> None:
    b.x["x9"].setlb(1)  # the worst one is in


def fixed(b: Any) -> None:
    b.x["x1"].fix(0)
    b.x["x8"].fix(1)


BOUNDED: dict[str, tuple[list[Any], Any, set[str]]] = {
    "upper": ([upper], lambda s: "x0" not in s, {"x0"}),
    "lower": ([lower], lambda s: "x9" in s, {"x9"}),
    "fixed": ([fixed], lambda s: "x1" not in s and "x8" in s, {"x1", "x8"}),
    "all": (
        [upper, lower, fixed],
        lambda s: {"x8", "x9"} <= s and not s & {"x0", "x1"},
        {"x0", "x1", "x8", "x9"},
    ),
}


@pytest.mark.parametrize("solver", ["auto", "highs"])
@pytest.mark.parametrize(("rules", "keeps", "touched"), BOUNDED.values(), ids=BOUNDED)
def test_rules_may_bound_variables_instead_of_adding_rows(
    rules: list[Any], keeps: Any, touched: set[str], solver: str
) -> None:
    """Such features are no like of others: the best may be out, the worst may have to be in."""
    problem = Problem(Univariate([10.0 - j for j in range(10)]), 3, rules)
    found = altsel.sequential(problem, Dice(0.3), 3, solver)
    check_sequential(problem, Dice(0.3), found, 4, keeps)
    reduced = reduction(problem, 1)
    assert reduced is not None
    assert reduced.touched == touched


@pytest.mark.slow
@pytest.mark.parametrize("total", ["sum", "min"])
@given(data=st.data())
@settings(max_examples=10)
def test_families_stay_exact(total: str, data: Any) -> None:
    problem, keeps = ruled(data)
    found = altsel.simultaneous(problem, Dice(0.5), 1, total, solver="highs")
    check_simultaneous(problem, Dice(0.5), found, 2, total, keeps)


def test_few_of_thousands_are_left() -> None:
    rng = np.random.default_rng(0)
    names = [f"x{j}" for j in range(3000)]
    cost = dict(zip(names, rng.integers(1, 10, 3000).astype(float).tolist(), strict=True))
    rules = [
        domain.budget(cost, 30, other=0),
        domain.at_most(3, names[:1500]),
        domain.at_least(1, names[-700:]),
    ]
    problem = Problem(Univariate(rng.random(3000)), 8, rules)
    reduced = reduction(problem, 1)
    assert reduced is not None
    among = reduced.among(problem, [names[:8]], 8)
    assert among is not None
    assert len(among) < 400


@pytest.mark.slow
@pytest.mark.parametrize("number", [1e9, -1e9])
def test_numbers_that_no_set_has_cost_no_proof(number: float) -> None:
    """A leak that is forbidden, or what stands for "never": the others were rounded away beside it."""
    weights = np.random.default_rng(0).random(32).tolist()
    some = domain.at_most(2, [f"x{j}" for j in range(8)])
    plain = altsel.simultaneous(Problem(Univariate(weights), 8, [some]), Dice(0.6), 4)
    rules = [some, domain.forbid("x32")]
    found = altsel.simultaneous(Problem(Univariate([*weights, number]), 8, rules), Dice(0.6), 4)
    assert [one.proof for one in found] == [one.proof for one in plain] == [altsel.Proof.OPTIMAL] * 5
    assert sum(one.score for one in found) == pytest.approx(sum(one.score for one in plain), rel=1e-12)


def test_features_that_a_row_keeps_out_do_not_count() -> None:
    def rule(b: Any) -> Any:
        return [b.x["x1"] == 0, 2 * b.x["x2"] - b.x["x3"] <= 0.5, b.x["x0"] + b.x["x4"] <= 1]

    problem = Problem(Univariate([6.0, 5, 4, 3, 2, 1]), 2, [rule])
    reduced = reduction(problem, 2)
    assert reduced is not None
    among = reduced.among(problem, [], 2)
    assert among is not None
    assert {1, 2}.isdisjoint(among.tolist())
    assert altsel.sequential(problem, Dice(0.5), 0)[0].features == ("x0", "x3")
    tight = Problem(Univariate([6.0, 5, 4]), 3, [lambda b: b.x["x1"] == 0])
    assert altsel.sequential(tight, Dice(0.5), 0, "highs").stop is altsel.Stop.INFEASIBLE


def test_rules_that_are_evaluated_leave_all_features() -> None:
    rule = domain.predicate(lambda names: "x3" in names)
    assert candidates(Problem(Univariate([4.0, 3.0, 2.0, 1.0]), 2, [rule]), [], 1) is None
