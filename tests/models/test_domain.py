"""Ready-made rules against brute force, alone and together, and against the same rule written by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pyomo.environ as pyo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import ArgumentError, Dice, Problem, Univariate
from altsel.models import domain
from altsel.models.rule import Rule
from tests.models.test_objectives import OBJECTIVES, dependences
from tests.oracles import brute_force as bf
from tests.pairs import paired
from tests.search.alternatives.test_exact_searches import check_sequential, check_simultaneous

COST = {"x0": 3.0, "x1": 1.5, "x2": 1.5, "x3": 0.5}
GROUP = ["x0", "x1", "x3"]


def cost(one: bf.Set) -> float:
    return sum(COST.get(f, 0) for f in one)


Case = tuple[Rule, Callable[[bf.Set], bool]]
RULES: dict[str, Case] = {
    "require": (domain.require("x1"), lambda s: "x1" in s),
    "forbid": (domain.forbid("x0", "x3"), lambda s: not s & {"x0", "x3"}),
    "at most": (domain.at_most(1, GROUP), lambda s: len(s & set(GROUP)) <= 1),
    "at least": (domain.at_least(2, GROUP), lambda s: len(s & set(GROUP)) >= 2),
    "exactly": (domain.exactly(1, GROUP), lambda s: len(s & set(GROUP)) == 1),
    "implies": (domain.implies("x0", "x1", "x2"), lambda s: "x0" not in s or {"x1", "x2"} <= s),
    "all or none": (domain.all_or_none(["x0", "x2"]), lambda s: len(s & {"x0", "x2"}) != 1),
    "exclusive": (domain.mutually_exclusive(GROUP), lambda s: len(s & set(GROUP)) <= 1),
    "budget": (domain.budget(COST, 3, other=0), lambda s: cost(s) <= 3),
    "panels": (
        domain.budget(COST, 4, fixed=[(1.0, ["x0", "x1"]), (2.0, ["x2"])], other=0),
        lambda s: cost(s) + bool(s & {"x0", "x1"}) + 2 * ("x2" in s) <= 4,
    ),
    "proxy": (domain.proxy_limit(COST, 2.5, other=0), lambda s: cost(s) <= 2.5),
}


@pytest.mark.parametrize(("make", "name"), paired(OBJECTIVES, [*RULES], 3))
@given(data=st.data())
@settings(max_examples=2)
def test_a_rule_alone(make: Any, name: str, data: Any) -> None:
    rule, keeps = RULES[name]
    problem = Problem(make(data.draw(dependences(6))), (2, 3), [rule])
    check_sequential(problem, Dice(0.5), altsel.sequential(problem, Dice(0.5), 1), 2, keeps)


@pytest.mark.parametrize("make", OBJECTIVES.values(), ids=OBJECTIVES)
@given(data=st.data(), names=st.lists(st.sampled_from(sorted(RULES)), min_size=2, max_size=4, unique=True))
@settings(max_examples=8)
def test_rules_together(make: Any, data: Any, names: list[str]) -> None:
    problem = Problem(make(data.draw(dependences())), (2, 4), [RULES[name][0] for name in names])

    def keeps(one: bf.Set) -> bool:
        return all(RULES[name][1](one) for name in names)

    check_sequential(problem, Dice(0.5), altsel.sequential(problem, Dice(0.5), 1), 2, keeps)


@pytest.mark.slow
@given(data=st.data(), name=st.sampled_from(sorted(RULES)), total=st.sampled_from(["sum", "min"]))
@settings(max_examples=20)
def test_rules_hold_for_every_set_of_a_joint_search(data: Any, name: str, total: str) -> None:
    rule, keeps = RULES[name]
    problem = Problem(Univariate(data.draw(dependences(6))), 2, [rule])
    found = altsel.simultaneous(problem, Dice(0.5), 1, total)
    assert all(keeps(frozenset(subset)) for subset in found)
    check_simultaneous(problem, Dice(0.5), found, 2, total, keeps)


def test_a_rule_is_what_one_would_write_by_hand() -> None:
    def by_hand(b: Any) -> None:
        b.penalty = pyo.Constraint(expr=pyo.quicksum(c * b.x[f] for f, c in COST.items()) <= 3)

    quality = Univariate([4, 3, 2, 1, 0.5])
    ours, theirs = (
        altsel.sequential(Problem(quality, 3, [rule]), Dice(0.5), 2)
        for rule in (domain.budget(COST, 3, other=0), by_hand)
    )
    assert [rule.features for rule in ours] == [rule.features for rule in theirs]


def test_quality_of_at_least() -> None:
    problem = Problem(Univariate([5, 4, 3, 2, 1]), 2, [domain.minimum_quality(6)])
    found = altsel.sequential(problem, Dice(0.5), 9)
    assert found.stop is altsel.Stop.INFEASIBLE
    assert [subset.score for subset in found] == [9, 8, 7, 7, 6, 6]


def test_rows_have_the_names_of_their_rules() -> None:
    problem = Problem(Univariate([4, 3, 2, 1]), 2, [domain.at_most(1, ["x0", "x1"])] * 2)
    model = altsel.formulate(problem)
    rows = list(model.sets[0].component_objects(pyo.Constraint))
    assert "at most 1 of 'x0', 'x1'" in [row.local_name for row in rows]
    assert len({row.name for row in rows}) == 3  # the size, and the rule twice


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (domain.require, "at least one feature"),
        (lambda: domain.at_most(1, "x0"), "not the text"),
        (lambda: domain.at_most(-1, ["x0"]), "integer"),
        (lambda: domain.exactly(True, ["x0"]), "integer"),
        (lambda: domain.at_least(1, ["x0", "x0"]), "each once"),
        (lambda: domain.budget({"x0": float("nan")}, 1), "missing or infinite"),
        (lambda: domain.budget({"x0": "dear"}, 1), "no number"),  # type: ignore[dict-item]
        (lambda: domain.budget({}, 1, fixed=[(-1, ["x0"])]), "at least 0"),
        (lambda: domain.minimum_quality(float("inf")), "infinite"),
        (lambda: domain.budget({}, 1), "at least one cost"),
        (lambda: domain.proxy_limit({}, 1), "at least one"),
    ],
)
def test_wrong_rules_are_refused(wrong: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        wrong()


def test_an_unknown_feature_is_named_with_the_nearest_one() -> None:
    quality = Univariate(pd.Series({"age": 1.0, "dose": 2.0}))
    with pytest.raises(ArgumentError, match=r"no feature 'doze'.*; did you mean 'dose'\?"):
        altsel.sequential(Problem(quality, 1, [domain.require("doze")]), Dice(0.5), 0)
