"""Sets that a solver calls optimal against their neighbours: a lie is found, the solver called again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pyomo.environ as pyo
import pytest

from altsel import (
    CFS,
    FCBF,
    MRMR,
    Average,
    Dependence,
    Dice,
    Jaccard,
    Penalised,
    Problem,
    Proof,
    Solutions,
    Univariate,
    domain,
    sequential,
    simultaneous,
    solver,
)
from altsel.exact.run import Run
from altsel.exact.verification.neighbour_check import _exchange_across, better_neighbours
from altsel.results.stop import Stop
from altsel.solvers import Outcome
from tests.pairs import paired


def drawn(seed: int, n: int = 7) -> Dependence:
    rng = np.random.default_rng(seed)
    names = [f"x{j}" for j in range(n)]
    pairs = rng.random((n, n)) * 0.4
    r = pd.DataFrame((pairs + pairs.T) / 2 + 0.6 * np.eye(n), index=names, columns=names)
    return Dependence(pd.Series(rng.random(n), index=names), r)


class Liar:
    """HiGHS, but in its first call it calls sets optimal that lack a feature of the best ones."""

    name = "liar"

    def __init__(self) -> None:
        self.calls = 0
        self.lied = False
        self.honest = solver("highs")

    def __call__(self, model: Any) -> Outcome:
        outcome = self.honest(model)
        self.calls += 1
        if self.calls > 1 or outcome.value is None:
            return outcome
        parts = list(model.sets.values()) if hasattr(model, "sets") else [model]
        free = (x for x in parts[-1].component_data_objects(pyo.Var) if x.is_integer() and not x.fixed)
        x = next(x for x in free if (x.value or 0) > 0.5)
        x.fix(round(x.value) - 1)
        lie = self.honest(model)
        x.unfix()
        if lie.value is None:
            return self.honest(model)
        self.lied = lie.value < outcome.value - 1e-9
        return lie


@pytest.fixture(autouse=True)
def no_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """No heuristic refutes the solver."""
    monkeypatch.setattr("altsel.exact.starts.warm_start.good_sets", lambda *_: [])


def one(problem: Problem, engine: Any) -> Solutions:
    return sequential(problem, Dice(0.5), 1, engine, known=[["x0", "x1", "x2"]])


def after_another(problem: Problem, engine: Any) -> Solutions:
    return sequential(problem, Average(Dice(0.5)), 1, engine, known=[["x0", "x1", "x2"]])


def at_a_price(problem: Problem, engine: Any) -> Solutions:
    return sequential(problem, Penalised(Dice(0.5), 0.1), 1, engine, known=[["x0", "x1", "x2"]])


def summed(problem: Problem, engine: Any) -> Solutions:
    return simultaneous(problem, Dice(0.2), 1, "sum", engine)


def least(problem: Problem, engine: Any) -> Solutions:
    return simultaneous(problem, Dice(0.2), 1, "min", engine)


def on_average(problem: Problem, engine: Any) -> Solutions:
    return simultaneous(problem, Average(Dice(0.2)), 2, "sum", engine)


def worth(found: Solutions) -> float:
    scores = [each.score for each in found]
    return min(scores) if "total=min" in found.search else sum(scores)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("search", "criterion"),
    paired(
        [one, after_another, at_a_price, summed, least, on_average],
        {
            "MRMR": lambda seed: MRMR(drawn(seed)),
            "FCBF": lambda seed: FCBF(drawn(seed)),
            "CFS": lambda seed: CFS(drawn(seed), encoding="linearised"),
        },
    ),
)
def test_a_lie_that_a_neighbour_refutes_does_not_leave(
    search: Callable[[Problem, Any], Solutions], criterion: Any
) -> None:
    problem, liar = Problem(criterion(7), (2, 3)), Liar()
    right = worth(search(problem, "highs"))
    found = search(problem, liar)
    assert liar.calls > 1 or not liar.lied  # without one feature other sets may be as good
    assert {each.proof for each in found} == {Proof.OPTIMAL}
    assert worth(found) == pytest.approx(right, rel=1e-9)


@pytest.mark.parametrize("search", [after_another, at_a_price, on_average])
def test_sums_are_looked_at_where_similarity_counts(search: Callable[[Problem, Any], Solutions]) -> None:
    problem, liar = Problem(Univariate(drawn(7).relevance), (2, 4)), Liar()
    right = worth(search(problem, "highs"))
    assert worth(search(problem, liar)) == pytest.approx(right, rel=1e-9)
    assert liar.calls > 1 or not liar.lied


@pytest.mark.slow
@pytest.mark.parametrize("total", ["sum", "min"])
def test_all_steps_are_looked_at(total: str) -> None:
    """Against brute force: neighbours are found if and only if one step in one set is better."""
    for seed, sizes in product(range(40), [(2, 4), (3, 3)]):
        rng = np.random.default_rng(seed)
        problem = Problem(MRMR(drawn(seed, 6)), sizes)
        features = list(problem.objective.features)
        sets = [sorted(rng.choice(features, 3, replace=False).tolist()) for _ in range(2)]
        run = Run(problem, "highs", "test")
        outcome = Outcome(Stop.EXHAUSTED, Proof.OPTIMAL, None, None, 0.0)
        question = run.question(Dice(0.3), 2, total)
        found = better_neighbours(question, sets, outcome)
        value = question.quality(sets)
        steps = [
            [*sets[:i], sorted(set(sets[i]) ^ set(flips)), *sets[i + 1 :]]
            for i in range(2)
            for flips in [*([f] for f in features), *product(sets[i], set(features) - set(sets[i]))]
        ]
        better = [
            step
            for step in steps
            if all(sizes[0] <= len(each) <= sizes[1] for each in step)
            and 1 - 2 * len(set(step[0]) & set(step[1])) / (len(step[0]) + len(step[1])) >= 0.3 - 1e-12
            and question.quality(step) > value + 1e-9
        ]
        assert (found is None) == (not better), (seed, sizes)
        assert found is None or [sorted(each) for each in found] in better


class Blind(Liar):
    """A solver that does not see what its start is better by, as other terms are so large."""

    def __call__(self, model: Any) -> Outcome:
        self.calls = 0
        return replace(super().__call__(model), largest_term=1e9)


def test_a_solver_that_does_not_see_its_start_proves_nothing() -> None:
    problem, blind = Problem(MRMR(drawn(7)), 3), Blind()
    [found] = sequential(problem, Dice(0.5), 1, blind, known=[["x0", "x1", "x2"]])
    assert blind.lied
    assert found.proof is Proof.FEASIBLE


def test_a_bound_that_an_exchange_between_two_sets_refutes() -> None:
    """HiGHS bounded the poorest of three sets by 12.9, where others have 313: terms reach to 1.4e9."""
    relevance = np.array(
        [1.1e-05, 8.9e-08, 625.5160218525591, 0.0004, 1482448.3918034364, 1374090.7367469845]
    )
    pairs = np.eye(6)
    for i, j, value in [
        (0, 1, -1.8e-07), (0, 2, 7.8e-06), (0, 3, 1354187701.2381554), (0, 4, 1.2e-05), (0, 5, 7.6e-06),
        (1, 2, 299.8230903303771), (1, 3, 1915989.0677613101), (1, 4, 1.66), (1, 5, 0.24),
        (2, 3, 7459.5155197406), (2, 4, 0.00014), (2, 5, 2.5e-06), (3, 4, 3.9), (3, 5, 12024263.45412173),
        (4, 5, 6608282.767457479),
    ]:  # fmt: skip
        pairs[i, j] = pairs[j, i] = value
    problem = Problem(MRMR(Dependence(relevance, pairs)), (2, 3), across=[domain.in_at_most(2, ["x2"])])
    found = simultaneous(problem, Jaccard(0.999999), 2, "min")
    assert min(one.score for one in found) == pytest.approx(312.758, abs=0.01)


def test_exchanges_between_two_sets_are_looked_at_in_the_order_of_the_features() -> None:
    """Which of several better pairs was met first hung on how Python hashes names."""
    names = [f"x{j}" for j in range(8)]
    problem = Problem(Univariate(pd.Series([9.0, 8, 7, 6, 5, 4, 3, 2], names)), 3)
    question = Run(problem, "highs", "test").question(Dice(1), 2, "min")
    low, high = ["x5", "x6", "x7"], ["x4", "x2", "x3"]
    found = _exchange_across(question, [high, low], [18.0, 9.0], 9.0)
    assert found == [["x3", "x4", "x5"], ["x2", "x6", "x7"]]
