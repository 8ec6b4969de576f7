"""Likelihood ratios with categories of many levels: against a column for each, and against G-squares."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import xlogy

import altsel
from altsel.runtime.clock import OutOfTimeError
from altsel.stats.independence.glm.design import MANY, Design
from altsel.stats.independence.glm.families import Categorical, Poisson
from altsel.stats.independence.glm.level_moments import corrected
from altsel.stats.independence.glm.levels import Levels
from altsel.stats.independence.glm.negative_binomial import NegativeBinomial
from altsel.stats.independence.glm.newton import fit
from altsel.stats.independence.likelihood_ratio import LikelihoodRatio

TARGETS = ["two classes", "a rare class", "three classes", "counts", "dispersed counts", "number"]
ASKED: list[tuple[list[str], list[str]]] = [
    (["place"], []),
    (["place"], ["size", "few"]),
    (["size", "few"], ["place"]),
    (["size", "other"], ["place", "few"]),
    (["place"], ["region"]),
    (["region"], ["place"]),
]


def drawn(target: str, seed: int = 0, rows: int = 400, levels: int = 40) -> altsel.Dataset:
    rng = np.random.default_rng(seed)
    place = rng.integers(0, levels, rows)
    table = pd.DataFrame(
        {
            "place": [f"p{one:03}" for one in place],
            "region": [f"r{one // 7}" for one in place],
            "size": rng.normal(size=rows),
            "few": rng.integers(0, 4, rows).astype(str),
            "other": [f"q{one}" for one in rng.integers(0, 30, rows)],
        }
    )
    z = table["size"] * 0.5 + (place % 3 == 0) * 0.5 + rng.normal(size=rows)
    y: Any = {
        "two classes": np.where(z > 0, "a", "b"),
        "a rare class": np.where(z > 1.5, "a", "b"),
        "three classes": np.digitize(z, [-0.5, 0.5]).astype(str),
        "counts": rng.poisson(np.exp(0.3 * z)),
        "dispersed counts": rng.negative_binomial(2, 1 / (1 + np.exp(0.5 * z))),
        "number": z,
    }[target]
    kinds = {"y": "count"} if "counts" in target else None
    return altsel.Dataset(table, pd.Series(y, name="y"), kinds=kinds)


def both(data: altsel.Dataset, **options: Any) -> tuple[LikelihoodRatio, LikelihoodRatio]:
    """Make the test, and the same one with a column for each level."""
    one, dense = (LikelihoodRatio(data, samples_per_parameter=1, **options) for _ in range(2))
    dense._design = Design.of(dense._table, dense._kinds, dense.counts)
    assert one._design.levels
    assert not dense._design.levels
    return one, dense


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("target", TARGETS)
def test_levels_without_columns_give_the_ratios_of_columns(target: str, weighted: bool) -> None:
    data = drawn(target)
    weights = np.random.default_rng(1).integers(0, 4, 400) if weighted else None
    family = NegativeBinomial() if target == "dispersed counts" else None
    one, dense = both(data, weights=weights, family=family)
    plain, columns = both(data, weights=weights, family=family, bartlett=False)
    for candidates, given in ASKED:  # a wide candidate has a correction of its own
        wide = candidates == ["place"] or "other" in candidates
        answers = (plain if wide else one)(candidates, given)
        expected = (columns if wide else dense)(candidates, given)
        for name in ("statistic", "dof", "log_p", "effect"):
            found, right = getattr(answers, name), getattr(expected, name)
            np.testing.assert_allclose(found, right, rtol=2e-5, atol=2e-5, err_msg=f"{candidates} {given}")
        assert (answers.tested == expected.tested).all()


def log_likelihood(group: np.ndarray, y: np.ndarray) -> float:
    """Of the shares of classes in each group."""
    table = pd.crosstab(group, y).to_numpy(float)
    return float(xlogy(table, table).sum() - xlogy(table.sum(axis=1), table.sum(axis=1)).sum())


@pytest.mark.parametrize("seed", [*range(3), 262, 308, 1065])
@pytest.mark.parametrize("levels", [MANY - 8, MANY + 20])
def test_a_ratio_of_categories_alone_is_a_difference_of_g_squares(levels: int, seed: int) -> None:
    """With rare classes Newton's steps went too far and stayed there: 1.1 for 28.3 of 17 levels."""
    rng = np.random.default_rng(seed)
    place = rng.choice(levels, 300, p=rng.dirichlet(np.full(levels, 0.5)))
    region = place // 4
    y = rng.choice(4, 300, p=rng.dirichlet(np.full(4, 0.3)))
    columns = {"place": [f"p{one}" for one in place], "region": [f"r{one}" for one in region]}
    data = altsel.Dataset(pd.DataFrame(columns), pd.Series([f"c{one}" for one in y], name="y"))
    test = LikelihoodRatio(data, bartlett=False, samples_per_parameter=0.01)
    nothing = np.zeros(300)
    for candidate, given, group, without in (
        ("place", (), place, nothing),
        ("region", (), region, nothing),
        ("place", ("region",), place, region),
    ):
        right = 2 * (log_likelihood(group, y) - log_likelihood(without, y))
        assert test([candidate], given).statistic[0] == pytest.approx(right, abs=1e-3)


def test_rare_classes_of_few_levels() -> None:
    """The table in which a step of 77,097 was not halved often enough."""
    counts = [[0, 16, 4], [0, 25, 13], [1, 8, 6], [0, 27, 14], [1, 14, 11], [2, 36, 29], [1, 0, 2]]
    counts += [[0, 6, 3], [0, 7, 2], [0, 5, 3], [0, 6, 2], [0, 1, 4], [0, 36, 18]]
    place, y = np.array(
        [(i, j) for i, row in enumerate(counts) for j, n in enumerate(row) for _ in range(n)]
    ).T
    data = altsel.Dataset(
        {"place": [f"p{one}" for one in place]}, pd.Series([f"c{one}" for one in y], name="y")
    )
    test = LikelihoodRatio(data, bartlett=False, samples_per_parameter=1)
    right = 2 * (log_likelihood(place, y) - log_likelihood(np.zeros(len(y)), y))
    assert test(["place"]).statistic[0] == pytest.approx(right, abs=1e-3)


def moments(ratios: Any, chances: Any) -> tuple[float, float]:
    mean = float(np.dot(chances, ratios))
    return mean, float(np.dot(chances, np.square(ratios))) - mean**2


@pytest.mark.parametrize("family", [Categorical(), Poisson()])
def test_means_and_variances_of_levels_are_those_of_all_outcomes(family: Any) -> None:
    """Of three levels with 4, 5 and 3 rows, a third of them hits; outcomes written out one by one."""
    rows, share, sums = [4, 5, 3], 1 / 3, np.zeros(2)
    for m in rows:
        if isinstance(family, Categorical):
            hits = range(m + 1)
            ratios = [
                2 * (xlogy(k, k / (m * share)) + xlogy(m - k, (m - k) / (m * (1 - share)))) for k in hits
            ]
            chances = stats.binom.pmf(hits, m, share)
        else:
            hits = range(60)
            ratios = [2 * (xlogy(k, k / (m * share)) - k + m * share) for k in hits]
            chances = stats.poisson.pmf(hits, m * share)
        sums += moments(ratios, chances)
    y = np.array([1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0], dtype=float)
    model = fit(family, y[None], np.ones((12, 1)))
    mean, variance = sums
    expected = 2 + (5.0 - (mean - 1)) * np.sqrt(2 * 2 / (variance - 2))
    assert corrected(5.0, model, Levels(np.repeat([0, 1, 2], rows)), 2) == pytest.approx(expected)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "rows", "levels"),
    [
        ("rare", 900, 60),
        pytest.param("three", 900, 60, marks=pytest.mark.long),
        pytest.param("two", 400, 60, marks=pytest.mark.long),
        pytest.param("counts", 400, 60, marks=pytest.mark.long),
    ],
)
def test_levels_of_few_rows_are_rejected_as_often_as_alpha_says(kind: str, rows: int, levels: int) -> None:
    """At .05, of 80 independent ones: 46 % by the plain ratio, 13 % by Lawley's expansion (two classes)."""
    found = []
    for seed in range(80):
        rng = np.random.default_rng(seed)
        y: Any = {
            "two": rng.integers(0, 2, rows),
            "rare": (rng.random(rows) < 0.1).astype(int),
            "three": rng.integers(0, 3, rows),
            "counts": rng.poisson(0.7, rows),
        }[kind]
        columns = {
            "place": [f"p{one}" for one in rng.integers(0, levels, rows)],
            "size": rng.normal(size=rows),
        }
        kinds = {"y": "count"} if kind == "counts" else None
        data = altsel.Dataset(pd.DataFrame(columns), pd.Series(y, name="y"), kinds=kinds)
        found.append(LikelihoodRatio(data)(["place"], ["size"]).p[0])
    assert 0.4 < np.mean(found) < 0.6
    assert 0 < np.mean(np.array(found) < 0.05) < 0.1


def test_a_category_too_wide_to_be_tested_takes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("it was computed")

    monkeypatch.setattr("altsel.stats.independence.likelihood_ratio.score_of_levels", refuse)
    answers = LikelihoodRatio(drawn("two classes", levels=120))(["place", "size"])
    assert answers.tested.tolist() == [False, True]
    assert (answers.statistic[0], answers.p[0]) == (0.0, 1.0)


@pytest.mark.parametrize(("levels", "given"), [(40, []), (40, ["place"]), (9, []), (9, ["place"])])
def test_a_batch_looks_at_the_clock(levels: int, given: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch of wide tests lasted as long as it lasted: the clock was asked between batches alone."""
    test = LikelihoodRatio(drawn("three classes", levels=levels), samples_per_parameter=1)
    test(["few"], given)

    class Over:
        def check(self) -> None:
            raise OutOfTimeError

    for module in ("newton", "grouped", "cumulants", "grouped_bartlett"):
        monkeypatch.setattr(f"altsel.stats.independence.glm.{module}.clock", Over)
    with pytest.raises(OutOfTimeError):
        test(["size", "place"] if not given else ["size", "other"], given)


def test_a_thousand_levels_of_seven_thousand_rows() -> None:
    """A column for each took 14 CPU s; the memory of levels does not grow with their number."""
    data = drawn("two classes", rows=7000, levels=1100)
    test = LikelihoodRatio(data)
    assert test._design.matrix.shape[1] < 60
    answers = test(["place", "size"])
    assert answers.tested.all()
    assert answers.dof[0] == data.X["place"].nunique() - 1
