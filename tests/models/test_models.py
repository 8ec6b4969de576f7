"""Problems, formulations, reductions and the counting models."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyomo.environ as pyo
import pytest

import altsel
from altsel import ArgumentError, DataError, Dependence, Dice, Problem, Univariate, formulate
from altsel.exact.families.counts.membership_patterns import feasible_profiles
from altsel.models.dominance import candidates, mentioned
from altsel.models.membership_patterns import count_model, design_model, read_patterns, set_profile
from altsel.models.objective import Kind, Objective
from altsel.models.problem import chosen, clear_start, holds, start_from
from altsel.models.removal import admissible
from altsel.models.simultaneous import formulate_together

FIVE = Univariate([0.5, 0.1, 0.4, 0.3, 0.2])


@pytest.mark.parametrize(
    ("k", "sizes"), [(3, (3, 3)), ((2, 4), (2, 4)), (range(2, 5), (2, 4)), (np.int64(2), (2, 2)), (5, (5, 5))]
)
def test_sizes(k: Any, sizes: tuple[int, int]) -> None:
    assert Problem(FIVE, k).sizes == sizes


@pytest.mark.parametrize(
    "k", [0, 6, (2, 6), (3, 2), 2.5, "2", True, (1, 2, 3), range(0), range(1, 5, 2), None]
)
def test_wrong_sizes_are_refused(k: Any) -> None:
    with pytest.raises(ArgumentError, match="k="):
        Problem(FIVE, k)


def test_what_is_no_objective_or_rule_is_refused() -> None:
    with pytest.raises(ArgumentError, match="no objective"):
        Problem([0.5, 0.2], 1)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="functions of a block"):
        Problem(FIVE, 2, ["x0 + x1 <= 1"])  # type: ignore[list-item]


def test_univariate_has_two_faces_that_agree() -> None:
    assert isinstance(FIVE, Objective)
    assert FIVE.kind is Kind.SUM
    model = formulate(Problem(FIVE, 2))
    start_from(Problem(FIVE, 2), model.sets[0], ["x0", "x3"])
    mask = np.array([True, False, False, True, False])
    assert pyo.value(model.total) == FIVE.score(mask) == 0.8
    assert holds(model)
    assert chosen(model.sets[0]) == {"x0", "x3"}
    start_from(Problem(FIVE, 2), model.sets[0], ["x0"])
    assert not holds(model)
    clear_start(model.sets[0])
    assert {x.value for x in model.sets[0].x.values()} == {None}


def test_univariate_takes_dependence_series_or_array() -> None:
    series = pd.Series({"a": 0.25, "b": 0.5})
    for given in (series, Dependence(series, measure="mine", target="y")):
        assert Univariate(given).features == ("a", "b")
    assert Univariate(Dependence(series, measure="mine", target="y")).name == "sum of mine"
    assert Univariate(series.to_numpy()).features == ("x0", "x1")
    with pytest.raises(DataError, match="'b'"):
        Univariate(pd.Series({"a": 1, "b": np.nan}))
    with pytest.raises(ValueError, match="read-only"):
        Univariate(series).weights[0] = 3


def test_a_score_does_not_depend_on_the_order_of_features() -> None:
    q = np.array([0.1, 0.2, 0.3, 1e16, -1e16])
    everything = np.ones(5, dtype=bool)
    assert len({Univariate(np.roll(q, shift)).score(everything) for shift in range(5)}) == 1


def test_odd_names_are_just_names() -> None:
    names = ["a b", "x[1]", "two\nlines", "it's", "größe", "sets[0].x"]
    found = altsel.sequential(Problem(Univariate(pd.Series(range(6), index=names)), 2), Dice(1), 2)
    assert [subset.features for subset in found] == [
        ("größe", "sets[0].x"),
        ("two\nlines", "it's"),
        ("a b", "x[1]"),
    ]


def test_only_the_best_of_each_class_are_candidates() -> None:
    problem = Problem(Univariate([9, 8, 7, 6, 5, 4, 3, 2, 1]), 2)
    names = problem.objective.features

    def kept(*known: list[str]) -> list[str]:
        indices = candidates(problem, known, 2)
        assert indices is not None
        return [names[j] for j in indices]

    assert kept() == ["x0", "x1"]
    assert kept(["x0", "x1", "x5"]) == ["x0", "x1", "x2", "x3"]  # x5 is third of its class
    assert kept(["x0", "x1"], ["x0", "x8"]) == ["x0", "x1", "x2", "x3", "x8"]


def test_ties_are_kept_by_place() -> None:
    indices = candidates(Problem(Univariate([1, 1, 1, 1]), 2), [], 2)
    assert indices is not None
    assert indices.tolist() == [0, 1]


def test_features_that_a_rule_mentions_are_all_kept() -> None:
    def penalty(b: Any) -> None:
        b.penalty = pyo.Constraint(expr=3 * b.x["x4"] + b.x["x5"] <= 3)

    def banned(b: Any) -> None:
        b.x["x3"].fix(0)

    problem = Problem(Univariate([9, 8, 7, 6, 5, 4, 3]), 2, [penalty, banned])
    assert mentioned(problem) == {"x3", "x4", "x5"}
    indices = candidates(problem, [], 2)
    assert indices is not None
    assert indices.tolist() == [0, 1, 3, 4, 5]


def test_all_models_of_the_paper_count_the_same() -> None:
    weights = np.array([0.5, 0.4, 0.3, 0.2])
    model = count_model(weights, 2, (2, 2), Dice(0.5))
    outcome = altsel.solver("highs")(model)
    assert outcome.value == pytest.approx(0.5 * 2 + 0.4 + 0.3)
    assert read_patterns(model) == [3, 1, 2]


def test_profiles_are_all_there_are() -> None:
    found = feasible_profiles(3, 2, 3, 9)
    assert found is not None
    brute = [
        (one, two, three)
        for one in range(7)
        for two in range(4)
        for three in range(3)
        if one + 2 * two + 3 * three == 6 and two + 3 * three <= 3
    ]
    assert sorted(map(tuple, found.tolist())) == sorted(brute)
    few = feasible_profiles(3, 2, 3, 4)
    assert few is not None
    assert all(sum(one) <= 4 for one in few.tolist())


def test_a_profile_is_realised_or_refused() -> None:
    model = design_model(3, 2, Dice(0.5))
    solver = altsel.solver("highs")
    set_profile(model, [0, 3, 0])  # three features, each in two of three sets: a triangle
    assert solver(model).value is not None
    assert read_patterns(model) == [3, 5, 6]
    set_profile(model, [3, 0, 1])  # one common feature, three of their own
    assert solver(model).value is not None
    assert read_patterns(model) == [7, 1, 2, 4]
    set_profile(model, [0, 0, 2])  # the same set three times
    assert solver(model).stop is altsel.Stop.INFEASIBLE


def test_no_set_meets_an_empty_removal() -> None:
    for model in (admissible(["a", "b"], [], met=[[]]), admissible(["a", "b"], [], known=[[]])):
        assert altsel.solver()(model).stop is altsel.Stop.INFEASIBLE


def test_cfs_is_clipped_where_one_number_of_many_is_too_large() -> None:
    r = pd.DataFrame(np.zeros((3, 3)), index=list("abc"), columns=list("abc"))
    r.loc["a", "b"] = r.loc["b", "a"] = 1000.0
    quality = altsel.CFS(Dependence(pd.Series([0.9, 0.8, 0.7], index=list("abc")), r))
    clipped = quality.clipped(0.5, (2, 2))
    assert (1.7 / 0.5) ** 2 <= clipped.redundancy.max() < 20
    assert clipped.relevance.tolist() == [0.9, 0.8, 0.7]


def test_cfs_takes_sets_whose_relevances_sum_to_zero() -> None:
    quality = altsel.CFS(Dependence(np.array([1.0, -1.0, 2.0]), np.eye(3)))
    sets = np.array([[True, True, False], [False, True, False], [True, True, True]])
    assert [quality.is_feasible(mask) for mask in sets] == [True, False, True]


@pytest.mark.parametrize("kind", [altsel.FCBF, altsel.MRMR])
def test_relevance_that_stands_for_never_is_clipped(kind: Any) -> None:
    names = list("abcd")
    made = Dependence(pd.Series([0.9, 0.8, 0.7, -1e9], index=names), pd.DataFrame(np.eye(4), names, names))
    quality = kind(made)
    best = quality.score(np.array([True, True, False, False]))
    clipped = quality.clipped(best, (2, 2))
    assert clipped.relevance[:3].tolist() == [0.9, 0.8, 0.7]
    assert -100 < clipped.relevance[3] < -0.9
    assert clipped.score(np.array([True, False, False, True])) < best


def test_the_owner_of_a_table_may_write_to_it() -> None:
    names = list("abc")
    table = pd.DataFrame(np.eye(3), names, names)
    quality = altsel.MRMR(Dependence(pd.Series([3.0, 2.0, 1.0], index=names), table))
    assert not np.shares_memory(quality.redundancy, table.to_numpy())


def test_a_linearised_ratio_is_as_imprecise_as_its_denominators_are_wide() -> None:
    names = list("abcd")
    table = np.full((4, 4), 8.0)
    table[:2, :2] = 0.0
    quality = altsel.CFS(Dependence(pd.Series(1.0, index=names), pd.DataFrame(table, names, names)))
    model = formulate_together(Problem(quality, (2, 3)), Dice(0.5), 2, "sum")
    smallest, largest = 2.0, 3.0 + 2 * 3 * 8  # of a and b, and of three others
    assert model.imprecision == pytest.approx(largest / smallest / 10, rel=0.05)


def test_models_of_several_sets_refuse_another_total() -> None:
    with pytest.raises(ArgumentError, match="total='mean'"):
        formulate_together(Problem(FIVE, 2), Dice(0.5), 2, "mean")


def test_all_pairs_together_have_no_more_in_common_than_each_may() -> None:
    model = formulate_together(Problem(FIVE, 2), Dice(0.5), 3, "sum")
    assert pyo.value(model.together.upper) == 3  # pairs, of one feature each
    assert model.pairs_of["x0"].ub == 3
