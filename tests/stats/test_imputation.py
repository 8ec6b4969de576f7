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
from altsel.imputation import AvailableCases, CompleteRows, Imputations, Pooled, impute, of_tables
from altsel.independence import GSquare, LikelihoodRatio, PartialCorrelation
from altsel.stats.imputation.draws import drawn_numbers
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
        impute(pd.DataFrame({"w": list("ab") * 20, "v": x[:, 0]}), y, SimpleImputer())
    with pytest.raises(DataError, match="'y': not numbers"):
        impute(x, list("abca") * 10, SimpleImputer())
    with pytest.raises(DataError, match="infinite values in 'x0'"):
        impute(np.where(x > 1, np.inf, x), y)
    with pytest.warns(altsel.DataWarning, match=r"'x1' \(empty\)"):
        assert impute(np.column_stack([x[:, 0], np.full(40, np.nan)]), y, number=2).missing == {"x0": 0.0}
    with pytest.raises(DataError, match="table 1 has missing values in 'x1'"):
        of_tables([x[:, [0, 2]], x[:, :2]], y)
    with pytest.raises(DataError, match="target of table 1 differs"):
        of_tables([pd.DataFrame({"a": y, "t": y}), pd.DataFrame({"a": y, "t": -y})], "t")
    with pytest.raises(ArgumentError, match="2 at least"):
        Imputations((Dataset(x[:, [0]], y),), {})
    with pytest.raises(ArgumentError, match="2 at least"):
        Pooled([PartialCorrelation(Dataset(x[:, [0]], y))])


def clinic(seed: int, rows: int = 150) -> pd.DataFrame:
    """Draw a table with an id, numbers, two classes and three, with gaps, and a target that misses some."""
    random = np.random.default_rng(seed)
    table = pd.DataFrame({"id": [f"P{i}" for i in range(rows)], "age": random.normal(60, 10, rows)})
    table["smoker"] = np.where(random.random(rows) < 0.4, "yes", "no")
    table["ward"] = random.choice(["a", "b", "c"], rows)
    table["flag"] = (random.random(rows) < 0.5).astype(float)
    table["answer"] = np.where(table.age + 20 * (table.smoker == "yes") > 70, "ill", "well")
    for name in ("age", "smoker", "ward", "flag"):
        table[name] = table[name].where(random.random(rows) > 0.2)
    table["answer"] = table["answer"].where(random.random(rows) > 0.05)
    return table


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_categories_are_imputed_by_their_levels_and_the_table_is_read_as_a_data_set_is() -> None:
    table = clinic(0)
    found = impute(table, "answer", number=3, kinds={"ward": ["c", "a", "b"]})
    first = found.datasets[0]
    assert first.features == ("age", "smoker", "ward", "flag")  # the id is left out
    assert len(first.y) == table.answer.notna().sum()
    assert {str(kind) for kind in first.kinds.values()} == {"continuous", "binary", "ordinal"}
    assert set(first.X["flag"]) == {0.0, 1.0}
    held = table[table.answer.notna()].reset_index(drop=True)
    for name in first.features:
        known = held[name].notna()
        for data in found:
            assert data.X[name][known].tolist() == held[name][known].tolist()
        assert any(one.X[name].tolist() != first.X[name].tolist() for one in found)
        assert found.missing[name] == pytest.approx(1 - known.mean())
    assert impute(table, "answer", number=2, drop=["ward", "id"]).datasets[1].features == (
        "age",
        "smoker",
        "flag",
    )
    tested = CompleteRows(table, "answer", LikelihoodRatio)
    assert tested.features == first.features
    assert tested.rows("ward") == (held.ward.notna()).sum()
    assert repr(found) == f"<Imputations: 3 tables of {len(held)} rows, 4 features, target 'answer'>"


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_levels_that_a_column_tells_are_imputed_by_it() -> None:
    random = np.random.default_rng(2)
    other = random.integers(0, 3, 300)
    table = pd.DataFrame({"other": np.array(list("uvw"))[other], "x": np.array(list("abc"))[other]})
    lost = random.random(300) < 0.3
    table.loc[lost, "x"] = None
    made = impute(table, random.normal(size=300), number=2).datasets[0].X["x"]
    right = (made.to_numpy() == np.array(list("abc"))[other])[lost].mean()
    assert right > 0.9


def test_numbers_are_drawn_as_a_regression_has_them() -> None:
    """Of many draws: mean and variance of the predictive distribution, by its formulas."""
    random = np.random.default_rng(3)
    x, at = random.normal(size=(25, 2)), np.array([[1.0, -0.5]])
    y = 1 + x @ [2.0, -1.0] + random.normal(size=25)
    drawn = np.array([drawn_numbers(x, y, at, random)[0] for _ in range(4000)])
    design, row = np.column_stack([np.ones(25), x]), np.array([1.0, 1.0, -0.5])
    best, squares, *_ = np.linalg.lstsq(design, y, rcond=None)
    scale = np.sqrt(squares[0] / 22 * (1 + row @ np.linalg.inv(design.T @ design) @ row))
    assert stats.kstest(drawn, stats.t(22, row @ best, scale).cdf).pvalue > 0.001


def test_available_cases_are_pairwise() -> None:
    x, y = gapped(5, 0.2, 120)
    x[::4, 2] = np.nan
    known = AvailableCases(x, y)
    made = known.dependence(lambda data: altsel.dependence(data, altsel.measures.absolute_pearson))
    table = pd.DataFrame(x, columns=["x0", "x1", "x2"])
    assert made.relevance.to_numpy() == pytest.approx(table.corrwith(pd.Series(y)).abs().to_numpy())
    assert made.redundancy.to_numpy() == pytest.approx(table.corr().abs().to_numpy())
    assert "on available cases" in made.measure
    assert known.test(PartialCorrelation)(["x1"], ["x2"]).log_p == pytest.approx(
        CompleteRows(x, y, PartialCorrelation)(["x1"], ["x2"]).log_p
    )
    assert (known.features, known.target) == (("x0", "x1", "x2"), "y")
    assert (
        known.fingerprint == AvailableCases(x, y).fingerprint != AvailableCases(x[:100], y[:100]).fingerprint
    )
    assert repr(known) == "<AvailableCases: 120 rows, 3 features, target 'y'>"
    with pytest.raises(ArgumentError, match="fits of models need all values"):
        known.stacked()


def test_available_cases_of_few_rows_tell_nothing() -> None:
    table = pd.DataFrame({"a": [1.0, 2, 3, 4, 5, 6], "b": [1.0, 1, 1, None, None, 2], "c": [7.0] * 6})
    table["d"] = [None, None, None, None, None, 1.0]
    known = AvailableCases(table, [0.5, 1.5, 1.0, 2.0, 2.5, 0.1], keep=["c", "d"])
    assert known.features == ("a", "b")
    assert known.absent.keys() == {"c", "d"}
    made = known.dependence(lambda data: altsel.dependence(data, altsel.measures.absolute_pearson))
    assert made.redundancy.loc["a", "b"] == pytest.approx(table["a"].corr(table["b"]))


def test_numbers_are_drawn_where_a_column_is_zero_in_all_rows_that_are_known() -> None:
    x = np.array([[0.0, 1.0], [0.0, 2.0], [0.0, 4.0], [0.0, 3.0], [0.0, 5.0]])
    drawn = drawn_numbers(x, 2.0 * x[:, 1], np.array([[0.0, 6.0], [1.0, 6.0]]), np.random.default_rng(0))
    assert drawn[0] == pytest.approx(12.0, abs=1e-3)
    assert np.isfinite(drawn).all()
