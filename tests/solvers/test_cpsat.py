"""What CP-SAT cannot hold, it names: integers only, each with bounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyomo.environ as pyo
import pytest

import altsel
from altsel import Dice, Problem, Univariate
from altsel.solvers import cpsat

pytest.importorskip("ortools")


def free(b: Any) -> None:
    b.helper = pyo.Var(domain=pyo.NonNegativeReals)
    b.more = pyo.Var(range(9))
    b.held = pyo.Constraint(expr=b.helper + sum(b.more.values()) >= b.x["x0"])


def half(b: Any) -> None:
    b.helper = pyo.Var(bounds=(0, 1))
    b.held = pyo.Constraint(expr=12.345 * b.x["x0"] + 1.25 * b.x["x1"] + 12.345 * b.helper <= 15)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (free, r"needs bounds on every variable; give them to '.*more\[0\]', .* and 7 more, or use HiGHS"),
        (half, r"cannot hold row '.*held' as such, for '.*helper' is continuous; declare it integer, or"),
    ],
)
def test_a_refusal_names_row_and_variable(rule: Any, message: str) -> None:
    problem = Problem(Univariate([3, 2, 1, 0.5]), 2, [rule])
    with pytest.raises(altsel.SolverError, match=message):
        altsel.sequential(problem, Dice(0.5), 0, "cp-sat")


def test_a_refusal_of_digits_names_the_row() -> None:
    model = pyo.ConcreteModel()
    model.x = pyo.Var(range(2), domain=pyo.Integers, bounds=(0, 10**9))
    model.held = pyo.Constraint(expr=model.x[0] / 3 + model.x[1] / 7 <= 2)
    model.value = pyo.Objective(expr=model.x[0] + model.x[1], sense=pyo.maximize)
    with pytest.raises(altsel.SolverError, match="row 'held' as such, whose numbers have too many digits"):
        altsel.solver("cp-sat")(model)


def test_an_objective_that_it_cannot_hold_is_named() -> None:
    model = pyo.ConcreteModel()
    model.x = pyo.Var(range(2), domain=pyo.Binary)
    model.y = pyo.Var(bounds=(0, 1))
    model.row = pyo.Constraint(expr=model.y <= model.x[0])
    model.value = pyo.Objective(expr=model.x[0] / 3 + 1e9 * model.x[1] / 7 - model.y / 3, sense=pyo.maximize)
    with pytest.raises(altsel.SolverError, match="hold the objective as such, for 'y' is continuous"):
        altsel.solver("cp-sat")(model)


def test_cp_sat_takes_a_row_without_terms() -> None:
    nothing = np.array([])
    assert cpsat._whole(nothing, nothing, [-np.inf, 7.000000000000001e-09]) == ([], 1.0, 0.0)


def third(b: Any) -> Any:
    b.u = pyo.Var(bounds=(0, 1))
    return 3 * b.u == b.x["x0"] + b.x["x1"] + b.x["x2"] + b.x["x3"]


def curve(b: Any) -> Any:  # of one feature a point at two thirds of a step
    b.cost, b.number = pyo.Var(bounds=(0, 9)), pyo.Var(bounds=(0, 3))
    b.square = pyo.Piecewise(b.cost, b.number, pw_pts=[0, 1.5, 3], f_rule=[0, 1, 4], pw_constr_type="EQ")
    return [b.number == b.x["x0"] + b.x["x1"] + b.x["x2"] + b.x["x3"], b.cost <= 2]


@pytest.mark.parametrize("rule", [third, curve])
def test_no_point_falls_between_the_steps_of_a_continuous_variable(rule: Any) -> None:
    """Values such as one third are on no grid of powers of two: models were called infeasible."""
    for k in (1, 2):
        problem = Problem(Univariate([3, 2, 1, 0.5]), k, [rule])
        model = altsel.formulate(problem)
        assert altsel.solver("cp-sat")(model).value == pytest.approx([3, 5][k - 1])
        assert altsel.models.read_sets(model) == [("x0", "x1")[:k]]


def test_rows_that_are_met_just_so_are_met() -> None:
    """5/3 - 1 <= 2/3 is broken by the last digit: the best set was cut off, a poorer one called optimal."""

    def thirds(b: Any) -> Any:
        return 1.6666666666666667 * b.x["x0"] - b.x["x1"] <= 0.6666666666666666

    model = altsel.formulate(Problem(Univariate([3, 2, 1, 0.5]), 2, [thirds]))
    assert altsel.solver("cp-sat")(model).value == 5
    assert altsel.models.read_sets(model) == [("x0", "x1")]
