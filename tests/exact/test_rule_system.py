"""Rules with variables of their own: what is left once these are eliminated, against the rules themselves."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pyomo.environ as pyo
import pytest
from hypothesis import given
from hypothesis import strategies as st

from altsel import AbsoluteLoss, Dice, Problem, Stop, Univariate, near_optimal, sequential
from altsel.exact.rules.linear_rules import keeps_rows, read_rules

DECIMALS = (0.1, 0.2, 0.3, 1 / 3, 0.7, 0.9)
UNITS = (0.1, 0.3, 3.0, 7.0, 10.0)


def measured(costs: list[float], below: float, above: float) -> Any:
    """Hold a variable between a sum and itself, in two units: every set keeps that."""

    def rule(b: Any) -> None:
        b.amount = pyo.Var()
        spent = list(zip(costs, b.x.values(), strict=True))
        b.at_least = pyo.Constraint(expr=below * b.amount >= sum(below * cost * x for cost, x in spent))
        b.at_most = pyo.Constraint(expr=above * b.amount <= sum(above * cost * x for cost, x in spent))

    return rule


@pytest.mark.slow
@given(st.lists(st.sampled_from(DECIMALS), min_size=6, max_size=6), *[st.sampled_from(UNITS)] * 2)
def test_what_cancels_but_for_rounding_is_no_rule(costs: list[float], below: float, above: float) -> None:
    """A coefficient of 1e-17 and a limit of 0 excluded every set with its feature."""
    problem = Problem(Univariate([1.0] * 6), 3, [measured(costs, below, above)])
    rules = read_rules(problem)
    assert rules is not None
    names = problem.objective.features
    assert all(keeps_rows(rules.rows, problem.mask(one)) for one in combinations(names, 3))


def test_sets_under_such_a_rule_are_all_found() -> None:
    costs = [0.1, 0.7, 0.3, 1 / 3, 0.9, 0.2]
    weights = np.linspace(0.3, 1, 6).tolist()
    found = near_optimal(Problem(Univariate(weights), 3, [measured(costs, 3.0, 7.0)]), AbsoluteLoss(10))
    assert (len(found), found.stop) == (20, Stop.EXHAUSTED)


@pytest.mark.parametrize("part", [1e-6, 1e-3])
def test_a_small_difference_stays(part: float) -> None:
    """The sum may be larger by a millionth than what bounds it: that is no rounding."""

    def rule(b: Any) -> None:
        b.amount = pyo.Var()
        b.at_least = pyo.Constraint(expr=3 * b.amount >= 3 * (1 + part) * b.x["x0"])
        b.at_most = pyo.Constraint(expr=7 * b.amount <= 7 * b.x["x0"])

    problem = Problem(Univariate([3.0, 2.0, 1.0]), 1, [rule])
    rules = read_rules(problem)
    assert rules is not None
    assert [keeps_rows(rules.rows, problem.mask([name])) for name in ("x0", "x1")] == [False, True]


@pytest.mark.parametrize("level", [1e7, 1e8])
def test_what_is_small_beside_what_cancels_is_left_to_solvers(level: float) -> None:
    """Without the variable a tolerance would be a share of .3, and what rounds 1e8 is more than that."""

    def rule(b: Any) -> Any:
        b.amount = pyo.Var()
        yield b.amount >= level + 0.1 * b.x["a"] + 0.2 * b.x["b"] + 0.9 * b.x["c"]
        yield b.amount <= level + 0.3

    problem = Problem(Univariate({"a": 3.0, "b": 2.0, "c": 4.0, "d": 1.0}), 2, [rule])
    assert read_rules(problem) is None
    found = sequential(problem, Dice(0), 0)
    assert [one.features for one in found] == [("a", "b")]
