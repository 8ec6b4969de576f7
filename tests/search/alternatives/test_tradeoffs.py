"""Most different sets, fronts, and any good sets, against brute force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import (
    AbsoluteLoss,
    Average,
    Dice,
    Front,
    Jaccard,
    Penalised,
    Problem,
    Proof,
    RelativeLoss,
    Stop,
    Univariate,
)
from altsel.search.alternatives.largest_dissimilarity import measure_of
from tests.models.test_objectives import OBJECTIVES, dependences, is_not_both, not_both
from tests.oracles import brute_force as bf
from tests.search.alternatives.test_exact_searches import MEASURES

losses = st.sampled_from([AbsoluteLoss(0.1), RelativeLoss(0.1), RelativeLoss(0.5)])
diversities: Any = st.sampled_from([Dice(0), Jaccard(0), Dice(0.4), Average(Dice(0)), Average(Jaccard(0.2))])
both = pytest.mark.parametrize("make", OBJECTIVES.values(), ids=OBJECTIVES)
Pairs = Sequence[tuple[bf.Set, bf.Set]]


def apart(diversity: Any, pairs: Pairs) -> float:
    values = [MEASURES[type(measure_of(diversity))](a, b) for a, b in pairs]
    return float(np.mean(values) if isinstance(diversity, Average) else min(values))


def admissible(problem: Problem, ruled: bool) -> dict[bf.Set, float]:
    sets = [s for s in bf.all_sets(problem.objective.features, problem.sizes) if not ruled or is_not_both(s)]
    return bf.scored(problem.objective, sets)


@both
@given(data=st.data(), diversity=diversities, loss=losses, ruled=st.booleans())
@settings(max_examples=5)
def test_most_different(make: Any, data: Any, diversity: Any, loss: Any, ruled: bool) -> None:
    problem = Problem(make(data.draw(dependences(7))), 3, [not_both] if ruled else [])
    found = altsel.most_different(problem, diversity, 2, loss)
    scores = admissible(problem, ruled)
    assert bool(found.sets) == bool(scores)
    known: list[bf.Set] = []
    for index, subset in enumerate(map(frozenset, found)):
        left = [s for s in scores if s not in known] if isinstance(diversity, Average) else scores
        distances = {s: apart(diversity, [(s, t) for t in known]) if known else 1.0 for s in left}
        floor = loss.floor(max(scores.values()))
        if index:
            fit = {s: d for s, d in distances.items() if scores[s] >= floor - 1e-9}
            assert distances[subset] == pytest.approx(max(fit.values()))
            near = [s for s in left if distances[s] >= distances[subset] - 1e-6]
            assert scores[subset] == pytest.approx(max(scores[s] for s in near))
        known.append(subset)
    assert found.proved
    if scores and found.stop is Stop.INFEASIBLE:
        good = [s for s in scores if scores[s] >= floor - 1e-9 and s not in known]
        values = [apart(diversity, [(s, t) for t in known]) for s in good]
        assert max(values, default=-1.0) < max(measure_of(diversity).tau, 1e-9)


@both
@given(data=st.data(), diversity=diversities, loss=losses)
@settings(max_examples=3)
def test_most_different_together(make: Any, data: Any, diversity: Any, loss: Any) -> None:
    problem = Problem(make(data.draw(dependences(6))), 2)
    found = altsel.most_different(problem, diversity, 2, loss, together=True)
    scores = admissible(problem, ruled=False)
    floor = loss.floor(max(scores.values(), default=0.0)) - 1e-9
    families = list(combinations([s for s in scores if scores[s] >= floor], 3))
    best = max((apart(diversity, list(combinations(family, 2))) for family in families), default=-1.0)
    if best < max(measure_of(diversity).tau, 1e-9) - 1e-9:
        assert (len(found), found.stop) == (0, Stop.INFEASIBLE)
        return
    sets = [frozenset(subset) for subset in found]
    assert apart(diversity, list(combinations(sets, 2))) == pytest.approx(best)
    fit = [f for f in families if apart(diversity, list(combinations(f, 2))) >= best - 1e-6]
    assert min(scores[s] for s in sets) == pytest.approx(max(min(scores[s] for s in f) for f in fit))


def front_of(values: dict[Any, tuple[float, float]]) -> list[tuple[float, float]]:
    """Points that no other beats, by trying all pairs."""
    points = {(round(d, 9), round(q, 9)) for d, q in values.values()}
    beaten = {p for p in points for o in points if o != p and o[0] >= p[0] and o[1] >= p[1]}
    return sorted(points - beaten)


def check_front(front: Front, expected: list[tuple[float, float]]) -> None:
    assert [one.dissimilarity for one in front] == pytest.approx([d for d, _ in expected])
    assert [one.quality for one in front] == pytest.approx([q for _, q in expected])
    assert front.proved


@both
@given(data=st.data(), diversity=diversities, ruled=st.booleans())
@settings(max_examples=5)
def test_a_front_is_all_points_that_no_other_beats(make: Any, data: Any, diversity: Any, ruled: bool) -> None:
    problem = Problem(make(data.draw(dependences(7))), (2, 3), [not_both] if ruled else [])
    known = data.draw(st.sampled_from([[["x0", "x2"]], [["x0", "x2"], ["x1", "x2", "x3"]]]))
    front = altsel.pareto_front(problem, diversity, known)
    values = {
        s: (apart(diversity, [(s, frozenset(t)) for t in known]), q)
        for s, q in admissible(problem, ruled).items()
    }
    if isinstance(diversity, Average):  # sets are distinct there
        values = {s: value for s, value in values.items() if s not in map(frozenset, known)}
    tau = measure_of(diversity).tau - 1e-9
    check_front(front, front_of({s: value for s, value in values.items() if value[0] >= tau}))


@pytest.mark.parametrize("total", ["sum", "min"])
@given(data=st.data(), diversity=diversities)
@settings(max_examples=8)
def test_a_front_of_families(total: str, data: Any, diversity: Any) -> None:
    add: Any = {"sum": sum, "min": min}[total]
    problem = Problem(altsel.MRMR(data.draw(dependences(5))), 2)
    front = altsel.pareto_front(problem, diversity, alternatives=2, total=total, together=True)
    scores = admissible(problem, ruled=False)
    families = combinations if isinstance(diversity, Average) else combinations_with_replacement
    values = {
        f: (apart(diversity, list(combinations(f, 2))), add([scores[s] for s in f]))
        for f in families(scores, 3)
    }
    tau = measure_of(diversity).tau - 1e-9
    check_front(front, front_of({f: value for f, value in values.items() if value[0] >= tau}))


@both
@given(data=st.data(), diversity=diversities, ruled=st.booleans(), joint=st.booleans())
@settings(max_examples=6)
def test_any_good_sets(make: Any, data: Any, diversity: Any, ruled: bool, joint: bool) -> None:
    problem = Problem(make(data.draw(dependences(6))), 2, [not_both] if ruled else [])
    scores = admissible(problem, ruled)
    least = data.draw(st.sampled_from(sorted(scores.values()) or [0.0]))
    search = partial(altsel.satisfying, together=joint)
    found = search(problem, diversity, 2, least)
    sets = [frozenset(subset) for subset in found]
    tau = measure_of(diversity).tau - 1e-9
    assert all(scores[s] >= least - 1e-9 for s in sets)
    for later in range(1, len(sets)):
        assert apart(diversity, [(sets[later], s) for s in sets[:later]]) >= tau or joint
    if found.stop is Stop.COUNT:
        assert len(sets) == 3
        assert apart(diversity, list(combinations(sets, 2))) >= tau
        return
    assert found.stop is Stop.INFEASIBLE
    good = [s for s in scores if scores[s] >= least + 1e-9]
    if joint:
        repeats = measure_of(diversity).tau == 0 and not isinstance(diversity, Average)
        families = (combinations_with_replacement if repeats else combinations)(good, 3)
        assert not any(apart(diversity, list(combinations(family, 2))) >= tau for family in families)
    elif sets:
        assert all(s in sets or apart(diversity, [(s, t) for t in sets]) < tau for s in good)
    else:
        assert not good


@pytest.mark.slow
def test_a_front_is_drawn_and_tabulated(ionosphere: altsel.Dataset, tmp_path: Path) -> None:
    quality = Univariate(altsel.dependence(ionosphere, altsel.measures.absolute_pearson))
    front = altsel.pareto_front(Problem(quality, 5), Jaccard(0))
    file = front.draw(tmp_path / "front.svg")
    assert "<svg" in file.read_text()
    frame = front.to_frame()
    assert frame["dissimilarity"].is_monotonic_increasing
    assert frame["quality"].is_monotonic_decreasing
    assert frame["proved"].all()
    assert front[-1].dissimilarity == 1
    assert str(front).count("\n") == len(front) + 3


def test_a_price_has_no_tau_to_set() -> None:
    problem = Problem(Univariate([3, 2, 1]), 1)
    penalty: Any = Penalised(Dice(0.5), 1)
    with pytest.raises(altsel.ArgumentError, match=r"use Dice\(tau\)"):
        altsel.pareto_front(problem, penalty)
    with pytest.raises(altsel.ArgumentError, match=r"use Dice\(tau\)"):
        altsel.most_different(problem, penalty, 1, AbsoluteLoss(1))


def test_nothing_admissible() -> None:
    problem = Problem(Univariate([3, 2, 1]), 3, [altsel.domain.forbid("x0")])
    assert altsel.pareto_front(problem, Dice(0)).stop is Stop.INFEASIBLE
    assert altsel.most_different(problem, Dice(0), 1, AbsoluteLoss(1)).stop is Stop.INFEASIBLE
    assert altsel.satisfying(problem, Dice(0), 1, 0.0).stop is Stop.INFEASIBLE


@pytest.mark.parametrize("tau", [0.0, 0.7])
def test_a_front_from_a_set_that_is_not_proved_is_not_called_whole(
    tau: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor empty: from another beginning there may be points."""
    problem = Problem(Univariate([5.0, 4.0, 3.0]), k=2)

    def cut_short(*arguments: Any, **given: Any) -> Any:
        found = altsel.sequential(*arguments, **given)
        if arguments[2] == 0:
            found = replace(found, sets=tuple(replace(one, proof=Proof.FEASIBLE, bound=9.5) for one in found))
        return found

    monkeypatch.setattr("altsel.search.alternatives.pareto_front.sequential", cut_short)
    front = altsel.pareto_front(problem, Dice(tau))
    assert front.stop is Stop.LIMIT
    assert bool(front) == (tau == 0)
