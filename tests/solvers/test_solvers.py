"""The contract every solver profile keeps, whatever its engine."""

from __future__ import annotations

import os
import signal
import threading
import time
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyomo.environ as pyo
import pytest

import altsel
from altsel import Dice, Problem, Proof, Stop, Univariate
from altsel.models.overlap_rows import differ
from altsel.models.problem import chosen, complete_products, model_of_sets, start_from
from altsel.solvers import Ability, Found

ACCEPTED = {
    "highs": "MIP start solution is feasible",
    "cp-sat": "The solution hint is complete and is feasible",
    "scip": "1/1 feasible solution given by solution candidate storage",
    "cbc": "MIPStart provided solution with cost",
    "gurobi": "Loaded user MIP start with objective",
    "cplex": "MIP start 'm1' defined initial solution with objective",
    "xpress": "accepted: Feasible solution",
}
"""What each engine's log says of a start it takes."""


def knapsack() -> Any:
    m = pyo.ConcreteModel()
    m.x = pyo.Var(range(4), domain=pyo.Binary)
    m.weight = pyo.Constraint(expr=2.5 * m.x[0] + 3.25 * m.x[1] + 4 * m.x[2] + 5 * m.x[3] <= 7.5)
    m.value = pyo.Objective(
        expr=3 * m.x[0] + 4 * m.x[1] + 5 * m.x[2] + 6.125 * m.x[3] + 1, sense=pyo.maximize
    )
    return m


def market_split(rows: int = 5, columns: int = 40) -> Any:
    """Hard for branch and bound, yet every 0/1 vector is feasible (Cornuejols and Dawande 1998)."""
    weights = np.random.default_rng(1).integers(0, 100, (rows, columns)).tolist()
    m = pyo.ConcreteModel()
    m.x = pyo.Var(range(columns), domain=pyo.Binary)
    m.over = pyo.Var(range(rows), bounds=(0, 10_000), domain=pyo.Integers)
    m.under = pyo.Var(range(rows), bounds=(0, 10_000), domain=pyo.Integers)
    m.split = pyo.ConstraintList()
    for i in range(rows):
        load = pyo.quicksum(weights[i][j] * m.x[j] for j in range(columns))
        m.split.add(load + m.under[i] - m.over[i] == sum(weights[i]) // 2)
    m.value = pyo.Objective(expr=pyo.quicksum(m.over.values()) + pyo.quicksum(m.under.values()))
    return m


@pytest.mark.slow
def test_nothing_left_to_decide(profile: Found) -> None:
    model = knapsack()
    for j, x in model.x.items():
        x.fix(int(j in {0, 3}))
    outcome = altsel.solver(profile.name)(model)
    assert (outcome.stop, outcome.proof, outcome.value) == (Stop.EXHAUSTED, Proof.OPTIMAL, 10.125)
    model.x[1].fix(1)
    assert altsel.solver(profile.name)(model).stop is Stop.INFEASIBLE


def test_optimal(profile: Found) -> None:
    model = knapsack()
    outcome = altsel.solver(profile.name)(model)
    assert (outcome.stop, outcome.proof) == (Stop.EXHAUSTED, Proof.OPTIMAL)
    assert outcome.value == outcome.bound == pytest.approx(10.125)  # x0 and x3 fill 7.5; x1 and x2 give 10
    assert [model.x[j].value for j in range(4)] == [1, 0, 0, 1]


def test_infeasible(profile: Found) -> None:
    model = knapsack()
    model.more = pyo.Constraint(expr=pyo.quicksum(model.x.values()) >= 3)
    outcome = altsel.solver(profile.name)(model)
    assert (outcome.stop, outcome.proof, outcome.value, outcome.bound) == (Stop.INFEASIBLE, None, None, None)


@pytest.mark.slow
def test_unbounded_is_refused(profile: Found) -> None:
    model = pyo.ConcreteModel()
    model.x = pyo.Var(domain=pyo.NonNegativeIntegers)
    model.y = pyo.Var(domain=pyo.NonNegativeIntegers)
    model.row = pyo.Constraint(expr=model.x - model.y <= 1)
    model.value = pyo.Objective(expr=model.x, sense=pyo.maximize)
    with pytest.raises(altsel.SolverError, match="bound"):
        altsel.solver(profile.name)(model)


def test_a_model_that_is_not_linear_is_refused(profile: Found) -> None:
    model = knapsack()
    model.square = pyo.Constraint(expr=model.x[0] * model.x[1] <= 0)
    with pytest.raises(altsel.SolverError, match="not linear"):
        altsel.solver(profile.name)(model)


def stopped(name: str, model: Any) -> Any:
    """Solve until time is up and something is found: soon, or later where the machine is busy."""
    for seconds in (0.5, 1, 10, 100, 1000):
        outcome = altsel.solver(name, time_limit=seconds)(model)
        assert outcome.stop is Stop.TIME
        if outcome.value is not None:
            break
    assert outcome.value is not None
    assert outcome.proof is Proof.FEASIBLE
    return outcome


@pytest.mark.slow
def test_time_out_keeps_the_incumbent_and_reports_a_bound(profile: Found) -> None:
    model = market_split()
    outcome = stopped(profile.name, model)
    assert outcome.value == pyo.value(model.value)
    if Ability.BOUND in profile.abilities:
        assert outcome.bound is not None
        assert 0 <= outcome.bound < outcome.value


@pytest.mark.slow
def test_a_bound_of_a_maximisation_that_was_stopped(profile: Found) -> None:
    model = market_split()
    loss = model.value.expr
    model.del_component("value")
    model.gain = pyo.Objective(expr=10_000 - loss, sense=pyo.maximize)
    outcome = stopped(profile.name, model)
    if Ability.BOUND in profile.abilities:
        assert outcome.bound is not None
        assert outcome.value < outcome.bound <= 10_000


@pytest.mark.slow
def test_a_warm_start_is_taken_and_no_worse(profile: Found, tmp_path: Path) -> None:
    if Ability.START not in profile.abilities:
        pytest.skip(f"{profile.name} takes no warm start")
    problem = Problem(Univariate(np.random.default_rng(2).random(24)), k=4)
    model = model_of_sets(problem, 3, total="min")
    differ(Dice(0.75), model, (4, 4))
    sets = [["x1", "x2", "x3", "x4"], ["x5", "x6", "x7", "x8"], ["x9", "x10", "x11", "x12"]]
    sets.sort(key=lambda one: -problem.objective.score(problem.mask(one)))
    for block, subset in zip(model.sets.values(), sets, strict=True):
        start_from(problem, block, subset)
    complete_products(model)
    start = pyo.value(model.total)
    log = tmp_path / "solve.log"
    outcome = altsel.solver(profile.name, log=log)(model)
    assert outcome.value is not None
    if profile.name == "cbc":  # it ends within a tolerance of its own
        assert outcome.bound == pytest.approx(outcome.value, rel=1e-6)
    else:
        assert outcome.proof is Proof.OPTIMAL
    assert outcome.value >= start
    assert ACCEPTED[profile.name] in log.read_text(encoding="utf-8", errors="replace")


def interrupt_after(cpu: float) -> None:
    """Interrupt this process when it has used so many CPU seconds."""
    while time.process_time() < cpu:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.skipif(os.name != "posix", reason="needs signals of POSIX")
def test_an_interrupt_keeps_the_incumbent(profile: Found) -> None:
    if Ability.INTERRUPT not in profile.abilities:
        pytest.skip(f"{profile.name} loses its incumbent on Ctrl-C")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a program started in the background ignores it
    altsel.solver(profile.name)(knapsack())  # what is imported with the first solve is there
    model = market_split()
    for seconds in (0.2, 1, 5, 50):  # a slow machine may have found nothing at first
        thread = threading.Thread(target=interrupt_after, args=(time.process_time() + seconds,))
        thread.start()
        outcome = altsel.solver(profile.name)(model)
        thread.join()
        if outcome.value is not None:
            break
    assert (outcome.stop, outcome.proof) == (Stop.INTERRUPT, Proof.FEASIBLE)
    assert outcome.value == pyo.value(model.value)
    assert altsel.solver(profile.name)(knapsack()).value == pytest.approx(10.125)  # a later solve is unharmed


@pytest.mark.slow
def test_a_long_solve_says_that_it_still_runs(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    monkeypatch.setattr("altsel.solvers.engine.HEARTBEAT", 0.01)
    with caplog.at_level("INFO", logger="altsel"):
        altsel.solver("highs", time_limit=0.7)(market_split())
    assert "still solving" in caplog.text


def test_a_gap_allowed_is_not_called_optimal(profile: Found) -> None:
    problem = Problem(Univariate(np.random.default_rng(4).random(30)), k=5)
    model = model_of_sets(problem, 3, total="min")
    differ(Dice(0.6), model, (5, 5))
    outcome = altsel.solver(profile.name, gap=0.5)(model)
    assert outcome.value is not None
    if outcome.proof is Proof.FEASIBLE:
        assert outcome.stop is Stop.LIMIT
    elif outcome.proof is Proof.OPTIMAL:
        assert outcome.value == outcome.bound


def program(rows: Any, limits: Any, equal: Any, costs: Any, upper: Any) -> Any:
    m = pyo.ConcreteModel()
    m.x = pyo.Var(range(len(costs)), domain=pyo.NonNegativeIntegers)
    for j, x in m.x.items():
        x.setub(float(upper[j]))
    m.rows = pyo.ConstraintList()
    for row, limit, is_equal in zip(rows, limits, equal, strict=True):
        total = sum(float(a) * x for a, x in zip(row, m.x.values(), strict=True))
        m.rows.add(total == float(limit) if is_equal else total <= float(limit))
    m.cost = pyo.Objective(expr=sum(float(c) * x for c, x in zip(costs, m.x.values(), strict=True)))
    return m


ENDED_IN_AN_ERROR = [
    (
        [[-1, 0, 1, 2, 0], [-2, 0, 3, 2, -3], [2, -2, 1, -2, 2]],
        *([3, -1, 5], [0, 0, 1], [5, 5, 1, -3, 3], [1, 0, 0, 1, 2]),
    ),
    (
        [[-3, 0, -1, 0, 0], [3, -2, -1, 3, 0], [0, -1, 2, 2, 0]],
        *([4, 3, 1], [0, 0, 1], [-4, 5, 0, -4, 0], [0, 0, 2, 0, 1]),
    ),
]
"""Programs without a solution, for which HiGHS 1.13.1 had no word but "Solve error"."""


@pytest.mark.slow
@pytest.mark.parametrize("numbers", ENDED_IN_AN_ERROR)
def test_small_programs_without_a_solution(profile: Found, numbers: Any) -> None:
    assert altsel.solver(profile.name)(program(*numbers)).stop is Stop.INFEASIBLE


@pytest.mark.slow
def test_small_programs_whose_bounds_are_no_integers(profile: Found) -> None:
    """HiGHS 1.13.1 was wrong in a twentieth of these where it got the bounds as they are."""
    rng, solver = np.random.default_rng(11), altsel.solver(profile.name)
    for _ in range(10 if profile.name == "glpk" else 30):  # each is a process of its own
        rows, limits = rng.integers(-3, 4, (3, 5)), rng.integers(-2, 6, 3)
        equal, costs = rng.random(3) < 0.3, rng.integers(-5, 6, 5)
        upper = rng.choice([0.3, 0.5, 1, 1, 1.5, 2.5], 5)
        points = np.array(list(product(*(range(int(most) + 1) for most in upper))))
        activity = points @ rows.T
        kept = points[((activity <= limits) & (~equal | (activity == limits))).all(axis=1)]
        if profile.name == "glpk":  # it refuses such bounds itself
            upper = np.floor(upper)
        outcome = solver(program(rows, limits, equal, costs, upper))
        if len(kept):
            assert outcome.value == pytest.approx((kept @ costs).min(), abs=1e-6)
        else:
            assert outcome.stop is Stop.INFEASIBLE


@pytest.mark.slow
def test_an_empty_constraint_that_does_not_hold_is_infeasible(profile: Found) -> None:
    model = knapsack()
    model.x[0].fix(0)
    model.must = pyo.Constraint(expr=model.x[0] >= 1)
    assert altsel.solver(profile.name)(model).stop is Stop.INFEASIBLE


def test_cpsat_is_right_where_sums_of_coefficients_pass_32_bits() -> None:
    """A presolve rule of CP-SAT wrapped around and proved .803 optimal (google/or-tools#5293)."""
    if "cp-sat" not in [profile.name for profile in altsel.profiles() if profile.version]:
        pytest.skip("ortools is not installed")
    q = np.array([0.8030242743729545, 0.8586292866990158, 0.541184302559553, 0.2700152727340803])
    model = model_of_sets(Problem(Univariate(q), k=1), 3)
    differ(Dice(0), model, (1, 1))
    model.worst = pyo.Var(bounds=(0, 4))
    model.below = pyo.ConstraintList()
    for block in model.sets.values():
        model.below.add(model.worst <= block.quality)
    model.total.deactivate()
    model.value = pyo.Objective(expr=model.worst, sense=pyo.maximize)
    outcome = altsel.solver("cp-sat")(model)
    assert outcome.value == pytest.approx(q.max(), abs=1e-9)
    assert [set(chosen(block)) for block in model.sets.values()] == [{"x1"}] * 3


@pytest.mark.slow
def test_a_continuous_column_beside_a_whole_one(profile: Found) -> None:
    # HiGHS 1.14.0 calls 15 optimal (ERGO-Code/HiGHS#2961)
    m = pyo.ConcreteModel()
    m.x = pyo.Var(bounds=(0, 10))
    m.z = pyo.Var(bounds=(0, 10), domain=pyo.Integers)
    m.need = pyo.Constraint(expr=m.x + m.z >= 4.5)
    m.cost = pyo.Objective(expr=2 * m.x + 3 * m.z)
    if profile.name == "cp-sat":
        pytest.skip("CP-SAT has integers only")
    outcome = altsel.solver(profile.name)(m)
    assert outcome.proof is (Proof.FEASIBLE if profile.name in {"glpk", "cbc"} else Proof.OPTIMAL)
    assert outcome.value == pytest.approx(9)
    assert outcome.bound == pytest.approx(9, rel=1e-6)  # GLPK takes 9 and 9.000001 for the same
