"""What every test of independence must do, and the values of those of contingency tables and correlations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import altsel
from altsel.stats import counting
from altsel.stats.independence import tables

Make = Callable[[altsel.Dataset], altsel.Independence]

DISCRETE: dict[str, Make] = {
    "g-square": altsel.GSquare,
    "chi-square": altsel.ChiSquare,
    "g-square, full dof": lambda data: altsel.GSquare(data, adjusted=False),
    "multinomial": altsel.LikelihoodRatio,
}
NUMERIC: dict[str, Make] = {
    "exact t": altsel.PartialCorrelation,
    "Fisher z": lambda data: altsel.PartialCorrelation(data, fisher=True),
    "Spearman": lambda data: altsel.PartialCorrelation(data, ranks=True),
    "linear": altsel.LikelihoodRatio,
}
OTHER: dict[str, Make] = {
    "counted": lambda data: altsel.Counted(altsel.GSquare(data)),
    "custom": lambda data: altsel.Custom(data, lambda x, y, given: stats.pearsonr(x, y).pvalue),
}
EVERY = {**DISCRETE, **NUMERIC, **OTHER}


def classes(seed: int = 0, rows: int = 400) -> altsel.Dataset:
    random = np.random.default_rng(seed)
    y = random.integers(0, 3, rows)
    table = {
        "a": (y + random.integers(0, 2, rows)) % 3,
        "b": random.integers(0, 2, rows),
        "c": random.integers(0, 4, rows),
        "d": np.where(random.random(rows) < 0.7, y > 0, random.random(rows) < 0.5).astype(int),
    }
    return altsel.Dataset(table, pd.Series(y, name="y"))


def numbers(seed: int = 0, rows: int = 200) -> altsel.Dataset:
    random = np.random.default_rng(seed)
    base = random.normal(size=(rows, 4))
    base[:, 2] += base[:, 0]
    table = pd.DataFrame(base, columns=list("abcd"))
    return altsel.Dataset(
        table, pd.Series(base[:, 0] + 0.3 * base[:, 3] + random.normal(size=rows), name="y")
    )


def data_for(name: str) -> altsel.Dataset:
    return numbers() if name in NUMERIC else classes()


@pytest.fixture(params=EVERY, ids=list(EVERY))
def case(request: pytest.FixtureRequest) -> tuple[altsel.Dataset, altsel.Independence]:
    data = data_for(request.param)
    return data, EVERY[request.param](data)


class TestContract:
    def test_is_an_independence_test_bound_to_the_target(self, case: tuple[Any, Any]) -> None:
        data, test = case
        assert isinstance(test, altsel.Independence)
        assert (test.features, test.target) == (data.features, "y")
        assert test.name

    def test_all_at_once_equals_one_by_one(self, case: tuple[Any, Any]) -> None:
        _, test = case
        together = test(["a", "c", "d"], ["b"])
        alone = pd.concat([test([name], ["b"]).to_frame() for name in ("a", "c", "d")])
        pd.testing.assert_frame_equal(together.to_frame(), alone, rtol=1e-9)

    def test_the_order_of_what_is_given_does_not_matter(self, case: tuple[Any, Any]) -> None:
        _, test = case
        pd.testing.assert_frame_equal(
            test(["a"], ["b", "c"]).to_frame(), test(["a"], ["c", "b"]).to_frame(), rtol=1e-8, atol=1e-10
        )

    def test_toward_exchanges_the_roles(self, case: tuple[Any, Any]) -> None:
        _, test = case
        other = test.toward("a")
        assert other.target == "a"
        assert set(other.features) == {"b", "c", "d", "y"}
        swapped = other(["y"], ["b"]).p[0]
        assert (swapped < 0.05) == (test(["a"], ["b"]).p[0] < 0.05)
        assert test.target == "y"

    def test_values_are_finite_and_p_is_a_probability(self, case: tuple[Any, Any]) -> None:
        _, test = case
        answers = test(["a", "b", "c", "d"])
        for part in (answers.log_p, answers.statistic, answers.dof, answers.effect):
            assert np.isfinite(part).all()
        assert (answers.log_p <= 0).all()
        assert answers.order()[0] == int(np.argmin(answers.log_p))

    def test_no_candidates_give_no_answers(self, case: tuple[Any, Any]) -> None:
        _, test = case
        assert len(test([], ["a"]).p) == 0

    @pytest.mark.parametrize(
        ("candidates", "given_names", "message"),
        [
            (["a", "none"], [], "no feature 'none'"),
            (["y"], [], "'y' is the target"),
            (["a"], ["y"], "'y' is the target"),
            (["a"], ["a"], "given already: 'a'"),
            ("a", [], "lists of names"),
        ],
    )
    def test_wrong_names_are_refused(
        self, case: tuple[Any, Any], candidates: Any, given_names: Any, message: str
    ) -> None:
        _, test = case
        with pytest.raises(altsel.ArgumentError, match=message):
            test(candidates, given_names)


@pytest.mark.parametrize("name", ["g-square", "multinomial", "exact t", "linear"])
@given(seed=st.integers(0, 1000))
def test_results_do_not_depend_on_the_order_of_columns_and_rows(name: str, seed: int) -> None:
    data, random = data_for(name), np.random.default_rng(seed)
    rows, columns = random.permutation(len(data.y)), list(random.permutation(data.features))
    mixed = altsel.Dataset(data.X.iloc[rows][columns], data.y.iloc[rows])
    one, two = EVERY[name](data)(["a", "d"], ["b"]), EVERY[name](mixed)(["a", "d"], ["b"])
    pd.testing.assert_frame_equal(one.to_frame(), two.to_frame(), rtol=1e-8, atol=1e-10)


# -- contingency tables --------------------------------------------------------------------------


def test_g_square_and_chi_square_equal_a_table_computed_by_hand() -> None:
    # x:     0   1          G2 = 2 (30 ln 1.5 + 10 ln 0.5 + 10 ln 0.5 + 30 ln 1.5), X2 = 4 * 100 / 20
    # y = 0  30  10
    # y = 1  10  30
    x = [0] * 30 + [1] * 10 + [0] * 10 + [1] * 30
    data = altsel.Dataset({"x": x}, [0] * 40 + [1] * 40)
    g, chi = altsel.GSquare(data)(["x"]), altsel.ChiSquare(data)(["x"])
    assert g.statistic[0] == pytest.approx(2 * (60 * np.log(1.5) + 20 * np.log(0.5)), rel=1e-12)
    assert chi.statistic[0] == pytest.approx(20, rel=1e-12)
    assert g.dof[0] == chi.dof[0] == 1
    assert g.effect[0] == pytest.approx(g.statistic[0] / 160)


@pytest.mark.parametrize("given_names", [[], ["b"], ["b", "c"], ["b", "c", "d"]])
@pytest.mark.parametrize(
    ("make", "scheme"), [(altsel.GSquare, "log-likelihood"), (altsel.ChiSquare, "pearson")]
)
def test_statistics_equal_scipy_summed_over_the_strata(
    make: Any, scheme: str, given_names: list[str]
) -> None:
    data = classes()
    answers = make(data, samples_per_cell=0)(["a"], given_names)
    statistic, dof = 0.0, 0
    frame = data.X.assign(y=data.y)
    for _, part in frame.groupby(given_names) if given_names else [((), frame)]:
        table = pd.crosstab(part["a"], part["y"]).to_numpy()
        if min(table.shape) > 1:
            found = stats.chi2_contingency(table, correction=False, lambda_=scheme)  # type: ignore[call-overload]
            statistic, dof = statistic + found.statistic, dof + found.dof
    assert answers.statistic[0] == pytest.approx(statistic, rel=1e-10)
    assert answers.dof[0] == dof
    assert answers.p[0] == pytest.approx(stats.chi2.sf(statistic, dof), rel=1e-9)


def test_full_degrees_of_freedom_count_every_cell() -> None:
    answers = altsel.GSquare(classes(), adjusted=False, samples_per_cell=0)(["a"], ["b", "c"])
    assert answers.dof[0] == (3 - 1) * (3 - 1) * 2 * 4


def test_two_by_two_strata_have_no_yates_correction() -> None:
    random = np.random.default_rng(5)
    data = altsel.Dataset(
        {"x": random.integers(0, 2, 60), "s": random.integers(0, 2, 60)}, random.integers(0, 2, 60)
    )
    plain = altsel.GSquare(data)(["x"], ["s"])
    assert plain.p[0] == pytest.approx(stats.chi2.sf(plain.statistic[0], 2), rel=1e-9)


def test_an_empty_stratum_does_not_make_p_nan() -> None:
    x, s, y = [0, 1] * 30, [0] * 30 + [2] * 30, [0, 1, 1] * 20
    data = altsel.Dataset({"x": x, "s": s}, y)
    data_with_level = altsel.Dataset(
        {"x": x, "s": pd.Categorical.from_codes(s, categories=pd.Index(list("abc")))}, y
    )
    assert altsel.GSquare(data)(["x"], ["s"]).p == pytest.approx(
        altsel.GSquare(data_with_level)(["x"], ["s"]).p
    )


def test_p_that_underflows_still_ranks() -> None:
    random = np.random.default_rng(0)
    y = random.integers(0, 3, 5000)
    table = {
        "copy": y,
        "near": np.where(random.random(5000) < 0.9, y, 0),
        "other": random.integers(0, 2, 5000),
    }
    data = altsel.Dataset(table, y)
    answers = altsel.GSquare(data)(["other", "near", "copy"])
    assert answers.p[1] == answers.p[2] == 0.0
    assert answers.order().tolist() == [2, 1, 0]


def test_equal_columns_tie_in_their_order_whatever_the_rounding() -> None:
    random = np.random.default_rng(1)
    y, x = random.integers(0, 3, 700), random.integers(0, 4, 700)
    with pytest.warns(altsel.DataWarning, match="copies"):
        data = altsel.Dataset({"one": x, "renamed": (x + 1) % 4, "two": x}, y)
    answers = altsel.GSquare(data)(["renamed", "two", "one"])
    assert answers.order().tolist() == [0, 1, 2]


class TestTooFewRows:
    def data(self) -> altsel.Dataset:
        random = np.random.default_rng(2)
        y = random.integers(0, 3, 50)
        return altsel.Dataset(
            {"wide": (y * 2 + random.integers(0, 2, 50)) % 6, "b": random.integers(0, 2, 50)}, y
        )

    def test_skipped_says_that_nothing_was_tested(self) -> None:
        answers = altsel.GSquare(self.data())(["wide", "b"])
        assert answers.tested.tolist() == [False, True]
        assert not answers.dependent(0.05)[0]
        assert not answers.independent(0.05)[0]

    def test_other_choices_decide(self) -> None:
        found = {
            choice: altsel.GSquare(self.data(), untestable=choice)(["wide"])
            for choice in ("independent", "dependent", "permuted")
        }
        assert all(answers.tested.all() for answers in found.values())
        assert found["independent"].p[0] == 1
        assert found["dependent"].dependent(1e-9)[0]
        assert found["permuted"].p[0] == pytest.approx(0.001)  # a real dependence, 999 permutations

    def test_no_minimum_tests_always(self) -> None:
        assert altsel.GSquare(self.data(), samples_per_cell=0)(["wide"]).tested.all()

    def test_the_rule_counts_cells_of_the_full_table(self) -> None:
        test = altsel.GSquare(self.data(), samples_per_cell=50 / (3 * 2))
        assert test(["b"]).tested.all()
        assert not altsel.GSquare(self.data(), samples_per_cell=50 / (3 * 2) + 0.01)(["b"]).tested.any()


def test_permutations_agree_with_the_asymptotic_p_and_repeat() -> None:
    data = classes(3)
    settings = altsel.Permutations(500, random_state=7)
    permuted = altsel.GSquare(data, permutations=settings)
    one, two = permuted(["b", "c"], ["d"]), permuted(["c", "b"], ["d"])
    assert one.log_p.tolist() == two.log_p[::-1].tolist()
    assert one.p == pytest.approx(altsel.GSquare(data)(["b", "c"], ["d"]).p, abs=4 * np.sqrt(0.25 / 500))


def test_permutations_stay_within_the_strata() -> None:
    s = np.repeat([0, 1], 40)
    data = altsel.Dataset({"x": s.copy() ^ ([0] * 79 + [1]), "s": s}, s ^ ([1] + [0] * 79))
    answers = altsel.GSquare(data, permutations=altsel.Permutations(200))(["x"], ["s"])
    assert answers.p[0] > 0.5  # x and y agree only through s


def test_numbers_are_refused_by_name() -> None:
    with pytest.raises(altsel.DataError, match="'a', 'b', 'c', 'd', 'y'"):
        altsel.GSquare(numbers())
    with pytest.raises(altsel.ArgumentError, match="untestable='maybe'"):
        altsel.GSquare(classes(), untestable="maybe")


def test_both_kernels_count_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    data = classes()
    fast = altsel.GSquare(data, samples_per_cell=0)(["a", "d"], ["b", "c"])
    for module in (counting, tables):
        monkeypatch.setattr(module, "compiled", lambda: None)
    plain = altsel.GSquare(data, samples_per_cell=0)(["a", "d"], ["b", "c"])
    assert fast.statistic == pytest.approx(plain.statistic, rel=1e-10)
    assert fast.dof.tolist() == plain.dof.tolist()


# -- partial correlation -------------------------------------------------------------------------


@pytest.mark.parametrize("given_names", [[], ["b"], ["c", "b", "d"]])
def test_partial_correlation_equals_the_t_of_a_regression(given_names: list[str]) -> None:
    data = numbers()
    answers = altsel.PartialCorrelation(data)(["a"], given_names)
    model = sm.OLS(data.y.to_numpy(), sm.add_constant(data.X[["a", *given_names]])).fit()
    assert answers.statistic[0] == pytest.approx(model.tvalues["a"], rel=1e-10)
    assert answers.p[0] == pytest.approx(model.pvalues["a"], rel=1e-10)
    t, dof = model.tvalues["a"], model.df_resid
    assert answers.effect[0] == pytest.approx(t / np.sqrt(t**2 + dof), rel=1e-10)


def test_spearman_and_fisher_equal_scipy() -> None:
    data = numbers()
    ranks = altsel.PartialCorrelation(data, ranks=True)(["a"])
    expected = stats.spearmanr(data.X["a"], data.y)
    assert ranks.effect[0] == pytest.approx(expected.statistic, rel=1e-10)
    assert ranks.p[0] == pytest.approx(expected.pvalue, rel=1e-8)
    fisher = altsel.PartialCorrelation(data, fisher=True)(["a"])
    r = stats.pearsonr(data.X["a"], data.y).statistic
    assert fisher.statistic[0] == pytest.approx(np.arctanh(r) * np.sqrt(200 - 3), rel=1e-10)


def test_a_positive_and_a_negative_cause_are_equally_dependent() -> None:
    data = numbers()
    negated = altsel.Dataset(data.X.assign(a=-data.X["a"]), data.y)
    assert (
        altsel.PartialCorrelation(data)(["a"]).p[0] == altsel.PartialCorrelation(negated)(["a"]).p[0] < 1e-6
    )


def test_going_back_and_forth_between_sets_changes_nothing() -> None:
    test, fresh = altsel.PartialCorrelation(numbers()), altsel.PartialCorrelation(numbers())
    for names in (["b", "c"], ["b"], ["b", "d", "c"], [], ["c"]):
        test(["a"], names)
    again = test(["a"], ["b", "c"])
    assert again.statistic[0] == pytest.approx(fresh(["a"], ["b", "c"]).statistic[0], rel=1e-12)


def test_what_the_given_determine_is_independent_and_counts_for_nothing() -> None:
    data = numbers()
    table = data.X.assign(sum=data.X["b"] + data.X["c"], twin=2 * data.X["b"] + 1)
    test = altsel.PartialCorrelation(altsel.Dataset(table, data.y))
    determined = test(["sum", "a"], ["b", "c"])
    assert (determined.p[0], determined.statistic[0]) == (1.0, 0.0)
    twice = test(["a"], ["b", "twin", "c"])
    assert twice.statistic[0] == pytest.approx(determined.statistic[1], rel=1e-9)
    assert twice.dof[0] == determined.dof[1]
    of_target = altsel.PartialCorrelation(altsel.Dataset(table.assign(copy=data.y * 3), data.y))
    assert of_target(["a"], ["copy"]).p[0] == 1.0


def test_more_given_than_rows_is_not_tested() -> None:
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.normal(size=(6, 8)), columns=[f"x{j}" for j in range(8)])
    answers = altsel.PartialCorrelation(altsel.Dataset(table, random.normal(size=6)))(
        ["x0"], ["x1", "x2", "x3", "x4", "x5"]
    )
    assert not answers.tested.any()


def test_categories_are_refused_by_name() -> None:
    data = altsel.Dataset({"colour": ["r", "g", "b"] * 4, "n": np.arange(12.0)}, np.arange(12.0) ** 2)
    with pytest.raises(altsel.DataError, match="'colour'"):
        altsel.PartialCorrelation(data)


# -- null rejection rates ------------------------------------------------------------------------

NULLS, ROWS = 2000, 400


@pytest.mark.parametrize("kind", ["binary", "categories", "numbers"])
@pytest.mark.parametrize("target", ["classes", "number", "counts"])
def test_true_nulls_are_rejected_at_alpha(kind: str, target: str) -> None:
    random = np.random.default_rng(11)
    s = random.integers(0, 2, ROWS)
    shift = 0.8 * s[:, None]
    noise = random.normal(size=(ROWS, NULLS)) + shift
    columns = noise if kind == "numbers" else np.digitize(noise, [0.4] if kind == "binary" else [-0.2, 0.9])
    latent = random.normal(size=ROWS) + 0.8 * s
    y = {"classes": np.digitize(latent, [0.0, 1.0]), "number": latent, "counts": random.poisson(2 + s)}[
        target
    ]
    kinds = dict.fromkeys(range(NULLS), "categorical") if kind == "categories" else {}
    frame = pd.DataFrame(columns).rename(columns=str).assign(s=s)
    task = "multiclass" if target == "classes" else "regression"
    data = altsel.Dataset(frame, pd.Series(y, name="y"), task, kinds={str(j): k for j, k in kinds.items()})
    names = [str(j) for j in range(NULLS)]
    tests: list[altsel.Independence] = []
    if target == "counts":
        tests.append(altsel.LikelihoodRatio(data, family=altsel.Poisson()))
    else:
        tests.append(altsel.LikelihoodRatio(data))
        if target == "classes" and kind != "numbers":
            tests += [altsel.GSquare(data), altsel.ChiSquare(data)]
        if target == "number" and kind != "categories":
            tests += [altsel.PartialCorrelation(data), altsel.PartialCorrelation(data, fisher=True)]
            tests.append(altsel.PartialCorrelation(data, ranks=True))
    for test in tests:
        rate = float((test(names, ["s"]).p <= 0.05).mean())
        assert abs(rate - 0.05) < 4 * np.sqrt(0.05 * 0.95 / NULLS), test.name


def test_permutation_nulls_are_rejected_at_alpha_on_few_rows() -> None:
    random = np.random.default_rng(12)
    frame = pd.DataFrame(random.integers(0, 4, (40, 1000))).rename(columns=str)
    data = altsel.Dataset(frame, random.integers(0, 3, 40))
    answers = altsel.GSquare(data, permutations=altsel.Permutations(199))(list(data.features))
    assert abs(float((answers.p <= 0.05).mean()) - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 1000)
