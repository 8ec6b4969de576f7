"""Sets to begin with: they change no answer, spare work, and are there where time is up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyomo.environ as pyo
import pytest

import altsel
from altsel import (
    CFS,
    MRMR,
    ArgumentError,
    Dataset,
    Dice,
    LinearFit,
    Problem,
    RelativeLoss,
    Solutions,
    SolverError,
    Stop,
    Univariate,
    domain,
)
from altsel.exact.starts.nearest_valid import dissimilar_enough
from altsel.solvers import Outcome
from tests.pairs import paired

Search = Callable[[Problem, Any], Any]
LOSS = RelativeLoss(0.1)
SEARCHES: dict[str, Search] = {
    "sequential": lambda problem, start: altsel.sequential(problem, Dice(0.5), 2, start=start),
    "simultaneous": lambda problem, start: altsel.simultaneous(problem, Dice(0.5), 2, start=start),
    "poorest": lambda problem, start: altsel.simultaneous(problem, Dice(0.5), 2, "min", start=start),
    "named": lambda problem, start: altsel.simultaneous(problem, Dice(0.5), 1, solver="highs", start=start),
    "near": lambda problem, start: altsel.near_optimal(problem, LOSS, start=start),
    "different": lambda problem, start: altsel.most_different(problem, Dice(0.1), 1, LOSS, start=start),
    "satisfying": lambda problem, start: altsel.satisfying(problem, Dice(0.5), 2, 0.1, start=start),
    "front": lambda problem, start: altsel.pareto_front(problem, Dice(0), start=start),
}


def data(features: int, seed: int) -> Dataset:
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(80, features))
    numbers[:, 1:] += 0.7 * numbers[:, :-1]
    target = numbers[:, ::5].sum(axis=1) + rng.normal(size=80)
    return Dataset(
        pd.DataFrame(numbers, columns=[f"f{j}" for j in range(features)]), target, task="regression"
    )


def just_so(features: int, k: int, seed: int) -> Any:
    """A sum of whole numbers that must have one value: no exchange of two features keeps it."""
    rng = np.random.default_rng(seed)
    numbers = rng.integers(1, 40, features).tolist()
    wanted = sum(numbers[j] for j in rng.choice(features, k, replace=False))
    return lambda b: sum(c * x for c, x in zip(numbers, b.x.values(), strict=True)) == wanted


def problem(kind: str, features: int = 12, k: int = 4, ruled: bool = True) -> Problem:
    table = data(features, 3)
    objectives: dict[str, Callable[[], altsel.models.Objective]] = {
        "sum": lambda: Univariate(altsel.dependence(table, altsel.measures.absolute_pearson)),
        "mrmr": lambda: MRMR(altsel.dependence(table, altsel.measures.absolute_pearson)),
        "cfs": lambda: CFS(altsel.dependence(table, altsel.measures.absolute_pearson)),
        "fit": lambda: LinearFit(table),
    }
    return Problem(objectives[kind](), k, [just_so(features, k, 8)] if ruled else [])


def scores(found: Any) -> list[float]:
    if isinstance(found, altsel.Front):
        return [round(point.quality, 9) for point in found]
    return [round(subset.score, 9) for subset in found]


@pytest.mark.parametrize(("kind", "search"), paired(["sum", "mrmr", "cfs", "fit"], [*SEARCHES], 2))
def test_no_answer_changes(search: str, kind: str) -> None:
    stated = problem(kind, 10, ruled=kind in {"sum", "fit"})
    names = stated.objective.features
    plain = SEARCHES[search](stated, ())
    earlier = altsel.sequential(stated, Dice(0.2), 5)
    poor = [names[-4:], names[:3], names]  # of too few features, or against the rules, or too many
    for start in (earlier, earlier.sets[::-1], poor):
        found = SEARCHES[search](stated, start)
        if search == "satisfying":
            assert found.stop is plain.stop
        else:
            assert scores(found) == scores(plain)
            assert found.stop is plain.stop


@pytest.mark.parametrize(
    ("kind", "search", "features", "k"),
    [("cfs", "sequential", 40, 7), ("fit", "near", 30, 5), ("sum", "sequential", 40, 7)],
)
@pytest.mark.slow
def test_work_is_spared(
    kind: str, search: str, features: int, k: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("altsel.exact.sources.every_set.engine.MOST_SETS", 0)
    monkeypatch.setattr("altsel.exact.sources.plain_sum.race.Race.patience", 1.0)
    for name in ("AT_ONCE", "BOUND", "ENTRY"):  # a list at once is one node in any case
        monkeypatch.setattr(f"altsel.exact.sources.least_squares.tree.{name}", 0.0)
    stated = problem(kind, features, k)
    plain = SEARCHES[search](stated, ())
    found = SEARCHES[search](stated, plain)
    assert scores(found) == scores(plain)
    # where loops are compiled, a list may be one node of each: then fewer sets are listed
    assert found.effort.nodes + found.effort.listed < plain.effort.nodes + plain.effort.listed


def test_sets_are_there_where_time_is_up() -> None:
    stated = problem("mrmr", 40, 7)
    best = altsel.sequential(stated, Dice(0.5), 0)
    found = altsel.sequential(stated, Dice(0.5), 2, time_limit=1e-9, start=best)
    assert [one.features for one in found] == [best[0].features]
    assert found.stop is Stop.TIME
    assert not found.proved


def test_a_start_refutes_a_solver() -> None:
    stated = problem("mrmr", ruled=False)
    best = altsel.sequential(stated, Dice(0.5), 0)

    class Poor:
        name = "poor"

        def __call__(self, model: Any) -> Outcome:
            for j, x in enumerate(model.sets[0].x.values()):
                x.set_value(int(j >= len(model.sets[0].x) - 4))
            return Outcome.optimal(stated.objective.score(stated.mask(stated.objective.features[-4:])))

    with pytest.raises(SolverError, match=r"'poor' calls .* optimal, yet"):
        altsel.sequential(stated, Dice(0.5), 0, solver=Poor(), start=best)


def test_sets_of_an_earlier_search_with_other_conditions() -> None:
    loose = problem("mrmr", ruled=False)
    before = altsel.sequential(loose, Dice(0.2), 8)
    kept = [one for one in before if "f5" not in one.features]
    strict = Problem(loose.objective, 4, [domain.forbid("f5")])
    found = altsel.sequential(strict, Dice(0.2), 0, start=before)
    assert isinstance(found, Solutions)
    assert found[0].score >= max((one.score for one in kept), default=0.0)


@pytest.mark.parametrize("search", SEARCHES)
def test_a_start_of_another_table_is_refused(search: str) -> None:
    with pytest.raises(ArgumentError, match="start: there is no feature 'z'"):
        SEARCHES[search](problem("sum", ruled=False), [["z"]])


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["auto", "highs"])
def test_a_start_beside_a_distance_by_rows(solver: str) -> None:
    stated = problem("mrmr", ruled=False)
    names = stated.objective.features
    measure = altsel.WeightedJaccard(0.3, {f: 1 + j % 3 for j, f in enumerate(names)})
    start = [names[:4], names[3:7]]
    plain = altsel.sequential(stated, measure, 2, solver=solver)
    assert scores(altsel.sequential(stated, measure, 2, solver=solver, start=start)) == scores(plain)
    least = plain[2].score
    found = altsel.satisfying(stated, measure, 2, least, solver=solver, start=plain)
    assert len(found) == 3
    assert min(scores(found)) >= round(least, 9)


def test_a_start_where_the_criterion_has_variables_without_values() -> None:
    class Covered(altsel.models.Objective):
        name, features = "coverage", tuple("abcdef")
        topics = ("ab", "bcd", "ef", "ae")

        def score(self, mask: Any) -> float:
            inside = {f for f, chosen in zip(self.features, mask, strict=True) if chosen}
            return float(sum(bool(inside & set(topic)) for topic in self.topics))

        def express(self, block: Any, sizes: tuple[int, int]) -> None:
            block.covered = pyo.Var(self.topics, bounds=(0, 1))
            block.rows = pyo.ConstraintList()
            for topic, covered in block.covered.items():
                block.rows.add(covered <= sum(block.x[f] for f in topic))
            block.quality = pyo.Expression(expr=sum(block.covered.values()))

    def any_two(b: Any, sets: Any) -> Any:
        return sets[0]["a"] + sets[1]["a"] <= 1

    stated = Problem(Covered(), 2, across=[any_two])
    found = altsel.simultaneous(stated, Dice(0.5), 1, "min", solver="highs", start=[("a", "b"), ("c", "d")])
    assert scores(found) == scores(altsel.simultaneous(stated, Dice(0.5), 1, "min", solver="highs"))


class Never(Dice):
    """A measure of the user's own, by which no sets differ; its share is that of `Dice`."""

    def __call__(self, first: Any, second: Any) -> float:
        return 0.0


def test_sets_differ_as_the_measure_defines_it() -> None:
    near, far = ({"a", "b"}, {"a", "b", "c"}), ({"a", "b"}, {"b", "c"})
    overlap = altsel.Overlap(0.5)
    assert [dissimilar_enough(overlap, [pair]) for pair in (near, far)] == [False, True]
    assert dissimilar_enough(Dice(0.5), [far])
    assert not dissimilar_enough(Never(0.5), [far])
