"""Variables of a rule's own: domains with gaps, Booleans that are fixed, disjuncts, small units."""

from __future__ import annotations

from math import comb
from typing import Any

import pyomo.environ as pyo
import pytest
from pyomo.gdp import Disjunct, Disjunction

import altsel
from altsel import AbsoluteLoss, ArgumentError, Dice, Problem, Univariate
from tests.pairs import paired

NAMES = ["a", "b", "c", "d", "e"]
QUALITY = Univariate(dict(zip(NAMES, range(5, 0, -1), strict=True)))
SOLVERS = [None, "highs", "cp-sat", "scip"]


def sizes_of(rule: Any, solver: str | None, k: Any = (1, 4)) -> set[int]:
    """Return the sizes of all sets that keep a rule; audited."""
    if solver == "scip":
        pytest.importorskip("pyscipopt")
    names = NAMES[:4]
    problem = Problem(Univariate(dict(zip(names, range(5, 1, -1), strict=True))), k, [rule])
    best = altsel.sequential(problem, Dice(0.5), 0, solver)
    if best.stop is altsel.Stop.INFEASIBLE:
        return set()
    assert altsel.audit(best, problem, Dice(0.5)).verdict == "confirmed"
    every = [frozenset(one) for one in altsel.near_optimal(problem, AbsoluteLoss(100), solver=solver)]
    sizes = {len(one) for one in every}
    assert len(every) == sum(comb(len(names), size) for size in sizes)
    assert best[0].features == tuple(names[: max(sizes)])
    return sizes


@pytest.mark.parametrize(
    ("case", "solver"),
    paired(
        {
            "list": ([2, 5], {2}),
            "ordered set": (pyo.Set(initialize=[1, 3], ordered=True), {1, 3}),
            "range": (pyo.RangeSet(0, 10, 2), {2, 4}),
            "halves": ([1.5, 3.0], {3}),
            "no integer": (pyo.RangeSet(0.5, 3.5), set()),
        },
        SOLVERS,
        2,
    ),
)
def test_a_domain_with_gaps_is_kept(case: tuple[Any, set[int]], solver: str | None) -> None:
    """Only its ends were read: sets of other sizes were optimal, and confirmed."""
    domain, sizes = case

    def rule(b: Any) -> Any:
        b.y = pyo.Var(within=domain)
        return b.size == b.y

    assert sizes_of(rule, solver) == sizes


def test_a_domain_with_gaps_and_no_end_is_refused() -> None:
    def rule(b: Any) -> Any:
        b.y = pyo.Var(within=pyo.Any)
        return b.size == b.y

    with pytest.raises(ArgumentError, match=r"rule 'rule': the domain of 'y' has gaps"):
        altsel.sequential(Problem(QUALITY, 2, [rule]), Dice(0.5), 0)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("said", [lambda b: b["b"].implies(b["c"]), lambda b: b["a"].lor(b["b"])])
def test_a_boolean_that_is_fixed_fixes_its_feature(said: Any, solver: str | None) -> None:
    """Pyomo leaves the 0/1 variable of a Boolean free that is fixed."""
    if solver == "scip":
        pytest.importorskip("pyscipopt")

    def without_a(b: Any) -> Any:
        b.has = pyo.BooleanVar(list(b.x))
        for f in b.x:
            b.has[f].associate_binary_var(b.x[f])
        b.has["a"].fix(False)
        return said(b.has)

    problem = Problem(QUALITY, 2, [without_a])
    found = altsel.sequential(problem, Dice(0.5), 0, solver)
    assert found[0].features == ("b", "c")
    assert altsel.audit(found, problem, Dice(0.5)).verdict == "confirmed"


@pytest.mark.slow
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_variable_of_a_disjunct_has_its_domain(solver: str | None) -> None:
    if solver == "scip":
        pytest.importorskip("pyscipopt")

    def rule(b: Any) -> None:
        b.even, b.other = Disjunct(), Disjunct()
        b.even.y = pyo.Var(within=[2, 4])
        b.even.row = pyo.Constraint(expr=b.size == b.even.y)
        b.other.row = pyo.Constraint(expr=b.x["a"] == 0)
        b.either = Disjunction(expr=[b.even, b.other])

    found = altsel.sequential(Problem(QUALITY, (1, 3), [rule]), Dice(0.5), 0, solver)
    assert found[0].score == 9
    if solver is None:
        assert len(altsel.near_optimal(Problem(QUALITY, (1, 3), [rule]), AbsoluteLoss(100))) == 18


@pytest.mark.parametrize("solver", [None, "highs"])
def test_a_disjunction_that_is_switched_off_says_nothing(solver: str | None) -> None:
    def rule(b: Any) -> Any:
        b.either = Disjunction(expr=[[b.x["a"] == 0], [b.x["b"] == 0]])
        b.either.deactivate()
        return b.x["c"] == 1

    assert altsel.sequential(Problem(QUALITY, 3, [rule]), Dice(0.5), 0, solver)[0].score == 12

    def alone(b: Any) -> None:
        b.never = Disjunct()
        b.never.row = pyo.Constraint(expr=b.x["a"] == 0)

    with pytest.raises(ArgumentError, match=r"rule 'alone'.*(in no disjunction|neither returns)"):
        altsel.sequential(Problem(QUALITY, 3, [alone]), Dice(0.5), 0, solver)


def test_a_domain_of_a_feature_is_not_a_rules() -> None:
    def loose(b: Any) -> Any:
        b.x["a"].domain = pyo.Reals
        return b.x["a"] <= 0.5

    with pytest.raises(ArgumentError, match="rule 'loose' changes the model outside its own block"):
        altsel.sequential(Problem(QUALITY, 2, [loose]), Dice(0.5), 0)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("unit", [1e3, 1e-6, 1e-7])
@pytest.mark.parametrize("bounded", [True, False])
def test_small_units_are_kept_as_exactly(bounded: bool, unit: float, solver: str | None) -> None:
    """Engines keep bounds to 1e-9, which is a thousandth of 6e-7."""
    if solver == "cp-sat" and not bounded:
        pytest.skip("CP-SAT needs bounds")
    if solver == "scip":
        pytest.importorskip("pyscipopt")
    cost = dict(zip(NAMES, [2.4 * unit, 2.1 * unit, 1.8 * unit, 1.5 * unit, 1.2 * unit], strict=True))

    def cheap(b: Any) -> list[Any]:
        b.y = pyo.Var(bounds=(0, 12 * unit) if bounded else (None, None))
        return [b.y == sum(cost[f] * b.x[f] for f in NAMES), b.y <= 6.294 * unit]

    problem = Problem(QUALITY, 3, [cheap])
    found = altsel.sequential(problem, Dice(0.5), 0, solver)
    assert found[0].features == ("a", "b", "d")
    assert altsel.audit(found, problem, Dice(0.5)).verdict == "confirmed"


@pytest.mark.parametrize("solver", [None, "highs", "cp-sat", "cbc"])
def test_bounds_the_wrong_way_round_are_infeasible(solver: str | None) -> None:
    if solver == "cbc" and not any(one.name == "cbc" and one.version for one in altsel.profiles()):
        pytest.skip("cbc is not installed")

    def never(b: Any) -> Any:
        b.y = pyo.Var(bounds=(2, 1))
        return b.size >= b.y

    assert not altsel.sequential(Problem(QUALITY, 3, [never]), Dice(0.5), 0, solver)


@pytest.mark.parametrize("solver", [None, "highs"])
@pytest.mark.parametrize("name", ["x", "size", "quality", "sizes"])
def test_what_stands_for_the_set_is_no_reserved_name(name: str, solver: str | None) -> None:
    """Logic, disjunctions and roots looked for the set's own under the names that a rule gave to others."""

    def rule(b: Any) -> list[Any]:
        x, quality = b.x, b.quality
        setattr(b, name, pyo.Var(bounds=(0, 9)))
        own = getattr(b, name)
        b.either = Disjunction(expr=[[quality <= 6], [x["e"] == 1]])
        return [own >= sum(x.values()), own <= 2.5, pyo.sqrt(x["a"] + x["b"]) <= 1.2]

    found = altsel.sequential(Problem(QUALITY, (1, 2), [rule]), Dice(0.5), 0, solver)
    assert (found[0].features, found.proved) == (("a", "e"), True)


def infinite(b: Any) -> None:
    b.y = pyo.Var(within=[1, float("inf")])
    b.row = pyo.Constraint(expr=b.size == b.y)


def texts(b: Any) -> None:
    b.y = pyo.Var(within=["one", "two"])
    b.row = pyo.Constraint(expr=b.size == b.y)


def missing(b: Any) -> Any:
    b.x["a"].fix(float("nan"))
    return b.x["b"] + b.x["c"] <= 1


def no_value(b: Any) -> Any:
    b.y = pyo.Var(bounds=(0, 9))
    b.y.fix()
    return b.size <= b.y


def no_end(b: Any) -> Any:
    b.y = pyo.Var(bounds=(0, float("nan")))
    return b.size <= b.y


def a_block(b: Any) -> None:
    b.inner = pyo.Block()
    b.inner.y = pyo.Var()


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (infinite, "the domain of 'y' holds what is no finite number"),
        (texts, "the domain of 'y' holds what is no finite number"),
        (missing, "'x.a.' is fixed at nan, which is no number"),
        (no_value, "'y' is fixed at None, which is no number"),
        (no_end, "an end of 'y' is no number"),
        (a_block, "neither returns a condition nor adds an active one"),
    ],
)
@pytest.mark.parametrize("solver", [None, "highs"])
def test_what_is_no_number_or_says_nothing_is_refused(rule: Any, why: str, solver: str | None) -> None:
    with pytest.raises(ArgumentError, match=rf"rule '{rule.__name__}'.*{why}"):
        altsel.sequential(Problem(QUALITY, 2, [rule]), Dice(0.5), 0, solver)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    ("options", "value"),
    [({"domain": pyo.Binary}, 2), ({"bounds": (3, 4)}, 2), ({"domain": pyo.Integers}, 1.5)],
)
def test_a_value_outside_the_domain_is_impossible(options: Any, value: float, solver: str | None) -> None:
    if solver == "scip":
        pytest.importorskip("pyscipopt")

    def never(b: Any) -> Any:
        b.y = pyo.Var(**options)
        b.y.fix(value, skip_validation=True)
        return b.size <= b.y + 3

    found = altsel.sequential(Problem(QUALITY, 3, [never]), Dice(0.5), 0, solver)
    assert found.stop is altsel.Stop.INFEASIBLE
