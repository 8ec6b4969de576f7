"""What a rule says in any way counts, or is refused by name; against brute force over all sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, wraps
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pyomo.environ as pyo
import pytest
from pyomo.gdp import Disjunct, Disjunction

import altsel
from altsel import ArgumentError, BlackBox, Dice, Problem, Stop, Univariate
from altsel.exact.verification.verifier import Verifier
from tests.oracles import brute_force as bf

pytestmark = pytest.mark.filterwarnings("ignore::altsel.errors.RuleWarning")  # said on purpose here

QUALITY = Univariate({"a": 6.0, "b": 5.0, "c": 4.0, "d": 3.0, "e": 2.0, "f": 1.0})
Keeps = Callable[[bf.Set], bool]


def one_of_two(b: Any) -> Any:
    return b.x["a"] + b.x["b"] <= 1


def returned_unattached(b: Any) -> Any:
    return pyo.Constraint(expr=b.x["a"] + b.x["b"] <= 1)


def returned_indexed(b: Any) -> Any:
    return pyo.Constraint(["a", "c"], rule=lambda _, f: b.x[f] + b.x["b"] <= 1)


def returned_block(b: Any) -> Any:
    part = pyo.Block(concrete=True)
    part.row = pyo.Constraint(expr=b.x["a"] + b.x["b"] <= 1)
    return part


def returned_attached(b: Any) -> Any:
    b.limit = pyo.Constraint(expr=b.x["a"] + b.x["b"] <= 1)
    return b.limit


def generator(b: Any) -> Any:
    for f in "bc":
        yield b.x["a"] + b.x[f] <= 1


def fixed(b: Any) -> None:
    b.x["a"].fix(0)


def bounded(b: Any) -> None:
    b.x["a"].setub(0)
    b.x["f"].setlb(1)


def with_helper(b: Any) -> Any:  # an even number of these
    b.half = pyo.Var(domain=pyo.NonNegativeIntegers, bounds=(0, 3))
    return b.x["a"] + b.x["b"] + b.x["c"] == 2 * b.half


def names_of_its_own(b: Any) -> Any:
    features = b.x
    for name in ("size", "quality", "x"):
        setattr(b, name, pyo.Var(bounds=(0, 1)))
    return b.size + b.quality >= 3 * features["a"]


def not_both(s: bf.Set) -> bool:
    return not {"a", "b"} <= s


FORMS: dict[str, tuple[Any, Keeps]] = {
    "comparison": (one_of_two, not_both),
    "lambda": (lambda b: b.x["a"] + b.x["b"] <= 1, not_both),
    "chained": (
        lambda b: pyo.inequality(1, b.x["a"] + b.x["b"] + b.x["c"], 1),
        lambda s: len(s & set("abc")) == 1,
    ),
    "range": (lambda b: (1, b.x["a"] + b.x["b"], None), lambda s: bool(s & {"a", "b"})),
    "pair": (lambda b: (b.x["a"], b.x["b"]), lambda s: ("a" in s) == ("b" in s)),
    "list": (lambda b: [b.x["a"] <= 0, b.x["b"] <= 0], lambda s: not s & {"a", "b"}),
    "tuple": (lambda b: (b.x["a"] <= 0, b.x["b"] <= 0), lambda s: not s & {"a", "b"}),
    "mapping": (lambda b: {f: b.x[f] <= 0 for f in "ab"}, lambda s: not s & {"a", "b"}),
    "nested": (lambda b: [[b.x["a"] <= 0], {"b": (b.x["b"] <= 0, True)}], lambda s: not s & {"a", "b"}),
    "array": (lambda b: np.array([b.x["a"] <= 0, b.x["b"] <= 0], dtype=object), lambda s: not s & {"a", "b"}),
    "series": (lambda b: pd.Series([b.x["a"] <= 0, b.x["b"] <= 0]), lambda s: not s & {"a", "b"}),
    "generator": (generator, lambda s: "a" not in s or not s & {"b", "c"}),
    "true": (lambda b: True, lambda s: True),
    "numpy's true": (lambda b: np.bool_(True), lambda s: True),
    "false": (lambda b: False, lambda s: False),
    "nothing to say": (lambda b: [], lambda s: True),
    "skip": (lambda b: pyo.Constraint.Skip, lambda s: True),
    "feasible": (lambda b: pyo.Constraint.Feasible, lambda s: True),
    "infeasible": (lambda b: pyo.Constraint.Infeasible, lambda s: False),
    "constraint": (returned_unattached, not_both),
    "indexed constraint": (returned_indexed, lambda s: "b" not in s or not s & {"a", "c"}),
    "block": (returned_block, not_both),
    "attached": (returned_attached, not_both),
    "fixed": (fixed, lambda s: "a" not in s),
    "bounded": (bounded, lambda s: "a" not in s and "f" in s),
    "helper": (with_helper, lambda s: len(s & set("abc")) % 2 == 0),
    "names": (names_of_its_own, lambda s: "a" not in s),
    "partial": (partial(lambda limit, b: b.size <= limit, 2), lambda s: len(s) <= 2),
}


@pytest.mark.parametrize("solver", [None, "highs"])
@pytest.mark.parametrize("form", FORMS)
def test_every_way_to_say_it_counts(form: str, solver: str | None) -> None:
    rule, keeps = FORMS[form]
    check(QUALITY, (2, 3), [rule], keeps, solver)


@pytest.mark.parametrize("form", FORMS)
def test_lists_black_boxes_and_audits_read_the_same(form: str) -> None:
    rule, keeps = FORMS[form]
    problem = Problem(QUALITY, (2, 3), [rule])
    valid = {s for s in bf.all_sets(QUALITY.features, (2, 3)) if keeps(s)}
    near = altsel.near_optimal(problem, altsel.AbsoluteLoss(100))
    assert {frozenset(one) for one in near} == valid
    assert {frozenset(one) for one in altsel.enumerate_valid(problem)} == valid
    check(BlackBox(lambda names: sum(map(ord, names)), QUALITY.features), (2, 3), [rule], keeps)
    verifier = Verifier(problem)
    for one in list(bf.all_sets(QUALITY.features, (2, 3)))[::2]:
        assert all(claim.holds for claim in verifier.rules(list(one))) == keeps(one)


def check(objective: Any, k: Any, rules: Sequence[Any], keeps: Keeps, solver: str | None = None) -> None:
    problem = Problem(objective, k, rules)
    found = altsel.sequential(problem, Dice(0.5), 0, solver)
    valid = [s for s in bf.all_sets(objective.features, problem.sizes) if keeps(s)]
    if not valid:
        assert found.stop is Stop.INFEASIBLE
        return
    best = max(bf.scored(objective, valid).values())
    assert keeps(frozenset(found[0]))
    assert found[0].score == pytest.approx(best)
    assert found[0].proof is altsel.Proof.OPTIMAL


def loose(b: Any) -> None:
    limit = pyo.Constraint(expr=b.x["a"] + b.x["b"] <= 1)
    del limit


def only_a_variable(b: Any) -> None:
    b.u = pyo.Var(bounds=(0, 1))


def changes_quality(b: Any) -> None:
    b.quality.set_value(b.quality.expr - 3 * b.x["a"])
    b.limit = pyo.Constraint(expr=b.x["a"] <= 1)


def own_objective(b: Any) -> None:
    b.aim = pyo.Objective(expr=b.x["a"])


def own_objective_outside(b: Any) -> Any:
    b.model().aim = pyo.Objective(expr=b.x["a"])
    return b.x["a"] <= 1


def trivial(b: Any) -> None:
    b.limit = pyo.Constraint(expr=sum(()) <= 1)


def faulty(b: Any) -> Any:
    return b.x["a"] / 0 <= 1


REFUSED: dict[str, tuple[Any, str]] = {
    "unattached": (loose, "rule 'loose' neither returns a condition nor adds an active one"),
    "nothing": (lambda b: None, "neither returns a condition"),
    "only a variable": (only_a_variable, "rule 'only_a_variable' neither"),
    "a number": (lambda b: 3, "returns 3, which is no comparison"),
    "an expression": (lambda b: b.x["a"] + b.x["b"], "no comparison"),
    "a feature": (lambda b: b.x["a"], "no comparison"),
    "a text": (lambda b: "x0 <= 1", "says nothing of a set"),
    "texts": (lambda b: ["x0 <= 1"], "says nothing of a set"),
    "a function": (lambda b: altsel.domain.require("a"), "says nothing of a set"),
    "nothing among others": (lambda b: [b.x["a"] <= 1, None], "says nothing of a set"),
    "a change of the quality": (changes_quality, "rule 'changes_quality' changes the model outside"),
    "an objective": (own_objective, "rule 'own_objective' adds an objective"),
    "an objective elsewhere": (own_objective_outside, "changes the model outside"),
    "a part of the criterion's model": (
        lambda b: b.cardinality.deactivate(),
        "it may name b.x, b.size, b.quality",
    ),
    "an unknown feature": (
        lambda b: b.x["aa"] <= 0,
        "'aa'.* is no feature that could be chosen.*did you mean 'a'",
    ),
    "a trivial row": (trivial, "rule 'trivial' fails.*return the comparison"),
    "a fault": (faulty, "rule 'faulty' fails: ZeroDivisionError"),
    "a chain of comparisons": (lambda b: 0 <= b.size <= 2, "decides by a comparison"),
    "no block": (lambda: True, "cannot be called with the block of a set"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_taken_is_refused_by_name(case: str, capfd: pytest.CaptureFixture[str]) -> None:
    rule, message = REFUSED[case]
    for solver in (None, "highs"):
        with pytest.raises(ArgumentError, match=message):
            altsel.sequential(Problem(QUALITY, (2, 3), [rule]), Dice(0.5), 0, solver)
    assert capfd.readouterr().err == ""  # nothing of Pyomo's besides


def test_a_rule_may_be_used_any_number_of_times() -> None:
    def at_most_one_of(names: str) -> Any:
        def rule(b: Any) -> None:
            b.at_most_one = pyo.Constraint(expr=sum(b.x[f] for f in names) <= 1)

        return rule

    rules = [at_most_one_of("ab"), at_most_one_of("cd"), at_most_one_of("ef")]
    check(QUALITY, 3, rules, lambda s: all(len(s & set(pair)) <= 1 for pair in ("ab", "cd", "ef")))


def test_a_rule_keeps_its_name_in_messages() -> None:
    def twice(rule: Any) -> Any:
        @wraps(rule)
        def both(b: Any) -> Any:
            return [rule(b), rule(b)]

        return both

    def cheap(b: Any) -> Any:
        return b.size <= 1

    message = altsel.explain(Problem(QUALITY, 2, [twice(cheap)]), Dice(0.5), 0)
    assert message.conflict == ("k = 2", "cheap")


NAMES = """
x y z t u s v w b a i j n m k h size quality cardinality cardinality_scaled reported product products rlt
value formula is_size one_size sized ratio unit square scaled below predominance overridden unknown least
poorest order total sets common both implied differ differs_from pairs_of tangent together similar
similar_enough distinct average excluded rules across constants features returned logic nothing conditions
exclusive relevant touched fit
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("criterion", "across"),
    [
        (altsel.MRMR, False),
        *(pytest.param(one, False, marks=pytest.mark.long) for one in (altsel.CFS, altsel.FCBF)),
        (Univariate, False),
        (Univariate, True),
    ],
)
def test_no_name_is_reserved(criterion: Any, across: bool) -> None:
    names = list("abcde")
    r = pd.DataFrame(np.full((5, 5), 0.1), names, names)
    numbers = altsel.Dependence(pd.Series([0.9, 0.8, 0.7, 0.6, 0.5], names), r)

    def rule_named(name: str) -> Any:
        def rule(b: Any) -> None:
            x = b.x
            setattr(b, name, pyo.Constraint(expr=x["a"] + x["b"] <= 1))

        def joint(b: Any, sets: Any) -> None:
            setattr(b, name, pyo.Constraint(expr=sum(one["a"] for one in sets) <= 1))

        return joint if across else rule

    rules = [rule_named(name) for name in NAMES.split()]
    problem = Problem(criterion(numbers), 2, () if across else rules, rules if across else ())
    for solver in (None, "highs") if criterion is Univariate and not across else ("highs",):
        for found in (
            altsel.sequential(problem, Dice(0.5), 2, solver),
            altsel.simultaneous(problem, Dice(0.5), 2, "min", solver),
            altsel.simultaneous(problem, altsel.Average(Dice(0.5)), 1, "sum", solver),
        ):
            assert len(found) >= 2
            if across:
                assert sum("a" in one for one in found) <= 1
            else:
                assert not any({"a", "b"} <= set(one) for one in found)


def either(b: Any) -> None:
    b.either = Disjunction(expr=[[b.x["a"] + b.x["b"] >= 2], [b.x["c"] == 0, b.x["d"] == 0]])


def indexed_disjuncts(b: Any) -> None:
    b.without = Disjunct(["a", "b"])
    for f in ("a", "b"):
        b.without[f].row = pyo.Constraint(expr=b.x[f] == 0)
    b.one = Disjunction(expr=[b.without["a"], b.without["b"]], xor=True)


def logical(b: Any) -> None:
    b.has = pyo.BooleanVar(["a", "b", "c"])
    for f in ("a", "b", "c"):
        b.has[f].associate_binary_var(b.x[f])
    b.then = pyo.LogicalConstraint(expr=b.has["a"].implies(pyo.lor(b.has["b"], pyo.lnot(b.has["c"]))))


def logic_returned(b: Any) -> Any:
    b.has = pyo.BooleanVar(["a", "b"])
    for f in ("a", "b"):
        b.has[f].associate_binary_var(b.x[f])
    return b.has["a"].equivalent_to(b.has["b"])


def ordered(kind: int) -> Any:
    def rule(b: Any) -> None:
        b.near = pyo.SOSConstraint(var=b.x, index=list("abcd"), sos=kind)

    return rule


def neighbours(s: bf.Set) -> bool:
    places = sorted("abcd".index(f) for f in s & set("abcd"))
    return len(places) <= 2 and (len(places) < 2 or places[1] - places[0] == 1)


def curve(representation: str, kind: str) -> Any:
    def rule(b: Any) -> Any:
        b.cost, b.number = pyo.Var(bounds=(0, 50)), pyo.Var(bounds=(0, 4))
        b.count = pyo.Constraint(expr=b.number == sum(b.x[f] for f in "abcd"))
        b.square = pyo.Piecewise(
            b.cost,
            b.number,
            pw_pts=[0, 1, 2, 4],
            f_rule=[0, 1, 4, 16],
            pw_constr_type=kind,
            pw_repn=representation,
        )
        return b.cost <= 5 if kind != "UB" else b.cost >= 5

    return rule


def within(s: bf.Set) -> bool:
    return {0: 0, 1: 1, 2: 4, 3: 10, 4: 16}[len(s & set("abcd"))] <= 5


def at_least(s: bf.Set) -> bool:
    return {0: 0, 1: 1, 2: 4, 3: 10, 4: 16}[len(s & set("abcd"))] >= 5


def product_with_helper(b: Any) -> Any:
    b.u = pyo.Var(bounds=(-1, 3))
    return [b.u * b.x["a"] >= 2, b.u + 2 * b.x["b"] <= 3]


def loads(b: Any) -> Any:  # an integer helper, and three factors
    b.n = pyo.Var(domain=pyo.Integers, bounds=(0, 4))
    return [b.n == b.size, b.n * b.x["a"] * b.x["b"] <= 2]


BEYOND: dict[str, tuple[Any, Keeps]] = {
    "disjunction": (either, lambda s: {"a", "b"} <= s or not s & {"c", "d"}),
    "disjuncts": (indexed_disjuncts, not_both),
    "logic": (logical, lambda s: "a" not in s or "b" in s or "c" not in s),
    "logic returned": (logic_returned, lambda s: ("a" in s) == ("b" in s)),
    "ordered set of type 1": (ordered(1), lambda s: len(s & set("abcd")) <= 1),
    "ordered set of type 2": (ordered(2), neighbours),
    "product": (lambda b: b.x["a"] * b.x["b"] <= 0, not_both),
    "three factors": (lambda b: b.x["a"] * b.x["b"] * b.x["c"] == 0, lambda s: not set("abc") <= s),
    "square of a sum": (
        lambda b: (b.x["a"] + b.x["b"] + b.x["c"]) ** 2 <= 4,
        lambda s: len(s & set("abc")) <= 2,
    ),
    "quotient": (lambda b: b.x["a"] * b.x["b"] / 4 <= 0.1, not_both),
    "own square": (lambda b: b.x["a"] ** 3 - b.x["a"] >= 0, lambda s: True),
    "product with a helper": (product_with_helper, lambda s: "a" in s and "b" not in s),
    "product with an integer": (loads, lambda s: len(s) <= 2 or not {"a", "b"} <= s),
    "root": (lambda b: pyo.sqrt(b.size + b.x["a"]) <= 1.8, lambda s: len(s) + ("a" in s) <= 3.24),
    "ratio": (lambda b: b.x["a"] / b.size <= 0.4, lambda s: "a" not in s or len(s) > 2),
    "root of the quality": (lambda b: pyo.sqrt(b.quality) <= 2.7, lambda s: sum(map(value, s)) <= 7.29),
    "product with the quality": (
        lambda b: b.quality * b.x["a"] <= 9,
        lambda s: "a" not in s or sum(map(value, s)) <= 9,
    ),
    **{
        f"piecewise {representation} {kind}": (
            curve(representation, kind),
            within if kind != "UB" else at_least,
        )
        for representation in ("SOS2", "BIGM_BIN", "BIGM_SOS1", "CC", "DCC", "MC", "INC")
        for kind in ("EQ", "LB", "UB")
    },
}


def value(f: str) -> float:
    return float(QUALITY.weights[QUALITY.features.index(f)])


ROWS = [
    (case, solver, size)
    for index, case in enumerate(BEYOND)
    for solver, size in ((None, (2, 4)), ("highs", (2, 4)), ("highs", 3))
    if solver is None or not case.startswith("piecewise") or (size == 3) == bool(index % 2)
]
"""Pyomo writes a piecewise function once for all sizes: the program solves each with one of both."""


@pytest.mark.parametrize(("case", "solver", "size"), ROWS)
def test_more_than_linear_rows(case: str, solver: str | None, size: Any) -> None:
    rule, keeps = BEYOND[case]
    check(QUALITY, size, [rule], keeps, solver)


@pytest.mark.parametrize("case", BEYOND)
def test_more_than_linear_rows_on_every_set(case: str) -> None:
    """Of piecewise functions, whose sets a solver looks at one by one, each case has every third set."""
    rule, keeps = BEYOND[case]
    problem = Problem(QUALITY, (2, 3), [rule])
    verifier = Verifier(problem)
    sets = list(bf.all_sets(QUALITY.features, (2, 3)))
    for one in sets[[*BEYOND].index(case) % 3 :: 3] if case.startswith("piecewise") else sets:
        assert all(claim.holds for claim in verifier.rules(list(one))) == keeps(one)


@pytest.mark.parametrize("representation", ["LOG", "DLOG"])
def test_piecewise_functions_of_a_power_of_two_of_pieces(representation: str) -> None:
    def rule(b: Any) -> Any:
        b.cost, b.number = pyo.Var(bounds=(0, 50)), pyo.Var(bounds=(0, 4))
        b.count = pyo.Constraint(expr=b.number == sum(b.x[f] for f in "abcd"))
        points, values = [0, 1, 2, 3, 4], [0, 1, 4, 10, 16]
        b.square = pyo.Piecewise(
            b.cost, b.number, pw_pts=points, f_rule=values, pw_constr_type="EQ", pw_repn=representation
        )
        return b.cost <= 5

    check(QUALITY, (2, 4), [rule], within)


def no_bounds(b: Any) -> Any:
    b.u = pyo.Var()
    return b.u * b.x["a"] >= 1


def quadratic(b: Any) -> Any:
    b.u = pyo.Var(bounds=(0, 2))
    b.v = pyo.Var(bounds=(0, 2))
    b.circle = pyo.Constraint(expr=b.u**2 - b.v**2 <= b.x["a"])


def unbounded_disjunction(b: Any) -> None:
    b.u = pyo.Var()
    b.either = Disjunction(expr=[[b.u >= 1], [b.x["a"] == 0]])


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (no_bounds, "rule 'no_bounds', row .*: it multiplies 'u', which has no bounds"),
        (quadratic, "rule 'quadratic', row 'circle': .*must be linear.*altsel.domain.predicate"),
        (
            unbounded_disjunction,
            "rule 'unbounded_disjunction': a disjunction cannot be written.*give all variables",
        ),
    ],
)
def test_what_is_beyond_rows_is_refused_with_what_would_do(rule: Any, message: str) -> None:
    for solver in (None, "highs"):
        with pytest.raises(ArgumentError, match=message):
            altsel.sequential(Problem(QUALITY, (2, 3), [rule]), Dice(0.5), 0, solver)


@pytest.mark.slow
def test_pairwise_rules_hold_for_any_number_of_sets() -> None:
    def apart(b: Any, sets: Sequence[Any]) -> None:
        b.apart = pyo.ConstraintList()
        for s, t in combinations(sets, 2):
            b.apart.add(s["a"] + t["b"] <= 1)
            b.apart.add(s["b"] + t["a"] <= 1)

    problem = Problem(QUALITY, 3, across=[apart])
    for found in (
        altsel.sequential(problem, Dice(0.3), 3),
        altsel.simultaneous(problem, Dice(0.3), 3),
        altsel.simultaneous(problem, Dice(0.3), 2, "min"),
        altsel.wrapper(problem, Dice(0.3), 2),
        altsel.wrapper(problem, Dice(0.3), 2, together=True),
    ):
        assert len(found) >= 3
        for one, other in combinations(found, 2):
            assert not ("a" in one and "b" in other)
            assert not ("b" in one and "a" in other)


def test_products_and_returned_conditions_across_sets() -> None:
    def no_common(b: Any, sets: Sequence[Any]) -> Any:
        return [s["a"] * t["a"] <= 0 for s, t in combinations(sets, 2)]

    for found in (
        altsel.sequential(Problem(QUALITY, 2, across=[no_common]), Dice(0.5), 3),
        altsel.simultaneous(Problem(QUALITY, 2, across=[no_common]), Dice(0.5), 3),
    ):
        assert len(found) == 4
        assert sum("a" in one for one in found) == 1


def test_answers_under_symmetric_rules_across_sets_are_best_first() -> None:
    problem = Problem(QUALITY, 2, across=[altsel.domain.in_at_most(1, ["a"])])
    for solver in (None, "highs", "cp-sat"):
        scores = [one.score for one in altsel.simultaneous(problem, Dice(0.5), 2, solver=solver)]
        assert scores == sorted(scores, reverse=True)


def test_a_set_found_before_cannot_be_changed() -> None:
    def first_without(b: Any, sets: Sequence[Any]) -> None:
        sets[0]["a"].fix(0)

    with pytest.raises(
        ArgumentError, match="rule 'first_without' fixes or bounds a feature of a set found before"
    ):
        altsel.sequential(Problem(QUALITY, 2, across=[first_without]), Dice(0.5), 1, known=[["a", "b"]])
    found = altsel.simultaneous(Problem(QUALITY, 2, across=[first_without]), Dice(0.5), 1)
    assert "a" not in found[0]


def test_rules_across_sets_that_say_nothing_are_refused() -> None:
    problem = Problem(QUALITY, 2, across=[lambda b, sets: None])
    for search in (altsel.sequential, altsel.simultaneous):
        with pytest.raises(ArgumentError, match="neither returns a condition"):
            search(problem, Dice(0.5), 0)


def test_selectors_and_blankets_take_the_same_rules() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(80, 5)), columns=list("abcde"))
    target = table["a"] + table["b"] + 0.3 * table["c"] + 0.1 * rng.normal(size=80)
    selector = altsel.sklearn.AlternativeFeatureSelector(
        "univariate", k=2, alternatives=0, rules=[one_of_two]
    )
    assert set(selector.fit(table, target).get_feature_names_out()) != {"a", "b"}
    test = altsel.independence.auto(
        altsel.Dataset(table.assign(copy=table["b"] + 1e-3 * rng.normal(size=80)), target.rename("y"))
    )
    found = altsel.blankets.tie_star(
        test, limits=altsel.blankets.Limits(subject_to=[lambda b: b.x["b"] <= 0])
    )
    assert found.sets
    assert not any("b" in one for one in found)
    without = altsel.domain.predicate(lambda features: "b" not in features, monotone="down")
    root = lambda b: pyo.sqrt(b.x["b"] + b.size) <= 10  # noqa: E731  (no row, and true of all)
    again = altsel.blankets.tie_star(test, limits=altsel.blankets.Limits(subject_to=[without, root]))
    assert {frozenset(one) for one in again} == {frozenset(one) for one in found}
    with pytest.raises(ArgumentError, match="neither returns a condition"):
        altsel.blankets.tie_star(test, limits=altsel.blankets.Limits(subject_to=[lambda b: None]))
    with pytest.raises(ArgumentError, match=r"it may name b\.x, b\.size,"):
        altsel.blankets.tie_star(test, limits=altsel.blankets.Limits(subject_to=[lambda b: b.quality >= 1]))


@pytest.mark.parametrize("solver", ["auto", "highs", "cp-sat"])
def test_a_product_that_counts_nothing(solver: str) -> None:
    """Nought times a product, and one that cancels out, are rows like others."""

    def none(b: Any) -> Any:
        b.u = pyo.Var(bounds=(0, 4), domain=pyo.Integers)
        pair = b.x["a"] * b.x["b"]
        return [b.u + (1 - pair) * 0 >= 0, pair - pair + b.u >= b.x["a"] + b.x["c"], b.u <= 1]

    stated = altsel.Problem(altsel.Univariate({"a": 3.0, "b": 1.0, "c": 2.0}), 2, [none])
    assert altsel.sequential(stated, altsel.Dice(0.5), 0, solver=solver)[0].features == ("a", "b")


@pytest.mark.slow
@pytest.mark.parametrize("way", ["auto", "highs", "scip"])
@pytest.mark.parametrize("ways_out", [False, True])
def test_a_disjunction_may_name_the_quality(way: str, ways_out: bool) -> None:
    """The quality has ends by the model of its criterion."""
    values = {"a": 3.0, "b": 2.5, "c": 2.0, "d": -1.0, "e": 0.5}

    def poor_or_small(b: Any) -> Any:
        b.u = pyo.Var(bounds=(0, 9))
        more = [b.u >= b.size + 7 * b.x["e"]] if ways_out else []
        b.either = Disjunction(expr=[[b.quality <= 4, *more], [b.x["a"] == 0, b.quality >= 3]])

    problem = altsel.Problem(Univariate(values), 2, [poor_or_small])
    found = altsel.near_optimal(problem, altsel.AbsoluteLoss(100.0), solver=way)
    worth = {pair: values[pair[0]] + values[pair[1]] for pair in combinations(values, 2)}
    kept = {one for one, q in worth.items() if q <= 4 or ("a" not in one and q >= 3)}
    assert {one.features for one in found} == kept
    assert [one.score for one in found] == sorted((worth[one] for one in kept), reverse=True)


def test_a_disjunction_on_a_black_box_is_refused_by_name() -> None:
    def good_or_small(b: Any) -> Any:
        b.either = Disjunction(expr=[[b.quality >= 1], [b.x["a"] == 0]])

    problem = Problem(BlackBox(len, ["a", "b", "c"]), 2, [good_or_small])
    with pytest.raises(ArgumentError, match="rule 'good_or_small'"):
        altsel.sequential(problem, Dice(0.5), 0)


@pytest.mark.parametrize("solver", ["auto", "highs", "cp-sat"])
def test_a_rule_may_fix_what_its_criterion_has_fixed(solver: str) -> None:
    """FCBF fixes all features where no three go together; a rule that fixes one of them says something."""
    names = list("abcd")
    alike = pd.DataFrame(np.full((4, 4), 0.9), names, names)
    criterion = altsel.FCBF(altsel.Dependence(pd.Series([0.5, 0.4, 0.3, 0.2], names), alike))

    def without(b: Any) -> None:
        b.x["a"].fix(0)

    found = altsel.sequential(Problem(criterion, 3, [without]), Dice(0.5), 0, solver=solver)
    assert found.stop is Stop.INFEASIBLE


@pytest.mark.parametrize("solver", ["auto", "highs"])
def test_time_that_is_up_before_rules_are_read(solver: str) -> None:
    def curved(b: Any) -> Any:
        b.u = pyo.Var(bounds=(0, 3))
        return [b.u >= b.x["a"] * b.x["b"] + b.x["c"], b.u**2 <= 2]

    problem = Problem(Univariate({"a": 3.0, "b": 2.0, "c": 1.0, "d": 0.5}), 2, [curved])
    for start in [(), [("a", "b"), ("c", "d")]]:
        found = altsel.simultaneous(problem, Dice(0.5), 1, solver=solver, time_limit=1e-9, start=start)
        assert not found.proved
