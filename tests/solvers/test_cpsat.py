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
        (half, r"cannot hold row '.*held' as such, for '.*helper' is continuous; declare that integer, or"),
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
