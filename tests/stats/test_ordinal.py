"""Proportional odds against statsmodels, and what ordinal features mean to likelihood ratios."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.miscmodels.ordinal_model import OrderedModel

import altsel
from altsel.independence import LikelihoodRatio, ProportionalOdds, auto
from altsel.stats.independence.glm.cumulative import CumulativeFit
from tests.stats.test_likelihood_ratio import hostile

ROWS = 300


def frame(seed: int = 0) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "n": random.normal(size=ROWS),
            "c": random.choice(list("uvw"), ROWS),
            "o": pd.Categorical.from_codes(random.integers(0, 4, ROWS), pd.Index(list("abcd")), ordered=True),
        }
    )
    latent = 0.8 * table["n"] + (table["c"] == "u") + 0.3 * table["o"].cat.codes
    levels = np.digitize(latent + random.logistic(size=ROWS), [-0.5, 0.5, 2])
    return table.assign(
        y=pd.Categorical.from_codes(levels, pd.Index(["none", "little", "some", "much"]), ordered=True)
    )


def log_likelihood(table: pd.DataFrame, names: list[str]) -> float:
    """Fit by statsmodels; a capital O are indicators of the ordinal feature, o its scores."""
    if not names:
        sizes = np.bincount(table["y"].cat.codes)
        return float((sizes * np.log(sizes / ROWS)).sum())
    columns = {
        "n": table[["n"]],
        "c": pd.get_dummies(table["c"], drop_first=True).astype(float),
        "o": table["o"].cat.codes.astype(float).to_frame("o"),
        "O": pd.get_dummies(table["o"], drop_first=True).astype(float),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = OrderedModel(
            table["y"].cat.codes, pd.concat([columns[name] for name in names], axis=1), distr="logit"
        )
        return float(model.fit(method="bfgs", disp=0, gtol=1e-9, maxiter=1000).llf)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("candidate", "given", "fitted"),
    [
        ("n", [], []),
        ("c", [], []),
        ("o", [], []),
        ("n", ["o"], ["O"]),
        ("c", ["n", "o"], ["n", "O"]),
        ("o", ["n", "c"], ["n", "c"]),
    ],
)
def test_ratios_equal_statsmodels(candidate: str, given: list[str], fitted: list[str]) -> None:
    table = frame()
    test = LikelihoodRatio(altsel.Dataset(table, "y"))
    answers = test([candidate], given)
    expected = 2 * (log_likelihood(table, [*fitted, candidate]) - log_likelihood(table, fitted))
    assert "proportional-odds" in test.name
    assert answers.statistic[0] == pytest.approx(expected, rel=1e-5)
    assert answers.dof[0] == (2 if candidate == "c" else 1)
    assert answers.p[0] == pytest.approx(stats.chi2.sf(expected, answers.dof[0]), rel=1e-3)
    assert test.best_first([candidate], given).statistic[0] == pytest.approx(expected, rel=1e-5)
    indices, known = test._variables.indices([candidate], given)
    score = test._model(known).score(test._design.blocks(indices))
    assert score[0] == pytest.approx(expected, rel=0.25, abs=0.5)


def test_derivatives_are_those_of_the_log_likelihood() -> None:
    data = altsel.Dataset(frame(), "y")
    test = LikelihoodRatio(data)
    model = test._model([0])
    assert isinstance(model, CumulativeFit)
    block = test._design.blocks(np.array([1]))
    eta, thresholds = model.eta[0, model.order, None] + 0.3, np.sort(model.thresholds * 1.3)[None]
    gradient, information = model._derivatives(block[model.order], eta, thresholds)
    columns = np.column_stack([model.design[:, 1:], block[:, 0]])[model.order]
    size, own, step = gradient.shape[1], thresholds.shape[1], 1e-5

    def moved(j: int, by: float) -> tuple[np.ndarray, np.ndarray]:
        if j < own:
            return eta, thresholds + by * (np.arange(own) == j)
        return eta + by * columns[:, j - own, None], thresholds

    for j in range(size):
        up, down = (model._log_likelihood(*moved(j, by))[0] for by in (step, -step))
        assert gradient[0, j] == pytest.approx((up - down) / (2 * step), rel=1e-5, abs=1e-5)
        up, down = (model._derivatives(block[model.order], *moved(j, by))[0][0] for by in (step, -step))
        assert information[0, j] == pytest.approx(-(up - down) / (2 * step), rel=1e-4, abs=1e-4)


def test_of_two_classes_it_is_logistic_regression() -> None:
    table = frame()
    table["y"] = (table["y"] > "little").astype(int)
    data = altsel.Dataset(table, "y")
    ordinal = LikelihoodRatio(data, family=ProportionalOdds())(["n", "c"], ["o"])
    logistic = LikelihoodRatio(data, bartlett=False)(["n", "c"], ["o"])
    assert ordinal.statistic == pytest.approx(logistic.statistic, rel=1e-6)


def test_separated_classes_are_dependent() -> None:
    x = np.linspace(-1, 1, 90)
    data = altsel.Dataset(
        {"x": x, "z": np.tile([0.0, 1, 2], 30)}, np.repeat([0, 1, 2], 30), kinds={"y": "ordinal"}
    )
    answers = LikelihoodRatio(data)(["x", "z"])
    assert answers.statistic[0] == pytest.approx(2 * 90 * np.log(3), rel=1e-3)
    assert np.isfinite(LikelihoodRatio(data)(["z"], ["x"]).log_p).all()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["binary", "ordinal", "number"])
def test_true_nulls_are_rejected_at_alpha(kind: str) -> None:
    random = np.random.default_rng(3)
    s = random.integers(0, 4, 400)
    shift = np.array([0.0, 1.5, 1.5, 0.0])[s]  # no line in the scores of s
    noise = random.normal(size=(400, 1000)) + shift[:, None]
    cuts = {"binary": [0.7], "ordinal": [-0.3, 0.5, 1.2, 2.0], "number": None}[kind]
    columns = noise if cuts is None else np.digitize(noise, cuts)
    kinds = {str(j): "ordinal" for j in range(1000)} if kind == "ordinal" else {}
    latent = shift + random.logistic(size=400)
    y = pd.Series(np.digitize(latent, [-0.5, 0.5, 1.5, 3]), name="y")
    table = pd.DataFrame(columns).rename(columns=str).assign(s=s)
    data = altsel.Dataset(table, y, kinds={**kinds, "s": "ordinal", "y": "ordinal"})
    answers = LikelihoodRatio(data)([str(j) for j in range(1000)], ["s"])
    assert set(answers.dof) == {1.0}
    assert abs(float((answers.p <= 0.05).mean()) - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 1000)


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@pytest.mark.parametrize("seed", range(1, 40, 2))
def test_hostile_tables_give_finite_answers(seed: int) -> None:
    data, random = hostile(seed)
    data = altsel.Dataset(data.X, data.y, kinds={"y": "ordinal", "near": "ordinal", "copy": "ordinal"})
    test = LikelihoodRatio(data, samples_per_parameter=0)
    for _ in range(3):
        given = [str(one) for one in random.choice(data.features, random.integers(0, 4), replace=False)]
        candidates = [name for name in data.features if name not in given]
        for answers in (test(candidates, given), test.best_first(candidates, given)):
            assert np.isfinite(answers.log_p).all()
            assert np.isfinite(answers.statistic).all()
            assert (answers.log_p <= 0).all()


def test_thresholds_count_as_coefficients_where_rows_are_few() -> None:
    random = np.random.default_rng(0)
    data = altsel.Dataset({"x": random.normal(size=24)}, np.arange(24) % 5, kinds={"y": "ordinal"})
    assert not LikelihoodRatio(data)(["x"]).tested[0]  # 4 thresholds and a slope, 5 rows each
    assert LikelihoodRatio(data, samples_per_parameter=24 / 5)(["x"]).tested[0]


def test_auto_and_searches_take_the_order_into_account() -> None:
    data = altsel.Dataset(frame(), "y")
    test = auto(data)
    assert "proportional-odds" in test.name
    assert "proportional-odds" in test.with_target("o").name
    assert test.with_target("o")(["y"]).dof[0] == 1
    found = altsel.blankets.tmfbs(test, 0.01)
    assert set(found[0].features) == {"n", "c", "o"}
    assert "proportional-odds" in auto(altsel.Dataset(frame()[["o", "y"]], "y")).name  # not G-square
    assert "linear" in auto(altsel.Dataset(frame().drop(columns=["y", "c"]), "n")).name


def test_scores_of_ordinal_columns_can_be_correlated() -> None:
    table = frame().drop(columns="c")
    answers = altsel.independence.PartialCorrelation(altsel.Dataset(table, "y"), ranks=True)(["o"])
    assert answers.effect[0] == pytest.approx(stats.spearmanr(table["o"].cat.codes, table["y"].cat.codes)[0])


def test_proportional_odds_need_an_order() -> None:
    table = frame()
    for named in (table["y"].astype(str), table["y"].cat.codes.astype(str).astype("category")):
        with pytest.raises(altsel.DataError, match=r"'y' has categories without an order.*\{'y': \["):
            LikelihoodRatio(altsel.Dataset(table[["n", "c"]], named), family=ProportionalOdds())
    ranks = altsel.Dataset(table[["n", "c"]], table["y"].cat.codes)
    expected = LikelihoodRatio(altsel.Dataset(table[["n", "c", "y"]], "y"))(["n"]).p
    assert LikelihoodRatio(ranks, family=ProportionalOdds())(["n"]).p == pytest.approx(expected)
    LikelihoodRatio(altsel.Dataset(table[["n"]], table["c"] == "u"), family=ProportionalOdds())
