"""Selectors on tables with gaps: sets of searches of the same tables, one error for what makes no sense."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import altsel
from altsel.imputation import AvailableCases, impute
from altsel.sklearn import AlternativeEnsemble, AlternativeFeatureSelector, MarkovBlanketSelector

pytestmark = pytest.mark.filterwarnings("ignore::altsel.DataWarning")
RANDOM = np.random.default_rng(0)
X = pd.DataFrame(RANDOM.normal(size=(120, 4)), columns=list("abcd"))
X["e"] = RANDOM.choice(["u", "v", "w"], 120)
Y = np.where(X.a + X.b + (X.e == "u") + 0.5 * RANDOM.normal(size=120) > 0.3, "ill", "well")
for j, column in enumerate(("a", "c", "e")):
    X.loc[j::6, column] = None
FEW = partial(impute, number=2)


def test_sets_are_those_of_the_tables() -> None:
    def best(dependence: altsel.Dependence) -> tuple[str, ...]:
        return altsel.sequential(altsel.Problem(altsel.MRMR(dependence), 2), altsel.Dice(0.5), 0)[0].features

    def measured(data: altsel.Dataset) -> altsel.Dependence:
        return altsel.dependence(data, criterion=altsel.MRMR)

    expected = {
        "category": best(measured(altsel.Dataset(X, Y, missing="category"))),
        "complete rows": best(AvailableCases(X, Y).dependence(measured)),
        FEW: best(FEW(X, Y).dependence(measured)),
    }
    for way, names in expected.items():
        fitted = AlternativeFeatureSelector("mrmr", k=2, missing=way).fit(X, Y)
        assert tuple(fitted.get_feature_names_out()) == names
        kept = fitted.set_output(transform="pandas").transform(X)
        assert kept.isna().equals(X[list(names)].isna())


@pytest.mark.slow
def test_blankets_are_those_of_the_tests() -> None:
    make = altsel.independence.auto
    for way, test in (("complete rows", AvailableCases(X, Y).test(make)), (FEW, FEW(X, Y).test(make))):
        fitted = MarkovBlanketSelector("iamb", alpha=0.05, missing=way).fit(X, Y)
        expected = altsel.blankets.iamb(test, 0.05)[0].features
        assert sorted(fitted.get_feature_names_out()) == sorted(expected)
    assert "b" in MarkovBlanketSelector(missing="category").fit(X, Y).get_feature_names_out()


@pytest.mark.parametrize("way", ["category", "complete rows", pytest.param(FEW, marks=pytest.mark.slow)])
def test_the_size_is_chosen_where_none_is_given(way: Any) -> None:
    fitted = AlternativeFeatureSelector("mrmr", missing=way).fit(X, Y)
    assert 1 <= len(fitted.feature_sets_[0]) <= 5


@pytest.mark.slow
def test_fits_of_models_take_imputed_tables_without_a_penalty() -> None:
    data, weights = FEW(X, Y).stacked()
    problem = altsel.Problem(altsel.ModelFit(data, weights=weights), 2)
    expected = altsel.sequential(problem, altsel.Dice(0.5), 0)[0].features
    fitted = AlternativeFeatureSelector("logistic-fit", k=2, missing=FEW).fit(X, Y)
    assert tuple(fitted.get_feature_names_out()) == expected


@pytest.mark.parametrize(
    ("selector", "told"),
    [
        (AlternativeFeatureSelector("logistic-fit-bic", missing=FEW), "penalty='bic': it counts rows"),
        (
            AlternativeFeatureSelector(partial(altsel.ModelFit, penalty="aic"), missing=FEW),
            "penalty='aic': it counts rows",
        ),
        (
            AlternativeFeatureSelector("logistic-fit", k=2, missing="complete rows"),
            "need all values",
        ),
        (AlternativeFeatureSelector(missing="drop rows"), "an estimator keeps its rows"),
        (MarkovBlanketSelector(missing="categry"), "missing='categry'; use .*did you mean 'category'"),
        (MarkovBlanketSelector(), r"missing values \(NaN\) in 'a', 'c', 'e'; fill .*missing='impute'"),
    ],
)
def test_what_makes_no_sense_is_one_error(selector: Any, told: str) -> None:
    with pytest.raises((altsel.ArgumentError, altsel.DataError), match=told):
        selector.fit(X, Y)


@pytest.mark.slow
def test_weights_are_for_one_table() -> None:
    weights = np.ones(len(Y))
    for selector in (
        AlternativeFeatureSelector("logistic-fit", k=2, missing=FEW),
        MarkovBlanketSelector(test="likelihood-ratio", missing=FEW),
    ):
        with pytest.raises(altsel.ArgumentError, match="use missing='category'"):
            selector.fit(X, Y, sample_weight=weights)


@pytest.mark.slow
def test_arrays_and_ensembles_have_gaps_too(tmp_path: Any) -> None:
    values = X[["a", "b", "c", "d"]].to_numpy(dtype=float)
    selector = AlternativeFeatureSelector("mrmr", k=2, alternatives=1, tau=0.5, missing="complete rows")
    again = selector.fit(values, Y).set_params(memory=str(tmp_path)).fit(values, Y)
    assert [one.tolist() for one in again.feature_sets_] == [
        one.tolist() for one in selector.fit(values, Y).feature_sets_
    ]
    assert np.isnan(selector.transform(values)).sum() == np.isnan(values[:, selector.get_support()]).sum()
    model = AlternativeEnsemble(DecisionTreeClassifier(random_state=0), selector).fit(values, Y)
    assert model.score(values, Y) > 0.9
