"""Tests of equivalence: against hand computation, scipy, statsmodels and literal permutation loops."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.weightstats import ttost_paired

import altsel
from altsel.results.comparison import Definition
from altsel.stats.equivalence import SetTest
from altsel.stats.equivalence.vuong import weighted_chi_square_tail
from tests.conftest import IONOSPHERE
from tests.oracles.synthetic_tables import binary, classes, with_copies

ROWS = 120


def models_of(data: altsel.Dataset) -> altsel.comparison.GLMModels:
    return altsel.comparison.GLMModels(data)


TESTS: dict[str, Callable[[altsel.Dataset], SetTest]] = {
    "permuted variance": lambda data: altsel.comparison.PermutedVariance(
        models_of(data), altsel.comparison.SignFlips(200)
    ),
    "permuted mean": lambda data: altsel.comparison.PermutedMean(
        models_of(data), altsel.comparison.SignFlips(200)
    ),
    "paired t": lambda data: altsel.comparison.PairedT(models_of(data)),
    "paired t on predictions": lambda data: altsel.comparison.PairedT(models_of(data), Definition.MODEL),
    "Wilcoxon": lambda data: altsel.comparison.Wilcoxon(models_of(data)),
    "Wilcoxon on predictions": lambda data: altsel.comparison.Wilcoxon(models_of(data), Definition.MODEL),
    "Vuong": lambda data: altsel.comparison.Vuong(models_of(data)),
    "comprehensive": lambda data: altsel.comparison.Comprehensive(models_of(data)),
    "J": lambda data: altsel.comparison.JTest(models_of(data)),
    "by independence": lambda data: altsel.comparison.ByIndependence(
        altsel.independence.LikelihoodRatio(data)
    ),
}
DATA = {"numbers": with_copies(), "two classes": binary(), "three classes": classes()}


@pytest.mark.parametrize("data", DATA.values(), ids=DATA)
@pytest.mark.parametrize("make", TESTS.values(), ids=TESTS)
def test_every_test_keeps_the_contract(
    make: Callable[[altsel.Dataset], SetTest], data: altsel.Dataset
) -> None:
    test = make(data)
    for first, second in ((["a"], ["b"]), (["a", "c"], ["c", "a"]), ([], ["a"]), (["a", "b", "c"], ["d"])):
        message, back = test(first, second), test(second, first)
        assert 0 <= message.p <= 1
        assert message.p == pytest.approx(back.p, rel=1e-6, abs=1e-9)
        assert message.definition is test.definition
        if set(first) == set(second):
            assert message.p == 1
        if message.difference is not None and back.difference is not None:
            assert message.difference == pytest.approx(-back.difference)


@pytest.mark.parametrize("make", TESTS.values(), ids=TESTS)
@pytest.mark.parametrize("kind", ["numbers", "two classes"])
def test_copies_and_sums_are_equivalent(make: Callable[[altsel.Dataset], SetTest], kind: str) -> None:
    test = make(DATA[kind])
    assert test(["a"], ["copy"]).p == 1
    assert test(["a", "b"], ["copy", "sum"]).p > 0.99
    assert test(["a", "copy"], ["a"]).p == 1


@pytest.mark.slow
def test_exact_copies_crash_no_test_and_none_rejects() -> None:
    """Unguarded, one of nine pairs of copies is rejected on rounding noise."""
    for seed in range(30):
        data = with_copies(seed, 40)
        for make in TESTS.values():
            message = make(data)(["copy", "b", "c"], ["a", "sum", "c"])
            assert message.p > 0.5, (seed, message)


def test_nested_tests_against_statsmodels() -> None:
    data = with_copies(2)
    fits = {
        names: sm.OLS(data.y.to_numpy(), sm.add_constant(data.X[list(names)].to_numpy())).fit()
        for names in ("ac", "bd", "acbd")
    }
    p = min(fits["acbd"].compare_f_test(fits[names])[1] for names in ("ac", "bd"))
    models = altsel.comparison.GLMModels(data)
    assert altsel.comparison.Comprehensive(models)(["a", "c"], ["b", "d"]).p == pytest.approx(p)
    p = min(
        sm.OLS(data.y.to_numpy(), np.column_stack([fits[one].fittedvalues, fits[other].model.exog]))
        .fit()
        .pvalues[0]
        for one, other in (("ac", "bd"), ("bd", "ac"))
    )
    assert altsel.comparison.JTest(models)(["a", "c"], ["b", "d"]).p == pytest.approx(p)
    two = binary(2)
    logits = {
        names: sm.Logit(two.y.to_numpy(), sm.add_constant(two.X[list(names)].to_numpy())).fit(disp=0).llf
        for names in ("ac", "bd", "acbd")
    }
    p = min(stats.chi2.sf(2 * (logits["acbd"] - logits[names]), 2) for names in ("ac", "bd"))
    assert altsel.comparison.Comprehensive(altsel.comparison.GLMModels(two))(
        ["a", "c"], ["b", "d"]
    ).p == pytest.approx(p)


def test_too_few_rows_are_not_equivalence() -> None:
    message = altsel.comparison.Comprehensive(altsel.comparison.GLMModels(binary(0, 20)))(
        ["a", "b"], ["c", "d"]
    )
    assert (message.p, message.tested, message.equivalent(0.05)) == (1, False, False)


def test_paired_tests_against_scipy_and_statsmodels() -> None:
    models = altsel.comparison.GLMModels(with_copies(4))
    before, after = models.losses(["a"]), models.losses(["b"])
    t = stats.ttest_rel(after, before)
    message = altsel.comparison.PairedT(models)(["a"], ["b"])
    assert (message.p, message.statistic) == pytest.approx((t.pvalue, t.statistic))
    message = altsel.comparison.Wilcoxon(models)(["a"], ["b"])
    assert message.p == pytest.approx(stats.wilcoxon(after, before, method="approx").pvalue)
    for margin in (0.2, 2.0):
        expected = ttost_paired(after, before, -margin, margin)[0]
        assert altsel.comparison.TOST(models, margin)(["a"], ["b"]).p == pytest.approx(expected)
    relative = altsel.comparison.TOST(models, 0.3, relative=True)(["a"], ["b"])
    assert relative.p == pytest.approx(
        ttost_paired(after, before, -0.3 * before.mean(), 0.3 * before.mean())[0]
    )
    better = altsel.comparison.NonInferiority(models, 0.1)
    assert better(["d"], ["a"]).equivalent(0.05)
    assert not better(["a"], ["d"]).equivalent(0.05)
    assert altsel.comparison.TOST(models, 0.1)(["a"], ["copy"]).p == 0


def ionosphere_to_tell(target: str) -> altsel.comparison.GLMModels:
    table = pd.read_csv(IONOSPHERE).drop(columns=["a02", *({"target"} - {target})])
    return altsel.comparison.GLMModels(altsel.Dataset(table, target))


@pytest.mark.parametrize(
    ("first", "second", "margin", "p", "other"),
    [
        # R 4.2.2, TOSTER 0.8.6: t_TOST(after, before, paired = TRUE, eqb = margin)$TOST$p.value, where
        # after and before are residuals(lm(a08 ~ ...))^2 of the second and the first set. p is the larger
        # of the two, other that of "TOST Upper" alone, which is the test of non-inferiority.
        ("a28", "a16", 0.02, 0.96116344506, 5.2853397244217e-06),  # better by more than the margin
        ("a16", "a28", 0.02, 0.96116344506, 0.96116344506),  # worse by more than the margin
        ("a28", "a16", 0.05, 0.39907498956171, 1.4199263066347e-10),  # better, but by less
        ("a28", "a18", 0.02, 2.889409339604e-08, 2.889409339604e-08),  # about the same
        ("a18", "a28", 0.02, 2.889409339604e-08, 1.9146748946533e-08),
    ],
)
def test_equivalence_within_a_margin_against_toster(
    first: str, second: str, margin: float, p: float, other: float
) -> None:
    """A set that is better by more than the margin is not equivalent, but not inferior either."""
    models = ionosphere_to_tell("a08")
    assert altsel.comparison.TOST(models, margin)([first], [second]).p == pytest.approx(p, rel=1e-8)
    assert altsel.comparison.NonInferiority(models, margin)([first], [second]).p == pytest.approx(
        other, rel=1e-8
    )


@pytest.mark.parametrize(
    ("target", "first", "second", "statistic", "p"),
    [
        # R 4.2.2, nonnest2 0.5-7: v = vuongtest(glm(y ~ ..., binomial), glm(y ~ ..., binomial)), with
        # y = target == "g" and epsilon = 1e-14 for glm; 351 * v$omega and v$p_omega.
        ("target", "a20", "a22", 7.93104910722, 0.0556953664141),
        ("target", "a28", "a30", 0.932541417281, 0.758196004541),
        ("target", "a20 a10", "a30 a12", 13.5935066934, 0.0448615691085),
        ("target", "a22 a26", "a26 a30", 7.894230901, 0.125149073765),
        # The same with lm(a08 ~ ...), to whose scores and covariances those of the variance are added:
        # score1 = score2 = function(m) cbind(X e / s, (e^2 / s - 1) / (2 s)) and vc1 = vc2 = function(m)
        # solve(diag-block(X'X / s, n / (2 s^2))), with e = residuals(m), s = mean(e^2).
        ("a08", "a24", "a26", 11.4256747503, 0.145758810715),
        ("a08", "a28", "a30", 4.16939988912, 0.441688585067),
        ("a08", "a20", "a22", 46.0761319631, 0.00161664309094),
        ("a08", "a22 a26", "a26 a30", 38.4624032361, 0.013831683399),
    ],
)
def test_vuong_against_nonnest2(target: str, first: str, second: str, statistic: float, p: float) -> None:
    message = altsel.comparison.Vuong(ionosphere_to_tell(target))(first.split(), second.split())
    assert message.statistic == pytest.approx(statistic, rel=1e-6)
    assert message.p == pytest.approx(p, rel=1e-5)


@pytest.mark.slow
@settings(max_examples=20)
@given(st.lists(st.floats(0.01, 10), min_size=1, max_size=6), st.floats(0.05, 3))
def test_weighted_chi_squares_against_simulation(weights: list[float], factor: float) -> None:
    value = factor * sum(weights)
    draws = np.random.default_rng(0).chisquare(1, (40_000, len(weights))) @ np.array(weights)
    share = float((draws > value).mean())
    assert weighted_chi_square_tail(value, np.array(weights)) == pytest.approx(share, abs=0.012)


def test_weighted_chi_squares_of_equal_weights_are_chi_square() -> None:
    for value in (0.5, 3.0, 12.0):
        assert weighted_chi_square_tail(value, np.array([1.0, 1.0001, 0.9999])) == pytest.approx(
            stats.chi2.sf(value, 3), rel=1e-3
        )
    tails = [weighted_chi_square_tail(value, np.array([3.0, 1.0, 0.1])) for value in (0.1, 1, 5, 20, 60, 500)]
    assert all(high >= low - 1e-9 for high, low in pairwise(tails))
    assert tails[-1] < 1e-6


def test_a_chain_of_g_squares_is_the_test_of_all_at_once() -> None:
    data = classes(3, 2000)
    test = altsel.independence.GSquare(data, corrected=False, adjusted=False)
    joined = data.X["b"] * 10 + data.X["d"]
    together = altsel.Dataset(data.X[["a"]].assign(both=joined), data.y)
    expected = altsel.independence.GSquare(together, corrected=False, adjusted=False)(["both"], ["a"])
    back = altsel.independence.GSquare(together, corrected=False, adjusted=False)(["a"], ["both"])
    message = altsel.comparison.ByIndependence(test)(["a"], ["b", "d"])
    assert message.p == pytest.approx(min(expected.p[0], back.p[0]))
    few = altsel.independence.GSquare(classes(3, 60), corrected=False)
    assert not altsel.comparison.ByIndependence(few)(["a"], ["b", "c", "d"]).tested


@pytest.mark.slow
@settings(max_examples=10)
@given(st.integers(0, 100_000))
@pytest.mark.filterwarnings("ignore:features determine the target:altsel.DataWarning")
def test_odd_tables_give_p_values(seed: int) -> None:
    """Few rows, targets that features determine, separable classes, tiny and huge numbers."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(4, 40))
    X = pd.DataFrame(random.normal(size=(rows, 3)), columns=list("abc"))
    X["near"] = X["a"] * 1e-8 + 1e6
    targets = [2 * X["a"] + 1, (X["b"] > X["b"].median()).astype(int), random.normal(size=rows) * 1e-12]
    targets += [pd.Series(random.choice(["u", "v", "w"], rows)), random.normal(size=rows)]
    target = pd.Series(np.asarray(targets[seed % 5]), name="y")
    if target.nunique() < 2:
        return
    data = altsel.Dataset(X, target)
    for make in TESTS.values():
        for first, second in ((["a"], ["near"]), (list("abc"), []), (["a", "b"], ["b", "c"])):
            assert 0 <= make(data)(first, second).p <= 1


def test_no_difference_is_a_statistic_of_zero() -> None:
    message = altsel.comparison.PairedT(models_of(with_copies()))(["a"], ["a"])
    assert (message.statistic, message.p) == (0, 1)


@pytest.mark.slow
def test_what_determines_the_target_is_not_compared_by_rounding() -> None:
    for seed in range(20):
        random = np.random.default_rng(seed)
        table = pd.DataFrame(random.normal(size=(40, 4)), columns=list("abcd"))
        data = altsel.Dataset(table, pd.Series(3 * table["a"] - table["b"] + 0.1, name="y"))
        assert altsel.comparison.Comprehensive(models_of(data))(["a", "b"], ["a", "b", "c", "d"]).p == 1, seed
