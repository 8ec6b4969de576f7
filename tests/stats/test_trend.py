"""Mantel's trend test against tables computed by hand, its definition, and statsmodels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import StratifiedTable

import altsel
from altsel.independence import GSquare, Trend


def table(seed: int = 0, rows: int = 240) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    s = random.integers(0, 3, rows)
    latent = random.normal(size=rows) + s
    return pd.DataFrame(
        {
            "o": pd.Categorical.from_codes(
                np.digitize(latent + random.normal(size=rows), [0, 1, 2]),
                pd.Index(list("wxyz")),
                ordered=True,
            ),
            "b": random.integers(0, 2, rows),
            "i": random.integers(0, 7, rows),
            "s": s,
            "y": pd.Categorical.from_codes(
                np.digitize(latent, [0, 1.5]), pd.Index(["no", "some", "much"]), ordered=True
            ),
        }
    )


def by_definition(u: np.ndarray, v: np.ndarray, strata: np.ndarray) -> float:
    """Sum expected values and variances of ``sum u v`` over the strata."""
    total, variance = 0.0, 0.0
    for one in np.unique(strata):
        x, y = u[strata == one], v[strata == one]
        if len(x) > 1:
            total += (x * y).sum() - x.sum() * y.sum() / len(x)
            variance += x.var() * len(x) * y.var() * len(y) / (len(x) - 1)
    return float(total**2 / variance)


def test_a_table_computed_by_hand() -> None:
    # dose:  0   1   2     u - mean = -1, 0, 1; v - mean = -0.5, 0.5; sum u v = 4 (0.5 * 2 + 0.5 * 2) = 8,
    # y = 0  8   4   0     sum u^2 = 16, sum v^2 = 6, M2 = 23 * 64 / 96
    # y = 1  0   4   8
    data = altsel.Dataset({"dose": [0, 0, 1, 1, 2, 2] * 4}, [0, 0, 0, 1, 1, 1] * 4)
    answers = Trend(data)(["dose"])
    assert answers.statistic[0] == pytest.approx(23 * 64 / 96, rel=1e-12)
    assert answers.p[0] == pytest.approx(stats.chi2.sf(23 * 64 / 96, 1), rel=1e-9)
    assert answers.effect[0] == pytest.approx(8 / np.sqrt(96))


@pytest.mark.parametrize("given", [[], ["s"], ["s", "b"], ["s", "b", "i"]])
def test_it_is_its_definition_in_every_stratum(given: list[str]) -> None:
    frame = table()
    test = Trend(altsel.Dataset(frame, "y"), samples=0)
    strata = frame.groupby(given).ngroup().to_numpy() if given else np.zeros(len(frame))
    candidates = [name for name in ("o", "b", "i") if name not in given]
    scores = frame.assign(o=frame["o"].cat.codes, y=frame["y"].cat.codes)
    expected = [by_definition(scores[name].to_numpy(), scores["y"].to_numpy(), strata) for name in candidates]
    assert test(candidates, given).statistic == pytest.approx(expected, rel=1e-9)


def test_without_strata_it_is_the_correlation() -> None:
    frame = table()
    data = altsel.Dataset(frame, "y")
    r = np.corrcoef(frame["i"], frame["y"].cat.codes)[0, 1]
    assert Trend(data)(["i"]).statistic[0] == pytest.approx((len(frame) - 1) * r**2, rel=1e-10)
    assert Trend(data)(["i"]).effect[0] == pytest.approx(r, rel=1e-10)


def test_binary_variables_in_strata_are_tested_as_by_mantel_and_haenszel() -> None:
    frame = table()
    frame["y"] = (frame["y"] == "much").astype(int)
    tables = [pd.crosstab(part["b"], part["y"]).to_numpy() for _, part in frame.groupby("s")]
    expected = StratifiedTable(tables).test_null_odds(correction=False)
    answers = Trend(altsel.Dataset(frame, "y"))(["b"], ["s"])
    assert answers.statistic[0] == pytest.approx(expected.statistic, rel=1e-9)
    assert answers.p[0] == pytest.approx(expected.pvalue, rel=1e-6)


@pytest.mark.slow
def test_a_trend_is_found_where_tables_need_more_rows() -> None:
    random = np.random.default_rng(0)
    found = np.zeros(2)
    for _ in range(60):
        x = random.integers(0, 5, 120)
        y = np.digitize(0.25 * x + random.normal(size=120), [-0.2, 0.5, 1.2])
        data = altsel.Dataset({"x": x}, y)
        found += [Trend(data)(["x"]).p[0] <= 0.05, GSquare(data, samples_per_cell=0)(["x"]).p[0] <= 0.05]
    assert found[0] > 1.3 * found[1]


@pytest.mark.long
def test_many_small_strata_reject_at_the_level() -> None:
    random = np.random.default_rng(1)
    s = np.repeat(np.arange(20), 4)
    effect = random.normal(size=20)[s]
    columns = np.digitize(effect[:, None] + random.normal(size=(80, 800)), [-0.7, 0, 0.7])
    y = np.digitize(effect + random.normal(size=80), [-0.5, 0.5])
    frame = pd.DataFrame(columns).rename(columns=str).assign(s=s)
    data = altsel.Dataset(frame, pd.Series(y, name="y"))
    rate = float((Trend(data)([str(j) for j in range(800)], ["s"]).p <= 0.05).mean())
    assert abs(rate - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 800)


def test_what_the_strata_determine_is_independent() -> None:
    frame = table()
    frame["twice"] = 2 * frame["s"] + 1
    answers = Trend(altsel.Dataset(frame, "y"))(["twice", "o"], ["s"])
    assert (answers.p[0], answers.dof[0]) == (1.0, 0.0)
    assert answers.p[1] < 1e-3


def test_too_few_rows_in_telling_strata_are_not_tested() -> None:
    data = altsel.Dataset({"x": [0, 1, 2, 1] * 3, "s": [0] * 6 + [1] * 6}, [0, 1] * 3 + [1] * 5 + [0])
    assert Trend(data, samples=10)(["x"], ["s"]).tested.tolist() == [True]
    assert Trend(data, samples=10.5)(["x"], ["s"]).tested.tolist() == [False]
    assert Trend(data, samples=10.5)(["x"], ["s"]).p.tolist() == [1.0]


def test_columns_without_order_are_refused_by_name() -> None:
    frame = table().assign(colour=["red", "green", "blue"] * 80)
    with pytest.raises(altsel.DataError, match="'colour' hold categories: list their values"):
        Trend(altsel.Dataset(frame, "y"))
    with pytest.raises(altsel.DataError, match="the trend test needs discrete columns; 'z'"):
        Trend(altsel.Dataset(frame.drop(columns="colour").assign(z=np.linspace(0, 1, 240)), "y"))
    with pytest.raises(altsel.ArgumentError, match="groups= cannot be heeded: use RobustScore"):
        Trend(altsel.Dataset(table(), "y"), groups=[0, 1] * 120)
