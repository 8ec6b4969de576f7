"""Scores on rows held out: against scikit-learn and scipy, with intervals, beside a forest and chance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import get_scorer, make_scorer, roc_auc_score
from sklearn.neighbors import KNeighborsClassifier

import altsel
from altsel.comparison import HeldOutModels
from altsel.data.dealing import joined
from altsel.errors import ArgumentError, DataError
from altsel.results import Performance
from altsel.stats.resampled_scores import exact_share, percentiles, resampled_scores

SETS = [["a", "b"], ["a", "c"], ["n1", "n2"], []]


def table(classes: bool, rows: int = 300, seed: int = 0) -> altsel.Dataset:
    random = np.random.default_rng(seed)
    columns = {name: random.normal(size=rows) for name in ["a", "b", "c", *(f"n{j}" for j in range(12))]}
    y = columns["a"] + columns["b"] + random.normal(size=rows)
    return altsel.Dataset(pd.DataFrame(columns), pd.Series(y > 0.3 if classes else y, name="y"))


@pytest.mark.slow
def test_scores_are_those_of_models_fitted_to_the_one_and_judged_on_the_other() -> None:
    for classes in (True, False):
        train, held = table(classes).split(0.3)
        model: Any = LogisticRegression() if classes else LinearRegression()
        scored = altsel.performance(SETS, train, model, holdout=held)
        for one in scored.sets[:3]:
            names = list(one.features)
            fitted = model.fit(train.X[names], train.target_values())
            assert one.score.value == pytest.approx(fitted.score(held.X[names], held.target_values()))
        y, mean = held.target_values(), train.target_values().mean()
        chance = np.mean(y == (mean > 0.5)) if classes else 1 - ((y - mean) ** 2).sum() / y.var() / len(y)
        assert scored.no_features.value == pytest.approx(chance)
        assert scored.sets[3].score == scored.no_features
        assert (scored.holdout, scored.data) == (len(held.y), train.fingerprint)
        assert scored.forest is not None
        grown = (
            RandomForestClassifier
            if classes
            else altsel.stats.dependence.importance.ensemble.RandomForestRegressor
        )
        found = grown(random_state=0).fit(train.matrix(), train.target_values()).feature_importances_
        assert set(scored.forest.features) == {train.features[j] for j in np.argsort(-found)[:10]}
        for number, one in enumerate(scored.sets):
            if number:
                assert one.difference is not None
                assert one.difference.value == pytest.approx(one.score.value - scored[0].score.value)
        assert Performance.from_json(scored.to_json()) == scored
        assert scored.to_frame()["set"].tolist() == ["0", "1", "2", "3", "forest", "all", "none"]


@pytest.mark.slow
def test_the_interval_of_accuracy_is_exact_and_others_are_percentiles_of_resamples() -> None:
    train, held = table(classes=True).split(0.3)
    scored = altsel.performance(SETS, train, LogisticRegression(), holdout=held)
    for known in (*(one.score for one in scored.sets), scored.all_features, scored.no_features):
        exact = binomtest(round(known.value * len(held.y)), len(held.y)).proportion_ci(0.95, "exact")
        assert (known.low, known.high) == pytest.approx((exact.low, exact.high))
    assert "exact (Clopper-Pearson)" in scored.notes()[0]
    model = LogisticRegression().fit(train.X[["a", "b"]], train.target_values())
    by = HeldOutModels(train, held, LogisticRegression(), scoring="roc_auc", resamples=200, random_state=3)
    y, share = held.target_values(), model.predict_proba(held.X[["a", "b"]])[:, 1]
    drawn = [np.random.default_rng((3, i)).integers(0, len(y), len(y)) for i in range(200)]
    resampled = [roc_auc_score(y[rows], share[rows]) for rows in drawn]
    found = by.estimate(["a", "b"])
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(resampled, [0.025, 0.975])))
    other = LogisticRegression().fit(train.X[["c"]], train.target_values())
    shares = other.predict_proba(held.X[["c"]])[:, 1]
    change = [roc_auc_score(y[rows], shares[rows]) - roc_auc_score(y[rows], share[rows]) for rows in drawn]
    paired = by.difference(["c"], ["a", "b"])
    assert (paired.low, paired.high) == pytest.approx(tuple(np.quantile(change, [0.025, 0.975])))


@pytest.mark.long
@pytest.mark.parametrize("rows", [60, 400])
def test_intervals_hold_what_new_rows_would_score(rows: int) -> None:
    """Of 100 hold-out tables the intervals of a model as it is hold its score of very many rows in 95 %."""
    train, many = table(classes=False, rows=500), table(classes=False, rows=50_000, seed=99)
    truth = LinearRegression().fit(train.X[["a"]], train.y).score(many.X[["a"]], many.y)
    hits = 0
    for number in range(100):
        part = slice(number * rows, (number + 1) * rows)
        held = train.holdout(many.X.iloc[part], many.y.iloc[part])
        models = HeldOutModels(train, held, LinearRegression(), resamples=150, random_state=number)
        found = models.estimate(["a"])
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= truth <= found.high
    assert 86 <= hits <= 100  # four standard errors below 95 %


@pytest.mark.slow
def test_a_score_that_predictions_do_not_give_has_no_interval() -> None:
    train, held = table(classes=True).split(0.3)

    def of_columns(model: Any, X: pd.DataFrame, y: Any) -> float:
        return float(X.iloc[:, 0].mean())

    models = HeldOutModels(train, held, LogisticRegression(), scoring=of_columns, resamples=60)
    assert (models.estimate(["a"]).low, models.estimate(["a"]).high) == (None, None)
    made = make_scorer(roc_auc_score, response_method="predict_proba")
    models = HeldOutModels(train, held, LogisticRegression(), scoring=made, resamples=60)
    assert models.estimate(["a"]).high is not None
    assert percentiles(0.5, np.array([0.5, np.nan, np.nan]), 0.95).high is None  # too few are defined
    assert percentiles(0.5, np.full(9, 0.5), 0.95).high is None  # equal ones tell no spread
    assert exact_share(0, 7, 0.95).low == 0.0


@pytest.mark.slow
def test_levels_and_kinds_of_both_parts_are_those_of_the_table() -> None:
    random = np.random.default_rng(1)
    size = random.choice(["small", "medium", "large"], 200)
    frame = pd.DataFrame({"n": random.normal(size=200), "c": random.choice(list("uvw"), 200), "size": size})
    kinds: Any = {"size": ["small", "medium", "large"]}
    data = altsel.Dataset(frame, pd.Series(random.choice(list("pqr"), 200), name="y"), kinds=kinds)
    train, held = data.split(0.25, 3)
    whole = joined(train, held)
    assert whole.kinds == data.kinds
    assert (len(whole.y), whole.classes) == (200, data.classes)
    fresh = held.X.assign(c=["new", *held.X["c"].astype(str)[1:]])  # a level that was never seen
    scored = altsel.performance([["c"], ["n", "size"]], train, holdout=train.holdout(fresh, held.y))
    assert all(np.isfinite(one.score.value) for one in scored.sets)


@pytest.mark.filterwarnings("ignore:features determine:altsel.DataWarning")
def test_numbers_that_are_whole_in_one_part_only_stay_what_they_are() -> None:
    train = altsel.Dataset({"a": [0.5, 1.5, 2.5, 3.5] * 5, "b": [1, 2, 3, 4] * 5}, [0.0, 1.0, 2.0, 3.5] * 5)
    held = train.holdout(pd.DataFrame({"a": [1, 2, 3], "b": [1.5, 2.5, 3.5]}), [0, 1, 2])
    both = joined(train, held)
    assert both.X["a"].tolist()[:2] == [0.5, 1.5]
    assert both.X["b"].tolist()[-1] == 3.5
    assert both.y.tolist()[3] == 3.5


@pytest.mark.slow
def test_what_makes_no_sense_is_refused() -> None:
    train, held = table(classes=True).split(0.3)
    with pytest.raises(ArgumentError, match="holdout has the rows that models are fitted to"):
        altsel.performance([["a"]], train, holdout=train)
    with pytest.raises(ArgumentError, match="holdout has other columns than data"):
        altsel.performance([["a"]], train, holdout=altsel.Dataset(held.X[["a"]], held.y))
    given: dict[str, Any] = {"nested": True, "permutations": 3, "groups": "n1"}
    for name, value in given.items():
        with pytest.raises(ArgumentError, match=f"{name} is about folds"):
            altsel.performance([["a"]], train, holdout=held, **{name: value})
    with pytest.raises(ArgumentError, match="holdout takes a Dataset"):
        altsel.performance([["a"]], train, holdout=held.X)  # type: ignore[arg-type]
    found = altsel.sequential(altsel.Problem(altsel.Univariate(train), 2), altsel.Dice(0.5), 1)
    with pytest.raises(DataError, match="another fingerprint"):  # the search has seen the rows judged
        altsel.performance(found, table(classes=True), holdout=held)
    assert altsel.performance(found, train, KNeighborsClassifier(), holdout=held).holdout == len(held.y)


def test_a_split_is_seeded_balances_classes_and_keeps_groups_together() -> None:
    data = table(classes=True)
    one, again, other = data.split(0.3, 1), data.split(0.3, 1), data.split(0.3, 2)
    assert [part.fingerprint for part in one] == [part.fingerprint for part in again]
    assert one[1].fingerprint != other[1].fingerprint
    shares = [part.target_values().mean() for part in one]
    assert shares[0] == pytest.approx(shares[1], abs=0.02)
    assert sorted([*one[0].X["a"], *one[1].X["a"]]) == sorted(data.X["a"])
    patients = np.arange(300) // 6
    grouped = altsel.Dataset(data.X.assign(patient=patients), data.y)
    for groups in ("patient", patients):
        train, held = grouped.split(0.3, groups=groups)
        assert not set(train.X["patient"]) & set(held.X["patient"])
    for share in (0, 1, -0.1, "half", True):
        with pytest.raises(ArgumentError, match="hold out a share of the rows above 0 and below 1"):
            data.split(share)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="too few on one side for each class"):
        data.split(0.001)
    with pytest.raises(ArgumentError, match="groups='nobody' is no column"):
        data.split(0.3, groups="nobody")


@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc", "neg_log_loss", "r2", "neg_mean_squared_error"])
def test_scores_by_formula_are_those_of_scikit_learn(scoring: str) -> None:
    classes = scoring not in {"r2", "neg_mean_squared_error"}
    train, held = table(classes=classes).split(0.3)
    model: Any = LogisticRegression() if classes else LinearRegression()
    fitted = model.fit(train.X[["a", "b"]], train.target_values())
    rows, y = held.X[["a", "b"]], held.target_values()
    judge = get_scorer(scoring)
    drawn = [np.random.default_rng(i).integers(0, len(y), len(y)) for i in range(20)]
    found = resampled_scores(fitted, scoring, rows, y, judge(fitted, rows, y), drawn)
    assert found == pytest.approx([judge(fitted, rows.iloc[places], y[places]) for places in drawn])
