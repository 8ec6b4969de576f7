"""Dissimilarities by rows, altsel's own and the user's, against brute force by their definitions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import numpy as np
import pandas as pd
import pyomo.environ as pyo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import ArgumentError, Dice, Jaccard, Problem, Proof, Stop, Univariate
from altsel.exact.verification import own_dissimilarity
from altsel.models.dissimilarity_data import made_dissimilarity, plain_dissimilarity
from altsel.runtime.clock import Clock, in_force
from altsel.solvers.standard_form import to_rows
from tests.models.test_objectives import OBJECTIVES, WAYS, dependences, not_both, prepared
from tests.oracles import brute_force as bf
from tests.pairs import paired

NAMES = [f"x{j}" for j in range(8)]
WEIGHTS = dict(zip(NAMES, [9, 1, 1, 0.5, 9, 2, 0, 3], strict=True))
GROUPS = dict(zip(NAMES, "aabbcc", strict=False))
ALIKE = [("x0", "x1"), ("x1", "x2"), ("x4", "x5"), ("x3", "x6")]
Distance = Callable[[bf.Set, bf.Set], float]


def weight(names: Collection[str]) -> float:
    return sum(WEIGHTS[f] for f in names)


def weighted_dice(a: bf.Set, b: bf.Set) -> float:
    total = weight(a) + weight(b)
    return 1 - 2 * weight(a & b) / total if total else 0.0


def weighted_jaccard(a: bf.Set, b: bf.Set) -> float:
    return 1 - weight(a & b) / weight(a | b) if weight(a | b) else 0.0


def group_dice(a: bf.Set, b: bf.Set) -> float:
    return bf.dice(frozenset(GROUPS.get(f, f) for f in a), frozenset(GROUPS.get(f, f) for f in b))


def matched(a: bf.Set, b: bf.Set) -> int:
    """Size of the largest matching, by trying all."""
    pairs = [(f, g) for f in a for g in b if f == g or (f, g) in ALIKE or (g, f) in ALIKE]
    for size in range(min(len(a), len(b)), 0, -1):
        for some in combinations(pairs, size):
            if len({f for f, _ in some}) == size == len({g for _, g in some}):
                return size
    return 0


def aware_dice(a: bf.Set, b: bf.Set) -> float:
    return 1 - 2 * matched(a, b) / (len(a) + len(b))


def aware_jaccard(a: bf.Set, b: bf.Set) -> float:
    return 1 - matched(a, b) / (len(a) + len(b) - matched(a, b))


@dataclass(frozen=True)
class EarlyFeaturesCountTwice:
    """A measure of the user's own, by rows with products: shares of x0, x1 and x2 count twice."""

    tau: float

    def __call__(self, first: Collection[str], second: Collection[str]) -> float:
        common = set(first) & set(second)
        return 1 - (len(common) + len(common & {"x0", "x1", "x2"})) / (len(first) + len(second))

    def rows(self, block: Any, first: Mapping[str, Any], second: Mapping[str, Any]) -> Any:
        common = sum((2 if f in {"x0", "x1", "x2"} else 1) * first[f] * second[f] for f in first)
        return common <= (1 - self.tau) * (sum(first.values()) + sum(second.values()))


@dataclass(frozen=True)
class ByShare:
    """A measure of the user's own, as a share of the overlap."""

    tau: float

    @property
    def share(self) -> Any:
        return Dice(self.tau).share

    def __call__(self, first: Collection[str], second: Collection[str]) -> float:
        return 1 - 2 * len(set(first) & set(second)) / (len(first) + len(second))


def early(a: bf.Set, b: bf.Set) -> float:
    return 1 - (len(a & b) + len(a & b & {"x0", "x1", "x2"})) / (len(a) + len(b))


MEASURES: dict[str, tuple[Callable[[float], Any], Distance]] = {
    "overlap": (altsel.Overlap, lambda a, b: 1 - len(a & b) / min(len(a), len(b))),
    "Hamming": (lambda tau: altsel.Hamming(tau, 8), lambda a, b: len(a ^ b) / 8),
    "weighted Dice": (lambda tau: altsel.WeightedDice(tau, WEIGHTS), weighted_dice),
    "weighted Jaccard": (lambda tau: altsel.WeightedJaccard(tau, WEIGHTS), weighted_jaccard),
    "groups": (lambda tau: altsel.GroupDice(tau, GROUPS), group_dice),
    "correlated, Dice": (lambda tau: altsel.CorrelationAware(Dice(tau), alike=ALIKE), aware_dice),
    "correlated, Jaccard": (lambda tau: altsel.CorrelationAware(Jaccard(tau), alike=ALIKE), aware_jaccard),
    "own rows": (EarlyFeaturesCountTwice, early),
    "own share": (ByShare, bf.dice),
}
TAUS = st.sampled_from([0.0, 0.2, 0.25, 1 / 3, 0.5, 0.6, 1.0])
each = pytest.mark.parametrize("name", MEASURES)


def scores_of(problem: Problem, ruled: bool) -> dict[bf.Set, float]:
    sets = [
        s
        for s in bf.all_sets(problem.objective.features, problem.sizes)
        if not ruled or not {"x0", "x1"} <= s
    ]
    return bf.scored(problem.objective, sets)


def check_chain(
    problem: Problem, scores: Any, found: Any, far: Distance, tau: float, known: list[bf.Set]
) -> None:
    for subset in found:
        best = bf.best_after(scores, known, far, tau)
        assert best == pytest.approx(subset.score, abs=1e-9)
        assert subset.score == 0 or subset.proof is Proof.OPTIMAL
        assert all(far(frozenset(subset), one) >= tau - 1e-9 for one in known)
        known.append(frozenset(subset))
    if found.stop is not Stop.COUNT:
        assert found.stop in {Stop.INFEASIBLE, Stop.EXHAUSTED}
        assert bf.best_after(scores, known, far, tau) is None


@pytest.mark.parametrize(("name", "way"), paired([*MEASURES], WAYS))
@given(data=st.data(), tau=TAUS, objective=st.sampled_from(sorted(OBJECTIVES)))
@settings(max_examples=2)
def test_one_after_another(name: str, way: str, data: Any, tau: float, objective: str) -> None:
    make, far = MEASURES[name]
    ruled, k = data.draw(st.booleans()), data.draw(st.sampled_from([2, 3, (1, 3)]))
    problem = Problem(OBJECTIVES[objective](data.draw(dependences(5))), k, [not_both] if ruled else [])
    known = [["x2", "x3"]] if data.draw(st.booleans()) else []
    with pytest.MonkeyPatch.context() as patch:
        found = altsel.sequential(problem, make(tau), 2, prepared(way, patch), known=known)
    check_chain(problem, scores_of(problem, ruled), found, far, tau, [frozenset(one) for one in known])


TOGETHER = [
    pytest.param(name, way, ("sum", "min")[(i + j) % 2], marks=pytest.mark.long if (i + j) % 3 == 1 else ())
    for i, name in enumerate(MEASURES)
    for j, way in enumerate(WAYS)
]
"""Every measure in every way; each of both with either total, but not all three together."""


@pytest.mark.parametrize(("name", "way", "total"), TOGETHER)
@given(data=st.data(), tau=TAUS, objective=st.sampled_from(sorted(OBJECTIVES)))
@settings(max_examples=2)
def test_all_at_once(name: str, way: str, total: str, data: Any, tau: float, objective: str) -> None:
    make, far = MEASURES[name]
    ruled, k = data.draw(st.booleans()), data.draw(st.sampled_from([2, (1, 2)]))
    problem = Problem(OBJECTIVES[objective](data.draw(dependences(5))), k, [not_both] if ruled else [])
    with pytest.MonkeyPatch.context() as patch:
        found = altsel.simultaneous(problem, make(tau), 1, total, prepared(way, patch))
    scores = scores_of(problem, ruled)
    families = [family for family in combinations_with_replacement(scores, 2) if far(*family) >= tau - 1e-9]
    add: Any = {"sum": sum, "min": min}[total]
    if not families:
        assert found.stop is Stop.INFEASIBLE
        return
    best = max(add([scores[one] for one in family]) for family in families)
    assert add([one.score for one in found]) == pytest.approx(best, abs=1e-9)
    assert far(*map(frozenset, found)) >= tau - 1e-9
    assert best == 0 or found.proved


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if i % 2 else ()) for i, name in enumerate(MEASURES)]
)
@given(data=st.data(), tau=TAUS)
@settings(max_examples=2)
def test_every_other_search_takes_them(name: str, data: Any, tau: float) -> None:
    make, far = MEASURES[name]
    problem = Problem(Univariate(data.draw(dependences(5)).relevance), 3)
    scores = scores_of(problem, False)
    near = altsel.near_optimal(problem, altsel.AbsoluteLoss(10), dissimilarity=make(tau))
    check_chain(problem, scores, near, far, tau, []) if tau else None
    for together in (False, True):
        found = altsel.satisfying(problem, make(tau), 1, least=0.1, together=together)
        assert all(far(*map(frozenset, pair)) >= tau - 1e-9 for pair in combinations(found, 2))
        furthest = altsel.most_different(problem, make(0.0), 1, altsel.RelativeLoss(0.5), together=together)
        if len(furthest) == 2:
            first = frozenset(furthest[0])
            floor = 0.5 * max(scores.values())
            others = [far(first, s) for s, q in scores.items() if q >= floor - 1e-9 and s != first]
            if not together:
                assert far(first, frozenset(furthest[1])) >= max(others, default=0) - 1e-5
        front = altsel.pareto_front(problem, make(0.0), together=together, alternatives=int(together))
        assert front.stop is Stop.EXHAUSTED
        assert all(point.found.proved for point in front)
    valid = set(altsel.enumerate_valid(problem, make(tau), [["x0", "x1", "x2"]]))
    known = frozenset({"x0", "x1", "x2"})
    assert {frozenset(one) for one in valid} == {s for s in scores if far(s, known) >= tau - 1e-9}
    drawn = altsel.sample_valid(problem, 5, make(tau), [["x0", "x1", "x2"]]).sets
    assert set(drawn) <= valid
    assert bool(drawn) == bool(valid)
    black = Problem(altsel.BlackBox(len, problem.objective.features), 2)
    climbed = altsel.wrapper(black, make(tau), 1)
    assert all(far(*map(frozenset, pair)) >= tau - 1e-9 for pair in combinations(climbed, 2))


@each
def test_definitions_agree_with_the_oracle(name: str) -> None:
    make, far = MEASURES[name]
    for a, b in combinations_with_replacement(list(bf.all_sets(NAMES, (1, 3))), 2):
        assert make(0.5)(a, b) == pytest.approx(far(a, b)) == pytest.approx(make(0.5)(b, a))


@pytest.mark.slow
@each
def test_audits_and_explanations_speak_of_them(name: str) -> None:
    make, _ = MEASURES[name]
    problem = Problem(Univariate(dict(zip(NAMES, range(8, 0, -1), strict=True))), 3)
    found = altsel.sequential(problem, make(0.5), 1)
    assert altsel.audit(found, problem, make(0.5)).verdict == "confirmed"
    if not name.startswith("own"):
        again = altsel.Solutions.from_json(found.to_json())
        assert altsel.audit(again, problem).verdict == "confirmed"
        assert made_dissimilarity(plain_dissimilarity(make(0.5))) == make(0.5)
    twice = replace(found, sets=(found[0], found[0]))
    assert altsel.audit(twice, problem, make(0.5)).verdict == "refuted"
    few = Problem(Univariate([3.0, 2, 1]), 3)
    told = altsel.explain(few, make(0.5) if name != "Hamming" else altsel.Hamming(0.5, 3), 1)
    assert any("differs from set 0" in one for one in told.conflict)


class OnlyTheDistance(Dice):
    def __call__(self, first: Any, second: Any) -> float:
        return float(min(first) != min(second))


class NoEncoding:
    tau = 0.5

    def __call__(self, first: Any, second: Any) -> float:
        return 1.0


@dataclass(frozen=True)
class TooLenient(EarlyFeaturesCountTwice):
    """Its rows allow what its definition forbids: sets are found out, and cut off or refused."""

    def __call__(self, first: Collection[str], second: Collection[str]) -> float:
        return 1 - len(set(first) & set(second)) / min(len(first), len(second))

    def rows(self, block: Any, first: Mapping[str, Any], second: Mapping[str, Any]) -> Any:
        return []


@dataclass(frozen=True)
class TooStrict(EarlyFeaturesCountTwice):
    """Its rows forbid what its definition allows: sets would be lost."""

    def __call__(self, first: Collection[str], second: Collection[str]) -> float:
        return 1 - 2 * len(set(first) & set(second)) / (len(first) + len(second))

    def rows(self, block: Any, first: Mapping[str, Any], second: Mapping[str, Any]) -> Any:
        return [first[f] + second[f] <= 1 for f in first]


@dataclass(frozen=True)
class WrongShare(Dice):
    """It lets sets be more alike than its definition does."""

    @property
    def share(self) -> Any:
        return Dice(0.2).share

    def __call__(self, first: Collection[str], second: Collection[str]) -> float:
        return 1 - 2 * len(set(first) & set(second)) / (len(first) + len(second))


PROBLEM = Problem(Univariate(dict(zip(NAMES, range(8, 0, -1), strict=True))), 2)


@pytest.mark.parametrize(
    ("search", "more"),
    [
        (altsel.sequential, {}),
        (altsel.simultaneous, {}),
        (altsel.satisfying, {"least": 0.0}),
        (altsel.most_different, {"within": altsel.RelativeLoss(0.1)}),
    ],
)
def test_a_distance_without_an_encoding_is_refused_at_the_door(search: Any, more: Any) -> None:
    with pytest.raises(
        ArgumentError, match=r"OnlyTheDistance defines __call__ and inherits .* from Dice.*add share"
    ):
        search(PROBLEM, OnlyTheDistance(0.5), 1, **more)
    with pytest.raises(ArgumentError, match=r"NoEncoding says what the distance is.*add share .* or rows"):
        search(PROBLEM, NoEncoding(), 1, **more)


def test_an_encoding_that_is_not_the_distance_is_found_out() -> None:
    for solver in (None, "highs"):
        with pytest.raises((ArgumentError, altsel.SolverError), match="WrongShare"):
            altsel.sequential(PROBLEM, WrongShare(0.9), 1, solver)
        with pytest.raises(ArgumentError, match=r"TooLenient: .* not enough .* its rows allow them"):
            altsel.sequential(PROBLEM, TooLenient(1.0), 1, solver)
        with pytest.raises(ArgumentError, match=r"TooStrict: .* enough .* its rows forbid them"):
            altsel.sequential(PROBLEM, TooStrict(0.5), 1, solver)


def test_rows_that_are_too_lenient_where_it_was_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets are cut off until the distance holds; families are refused."""
    monkeypatch.setattr(own_dissimilarity, "PAIRS", 0)
    for solver in (None, "highs"):
        found = altsel.sequential(PROBLEM, TooLenient(1.0), 1, solver)
        assert [one.features for one in found] == [("x0", "x1"), ("x2", "x3")]
    with pytest.raises(altsel.SolverError, match="TooLenient"):
        altsel.simultaneous(PROBLEM, TooLenient(1.0), 1, solver="highs")


@dataclass(frozen=True)
class OneRowTooMany(EarlyFeaturesCountTwice):
    """Two features may not be in the one and the other set, says a row; the definition does not."""

    first: str
    second: str

    def rows(self, block: Any, first: Mapping[str, Any], second: Mapping[str, Any]) -> Any:
        yield super().rows(block, first, second)
        yield first[self.first] + second[self.second] <= 1


@pytest.mark.slow
@pytest.mark.parametrize(("solver", "together"), paired(["auto", "highs"], [False, True]))
def test_a_row_too_many_is_found_by_the_pairs_or_one_step_from_the_answer(
    solver: str, together: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"x{j}" for j in range(40)]
    problem = Problem(Univariate({f: 1.03**-j for j, f in enumerate(names)}), 4)
    search: Any = altsel.simultaneous if together else altsel.sequential
    far = EarlyFeaturesCountTwice(0.75)
    best = search(problem, far, 1, solver=solver)
    refused = 0
    for pair in product(best[0].features[:2], best[1].features[-2:]):
        wrong = OneRowTooMany(0.75, *pair)
        with monkeypatch.context() as patch:
            patch.setattr(own_dissimilarity, "PAIRS", 0)
            patch.setattr(own_dissimilarity, "BLOCKS", 0)
            try:
                found = search(problem, wrong, 1, solver=solver)
            except altsel.SolverError as fault:
                assert "rows forbid what __call__ of OneRowTooMany allows; altsel.models.check" in str(fault)  # noqa: PT017
                refused += 1
            else:  # of sets found together another family may be as good
                assert sum(one.score for one in found) == pytest.approx(sum(one.score for one in best))
        with pytest.raises((ArgumentError, altsel.SolverError), match="OneRowTooMany"):
            search(problem, wrong, 1, solver=solver)
    assert refused == 4 or together
    with pytest.raises(ArgumentError, match=r"OneRowTooMany: .* enough .* its rows forbid them"):
        altsel.models.check_dissimilarity(OneRowTooMany(0.75, "x11", "x31"), problem)
    altsel.models.check_dissimilarity(far, problem)


@pytest.mark.parametrize("solver", [None, "highs"])
def test_that_there_is_no_further_set_is_not_believed_where_rows_forbid_too_much(
    solver: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    @dataclass(frozen=True)
    class NeverTheRest(EarlyFeaturesCountTwice):
        """Rows that leave nothing but the first features, of which two sets are all there are."""

        def rows(self, block: Any, first: Mapping[str, Any], second: Mapping[str, Any]) -> Any:
            yield super().rows(block, first, second)
            yield sum(x for f, x in second.items() if int(f[1:]) >= 8) == 0

    monkeypatch.setattr(own_dissimilarity, "PAIRS", 0)
    monkeypatch.setattr(own_dissimilarity, "BLOCKS", 0)
    problem = Problem(Univariate({f"x{j}": 1.03**-j for j in range(40)}), 4)
    with pytest.raises(altsel.SolverError, match=r"there was to be no set, .* rows .* NeverTheRest"):
        altsel.sequential(problem, NeverTheRest(1.0), 4, solver=solver)


def test_a_search_whose_time_is_up_ends_as_it_should() -> None:
    """The comparison before a search looked at the clock where nobody catches what it raises."""
    with in_force(Clock(until=0.0)):
        found = altsel.sequential(PROBLEM, EarlyFeaturesCountTwice(0.5), 1)
    assert found.stop is Stop.TIME


LISTED: Any = ["a"]
HALF: Any = 0.5


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: altsel.WeightedDice(0.5, {"a": -1}),
            "weights of 'a': each must be a finite number of at least 0",
        ),
        (lambda: altsel.WeightedDice(0.5, {}), "give a number for each feature"),
        (lambda: altsel.WeightedJaccard(2, {"a": 1}), "tau=2"),
        (lambda: altsel.GroupDice(0.5, LISTED), "give the group of each feature"),
        (lambda: altsel.CorrelationAware(HALF, alike=[]), r"base=0.5; give Dice\(tau\)"),
        (lambda: altsel.CorrelationAware(Dice(0.5)), "give correlation, a Dataset or a table"),
        (
            lambda: altsel.CorrelationAware(Dice(0.5), np.eye(2)),
            "give a Dataset, a Dependence, or a DataFrame",
        ),
        (lambda: altsel.CorrelationAware(Dice(0.5), alike=[], r=0), "r=0; use a number above 0"),
        (lambda: altsel.Hamming(0.5, 0), "features=0"),
        (lambda: altsel.Average(altsel.WeightedDice(0.5, {"a": 1})), "hold pair by pair only"),
        (lambda: altsel.Penalised(altsel.Overlap(0.5), 1), "hold pair by pair only"),
    ],
)
def test_wrong_arguments_are_named(make: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        make()


def test_a_feature_without_a_weight_is_named() -> None:
    with pytest.raises(ArgumentError, match="WeightedDice: there is no weight for 'x1'"):
        altsel.sequential(PROBLEM, altsel.WeightedDice(0.5, {"x0": 1}), 1)


def test_neighbouring_channels_are_no_alternatives() -> None:
    rng = np.random.default_rng(0)
    waves = np.cumsum(rng.normal(size=(60, 30)), axis=1)
    table = pd.DataFrame(waves, columns=[f"{900 + j} nm" for j in range(30)])
    data = altsel.Dataset(table, pd.Series(waves[:, 5] + waves[:, 25], name="y"), task="regression")
    problem = Problem(altsel.LinearFit(data), 2)
    measure = altsel.CorrelationAware(Dice(1.0), data, r=0.95)
    found = altsel.sequential(problem, measure, 2)
    correlation = table.corr().abs()
    for one, other in combinations(found, 2):
        assert correlation.loc[list(one), list(other)].to_numpy().max() < 0.95


@dataclass(frozen=True)
class NoNeighbours:
    """The share of the first set's features without a neighbour in the second: not the same both ways."""

    tau: float

    def __call__(self, first: Collection[str], second: Collection[str]) -> float:
        near = sum(any(abs(int(f[1:]) - int(g[1:])) < 2 for g in second) for f in first)
        return 1 - near / len(first)

    def rows(self, block: Any, first: Mapping[str, Any], second: Mapping[str, Any]) -> Any:
        block.near = pyo.Var(list(first), bounds=(0, 1))
        for f, g in product(first, repeat=2):
            if abs(int(f[1:]) - int(g[1:])) < 2:
                yield block.near[f] >= first[f] + second[g] - 1
        yield sum(block.near.values()) <= (1 - self.tau) * sum(first.values())


@pytest.mark.parametrize("solver", ["auto", "highs"])
@pytest.mark.parametrize("seed", range(4))
def test_sets_may_differ_in_one_order_only(seed: int, solver: str) -> None:
    """Sets found together are given best first only if they differ enough in that order."""
    values = np.random.default_rng(seed).integers(1, 20, 8)
    score = dict(zip(NAMES, values.tolist(), strict=True))
    measure = NoNeighbours(0.5)
    found = altsel.simultaneous(Problem(Univariate(score), (1, 3)), measure, 1, solver=solver)
    sets = [one for size in (1, 2, 3) for one in combinations(NAMES, size)]
    worth = {one: sum(score[f] for f in one) for one in sets}
    best = max(worth[a] + worth[b] for a, b in product(sets, repeat=2) if measure(a, b) >= 0.5)
    assert measure(*(one.features for one in found)) >= 0.5
    assert sum(one.score for one in found) == best


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_known_sets_come_first(seed: int) -> None:
    """Fronts and most different sets measure from the known set to the new one."""
    values = np.random.default_rng(seed).integers(1, 20, 8)
    problem = Problem(Univariate(dict(zip(NAMES, values.tolist(), strict=True))), 2)
    measure = NoNeighbours(0.0)
    known = ("x1", "x5")
    front = altsel.pareto_front(problem, measure, [known])
    for point in front:
        assert point.dissimilarity == measure(known, point.found[0].features)
    most = max(measure(known, one) for one in combinations(NAMES, 2))
    assert front[-1].dissimilarity == most
    found = altsel.most_different(problem, measure, 1, altsel.AbsoluteLoss(100.0))
    first, second = (one.features for one in found)
    assert measure(first, second) == max(measure(first, one) for one in combinations(NAMES, 2))


@dataclass(frozen=True)
class NotOfItself(EarlyFeaturesCountTwice):
    """Half of what is in common counts: a set differs from itself by a half."""

    def __call__(self, first: Collection[str], second: Collection[str]) -> float:
        return 1 - len(set(first) & set(second)) / (len(first) + len(second))

    def rows(self, block: Any, first: Mapping[str, Any], second: Mapping[str, Any]) -> Any:
        common = sum(first[f] * second[f] for f in first)
        return common <= (1 - self.tau) * (sum(first.values()) + sum(second.values()))


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["auto", "highs"])
def test_near_optimal_sets_come_once(solver: str) -> None:
    values = dict(zip(NAMES, [9.0, 8, 7, 6, 5, 4, 3, 2], strict=True))
    near = altsel.near_optimal(
        Problem(Univariate(values), 2), altsel.AbsoluteLoss(4.0), 20, NotOfItself(0.4), solver=solver
    )
    sets = [one.features for one in near]
    assert len(set(sets)) == len(sets) == sum(values[a] + values[b] >= 13 for a, b in combinations(NAMES, 2))
    assert near.stop is Stop.EXHAUSTED


@pytest.mark.parametrize("name", ["weighted Dice", "weighted Jaccard", "groups", "correlated, Dice"])
def test_any_tau_gives_rows_of_usual_numbers(name: str) -> None:
    """tau = 1 / pi made numbers of 1e16 that no program reads exactly."""
    problem = Problem(Univariate(dict(zip(NAMES, range(8, 0, -1), strict=True))), 3)
    model = altsel.formulate(problem, MEASURES[name][0](1 / np.pi), 1)
    assert to_rows(model).extent[1] < 1e7
