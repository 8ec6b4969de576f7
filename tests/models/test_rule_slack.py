"""Rows of rules that sets keep or miss by rounding: all solvers take what the definition takes."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pyomo.environ as pyo
import pytest

import altsel
from altsel import Dice, Problem, Univariate

WEIGHTS = dict(zip("abcdef", (0.3, 0.72, 0.4, 0.2, 0.9, 0.5), strict=True))


class Pairs(altsel.models.Objective):
    """Weights, and more or less for pairs."""

    def __init__(self, weights: dict[str, float], pairs: dict[str, float]) -> None:
        self.name, self.features = "pairs", tuple(weights)
        self.weights_of, self.pairs = weights, pairs

    def score(self, members: Any) -> float:
        names = {f for f, inside in zip(self.features, members, strict=True) if inside}
        return sum(self.weights_of[f] for f in names) + sum(
            worth for pair, worth in self.pairs.items() if set(pair) <= names
        )

    def express(self, block: Any, sizes: Any) -> None:
        block.t, x = pyo.Var(list(self.pairs), bounds=(0, 1)), block.x
        block.rows = pyo.ConstraintList()
        for pair, t in zip(self.pairs, block.t.values(), strict=True):
            first, second = x[pair[0]], x[pair[1]]
            for row in (t <= first, t <= second, t >= first + second - 1):
                block.rows.add(row)
        worth = sum(weight * x[f] for f, weight in self.weights_of.items())
        more = sum(each * block.t[pair] for pair, each in self.pairs.items())
        block.quality = pyo.Expression(expr=worth + more)


@pytest.mark.parametrize("solver", [None, "highs", "scip"])
@pytest.mark.parametrize("short", [1e-12, 1e-11, 1e-10, 1e-9, 2e-9, 1e-8])
def test_a_limit_on_the_quality_just_below_the_best(short: float, solver: str | None) -> None:
    """The model had no such set, the definition had: "infeasible" was said of 19 of 20 sets."""
    if solver == "scip":
        pytest.importorskip("pyscipopt")
    problem = Problem(Pairs(WEIGHTS, {"ab": 0.3}), 3, [lambda b: b.quality <= 2.22 * (1 - short)])
    found = altsel.sequential(problem, Dice(0.5), 0, solver)
    assert found[0].score == pytest.approx(2.22 if short <= 1e-9 else 2.12)
    assert found.proved


@pytest.mark.parametrize("solver", [None, "highs"])
def test_rows_that_are_almost_parallel_are_not_infeasible(solver: str | None) -> None:
    """HiGHS's presolve proves so of the limit, and the same for the second criterion that it stands for."""
    weights = dict(zip("abcdef", (-1.01, 0.31, 0.42, -1.28, -0.41, 0.56), strict=True))
    quality = Pairs(weights, {"df": -0.46, "bc": 0.03, "ad": 1.37, "ef": -0.43})
    problem = Problem(quality, 3, [lambda b: b.quality <= 1.32 * (1 - 1e-8)])
    assert altsel.sequential(problem, Dice(0.5), 0, solver)[0].score == pytest.approx(0.35)


@pytest.mark.parametrize("solver", [None, "highs", "cp-sat", "scip"])
def test_a_least_quality_just_above_the_best(solver: str | None) -> None:
    if solver == "scip":
        pytest.importorskip("pyscipopt")
    problem = Problem(Univariate(WEIGHTS), 3, [altsel.domain.minimum_quality(2.12 * (1 + 1e-11))])
    assert altsel.sequential(problem, Dice(0.5), 0, solver)[0].features == ("b", "e", "f")


@pytest.mark.parametrize("solver", [None, "highs", "cp-sat", "scip"])
def test_coefficients_that_cancel_but_for_rounding(solver: str | None) -> None:
    """.2 - (.1 + .2 + .3) / 3 is 2.8e-17, which no unit mends."""
    if solver == "scip":
        pytest.importorskip("pyscipopt")
    cost = dict(zip("abcdef", (0.1, 0.2, 0.3, 0.4, 0.15, 0.25), strict=True))
    mean = (0.1 + 0.2 + 0.3) / 3

    def cheap(b: Any) -> Any:
        return sum(cost[f] * b.x[f] for f in cost) <= mean * b.size

    quality = Univariate(dict(zip("abcdef", range(6, 0, -1), strict=True)))
    found = altsel.sequential(Problem(quality, (1, 3), [cheap]), Dice(0.5), 1, solver)
    assert [one.features for one in found] == [("a", "b", "c"), ("a", "e", "f")]
    assert found.proved


def test_a_price_that_is_small_beside_others_counts_beside_the_limit() -> None:
    """1e-15 times the largest price was taken for what rounding had left of a sum."""
    costs = {"a": 6.7e-5, "b": 4.8e-9, "c": 5377.5, "d": 162.9, "e": 5228024.7, "f": 1.0}
    problem = Problem(Univariate(WEIGHTS), (1, 2), [altsel.domain.budget(costs, 6.7002e-5)])
    assert list(altsel.enumerate_valid(problem)) == [("a",), ("b",)]
    assert set(altsel.sample_valid(problem, 9).sets) == {("a",), ("b",)}
    assert {one.features for one in altsel.sequential(problem, Dice(1), 5)} == {("a",), ("b",)}
    with pytest.raises(altsel.errors.RangeError, match="rule 'budget of"):
        altsel.sequential(problem, Dice(1), 5, "highs")


def test_a_range_error_names_the_rule() -> None:
    def tiny(b: Any) -> list[Any]:
        b.y = pyo.Var(bounds=(0, 1))
        return [b.y == 1e-11 * b.x["a"] + b.x["b"]]

    problem = Problem(Univariate(WEIGHTS), 3, [tiny])
    with pytest.raises(altsel.errors.RangeError, match=r"numbers of rule 'tiny', row 'returned\[1\]', range"):
        altsel.sequential(problem, Dice(0.5), 0, "highs")


@pytest.mark.parametrize("solver", [None, "highs", "scip"])
def test_lists_of_valid_sets_are_whole_where_a_limit_is_missed_by_rounding(solver: str | None) -> None:
    if solver == "scip":
        pytest.importorskip("pyscipopt")
    quality = Pairs(WEIGHTS, {"ab": 0.3})
    values = sorted(quality.score([f in pair for f in WEIGHTS]) for pair in combinations(WEIGHTS, 2))
    limit = values[7] * (1 - 1e-11)
    problem = Problem(quality, 2, [lambda b: b.quality <= limit])
    right = sum(one <= values[7] for one in values)
    assert len(list(altsel.enumerate_valid(problem, solver=solver))) == right


@pytest.mark.parametrize("solver", [None, "highs", "scip", "cp-sat"])
def test_rules_across_sets_that_are_missed_by_rounding(solver: str | None) -> None:
    """One solver called impossible what another called optimal."""
    if solver == "scip":
        pytest.importorskip("pyscipopt")
    weights = {"a": -0.91, "b": 0.66, "c": 0.68, "d": 0.19, "e": 0.63}

    def light(b: Any, sets: Any) -> Any:
        return len(sets) < 2 or sum(weights[f] * one[f] for one in sets for f in weights) <= -1 - 2.64e-11

    quality = Univariate({"a": 4.0, "b": 8, "c": 7, "d": 4, "e": 7})
    found = altsel.simultaneous(Problem(quality, 2, across=[light]), Dice(0.5), 1, solver=solver)
    assert sum(one.score for one in found) == 19
    assert found.proved


@pytest.mark.parametrize("solver", [None, "highs", "cp-sat"])
def test_a_rule_with_variables_of_its_own_is_read_as_loosely(solver: str | None) -> None:
    weights = {"a": 0.51, "b": 0.5, "c": 0.3, "d": 0.2, "e": 0.1}

    def light(b: Any) -> list[Any]:
        b.y = pyo.Var(domain=pyo.Binary)
        return [sum(weights[f] * b.x[f] for f in weights) <= 1.01 * (1 - 1e-11), b.y >= b.x["a"]]

    quality = Univariate(dict(zip("abcde", range(5, 0, -1), strict=True)))
    assert altsel.sequential(Problem(quality, 2, [light]), Dice(0.5), 0, solver)[0].features == ("a", "b")


@pytest.mark.parametrize("solver", [None, "highs"])
def test_terms_that_cancel_in_a_variable_of_its_own(solver: str | None) -> None:
    """-1/7 + 1 - 1/7 - 5/7 is 1.1e-16, which is no amount above 0."""
    weights = {"a": -1 / 7, "b": 1.0, "c": -1 / 7, "d": -5 / 7, "e": 0.5}

    def light(b: Any) -> list[Any]:
        b.amount = pyo.Var()
        return [b.amount == sum(weights[f] * b.x[f] for f in weights), b.amount <= 0]

    quality = Univariate(dict(zip("abcde", range(5, 0, -1), strict=True)))
    assert altsel.sequential(Problem(quality, 4, [light]), Dice(0.5), 0, solver)[0].features == tuple("abcd")
