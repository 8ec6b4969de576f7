"""Fits of regularised models as a criterion: scores, models, and what is refused."""

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression, PoissonRegressor
from sklearn.preprocessing import StandardScaler

import altsel
from altsel import ModelFit


def table(seed: int, rows: int = 60, features: int = 5) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    return pd.DataFrame(random.normal(size=(rows, features)), columns=[*"abcdefgh"[:features]])


def classes(frame: pd.DataFrame, seed: int = 0) -> Any:
    noise = np.random.default_rng(seed).logistic(size=len(frame))
    return (frame["a"] - 0.7 * frame["b"] + noise > 0).to_numpy().astype(int)


def mask_of(quality: ModelFit, names: Any) -> Any:
    return np.isin(quality.features, [*names])


@pytest.mark.parametrize("ridge", [0.1, 1.0, 20.0])
def test_the_score_is_the_share_that_scikit_learn_explains(ridge: float) -> None:
    frame = table(1)
    y = classes(frame)
    quality = ModelFit(altsel.Dataset(frame, y), ridge=ridge)
    columns = StandardScaler().fit_transform(frame[["a", "c"]])
    model = LogisticRegression(C=1 / ridge, tol=1e-12, max_iter=10_000).fit(columns, y)
    u = model.decision_function(columns)
    loss = np.logaddexp(0, u).sum() - y @ u + ridge / 2 * (model.coef_**2).sum()
    share = y.mean()
    nothing = -len(y) * (share * np.log(share) + (1 - share) * np.log(1 - share))
    assert quality.score(mask_of(quality, "ac")) == pytest.approx(1 - loss / nothing, abs=1e-9)
    constants, b = quality.coefficients(mask_of(quality, "ac"))
    assert constants == pytest.approx(model.intercept_, abs=1e-5)
    assert b[:, [0, 2]] == pytest.approx(model.coef_, abs=1e-5)


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_counts_with_an_exposure_and_weights() -> None:
    frame = table(2)
    random = np.random.default_rng(2)
    exposure, weights = random.uniform(1, 4, len(frame)), random.integers(0, 3, len(frame)).astype(float)
    y = random.poisson(exposure * np.exp(0.5 * frame["a"].to_numpy()))
    data = altsel.Dataset(frame, y, task="regression")
    quality = ModelFit(data, "poisson", weights=weights, offset=np.log(exposure))
    kept = np.repeat(np.arange(len(frame)), weights.astype(int))
    again = altsel.Dataset(frame.iloc[kept].reset_index(drop=True), y[kept], task="regression")
    repeated = ModelFit(again, "poisson", offset=np.log(exposure)[kept])
    for names in ("a", "bd"):
        assert quality.score(mask_of(quality, names)) == pytest.approx(
            repeated.score(mask_of(repeated, names)), abs=1e-9
        )
    plain = ModelFit(data, "poisson", ridge=2.0)
    columns = StandardScaler().fit_transform(frame[["a"]])
    model = PoissonRegressor(alpha=2.0 / len(y), tol=1e-12, max_iter=10_000).fit(columns, y)
    assert plain.coefficients(mask_of(plain, "a"))[1][0, 0] == pytest.approx(model.coef_[0], abs=1e-5)


@pytest.mark.parametrize(("penalty", "price"), [("aic", 2.0), ("bic", np.log(60)), ("ebic", np.log(60))])
def test_penalties_price_coefficients(penalty: str, price: float) -> None:
    frame = table(3).assign(level=pd.Categorical([*"xyz"] * 20))
    data = altsel.Dataset(frame, classes(frame))
    plain, priced = ModelFit(data), ModelFit(data, penalty=penalty)
    null = plain.model_fit.model.null
    for names, coefficients in ((["a"], 2), (["a", "level"], 4)):
        loss = (1 - plain.score(mask_of(plain, names))) * null
        several = 2 * np.log(6 if len(names) == 1 else 15) if penalty == "ebic" else 0.0
        expected = -(2 * loss + coefficients * price + several)
        assert priced.score(mask_of(priced, names)) == pytest.approx(expected, abs=1e-8)
        assert priced.least <= expected <= priced.most


@pytest.mark.slow
@pytest.mark.parametrize("penalty", [None, "bic", "ebic"])
@pytest.mark.parametrize("family", ["logistic", "multinomial"])
def test_a_named_solver_finds_what_all_sets_tell(family: str, penalty: str | None) -> None:
    frame = table(4, features=6)
    target = classes(frame) + (frame["c"] > 1).to_numpy() if family == "multinomial" else classes(frame)
    quality = ModelFit(altsel.Dataset(frame, target.astype(str)), family, penalty=penalty)
    rule = altsel.domain.at_most(1, ["a", "b"])
    problem = altsel.Problem(quality, k=(1, 3), subject_to=[rule])
    best = max(
        quality.score(mask_of(quality, names))
        for size in (1, 2, 3)
        for names in combinations(quality.features, size)
        if not {"a", "b"} <= {*names}
    )
    for solver in ("highs", None):
        found = altsel.sequential(problem, altsel.Dice(0.5), 0, solver)[0]
        assert found.proof is altsel.Proof.OPTIMAL
        assert found.score == pytest.approx(best, abs=1e-8 * max(1.0, abs(best)))


@pytest.mark.parametrize("family", ["logistic", "ordinal", "cox"])
def test_rows_bound_all_sets_and_are_tight(family: str) -> None:
    frame = table(5)
    target = np.round(np.exp(frame["a"].to_numpy()), 1) if family == "cox" else classes(frame)
    task = "regression" if family == "cox" else None
    quality = ModelFit(altsel.Dataset(frame, target, task=task), family, expand="spline")
    masks = [np.isin(np.arange(5), some) for k in range(6) for some in combinations(range(5), k)]
    scores = np.array([quality.score(mask) for mask in masks])
    for mask, score in zip(masks[::5], scores[::5], strict=True):
        constant, slopes = quality.bounding_row(mask)
        rows = constant + np.array([slopes[other].sum() for other in masks])
        assert (rows >= scores - 1e-9).all()
        assert constant + slopes[mask].sum() == pytest.approx(score, abs=1e-7)


def test_splines_follow_curves() -> None:
    frame = table(6, rows=150)
    bent = (frame["a"] ** 2 > 0.5).to_numpy()
    data = altsel.Dataset(frame, bent)
    straight, curved = ModelFit(data), ModelFit(data, expand="spline")
    assert straight.score(mask_of(straight, "a")) < 0.1
    assert curved.score(mask_of(curved, "a")) > 0.5
    assert curved.model_fit.model.widths.tolist() == [3] * 5


def test_what_rows_hold_is_no_feature_and_belongs_to_its_target() -> None:
    frame = table(7).assign(seen=[0, 1] * 30, often=1.5)
    frame.loc[0, "often"] = 2.0
    data = altsel.Dataset(frame, np.arange(60.0), task="regression")
    quality = ModelFit(data, "cox", event="seen", weights="often", given=["a"])
    assert quality.features == ("b", "c", "d", "e")
    assert quality.settings == {
        "family": "cox", "ridge": "1.0", "weights": "often", "event": "seen", "given": "a"
    }  # fmt: skip
    with pytest.raises(altsel.ArgumentError, match="given columns explain would be shuffled"):
        quality.for_data(data)
    with pytest.raises(altsel.ArgumentError, match="the event of a row belongs to its target"):
        ModelFit(data, "cox", event="seen").for_data(data)
    assert ModelFit(data, "cox").for_data(data).score(np.ones(7, bool)) > 0


def test_ordered_text_needs_its_order() -> None:
    frame = table(8)
    levels = np.array(["low", "mid", "high"])[np.digitize(frame["a"], [-0.5, 0.5])]
    with pytest.raises(altsel.DataError, match=r"order of the classes of 'target' is not known; declare it"):
        ModelFit(altsel.Dataset(frame, pd.Series(levels, name="target")), "ordinal")
    declared = altsel.Dataset(frame.assign(grade=levels), "grade", kinds={"grade": ["low", "mid", "high"]})
    quality = ModelFit(declared, "ordinal")
    assert quality.score(mask_of(quality, "a")) > 0.5
