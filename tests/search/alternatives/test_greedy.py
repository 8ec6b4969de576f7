from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import ArgumentError, Dice, Jaccard, Problem, Proof, Stop, Univariate, domain
from altsel.exact.starts.warm_start import good_set
from tests.models.test_domain import RULES
from tests.oracles import brute_force as bf

HEURISTICS = [altsel.greedy.replacement, altsel.greedy.balancing]
cases = st.tuples(
    st.lists(st.floats(0, 1), min_size=3, max_size=12),
    st.integers(1, 4),
    st.sampled_from([0.0, 0.25, 0.4, 0.5, 0.75, 1.0]),
    st.sampled_from([(Dice, bf.dice), (Jaccard, bf.jaccard)]),
)


@pytest.mark.slow
@pytest.mark.parametrize("search", HEURISTICS)
@given(cases, st.integers(0, 4))
def test_heuristic_sets_are_admissible_and_not_above_the_optimum(
    search: Any, case: Any, alternatives: int
) -> None:
    q, k, tau, (measure, distance) = case
    problem = Problem(Univariate(q), min(k, len(q)))
    found = search(problem, measure(tau), alternatives)
    assert found.stop is (Stop.COUNT if len(found) == alternatives + 1 else Stop.LIMIT)
    assert all(subset.proof is Proof.HEURISTIC and subset.bound is None for subset in found)
    assert all(len(subset) == problem.sizes[0] for subset in found)
    for a, b in combinations(found, 2):
        assert distance(frozenset(a), frozenset(b)) >= tau - 1e-9
    if found.stop is Stop.COUNT:
        best = altsel.simultaneous(problem, measure(tau), alternatives)
        assert sum(subset.score for subset in found) <= sum(subset.score for subset in best) + 1e-9


def test_replacement_keeps_the_best_and_replaces_the_rest() -> None:
    found = altsel.greedy.replacement(Problem(Univariate([7, 6, 5, 4, 3, 2, 1]), 3), Dice(2 / 3), 5)
    assert [subset.features for subset in found] == [
        ("x0", "x1", "x2"),
        ("x0", "x3", "x4"),
        ("x0", "x5", "x6"),
    ]
    assert found.stop is Stop.LIMIT


def test_balancing_deals_out_evenly() -> None:
    found = altsel.greedy.balancing(Problem(Univariate([9, 7, 6, 5, 2]), 3), Dice(2 / 3), 1)
    assert [subset.score for subset in found] == [18, 20][::-1]
    assert all("x0" in subset for subset in found)
    assert len(altsel.greedy.balancing(Problem(Univariate([3, 2, 1]), 2), Dice(1), 1)) == 0


@pytest.mark.parametrize("search", HEURISTICS)
def test_what_they_cannot_do_they_refuse(search: Any) -> None:
    quality = Univariate([3, 2, 1])
    with pytest.raises(ArgumentError, match="one size"):
        search(Problem(quality, (1, 2)), Dice(0.5), 1)


@pytest.mark.slow
@given(cases, st.integers(0, 3))
def test_a_start_is_admissible(case: Any, earlier: int) -> None:
    q, k, tau, (measure, distance) = case
    problem = Problem(Univariate(q), min(k, len(q)))
    known = [one.features for one in altsel.sequential(problem, measure(tau), earlier)]
    start = good_set(problem, measure(tau), known, np.arange(len(q)))
    if start is not None:
        assert len(start) == problem.sizes[0]
        assert all(distance(frozenset(start), frozenset(subset)) >= tau - 1e-9 for subset in known)
    elif not known:
        pytest.fail("without earlier sets a start always exists")


@pytest.mark.slow
@given(
    data=st.data(),
    names=st.lists(st.sampled_from(sorted(RULES)), min_size=1, max_size=2, unique=True),
    search=st.sampled_from([altsel.greedy.replacement, altsel.greedy.balancing]),
)
@settings(max_examples=30)
def test_rules_are_kept_by_the_closest_sets(data: Any, names: list[str], search: Any) -> None:
    weights = data.draw(st.lists(st.integers(0, 9).map(float), min_size=6, max_size=8))
    problem = Problem(Univariate(weights), 3, [RULES[name][0] for name in names])
    found = search(problem, Dice(0.5), 1)
    sets = [frozenset(subset) for subset in found]
    assert all(RULES[name][1](subset) for name in names for subset in sets)
    assert all(bf.dice(a, b) >= 0.5 for a, b in combinations(sets, 2))
    assert all(subset.score == problem.objective.score(problem.mask(subset)) for subset in found)
    if not found.sets and found.stop is altsel.Stop.INFEASIBLE:
        valid = bf.all_sets(problem.objective.features, (3, 3))
        assert not any(all(RULES[name][1](one) for name in names) for one in valid)


def test_rules_on_the_quality_are_refused() -> None:
    with pytest.raises(altsel.ArgumentError, match="rules on the quality"):
        altsel.greedy.balancing(Problem(Univariate([3, 2, 1]), 1, [domain.minimum_quality(2)]), Dice(1), 1)
