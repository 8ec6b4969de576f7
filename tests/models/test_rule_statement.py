"""What rules state by mistake: missing numbers, names given twice, generators, comparisons of Python."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pyomo.environ as pyo
import pytest

import altsel
from altsel import ArgumentError, Dice, Problem, Univariate
from altsel.errors import RuleWarning
from altsel.runtime.clock import Clock, OutOfTimeError, in_force

NAMES = ["a", "b", "c", "d", "e", "f"]
QUALITY = Univariate(dict(zip(NAMES, range(6, 0, -1), strict=True)))
COSTS = pd.Series([np.nan, 1, 1, 1, 1, 1], index=NAMES)


def search(rule: Any, k: Any = 2, solver: str | None = None) -> Any:
    return altsel.sequential(Problem(QUALITY, k, [rule]), Dice(0.5), 1, solver)


@pytest.mark.parametrize("solver", [None, "highs"])
@pytest.mark.parametrize(
    "row",
    [
        lambda x: sum(COSTS[f] * x[f] for f in NAMES) <= 1,
        lambda x: float("inf") * x["a"] <= 1,
        lambda x: np.float32("nan") * x["a"] * x["b"] <= 1,
        lambda x: x["a"] + x["b"] <= COSTS["a"],
        lambda x: x["a"] + float("nan") <= 1,
        lambda x: pyo.sqrt(x["a"] + float("nan")) <= 1,
    ],
)
def test_numbers_that_are_none_are_refused(row: Any, solver: str | None) -> None:
    """Rows with a missing number were dropped under a proof, or made a problem infeasible."""

    def costs(b: Any) -> Any:
        return row(b.x)

    with pytest.raises(ArgumentError, match=r"rule 'costs', row .*: a number is (nan|inf)"):
        search(costs, solver=solver)

    def across(b: Any, sets: Any) -> Any:
        return [row(one) for one in sets]

    with pytest.raises(ArgumentError, match=r"rule 'across', row .*: a number is (nan|inf)"):
        altsel.simultaneous(Problem(QUALITY, 2, across=[across]), Dice(0.5), 1, solver=solver)


def test_an_infinite_end_is_no_limit() -> None:
    assert search(lambda b: b.x["a"] + b.x["b"] <= float("inf"))[0].features == ("a", "b")


def test_a_name_given_twice_is_refused() -> None:
    """Pyomo keeps the last component of a name, and says so in a log that nobody sees."""

    def pairs(b: Any) -> None:
        for f, g in combinations("abc", 2):
            b.apart = pyo.Constraint(expr=b.x[f] + b.x[g] <= 1)

    with pytest.raises(ArgumentError, match="rule 'pairs' adds 'apart' more than once"):
        search(pairs)


def test_a_copy_of_a_model_is_its_own() -> None:
    """What noted removals while the rule was called stayed, and took components off the model copied."""

    def named(b: Any) -> None:
        b.limit = pyo.Constraint(expr=b.x["a"] <= 0)

    model = altsel.formulate(Problem(QUALITY, 2, [named]))
    (block,) = model.sets[0].rules.component_objects(pyo.Block, descend_into=False)
    (other,) = model.clone().sets[0].rules.component_objects(pyo.Block, descend_into=False)
    other.del_component("limit")
    assert block.component("limit") is not None
    assert other.component("limit") is None


@pytest.mark.parametrize("solver", [None, "highs"])
def test_what_lasts_for_one_call_is_refused(solver: str | None) -> None:
    """The rows of a generator were there in the first model alone: sets broke the rule under a proof."""
    pairs = ((f, g) for f, g in combinations("abcd", 2))

    def apart(b: Any) -> Any:
        return [b.x[f] + b.x[g] <= 1 for f, g in pairs]

    with pytest.raises(ArgumentError, match="rule 'apart' states 6 rows, and 0 when it is called again"):
        search(apart, (2, 3), solver)
    pairs = ((f, g) for f, g in combinations("abcd", 2))
    with pytest.raises(ArgumentError, match="rule 'apart' states 6 rows, and 0"):
        altsel.formulate(Problem(QUALITY, 2, [apart]), Dice(0.5), 1)
    names = iter("abc")

    def once(b: Any, sets: Any) -> Any:
        return [sum(one[f] for one in sets) <= 1 for f in names]

    with pytest.raises(ArgumentError, match="rule 'once' states 3 rows, and 0"):
        altsel.simultaneous(Problem(QUALITY, 2, across=[once]), Dice(0.5), 1)


@pytest.mark.parametrize(
    ("said", "returned"),
    [
        (True, lambda b: b.x["a"] != True),  # noqa: E712
        (True, lambda b: "a" in b.x),
        (False, lambda b: [b.x["a"] == True]),  # noqa: E712
        (False, lambda b: b.x["a"] == None),  # noqa: E711
    ],
)
def test_a_comparison_that_python_decides_is_told(said: bool, returned: Any) -> None:
    with pytest.warns(
        RuleWarning, match=f"returned {said}, whatever the set: a function of the names"
    ) as told:
        found = search(returned)
    assert told[0].filename == __file__
    assert bool(found.sets) is said


def test_what_is_said_on_purpose_is_not() -> None:
    assert search(lambda b: pyo.Constraint.Feasible)[0].features == ("a", "b")
    assert not search(lambda b: pyo.Constraint.Infeasible).sets


def decides(b: Any) -> Any:
    return b.x["b"] == 0 if b.x["a"] == 1 else b.x["c"] == 0


costs = {"a": 1.0}
not_a: Any = altsel.domain.predicate(lambda names: "a" not in names, name="without a")


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (decides, "decides by a comparison of variables.*if-then is b.x.'a'. <= b.x.'b'.,"),
        (lambda b: np.sqrt(b.size) <= 2, "TypeError.*pyo.sqrt"),
        (lambda b: {1: 2, 2: 3}[b.size] <= 1, "unhashable.*predicate"),
        (lambda b: b.size % 2 == 0, "unsupported operand.*no .* %, round.*predicate"),
        (lambda b: math.sqrt(b.size) <= 1, "float is disabled.; .*math functions.*predicate"),
        (lambda b: round(b.x["a"]) <= 1, "no .* round"),
        (lambda b: b.x["a"] + b.x["b"] < 1, "strict comparison, .*<= 0 for … < 1$"),
        (lambda b: costs[b.x["a"].index() + "s"] * b.size <= 1, "KeyError: 'as'; a dictionary of the rule"),
        (lambda b: b.chosen["a"] <= 1, "no attribute 'chosen'; it may name b.x, b.size, b.quality, and"),
        (
            lambda b: not_a,
            "returns the rule 'without a', which is evaluated on sets; give that one in subject_to",
        ),
        (lambda b: pyo.implies(b.x["a"], b.x["b"] + b.x["c"] >= 2), "logic cannot be written.*2 \\* b.x"),
        (lambda b: pyo.implies(b.x["a"] == 1, b.x["b"] == 1), "logic cannot be written.*2 \\* b.x"),
    ],
)
def test_what_python_cannot_decide_is_refused_with_what_to_write(rule: Any, why: str) -> None:
    with pytest.raises(ArgumentError, match=why):
        search(rule)


of_no_sets: Any = decides


def test_rules_across_sets_say_what_they_have() -> None:
    def second(b: Any, sets: Any) -> Any:
        return sets[0]["a"] + sets[1]["a"] <= 1

    with pytest.raises(ArgumentError, match="called with one set, two, and so on"):
        altsel.sequential(Problem(QUALITY, 2, across=[second]), Dice(0.5), 1)

    def of_one(b: Any, sets: Any) -> Any:
        return b.x["a"] == 1

    with pytest.raises(ArgumentError, match=r"may name the features of the sets, as sets\[0\]"):
        altsel.simultaneous(Problem(QUALITY, 2, across=[of_one]), Dice(0.5), 1)
    with pytest.raises(ArgumentError, match=r"'without a' is evaluated on one set, .* give it in subject_to"):
        altsel.simultaneous(Problem(QUALITY, 2, across=[not_a]), Dice(0.5), 1)
    with pytest.raises(ArgumentError, match="as def apart"):
        altsel.simultaneous(Problem(QUALITY, 2, across=[of_no_sets]), Dice(0.5), 1)


@pytest.mark.slow
def test_products_of_all_pairs_are_not_eliminated() -> None:
    """The elimination of 496 products took minutes, and did not look at the clock."""
    names = [f"x{j}" for j in range(32)]
    random = np.random.default_rng(0)
    weights, pairs = random.random(32), random.random((32, 32))

    def redundancy(b: Any) -> Any:
        together = combinations(range(32), 2)
        return sum(float(pairs[i, j]) * b.x[names[i]] * b.x[names[j]] for i, j in together) <= 0.5

    quality = Univariate(dict(zip(names, weights.tolist(), strict=True)))
    found = altsel.sequential(Problem(quality, 3, [redundancy]), Dice(0.5), 0)
    good = [
        weights[list(one)].sum()
        for one in combinations(range(32), 3)
        if sum(pairs[i, j] for i, j in combinations(one, 2)) <= 0.5
    ]
    assert found.proved
    assert found[0].score == pytest.approx(max(good))


def test_an_elimination_looks_at_the_clock() -> None:
    from altsel.exact.rules.rule_system import Inequalities  # noqa: PLC0415

    panel = Inequalities(
        np.array([[1.0], [1.0]]),
        np.array([[3.0], [-1.0]]),
        np.array([4.0, 0.0]),
        np.zeros(1),
        np.ones(1),
        np.ones(1, dtype=bool),
    )
    with in_force(Clock(until=0.0)), pytest.raises(OutOfTimeError):
        panel.project()


def test_series_are_taken_by_feature() -> None:
    costs: Any = pd.Series([3, 1, 1, 1, 1, 1], index=NAMES)
    assert search(altsel.domain.budget(costs, 2, other=0))[0].features == ("b", "c")
    assert altsel.WeightedDice(0.5, costs)({"a", "b"}, {"a", "c"}) == pytest.approx(0.25)
    groups: Any = pd.Series(list("uuvvww"), index=NAMES)
    assert altsel.GroupDice(0.5, groups)({"a"}, {"b"}) == 0


def test_a_generator_that_returns_a_condition_too_states_it() -> None:
    """What it returned was dropped: it is no part of what a generator yields."""

    def rule(b: Any) -> Any:
        yield b.x["f"] == 1
        return b.x["a"] == 0

    assert search(rule)[0].features == ("b", "f")


def no_row(b: Any) -> None:
    b.rows = pyo.ConstraintList()


def switched_off(b: Any) -> None:
    b.limit = pyo.Constraint(["a", "b"], rule=lambda _, f: b.x[f] <= 0)
    b.limit["a"].deactivate()
    b.limit["b"].deactivate()


class Cut:
    def __call__(self, b: Any) -> Any:
        return b.x["a"] <= 1

    def add_cut(self) -> None:
        raise AssertionError


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (no_row, "neither returns a condition nor adds an active one"),
        (switched_off, "neither returns a condition nor adds an active one"),
        (Cut(), "has add_cut, which only criteria are asked for"),
    ],
)
def test_what_would_be_dropped_is_refused(rule: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        search(rule)


def test_an_empty_collection_is_told() -> None:
    with pytest.warns(RuleWarning, match="returned an empty collection: nothing; .* may be misspelt"):
        found = search(lambda b: [b.x[f] == 0 for f in ["A"] if f in b.x])
    assert found[0].features == ("a", "b")
    search(lambda b: [pyo.Constraint.Skip])


def test_a_predicate_that_answers_differently_when_asked_again_is_refused() -> None:
    """Its first answers would be taken for its last."""
    calls: dict[Any, int] = {}

    def fickle(names: tuple[str, ...]) -> bool:
        calls[names] = calls.get(names, 0) + 1
        return calls[names] % 2 == 1

    with pytest.raises(ArgumentError, match=r"rule 'fickle' gives True, and then False, for .*same of a set"):
        search(altsel.domain.predicate(fickle))


def test_rows_of_a_distance_name_two_sets() -> None:
    @dataclass(frozen=True)
    class Own(Dice):
        def __call__(self, first: Any, second: Any) -> float:
            return 1.0

        def rows(self, block: Any, first: Any, second: Any) -> Any:
            return block.x["a"] <= 1 if self.tau < 0.5 else first["q"] <= 1

        share: Any = None

    for tau, message in (
        (0.4, "may name the features of two sets, as first"),
        (0.6, "'q' is no feature that"),
    ):
        with pytest.raises(ArgumentError, match=f"rule 'Own.rows'.*{message}"):
            altsel.sequential(Problem(QUALITY, 2), Own(tau), 1)


def test_rows_that_change_from_call_to_call_are_refused() -> None:
    calls = [0]

    def across(b: Any, sets: Any) -> Any:
        calls[0] += 1
        yield from (one["a"] == calls[0] % 2 for one in sets)

    def alone(b: Any) -> Any:
        calls[0] += 1
        return b.x["a"] == calls[0] % 2

    for solver in (None, "highs"):
        with pytest.raises(ArgumentError, match="rule 'across' states another row when it is called again"):
            altsel.sequential(Problem(QUALITY, 2, across=[across]), Dice(0.5), 1, solver)
        with pytest.raises(ArgumentError, match="rule 'alone' states another row when it is called again"):
            altsel.sequential(Problem(QUALITY, 2, [alone]), Dice(0.5), 1, solver)


@pytest.mark.parametrize(
    "row",
    [
        lambda b: (0.0 * b.x["a"] + 0.0 * b.x["b"]) ** 2 <= 1,
        lambda b: (0.0 * b.quality) ** 2 <= 1,
        lambda b: (0.0 * b.x["a"]) ** 2 + b.x["b"] <= 1,
    ],
)
@pytest.mark.parametrize("solver", [None, "highs"])
def test_powers_of_sums_whose_weights_are_all_0(row: Any, solver: str | None) -> None:
    """Pyomo evaluates their base, though the variables have no value: a ValueError that named no rule."""
    problem = Problem(Univariate({"a": 2.0, "b": 1.0, "c": 0.5}), 2, [row])
    assert altsel.sequential(problem, Dice(0), 0, solver)[0].features == ("a", "b")
