"""A source of one's own, in one class and one entry, with all searches on it; what sources say and list."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import altsel
from altsel import BlackBox, Dice, Problem
from altsel.exact import auto
from altsel.exact.question import Answer, Question
from altsel.exact.run import Run
from altsel.exact.sources import table
from altsel.exact.sources.every_set import engine as every_set
from altsel.exact.sources.levels import best_sets
from altsel.exact.sources.source import Above
from altsel.exact.sources.table import OneSet, list_above, source_of, why_no_list
from altsel.models.objective import Kind
from altsel.solvers import Outcome
from tests.oracles import brute_force as bf

RELEVANCE = dict(zip("abcdefg", (7.0, 6, 5, 5, 3, 2, 1), strict=True))


def weakest(names: tuple[str, ...]) -> float:
    """Score a set by its least relevant feature."""
    return min(RELEVANCE[name] for name in names)


class Weakest:
    """Lists sets by their least relevant feature: all of the features above a level, level by level."""

    name, criterion = "list by levels", "least relevance"
    lists_at_once = True

    def reads(self, question: Question) -> bool:
        return getattr(question.problem.objective, "function", None) is weakest

    def why_not(self, question: Question) -> str | None:
        if question.penalty:
            return "sets pay for being similar"
        return "it knows no rules" if question.problem.subject_to else None

    def best_after(self, question: Question, run: Run) -> Answer | None:
        for one in self._falling(question):
            run.nodes += 1
            if question.differ([one]):
                return Answer([one], Outcome.optimal(weakest(tuple(one))))
        return Answer([], Outcome.infeasible())

    def why_no_list(self, question: Question) -> str | None:
        return self.why_not(question)

    def above(self, question: Question, run: Run, wanted: Above) -> tuple[list[Any], bool]:
        index, found = question.problem.index, []
        low, high = question.problem.sizes
        for size in range(low, high + 1):
            listed = [
                sorted(index[name] for name in one)
                for one in self._falling(question)
                if len(one) == size
                and (
                    weakest(tuple(one)) > wanted.floor
                    if wanted.strictly
                    else weakest(tuple(one)) >= wanted.floor
                )
            ]
            found.append(np.array(listed, dtype=np.int64).reshape(-1, size))
        return found, sum(map(len, found)) <= wanted.most

    def _falling(self, question: Question) -> Iterator[list[str]]:
        low, high = question.problem.sizes
        names = sorted(question.problem.index, key=lambda name: -RELEVANCE[name])
        every = [list(one) for size in range(low, high + 1) for one in combinations(names, size)]
        yield from sorted(every, key=lambda one: -weakest(tuple(one)))


@pytest.fixture
def with_weakest(monkeypatch: pytest.MonkeyPatch) -> Problem:
    """A problem of the new criterion; nothing but its source answers."""
    monkeypatch.setattr(table, "SOURCES", (*table.SOURCES, Weakest()))
    monkeypatch.setattr(auto, "ENGINES", (*auto.ENGINES, OneSet(Weakest())))
    monkeypatch.setattr(every_set, "MOST_SETS", 0)
    quality = BlackBox(weakest, list(RELEVANCE))
    quality.function = weakest  # type: ignore[attr-defined]
    return Problem(quality, (2, 3))


def test_a_source_is_one_class_and_one_entry(with_weakest: Problem) -> None:
    problem = with_weakest
    scores = bf.scored(problem.objective, list(bf.all_sets(problem.objective.features, problem.sizes)))
    found = altsel.sequential(problem, Dice(0.5), 2)
    assert found.search.endswith("by list by levels")
    for number, one in enumerate(found):
        known = [frozenset(other.features) for other in list(found)[:number]]
        assert one.score == bf.best_after(scores, known, bf.dice, 0.5)
    for total, add in (("sum", sum), ("min", min)):
        together = altsel.simultaneous(problem, Dice(0.5), 1, total)
        assert together.proved
        assert add([one.score for one in together]) == bf.best_together(scores, 2, bf.dice, 0.5, add)
    near = altsel.near_optimal(problem, altsel.AbsoluteLoss(1))
    assert near.stop is altsel.Stop.EXHAUSTED
    assert {frozenset(one.features) for one in near} == {one for one, score in scores.items() if score >= 5}
    front = altsel.pareto_front(problem, Dice(0))
    best = frozenset(front.reference[0])
    for point in front:
        assert point.found.proved
        after = bf.best_after(scores, [best], bf.dice, point.dissimilarity)
        assert point.quality == (max(scores.values()) if after is None else after)


def test_a_source_of_scores_alone_is_not_asked_where_sets_pay(with_weakest: Problem) -> None:
    """Its best set by score was called the best of quality less the penalty."""
    diversity = altsel.Penalised(Dice(1), 3.0)
    question = Run(with_weakest, None, "test").question(diversity)
    assert OneSet(Weakest()).why_not(question) == "sets pay for being similar"
    with pytest.raises(altsel.ArgumentError, match="black box"):
        altsel.sequential(with_weakest, diversity, 1)


def test_sources_read_what_is_theirs(with_weakest: Problem) -> None:
    rng = np.random.default_rng(0)
    made = altsel.Dependence(rng.random(6), np.eye(6))
    data = altsel.Dataset(rng.normal(size=(20, 6)), rng.normal(size=20))
    names = {
        "list of the next sets": altsel.Univariate(made),
        "branch and bound": altsel.MRMR(made),
        "branch and bound on least squares": altsel.LinearFit(data),
        "list by levels": with_weakest.objective,
    }
    for name, objective in names.items():
        question = Run(Problem(objective, 2), None, "test").question(Dice(0.5))
        source = source_of(question)
        assert source is not None
        assert source.name == name
        assert why_no_list(question) is None
    box = Run(Problem(BlackBox(len, list("abc")), 2), None, "test").question(Dice(0.5))
    assert source_of(box) is None
    assert why_no_list(box) == "a black box has no source of its sets"
    assert box.kind is Kind.BLACK_BOX


def test_a_quality_that_a_model_only_bounds_is_evaluated() -> None:
    problem = Problem(altsel.Univariate([3.0, 2.0, 1.0]), 2)
    run = Run(problem, None, "test")
    said = Outcome.unfinished(altsel.Stop.LIMIT, 4.9, 6.0)
    sets, outcome = best_sets(run.question(Dice(0.5)), run, lambda *_: ([["x0", "x2"]], said), [])
    assert (sets, outcome.value, outcome.bound) == ([["x0", "x2"]], 4.0, 6.0)


@pytest.mark.parametrize("name", ["univariate", "mrmr", "cfs", "fcbf", "fit"])
@pytest.mark.parametrize("strictly", [False, True])
def test_lists_above_a_floor_are_those_of_all_sets(name: str, strictly: bool) -> None:
    rng = np.random.default_rng(len(name))
    half = np.triu(rng.random((9, 9)), 1)
    made = altsel.Dependence(rng.random(9).round(1) + 0.1, half + half.T + np.eye(9))
    fit = altsel.LinearFit(altsel.Dataset(rng.normal(size=(30, 9)), rng.normal(size=30)))
    makes = {"univariate": altsel.Univariate, "mrmr": altsel.MRMR, "cfs": altsel.CFS, "fcbf": altsel.FCBF}
    objective = makes[name](made) if name in makes else fit
    problem = Problem(objective, (2, 3), [altsel.domain.at_most(1, objective.features[:3])])
    question = Run(problem, None, "test").question(Dice(0))
    sets = [
        one for one in bf.all_sets(objective.features, (2, 3)) if len(one & {*objective.features[:3]}) < 2
    ]
    scores = {one: score for one, score in bf.scored(objective, sets).items() if score > -np.inf}
    floor = sorted(scores.values())[-len(scores) // 3]
    listed, complete = list_above(question, Run(problem, None, "test"), Above(floor, 1000, strictly))
    found = {frozenset(objective.features[j] for j in one) for some in listed for one in some}
    assert complete
    slack = 1e-9
    assert found >= {one for one, score in scores.items() if score > floor + slack}
    assert found <= {one for one, score in scores.items() if score >= floor - slack}
