"""Selectors: the sets are those of altsel's own searches, in every container, pipeline and search."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.datasets import load_diabetes, load_wine
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import altsel
from altsel.sklearn import AlternativeFeatureSelector, MarkovBlanketSelector

X, Y = load_wine(return_X_y=True, as_frame=True)
NAMES = list(X.columns)
UNIVARIATE: Any = {"criterion": "univariate", "relevance": "correlation-ratio"}


def selected(**options: Any) -> list[list[str]]:
    """Return the names of the sets that a selector finds."""
    fitted = AlternativeFeatureSelector(**{**UNIVARIATE, "k": 3, "tau": 0.5, **options}).fit(X, Y)
    return [[NAMES[j] for j in indices] for indices in fitted.feature_sets_]


def by_hand(search: Callable[[altsel.Problem], altsel.Solutions], *rules: Any) -> list[list[str]]:
    """Return the names of the sets that a search finds, called without a selector."""
    dependence = altsel.dependence(altsel.Dataset(X, Y), altsel.measures.correlation_ratio)
    found = search(altsel.Problem(altsel.Univariate(dependence), k=3, subject_to=rules))
    return [sorted(one, key=NAMES.index) for one in found]


DICE = altsel.Dice(0.5)
SEARCHES: dict[str, tuple[dict[str, Any], Any]] = {
    "sequential": ({}, lambda p: altsel.sequential(p, DICE, 2)),
    "sum": ({}, lambda p: altsel.simultaneous(p, DICE, 2, "sum")),
    "min": ({}, lambda p: altsel.simultaneous(p, DICE, 2, "min")),
    "near-optimal": ({"within": 0.3}, lambda p: altsel.near_optimal(p, altsel.RelativeLoss(0.3), 3, DICE)),
    "most-different": (
        {"within": altsel.AbsoluteLoss(0.6)},
        lambda p: altsel.most_different(p, DICE, 2, altsel.AbsoluteLoss(0.6)),
    ),
}


@pytest.mark.parametrize("search", SEARCHES)
def test_the_sets_are_those_of_the_search(search: str) -> None:
    options, call = SEARCHES[search]
    found = selected(search=search, alternatives=2, **options)
    assert found == by_hand(call)
    assert len(found) == 3


CRITERIA: dict[str, tuple[Any, Any]] = {
    "mrmr-k2": (altsel.MRMR, lambda given: altsel.MRMR(given, "k^2")),
    "fcbf": (altsel.FCBF, altsel.FCBF),
    "cfs": (altsel.CFS, altsel.CFS),
}


@pytest.mark.filterwarnings("ignore:MRMR:altsel.DataWarning")
@pytest.mark.parametrize("name", CRITERIA)
def test_criteria_and_their_default_measures(name: str) -> None:
    numbers = X.iloc[:, :5].round(0)
    criterion, objective = CRITERIA[name]
    dependence = altsel.dependence(altsel.Dataset(numbers, Y), criterion=criterion)
    best = altsel.sequential(altsel.Problem(objective(dependence), k=(1, 2)), DICE, 0)
    fitted = AlternativeFeatureSelector(name, k=(1, 2)).fit(numbers, Y)
    assert fitted.solutions_[0].features == best[0].features
    assert fitted.solutions_[0].score == best[0].score
    assert fitted.solutions_.criterion == best.criterion


@pytest.mark.slow
def test_domain_parameters_are_rules() -> None:
    options: Any = {
        "require": ["hue"],
        "forbid": [NAMES.index("proline")],
        "groups": {"acids": ["malic_acid", "ash"], "phenols": ["flavanoids", "total_phenols"]},
        "costs": dict.fromkeys(X.columns, 0.0) | {"color_intensity": 2.0, "alcohol": 1.0},
        "budget": 1.5,
        "rules": [altsel.domain.at_most(0, ["od280/od315_of_diluted_wines"])],
    }
    rules = [
        altsel.domain.require("hue"),
        altsel.domain.forbid("proline"),
        altsel.domain.mutually_exclusive(["malic_acid", "ash"]),
        altsel.domain.mutually_exclusive(["flavanoids", "total_phenols"]),
        altsel.domain.budget({"color_intensity": 2.0, "alcohol": 1.0}, 1.5, other=0),
        *options["rules"],
    ]
    found = selected(alternatives=2, **options)
    assert found == by_hand(lambda p: altsel.sequential(p, DICE, 2), *rules)
    assert found == selected(alternatives=2, **{**options, "groups": list(options["groups"].values())})
    for rule in options:  # each of them is heeded: without it the sets differ
        rest = {name: value for name, value in options.items() if name not in {rule, "costs", "budget"}}
        assert selected(alternatives=2, **rest) != found


def test_columns_that_are_constant_in_these_rows_are_no_fault_but_of_a_requirement() -> None:
    table = X.assign(constant=1.0)
    rules: Any = {
        "forbid": ["constant"],
        "groups": [["constant", "hue"]],
        "costs": {"constant": 1},
        "budget": 0,
    }
    fitted = AlternativeFeatureSelector(**UNIVARIATE, k=3, **rules).fit(table, Y)
    assert fitted.get_support()[:-1].sum() == 3
    with pytest.raises(altsel.DataError, match=r"require names 'constant', constant in these rows"):
        AlternativeFeatureSelector(require=["constant"]).fit(table, Y)
    limits = altsel.blankets.Limits(exclude=["constant", "hue"])
    assert "hue" not in MarkovBlanketSelector("fbs", limits=limits).fit(table, Y).get_feature_names_out()


def test_k_beyond_what_there_is_and_sets_beyond_what_there_are() -> None:
    table = X.iloc[:, :4].assign(constant=1)
    with pytest.warns(altsel.DataWarning, match=r"k=10, but only 3 features .* k=3 is used"):
        fitted = AlternativeFeatureSelector(**UNIVARIATE, k=10, forbid=["ash"]).fit(table, Y)
    assert fitted.feature_sets_[0].tolist() == [0, 1, 3]
    with pytest.warns(altsel.DataWarning, match=r"k=\(2, 9\), .* k=\(2, 4\) is used"):
        assert AlternativeFeatureSelector(**UNIVARIATE, k=(2, 9)).fit(table, Y).get_support().sum() == 4
    with pytest.warns(altsel.DataWarning, match=r"2 of 6 sets were found \(stop: infeasible\)"):
        fitted = AlternativeFeatureSelector(**UNIVARIATE, k=2, alternatives=5, tau=1).fit(table, Y)
    assert fitted.n_sets_ == len(fitted.feature_sets_) == len(fitted.solutions_) == 2


def test_set_index_is_chosen_after_the_search() -> None:
    fitted = AlternativeFeatureSelector(**UNIVARIATE, k=3, alternatives=2).fit(X, Y)
    sets = [set(indices.tolist()) for indices in fitted.feature_sets_]
    chosen: dict[Any, Any] = {
        **dict(enumerate(sets)),
        -1: sets[-1],
        "union": set.union(*sets),
        "intersection": set.intersection(*sets),
    }
    for index, wanted in chosen.items():
        fitted.set_params(set_index=index)
        assert set(fitted.get_support(indices=True).tolist()) == wanted
    fitted.set_params(set_index="union")
    restored = fitted.inverse_transform(fitted.transform(X))
    kept = sorted(chosen["union"])
    assert (restored[:, kept] == X.iloc[:, kept]).all(axis=None)
    assert (np.delete(restored, kept, axis=1) == 0).all()
    for wrong in (3, -4, "both", True, 1.0):
        with pytest.raises(altsel.ArgumentError, match=r"set_index=.*'union' or"):
            fitted.set_params(set_index=wrong).transform(X)
    with pytest.raises(altsel.ArgumentError, match="n_sets_=3"):
        fitted.set_params(set_index=3).get_support()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"require": ["hu"]}, "require names 'hu', .* did you mean 'hue'"),
        ({"forbid": "hue"}, "forbid='hue'; give a list"),
        ({"forbid": [13]}, "forbid names 13, which is no feature"),
        ({"costs": {"x": 1}, "budget": 1}, "costs names 'x'"),
        ({"costs": {"hue": 1}}, "both costs and budget"),
        ({"groups": ["hue"]}, "groups='hue'; give a list"),
        ({"groups": [["hue", "hue"]]}, "groups names a feature twice"),
        ({"criterion": "mrrm"}, "criterion='mrrm'; use .*did you mean 'mrmr'"),
        ({"relevance": "mi"}, "relevance='mi'; use 'auto', 'association', 'mutual-information'"),
        ({"search": "best"}, "search='best'; use 'sequential'"),
        ({"search": "near-optimal"}, "needs within="),
        ({"task": "ranking"}, "task='ranking'; use 'auto'"),
        ({"rules": 5}, "rules=5; give a list"),
        ({"alternatives": "2"}, "alternatives='2'; use an integer"),
        ({"require": ["hue"], "forbid": ["hue"]}, "cannot hold together: require 'hue'; forbid 'hue'"),
        ({"search": "sum", "tau": 1, "alternatives": 9}, "There are no 10 sets"),
        ({"forbid": NAMES}, "every feature is constant or forbidden"),
    ],
)
def test_wrong_arguments_are_named(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        selected(**wrong)


def test_the_fit_of_linear_models_takes_the_data_themselves() -> None:
    hue = X["hue"].rename("hue")
    others = X.drop(columns="hue")
    fitted = AlternativeFeatureSelector("linear-fit", k=3, tau=0.5, alternatives=1).fit(others, hue)
    direct = altsel.sequential(
        altsel.Problem(altsel.LinearFit(altsel.Dataset(others, hue)), 3), altsel.Dice(0.5), 1
    )
    assert [one.features for one in fitted.solutions_] == [one.features for one in direct]
    priced = AlternativeFeatureSelector("linear-fit-bic", k=(1, 3)).fit(others, hue)
    assert priced.solutions_[0].features == direct[0].features
    with pytest.raises(altsel.ArgumentError, match="fits models to the data; leave it out"):
        AlternativeFeatureSelector("linear-fit", relevance="relief", k=3).fit(others, hue)
    with pytest.raises(altsel.DataError, match="a target for one class against the rest"):
        AlternativeFeatureSelector("linear-fit", k=3).fit(X, Y)


def test_the_fit_of_linear_models_takes_ridge_weights_and_columns_that_are_always_in() -> None:
    hue, others = X["hue"].rename("hue"), X.drop(columns="hue")
    weights = np.arange(len(X)) % 3
    data, always = altsel.Dataset(others, hue), ["alcohol", others.columns[4]]
    selector = AlternativeFeatureSelector("linear-fit", k=2, ridge=0.1, given=["alcohol", 4])
    fitted = selector.fit(others, hue, sample_weight=weights)
    direct = altsel.sequential(
        altsel.Problem(altsel.LinearFit(data, 0.1, weights=weights, given=always), 2), altsel.Dice(0.5), 0
    )
    assert fitted.solutions_[0] == direct[0]
    assert set(fitted.get_feature_names_out()) == {*direct[0].features, *always}
    assert len(fitted.feature_sets_[0]) == 4
    again = AlternativeFeatureSelector(altsel.LinearFit, k=2, ridge=0.1, given=always)
    assert again.fit(others, hue, sample_weight=weights).solutions_[0] == direct[0]
    constant = others.assign(alcohol=1.0)  # as in a fold: it adds nothing
    assert len(clone(selector).fit(constant, hue).feature_sets_[0]) == 3
    wrong: dict[str, Any]
    for wrong, match in (({"ridge": 0.1}, "ridge"), ({"given": ["alcohol"]}, "given"), ({}, "sample_weight")):
        told = {} if wrong else {"sample_weight": weights}
        with pytest.raises(altsel.ArgumentError, match=f"'{match}': criterion='cfs' fits no models"):
            AlternativeFeatureSelector("cfs", k=2, **wrong).fit(X, Y, **told)
    with pytest.raises(altsel.ArgumentError, match="fit got 'groups'; it takes X, y and sample_weight"):
        selector.fit(others, hue, groups=weights)
    with pytest.raises(altsel.ArgumentError, match="178 finite numbers of at least 0"):
        selector.fit(others, hue, sample_weight=weights[1:])


def test_weights_of_rows_reach_a_fit_of_linear_models_in_a_pipeline() -> None:
    hue, others, weights = X["hue"].rename("hue"), X.drop(columns="hue"), np.arange(len(X)) % 3
    with sklearn.config_context(enable_metadata_routing=True):
        selector = AlternativeFeatureSelector("linear-fit", k=2).set_fit_request(sample_weight=True)
        model = make_pipeline(selector, LinearRegression().set_fit_request(sample_weight=True))
        model.fit(others, hue, sample_weight=weights)
    alone = AlternativeFeatureSelector("linear-fit", k=2).fit(others, hue, sample_weight=weights)
    assert model[0].solutions_[0] == alone.solutions_[0]


def mixed() -> tuple[pd.DataFrame, pd.Series[Any]]:
    """Return numbers, categories and booleans that tell of a target of text."""
    random = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "noise": random.normal(size=200),
            "number": random.normal(size=200),
            "y": pd.Categorical(random.choice(["a", "b", "c"], 200)),
            "flag": random.random(200) < 0.5,
        }
    )
    high = table["number"] + (table["y"] == "a") + table["flag"] + 0.3 * random.normal(size=200) > 0.7
    return table, high.map({True: "yes", False: "no"}).rename("y")


def native(library: str) -> Any:
    """Return the same table in another library, with its categories."""
    table, _ = mixed()
    plain = {name: table[name].astype(str if name == "y" else table[name].dtype).to_numpy() for name in table}
    if library == "pandas":
        return table
    if library == "polars":
        return pl.DataFrame({**plain, "y": plain["y"].tolist()}).with_columns(
            pl.col("y").cast(pl.Categorical)
        )
    return pa.table({**plain, "y": pa.array(plain["y"].tolist()).dictionary_encode()})


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("output", ["default", "pandas", "polars"])
@pytest.mark.parametrize(
    "make", [lambda: AlternativeFeatureSelector("cfs", k=3), lambda: MarkovBlanketSelector("fbs")]
)
def test_frames_keep_their_kinds(library: str, output: str, make: Callable[[], Any]) -> None:
    table, target = mixed()
    selector = make().set_output(transform=output)
    found = selector.fit_transform(native(library), target)
    names = ["number", "y", "flag"]
    assert selector.get_feature_names_out().tolist() == names
    assert selector.feature_names_in_.tolist() == list(table.columns)
    if output == "default":
        assert (found == table[names].to_numpy(dtype=object)).all()
        return
    assert isinstance(found, pd.DataFrame if output == "pandas" else pl.DataFrame)
    assert list(found.columns) == names
    assert [str(value) for value in found["y"]] == table["y"].tolist()
    assert str(found["number"].dtype).lower() == "float64"
    kept = {"pandas": "category", "polars": "Categorical"}
    if library == output:
        assert str(found["y"].dtype).startswith(kept[output])


def test_no_blanket_gives_no_columns() -> None:
    table, target = mixed()
    selector = MarkovBlanketSelector("fbs", alpha=1e-300).fit(table, target)
    for output in ("default", "pandas"):
        with pytest.warns(UserWarning, match="No features were selected"):
            found = selector.set_output(transform=output).transform(table)
        assert found.shape == (200, 0)


def test_sparse_tables_of_0_and_1_are_counted() -> None:
    ones: Any = sparse.random(300, 30, density=0.1, format="csr", random_state=0)
    ones.data[:] = 1.0
    target = ((ones[:, [4]] + ones[:, [7]]).toarray()[:, 0] > 0).astype(int)
    selector = MarkovBlanketSelector().fit(ones, target)
    assert selector.solutions_.criterion.startswith("G-square")
    assert selector.feature_sets_[0].tolist() == [4, 7]
    assert sparse.issparse(selector.transform(ones))
    halves = ones * 0.5 + sparse.eye(300, 30)
    best = [
        AlternativeFeatureSelector(**UNIVARIATE, k=2).fit(table, target)
        for table in (halves, halves.toarray())
    ]
    assert best[0].solutions_[0].score == best[1].solutions_[0].score
    with pytest.raises(altsel.DataError, match=r"sparse, of 20000 rows and 10000 columns.*VarianceThreshold"):
        MarkovBlanketSelector().fit(sparse.csr_matrix((20000, 10000)), np.arange(20000) % 2)


def test_the_task_is_told_by_the_target_or_by_the_user() -> None:
    table, target = load_diabetes(return_X_y=True, as_frame=True)
    assert (
        MarkovBlanketSelector("fbs").fit(table, target).solutions_.criterion.startswith("partial correlation")
    )
    few = (target // 100).astype(int)
    by_class = AlternativeFeatureSelector(**UNIVARIATE, k=3).fit(table, few)
    plain = {**UNIVARIATE, "relevance": "correlation-ratio-plain"}
    by_number = AlternativeFeatureSelector(**plain, k=3, task="regression").fit(table, few)
    correlations = table.corrwith(few).abs().nlargest(3)
    assert by_number.solutions_[0].score == pytest.approx(correlations.sum())
    assert by_class.solutions_[0].score != pytest.approx(correlations.sum())


def test_missing_values_in_frames_are_named() -> None:
    with pytest.raises(altsel.DataError, match=r"missing values \(NaN\) in 'hue'"):
        MarkovBlanketSelector().fit(X.assign(hue=X["hue"].where(X["hue"] > 1)), Y)


@pytest.mark.slow
def test_a_grid_measures_each_fold_once(tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    selector = AlternativeFeatureSelector(relevance=Counted(calls), k=3, alternatives=2, memory=str(tmp_path))
    model = make_pipeline(StandardScaler().set_output(transform="pandas"), selector, LogisticRegression())
    name = "alternativefeatureselector__"
    grid = GridSearchCV(
        model, {name + "set_index": [0, 1, "union"], name + "tau": [0.3, 0.6], name + "k": [2, 3]}, cv=3
    )
    grid.fit(X, Y)
    assert len(grid.cv_results_["params"]) == 12
    features = len(NAMES)
    once = features + features * (features + 1) // 2
    assert calls.stat().st_size == 4 * once  # three folds, and all rows
    assert set(grid.best_estimator_[1].solutions_.universe) == set(NAMES)


class Counted:
    """A measure that notes each of its calls in a file."""

    def __init__(self, calls: Path) -> None:
        self.calls = calls

    def __call__(self, a: Any, b: Any) -> float:
        with self.calls.open("a") as file:
            file.write(".")
        return abs(float(np.corrcoef(a, b)[0, 1]))


@pytest.mark.slow
def test_a_memory_tells_data_and_options_apart(tmp_path: Path) -> None:
    memory = joblib.Memory(tmp_path, verbose=0)
    table, target = mixed()
    limits = altsel.blankets.Limits(exclude=["flag"])
    variants: list[tuple[dict[str, Any], Any, slice]] = [
        ({}, None, slice(None)),
        ({"alpha": 1e-30}, None, slice(None)),
        ({"limits": limits}, None, slice(None)),
        ({}, np.arange(200) < 150, slice(None)),
        ({}, None, slice(100)),
    ]
    seen = set()
    for options, weights, rows in variants:
        fits = [
            MarkovBlanketSelector("fbs", memory=kept, **options).fit(table[rows], target[rows], weights)
            for kept in (None, memory, memory)
        ]
        assert fits[0].solutions_[0].verdicts == fits[1].solutions_[0].verdicts
        assert fits[1].solutions_ == fits[2].solutions_  # seconds too: it was not searched again
        seen.add(fits[0].solutions_[0].verdicts)
    assert len(seen) == len(variants)
    with pytest.raises(altsel.ArgumentError, match="options that can be pickled"):
        MarkovBlanketSelector(test=partial(print, Lock()), memory=memory).fit(table, target)


def test_redefined_functions_are_not_remembered(tmp_path: Path) -> None:
    chosen = []
    for sign in (1, -1):

        def measure(a: Any, b: Any, sign: int = sign) -> float:
            return sign * abs(float(np.corrcoef(a, b)[0, 1]))

        fitted = AlternativeFeatureSelector("univariate", relevance=measure, k=1, memory=str(tmp_path)).fit(
            X, Y
        )
        chosen.append(fitted.get_support(indices=True).tolist())
    assert chosen[0] != chosen[1]


class Limit:
    """What the rules below read."""

    forbidden = "proline"


class Apart:
    """A dissimilarity of one's own: sets differ unless both have what is forbidden."""

    tau = 0.5

    def __call__(self, first: Any, second: Any) -> float:
        return 0.0 if Limit.forbidden in {*first} & {*second} else 1.0

    def rows(self, block: Any, x: Any, y: Any) -> Any:
        return x[Limit.forbidden] + y[Limit.forbidden] <= 1


def predicted(names: tuple[str, ...]) -> bool:
    return Limit.forbidden not in names


def counted(names: tuple[str, ...]) -> float:
    return -float(Limit.forbidden in names)


@pytest.mark.parametrize(
    "made",
    [
        lambda: {"rules": [altsel.domain.predicate(predicted)]},
        lambda: {"rules": [lambda block: block.x[Limit.forbidden] == 0]},
        lambda: {"rules": [altsel.domain.criterion(altsel.BlackBox(counted, NAMES), at_least=0)]},
        lambda: {"distance": Apart()},
    ],
)
def test_what_rules_and_distances_read_is_not_remembered(
    made: Callable[[], dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for forbidden in ("proline", "flavanoids", "proline"):
        monkeypatch.setattr(Limit, "forbidden", forbidden)
        found.append(selected(**made(), alternatives=1, memory=str(tmp_path)))
        assert found[-1] == selected(**made(), alternatives=1)
    assert found[0] != found[1]


@pytest.mark.slow
def test_clones_and_pickles_with_rules() -> None:
    pair = {"flavanoids", "od280/od315_of_diluted_wines"}
    rules = [altsel.domain.at_most(1, sorted(pair))]
    selector = AlternativeFeatureSelector(**UNIVARIATE, k=3, rules=rules)
    fitted = clone(selector).fit(X, Y)
    again = pickle.loads(pickle.dumps(fitted))
    assert again.rules == rules
    assert again.fit(X, Y).solutions_[0].features == fitted.solutions_[0].features
    results = cross_validate(make_pipeline(selector, LinearRegression()), X, Y, cv=3, return_estimator=True)
    for estimator in results["estimator"]:
        assert not pair <= set(estimator[0].get_feature_names_out())
    assert pair <= set(clone(selector).set_params(rules=()).fit(X, Y).get_feature_names_out())


def test_in_a_column_transformer_before_an_encoder() -> None:
    table, target = mixed()
    encoded = make_column_transformer(
        (OneHotEncoder(), make_column_selector(dtype_include="category")), remainder=StandardScaler()
    )
    selector = AlternativeFeatureSelector("cfs", k=2).set_output(transform="pandas")
    columns = make_column_transformer((selector, ["y", "flag", "noise"]), ("passthrough", ["number"]))
    model = make_pipeline(columns.set_output(transform="pandas"), encoded, LogisticRegression())
    assert model.fit(table, target).score(table, target) > 0.8
    chosen = ["alternativefeatureselector__y", "alternativefeatureselector__flag", "passthrough__number"]
    assert model[0].get_feature_names_out().tolist() == chosen


def test_groups_and_weights_arrive_by_routing() -> None:
    random = np.random.default_rng(0)
    patient = np.repeat(np.arange(60), 5)
    own, age = random.normal(size=(2, 60))[:, patient]
    table = np.column_stack([random.normal(size=300), age])
    target = table[:, 0] + own + random.normal(size=300)
    with sklearn.config_context(enable_metadata_routing=True):
        selector = MarkovBlanketSelector("fbs").set_fit_request(groups=True, sample_weight=True)
        model = make_pipeline(selector, LinearRegression().set_fit_request(sample_weight=False))
        model.fit(table, target, groups=patient, sample_weight=np.arange(300) % 2)
        found = cross_validate(
            make_pipeline(clone(selector).set_fit_request(sample_weight=False), LinearRegression()),
            table,
            target,
            cv=GroupKFold(3),
            params={"groups": patient},
            return_estimator=True,
        )
    assert "60 groups" in model[0].solutions_.criterion
    assert ["40 groups" in estimator[0].solutions_.criterion for estimator in found["estimator"]] == [
        True
    ] * 3
    alone = MarkovBlanketSelector("fbs").fit(table[1::2], target[1::2], groups=patient[1::2])
    assert model[0].solutions_[0].verdicts == alone.solutions_[0].verdicts


def with_few_options(data: altsel.Dataset) -> Any:
    return altsel.independence.GSquare(data)


@pytest.mark.parametrize(
    ("test", "given", "message"),
    [
        ("trend", "groups", "test='trend' takes no groups; use one of 'auto'"),
        ("predictive", "sample_weight", "test='predictive' takes no sample_weight"),
        (with_few_options, "sample_weight", "has no argument 'weights'"),
        (altsel.independence.LikelihoodRatio, "groups", "takes rows for independent"),
    ],
)
def test_tests_that_cannot_heed_weights_or_groups_say_so(test: Any, given: str, message: str) -> None:
    with pytest.raises(altsel.ArgumentError, match=message):
        MarkovBlanketSelector(test=test).fit(X, Y, **{given: np.arange(len(Y)) % 5 + 1})


@pytest.mark.filterwarnings("ignore:features determine the target:altsel.DataWarning")
def test_several_blankets() -> None:
    random = np.random.default_rng(0)
    a, b, c, noise = random.normal(size=(4, 500))
    table = pd.DataFrame({"a": a, "b": b, "copy": 2 * a + 1, "c": c})
    for options in ({"multiple": True}, {"multiple": "tmfbs"}, {"method": "iamb", "multiple": True}):
        selector: Any = MarkovBlanketSelector(**options).fit(table, a + b + noise)
        assert {tuple(indices.tolist()) for indices in selector.feature_sets_} == {(0, 1), (1, 2)}
        assert selector.solutions_.stop is altsel.Stop.EXHAUSTED
    with pytest.raises(altsel.ArgumentError, match="method='mmmb' goes wrong where"):
        MarkovBlanketSelector("mmmb", multiple=True).fit(table, a)
    with pytest.raises(altsel.ArgumentError, match="multiple='all'; use False, True"):
        MarkovBlanketSelector(multiple="all").fit(table, a)
    by_function = MarkovBlanketSelector(altsel.blankets.iamb, test=altsel.independence.PartialCorrelation)
    assert by_function.fit(table, a + b + noise).n_sets_ == 1


def test_an_interrupt_ends_the_fit_and_is_not_remembered(tmp_path: Path) -> None:
    def interrupted(problem: altsel.Problem, diversity: Any, alternatives: int) -> altsel.Solutions:
        return replace(altsel.sequential(problem, diversity, alternatives), stop=altsel.Stop.INTERRUPT)

    selector = AlternativeFeatureSelector(**UNIVARIATE, k=3, search=interrupted, memory=str(tmp_path))
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            selector.fit(X, Y)


def test_odd_frames() -> None:
    table = X.iloc[:, :4].sample(frac=1, random_state=0)
    target = Y[table.index]
    selector = AlternativeFeatureSelector(**UNIVARIATE, k=2).set_output(transform="pandas").fit(table, target)
    kept = selector.transform(table)
    assert kept.equals(table[selector.get_feature_names_out()])
    numbered = selector.fit(table.set_axis(range(4), axis=1), target)
    assert not hasattr(numbered, "feature_names_in_")
    assert numbered.transform(table.set_axis(range(4), axis=1)).columns.str.startswith("x").all()
    with pytest.raises(ValueError, match="names occur more than once; rename them"):
        selector.fit(table.set_axis(list("aabc"), axis=1), target)
    arrow = pa.table(table.to_dict("list"))
    by_arrow = selector.set_output(transform="default").fit(arrow, target).transform(arrow)
    assert (by_arrow == kept.to_numpy()).all()


def test_an_ordered_target_stays_ordered() -> None:
    size = pd.Categorical(
        np.array(["small", "medium", "large"])[Y], ["small", "medium", "large"], ordered=True
    )
    fitted = MarkovBlanketSelector("fbs").fit(X.iloc[:, :4], pd.Series(size))
    assert "proportional-odds" in fitted.solutions_.criterion
