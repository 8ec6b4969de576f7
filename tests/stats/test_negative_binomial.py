"""Negative binomial regression against statsmodels, and which family counts get."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

import altsel
from altsel.independence import LikelihoodRatio, NegativeBinomial, Poisson, auto
from altsel.stats.independence.glm.negative_binomial import family_of_counts

ROWS = 300


def frame(dispersion: float = 0.5, seed: int = 0) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    table = pd.DataFrame(random.normal(size=(ROWS, 2)), columns=["a", "b"])
    mean = np.exp(2 + 0.3 * table["a"].to_numpy())
    y = random.poisson(mean)
    if dispersion:
        y = random.negative_binomial(1 / dispersion, 1 / (1 + dispersion * mean))
    return table.assign(y=y)


def log_likelihood(table: pd.DataFrame, names: list[str], dispersion: float) -> float:
    design = sm.add_constant(table[names]) if names else np.ones((ROWS, 1))
    family = sm.families.NegativeBinomial(alpha=dispersion)
    return float(sm.GLM(table["y"], design, family=family).fit(tol=1e-12).llf)


@pytest.mark.parametrize("dispersion", [1e-3, 0.5, 40.0])
def test_ratios_of_a_known_dispersion_equal_statsmodels(dispersion: float) -> None:
    table = frame()
    test = LikelihoodRatio(altsel.Dataset(table, "y", "regression"), family=NegativeBinomial(dispersion))
    for names, given in ((["a", "b"], []), (["b"], ["a"])):
        base = log_likelihood(table, given, dispersion)
        expected = [2 * (log_likelihood(table, [*given, name], dispersion) - base) for name in names]
        assert test(names, given).statistic == pytest.approx(expected, rel=1e-5, abs=1e-6)
        score = test.best_first(names, given, lambda answers: np.arange(len(answers.p)))
        assert score.statistic == pytest.approx(expected, rel=0.25, abs=0.3)


def test_a_dispersion_of_next_to_nothing_is_poissons() -> None:
    data = altsel.Dataset(frame(), "y", "regression")
    both = [
        LikelihoodRatio(data, family=family)(["a", "b"]) for family in (NegativeBinomial(1e-12), Poisson())
    ]
    assert both[0].statistic == pytest.approx(both[1].statistic, rel=1e-6)


def test_the_dispersion_solves_the_equation_of_moments() -> None:
    table = frame()
    model = LikelihoodRatio(altsel.Dataset(table, "y", kinds={"y": "count"}))._model([0])
    assert isinstance(model.family, NegativeBinomial)
    assert model.family.dispersion is not None
    a, mean, y = model.family.dispersion, np.exp(model.eta[0]), table["y"].to_numpy()
    assert ((y - mean) ** 2 / (mean + a * mean**2)).sum() == pytest.approx(ROWS - 2, rel=1e-5)
    likely = sm.NegativeBinomial(y, sm.add_constant(table[["a"]])).fit(disp=0).params["alpha"]
    assert a == pytest.approx(likely, rel=0.1)


def test_counts_that_vary_less_make_the_model_poissons() -> None:
    random = np.random.default_rng(0)
    data = altsel.Dataset({"x": random.normal(size=200)}, random.binomial(60, 0.8, 200), "regression")
    both = [LikelihoodRatio(data, family=family)(["x"]) for family in (NegativeBinomial(), Poisson())]
    assert both[0].statistic == pytest.approx(both[1].statistic)


def test_the_index_of_dispersion_chooses() -> None:
    random = np.random.default_rng(1)
    assert family_of_counts(random.negative_binomial(3, 0.1, ROWS).astype(float)).name == "negative binomial"
    for y in (random.poisson(40, ROWS), random.binomial(100, 0.7, ROWS)):
        assert family_of_counts(y.astype(float)).name == "Poisson"


def test_auto_takes_declared_counts_alone_for_counts() -> None:
    table, declared = frame(), {"y": "count"}
    assert "negative binomial" in auto(altsel.Dataset(table, "y", kinds=declared)).name
    plain = table.assign(y=np.random.default_rng(3).poisson(40, ROWS))
    assert "Poisson" in auto(altsel.Dataset(plain, "y", kinds=declared)).name
    for undeclared in (table, plain):
        assert "partial correlation" in auto(altsel.Dataset(undeclared, "y")).name
        mixed = undeclared.assign(c=["u", "v", "w"] * (ROWS // 3))
        assert "linear" in auto(altsel.Dataset(mixed, "y")).name
    few = table.assign(y=np.minimum(table["y"], 5))
    assert "multinomial" in auto(altsel.Dataset(few, "y")).name
    assert "binomial" in auto(altsel.Dataset(few.assign(y=few["y"] ** 2), "y", kinds=declared)).name
    assert "linear" in auto(altsel.Dataset(table, "y", kinds=declared)).with_target("a").name


@pytest.mark.long
@pytest.mark.parametrize("dispersion", [0.0, 0.4, 2.0])
def test_true_nulls_are_rejected_at_alpha(dispersion: float) -> None:
    rates = []
    for seed in range(4):
        table = frame(dispersion, seed)
        noise = np.random.default_rng(seed + 10).normal(size=(ROWS, 250)) + 0.7 * table[["a"]].to_numpy()
        columns = pd.DataFrame(noise).rename(columns=str).assign(a=table["a"])
        data = altsel.Dataset(columns, table["y"], "regression")
        names = [str(j) for j in range(250)]
        rates.append(
            [
                (LikelihoodRatio(data, family=family)(names, ["a"]).p <= 0.05).mean()
                for family in (NegativeBinomial(), Poisson())
            ]
        )
    ours, poissons = np.mean(rates, axis=0)
    assert abs(ours - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 1000)
    assert dispersion == 0 or poissons > 0.2


def test_searches_for_all_blankets_compare_sets_by_the_test_itself() -> None:
    test = auto(altsel.Dataset(frame(), "y", kinds={"y": "count"}))
    assert "information equivalence by likelihood-ratio" in altsel.comparison.recommended_criterion(test).name
    assert altsel.blankets.tmfbs(test, 0.01)[0].features == ("a",)
    with pytest.raises(altsel.ArgumentError, match="use Categorical"):
        altsel.comparison.GLMModels(altsel.Dataset(frame(), "y"), NegativeBinomial())


def test_what_is_no_family_or_no_count_is_refused() -> None:
    data = altsel.Dataset(frame(), "y", "regression")
    with pytest.raises(altsel.DataError, match="a negative binomial model needs counts"):
        LikelihoodRatio(altsel.Dataset(frame(), "a"), family=NegativeBinomial())
    with pytest.raises(altsel.ArgumentError, match="dispersion=-1"):
        NegativeBinomial(-1)
    with pytest.raises(altsel.ArgumentError, match=r"family='poisson'; give one of"):
        LikelihoodRatio(data, family="poisson")  # type: ignore[arg-type]
