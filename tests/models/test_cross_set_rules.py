"""Rules on all sets of a search together, against brute force."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from typing import Any

import pyomo.environ as pyo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import AbsoluteLoss, Average, BlackBox, Dice, Problem, Stop, Univariate, domain
from altsel.models.problem import _least
from tests.models.test_objectives import OBJECTIVES, dependences, is_not_both, not_both
from tests.oracles import brute_force as bf
from tests.pairs import paired

RULE = domain.in_at_most(1, ["x0", "x1", "x3"])
both = pytest.mark.parametrize("make", OBJECTIVES.values(), ids=OBJECTIVES)


def keeps(sets: Sequence[bf.Set]) -> bool:
    return all(sum(f in subset for subset in sets) <= 1 for f in ("x0", "x1", "x3"))


@both
@given(data=st.data(), ruled=st.booleans(), diversity=st.sampled_from([Dice(0.5), Average(Dice(0.5))]))
@settings(max_examples=4)
def test_one_after_another(make: Any, data: Any, ruled: bool, diversity: Any) -> None:
    problem = Problem(make(data.draw(dependences(7))), 2, [not_both] if ruled else [], [RULE])
    found = altsel.sequential(problem, diversity, 2)
    sets = [s for s in bf.all_sets(problem.objective.features, (2, 2)) if not ruled or is_not_both(s)]
    scores = bf.scored(problem.objective, sets)
    known: list[bf.Set] = []
    for subset in map(frozenset, found):
        fit = {s: q for s, q in scores.items() if keeps([*known, s]) and far(diversity, s, known)}
        assert scores[subset] == pytest.approx(max(fit.values()))
        assert subset in fit
        known.append(subset)
    assert found.proved
    if len(found) < 3:
        assert found.stop is Stop.INFEASIBLE
        assert not any(keeps([*known, s]) and far(diversity, s, known) for s in scores)


def far(diversity: Any, one: bf.Set, known: list[bf.Set]) -> bool:
    apart = [bf.dice(one, other) for other in known]
    if isinstance(diversity, Average):
        return one not in known and (not apart or sum(apart) / len(apart) >= 0.5 - 1e-9)
    return min(apart, default=1.0) >= 0.5 - 1e-9


@pytest.mark.slow
@pytest.mark.parametrize(("make", "total"), paired(OBJECTIVES, ["sum", "min"]))
@given(data=st.data())
@settings(max_examples=2)
def test_all_at_once(make: Any, total: str, data: Any) -> None:
    problem = Problem(make(data.draw(dependences(5))), 2, across=[RULE])
    found = altsel.simultaneous(problem, Dice(0.5), 2, total)
    scores = bf.scored(problem.objective, list(bf.all_sets(problem.objective.features, (2, 2))))
    families = [
        family
        for family in combinations_with_replacement(scores, 3)
        if keeps(family) and all(bf.dice(a, b) >= 0.5 for a, b in combinations(family, 2))
    ]
    if not families:
        assert found.stop is Stop.INFEASIBLE
        return
    add: Any = {"sum": sum, "min": min}[total]
    best = max(add([scores[s] for s in family]) for family in families)
    assert add([subset.score for subset in found]) == pytest.approx(best)
    assert keeps([frozenset(subset) for subset in found])
    assert found.proved


def test_a_rule_of_ones_own_wants_a_feature_somewhere() -> None:
    def somewhere(b: Any, sets: Sequence[Any]) -> None:
        b.somewhere = pyo.Constraint(expr=sum(subset["x4"] for subset in sets) >= 1)

    found = altsel.simultaneous(Problem(Univariate([5, 4, 3, 2, 0]), 2, across=[somewhere]), Dice(0.5), 2)
    assert sum("x4" in subset for subset in found) == 1


@pytest.mark.slow
def test_black_boxes_hills_and_explanations_keep_them_too() -> None:
    names = [f"x{j}" for j in range(6)]
    problem = Problem(BlackBox(lambda chosen: -sum(int(f[1:]) for f in chosen), names), 2, across=[RULE])
    exact = altsel.sequential(problem, Dice(0.5), 2)
    climbed = altsel.wrapper(problem, Dice(0.5), 2)
    together = altsel.wrapper(problem, Dice(0.5), 2, together=True)
    for found in (exact, climbed, together):
        assert len(found) == 3
        assert keeps([frozenset(subset) for subset in found])
    assert exact[0].features == ("x0", "x1")
    few = Problem(Univariate([1.0] * 3), 2, across=[domain.in_at_most(1, ["x0", "x1", "x2"])])
    message = altsel.explain(few, Dice(0), 1)
    assert message.conflict == ("k = 2", "'x0', 'x1', 'x2' in at most 1 of the sets")
    joint = altsel.explain(few, Dice(0), 1, together=True)
    assert joint.conflict == message.conflict
    assert [str(repair) for repair in joint.repairs] == ["k = 1", "alternatives <= 0"]


def test_searches_that_cannot_keep_them_say_so() -> None:
    problem = Problem(Univariate([3, 2, 1]), 1, across=[RULE])
    with pytest.raises(altsel.ArgumentError, match="rules across sets"):
        altsel.near_optimal(problem, AbsoluteLoss(1))
    with pytest.raises(altsel.ArgumentError, match=r"see domain\.in_at_most"):
        Problem(Univariate([3, 2, 1]), 1, across=["x0"])  # type: ignore[list-item]
    with pytest.raises(altsel.ArgumentError, match="there is no feature 'x3'"):
        altsel.sequential(problem, Dice(1), 0)


def test_sets_that_cannot_differ_so_much_could_differ_less() -> None:
    """Without the diversity the sets exist: it is part of the conflict."""
    problem = Problem(Univariate([4, 3, 2]), 2, across=[domain.in_at_most(2, ["x0", "x1", "x2"])])
    message = altsel.explain(problem, Dice(1.0), 1, together=True)
    assert message.conflict == ("k = 2", "the 2 sets differ by Dice of at least 1")


@pytest.mark.parametrize("end", [None, 6.0])
def test_the_least_quality_has_the_ends_that_all_have(end: float | None) -> None:
    model: Any = pyo.ConcreteModel()
    model.q = pyo.Var([0, 1], bounds=(1, 4))
    model.q[1].setub(end)
    _least(model, [2 * model.q[0], 2 * model.q[1]])
    assert model.least_unit == 2
    assert model.least.bounds == (1, end)
