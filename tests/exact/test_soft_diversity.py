"""Sets that differ on average, or at a penalty, against brute force."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import Average, Dice, Jaccard, Penalised, Problem, Proof, Stop, Univariate
from tests.models.test_objectives import OBJECTIVES, WAYS, dependences, is_not_both, not_both, prepared
from tests.oracles import brute_force as bf
from tests.pairs import paired
from tests.search.alternatives.test_exact_searches import MEASURES

diversities = st.builds(
    lambda measure, tau, penalty: (
        Average(measure(tau)) if penalty is None else Penalised(measure(tau), penalty)
    ),
    st.sampled_from([Dice, Jaccard]),
    st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 0.7, 1.0]),
    st.sampled_from([None, 0, 0.1, 0.5, 3]),
)


def penalty_paid(diversity: Any, pairs: list[tuple[bf.Set, bf.Set]]) -> float | None:
    """Price of some pairs; None if they are too similar on average."""
    distance, tau = MEASURES[type(diversity.distance)], diversity.distance.tau
    apart = [distance(a, b) for a, b in pairs]
    if isinstance(diversity, Average):
        return None if apart and np.mean(apart) < tau - 1e-9 else 0.0
    return float(diversity.penalty * sum(max(0.0, tau - d) for d in apart))


@pytest.mark.slow
@pytest.mark.parametrize(("make", "way"), paired(OBJECTIVES, WAYS[:2]))
@given(data=st.data(), diversity=diversities, high=st.sampled_from([2, 3]), ruled=st.booleans())
@settings(max_examples=4)
def test_one_after_another(way: str, make: Any, data: Any, diversity: Any, high: int, ruled: bool) -> None:
    problem = Problem(make(data.draw(dependences(5))), (2, high), [not_both] if ruled else [])
    with pytest.MonkeyPatch.context() as patch:
        found = altsel.sequential(problem, diversity, 2, solver=prepared(way, patch))
    sets = [s for s in bf.all_sets(problem.objective.features, (2, high)) if not ruled or is_not_both(s)]
    scores = bf.scored(problem.objective, sets)
    known: list[bf.Set] = []
    for subset in found:
        costs = {s: penalty_paid(diversity, [(s, t) for t in known]) for s in scores if s not in known}
        values = {s: scores[s] - cost for s, cost in costs.items() if cost is not None}
        assert values[frozenset(subset)] == pytest.approx(max(values.values()), abs=1e-7)
        assert subset.score == pytest.approx(scores[frozenset(subset)])
        assert subset.proof is Proof.OPTIMAL
        known.append(frozenset(subset))
    if len(found) < 3:
        assert found.stop is Stop.INFEASIBLE
        assert all(penalty_paid(diversity, [(s, t) for t in known]) is None for s in scores if s not in known)


@pytest.mark.parametrize(("make", "way"), paired(OBJECTIVES, ["auto", "highs"]))
@given(
    data=st.data(),
    diversity=diversities,
    total=st.sampled_from(["sum", "min"]),
    high=st.sampled_from([2, 2, 3]),
)
@settings(max_examples=3)
def test_all_at_once(way: str, make: Any, data: Any, diversity: Any, total: str, high: int) -> None:
    add: Any = {"sum": sum, "min": min}[total]
    problem = Problem(make(data.draw(dependences(5))), (2, high))
    found = altsel.simultaneous(problem, diversity, 2, total, way)
    scores = bf.scored(problem.objective, list(bf.all_sets(problem.objective.features, (2, high))))
    best = None
    for family in combinations(scores, 3):
        cost = penalty_paid(diversity, list(combinations(family, 2)))
        if cost is not None:
            value = add([scores[s] for s in family]) - cost
            best = value if best is None else max(best, value)
    if best is None:
        assert (len(found), found.stop) == (0, Stop.INFEASIBLE)
        return
    sets = [frozenset(subset) for subset in found]
    cost = penalty_paid(diversity, list(combinations(sets, 2)))
    assert cost is not None
    assert add([scores[s] for s in sets]) - cost == pytest.approx(best, abs=1e-7)
    assert found.proved


def test_a_price_of_nothing_gives_the_best_sets_in_order() -> None:
    found = altsel.sequential(Problem(Univariate([5, 4, 2, 1]), 2), Penalised(Dice(1), 0), 5)
    assert [subset.score for subset in found] == [9, 7, 6, 6, 5, 3]
    assert len({subset.features for subset in found}) == 6


def test_known_sets_are_kept_away_from() -> None:
    problem = Problem(Univariate([5, 4, 3, 2, 1]), 2)
    found = altsel.sequential(problem, Dice(1), 2, known=[["x0", "x4"]])
    assert [subset.features for subset in found] == [("x1", "x2")]
    assert found.stop is Stop.INFEASIBLE
    with pytest.raises(altsel.ArgumentError, match="no feature 'x9'"):
        altsel.sequential(problem, Dice(1), 2, known=[["x0", "x9"]])
    with pytest.raises(altsel.ArgumentError, match="no set of features"):
        altsel.sequential(problem, Dice(1), 2, known=["x0"])


@pytest.mark.parametrize("penalty", [-1, float("nan"), float("inf"), "high", True])
def test_a_wrong_price_is_refused(penalty: Any) -> None:
    with pytest.raises(altsel.ArgumentError, match="penalty"):
        Penalised(Dice(0.5), penalty)
