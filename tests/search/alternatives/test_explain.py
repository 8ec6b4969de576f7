"""Explanations against brute force: conflicts are real and smallest, repairs the nearest."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, combinations_with_replacement
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import Average, Dice, Jaccard, Penalised, Problem, Stop, Univariate, domain, explain
from altsel.results.explanation import Repair
from altsel.runtime.clock import Clock, in_force
from altsel.search.alternatives.explain.conflict import Condition, smallest_conflict
from altsel.search.alternatives.explain.repair import MOST_SOUGHT, fewer_alternatives, repairs
from tests.models.test_domain import RULES
from tests.models.test_objectives import OBJECTIVES, dependences
from tests.oracles import brute_force as bf
from tests.search.alternatives.test_exact_searches import MEASURES

Holds = Callable[[bf.Set], bool]


def conditions(problem: Problem, names: list[str], known: list[bf.Set], measure: Any) -> dict[str, Holds]:
    """Write the conditions on one further set as functions, by the names they are shown with."""
    low, high = problem.sizes
    is_feasible = getattr(problem.objective, "is_feasible", None)
    found: dict[str, Holds] = {
        (f"k = {low}" if low == high else f"k = {low} to {high}"): lambda s: low <= len(s) <= high
    }
    if is_feasible is not None:
        found[f"what {problem.objective.name} admits"] = lambda s: is_feasible(problem.mask(s))
    for name in names:
        rule, keeps = RULES[name]
        found[rule.__name__] = keeps
    distance = MEASURES[type(measure)]
    for i, subset in enumerate(known):
        label = f"differs from set {i} by {type(measure).__name__} of at least {measure.tau:g}"
        found[label] = lambda s, one=subset: distance(s, one) >= measure.tau - 1e-9  # type: ignore[misc]
    return found


def possible(universe: list[bf.Set], some: list[Holds]) -> bool:
    return any(all(holds(name) for holds in some) for name in universe)


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [
        pytest.param(make, id=name, marks=pytest.mark.long if i % 2 else ())
        for i, (name, make) in enumerate(OBJECTIVES.items())
    ],
)
@given(
    data=st.data(),
    names=st.lists(st.sampled_from(sorted(RULES)), max_size=4, unique=True),
    k=st.sampled_from([2, 3, (3, 4)]),
    measure=st.sampled_from([Dice(0.5), Jaccard(0.7), Dice(1.0)]),
)
@settings(max_examples=3)
def test_a_sequence_that_ends(make: Any, data: Any, names: list[str], k: Any, measure: Any) -> None:
    problem = Problem(make(data.draw(dependences(5))), k, [RULES[name][0] for name in names])
    found = altsel.sequential(problem, measure, 3)
    message = explain(problem, measure, 3, found=found)
    if found.stop is Stop.COUNT:
        assert not message.conflict
        return
    features = problem.objective.features
    universe = list(bf.all_sets(features, (1, len(features))))
    every = conditions(problem, names, [frozenset(subset) for subset in found], measure)
    conflict = [every[name] for name in message.conflict]
    assert not possible(universe, conflict)
    assert message.irreducible
    assert all(possible(universe, [other for other in conflict if other is not one]) for one in conflict)
    assert message.smallest
    smaller = combinations(every.values(), len(conflict) - 1)
    assert all(possible(universe, list(some)) for some in smaller)
    check_repairs(message, problem, measure, lambda p, m, a: altsel.sequential(p, m, a).stop is Stop.COUNT)


def check_repairs(message: altsel.results.Explanation, problem: Problem, measure: Any, works: Any) -> None:
    """Every repair works, and none that is nearer does; where none is offered none works."""
    low, high = problem.sizes
    offers = {repair.name: repair.value for repair in message.repairs}
    distance = type(measure)(0)
    sizes = range(low, high + 1)
    sets = [(set(range(a)), set(range(c, c + b))) for a in sizes for b in sizes for c in range(a + 1)]
    taus = sorted({distance(a, b) for a, b in sets if distance(a, b) < measure.tau - 1e-9})
    if works(problem, measure, 0):
        good = [tau for tau in taus if works(problem, type(measure)(tau), 3)]
        assert offers.get("tau") == pytest.approx(max(good)) if good else "tau" not in offers
    below = [size for size in range(1, low) if works(_sized(problem, size), measure, 3)]
    if below:
        assert offers["k"] == max(below)
    elif "k" in offers:
        assert offers["k"] > high
        assert works(_sized(problem, int(offers["k"])), measure, 3)
    counts = [a for a in range(3) if works(problem, measure, a)]
    assert offers.get("alternatives") == (max(counts) if counts else None)


def _sized(problem: Problem, size: int) -> Problem:
    return Problem(problem.objective, size, problem.subject_to)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["univariate", "fcbf", pytest.param("mrmr-k2", marks=pytest.mark.long)])
@given(data=st.data(), names=st.lists(st.sampled_from(sorted(RULES)), max_size=2, unique=True))
@settings(max_examples=6)
def test_a_family_that_does_not_exist(name: str, data: Any, names: list[str]) -> None:
    problem = Problem(OBJECTIVES[name](data.draw(dependences(5))), 2, [RULES[rule][0] for rule in names])

    def works(wanted: Problem, measure: Any, alternatives: int) -> bool:
        sets = [
            s
            for s in bf.all_sets(wanted.objective.features, wanted.sizes)
            if all(RULES[n][1](s) for n in names)
        ]
        families = combinations_with_replacement(bf.scored(wanted.objective, sets), alternatives + 1)
        distance = type(measure)(0)
        return any(
            all(distance(a, b) >= measure.tau - 1e-9 for a, b in combinations(family, 2))
            for family in families
        )

    message = altsel.explain(problem, Dice(0.5), 3, together=True)
    assert bool(message.conflict) is not works(problem, Dice(0.5), 3)
    if message.conflict:
        assert message.irreducible
        check_repairs(message, problem, Dice(0.5), works)


def test_a_conflict_of_two_among_many_is_found_though_the_filter_meets_three_first() -> None:
    parts = [domain.require("x0"), domain.forbid("x4")]
    pair = [domain.at_most(1, ["x1", "x2"]), domain.at_least(2, ["x1", "x2"])]
    problem = Problem(Univariate([1.0] * 5), 4, [*pair, *parts, domain.at_most(2, ["x0", "x3", "x1"])])
    message = explain(problem, Dice(0.5), 2)
    assert set(message.conflict) == {"at most 1 of 'x1', 'x2'", "at least 2 of 'x1', 'x2'"}
    assert message.smallest
    assert "cannot hold together:\n- at " in str(message)
    assert message.line().startswith("There is no set: these conditions cannot hold together: at ")
    assert ". Each of them is needed for the conflict. " in message.line()
    assert "\n" not in message.line()


def test_an_undecided_question_is_not_called_proved() -> None:
    problem = Problem(Univariate([1.0] * 4), 3, [domain.forbid("x0", "x1")])
    message = explain(problem, Dice(0), 0)
    assert message.conflict == ("k = 3", "forbid 'x0', 'x1'")

    three = [Condition(name) for name in "abc"]
    conflict, irreducible, smallest = smallest_conflict(three, lambda some: False if len(some) == 3 else None)
    assert (len(conflict), irreducible, smallest) == (3, False, False)


def _conflict_of(conditions: list[Condition], parts: set[str]) -> Any:
    """Reduce conditions that fit unless some parts of them are all there."""
    return smallest_conflict(conditions, lambda some: not parts <= {one.name for one in some})


def test_of_forty_conditions_that_are_all_needed_no_subset_is_looked_at_again() -> None:
    forty = [Condition(f"c{i}") for i in range(40)]
    for parts in ({one.name for one in forty}, {one.name for one in forty[1:]}):
        conflict, irreducible, smallest = _conflict_of(forty, parts)
        assert ({one.name for one in conflict}, irreducible, smallest) == (parts, True, True)


def test_subsets_that_are_known_to_fit_count_as_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two conflicts of twenty, apart but for their last: none of their parts is in every conflict."""
    forty = [Condition(f"c{i}") for i in range(40)]
    halves = [{f"c{i}" for i in range(20)}, {f"c{i}" for i in range(20, 40)}]
    requested = []

    def possible(some: Any) -> bool:
        names = {one.name for one in some}
        requested.append(names)
        return not any(half <= names for half in halves)

    monkeypatch.setattr("altsel.search.alternatives.explain.conflict.MOST_SUBSETS", 10**9)
    monkeypatch.setattr("altsel.search.alternatives.explain.conflict.MOST_STEPS", 500)
    conflict, irreducible, smallest = smallest_conflict(forty, possible)
    assert ({one.name for one in conflict}, irreducible, smallest) == (halves[0], True, False)
    assert len(requested) <= 40 + 500


def test_a_conflict_is_taken_as_it_is_when_time_is_up() -> None:
    six = [Condition(f"c{i}") for i in range(6)]
    halves = [{"c0", "c1", "c2"}, {"c3", "c4", "c5"}]
    requested = []
    with in_force(Clock()) as running:

        def possible(some: Any) -> bool:
            assert not running.interrupted
            requested.append(some)
            running.interrupted = len(requested) == 7  # after each has been left out
            return not any(half <= {one.name for one in some} for half in halves)

        conflict, irreducible, smallest = smallest_conflict(six, possible)
    assert ({one.name for one in conflict}, irreducible, smallest) == (halves[0], True, False)


def test_a_search_that_runs_out_of_sets_is_explained() -> None:
    """Two to the power of 29 parts of its conditions fit."""
    problem = Problem(Univariate([float(i) for i in range(28)]), 1)
    message = explain(problem, Dice(1), 28)
    assert (len(message.conflict), message.irreducible, message.smallest) == (28, True, True)
    assert [str(repair) for repair in message.repairs] == ["tau <= 0", "alternatives <= 27"]


def test_a_thousand_million_alternatives_are_not_counted_down() -> None:
    problem = Problem(Univariate([float(i) for i in range(12)]), (1, 12))
    message = explain(problem, Dice(1), 10**9)
    assert message.repairs[-1] == Repair("alternatives", 1)
    tried: list[int] = []

    def works(_: Any, __: Any, count: int) -> bool:
        tried.append(count)
        return False

    assert fewer_alternatives(problem, Dice(0.9), 10**9, works) is None
    assert len(tried) <= MOST_SOUGHT + 1


def test_values_of_tau_are_tabulated_once_a_total_of_sizes() -> None:
    class Counted(Dice):
        calls = 0

        def __call__(self, *sets: Any) -> float:
            type(self).calls += 1
            return super().__call__(*sets)

    problem = Problem(Univariate([1.0] * 40), (1, 40))
    offers = repairs(problem, Counted(0.5), 3, lambda _, measure, __: measure.tau < 0.48, {"tau"})
    values = {1 - 2 * common / total for total in range(2, 81) for common in range(total // 2 + 1)}
    assert offers[0].value == pytest.approx(max(value for value in values if value < 0.48))
    assert Counted.calls <= sum(total // 2 + 1 for total in range(2, 81))


def test_quality_that_is_too_high_and_rules_of_the_same_name() -> None:
    rules = [domain.minimum_quality(5.5), domain.at_most(1, ["x0"]), domain.at_most(1, ["x0"])]
    message = explain(Problem(Univariate([3, 2, 1]), 2, rules), Dice(0.5), 0)
    assert message.conflict == ("k = 2", "quality of at least 5.5")
    assert [str(repair) for repair in message.repairs] == ["k = 3"]
    message = explain(Problem(Univariate([3, 2, 1]), 2, [domain.minimum_quality(9)]), Dice(0.5), 0)
    assert message.conflict == ("quality of at least 9",)
    assert "No other k" in str(message)


def test_demands_on_average_and_at_a_price() -> None:
    problem = Problem(Univariate([3, 2, 1]), 2)
    message = explain(problem, Average(Dice(0.75)), 3)
    assert "the sets before differ by Dice of at least 0.75 on average" in message.conflict
    message = explain(problem, Penalised(Dice(0.5), 1), 3)
    assert message.conflict == ("k = 2", "the set is none of those before")
    assert [str(repair) for repair in message.repairs] == ["alternatives <= 2"]


def test_nothing_to_explain() -> None:
    problem = Problem(Univariate([3, 2, 1]), 2)
    assert str(explain(problem, Dice(0.5), 1)).startswith("Nothing is in conflict")
    assert not altsel.explain(problem, Dice(0.5), 1, together=True).conflict


def test_what_another_search_found_is_refused() -> None:
    problem = altsel.Problem(altsel.Univariate([3, 2, 1]), k=2)
    found = altsel.sequential(problem, altsel.Dice(1), alternatives=2)
    assert altsel.explain(problem, altsel.Dice(1), 2, found=found).conflict
    others = [
        (altsel.Problem(problem.objective, k=1), altsel.Dice(1), "'k'"),
        (problem, altsel.Dice(0.5), "'diversity'"),
        (altsel.Problem(problem.objective, 2, [altsel.domain.forbid("x0")]), altsel.Dice(1), "'rules'"),
    ]
    for wanted, diversity, name in others:
        with pytest.raises(altsel.ArgumentError, match=f"found is of another search .other {name}."):
            altsel.explain(wanted, diversity, 2, found=found)
