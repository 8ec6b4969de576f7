"""Greedy rankings against their formulas computed entry by entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

import altsel
from altsel import ranking
from altsel.search.ranking.conditional_minimum import ConditionalMinimum
from altsel.search.ranking.greedy import Known, Linear, greedy
from tests.conftest import ROOT

Column = np.ndarray[Any, Any]


def joined(*columns: Column) -> Column:
    return np.unique(np.column_stack(columns), axis=0, return_inverse=True)[1].ravel()


def entropy(*columns: Column) -> float:
    counts = np.array(list(Counter(joined(*columns).tolist()).values()))
    shares = counts / counts.sum()
    return float(-(shares * np.log(shares)).sum())


def shared(a: Column, b: Column) -> float:
    return float(mutual_info_score(a, b))


def given_third(a: Column, b: Column, c: Column) -> float:
    return entropy(a, c) + entropy(b, c) - entropy(c) - entropy(a, b, c)


Score = Callable[[Column, list[Column], Column], float]


def linear(beta: Callable[[int], float], gamma: Callable[[int], float]) -> Score:
    def score(x: Column, chosen: list[Column], y: Column) -> float:
        size = len(chosen)
        return (
            shared(x, y)
            - beta(size) * sum(shared(x, f) for f in chosen)
            + gamma(size) * sum(given_third(x, f, y) for f in chosen)
        )

    return score


def relaxed(x: Column, chosen: list[Column], y: Column) -> float:
    among = sum(given_third(x, f, g) for g in chosen for f in chosen if f is not g)
    inner = sum(shared(x, f) for f in chosen) + among
    return shared(x, y) + sum(given_third(x, f, y) for f in chosen) - inner / len(chosen)


def relaxed_mean(x: Column, chosen: list[Column], y: Column) -> float:
    size = len(chosen)
    among = sum(given_third(x, f, g) for g in chosen for f in chosen if f is not g)
    means = sum(given_third(x, f, y) - shared(x, f) for f in chosen) / size
    return shared(x, y) + means - among / max(size * (size - 1), 1)


FORMULAS: dict[str, tuple[Callable[..., altsel.Solutions], Score]] = {
    "mim": (ranking.mim, linear(lambda j: 0, lambda j: 0)),
    "mifs": (partial(ranking.mifs, beta=0.7), linear(lambda j: 0.7, lambda j: 0)),
    "mrmr": (ranking.mrmr, linear(lambda j: 1 / j, lambda j: 0)),
    "jmi": (ranking.jmi, linear(lambda j: 1 / j, lambda j: 1 / j)),
    "cife": (ranking.cife, linear(lambda j: 1, lambda j: 1)),
    "cmim": (ranking.cmim, lambda x, chosen, y: min(given_third(x, y, f) for f in chosen)),
    "cmim, capped": (
        partial(ranking.cmim, capped=True),
        lambda x, chosen, y: min(shared(x, y), *(given_third(x, y, f) for f in chosen)),
    ),
    "disr": (
        ranking.disr,
        lambda x, chosen, y: sum(shared(joined(x, f), y) / entropy(x, f, y) for f in chosen),
    ),
    "miq": (
        ranking.miq,
        lambda x, chosen, y: shared(x, y) / max(sum(shared(x, f) for f in chosen) / len(chosen), 0.001),
    ),
    "jmim": (ranking.jmim, lambda x, chosen, y: min(shared(joined(x, f), y) for f in chosen)),
    "njmim": (
        partial(ranking.jmim, normalised=True),
        lambda x, chosen, y: min(shared(joined(x, f), y) / entropy(x, f, y) for f in chosen),
    ),
    "icap": (
        ranking.icap,
        lambda x, chosen, y: (
            shared(x, y) - sum(max(0.0, shared(x, f) - given_third(x, f, y)) for f in chosen)
        ),
    ),
    "relax_mrmr": (ranking.relax_mrmr, relaxed),
    "relax_mrmr, means": (partial(ranking.relax_mrmr, normalised=True), relaxed_mean),
}


def discrete(seed: int, rows: int = 90) -> altsel.Dataset:
    random = np.random.default_rng(seed)
    table = pd.DataFrame({f"x{j}": random.integers(0, 2 + j % 3, rows) for j in range(6)})
    return altsel.Dataset(
        table, pd.Series((table["x0"] + table["x4"] + random.integers(0, 2, rows)) % 3, name="y")
    )


@pytest.mark.parametrize("name", FORMULAS)
@settings(max_examples=3)
@given(seed=st.integers(0, 10_000))
@pytest.mark.slow
def test_every_step_has_the_largest_score_of_the_formula(name: str, seed: int) -> None:
    data = discrete(seed)
    search, formula = FORMULAS[name]
    path = search(data, 5, bins=5, debiased=False)[0].path
    columns = {one: data.X[one].to_numpy() for one in data.features}
    y = data.y.to_numpy()
    chosen: list[str] = []
    for step in path:
        known = [columns[one] for one in chosen]
        scores = {
            one: formula(columns[one], known, y) if known else shared(columns[one], y)
            for one in data.features
            if one not in chosen
        }
        assert step.score == pytest.approx(scores[step.feature], abs=1e-10)
        assert step.score >= max(scores.values()) - 1e-9
        chosen.append(step.feature)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=10)
@pytest.mark.slow
def test_fcbf_keeps_what_no_more_relevant_feature_covers(seed: int) -> None:
    data = discrete(seed)
    found = ranking.fcbf(data, delta=0.01)
    measure = altsel.measures.symmetric_uncertainty
    relevance = {name: measure(data.X[name], data.y) for name in data.features}
    kept: list[str] = []
    for one in sorted((n for n in data.features if relevance[n] > 0.01), key=lambda n: -relevance[n]):
        if all(measure(data.X[one], data.X[other]) < relevance[one] for other in kept):
            kept.append(one)
    assert [step.feature for step in found[0].path] == kept
    assert [step.score for step in found[0].path] == pytest.approx([relevance[subset] for subset in kept])
    assert found.stop is altsel.Stop.COUNT


def test_fcbf_by_mutual_information_measures_in_nats() -> None:
    data = discrete(1)
    step = ranking.fcbf(data, normalised=False)[0].path[0]
    assert step.score == pytest.approx(altsel.measures.mutual_information(data.X[step.feature], data.y))


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_alarm_hr_as_in_table_4_of_the_unified_view() -> None:
    alarm = altsel.read_network(ROOT / "examples" / "data" / "alarm.bif")
    table = alarm.sample(5000, 0)
    data = altsel.Dataset(table.drop(columns="HR"), table["HR"])
    near, whole = set(alarm.parents_and_children("HR")), set(alarm.blanket("HR"))
    for search, hits in ((ranking.mrmr, 5), (ranking.cmim, 5), (ranking.jmi, 6)):
        found = set(search(data, 8)[0])
        assert len(found & whole) == hits
        assert near <= found


def test_jmi_finds_a_synergy_that_mrmr_cannot_see() -> None:
    random = np.random.default_rng(0)
    a, b, c, d = random.integers(0, 2, (4, 2000))
    y = 2 * (a ^ b) + c  # a alone tells nothing, with b it tells a bit
    data = altsel.Dataset({"a": a, "b": b, "c": c, "d": d, "a or c": a | c}, y)
    synergy = ranking.jmi(data, 3)[0]
    assert {"a", "b", "c"} == set(synergy)
    assert synergy.path[2].score > 0.3
    assert ranking.mrmr(data, 5)[0].path[-1].feature == "a"


@pytest.mark.parametrize("measure", [None, altsel.measures.symmetric_uncertainty, altsel.measures.relief])
@pytest.mark.parametrize("classes", [True, False])
def test_pairs_are_measured_as_by_dependence(measure: Any, classes: bool) -> None:
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.normal(size=(120, 4)), columns=list("abcd"))
    table["word"] = np.where(
        table["a"] + random.normal(size=120) > 0, "x", np.where(table["b"] > 0, "y", "z")
    )
    table["few"] = random.integers(0, 3, 120).astype(str)
    y = table["a"] + table["b"] ** 2 + random.normal(size=120)
    data = altsel.Dataset(table, pd.Series(np.where(y > 1, "p", "q") if classes else y, name="y"))
    given = altsel.dependence(data, measure)
    if measure is altsel.measures.relief:
        assert ranking.mim(data, 3, measure=measure)[0].path[0].feature == given.relevance.idxmax()
        with pytest.raises(altsel.ArgumentError, match="gives relevances only"):
            ranking.mrmr(data, 3, measure=measure)
        return
    chosen: list[str] = []
    for step in ranking.mrmr(data, 5, measure=measure)[0].path:
        scores = given.relevance - given.redundancy[chosen].mean(axis=1).fillna(0)
        assert step.score == pytest.approx(scores[step.feature])
        assert step.score >= scores.drop(chosen).max() - 1e-9
        chosen.append(step.feature)


def test_numbers_are_cut_into_bins() -> None:
    random = np.random.default_rng(0)
    y = random.normal(size=300)
    data = altsel.Dataset({"near": y + 0.1 * random.normal(size=300), "far": random.normal(size=300)}, y)
    coarse, fine = (ranking.mim(data, 1, bins=bins)[0].path[0] for bins in (2, 8))
    assert coarse.feature == fine.feature == "near"
    assert coarse.score <= np.log(2) < fine.score
    discrete_data = altsel.data.binned(data, 4)
    assert discrete_data.X["near"].nunique() == discrete_data.y.nunique() == 4
    assert altsel.independence.GSquare(discrete_data)(["near", "far"]).dependent(0.001).tolist() == [
        True,
        False,
    ]


def test_results_say_that_they_are_heuristic_and_keep_the_path() -> None:
    found = ranking.mrmr(discrete(3), 3)
    assert found[0].proof is altsel.Proof.HEURISTIC
    assert found[0].score == pytest.approx(sum(step.score for step in found[0].path))
    assert set(found[0].features) == {step.feature for step in found[0].path}
    assert altsel.Solutions.from_json(found.to_json()) == found


def test_equal_scores_go_by_the_order_of_the_data() -> None:
    x = np.tile([0, 0, 1, 1], 10)
    with pytest.warns(altsel.DataWarning, match="copies"):
        data = altsel.Dataset({"b": 1 - x, "a": x, "c": x}, x)
    assert [step.feature for step in ranking.mim(data, 3)[0].path] == ["b", "a", "c"]


@pytest.mark.filterwarnings("ignore:features determine the target:altsel.DataWarning")
def test_scores_that_differ_from_zero_by_rounding_alone_are_equal() -> None:
    c = [1, 0, 2, 0, 2, 1, 1, 1, 2, 2, 2, 0, 0, 2]
    a = [1, 3, 0, 0, 1, 0, 1, 1, 0, 2, 3, 0, 3, 1]
    b = [2, 1, 1, 2, 1, 0, 1, 1, 0, 2, 1, 0, 1, 2]  # I(b; C | c) = 4e-16 by its formula
    data = altsel.Dataset({"a": a, "b": b, "c": c}, c)
    assert [step.feature for step in ranking.cmim(data, 3)[0].path] == ["c", "a", "b"]


def eager_minimum(capped: bool) -> Callable[[Known], Column]:
    def score(known: Known) -> Column:
        if not known.selected:
            return known.relevance
        parts = zip(known.redundancy(), known.conditional(), strict=True)
        least = np.min([known.relevance - pair + given for pair, given in parts], axis=0)
        return np.asarray(np.minimum(least, known.relevance) if capped else least)

    return score


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@pytest.mark.parametrize("capped", [False, True])
@settings(max_examples=2)
@given(seed=st.integers(0, 10_000))
def test_lazily_evaluated_minima_select_what_a_user_s_criterion_of_all_selects(
    capped: bool, seed: int
) -> None:
    random = np.random.default_rng(seed)
    rows, levels = int(random.integers(40, 200)), random.integers(2, 9, 30)
    table = random.integers(0, levels, (rows, 30))
    y = (table[:, :4].sum(axis=1) + random.integers(0, 2, rows)) % random.integers(2, 9)
    table[:, 20:25] = table[:, :5]  # copies tie
    table[:, 25] = -table[:, 1]
    data = altsel.Dataset(table, np.append([0, 1], y[2:]))
    lazy = greedy(data, ConditionalMinimum(capped), 30)[0].path
    for batch in (1, 1 << 12, 1 << 17):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("altsel.search.ranking.conditional_minimum.BATCH", batch)
            patch.setattr("altsel.stats.discrete.information.CELLS", batch)
            assert greedy(data, ConditionalMinimum(capped), 30)[0].path == lazy
    eager = greedy(data, eager_minimum(capped), 30)[0].path
    assert [step.feature for step in lazy] == [step.feature for step in eager]
    assert [step.score for step in lazy] == pytest.approx([step.score for step in eager], abs=1e-12)


def test_a_criterion_of_ones_own() -> None:
    def mine(known: Known) -> Column:
        return known.relevance - 0.5 * sum(known.redundancy()) + 0.25 * sum(known.conditional())

    found = greedy(discrete(0), mine, 4)
    assert found.search == "mine, k=4, information, debiased"
    assert found[0].features == greedy(discrete(0), Linear(0.5, 0.25), 4)[0].features


def test_a_criterion_begins_anew_with_every_table() -> None:
    criterion = ConditionalMinimum()
    for seed in (0, 1):
        found = greedy(discrete(seed), criterion, 5, name="CMIM")
        assert found[0].path == ranking.cmim(discrete(seed), 5)[0].path


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda data: ranking.mim(data, 7), "only 6 usable"),
        (lambda data: ranking.mim(data, 0), "k=0"),
        (lambda data: ranking.mim(data, 2, bins=1), "bins=1"),
        (lambda data: ranking.mim(data, 2, debiased=False), "debiased=False is of information in bins"),
        (
            lambda data: ranking.mim(data, 2, bins=5, measure=altsel.measures.relief),
            "measure= and bins= are given",
        ),
        (
            lambda data: greedy(data, Linear(0.0, 1.0), 2, measure=altsel.measures.association),
            "needs information given the target, not association",
        ),
        (lambda data: ranking.mifs(data, 2, beta=-1), "beta=-1"),
        (lambda data: ranking.fcbf(data, delta=float("nan")), "delta=nan"),
        (lambda data: ranking.cmim(data, 2, capped="no"), "capped='no'; give True"),  # type: ignore[arg-type]
        (lambda data: ranking.mrmr(data.matrix(), 2), "a ranking takes a Dataset, not a ndarray"),
        (lambda data: ranking.fcbf(data.matrix()), "a ranking takes a Dataset, not a ndarray"),
    ],
)
def test_wrong_arguments_are_named(call: Callable[[altsel.Dataset], object], message: str) -> None:
    with pytest.raises(altsel.ArgumentError, match=message):
        call(discrete(0))
