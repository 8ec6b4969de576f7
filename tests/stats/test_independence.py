"""What every test of independence must do, and that it rejects true nulls as often as it says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import altsel
from tests.oracles.synthetic_tables import classes, numbers

Make = Callable[[altsel.Dataset], altsel.independence.Independence]

DISCRETE: dict[str, Make] = {
    "g-square": altsel.independence.GSquare,
    "g-square, classical": lambda data: altsel.independence.GSquare(data, corrected=False),
    "chi-square": altsel.independence.ChiSquare,
    "g-square, full dof": lambda data: altsel.independence.GSquare(data, corrected=False, adjusted=False),
    "trend": altsel.independence.Trend,
    "multinomial": altsel.independence.LikelihoodRatio,
    "proportional odds": lambda data: altsel.independence.LikelihoodRatio(
        data, family=altsel.independence.ProportionalOdds()
    ),
}
NUMERIC: dict[str, Make] = {
    "exact t": altsel.independence.PartialCorrelation,
    "Fisher z": lambda data: altsel.independence.PartialCorrelation(data, fisher=True),
    "Spearman": lambda data: altsel.independence.PartialCorrelation(data, ranks=True),
    "linear": altsel.independence.LikelihoodRatio,
}
OTHER: dict[str, Make] = {
    "generalised score": lambda data: altsel.independence.RobustScore(data, np.arange(len(data.y)) // 4),
    "permuted by groups": lambda data: altsel.independence.GSquare(
        data, permutations=altsel.independence.Permutations(99), groups=np.arange(len(data.y)) // 4
    ),
    "generalised score, single rows": altsel.independence.RobustScore,
    "generalised covariance": altsel.independence.GeneralisedCovariance,
    "weighted covariance": lambda data: altsel.independence.GeneralisedCovariance(data, weighting="signs"),
    "projected covariance": lambda data: altsel.independence.ProjectedCovariance(data, divisions=1),
    "counted": lambda data: altsel.independence.Counted(altsel.independence.GSquare(data)),
    "predictive, trees": altsel.independence.PredictivePermutation,
    "predictive, linear": lambda data: altsel.independence.PredictivePermutation(data, "linear", splits=4),
    "custom": lambda data: altsel.independence.Custom(
        data, lambda x, y, given, kinds: stats.pearsonr(x, y).pvalue
    ),
}
EVERY = {**DISCRETE, **NUMERIC, **OTHER}


def data_for(name: str) -> altsel.Dataset:
    return numbers() if name in NUMERIC else classes()


@pytest.fixture(params=EVERY, ids=list(EVERY))
def case(request: pytest.FixtureRequest) -> tuple[altsel.Dataset, altsel.independence.Independence]:
    data = data_for(request.param)
    return data, EVERY[request.param](data)


class TestContract:
    def test_is_an_independence_test_bound_to_the_target(self, case: tuple[Any, Any]) -> None:
        data, test = case
        assert isinstance(test, altsel.independence.Independence)
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

    def test_a_name_given_twice_counts_once(self, case: tuple[Any, Any]) -> None:
        _, test = case
        once, twice = test(["a"], ["b", "c"]), test(["a"], ["b", "c", "b"])
        pd.testing.assert_frame_equal(once.to_frame(), twice.to_frame(), rtol=1e-9, atol=1e-12)

    def test_toward_exchanges_the_roles(self, case: tuple[Any, Any]) -> None:
        _, test = case
        other = test.with_target("a")
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
        assert answers.log_p[answers.order()[0]] == answers.log_p.min()

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
            (["a"], None, "lists of names, not None"),
            (None, [], "lists of names, not None"),
            (["a", "c", "a"], ["b"], "candidates named more than once: 'a'"),
        ],
    )
    def test_wrong_names_are_refused(
        self, case: tuple[Any, Any], candidates: Any, given_names: Any, message: str
    ) -> None:
        _, test = case
        with pytest.raises(altsel.ArgumentError, match=message):
            test(candidates, given_names)


@pytest.mark.parametrize(
    "make",
    [
        altsel.independence.GSquare,
        altsel.independence.LikelihoodRatio,
        altsel.independence.PredictivePermutation,
        altsel.independence.GeneralisedCovariance,
        altsel.independence.ProjectedCovariance,
        lambda data: altsel.independence.Custom(data, lambda x, y, given, kinds: 1.0),
    ],
)
@pytest.mark.parametrize("data", [None, np.zeros((5, 3))])
def test_what_is_no_data_set_is_refused(make: Any, data: Any) -> None:
    with pytest.raises(altsel.ArgumentError, match="a test takes a Dataset, not a"):
        make(data)


@pytest.mark.parametrize("alpha", [0, -1, float("nan"), 2])
def test_what_is_no_level_is_refused(alpha: float) -> None:
    answers = altsel.independence.GSquare(classes())(["a"])
    for decide in (answers.dependent, answers.independent):
        with pytest.raises(altsel.ArgumentError, match=f"alpha={alpha}; use a number between 0 and 1"):
            decide(alpha)


@pytest.mark.parametrize("wrap", [altsel.independence.BenjaminiHochberg, altsel.independence.Counted])
def test_what_is_no_test_is_not_wrapped(wrap: Any) -> None:
    with pytest.raises(altsel.ArgumentError, match="a int is no independence test"):
        wrap(5)


@pytest.mark.parametrize(
    "name", ["g-square", "trend", "multinomial", "proportional odds", "exact t", "linear"]
)
@settings(max_examples=5)
@given(seed=st.integers(0, 1000))
def test_results_do_not_depend_on_the_order_of_columns_and_rows(name: str, seed: int) -> None:
    data, random = data_for(name), np.random.default_rng(seed)
    rows, columns = random.permutation(len(data.y)), list(random.permutation(data.features))
    mixed = altsel.Dataset(data.X.iloc[rows][columns], data.y.iloc[rows])
    one, two = EVERY[name](data)(["a", "d"], ["b"]), EVERY[name](mixed)(["a", "d"], ["b"])
    pd.testing.assert_frame_equal(one.to_frame(), two.to_frame(), rtol=1e-8, atol=1e-10)


# -- null rejection rates ------------------------------------------------------------------------

NULLS, ROWS = 600, 400


@pytest.mark.long
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
    tests: list[altsel.independence.Independence] = []
    if target == "counts":
        tests.append(altsel.independence.LikelihoodRatio(data, family=altsel.independence.Poisson()))
    else:
        tests.append(altsel.independence.LikelihoodRatio(data))
        if target == "classes" and kind != "numbers":
            tests += [altsel.independence.GSquare(data), altsel.independence.ChiSquare(data)]
        if target == "number" and kind != "categories":
            tests += [
                altsel.independence.PartialCorrelation(data),
                altsel.independence.PartialCorrelation(data, fisher=True),
            ]
            tests.append(altsel.independence.PartialCorrelation(data, ranks=True))
    for test in tests:
        rate = float((test(names, ["s"]).p <= 0.05).mean())
        assert abs(rate - 0.05) < 4 * np.sqrt(0.05 * 0.95 / NULLS), test.name


@pytest.mark.long
def test_permutation_nulls_are_rejected_at_alpha_on_few_rows() -> None:
    random = np.random.default_rng(12)
    frame = pd.DataFrame(random.integers(0, 4, (40, 1000))).rename(columns=str)
    data = altsel.Dataset(frame, random.integers(0, 3, 40))
    answers = altsel.independence.GSquare(data, permutations=altsel.independence.Permutations(199))(
        list(data.features)
    )
    assert abs(float((answers.p <= 0.05).mean()) - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 1000)
