"""Rules that are evaluated on sets, and second criteria, against brute force over all sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import ArgumentError, Dice, Problem, Proof, Stop, Univariate, domain
from altsel.exact.rules.evaluated_rules import EvaluatedRules
from altsel.runtime.clock import OutOfTimeError
from tests.models.test_objectives import OBJECTIVES, WAYS, dependences, prepared
from tests.oracles import brute_force as bf
from tests.pairs import paired
from tests.search.alternatives.test_exact_searches import check_sequential, check_simultaneous

Keeps = Callable[[bf.Set], bool]


def drawn(data: Any, features: tuple[str, ...]) -> tuple[Any, Keeps]:
    """Draw a rule that only its values tell; some of them monotone."""
    kind = data.draw(st.sampled_from(["any", "down", "up"]))
    marks = data.draw(st.lists(st.integers(0, 3), min_size=len(features), max_size=len(features)))
    mark = dict(zip(features, marks, strict=True))
    limit = data.draw(st.integers(1, 6))

    def keeps(one: bf.Set) -> bool:
        worth = sum(mark[f] for f in one)
        return bool({"any": worth % 3 != 1, "down": worth <= limit, "up": worth >= limit}[kind])

    monotone = None if kind == "any" else kind
    return domain.predicate(
        lambda names: keeps(frozenset(names)), name=f"{kind} rule", monotone=monotone
    ), keeps


@pytest.mark.slow
@pytest.mark.parametrize(("make", "way"), paired(OBJECTIVES, WAYS))
@given(data=st.data())
@settings(max_examples=2)
def test_predicates(make: Any, way: str, data: Any) -> None:
    objective = make(data.draw(dependences(6)))
    rule, keeps = drawn(data, tuple(objective.features))
    problem = Problem(objective, data.draw(st.sampled_from([3, (2, 3)])), [rule])
    with pytest.MonkeyPatch.context() as patch:
        solver = prepared(way, patch)
        check_sequential(problem, Dice(0.5), altsel.sequential(problem, Dice(0.5), 1, solver), 2, keeps)
        scores = bf.scored(objective, [s for s in bf.all_sets(objective.features, problem.sizes) if keeps(s)])
        near = altsel.near_optimal(problem, altsel.AbsoluteLoss(0.3), solver=solver)
    best = max(scores.values(), default=None)
    if best is None:
        assert near.stop is Stop.INFEASIBLE
        return
    good = {s for s, q in scores.items() if q >= best - 0.3 - 1e-9}
    sure = {s for s, q in scores.items() if q >= best - 0.3 + 1e-9}
    assert sure <= {frozenset(one) for one in near} <= good
    assert near.stop is Stop.EXHAUSTED


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("total", ["sum", "min"])
@given(data=st.data(), name=st.sampled_from(sorted(OBJECTIVES)))
@settings(max_examples=4)
def test_predicates_on_several_sets_together(total: str, way: str, data: Any, name: str) -> None:
    objective = OBJECTIVES[name](data.draw(dependences(6)))
    rule, keeps = drawn(data, tuple(objective.features))
    problem = Problem(objective, 2, [rule])
    with pytest.MonkeyPatch.context() as patch:
        found = altsel.simultaneous(problem, Dice(0.5), 1, total, prepared(way, patch))
    check_simultaneous(problem, Dice(0.5), found, 2, total, keeps)


@pytest.mark.parametrize(("other", "way"), paired(OBJECTIVES, WAYS))
@given(data=st.data(), name=st.sampled_from(sorted(OBJECTIVES)))
@settings(max_examples=2)
def test_second_criteria_from_both_sides(other: Any, way: str, data: Any, name: str) -> None:
    numbers = data.draw(dependences(6))
    objective, second = OBJECTIVES[name](numbers), other(numbers)
    k = data.draw(st.sampled_from([2, 3, (1, 3)]))
    values = bf.scored(second, list(bf.all_sets(objective.features, Problem(objective, k).sizes)))
    level = sorted(values.values())[data.draw(st.integers(0, len(values) - 1))] if values else 0.5
    side = data.draw(st.sampled_from(["at_least", "at_most"]))
    sign = 1 if side == "at_least" else -1
    close = 1e-9 * abs(level)

    def keeps(one: bf.Set) -> bool:
        return one in values and sign * values[one] >= sign * level - close

    problem = Problem(objective, k, [domain.criterion(second, **{side: level})])
    with pytest.MonkeyPatch.context() as patch:
        found = altsel.sequential(problem, Dice(0.5), 1, prepared(way, patch))
    check_sequential(problem, Dice(0.5), found, 2, keeps)


@pytest.mark.slow
@pytest.mark.parametrize(("make", "way"), paired(OBJECTIVES, WAYS))
@given(data=st.data())
@settings(max_examples=2)
def test_limits_on_the_quality_from_above(make: Any, way: str, data: Any) -> None:
    """Some models bound the quality from one side only: a set must not pass for a poorer one."""
    objective = make(data.draw(dependences(6)))
    k = data.draw(st.sampled_from([2, (1, 3)]))
    scores = bf.scored(objective, list(bf.all_sets(objective.features, Problem(objective, k).sizes)))
    level = sorted(scores.values())[len(scores) // 2] if scores else 0.5
    level += 1e-7 * max(abs(level), 1e-3)  # clear of the value
    problem = Problem(objective, k, [lambda b: b.quality <= level])
    with pytest.MonkeyPatch.context() as patch:
        found = altsel.sequential(problem, Dice(0.5), 1, prepared(way, patch))
    check_sequential(problem, Dice(0.5), found, 2, lambda s: s in scores and scores[s] <= level)


def test_a_predicate_is_evaluated_best_first_and_once() -> None:
    seen: list[tuple[str, ...]] = []

    def accurate(features: tuple[str, ...]) -> bool:
        seen.append(features)
        return "x0" not in features

    problem = Problem(Univariate([5.0, 4, 3, 2, 1]), 2, [domain.predicate(accurate)])
    found = altsel.sequential(problem, Dice(0.5), 0)
    assert found[0].features == ("x1", "x2")
    assert seen[:2] == [("x0", "x1"), ("x0", "x2")]
    assert set(seen) <= {("x0", "x1"), ("x0", "x2"), ("x0", "x3"), ("x1", "x2")}
    assert len(seen) == len(set(seen)) + 1  # once more where the answer is checked


def test_a_monotone_predicate_takes_few_evaluations(monkeypatch: pytest.MonkeyPatch) -> None:
    """One smallest part that breaks it cuts off all sets with that part."""
    calls: list[int] = []

    def apart(features: tuple[str, ...]) -> bool:
        calls.append(len(features))
        return sum(f in features for f in ("x0", "x1", "x2")) < 2

    problem = Problem(Univariate(np.arange(60.0, 0, -1)), 8, [domain.predicate(apart, monotone="down")])
    found = altsel.sequential(problem, Dice(0.5), 0)
    assert found[0].features == ("x0", *(f"x{j}" for j in range(3, 10)))
    assert found[0].proof is Proof.OPTIMAL
    assert len(calls) < 100


def test_a_predicate_that_is_not_monotone_is_found_out() -> None:
    even = domain.predicate(lambda features: len(features) % 2 == 0, name="even", monotone="down")
    with pytest.raises(ArgumentError, match=r"rule 'even' is declared monotone='down', yet it holds for"):
        altsel.sequential(Problem(Univariate([3.0, 2, 1] * 8), 4, [even]), Dice(0.5), 0)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda features: 3, r"rule 'odd' returns 3 for \('x0', 'x1'\); a predicate returns True or False"),
        (lambda features: 1 / 0, "rule 'odd' fails for .*ZeroDivisionError"),
        (lambda: True, "rule 'odd' fails for"),
    ],
)
def test_what_is_no_predicate_is_refused(function: Any, message: str) -> None:
    problem = Problem(Univariate([3.0, 2, 1]), 2, [domain.predicate(function, name="odd")])
    with pytest.raises(ArgumentError, match=message):
        altsel.sequential(problem, Dice(0.5), 0)


def test_arguments_of_both_are_checked() -> None:
    with pytest.raises(ArgumentError, match="is no function of a tuple of names"):
        domain.predicate("x0")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="monotone='sideways'"):
        domain.predicate(bool, monotone="sideways")
    with pytest.raises(ArgumentError, match="an objective, such as"):
        domain.criterion("mrmr", at_least=1)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="give at_least=, at_most=, or both"):
        domain.criterion(Univariate([1.0]))
    with pytest.raises(ArgumentError, match="is above at_most"):
        domain.criterion(Univariate([1.0]), at_least=2, at_most=1)
    other = domain.criterion(Univariate({"z": 1.0}), at_least=0)
    with pytest.raises(ArgumentError, match="knows no feature 'x0', 'x1'"):
        altsel.sequential(Problem(Univariate([2.0, 1]), 1, [other]), Dice(0.5), 0)


@pytest.mark.slow
def test_explanations_audits_samples_and_climbs_keep_them() -> None:
    def small(features: tuple[str, ...]) -> bool:
        return "x0" not in features

    rule = domain.predicate(small, name="without the first")
    problem = Problem(Univariate([3.0, 2, 1, 1]), 3, [rule, domain.require("x0")])
    assert altsel.explain(problem, Dice(0.5), 0).conflict == ("without the first", "require 'x0'")
    free = Problem(Univariate([3.0, 2, 1, 1]), 2, [rule])
    found = altsel.sequential(Problem(Univariate([3.0, 2, 1, 1]), 2), Dice(0.5), 0)
    assert altsel.audit(found, free, Dice(0.5)).verdict == "refuted"
    assert altsel.audit(altsel.sequential(free, Dice(0.5), 1), free, Dice(0.5)).verdict == "confirmed"
    assert set(altsel.enumerate_valid(free)) == {("x1", "x2"), ("x1", "x3"), ("x2", "x3")}
    assert not any("x0" in one for one in altsel.sample_valid(free, 20).sets)
    black = Problem(altsel.BlackBox(len, free.objective.features), 2, [rule])
    assert "x0" not in altsel.wrapper(black, Dice(0.5), 0)[0]
    assert "x0" not in altsel.satisfying(free, Dice(0.5), 1, least=2)[0]
    assert not any("x0" in one for one in altsel.greedy.replacement(free, Dice(0.5), 1))
    assert not any("x0" in one for one in altsel.most_different(free, Dice(0), 1, altsel.RelativeLoss(1)))
    front = altsel.pareto_front(free, Dice(0))
    assert not any("x0" in one for point in front for one in point.found)


def test_lexicographic_questions_take_two_lines() -> None:
    numbers = altsel.Dependence(np.linspace(0.9, 0.1, 12), np.full((12, 12), 0.2))
    good = altsel.sequential(Problem(altsel.MRMR(numbers), 4), Dice(0.5), 0)[0].score
    price = dict(zip(numbers.relevance.index, [9.0, 1, 8, 2, 7, 3, 6, 4, 5, 5, 5, 5], strict=True))
    cheap = Univariate({f: -p for f, p in price.items()})
    rule = domain.criterion(altsel.MRMR(numbers), at_least=0.95 * good)
    found = altsel.sequential(Problem(cheap, 4, [rule]), Dice(0.5), 0)[0]
    sets = list(bf.all_sets(cheap.features, (4, 4)))
    worth = bf.scored(altsel.MRMR(numbers), sets)
    least = min(sum(price[f] for f in one) for one in sets if worth[one] >= 0.95 * good)
    assert -found.score == pytest.approx(least)
    assert found.proof is Proof.OPTIMAL


@pytest.mark.slow
def test_a_loose_model_with_a_limit_from_above_ends_where_sets_are_few() -> None:
    """Sets that break the limit were cut off one at a time: hundreds of solves, each longer than the last."""
    random = np.random.default_rng(5)
    table = pd.DataFrame(random.normal(size=(40, 9)), columns=[f"x{j}" for j in range(9)])
    fit = altsel.LinearFit(altsel.Dataset(table, table.sum(axis=1) + random.normal(size=40)))
    scores = bf.scored(fit, list(bf.all_sets(fit.features, (1, 3))))
    limit = float(np.quantile(list(scores.values()), 0.3))

    def poor(b: Any) -> Any:
        return b.quality <= limit

    for solver in (None, "highs"):
        found = altsel.sequential(Problem(fit, (1, 3), [poor]), Dice(0), 0, solver)
        assert found.proved
        assert found[0].score == pytest.approx(max(q for q in scores.values() if q <= limit))
    assert found.effort.solves < 10


def test_declarations_are_not_checked_when_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: Any) -> None:
        raise OutOfTimeError

    monkeypatch.setattr(EvaluatedRules, "check_monotone", late)
    light = altsel.domain.predicate(lambda names: "a" not in names, name="light", monotone="down")
    problem = altsel.Problem(altsel.Univariate({"a": 3.0, "b": 2.0, "c": 1.0}), 2, [light])
    assert altsel.sequential(problem, altsel.Dice(0.5), 0)[0].features == ("b", "c")


def test_a_rule_that_looks_at_the_clock_ends_the_search_with_it() -> None:
    """What is made where time is up is evaluated too: that must not raise."""

    def slow(names: tuple[str, ...]) -> bool:
        raise OutOfTimeError

    problem = altsel.Problem(
        altsel.Univariate({f"x{j}": 9.0 - j for j in range(9)}), 3, [domain.predicate(slow)]
    )
    found = altsel.sequential(problem, Dice(0.5), 0)
    assert (len(found), found.stop) == (0, Stop.TIME)


def test_a_false_declaration_does_not_prove_that_there_is_no_set() -> None:
    quality = altsel.Univariate({f"x{j}": 9.0 - j for j in range(8)})
    rule = altsel.domain.predicate(lambda names: "x0" not in names, name="without x0", monotone="up")
    for solver in (None, "highs"):
        with pytest.raises(altsel.AltselError, match=r"'without x0' is (not|declared) monotone='up'"):
            altsel.sequential(altsel.Problem(quality, 3, [rule]), altsel.Dice(0.5), 0, solver)
