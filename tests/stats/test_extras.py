"""Tests of times to an event, those of other packages, and what is said where these are missing."""

from __future__ import annotations

import sys
from functools import partial

import numpy as np
import pandas as pd
import pytest
from statsmodels.duration.hazard_regression import PHReg

import altsel
from altsel.stats.generalised.cox import Cox

pytestmark = pytest.mark.filterwarnings("ignore")  # other packages warn of their own matters


def times(rows: int = 200) -> tuple[altsel.Dataset, np.ndarray]:
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.normal(size=(rows, 3)), columns=["a", "b", "c"])
    table["group"] = random.choice(["x", "y", "z"], rows)
    hazard = np.exp(table["a"] + 0.8 * (table["group"] == "z"))
    end = random.exponential(1 / hazard)
    censored = random.exponential(2.0, rows)
    seen = end <= censored
    return altsel.Dataset(table, pd.Series(np.minimum(end, censored), name="time")), np.asarray(seen)


def test_cox_ratios_equal_those_of_statsmodels_with_ties() -> None:
    data, seen = times()
    time = np.round(data.y, 1)
    tied = altsel.Dataset(data.X, time, "regression")
    answers = altsel.independence.CoxRatio(tied, seen)(["a", "b", "group"], ["c"])
    columns = pd.get_dummies(data.X, drop_first=True, dtype=float)

    def likelihood(*names: str) -> float:
        return float(PHReg(time, columns[list(names)], status=seen, ties="breslow").fit().llf)

    for index, names in enumerate([["a"], ["b"], ["group_y", "group_z"]]):
        ratio = 2 * (likelihood("c", *names) - likelihood("c"))
        assert answers.statistic[index] == pytest.approx(ratio, rel=1e-8)
    assert answers.dof.tolist() == [1, 1, 2]
    assert answers.dependent(0.01).tolist() == [True, False, True]


def test_events_by_name_and_weights_as_rows_that_are_repeated() -> None:
    data, seen = times()
    named = altsel.Dataset(data.X.assign(died=seen.astype(int)), data.y)
    count = np.random.default_rng(1).integers(0, 4, len(seen))
    again = np.repeat(np.arange(len(seen)), count)
    rows = altsel.Dataset(data.X.iloc[again].reset_index(drop=True), data.y.iloc[again].to_numpy())
    known = altsel.independence
    for make in (known.CoxRatio, partial(known.CoxScore, groups=None)):
        by_name = make(named, event="died")
        assert by_name.features == data.features
        np.testing.assert_array_equal(by_name(["a"], ["b"]).log_p, make(data, seen)(["a"], ["b"]).log_p)
    weighted = known.CoxRatio(named, "died", weights=count)(["a", "group"], ["b"])
    repeated = known.CoxRatio(rows, seen[again])(["a", "group"], ["b"])
    np.testing.assert_allclose(weighted.statistic, repeated.statistic, rtol=1e-9)
    groups = np.arange(len(seen)) // 4
    clustered = known.CoxScore(named, "died", weights=count, groups=groups)(["a", "group"], ["b"])
    by_rows = known.CoxScore(rows, seen[again], groups=groups[again])(["a", "group"], ["b"])
    np.testing.assert_allclose(clustered.statistic, by_rows.statistic, rtol=1e-9)


def test_terms_of_rows_are_those_of_lin_and_wei() -> None:
    """By the definition, row by row, at a model whose predictors are not 0."""
    random = np.random.default_rng(0)
    rows = 40
    time, seen = random.integers(1, 12, rows).astype(float), random.random(rows) < 0.6
    x, u = random.normal(size=(2, rows))
    family = Cox(time, seen, np.ones(rows), np.zeros(rows))
    losses = family.evaluate(u[None, None], np.zeros((1, 0)))
    odds, expected = np.exp(u), np.zeros(rows)
    for t in np.unique(time[seen]):
        at_risk, events = time >= t, seen & (time == t)
        mean = np.average(x[at_risk], weights=odds[at_risk])
        expected += events * (x - mean)
        expected -= at_risk * odds * (x - mean) * events.sum() / odds[at_risk].sum()
    np.testing.assert_allclose(family.row_scores(losses, x[None, None])[0, 0], expected, atol=1e-12)


@pytest.mark.slow
def test_clustered_times_keep_the_level_that_independent_rows_would_not() -> None:
    shares = np.zeros(2)
    for seed in range(200):
        random = np.random.default_rng(seed)
        ward = np.repeat(np.arange(60), 4)
        frailty, age = random.normal(size=(2, 60))[:, ward]
        data = altsel.Dataset(
            {"age": age, "dose": random.normal(size=240)}, random.exponential(np.exp(frailty))
        )
        seen = random.random(240) < 0.7
        tests = (
            altsel.independence.CoxScore(data, seen, groups=ward),
            altsel.independence.CoxRatio(data, seen),
        )
        shares += [test(["age"], ["dose"]).p[0] < 0.05 for test in tests]
    assert shares[0] / 200 < 0.1
    assert shares[1] / 200 > 0.15


def test_cox_finds_a_blanket_but_cannot_turn_to_a_feature() -> None:
    data, seen = times()
    test = altsel.independence.CoxRatio(data, seen)
    assert altsel.blankets.iamb(test, 0.01)[0].features == ("a", "group")
    assert set(altsel.blankets.mmpc(test, 0.01)[0]) == {"a", "group"}
    with pytest.raises(altsel.ArgumentError, match="iamb"):
        altsel.blankets.mmmb(test, 0.01)
    with pytest.raises(altsel.DataError, match=r"event of shape \(199,\), but the data have 200 rows"):
        altsel.independence.CoxRatio(data, seen[:-1])
    with pytest.raises(altsel.DataError, match="no event was seen"):
        altsel.independence.CoxRatio(data, np.zeros(200))
    with pytest.raises(altsel.ArgumentError, match="use CoxScore"):
        altsel.independence.CoxRatio(data, seen, groups=np.arange(200) // 2)


def test_the_kernel_test_sees_what_correlation_does_not() -> None:
    pytest.importorskip("causallearn")
    random = np.random.default_rng(0)
    x, z, rest = random.normal(size=(3, 150))
    data = altsel.Dataset({"x": x, "z": z, "rest": rest}, pd.Series(x**2 + 0.2 * z, name="y"))
    test = altsel.independence.kernel(data, rows=120)
    answers = test(["x", "rest"])
    assert answers.dependent(0.01).tolist() == [True, False]
    assert test(["x"], ["z"]).p[0] < 0.01
    assert altsel.independence.PartialCorrelation(data)(["x"]).p[0] > 0.01


def test_what_is_not_installed_is_said_with_the_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "causallearn.utils.KCI.KCI", None)
    with pytest.raises(altsel.ConfigurationError, match=r"pip install \"altsel\["):
        altsel.independence.kernel(times()[0])


def test_a_function_that_gives_no_p_is_named() -> None:
    data, _ = times()
    numbers = altsel.Dataset(data.X[["a", "b"]], data.y)
    with pytest.raises(altsel.DataError, match=r"mine gave p = 3\.0 for 'a'"):
        altsel.independence.Custom(numbers, lambda x, y, given: 3.0, "mine")(["a"])
    answers = altsel.independence.Custom(numbers, lambda x, y, given: (0.25, -7.0), "mine")(["a", "b"])
    assert (answers.p.tolist(), answers.statistic.tolist()) == ([0.25, 0.25], [-7.0, -7.0])


@pytest.mark.parametrize(
    ("target", "columns", "kind"),
    [
        ([0, 1] * 6, {"a": [1, 2, 3] * 4}, altsel.independence.GSquare),
        ([0, 1] * 6, {"a": np.arange(12) / 7}, altsel.independence.LikelihoodRatio),
        (
            np.arange(12) / 7,
            {"a": np.arange(12) ** 1.5, "b": [0, 1] * 6},
            altsel.independence.PartialCorrelation,
        ),
        (np.arange(12) / 7, {"a": ["u", "v", "w"] * 4}, altsel.independence.LikelihoodRatio),
    ],
)
def test_the_usual_test_is_chosen_by_the_kinds_of_columns(
    target: object, columns: object, kind: type
) -> None:
    assert type(altsel.independence.auto(altsel.Dataset(columns, target))) is kind


@pytest.mark.slow
def test_counted_remembers_a_bounded_number_of_answers() -> None:
    data = altsel.Dataset({"a": [0, 1, 1, 0] * 9, "b": [0, 1] * 18, "c": [0, 0, 1] * 12}, [0, 1, 1, 1] * 9)
    test = altsel.independence.Counted(altsel.independence.GSquare(data), remembered=2)
    first = test(["a"], ["b", "c"])
    assert test(["a"], ["c", "b"]).statistic.tolist() == first.statistic.tolist()
    assert (test.account.requested, test.account.tests) == (2, 1)
    test(["a", "b", "c"])
    test(["a"], ["b", "c"])  # forgotten meanwhile
    assert test.account.tests == 5
    assert test.with_target("a")(["y"] if "y" in test.with_target("a").features else [data.target]).p[0] <= 1
    assert test.account.calls == 5
