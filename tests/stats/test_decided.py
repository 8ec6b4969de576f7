"""Likelihood ratios that are decided by bounds: they hold, and no verdict differs from that by full fits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import optimize

import altsel
from altsel.independence import LikelihoodRatio, NegativeBinomial, Poisson
from altsel.stats.independence import likelihood_ratio
from altsel.stats.independence.glm.families import Categorical, GLMFamily
from altsel.stats.independence.glm.newton import Fitted, fit, least_gain, with_coefficients
from altsel.stats.independence.protocol import Deciding

pytestmark = pytest.mark.usefixtures("short")
FAMILIES = ["logistic", "multinomial", "poisson", "negative binomial", "ordinal", "linear", "separable"]


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let short tables be decided by bounds, too."""
    monkeypatch.setattr(likelihood_ratio, "LONG", 0)


def drawn(family: str, seed: int, rows: int = 0) -> LikelihoodRatio:
    """Draw a table whose features share factors, with a category, a copy and a heavy tail."""
    random = np.random.default_rng(seed)
    rows = rows or int(random.choice([60, 200, 600]))
    mixed = np.eye(5) + random.choice([0.0, 0.5]) * random.normal(size=(5, 5))
    table = pd.DataFrame(random.normal(size=(rows, 5)) @ mixed).add_prefix("f")
    table["heavy"], table["copy"] = np.exp(2 * random.normal(size=rows)), 2 * table["f0"] + 1
    table["c"] = random.choice(list("uvw"), rows)
    eta = random.choice([0.3, 1.0, 3.0]) * table["f0"] - 0.5 * table["f2"] + (table["c"] == "u")
    mean = np.exp(np.clip(0.5 * eta, -3, 3))
    noisy = eta + random.logistic(size=rows)
    y: dict[str, Any] = {
        "logistic": (noisy > 0).astype(int),
        "separable": (eta > eta.median()).astype(int),
        "multinomial": np.digitize(noisy, np.quantile(noisy, [0.4, 0.7, 0.9])),
        "ordinal": np.digitize(noisy, np.quantile(noisy, [0.4, 0.7])),
        "poisson": random.poisson(mean),
        "negative binomial": random.poisson(mean * random.gamma(1.0, 1.0, rows)),
        "linear": noisy,
    }
    kinds = {"poisson": "count", "negative binomial": "count", "ordinal": "ordinal"}
    data = altsel.Dataset(
        table,
        pd.Series(y[family], name="y"),
        "regression" if family == "linear" else None,
        kinds={"y": kinds[family]} if family in kinds else None,
    )
    own: dict[str, GLMFamily] = {"poisson": Poisson(), "negative binomial": NegativeBinomial()}
    weights = random.integers(1, 4, rows).astype(float) if seed % 3 == 0 else None
    return LikelihoodRatio(data, family=own.get(family), bartlett=seed % 4 > 0, weights=weights)


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_bounds_hold_and_verdicts_are_those_of_full_fits(family: str) -> None:
    bounded = 0
    for seed in range(12):
        test = drawn(family, seed)
        random = np.random.default_rng(seed)
        given = random.choice(test.features, random.integers(0, 4), replace=False).tolist()
        candidates = [name for name in test.features if name not in given]
        alpha = float(random.choice([0.001, 0.05, 0.3]))
        weakest = np.log(alpha) * random.uniform(0.5, 30, len(candidates))
        answers, full = test.decided(candidates, given, alpha, None if seed % 2 else weakest)
        test.forget()
        expected = test(candidates, given)
        assert (answers.independent(alpha) == expected.independent(alpha)).all()
        assert (answers.dependent(alpha) == expected.dependent(alpha)).all()
        assert (answers.dof == expected.dof).all()
        assert (answers.tested == expected.tested).all()
        assert answers.log_p[full] == pytest.approx(expected.log_p[full], rel=1e-6, abs=1e-5)
        assert (answers.log_p[~full] >= expected.log_p[~full] - 1e-9).all()
        assert (answers.log_p[~full] <= np.log(alpha)).all()
        bounded += int((~full).sum())
    assert (bounded > 15) == (family not in {"ordinal", "linear"})


def test_the_sharp_bound_is_near_the_ratio() -> None:
    random = np.random.default_rng(0)
    x = random.normal(size=3000)
    table = {"x": x, "z": random.normal(size=3000)}
    data = altsel.Dataset(table, np.digitize(0.2 * x + random.logistic(size=3000), [-1, 1]))
    test = LikelihoodRatio(data, bartlett=False)
    plain, _ = test.decided(["x"], ["z"], 0.05)
    test.forget()
    sharp, full = test.decided(["x"], ["z"], 0.05, np.array([-1e9]))
    assert not full[0]
    ratio = test(["x"], ["z"]).statistic[0]
    assert 0.1 * ratio < plain.statistic[0] < 0.9 * ratio
    assert 0.95 * ratio < sharp.statistic[0] <= ratio


@pytest.mark.parametrize(("slope", "bend", "reach"), [(3.0, 3.0, 0.5), (8.0, 8.0, 20.0), (2.0, 5.0, 1.0)])
def test_least_gain_is_the_largest_value_of_the_worst_curve(slope: float, bend: float, reach: float) -> None:
    def loss(t: float) -> float:
        return bend * float(np.expm1(reach * t) - reach * t) / reach**2 - slope * t

    best = -optimize.minimize_scalar(loss, (0.0, 0.01)).fun
    found = least_gain(np.array([slope]), np.array([bend]), np.array([reach]))[0]
    assert found == pytest.approx(best, rel=3e-6)
    assert found <= best


def test_least_gain_is_no_more_than_what_a_coin_gains() -> None:
    # 30 of 40 heads: the log-likelihood rises by 30 log 1.5 + 10 log .5, its score is 10^2 / 10
    gain = 30 * np.log(1.5) + 10 * np.log(0.5)
    model = fit(Categorical(), np.repeat([[1.0, 0.0]], [30, 10], axis=1), np.empty((40, 0)))
    statistic, least, step = model.scored(np.ones((40, 1, 1)))
    assert statistic[0] == pytest.approx(10.0)
    assert step[0, 0] == pytest.approx(1.0)
    # no coefficient moves a predictor farther than t: 10 t - 10 (exp(t) - t - 1) is largest at t = log 2
    assert least[0] == pytest.approx(10 * (2 * np.log(2) - 1), rel=2e-6)
    assert least[0] < gain
    at_step = 30 * np.log(1 / (1 + np.exp(-1))) + 10 * np.log(1 / (1 + np.exp(1))) + 40 * np.log(2)
    assert model.gain(np.ones((40, 1, 1)), step)[0] == pytest.approx(at_step)


def test_a_model_is_that_of_its_coefficients() -> None:
    test = drawn("multinomial", 2)
    model = test._model([0, 7])
    assert isinstance(model, Fitted)
    again = with_coefficients(model.family, model.response, model.design, model.coefficients, model.counts)
    assert again.eta == pytest.approx(model.eta, abs=1e-12)
    assert again.log_likelihood == pytest.approx(model.log_likelihood, abs=1e-9)


def test_what_is_plainly_dependent_needs_no_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Fitted, "extended", None)
    random = np.random.default_rng(5)
    table = pd.DataFrame(random.normal(size=(2500, 6)) + random.normal(size=(2500, 1))).add_prefix("f")
    score = table.sum(axis=1) + random.logistic(size=2500)
    test = LikelihoodRatio(altsel.Dataset(table, np.digitize(score, [-3, 0, 2])))
    assert isinstance(test, Deciding)
    answers, full = test.decided(["f0", "f1", "f2"], ["f4", "f5"], 0.01, np.array([-1.0, -20.0, -1e9]))
    assert not full.any()
    assert answers.dependent(0.01).all()
