"""Criteria of very many features are searched on few of them: answers and bounds as by brute force on all."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import inf, sqrt

import numpy as np
import pytest

import altsel
from altsel import CFS, FCBF, MRMR, Dataset, Dice, Problem, Stop, domain, measures, sequential, simultaneous
from altsel.exact.question import Question, Structure
from altsel.exact.quick_bound import quality_bound
from altsel.exact.stages import screening
from altsel.exact.stages.screening import is_screened
from altsel.models import pair_criterion
from altsel.results.feature_set import Proof
from altsel.stats.dependence import AbsoluteCorrelation

FEATURES = 9
CRITERIA = [MRMR, CFS, FCBF]
Score = Callable[[tuple[int, ...]], float]
Keeps = Callable[[tuple[int, ...]], bool]
Measure = altsel.measures.Measure


@pytest.fixture(autouse=True)
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take nine features for very many."""
    monkeypatch.setattr(pair_criterion, "WIDE", FEATURES - 1)
    monkeypatch.setattr(screening, "FIRST", 3)
    monkeypatch.setattr(screening, "GROWTH", 2)
    monkeypatch.setattr(screening, "ROOM", 1)


def table(seed: int) -> Dataset:
    """Return columns of few values, with ties, copies of parts, and a target of three of them."""
    random = np.random.default_rng(seed)
    X = random.integers(0, random.integers(2, 5), (24, FEATURES)).astype(float)
    X[:10, 1], X[:12, 5] = X[:10, 0], X[:12, 4]
    X[0], X[1] = 0, 1  # no column is constant
    return Dataset(
        X, (X[:, :3].sum(axis=1) + random.normal(size=24) > X[:, :3].sum(axis=1).mean()).astype(int)
    )


def formula(criterion: type, data: Dataset, measure: Measure) -> Score:
    """Return a paper's formula of a set, by its indices, of all pairs; -inf where it is not feasible."""
    given = altsel.dependence(data, measure)
    q, r = given.relevance.to_numpy(), given.redundancy.to_numpy()

    def score(one: tuple[int, ...]) -> float:
        k, pairs = len(one), [r[i, j] for i, j in combinations(one, 2)]
        total = sum(q[i] for i in one)
        if criterion is MRMR:
            return float(total / k - (sum(pairs) / len(pairs) if pairs else 0.0))
        if criterion is CFS:
            return float(total / sqrt(k + 2 * sum(pairs))) if total >= 0 else -inf
        clash = any(r[i, j] >= min(q[i], q[j]) for i, j in combinations(one, 2))
        return -inf if clash else float(total)

    return score


def best_in_turn(score: Score, k: tuple[int, int], count: int, tau: float, keeps: Keeps) -> list[float]:
    """Return the scores of the best set, and of the best that differ from those before, by brute force."""
    sizes = range(k[0], k[1] + 1)
    every = [one for size in sizes for one in combinations(range(FEATURES), size) if keeps(one)]
    scored = sorted(((value, one) for one in every if (value := score(one)) > -inf), reverse=True)
    found: list[tuple[float, tuple[int, ...]]] = []
    for value, one in scored:
        shares = (2 * len({*one} & {*other}) / (len(one) + len(other)) for _, other in found)
        if len(found) < count and all(1 - share >= tau - 1e-12 for share in shares):
            found.append((value, one))
    return [value for value, _ in found]


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("seed", range(12))
def test_the_first_set_is_the_best_of_all(criterion: type, seed: int) -> None:
    random = np.random.default_rng([5, seed])
    data = table(seed)
    every: list[Measure] = [measures.absolute_pearson, measures.association, measures.symmetric_uncertainty]
    measure = every[seed % 3]
    k = (3, 3) if seed % 2 else (2, 4)
    cost = random.integers(0, 4, FEATURES)
    rules = [domain.at_most(1, ["x0", "x1"]), domain.budget({f"x{j}": int(c) for j, c in enumerate(cost)}, 6)]
    rules = rules[: seed % 3]

    def keeps(one: tuple[int, ...]) -> bool:
        return not rules or (len({0, 1} & {*one}) < 2 and (len(rules) < 2 or cost[list(one)].sum() <= 6))

    problem = Problem(criterion(altsel.dependence(data, measure)), k, rules)
    assert is_screened(Question(Structure(problem), Dice(0)))
    found = sequential(problem, Dice(0.4), 0)
    score = formula(criterion, data, measure)
    expected = best_in_turn(score, k, 1, 0.4, keeps)
    assert [one.score for one in found] == pytest.approx(expected, rel=1e-9)
    assert all(one.proof is Proof.OPTIMAL for one in found)
    assert found.stop is (Stop.COUNT if expected else Stop.INFEASIBLE)
    if expected:
        assert "screening" in found.search


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("seed", range(4))
def test_each_alternative_is_the_best_that_differs(criterion: type, seed: int) -> None:
    data = table(100 + seed)
    problem = Problem(criterion(altsel.dependence(data, measures.absolute_pearson)), 3)
    score = formula(criterion, data, measures.absolute_pearson)
    names = [f"x{j}" for j in range(FEATURES)]
    found = sequential(problem, Dice(0.6), 3)
    known: list[set[int]] = []
    for one in found:
        apart = [
            value
            for other in combinations(range(FEATURES), 3)
            if (value := score(other)) > -inf and all(len({*other} & before) <= 1 for before in known)
        ]
        assert one.score == pytest.approx(max(apart), rel=1e-9)
        assert one.proof is Proof.OPTIMAL
        known.append({names.index(f) for f in one})
    assert found.stop is Stop.COUNT or not [
        other
        for other in combinations(range(FEATURES), 3)
        if score(other) > -inf and all(len({*other} & before) <= 1 for before in known)
    ]


@pytest.mark.parametrize("criterion", CRITERIA)
def test_sets_together_and_after_given_ones(criterion: type) -> None:
    data = table(7)
    problem = Problem(criterion(altsel.dependence(data, measures.association)), 2)
    score = formula(criterion, data, measures.association)
    together = simultaneous(problem, Dice(1), 1, total="min")
    pairs = [one for one in combinations(range(FEATURES), 2) if score(one) > -inf]
    most = max(min(score(a), score(b)) for a, b in combinations(pairs, 2) if not {*a} & {*b})
    assert min(one.score for one in together) == pytest.approx(most, rel=1e-9)
    after = sequential(problem, Dice(1), 1, known=[["x8", "x0"]], start=[["x6", "x7"]])
    assert after[0].score == pytest.approx(max(score(a) for a in pairs if not {0, 8} & {*a}), rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("k", [3, (1, 3)])
def test_all_near_optimal_sets_are_listed_and_no_pair_of_all_is_measured(
    criterion: type, k: int | tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of some tables the features searched at first do, of some all are needed, or sets one by one."""
    monkeypatch.setattr("altsel.search.alternatives.near_optimal.are_listed", lambda question: False)
    few = 0
    for seed in range(12):
        data = table(200 + seed)
        measured = altsel.dependence(data, measures.association)
        problem = Problem(criterion(measured), k)
        score = formula(criterion, data, measures.association)
        low, high = problem.sizes
        every = [one for size in range(low, high + 1) for one in combinations(range(FEATURES), size)]
        best = max(score(one) for one in every)
        if best == -inf:
            continue
        found = altsel.near_optimal(problem, altsel.AbsoluteLoss(0.05 * abs(best)))
        good = {one for one in every if score(one) >= best - 0.05 * abs(best) - 1e-9}
        assert {tuple(problem.index[f] for f in one.features) for one in found} == good
        assert found.stop is Stop.EXHAUSTED
        few += "of 9 features searched" in found.search and "list of the sets" in found.search
        enough = altsel.satisfying(problem, Dice(0.3), 1, least=best - 0.5 * abs(best))
        assert all(one.score >= best - 0.5 * abs(best) for one in enough)
        assert "_table" not in vars(problem.objective)
    assert few


def test_a_rule_on_features_that_are_not_searched_first_holds() -> None:
    data = table(3)
    relevance = altsel.dependence(data, measures.absolute_pearson).relevance
    least = [str(name) for name in relevance.sort_values().index[:2]]
    problem = Problem(MRMR(altsel.dependence(data, measures.absolute_pearson)), 3, [domain.require(*least)])
    found = sequential(problem, Dice(0), 0)
    assert {*least} <= {*found[0]}
    assert found[0].proof is Proof.OPTIMAL
    impossible = Problem(problem.objective, 3, [domain.require(*least), domain.forbid(least[0])])
    assert sequential(impossible, Dice(0), 0).stop is Stop.INFEASIBLE


@pytest.mark.slow
def test_where_too_many_would_be_searched_the_bound_is_one_for_all(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(screening, "MOST", 3)
    wrong, opened = 0, 0
    for seed in range(12):
        data = table(50 + seed)
        problem = Problem(MRMR(altsel.dependence(data, measures.absolute_pearson)), 3)
        [one] = sequential(problem, Dice(0), 0)
        score = formula(MRMR, data, measures.absolute_pearson)
        most = max(score(other) for other in combinations(range(FEATURES), 3))
        wrong += one.bound is None or one.bound < most - 1e-9
        opened += one.proof is Proof.FEASIBLE
    assert not wrong
    assert opened
    assert "the 3 most relevant of 9 features were searched" in caplog.text


def test_pairs_are_measured_among_few_features_alone() -> None:
    measured: list[int] = []

    class Counted(AbsoluteCorrelation):
        def redundancy(self, data: Dataset) -> np.ndarray:
            measured.append(len(data.features))
            return super().redundancy(data)

    random = np.random.default_rng(0)
    X = random.normal(size=(200, 60))
    data = Dataset(X, X[:, :3].sum(axis=1))
    problem = Problem(MRMR(altsel.dependence(data, Counted())), 3)
    found = sequential(problem, Dice(0.5), 2)
    assert [one.proof for one in found] == [Proof.OPTIMAL] * 3
    assert max(measured) < 60
    assert quality_bound(problem) >= found[0].score


def test_what_needs_all_pairs_is_refused_before_they_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    criterion = MRMR(altsel.dependence(table(1), measures.absolute_pearson))
    monkeypatch.setattr("altsel.runtime.memory.SMALL", 0)
    monkeypatch.setenv("ALTSEL_MEMORY", "1kB")
    with pytest.raises(altsel.ArgumentError, match=r"MRMR: tables of 9 x 9 need .*fewer features first"):
        _ = criterion.redundancy


@pytest.mark.parametrize("criterion", CRITERIA)
def test_sets_of_a_rule_on_many_irrelevant_features_are_met(
    criterion: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of "one of these 800", the least relevant of all: nothing was found, and the bound told nobody."""
    monkeypatch.setattr(screening, "MOST", 4)  # there is one round
    data = table(3)
    relevance = altsel.dependence(data, measures.association).relevance.sort_values(kind="stable")
    family = list(relevance.index[:4])
    problem = Problem(
        criterion(altsel.dependence(data, measures.association)), 3, [domain.at_least(1, family)]
    )
    found = sequential(problem, Dice(0.5), 0)
    assert len(found) == 1
    assert set(found[0].features) & set(family)
    assert found[0].bound is not None
