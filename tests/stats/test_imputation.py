"""Imputed tables, and what is pooled over them: by hand, by another library, and levels by simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.impute import SimpleImputer

import altsel
from altsel import ArgumentError, DataError, Dataset
from altsel.imputation import CompleteRows, Imputations, Pooled, impute, of_tables
from altsel.independence import GSquare, LikelihoodRatio, PartialCorrelation
from altsel.stats.imputation.pooled import chi_squares, deviates, pooled_chi_squares, pooled_deviates


def gapped(seed: int, share: float, rows: int = 200) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Draw x0 and x1 with the target between; gaps of x1 hang on x0, which all rows have."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(rows, 3))
    x[:, 1] += x[:, 0]
    y = x[:, 0] + random.normal(size=rows)
    late = random.random(rows) < 2 * share * stats.norm.cdf(1.5 * x[:, 0])
    x[late, 1] = np.nan
    return x, y


def test_quantiles_are_those_of_scipy_also_in_the_far_tail() -> None:
    log_p, k = np.log([1.0, 0.5, 1e-5, 1e-200]), np.array([1.0, 2.0, 5.0, 17.0])
    assert deviates(log_p) == pytest.approx(stats.norm.isf(np.exp(log_p) / 2), rel=1e-9)
    assert chi_squares(log_p, k) == pytest.approx(stats.chi2.isf(np.exp(log_p), k), rel=1e-9)
    for dof in (1.0, 3.0, 10.0):  # the two ways agree where they meet, and go on
        low, high = chi_squares(np.array([-650.001, -649.999]), np.full(2, dof))
        assert low == pytest.approx(high, rel=0.02)
        assert chi_squares(np.array([-5000.0]), np.array([dof]))[0] == pytest.approx(10_000, rel=0.02)


def test_deviates_are_pooled_by_rubins_rules() -> None:
    z = np.array([[1.2, -0.3], [2.1, 0.4], [1.7, 0.1], [0.9, -0.8]])
    t, log_p = pooled_deviates(z)
    for j in range(2):
        between = 1.25 * z[:, j].var(ddof=1)
        expected = z[:, j].mean() / np.sqrt(1 + between)
        assert t[j] == pytest.approx(expected)
        assert np.exp(log_p[j]) == pytest.approx(2 * stats.t.sf(abs(expected), 3 * (1 + 1 / between) ** 2))


def test_chi_squares_are_pooled_as_li_meng_raghunathan_and_rubin_do() -> None:
    d, k, m = np.array([[3.0], [5.5], [4.1], [7.7], [2.0]]), np.array([3.0]), 5
    r = (1 + 1 / m) * np.sqrt(d[:, 0]).var(ddof=1)
    expected = (d.mean() / 3 - (m + 1) / (m - 1) * r) / (1 + r)
    f, log_p = pooled_chi_squares(d, k)
    assert f[0] == pytest.approx(expected)
    dof = 3 ** (-3 / m) * (m - 1) * (1 + 1 / r) ** 2
    assert np.exp(log_p[0]) == pytest.approx(stats.f.sf(expected, 3, dof))


def test_tables_that_are_alike_give_the_test_of_one() -> None:
    random = np.random.default_rng(0)
    x = pd.DataFrame(random.normal(size=(80, 3)), columns=list("abc"))
    x["a"] = (x["a"] > 0).map({True: "u", False: "v"})
    y = random.normal(size=80) + x["b"].to_numpy()
    same = of_tables([x, x, x], y)
    one = LikelihoodRatio(Dataset(x, y))
    pooled = same.test(LikelihoodRatio)
    assert pooled(["a", "c"], ["b"]).log_p == pytest.approx(one(["a", "c"], ["b"]).log_p, rel=1e-5)
    assert pooled.with_target("b")(["c"]).log_p == pytest.approx(one.with_target("b")(["c"]).log_p, rel=1e-5)
    assert "pooled over 3 imputed tables" in pooled.name


@pytest.mark.long
def test_a_null_whose_gaps_hang_on_a_column_keeps_its_level() -> None:
    """x1 is independent of the target given x0; gaps of x1 are a third, and hang on x0."""
    hits = {"imputed": 0, "alone": 0}
    for seed in range(40):
        x, y = gapped(seed, 0.35)
        test = impute(x, y, number=5, random_state=seed).test(PartialCorrelation)
        hits["imputed"] += bool(test(["x1"], ["x0"]).p[0] <= 0.05)
        hits["alone"] += bool(test(["x1"]).p[0] <= 0.05)
    assert hits["imputed"] <= 7  # of 40 at .05: more than 7 in .0007 of the cases
    assert hits["alone"] >= 35


def test_rows_with_gaps_are_left_out_for_the_test_that_needs_them_alone() -> None:
    x, y = gapped(1, 0.3)
    test = CompleteRows(x, y, PartialCorrelation)
    some = ~np.isnan(x[:, 1])
    expected = PartialCorrelation(Dataset(x[some], y[some]))(["x1"], ["x0"])
    assert test(["x2", "x1"], ["x0"]).log_p[1] == pytest.approx(expected.log_p[0])
    whole = PartialCorrelation(Dataset(x[:, [0, 2]], y))
    assert test(["x2"], ["x0"]).log_p == pytest.approx(whole(["x1"], ["x0"]).log_p)
    turned = PartialCorrelation(Dataset(x[some], y[some])).with_target("x1")
    assert test.with_target("x1")(["y"], ["x0"]).log_p == pytest.approx(turned(["y"], ["x0"]).log_p)
    assert (test.rows("x2"), test.rows("x2", ["x1"])) == (200, int(some.sum()))


def test_columns_that_are_constant_in_the_rows_left_are_not_tested() -> None:
    table = pd.DataFrame({"a": [0, 1] * 20, "b": ["u"] * 20 + ["v"] * 20, "c": [1.0, 2.0] * 10 + [None] * 20})
    test = CompleteRows(table, [0, 0, 1, 1] * 10, GSquare, kinds={"a": "categorical", "c": "categorical"})
    answers = test(["a", "b"], ["c"])
    assert answers.tested.tolist() == [True, False]
    assert answers.p[1] == 1


def test_relevances_are_means_and_stacked_rows_have_weights() -> None:
    x, y = gapped(2, 0.2)
    found = impute(x, y, number=3)
    made = found.dependence(lambda data: altsel.dependence(data, altsel.measures.absolute_pearson))
    each = [altsel.dependence(data, altsel.measures.absolute_pearson) for data in found]
    assert made.relevance.to_numpy() == pytest.approx(np.mean([one.relevance for one in each], axis=0))
    assert made.redundancy.loc["x0", "x1"] == pytest.approx(
        np.mean([e.redundancy.loc["x0", "x1"] for e in each])
    )
    data, weights = found.stacked()
    assert (len(data.y), weights.sum()) == (600, pytest.approx(200))
    best = altsel.sequential(altsel.Problem(altsel.LinearFit(data, weights=weights), 1), altsel.Dice(0.5), 0)
    assert best[0].features == ("x0",)


def test_a_blanket_of_a_table_with_gaps() -> None:
    x, y = gapped(3, 0.3)
    test = impute(x, y, number=5).test(PartialCorrelation)
    assert altsel.blankets.iamb(test, alpha=0.001)[0].features == ("x0",)
    assert altsel.blankets.iamb(CompleteRows(x, y, PartialCorrelation), alpha=0.001)[0].features == ("x0",)


def test_what_cannot_be_imputed_says_what_to_do() -> None:
    x, y = gapped(4, 0.2, 40)
    with pytest.raises(ArgumentError, match="it does not draw"):
        impute(x, y, SimpleImputer())
    with pytest.raises(DataError, match="'w': not numbers"):
        impute(pd.DataFrame({"w": list("ab") * 20, "v": range(40)}), y)
    with pytest.raises(DataError, match="3 classes"):
        impute(x, list("abca") * 10)
    with pytest.raises(DataError, match="'x1': no value at all"):
        impute(np.column_stack([y, np.full(40, np.nan)]), y)
    with pytest.raises(DataError, match="target of table 1 differs"):
        of_tables([pd.DataFrame({"a": y, "t": y}), pd.DataFrame({"a": y, "t": -y})], "t")
    with pytest.raises(ArgumentError, match="2 at least"):
        Imputations((Dataset(x[:, [0]], y),), {})
    with pytest.raises(ArgumentError, match="2 at least"):
        Pooled([PartialCorrelation(Dataset(x[:, [0]], y))])
