"""One tree on several workers: optimum, proof and listed sets are those of one process; claims hold."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest

import altsel
from altsel.errors import WorkerError
from altsel.exact.convexified import several_processes
from altsel.exact.convexified.open_nodes import Nodes, State
from altsel.exact.engines import quadratic, threshold
from altsel.exact.engines.all_sets import AllSets


@pytest.fixture(autouse=True)
def rounds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let convex programs search all trees, and workers begin at once; count their rounds."""
    monkeypatch.setattr(AllSets, "why_not", lambda *_: "not here")
    monkeypatch.setattr(quadratic, "plain_nodes", lambda _: 0)
    monkeypatch.setattr(threshold, "plain_nodes", lambda _: 0)
    monkeypatch.setattr(several_processes, "PAYS", 0.001)
    monkeypatch.setattr(several_processes, "SMALLEST", 1)
    counted: list[int] = []
    dealing = several_processes._Rounds._round

    def count(self: Any) -> None:
        counted.append(1)
        dealing(self)

    monkeypatch.setattr(several_processes._Rounds, "_round", count)
    return counted


def factors(n: int, seed: int, rows: int = 200) -> altsel.Dependence:
    """Make features that share a few factors, absolute correlations."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3)) @ rng.normal(size=(3, n)) + 0.8 * rng.normal(size=(rows, n))
    y = X[:, :5].sum(axis=1) + 3 * rng.normal(size=rows)
    names = [f"x{j}" for j in range(n)]
    table = np.abs(np.corrcoef(np.column_stack([X, y]).T))
    redundancy = (table[:-1, :-1] + table[:-1, :-1].T) / 2
    return altsel.Dependence(
        pd.Series(table[-1, :-1], names), pd.DataFrame(redundancy, index=names, columns=names)
    )


def plain(found: altsel.Solutions) -> list[tuple[tuple[str, ...], str]]:
    return [(one.features, str(one.proof)) for one in found]


@pytest.mark.parametrize("seed", range(3))
def test_the_optimum_and_its_proof_are_those_of_one_process(seed: int, rounds: list[int]) -> None:
    given = factors(30 if seed % 2 else 12, seed)
    objective = altsel.MRMR(given) if seed % 3 else altsel.CFS(given)
    problem = altsel.Problem(objective, 5)
    alone = altsel.sequential(problem, altsel.Dice(0.5), 1)
    assert not rounds
    with joblib.parallel_config("threading", n_jobs=2):
        both = altsel.sequential(problem, altsel.Dice(0.5), 1)
    assert plain(both) == plain(alone)
    assert both.stop == alone.stop
    if not seed % 2:
        every = combinations(range(12), 5)
        best = max(objective.score(np.isin(np.arange(12), members)) for members in every)
        assert both[0].score == pytest.approx(best, rel=1e-12)


def test_listed_sets_are_those_of_one_process(rounds: list[int]) -> None:
    problem = altsel.Problem(altsel.MRMR(factors(40, 7)), 5)
    alone = altsel.near_optimal(problem, altsel.AbsoluteLoss(0.03))
    with joblib.parallel_config("threading", n_jobs=2):
        both = altsel.near_optimal(problem, altsel.AbsoluteLoss(0.03))
    assert rounds
    assert len(alone) > 10
    assert {one.features for one in both} == {one.features for one in alone}
    assert both.stop == alone.stop


def test_a_bound_at_a_limit_holds(rounds: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    problem = altsel.Problem(altsel.MRMR(factors(60, 3)), 8)
    best = altsel.sequential(problem, altsel.Dice(0.5), 0)[0]
    monkeypatch.setattr(several_processes, "FIRST", 1e-9)
    monkeypatch.setattr(several_processes, "LONGEST", 1e-9)
    stopping = several_processes._Rounds._round

    def interrupted(self: Any) -> None:
        stopping(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(several_processes._Rounds, "_round", interrupted)
    with joblib.parallel_config("threading", n_jobs=2):
        found = altsel.sequential(problem, altsel.Dice(0.5), 0)
    assert found.stop is altsel.Stop.INTERRUPT
    assert found[0].score <= best.score + 1e-12
    bound = found[0].bound
    assert bound is not None
    assert bound >= best.score


def test_what_lost_workers_had_is_searched_by_this_process(
    rounds: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = altsel.Problem(altsel.MRMR(factors(40, 5)), 6)
    alone = altsel.sequential(problem, altsel.Dice(0.5), 0)

    def lost(*_: Any) -> Iterator[Any]:
        raise WorkerError("killed")
        yield

    monkeypatch.setattr(several_processes, "each", lost)
    with joblib.parallel_config("threading", n_jobs=2):
        assert plain(altsel.sequential(problem, altsel.Dice(0.5), 0)) == plain(alone)
    assert rounds


def test_a_cluster_without_workers_leaves_the_tree_to_this_process(
    rounds: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = altsel.Problem(altsel.MRMR(factors(30, 5)), 5)
    alone = altsel.sequential(problem, altsel.Dice(0.5), 0)

    def none() -> int:
        raise WorkerError("the cluster has no workers")

    monkeypatch.setattr(several_processes, "number_of_workers", none)
    assert plain(altsel.sequential(problem, altsel.Dice(0.5), 0)) == plain(alone)
    assert not rounds


def test_no_worker_is_called_for_what_is_left_of_a_short_limit(rounds: list[int]) -> None:
    problem = altsel.Problem(altsel.MRMR(factors(40, 5)), 6)
    with joblib.parallel_config("threading", n_jobs=2):
        found = altsel.sequential(problem, altsel.Dice(0.5), 0, time_limit=several_processes.LEFT / 2)
    assert found[0].proof is altsel.Proof.OPTIMAL
    assert not rounds


@pytest.mark.long
def test_processes_find_the_same(rounds: list[int]) -> None:
    problem = altsel.Problem(altsel.MRMR(factors(60, 3)), 8)
    alone = altsel.sequential(problem, altsel.Dice(0.5), 0)
    with joblib.parallel_config("loky", n_jobs=2):
        assert plain(altsel.sequential(problem, altsel.Dice(0.5), 0)) == plain(alone)
    assert rounds


def test_nodes_come_out_as_they_went_in() -> None:
    rng = np.random.default_rng(0)
    states = [
        State(rng.integers(-1, 2, 5).astype(np.int8), np.arange(m), rng.random(m), rng.random(2))
        for m in (2, 0, 3)
    ]
    entries = [(float(i), i, state, i - 1, 1) for i, state in enumerate(states)]
    for (bound, state, feature, side), (was, _, before, decided, on) in zip(
        Nodes.of(entries), entries, strict=True
    ):
        assert (bound, feature, side) == (was, decided, on)
        for name in ("status", "support", "parts", "prices"):
            np.testing.assert_array_equal(getattr(state, name), getattr(before, name))
