"""Tests of independence that other packages carry out, and what is said where those are not installed."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest

import altsel

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


def test_cox_ratios_equal_those_of_lifelines_models() -> None:
    lifelines = pytest.importorskip("lifelines")
    data, seen = times()
    answers = altsel.independence.CoxRatio(data, seen)(["a", "b", "group"], ["c"])
    table = data.X[["a", "b", "c"]].assign(time=data.y, seen=seen)
    small, large = (
        lifelines.CoxPHFitter().fit(table[[*names, "time", "seen"]], "time", "seen").log_likelihood_
        for names in (["c"], ["c", "a"])
    )
    assert answers.statistic[0] == pytest.approx(2 * (large - small), rel=1e-6)
    assert answers.dof.tolist() == [1, 1, 2]
    assert answers.dependent(0.01).tolist() == [True, False, True]


def test_cox_finds_a_blanket_but_cannot_turn_to_a_feature() -> None:
    pytest.importorskip("lifelines")
    data, seen = times()
    test = altsel.independence.CoxRatio(data, seen)
    assert altsel.blankets.iamb(test, 0.01)[0].features == ("a", "group")
    assert set(altsel.blankets.mmpc(test, 0.01)[0]) == {"a", "group"}
    with pytest.raises(altsel.ArgumentError, match="iamb"):
        altsel.blankets.mmmb(test, 0.01)
    with pytest.raises(altsel.DataError, match="200 values"):
        altsel.independence.CoxRatio(data, seen[:-1])


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


@pytest.mark.parametrize("package", ["lifelines", "causallearn.utils.KCI.KCI"])
def test_what_is_not_installed_is_said_with_the_mend(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    data, seen = times()
    make = (
        (lambda: altsel.independence.CoxRatio(data, seen))
        if package == "lifelines"
        else lambda: altsel.independence.kernel(data)
    )
    with pytest.raises(altsel.ConfigurationError, match=r"pip install \"altsel\["):
        make()


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
