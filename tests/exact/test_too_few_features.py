"""Counting that no such sets exist: beside brute force, and where it must not speak."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pyomo.environ as pyo
import pytest

from altsel import FCBF, Dice, Jaccard, Problem, Proof, Stop, Univariate, domain, simultaneous
from altsel.exact.families.counts.too_few_features import why_no_count
from altsel.exact.question import Question, Structure
from altsel.exact.sources.every_set import engine as all_sets
from altsel.models.objective import Kind
from altsel.runtime.clock import Clock, in_force
from altsel.stats.dependence import Dependence


def question(problem: Problem, distance: Any, sets: int) -> Question:
    return Question(Structure(problem), distance, count=sets, total="sum")


def exist(n: int, sizes: range, share: Any, sets: int) -> bool:
    """Whether there are sets that differ enough, by trying all."""
    every = [set(one) for k in sizes for one in combinations(range(n), k)]

    def more(chosen: list[set[int]], start: int) -> bool:
        if len(chosen) == sets:
            return True
        return any(
            more([*chosen, one], at + 1)
            for at, one in enumerate(every[start:], start)
            if all(len(one & other) <= share * (len(one) + len(other)) for other in chosen)
        )

    return more([], 0)


@pytest.mark.parametrize("n", [4, 5, 6])
@pytest.mark.parametrize("k", [2, 3, (2, 3)])
@pytest.mark.parametrize("distance", [Dice(0.5), Dice(1.0), Jaccard(0.6), Jaccard(1.0)])
def test_it_speaks_only_where_there_are_none(n: int, k: Any, distance: Any) -> None:
    sizes = range(k, k + 1) if isinstance(k, int) else range(k[0], k[1] + 1)
    said = 0
    for sets in (2, 3, 4, 6, 8, 12) if n < 6 else (2, 3, 4):
        refused = why_no_count(question(Problem(Univariate(np.ones(n)), k), distance, sets)) is None
        assert not (refused and exist(n, sizes, distance.share, sets))
        said += refused
    if distance.tau == 1.0 and n < 6:
        assert said  # four pairs that share nothing need eight features


@pytest.mark.parametrize("k", [3, (2, 4)])
@pytest.mark.parametrize("alternatives", [200, 10**5, 10**9])
def test_any_number_of_sets_is_too_many_beyond_those_that_can_differ(k: Any, alternatives: int) -> None:
    """Of triples of twenty features, any two of which share one at most, there are 60; of pairs 190."""
    problem = Problem(Univariate(np.arange(20.0)), k)
    with in_force(Clock(until=0.0)):  # no loop over the sets, or over their features
        found = why_no_count(question(problem, Dice(0.6), alternatives + 1))
    assert found is None


def test_features_that_no_set_can_have_do_not_count() -> None:
    quality = Univariate(np.arange(1.0, 9.0))
    rules = [
        domain.forbid("x0"),
        domain.budget({f"x{j}": float(j == 1) + 0.1 for j in range(8)}, 0.9, other=0),
    ]
    seven = Problem(quality, 3, rules[:1])
    assert why_no_count(question(seven, Dice(1.0), 2)) is not None
    six = Problem(quality, 4, rules)
    found = simultaneous(six, Dice(1.0), 1)
    assert (found.stop, len(found)) == (Stop.INFEASIBLE, 0)
    assert found.search.endswith("by counts of memberships")


def test_features_in_conflict_with_too_many_do_not_count() -> None:
    redundancy = np.eye(6)
    redundancy[0, :], redundancy[:, 0] = 1.0, 1.0
    quality = FCBF(Dependence(np.full(6, 0.5), redundancy))
    assert why_no_count(question(Problem(quality, 3), Dice(1.0), 2)) is None
    assert simultaneous(Problem(quality, 3), Dice(1.0), 1, solver="highs").stop is Stop.INFEASIBLE


def test_a_named_solver_answers_itself() -> None:
    problem = Problem(Univariate(np.ones(4)), 3)
    found = simultaneous(problem, Dice(1.0), 1, solver="highs")
    assert found.stop is Stop.INFEASIBLE
    assert found.search.endswith(("by counts of memberships", "by model on highs"))


def test_fcbf_is_a_plain_sum_and_a_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums of many sets under conflicts once had no bound but a model's: 20 features took minutes."""
    rng = np.random.default_rng(3)
    relevance = rng.uniform(0.2, 1.0, 40)
    redundancy = rng.uniform(0, 0.5, (40, 40)) * (rng.random((40, 40)) < 0.4)
    quality = FCBF(Dependence(relevance, np.triu(redundancy, 1) + np.triu(redundancy, 1).T + np.eye(40)))
    assert quality.conditional
    asked = question(Problem(quality, 3), Dice(0.6), 3)
    assert asked.kind is Kind.QUADRATIC
    assert asked.as_sum.kind is Kind.SUM
    found = simultaneous(Problem(quality, 3), Dice(0.6), 1)
    by_model = simultaneous(Problem(quality, 3), Dice(0.6), 1, solver="highs")
    assert {one.proof for one in (*found, *by_model)} == {Proof.OPTIMAL}
    assert sum(one.score for one in found) == pytest.approx(sum(one.score for one in by_model), abs=1e-9)
    free = FCBF(Dependence(relevance, np.eye(40)))
    assert (free.kind, free.conditional) == (Kind.SUM, False)
    monkeypatch.setattr(all_sets, "MOST_SETS", 0)  # else whoever is done first answers
    assert "membership" in simultaneous(Problem(free, 3), Dice(0.6), 1).search


def test_a_rule_may_have_a_name_like_those_of_the_conditions() -> None:
    """A rule with a component `exclusive` was once refused, under a name that the user had not given."""

    def apart(block: Any) -> None:
        block.exclusive = pyo.Constraint(expr=block.x["x0"] + block.x["x1"] <= 1)

    redundancy = np.eye(7)
    redundancy[5, 6] = redundancy[6, 5] = 1.0
    quality = FCBF(Dependence(np.linspace(1.0, 0.4, 7), redundancy))
    found = simultaneous(Problem(quality, 3, [apart]), Dice(0.6), 2)
    named = simultaneous(Problem(quality, 3, [apart]), Dice(0.6), 2, solver="highs")
    assert sum(one.score for one in found) == pytest.approx(sum(one.score for one in named))
    assert FCBF.kind is Kind.QUADRATIC
