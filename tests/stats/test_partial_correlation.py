"""Partial correlations against regressions of statsmodels and against scipy."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import altsel
from tests.oracles.synthetic_tables import numbers


@pytest.mark.parametrize("given_names", [[], ["b"], ["c", "b", "d"]])
def test_partial_correlation_equals_the_t_of_a_regression(given_names: list[str]) -> None:
    data = numbers()
    answers = altsel.independence.PartialCorrelation(data)(["a"], given_names)
    model = sm.OLS(data.y.to_numpy(), sm.add_constant(data.X[["a", *given_names]])).fit()
    assert answers.statistic[0] == pytest.approx(model.tvalues["a"], rel=1e-10)
    assert answers.p[0] == pytest.approx(model.pvalues["a"], rel=1e-10)
    t, dof = model.tvalues["a"], model.df_resid
    assert answers.effect[0] == pytest.approx(t / np.sqrt(t**2 + dof), rel=1e-10)


def test_spearman_and_fisher_equal_scipy() -> None:
    data = numbers()
    ranks = altsel.independence.PartialCorrelation(data, ranks=True)(["a"])
    expected = stats.spearmanr(data.X["a"], data.y)
    assert ranks.effect[0] == pytest.approx(expected.statistic, rel=1e-10)
    assert ranks.p[0] == pytest.approx(expected.pvalue, rel=1e-8)
    fisher = altsel.independence.PartialCorrelation(data, fisher=True)(["a"])
    r = stats.pearsonr(data.X["a"], data.y).statistic
    assert fisher.statistic[0] == pytest.approx(np.arctanh(r) * np.sqrt(200 - 3), rel=1e-10)


def test_a_positive_and_a_negative_cause_are_equally_dependent() -> None:
    data = numbers()
    negated = altsel.Dataset(data.X.assign(a=-data.X["a"]), data.y)
    assert (
        altsel.independence.PartialCorrelation(data)(["a"]).p[0]
        == altsel.independence.PartialCorrelation(negated)(["a"]).p[0]
        < 1e-6
    )


def test_going_back_and_forth_between_sets_changes_nothing() -> None:
    test, fresh = (
        altsel.independence.PartialCorrelation(numbers()),
        altsel.independence.PartialCorrelation(numbers()),
    )
    for names in (["b", "c"], ["b"], ["b", "d", "c"], [], ["c"]):
        test(["a"], names)
    again = test(["a"], ["b", "c"])
    assert again.statistic[0] == pytest.approx(fresh(["a"], ["b", "c"]).statistic[0], rel=1e-12)


@pytest.mark.filterwarnings("ignore:features determine the target:altsel.DataWarning")
def test_what_the_given_determine_is_independent_and_counts_for_nothing() -> None:
    data = numbers()
    table = data.X.assign(sum=data.X["b"] + data.X["c"], twin=2 * data.X["b"] + 1)
    test = altsel.independence.PartialCorrelation(altsel.Dataset(table, data.y))
    determined = test(["sum", "a"], ["b", "c"])
    assert (determined.p[0], determined.statistic[0]) == (1.0, 0.0)
    twice = test(["a"], ["b", "twin", "c"])
    assert twice.statistic[0] == pytest.approx(determined.statistic[1], rel=1e-9)
    assert twice.dof[0] == determined.dof[1]
    of_target = altsel.independence.PartialCorrelation(altsel.Dataset(table.assign(copy=data.y * 3), data.y))
    assert of_target(["a"], ["copy"]).p[0] == 1.0


def test_more_given_than_rows_is_not_tested() -> None:
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.normal(size=(6, 8)), columns=[f"x{j}" for j in range(8)])
    answers = altsel.independence.PartialCorrelation(altsel.Dataset(table, random.normal(size=6)))(
        ["x0"], ["x1", "x2", "x3", "x4", "x5"]
    )
    assert not answers.tested.any()


def test_categories_are_refused_by_name() -> None:
    data = altsel.Dataset({"colour": ["r", "g", "b"] * 4, "n": np.arange(12.0)}, np.arange(12.0) ** 2)
    with pytest.raises(altsel.DataError, match="'colour'"):
        altsel.independence.PartialCorrelation(data)


@pytest.mark.slow
@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 6), st.booleans())
def test_each_given_the_others_is_the_same_at_once(seed: int, size: int, copied: bool) -> None:
    random = np.random.default_rng(seed)
    table = pd.DataFrame(random.normal(size=(40, 7)), columns=list("abcdefg"))
    if copied:
        table["b"] = 2 * table["a"] + 1  # no inverse
    test = altsel.independence.PartialCorrelation(
        altsel.Dataset(table, table.sum(axis=1) + random.normal(size=40))
    )
    names = list("abcdefg")[:size]
    together = test.leave_one_out(names)
    for j, name in enumerate(names):
        alone = test([name], [one for one in names if one != name])
        assert together.log_p[j] == pytest.approx(alone.log_p[0], abs=1e-8)
        assert together.statistic[j] == pytest.approx(alone.statistic[0], abs=1e-7)


def test_a_target_of_twenty_numbers_is_one_of_numbers() -> None:
    data = numbers()
    y = np.exp(np.arange(200) % 20 / 3.0)
    message = altsel.independence.PartialCorrelation(altsel.Dataset(data.X, y, "regression"))(["a"])
    assert message.effect[0] == pytest.approx(stats.pearsonr(data.X["a"], y).statistic, rel=1e-10)
