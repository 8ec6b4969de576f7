"""Tests of clustered rows: against statsmodels' GEE, and at their level where other tests are not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

import altsel
from altsel.independence import ChiSquare, GSquare, LikelihoodRatio, Permutations, Poisson, RobustScore, auto
from altsel.runtime.clock import Clock, OutOfTimeError, in_force

CLUSTERS, SIZE = 40, 10
CLUSTER = np.repeat(np.arange(CLUSTERS), SIZE)
ROWS = CLUSTERS * SIZE


def clustered(random: np.random.Generator, share: float, *shape: int) -> Any:
    """Draw normal values of which clusters share a part, shape (rows, …)."""
    own = random.normal(size=(ROWS, *shape))
    return np.sqrt(share) * random.normal(size=(CLUSTERS, *shape))[CLUSTER] + np.sqrt(1 - share) * own


def frame(seed: int = 0) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "a": random.normal(size=ROWS),
            "b": clustered(random, 1.0),
            "c": random.choice(list("uvw"), ROWS),
        }
    )
    latent = 0.3 * table["a"] + clustered(random, 0.3)
    return table.assign(
        number=latent, binary=(latent > 0).astype(int), count=random.poisson(np.exp(1 + 0.3 * latent))
    )


FAMILIES = {
    "number": sm.families.Gaussian(),
    "binary": sm.families.Binomial(),
    "count": sm.families.Poisson(),
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@pytest.mark.parametrize("target", FAMILIES)
def test_the_statistic_is_that_of_generalised_estimating_equations(target: str) -> None:
    table = frame()
    data = altsel.Dataset(table[["a", "b", "c"]], table[target], None if target == "binary" else "regression")
    test = RobustScore(data, CLUSTER, family=Poisson() if target == "count" else None)
    answers = test(["b", "c"], ["a"])
    null = sm.add_constant(table[["a"]])
    dummies = pd.get_dummies(table["c"], drop_first=True).astype(float)
    for j, added in enumerate((table[["b"]], dummies)):
        family = FAMILIES[target]
        full = sm.GEE(table[target], pd.concat([null, added], axis=1), groups=CLUSTER, family=family)
        known = sm.GEE(table[target], null, groups=CLUSTER, family=family).fit(ctol=1e-10)
        statistic = full.compare_score_test(known)["statistic"]
        assert CLUSTERS * answers.effect[j] == pytest.approx(statistic, rel=1e-5)
        d, share = added.shape[1], statistic / CLUSTERS
        freedom = CLUSTERS - 1 - d
        assert answers.statistic[j] == pytest.approx(share / (1 - share) * freedom, rel=1e-5)
        assert answers.dof[j] == d


@pytest.mark.parametrize("classes", ["ordinal", "categorical"])
def test_scores_of_several_classes_are_derivatives(classes: str) -> None:
    table = frame()
    levels = pd.cut(table["number"], 4, labels=list("pqrs"), ordered=classes == "ordinal")
    test = RobustScore(altsel.Dataset(table[["a", "b", "c"]], levels), CLUSTER)
    model = test._ratio._model([0, 2])
    errors, scores = model.row_scores()
    assert np.abs(scores.sum(axis=0)).max() < 1e-4 * ROWS  # at the estimate they vanish
    block = test._ratio._design.blocks(np.array([1]))
    totals = np.concatenate([scores.sum(axis=0), (errors @ block[:, 0]).ravel()])
    information = model.information(block)[0]
    fixed = scores.shape[1]
    rest = information[fixed:, fixed:] - information[fixed:, :fixed] @ np.linalg.solve(
        information[:fixed, :fixed], information[:fixed, fixed:]
    )
    u = totals[fixed:]
    assert u @ np.linalg.solve(rest, u) == pytest.approx(float(model.score(block)[0]), rel=1e-4)
    assert test(["b"], ["a", "c"]).dof[0] == (1 if classes == "ordinal" else 3)


@pytest.mark.long
@pytest.mark.parametrize(
    ("target", "feature"),
    [
        ("number", "constant in the cluster"),
        ("binary", "constant in the cluster"),
        ("binary", "varying"),
        ("ordinal", "varying"),
    ],
)
def test_true_nulls_are_rejected_at_alpha_where_ratios_are_not(target: str, feature: str) -> None:
    random, rates = np.random.default_rng(5), []
    share = 1.0 if feature.startswith("constant") else 0.3
    for _ in range(5):
        s = clustered(random, 0.5)
        latent = clustered(random, 0.3) + 0.5 * s
        y = {
            "number": latent,
            "binary": (latent > 0).astype(int),
            "ordinal": np.digitize(latent, [-0.5, 0.7]),
        }
        columns = pd.DataFrame(clustered(random, share, 200)).rename(columns=str).assign(s=s)
        kinds = {"y": "ordinal"} if target == "ordinal" else {}
        data = altsel.Dataset(columns, pd.Series(y[target], name="y"), kinds=kinds)
        names = [str(j) for j in range(200)]
        tests = RobustScore(data, CLUSTER), LikelihoodRatio(data)
        rates.append([(test(names, ["s"]).p <= 0.05).mean() for test in tests])
    ours, ratios = np.mean(rates, axis=0)
    assert abs(ours - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 1000)
    assert ratios > 0.085


class TestPermutations:
    def rate(self, make: Any, share: float, given: bool) -> np.ndarray:
        random, rates = np.random.default_rng(6), []
        for _ in range(4):
            s = np.digitize(clustered(random, 1.0), [0])
            y = np.digitize(clustered(random, 0.3) + 0.5 * s, [-0.5, 0.7])
            values = np.digitize(clustered(random, share, 75) + 0.5 * s[:, None], [0])
            columns = pd.DataFrame(values).rename(columns=str).assign(s=s)
            data = altsel.Dataset(columns, pd.Series(y, name="y"))
            names, known = [str(j) for j in range(75)], ["s"] if given else []
            tests = (
                make(data, permutations=Permutations(99), groups=CLUSTER),
                make(data, permutations=Permutations(99)),
            )
            rates.append([(test(names, known).p <= 0.05).mean() for test in tests])
        return np.asarray(np.mean(rates, axis=0))

    @pytest.mark.long
    @pytest.mark.parametrize("share", [1.0, 0.7])
    def test_they_reject_true_nulls_at_alpha_where_those_of_rows_do_not(self, share: float) -> None:
        ours, rows = self.rate(GSquare, share, True)
        assert abs(ours - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 300)
        assert rows > 0.09

    @pytest.mark.slow
    def test_a_dependence_is_found_in_either_way(self) -> None:
        random = np.random.default_rng(0)
        y = np.digitize(clustered(random, 0.5), [0])
        both = clustered(random, 1.0)
        shared = np.digitize(np.repeat(np.bincount(CLUSTER, y) / SIZE, SIZE) + 0.2 * both, [0.5])
        data = altsel.Dataset({"within": y ^ (random.random(ROWS) < 0.2), "shared": shared}, y)
        answers = ChiSquare(data, permutations=Permutations(199), groups=CLUSTER)(["within", "shared"])
        assert answers.p.max() < 0.02
        turned = GSquare(data, permutations=Permutations(199), groups=CLUSTER).with_target("shared")
        assert turned(["y"]).p[0] < 0.02

    @pytest.mark.slow
    def test_groups_are_exchanged_with_those_of_the_same_given_values_only(self) -> None:
        s = np.repeat([0, 1] * 4, 5)
        x = np.repeat([0, 0, 0, 0, 0, 1, 0, 1], 5)  # where s is 1, two groups each: 6 ways to deal them
        y = np.where(s == 1, x, np.tile([0, 1, 1, 0, 1], 8))
        data = altsel.Dataset({"x": x, "s": s}, y)
        groups = np.repeat(np.arange(8), 5)
        answers = GSquare(data, permutations=Permutations(1999), groups=groups)(["x"], ["s"])
        assert answers.p[0] == pytest.approx(2 / 6, abs=4 * np.sqrt(2 / 9 / 2000))

    @pytest.mark.slow
    def test_groups_of_one_row_are_permuted_as_rows(self) -> None:
        random = np.random.default_rng(1)
        data = altsel.Dataset({"x": random.integers(0, 2, 60)}, random.integers(0, 2, 60))
        own = GSquare(data, permutations=Permutations(999), groups=np.arange(60))(["x"])
        rows = GSquare(data, permutations=Permutations(999))(["x"])
        assert own.p[0] == pytest.approx(rows.p[0], abs=0.06)

    def test_what_nothing_can_move_is_not_tested(self) -> None:
        x = np.repeat([0, 1] * 5, 4)
        s = np.concatenate([np.arange(k) >= k // 2 for k in [4] * 10]).astype(int) * np.repeat(
            np.arange(10), 4
        )
        y = np.random.default_rng(0).integers(0, 2, 40)
        data = altsel.Dataset({"x": x, "s": s}, y)
        answers = GSquare(data, permutations=Permutations(99), groups=np.repeat(np.arange(10), 4))(
            ["x"], ["s"]
        )
        assert (answers.tested.tolist(), answers.p.tolist()) == ([False], [1.0])


@pytest.mark.parametrize("groups", [None, CLUSTER])
@pytest.mark.parametrize("feature", ["c", "of a cluster"])
def test_permutations_heed_the_clock(feature: str, groups: Any) -> None:
    table = frame()
    columns = {"c": table["c"], "of a cluster": CLUSTER % 3}
    test = GSquare(altsel.Dataset(columns, table["binary"]), permutations=Permutations(10**9), groups=groups)
    with in_force(Clock(until=0.0)), pytest.raises(OutOfTimeError):
        test([feature])


def test_a_named_column_is_no_feature() -> None:
    table = frame()[["a", "b", "c", "number"]].assign(clinic=[f"clinic {one}" for one in CLUSTER])
    data = altsel.Dataset(table, "number")
    named, given = (
        RobustScore(data, "clinic"),
        RobustScore(altsel.Dataset(table.drop(columns="clinic"), "number"), CLUSTER),
    )
    assert named.features == ("a", "b", "c")
    assert named(["a", "b", "c"]).log_p == pytest.approx(given(["a", "b", "c"]).log_p, rel=1e-12)
    assert auto(data, groups="clinic").name == "generalised score test (linear regression, 40 groups)"
    found = altsel.blankets.tmfbs(named, 0.01)
    assert found[0].features == ("a",)
    assert "permutation variance" not in altsel.comparison.recommended_criterion(named).name


@pytest.mark.parametrize(
    ("groups", "error", "message"),
    [
        ("none", altsel.ArgumentError, "groups='none' names no column"),
        (CLUSTER[:5], altsel.DataError, r"groups of shape \(5,\), but the data have 400 rows"),
        (np.zeros(ROWS), altsel.DataError, "all rows belong to one group"),
        (pd.Series(CLUSTER, index=CLUSTER), altsel.DataError, "groups have an index"),
        (np.where(CLUSTER, CLUSTER, np.nan), altsel.DataError, "groups: 10 rows have no group"),
    ],
)
def test_groups_that_do_not_fit_are_refused(groups: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        RobustScore(altsel.Dataset(frame()[["a", "b"]], frame()["binary"]), groups)


def test_tests_that_take_rows_for_independent_refuse_groups() -> None:
    data = altsel.Dataset(frame()[["a", "b"]], frame()["number"])
    for test in (LikelihoodRatio, altsel.independence.PartialCorrelation):
        with pytest.raises(altsel.ArgumentError, match="groups= cannot be heeded: use RobustScore"):
            test(data, groups=CLUSTER)
    discrete = altsel.Dataset({"x": CLUSTER % 3}, CLUSTER % 2)
    with pytest.raises(altsel.ArgumentError, match="groups= needs permutations for the chi-square test"):
        ChiSquare(discrete, groups=CLUSTER)


def test_too_few_groups_for_the_coefficients_are_not_tested() -> None:
    random = np.random.default_rng(0)
    data = altsel.Dataset(random.normal(size=(130, 3)), random.normal(size=130))
    answers = RobustScore(data, np.repeat(np.arange(13), 10))(["x0"], ["x1", "x2"])
    assert answers.tested.tolist() == [True]
    assert RobustScore(data, np.repeat(np.arange(13), 10), samples=10.5)(["x0"], ["x1", "x2"]).p[0] == 1
