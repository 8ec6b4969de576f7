"""Stages before the table: their order, and rules that are answered without a model, as by brute force."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from altsel import CFS, MRMR, Dependence, Dice, Problem, Stop, Univariate, domain, sequential, simultaneous
from altsel.exact import auto
from altsel.exact.question import Answer, Question
from altsel.exact.run import Run
from altsel.exact.shared_structures import shared_structures
from altsel.exact.sources.every_set import engine as all_sets
from altsel.exact.stages.proved_before import NAME, ProvedBefore
from altsel.exact.stages.stage import Rest, through
from altsel.solvers import Outcome
from tests.exact.test_chains import literal


def tables(relevance: np.ndarray, redundancy: np.ndarray) -> Dependence:
    names = [f"x{j}" for j in range(len(relevance))]
    return Dependence(pd.Series(relevance, names), pd.DataFrame(redundancy, names, names))


@dataclass(frozen=True)
class Noted:
    """A stage that notes when it is asked, and restates the question."""

    name: str
    seen: list[str] = field(default_factory=list)

    def answer(self, question: Question, run: Run, rest: Rest) -> Answer:
        self.seen.append(f"{self.name} is asked of {len(question.known)}")
        found = rest(replace(question, known=[*question.known, [self.name]]), run)
        self.seen.append(f"{self.name} judges {found.sets}")
        return found


def test_stages_are_asked_in_order_and_judge_in_the_other() -> None:
    run = Run(Problem(Univariate([3, 2, 1]), 1), None, "test")
    seen: list[str] = []

    def last(question: Question, run: Run) -> Answer:
        return Answer([["x0"]] * len(question.known), Outcome.optimal(None))

    answer = through([Noted("first", seen), Noted("second", seen)], last)
    assert len(answer(run.question(Dice(0.5)), run).sets) == 2
    assert seen == [
        "first is asked of 0",
        "second is asked of 1",
        "second judges [['x0'], ['x0']]",
        "first judges [['x0'], ['x0']]",
    ]


def test_what_was_proved_is_not_asked_again() -> None:
    problem, asked = Problem(Univariate([3, 2, 1]), 1), []

    def last(question: Question, run: Run) -> Answer:
        asked.append(question.diversity)
        return Answer([["x0"]], Outcome.optimal(3.0))

    with shared_structures():
        run, stage = Run(problem, None, "test"), ProvedBefore()
        for tau in (0.2, 0.5, 0.1):
            assert stage.answer(run.question(Dice(tau)), run, last).sets == [["x0"]]
    assert asked == [Dice(0.2), Dice(0.1)]  # the best set that differs by .2 differs by .5, too
    assert NAME in run.engines


@pytest.mark.parametrize("kind", [MRMR, CFS])
@pytest.mark.parametrize("least", [-9.0, "second", "none"])
def test_the_best_without_a_least_quality_has_it_or_nothing_has(
    kind: type[MRMR | CFS], least: float | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(all_sets, "MOST_SETS", 0)
    rng = np.random.default_rng(5)
    redundancy = rng.random((8, 8))
    objective = kind(tables(rng.random(8), (redundancy + redundancy.T) / 2))
    free = sequential(Problem(objective, 3), Dice(0.5), 3)
    scores = [one.score for one in free]
    floor = {"second": scores[1] - 1e-3 * (scores[1] - scores[2]), "none": scores[0] + 0.1}.get(
        str(least), least
    )
    found = sequential(Problem(objective, 3, [domain.minimum_quality(float(floor))]), Dice(0.5), 3)
    assert [one.score for one in found] == [score for score in scores if score >= float(floor)]
    assert found.stop is (free.stop if len(found) == len(free) else Stop.INFEASIBLE)
    assert "model" not in found.search


def test_a_least_quality_is_no_reason_in_the_table() -> None:
    objective = MRMR(tables(np.arange(5.0), np.ones((5, 5)) / 9))
    question = Run(Problem(objective, 2, [domain.minimum_quality(1)]), None, "test").question(Dice(0.5))
    assert {row.engine: row.why_not for row in auto.reasons(question)}["branch and bound"] is None


def test_a_least_quality_is_told_from_other_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(all_sets, "MOST_SETS", 0)
    rng = np.random.default_rng(6)
    redundancy = rng.random((8, 8))
    objective = MRMR(tables(rng.random(8), (redundancy + redundancy.T) / 2))
    few = domain.at_most(1, ["x0", "x1", "x2", "x3"])
    for least, reached in ((-9.0, True), (9.0, False)):
        plain = sequential(Problem(objective, 3, [few]), Dice(0.5), 1)
        found = sequential(Problem(objective, 3, [few, domain.minimum_quality(least)]), Dice(0.5), 1)
        wanted = [one.features for one in plain] if reached else []
        assert [one.features for one in found] == wanted
        assert "model" not in found.search


@pytest.mark.slow
@pytest.mark.parametrize("k", [3, (2, 4)])
def test_required_and_forbidden_features_are_taken_out_before_sets_are_counted(
    k: int | tuple[int, int],
) -> None:
    weights = np.random.default_rng(1).normal(1, 1, 9).round(1)
    rules = [domain.require("x4"), domain.forbid("x1")]
    found = simultaneous(Problem(Univariate(weights), k, rules), Dice(0.4), 2, total="sum")
    sizes = (k, k) if isinstance(k, int) else k
    every, _ = literal(weights.tolist(), sizes, lambda s: "x4" in s and "x1" not in s, 1, [])
    share = Dice(0.4).share
    totals = [
        sum(score for score, _ in three)
        for three in combinations(every, 3)
        if all(len(a & b) <= share * (len(a) + len(b)) for (_, a), (_, b) in combinations(three, 2))
    ]
    assert sum(one.score for one in found) == pytest.approx(max(totals))
    assert found.proved
    assert "model" not in found.search


def test_sets_that_share_too_much_by_what_is_required() -> None:
    rules = [domain.require("x0", "x1")]
    found = simultaneous(Problem(Univariate(np.arange(9.0)), 3, rules), Dice(0.6), 2, total="sum")
    assert found.stop is Stop.INFEASIBLE
