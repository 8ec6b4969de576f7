"""gOMP against its definition, by the models of another library."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy.stats import chi2

import altsel
from altsel.ranking import gomp


def residuals(kind: str, table: pd.DataFrame, y: Any) -> np.ndarray[Any, Any]:
    design = np.ones((len(y), 1))
    if table.shape[1]:
        design = sm.add_constant(pd.get_dummies(table, drop_first=True, dtype=float).to_numpy())
    if kind == "classes":
        model = sm.MNLogit(y, design).fit(disp=0)
        return np.asarray((np.eye(3)[y] - model.predict())[:, 1:].T)
    families = {"linear": sm.families.Gaussian(), "logistic": sm.families.Binomial()}
    model = sm.GLM(y, design, family=families.get(kind, sm.families.Poisson())).fit()
    return np.asarray((y - model.fittedvalues)[None])


def log_p(column: pd.Series, left: np.ndarray[Any, Any]) -> float:
    number = pd.api.types.is_numeric_dtype(column)
    block = column if number else pd.get_dummies(column, drop_first=True, dtype=float)
    design = sm.add_constant(block.to_numpy(dtype=float))
    dof = np.linalg.matrix_rank(design) - 1
    shares = [sm.OLS(one, design).fit().rsquared for one in left]
    return float(chi2.logsf(len(column) * sum(shares), dof * len(left)))


@pytest.mark.parametrize("kind", ["linear", "logistic", "classes", "counts"])
def test_each_step_follows_the_residuals_of_the_model_before(kind: str) -> None:
    random = np.random.default_rng(len(kind))
    table = pd.DataFrame(random.normal(size=(300, 8)), columns=list("abcdefgh"))
    table["b"] += table["a"]
    table["word"] = random.choice(["u", "v", "w"], 300).astype(object)
    signal = table["a"] - table["b"] + table["f"] + np.where(table["word"] == "u", 1.5, 0)
    y: Any = signal + random.normal(size=300)
    if kind == "logistic":
        y = (signal + random.logistic(size=300) > 0).astype(int)
    elif kind == "classes":
        y = np.digitize(y, [-0.5, 1.0])
    elif kind == "counts":
        y = random.poisson(np.exp(0.4 * signal))
    y = np.asarray(y)
    task = {"linear": "regression", "logistic": "binary", "classes": "multiclass"}.get(kind)
    data = altsel.Dataset(table, pd.Series(y, name="y"), task=task or "regression")
    family = altsel.independence.Poisson() if kind == "counts" else None
    path = gomp(data, alpha=0.001, family=family)[0].path
    assert len(path) >= 3
    chosen: list[str] = []
    for step in path:
        left = residuals(kind, table[chosen], y)
        scores = {name: log_p(table[name], left) for name in table if name not in chosen}
        assert step.feature == min(scores, key=lambda name: scores[name])
        assert step.score > 0
        chosen.append(step.feature)


def test_it_ends_at_noise_and_at_a_number() -> None:
    random = np.random.default_rng(1)
    X = random.normal(size=(200, 30))
    data = altsel.Dataset(X, 2 * X[:, 4] - X[:, 7] + random.normal(size=200))
    found = gomp(data, alpha=1e-4)
    assert [step.feature for step in found[0].path] == ["x4", "x7"]
    assert found[0].proof is altsel.Proof.HEURISTIC
    assert [step.feature for step in gomp(data, max_features=1)[0].path] == ["x4"]
    noise = altsel.Dataset(X, random.normal(size=200))
    assert gomp(noise, alpha=1e-6)[0].features == ()


def test_an_ordinal_target_is_refused_with_what_to_do() -> None:
    y = pd.Series(pd.Categorical(["low", "mid", "high"] * 20, ["low", "mid", "high"], ordered=True), name="y")
    data = altsel.Dataset({"a": np.arange(60.0)}, y)
    with pytest.raises(altsel.ArgumentError, match="declare 'y' as categorical or numeric"):
        gomp(data)
