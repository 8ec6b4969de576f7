"""Frequency weights: integers are the same as repeated rows, in every test that takes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import altsel
from altsel.independence import (
    ChiSquare,
    GSquare,
    LikelihoodRatio,
    NegativeBinomial,
    PartialCorrelation,
    Permutations,
    Poisson,
    ProportionalOdds,
    RobustScore,
    Trend,
    auto,
)

ROWS = 150
RANDOM = np.random.default_rng(7)
TIMES = RANDOM.integers(0, 4, ROWS)
DISCRETE = ["i", "j", "b"]
MIXED = ["x", "z", "i", "c", "o"]


def frame() -> pd.DataFrame:
    random = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "x": random.normal(size=ROWS),
            "z": random.normal(size=ROWS).round(1),
            "i": random.integers(0, 4, ROWS),
            "j": random.integers(0, 3, ROWS),
            "b": random.integers(0, 2, ROWS),
            "c": random.choice(list("uvw"), ROWS),
            "o": pd.cut(random.normal(size=ROWS), 4, labels=list("pqrs")),
        }
    )
    latent = 0.5 * table["x"] + 0.4 * table["i"] + (table["c"] == "u") + random.normal(size=ROWS)
    levels = np.digitize(latent, [0.3, 1.2, 2.2])
    table["classes"] = np.where(levels == 0, 2, np.where(levels == 2, 0, levels))
    table["levels"] = pd.Categorical.from_codes(levels, pd.Index(list("abcd")), ordered=True)
    counts = random.negative_binomial(2, 2 / (2 + np.exp(1 + 0.5 * latent)))
    return table.assign(two=(latent > 1).astype(int), number=latent, counts=counts)


def of_groups(data: altsel.Dataset, weights: Any = None) -> RobustScore:
    groups = np.arange(ROWS) % 30
    return RobustScore(data, groups if weights is not None else np.repeat(groups, TIMES), weights=weights)


TESTS: dict[str, tuple[Callable[..., Any], str, list[str]]] = {
    "g-square": (GSquare, "classes", DISCRETE),
    "g-square, classical": (lambda data, **w: GSquare(data, corrected=False, **w), "classes", DISCRETE),
    "g-square, full dof": (
        lambda data, **w: GSquare(data, corrected=False, adjusted=False, **w),
        "classes",
        DISCRETE,
    ),
    "g-square, expected counts": (
        lambda data, **w: GSquare(data, expected_counts=True, **w),
        "classes",
        DISCRETE,
    ),
    "g-square, permuted": (
        lambda data, **w: GSquare(data, permutations=Permutations(50), **w),
        "classes",
        DISCRETE,
    ),
    "chi-square": (ChiSquare, "two", DISCRETE),
    "chi-square, few rows": (
        lambda data, **w: ChiSquare(data, untestable="permuted", fallback=Permutations(200), **w),
        "classes",
        DISCRETE,
    ),
    "trend": (Trend, "levels", [*DISCRETE, "o"]),
    "exact t": (PartialCorrelation, "number", ["x", "z", "i", "b"]),
    "Fisher z": (lambda data, **w: PartialCorrelation(data, fisher=True, **w), "number", ["x", "z", "i"]),
    "Spearman": (lambda data, **w: PartialCorrelation(data, ranks=True, **w), "number", ["x", "z", "i"]),
    "linear": (LikelihoodRatio, "number", MIXED),
    "logistic": (LikelihoodRatio, "two", MIXED),
    "multinomial": (LikelihoodRatio, "classes", MIXED),
    "proportional odds": (LikelihoodRatio, "levels", MIXED),
    "Poisson": (lambda data, **w: LikelihoodRatio(data, family=Poisson(), **w), "counts", MIXED),
    "negative binomial": (
        lambda data, **w: LikelihoodRatio(data, family=NegativeBinomial(), **w),
        "counts",
        MIXED,
    ),
    "groups, logistic": (of_groups, "two", MIXED),
    "groups, proportional odds": (of_groups, "levels", MIXED),
    "groups, linear": (of_groups, "number", MIXED),
    "auto, classes": (auto, "classes", DISCRETE),
    "auto, counts": (auto, "counts", MIXED),
    "auto, number": (auto, "number", ["x", "z"]),
}


def data_of(target: str, names: list[str], rows: Any = None) -> altsel.Dataset:
    table = frame()[[*names, target]]
    table = table if rows is None else table.iloc[rows].reset_index(drop=True)
    kinds = {"counts": "count"} if target == "counts" else {}
    return altsel.Dataset(table, target, "regression" if target == "number" else None, kinds=kinds)


@pytest.mark.parametrize("name", TESTS)
@pytest.mark.filterwarnings("ignore:.*rows are copies of others:altsel.DataWarning")
def test_integer_weights_are_repeated_rows(name: str) -> None:
    make, target, names = TESTS[name]
    weighted = make(data_of(target, names), weights=TIMES)
    repeated = make(data_of(target, names, np.repeat(np.arange(ROWS), TIMES)))
    for candidates, given in ((names, []), (names[1:], names[:1]), (names[:1], names[1:3])):
        one, two = weighted(candidates, given).to_frame(), repeated(candidates, given).to_frame()
        pd.testing.assert_frame_equal(one, two, rtol=1e-6, atol=1e-7)
    assert weighted.name == repeated.name
    one, two = (test.with_target(names[0])([target], names[1:2]).to_frame() for test in (weighted, repeated))
    pd.testing.assert_frame_equal(one, two, rtol=1e-6, atol=1e-7)
    for method in ("leave_one_out", "best_first"):
        if hasattr(weighted, method):
            one, two = (getattr(test, method)(names).to_frame() for test in (weighted, repeated))
            pd.testing.assert_frame_equal(one, two, rtol=1e-5, atol=1e-6)


def test_the_rule_for_few_rows_counts_weights() -> None:
    data = altsel.Dataset({"x": [0, 1] * 8}, [0, 1, 1, 0] * 4)
    twice, halves = np.full(16, 2), np.full(16, 1.5)
    assert not GSquare(data, corrected=False)(["x"]).tested[0]
    assert GSquare(data, corrected=False, weights=twice)(["x"]).tested[0]
    assert LikelihoodRatio(data, weights=twice)(["x"]).tested[0]
    assert [GSquare(data, weights=each)(["x"]).tested[0] for each in (halves, 0.75 * halves)] == [True, False]
    assert [GSquare(data, weights=each).suffices("x", []) for each in (None, twice)] == [False, True]


@pytest.mark.parametrize("name", ["g-square", "trend", "logistic", "linear", "exact t"])
def test_the_sum_of_fractions_is_the_number_of_rows(name: str) -> None:
    make, target, names = TESTS[name]
    data = data_of(target, names)
    options = {"bartlett": False} if name == "logistic" else {}
    halves, ones = make(data, weights=np.full(ROWS, 0.5), **options), make(data, **options)
    if name not in {"exact t", "linear"}:
        share = (ROWS / 2 - 1) / (ROWS - 1) if name == "trend" else 0.5
        assert halves(names).statistic == pytest.approx(share * ones(names).statistic, rel=1e-5, abs=1e-7)
    assert halves(names).effect == pytest.approx(ones(names).effect, rel=1e-5, abs=1e-7)


def test_a_column_of_weights_is_no_feature_and_rows_of_weight_0_do_not_count() -> None:
    table = frame()[["x", "z", "two"]].assign(n=TIMES)
    test = LikelihoodRatio(altsel.Dataset(table, "two"), weights="n")
    assert test.features == ("x", "z")
    assert len(test.data.y) == (TIMES > 0).sum()
    given = LikelihoodRatio(altsel.Dataset(table.drop(columns="n"), "two"), weights=TIMES)
    assert test(["x", "z"]).log_p.tolist() == given(["x", "z"]).log_p.tolist()
    criterion = altsel.comparison.recommended_criterion(test)
    assert criterion.name.startswith("equivalent by information equivalence")


@pytest.mark.parametrize(
    ("weights", "error", "message"),
    [
        ("n", altsel.ArgumentError, "weights='n' names no column"),
        ([1.0] * 3, altsel.DataError, r"weights of shape \(3,\), but the data have 150 rows"),
        ([-1.0] + [1.0] * (ROWS - 1), altsel.DataError, "row 0 .from 0. has -1; rows with such weights: 1"),
        ([1.0, np.nan] + [1.0] * (ROWS - 2), altsel.DataError, "row 1 .from 0. has nan"),
        ([np.inf] * ROWS, altsel.DataError, "finite numbers of at least 0"),
        (["2"] * ROWS, altsel.DataError, r"weights must be numbers; weights hold text .*'2'"),
        (np.full(ROWS, 1j), altsel.DataError, "not complex ones"),
        ([1e300] * ROWS, altsel.DataError, r"sum to 1e\+15 at most; these sum to"),
        ([1e14] + [1.0] * (ROWS - 1), altsel.DataError, r"from 1 to 1e\+14 are too different for this test"),
        ([0.0] * ROWS, altsel.DataError, "all weights are zero"),
        (pd.Series(np.ones(ROWS), index=range(1, ROWS + 1)), altsel.DataError, "weights have an index"),
    ],
)
def test_weights_that_do_not_fit_are_refused(weights: Any, error: type[Exception], message: str) -> None:
    for test in (GSquare, LikelihoodRatio, Trend, auto):
        with pytest.raises(error, match=message):
            test(data_of("two", DISCRETE), weights=weights)


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_a_constant_column_and_text_are_refused() -> None:
    data = altsel.Dataset(frame()[["i", "b", "two"]].assign(n=2), "two")
    with pytest.raises(altsel.DataError, match="weights='n' has the same value in all rows"):
        GSquare(data, weights="n")
    with pytest.raises(altsel.DataError, match="weights='c' hold text or categories"):
        Trend(altsel.Dataset(frame()[["i", "b", "c", "two"]], "two"), weights="c")


def test_large_weights_that_are_taken_give_the_same_effect() -> None:
    data, parts = data_of("two", DISCRETE), TIMES + 1.0
    for test in (ChiSquare, Trend):
        large = test(data, weights=parts * 1e12)(DISCRETE)
        assert large.tested.all()
        assert large.effect == pytest.approx(test(data, weights=parts)(DISCRETE).effect, rel=1e-9)
    assert LikelihoodRatio(data_of("counts", DISCRETE), weights=parts * 1e12).name.endswith("regression)")
    heavy = np.where(np.arange(ROWS) == 0, 1e7, 1.0)
    with pytest.raises(altsel.DataError, match=r"the largest may be 1e\+06 times the smallest"):
        LikelihoodRatio(data, weights=heavy)


@pytest.mark.parametrize("large", [False, True])
def test_sums_that_are_no_counts_have_the_classical_test_only(large: bool) -> None:
    data = data_of("classes", DISCRETE)
    weights = TIMES * 2.0**24 if large else TIMES + 0.5
    test = GSquare(data, weights=weights)
    assert (test.corrected, ChiSquare(data, weights=weights).expected_counts) == (False, False)
    answers = test(DISCRETE)
    assert answers.p == pytest.approx(stats.chi2.sf(answers.statistic, answers.dof), rel=1e-9, abs=1e-300)
    for options in (
        {"corrected": True},
        {"expected_counts": True},
        {"permutations": Permutations(9)},
        {"untestable": "permuted"},
    ):
        with pytest.raises(altsel.ArgumentError, match=f"{next(iter(options))}=.* needs tables of counts"):
            GSquare(data, weights=weights, **options)


def test_weighted_groups_are_not_permuted() -> None:
    with pytest.raises(altsel.ArgumentError, match="weighted rows cannot be permuted; repeat them"):
        GSquare(
            data_of("two", DISCRETE), weights=TIMES, groups=np.arange(ROWS) % 9, permutations=Permutations(9)
        )


def test_one_weight_for_all_is_no_weight() -> None:
    data = data_of("two", MIXED)
    assert LikelihoodRatio(data, weights=np.ones(ROWS)).counts is None
    assert LikelihoodRatio(data, family=ProportionalOdds(), weights=TIMES)(["x"]).p[0] < 0.05
