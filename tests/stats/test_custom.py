"""Tests of one's own: what the function is called with, by arrays, by a table, one candidate or all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import altsel
from altsel.data import Kind
from altsel.independence import Custom, PartialCorrelation


def clinic() -> altsel.Dataset:
    random = np.random.default_rng(0)
    site = np.array(["north", "south", "west"])[random.integers(0, 3, 300)]
    dose, age = random.normal(size=(2, 300))
    effect = dose + (site == "south") + random.normal(size=300)
    return altsel.Dataset({"dose": dose, "site": site, "age": age}, effect)


def numbers() -> altsel.Dataset:
    data = clinic()
    return altsel.Dataset(data.X[["dose", "age"]], data.y)


def test_names_and_kinds_are_those_of_what_is_asked() -> None:
    seen: list[Any] = []

    def look(x: Any, y: Any, given: Any, *, names: Any, kinds: Any) -> float:
        seen.append((names, kinds[names.candidates[0]], given.shape))
        return 0.5

    test = Custom(clinic(), look)
    test(["dose", "site"], ["age"])
    assert [(names.candidates, names.target, names.given) for names, _, _ in seen] == [
        (("dose",), "y", ("age",)),
        (("site",), "y", ("age",)),
    ]
    assert [kind for _, kind, _ in seen] == [Kind.CONTINUOUS, Kind.CATEGORICAL]
    assert seen[0][2] == (300, 1)
    seen.clear()
    test.with_target("dose")(["y"])
    assert (seen[0][0].candidates, seen[0][0].target) == (("y",), "dose")


def test_a_table_has_the_columns_as_they_are() -> None:
    def by_groups(table: pd.DataFrame) -> float:
        candidate, target, *given = table.columns
        assert given == (["dose"] if candidate == "site" else [])
        if isinstance(table[candidate].dtype, pd.CategoricalDtype):
            groups = [part[target] for _, part in table.groupby(candidate, observed=True)]
            return float(stats.f_oneway(*groups).pvalue)
        return float(stats.pearsonr(table[candidate], table[target]).pvalue)

    data = clinic()
    test = Custom(data, by_groups, table=True)
    sites = [data.y[data.X["site"] == site] for site in ("north", "south", "west")]
    assert test(["site"], ["dose"]).p[0] == pytest.approx(stats.f_oneway(*sites).pvalue)
    assert test(["dose"]).p[0] == pytest.approx(stats.pearsonr(data.X["dose"], data.y).pvalue)
    assert test.with_target("dose")(["y"]).p[0] == pytest.approx(test(["dose"]).p[0])


def test_a_target_of_classes_is_a_category_in_a_table_too() -> None:
    data = clinic()
    classes = altsel.Dataset(data.X[["dose", "age"]], data.X["site"])
    seen: list[Any] = []

    def look(table: pd.DataFrame) -> float:
        seen.append(table.dtypes.tolist())
        return 0.5

    Custom(classes, look, table=True)(["dose"])
    assert [isinstance(one, pd.CategoricalDtype) for one in seen[0]] == [False, True]


def test_a_batch_gives_what_a_test_of_the_package_gives() -> None:
    def partial(X: Any, y: Any, given: Any) -> tuple[Any, Any]:
        basis = np.column_stack([np.ones(len(y)), given])
        a, b = (v - basis @ np.linalg.lstsq(basis, v, rcond=None)[0] for v in (X, y))
        r = b @ a / np.linalg.norm(a, axis=0) / np.linalg.norm(b)
        t = r * np.sqrt((len(y) - given.shape[1] - 2) / (1 - r**2))
        return 2 * stats.t.sf(abs(t), len(y) - given.shape[1] - 2), t

    data = numbers()
    own, theirs = Custom(data, partial, batch=True), PartialCorrelation(data)
    for candidates, given in ((["dose", "age"], []), (["dose"], ["age"])):
        assert own(candidates, given).p == pytest.approx(theirs(candidates, given).p, rel=1e-6)
    found = altsel.blankets.iamb(own, 0.01)
    assert found[0].features == ("dose",)


def test_categories_are_not_taken_for_numbers_in_silence() -> None:
    with pytest.warns(altsel.DataWarning, match=r"taken for numbers 0, 1, 2, … \('site'\)"):
        Custom(clinic(), lambda x, y, given: 0.5, "mine")
    Custom(clinic(), lambda x, y, given, kinds: 0.5)
    Custom(clinic(), lambda table: 0.5, table=True)
    Custom(numbers(), lambda x, y, given: 0.5)


@pytest.mark.parametrize(
    ("function", "options", "message"),
    [
        (lambda x, y: 0.5, {}, r"takes 'x', 'y', and is called with \(x, y, given\)"),
        (lambda x, y, given, more: 0.5, {}, "'more', and is called"),
        (lambda x, y, given: 0.5, {"table": True}, r"called with \(table\)"),
        (lambda x, y, given: 0.5, {"table": True, "batch": True}, "choose one"),
    ],
)
def test_functions_that_take_something_else_are_refused(function: Any, options: Any, message: str) -> None:
    with pytest.raises(altsel.ArgumentError, match=message):
        Custom(numbers(), function, "mine", **options)


def test_a_batch_has_a_p_for_each() -> None:
    with pytest.raises(altsel.DataError, match=r"p of shape \(3,\) for 2 candidates"):
        Custom(numbers(), lambda X, y, given: np.ones(3), batch=True)(["dose", "age"])
    with pytest.raises(altsel.DataError, match=r"gave p = nan for 'age'"):
        Custom(numbers(), lambda X, y, given: np.array([0.5, np.nan]), "mine", batch=True)(["dose", "age"])
