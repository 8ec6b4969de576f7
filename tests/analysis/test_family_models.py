"""Sets judged by the deviance of their family: against scikit-learn, statsmodels and sums by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression, PoissonRegressor
from sklearn.metrics import d2_log_loss_score, log_loss, roc_auc_score
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import altsel
from altsel.analysis.family_models import FamilyModels, family_models, row_columns
from altsel.errors import ArgumentError, DataError
from altsel.stats.generalised.targets import RowColumns

RANDOM = np.random.default_rng(17)
ROWS = 160
TABLE = pd.DataFrame(RANDOM.normal(size=(ROWS, 4)), columns=list("abcd"))
TABLE["count"] = RANDOM.integers(0, 4, ROWS).astype(float)
TABLE["exposure"] = RANDOM.normal(size=ROWS)
TABLE["seen"] = (RANDOM.random(ROWS) < 0.6).astype(float)
SCORE = TABLE["a"] - 0.7 * TABLE["b"]


def data_of(target: Any, task: str | None = None) -> altsel.Dataset:
    return altsel.Dataset(TABLE, pd.Series(np.asarray(target), name="y"), task=task)


TWO = data_of(np.where(SCORE + RANDOM.logistic(size=ROWS) > 0, "yes", "no"))
THREE = data_of(
    np.array(["lo", "mi", "up"])[np.clip(np.round(SCORE + RANDOM.normal(size=ROWS)) + 1, 0, 2).astype(int)]
)
LEVELS = data_of(np.clip(np.round(SCORE + RANDOM.normal(size=ROWS)), -1, 2) + 1)
COUNTS = data_of(RANDOM.poisson(np.exp(0.5 * SCORE + TABLE["exposure"])), "regression")
TIMES = data_of(np.ceil(20 * RANDOM.exponential(np.exp(-SCORE))), "regression")  # with ties
EXACT = {"C": 0.5, "tol": 1e-10, "max_iter": 10_000}


def searched(data: altsel.Dataset, family: str, **options: Any) -> altsel.Solutions:
    quality = altsel.ModelFit(data, family, ridge=2.0, **options)
    return altsel.sequential(altsel.Problem(quality, k=2), altsel.Dice(0.5), alternatives=1)


def names_of(found: altsel.Solutions) -> list[tuple[str, ...]]:
    return [one.features for one in found]


def judged_folds(names: list[str], data: altsel.Dataset, share: Any, folds: Any) -> list[float]:
    """Score folds by a function of the rows learned from and judged."""
    return [share(data.X[names], train, test) for train, test in folds.split(TABLE, data.target_values())]


@pytest.mark.slow
def test_two_classes_are_scored_by_the_deviance_of_scikit_learns_model() -> None:
    found = searched(TWO, "logistic", weights="count")
    scored = altsel.performance(found, TWO, cv=4)
    y, weights = TWO.target_values(), TABLE["count"].to_numpy()

    def share(X: pd.DataFrame, train: Any, test: Any) -> float:
        scale = StandardScaler().fit(X.iloc[train], sample_weight=weights[train])
        model = LogisticRegression(**EXACT)
        model.fit(scale.transform(X.iloc[train]), y[train], sample_weight=weights[train])
        own = model.predict_proba(scale.transform(X.iloc[test]))
        level = np.average(y[train], weights=weights[train])
        alone = np.tile([1 - level, level], (len(test), 1))
        lost = [log_loss(y[test], shares, sample_weight=weights[test]) for shares in (own, alone)]
        return float(1 - lost[0] / lost[1])

    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    for one in scored.sets:
        names = [name for name in TWO.features if name in one.features]
        assert one.score.parts == pytest.approx(judged_folds(names, TWO, share, folds), abs=1e-6)
    rest = [name for name in TWO.features if name != "count"]
    assert scored.all_features.parts == pytest.approx(judged_folds(rest, TWO, share, folds), abs=1e-6)
    assert scored.no_features.parts == pytest.approx([0] * 4, abs=1e-12)
    assert (scored.scoring, scored.loss) == ("share of the deviance explained", "deviance")
    assert "logistic regression (ridge 2; weights count), 4 folds" in str(scored)
    assert altsel.results.Performance.from_json(scored.to_json()) == scored


@pytest.mark.slow
def test_other_metrics_are_those_of_the_familys_models() -> None:
    found, model = searched(TWO, "logistic"), make_pipeline(StandardScaler(), LogisticRegression(**EXACT))
    names = [name for name in TWO.features if name in found[0].features]
    scored = altsel.performance(found, TWO, cv=4, scoring="roc_auc")
    y, areas = TWO.target_values(), []
    for train, test in StratifiedKFold(4, shuffle=True, random_state=0).split(TABLE, y):
        model.fit(TABLE[names].iloc[train], y[train])
        areas.append(roc_auc_score(y[test], model.predict_proba(TABLE[names].iloc[test])[:, 1]))
    assert scored[0].score.parts == pytest.approx(areas)
    assert scored.scoring == "roc_auc"
    for family, data in (("logistic", TWO), ("multinomial", THREE), ("ordinal", LEVELS)):
        for metric in ("accuracy", "neg_log_loss", "balanced_accuracy"):
            one = altsel.performance(searched(data, family), data, cv=3, scoring=metric)
            assert one[0].score.value > one.no_features.value
    train, held = TWO.split(0.3)
    shares = altsel.performance(found, train, holdout=held, scoring="accuracy", other_data=True)
    assert "exact (Clopper-Pearson)" in shares.intervals
    own = altsel.performance(found, train, holdout=held, other_data=True)
    assert "Clopper" not in own.intervals
    counts = searched(COUNTS, "poisson", offset="exposure")
    assert altsel.performance(counts, COUNTS, cv=3, scoring="r2")[0].score.value > 0


@pytest.mark.slow
def test_several_classes_and_levels() -> None:
    found = searched(THREE, "multinomial")
    scored, y = altsel.performance(found, THREE, cv=4), THREE.target_values()

    def share(X: pd.DataFrame, train: Any, test: Any) -> float:
        model = make_pipeline(StandardScaler(), LogisticRegression(**EXACT)).fit(X.iloc[train], y[train])
        alone = np.tile(np.bincount(y[train].astype(int)) / len(train), (len(test), 1))
        lost = [log_loss(y[test], p) for p in (model.predict_proba(X.iloc[test]), alone)]
        return float(1 - lost[0] / lost[1])

    names = [name for name in THREE.features if name in found[0].features]
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    assert scored[0].score.parts == pytest.approx(judged_folds(names, THREE, share, folds), abs=1e-6)

    found, train = searched(LEVELS, "ordinal"), np.arange(ROWS) >= 50
    rows, held = (LEVELS.X[train], LEVELS.y[train]), LEVELS.holdout(LEVELS.X[~train], LEVELS.y[~train])
    part = altsel.Dataset(rows[0].reset_index(drop=True), rows[1].reset_index(drop=True))
    one = altsel.performance(found, part, holdout=held, other_data=True)
    names = [name for name in LEVELS.features if name in found[0].features]
    scale = StandardScaler().fit(LEVELS.X[names][train])
    x, level = scale.transform(LEVELS.X[names]), LEVELS.y.to_numpy(dtype=int)

    def minus_log(parameters: Any, rows: Any, ridge: float) -> float:
        cuts = np.cumsum(np.append(parameters[0], np.exp(parameters[1:3])))
        ends = np.concatenate([[-np.inf], cuts, [np.inf]])
        u = x[rows] @ parameters[3:]
        below = 1 / (1 + np.exp(u - ends[level[rows] + 1]))
        above = 1 / (1 + np.exp(u - ends[level[rows]]))
        return float(-np.log(below - above).sum() + ridge / 2 * parameters[3:] @ parameters[3:])

    begin = np.array([-1.0, 0.0, 0.0, 0.0, 0.0])
    with np.errstate(over="ignore"):
        best = minimize(minus_log, begin, (train, 2.0), method="BFGS", options={"gtol": 1e-7}).x
        shares = np.bincount(level[train]) / train.sum()
        expected = 1 - minus_log(best, ~train, 0.0) / -np.log(shares[level[~train]]).sum()
    assert one[0].score.value == pytest.approx(expected, abs=1e-6)


@pytest.mark.slow
def test_counts_keep_their_exposure_and_splines_their_knots() -> None:
    found = searched(COUNTS, "poisson", offset="exposure", weights="count", given=["c"])
    scored = altsel.performance(found, COUNTS, cv=4)
    y, log_exposure, weights = COUNTS.target_values(), TABLE["exposure"].to_numpy(), TABLE["count"].to_numpy()

    def share(X: pd.DataFrame, train: Any, test: Any) -> float:
        # a Poisson regression with exposure is one of rates, weighted by exposure times weight
        whole = weights * np.exp(log_exposure)
        scale = StandardScaler().fit(X.iloc[train], sample_weight=weights[train])
        model = PoissonRegressor(
            alpha=2.0 / whole[train].sum(), tol=1e-12, max_iter=10_000, solver="newton-cholesky"
        )
        model.fit(
            scale.transform(X.iloc[train]), (y / np.exp(log_exposure))[train], sample_weight=whole[train]
        )
        level = (weights * y)[train].sum() / whole[train].sum()
        kept = test[weights[test] > 0]
        means = [model.predict(scale.transform(X.iloc[kept])), np.full(len(kept), level)]
        own, alone = (
            sm.families.Poisson().deviance(
                y[kept], mean * np.exp(log_exposure[kept]), var_weights=weights[kept]
            )
            for mean in means
        )
        return float(1 - own / alone)

    folds = KFold(4, shuffle=True, random_state=0)
    for one in scored.sets:
        names = [name for name in COUNTS.features if name in {*one.features, "c"}]
        assert one.score.parts == pytest.approx(judged_folds(names, COUNTS, share, folds), abs=1e-6)
    rest = [name for name in COUNTS.features if name not in {"exposure", "count"}]
    assert scored.all_features.parts == pytest.approx(judged_folds(rest, COUNTS, share, folds), abs=1e-6)
    assert scored.no_features.parts == pytest.approx(judged_folds(["c"], COUNTS, share, folds), abs=1e-6)
    assert "(ridge 2; weights count; offset exposure; given c)" in scored.models
    smooth = searched(COUNTS, "poisson", offset="exposure", expand="spline")
    by_hand = FamilyModels("poisson", 2.0, RowColumns(offset="exposure"), expand="spline").estimator(COUNTS)
    table = COUNTS.X[["a", "b", "exposure"]]
    fitted = by_hand.fit(table.iloc[:100], y[:100])
    assert fitted.predict(table.iloc[100:]) == pytest.approx(fitted.predict(table)[100:])
    assert [len(one.turn.T) for one in fitted.columns_.values()] == [3, 3]
    assert altsel.performance(smooth, COUNTS, cv=3)[0].score.value > 0.1


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.slow
def test_times_are_judged_by_who_is_at_risk(weighted: bool) -> None:
    more = {"weights": "count"} if weighted else {}
    found = searched(TIMES, "cox", event="seen", **more)
    train = np.arange(ROWS) < 110
    part = altsel.Dataset(TABLE[train], TIMES.y[train], task="regression")
    held = part.holdout(TABLE[~train], TIMES.y[~train])
    scored = altsel.performance(found, part, holdout=held, other_data=True)
    names = [name for name in TIMES.features if name in found[0].features]
    time, seen = TIMES.y.to_numpy(dtype=float), TABLE["seen"].to_numpy() > 0
    weights = TABLE["count"].to_numpy() if weighted else np.ones(ROWS)
    scale = StandardScaler().fit(TABLE[names][train], sample_weight=weights[train])
    x = scale.transform(TABLE[names])

    def half_deviance(u: Any, rows: Any) -> float:
        total = 0.0
        for moment in np.unique(time[rows & seen]):
            now = rows & seen & (time == moment)
            events = weights[now].sum()
            if events > 0:
                risk = (weights * np.exp(u))[rows & (time >= moment)].sum()
                total += events * np.log(risk / events) - (weights * u)[now].sum()
        return total

    def penalised(b: Any) -> float:
        return half_deviance(x @ b, train) + float(b @ b)

    best = minimize(penalised, np.zeros(2), method="BFGS", tol=1e-8).x
    expected = 1 - half_deviance(x @ best, ~train) / half_deviance(np.zeros(ROWS), ~train)
    assert scored[0].score.value == pytest.approx(expected, abs=1e-6)
    if not weighted:
        fit = sm.PHReg(time[train], x[train], status=seen[train], ties="breslow")
        assert fit.loglike(best) == pytest.approx(
            sum((w := (seen & train & (time == t)).sum()) * -np.log(w) for t in np.unique(time[seen & train]))
            - half_deviance(x @ best, train)
        )
    assert scored.forest is None
    assert scored[0].score.low is not None
    assert scored[0].score.high is not None
    assert scored[0].score.low < scored[0].score.value < scored[0].score.high
    assert scored.no_features.value == 0
    folds = altsel.performance(found, TIMES, cv=5)
    assert [round(p, 12) for p in folds.no_features.parts] == [0] * 5
    with pytest.raises(ArgumentError, match="Cox regression tells the order of times"):
        altsel.performance(found, TIMES, scoring="r2")


def test_folds_of_times_hold_events_alike() -> None:
    rare = TABLE.assign(seen=(np.arange(ROWS) % 16 == 0).astype(float))
    data = altsel.Dataset(rare, TIMES.y, task="regression")
    quality = altsel.ModelFit(data, "cox", event="seen")
    found = altsel.sequential(altsel.Problem(quality, k=1), altsel.Dice(1), alternatives=0)
    with pytest.raises(
        ArgumentError, match="use fewer folds"
    ):  # 10 events, the first rows of an own splitter
        altsel.performance(
            found, data, cv=[(np.arange(16, ROWS), np.arange(1, 16)), (np.arange(80), np.arange(80, ROWS))]
        )
    assert len(altsel.performance(found, data, cv=5)[0].score.parts) == 5


@pytest.mark.slow
def test_row_columns_are_no_features_whatever_judges() -> None:
    found = searched(COUNTS, "poisson", offset="exposure", weights="count")
    assert row_columns(found, COUNTS) == ("count", "exposure")
    model = PoissonRegressor()
    scored = altsel.performance(found, COUNTS, model, cv=3)
    plain = altsel.Dataset(TABLE.drop(columns=["count", "exposure"]), COUNTS.y, task="regression")
    assert scored.all_features == altsel.performance(names_of(found), plain, model, cv=3).all_features
    train, held = COUNTS.split(0.3)
    other, aside = plain.split(0.3)
    first = altsel.performance(found, train, model, holdout=held, other_data=True)
    assert first.all_features == altsel.performance(names_of(found), other, model, holdout=aside).all_features
    fit = altsel.LinearFit(COUNTS, weights="count")
    linear = altsel.sequential(altsel.Problem(fit, k=2), altsel.Dice(0.5), 0)
    assert altsel.performance(linear, COUNTS, cv=3).scoring == "r2"
    assert row_columns(linear, COUNTS) == ("count",)


def test_numbers_one_a_row_come_with_the_fit_itself() -> None:
    weights = TABLE["count"].to_numpy()
    given = altsel.ModelFit(TWO, ridge=2.0, weights=weights)
    found = altsel.sequential(altsel.Problem(given, k=2), altsel.Dice(0.5), 0)
    with pytest.raises(ArgumentError, match="give the ModelFit as estimator="):
        altsel.performance(found, TWO)
    named = altsel.performance(names_of(found), TWO, altsel.ModelFit(TWO, ridge=2.0, weights="count"), cv=4)
    assert altsel.performance(found, TWO, given, cv=4)[0].score == named[0].score
    train, held = TWO.split(0.3)
    short = altsel.ModelFit(train, weights=np.ones(len(train.y)))
    with pytest.raises(ArgumentError, match="rows held out have none"):
        altsel.performance(names_of(found), train, short, holdout=held)
    times = searched(TIMES, "cox", event="seen")
    with pytest.raises(ArgumentError, match="use nested=True"):
        altsel.performance(times, TIMES, permutations=3, search=lambda data: times)


@pytest.mark.slow
def test_searches_are_repeated_in_folds() -> None:
    def search(data: altsel.Dataset) -> altsel.Solutions:
        return searched(data, "cox", event="seen")

    found = search(TIMES)
    scored = altsel.performance(found, TIMES, cv=3, search=search, nested=True)
    assert scored[0].nested is not None
    assert scored[0].nested_folds == (0, 1, 2)

    def classes(data: altsel.Dataset) -> altsel.Solutions:
        return searched(data, "logistic", weights="count")

    null = altsel.performance(classes(TWO), TWO, cv=3, search=classes, permutations=19)
    assert null.p_null == 0.05


def test_wide_tables_and_unknown_levels() -> None:
    random = np.random.default_rng(3)
    wide = pd.DataFrame(random.normal(size=(40, 90)), columns=[f"x{j}" for j in range(90)])
    y = (wide["x0"] > 0).astype(int).rename("y")
    model = (
        FamilyModels("logistic", 2.0, RowColumns()).estimator(altsel.Dataset(wide, y)).fit(wide[:30], y[:30])
    )
    same = make_pipeline(StandardScaler(), LogisticRegression(**EXACT)).fit(wide[:30], y[:30])
    assert model.predict_proba(wide) == pytest.approx(same.predict_proba(wide), abs=1e-6)
    assert model.score(wide[30:], y[30:]) < d2_log_loss_score(y[:30], same.predict_proba(wide[:30]))
    table = pd.DataFrame({"level": pd.Categorical(["u", "v", "w"] * 10 + ["x"]), "a": random.normal(size=31)})
    target = np.append(np.arange(30) % 2, 1)
    model = FamilyModels("logistic", 1.0, RowColumns()).estimator(altsel.Dataset(table, target))
    learned = model.fit(table[:30], target[:30]).columns_["level"]
    assert learned.of(table["level"])[-1] == pytest.approx(0)
    assert learned.of(table["level"])[:30].T @ np.ones(30) == pytest.approx(0)


def test_what_solutions_say_is_read_and_checked() -> None:
    found = searched(TWO, "logistic", given=["a", "c"])
    models = family_models(found, None, TWO)
    assert models is not None
    assert (models.given, models.ridge, models.family) == (("a", "c"), 2.0, "logistic")
    assert family_models(found, LogisticRegression(), TWO) is None
    assert family_models([["a"]], None, TWO) is None
    bare = altsel.Dataset(TABLE.drop(columns="a"), TWO.y)
    with pytest.raises(DataError, match="the data lack 'a', which the search gave its models"):
        altsel.performance(found, bare, other_data=True)
    forged = replace(found, request={**found.request, "criterion": {"name": "ModelFit", "ridge": "much"}})
    with pytest.raises(DataError, match="makes no sense"):
        altsel.performance(forged, TWO)
