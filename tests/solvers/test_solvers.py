"""The contract every solver profile keeps, whatever its engine."""

from __future__ import annotations

import os
import signal
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyomo.environ as pyo
import pytest
from pyomo.common.tempfiles import TempfileManager

import altsel
from altsel import Dice, Problem, Proof, Stop, Univariate, formulate
from altsel.models.dissimilarity import differ
from altsel.models.problem import chosen, complete_products, start_from
from altsel.runtime.clock import limited
from altsel.solvers import Ability, Found, cpsat
from altsel.solvers.engine import SolveLimits, cancelled
from altsel.solvers.pyomo_solver import PyomoSolver
from tests.runtime.test_processes import Pipe

ACCEPTED = {
    "highs": "MIP start solution is feasible",
    "cp-sat": "The solution hint is complete and is feasible",
    "scip": "1/1 feasible solution given by solution candidate storage",
    "cbc": "MIPStart provided solution with cost",
    "gurobi": "Loaded user MIP start with objective",
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


def test_time_out_keeps_the_incumbent_and_reports_a_bound(profile: Found) -> None:
    model = market_split()
    outcome = altsel.solver(profile.name, time_limit=1)(model)
    assert (outcome.stop, outcome.proof) == (Stop.TIME, Proof.FEASIBLE)
    assert outcome.value is not None
    assert outcome.value == pyo.value(model.value)
    if Ability.BOUND in profile.abilities:
        assert outcome.bound is not None
        assert 0 <= outcome.bound < outcome.value


def test_a_bound_of_a_maximisation_that_was_stopped(profile: Found) -> None:
    model = market_split()
    loss = model.value.expr
    model.del_component("value")
    model.gain = pyo.Objective(expr=10_000 - loss, sense=pyo.maximize)
    outcome = altsel.solver(profile.name, time_limit=1)(model)
    assert (outcome.stop, outcome.proof) == (Stop.TIME, Proof.FEASIBLE)
    assert outcome.value is not None
    if Ability.BOUND in profile.abilities:
        assert outcome.bound is not None
        assert outcome.value < outcome.bound <= 10_000


def test_a_warm_start_is_taken_and_no_worse(profile: Found, tmp_path: Path) -> None:
    if Ability.START not in profile.abilities:
        pytest.skip(f"{profile.name} takes no warm start")
    problem = Problem(Univariate(np.random.default_rng(2).random(24)), k=4)
    model = formulate(problem, 3, total="min")
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


def test_an_interrupt_keeps_the_incumbent(profile: Found) -> None:
    if Ability.INTERRUPT not in profile.abilities:
        pytest.skip(f"{profile.name} loses its incumbent on Ctrl-C")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a program started in the background ignores it
    model = market_split()
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    outcome = altsel.solver(profile.name, time_limit=30)(model)
    timer.join()
    assert (outcome.stop, outcome.proof) == (Stop.INTERRUPT, Proof.FEASIBLE)
    assert outcome.value == pyo.value(model.value)
    assert outcome.seconds < 20
    assert altsel.solver(profile.name)(knapsack()).value == pytest.approx(10.125)  # a later solve is unharmed


def test_a_long_solve_says_that_it_still_runs(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    monkeypatch.setattr("altsel.solvers.engine.HEARTBEAT", 0.2)
    with caplog.at_level("INFO", logger="altsel"):
        altsel.solver("highs", time_limit=0.7)(market_split())
    assert "still solving" in caplog.text


def test_a_gap_allowed_is_not_called_optimal(profile: Found) -> None:
    problem = Problem(Univariate(np.random.default_rng(4).random(30)), k=5)
    model = formulate(problem, 3, total="min")
    differ(Dice(0.6), model, (5, 5))
    outcome = altsel.solver(profile.name, gap=0.5, time_limit=20)(model)
    assert outcome.value is not None
    if outcome.proof is Proof.FEASIBLE:
        assert outcome.stop is Stop.LIMIT
    elif outcome.proof is Proof.OPTIMAL:
        assert outcome.value == outcome.bound


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
    model = formulate(Problem(Univariate(q), k=1), 3)
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


@pytest.mark.parametrize("first", ["highspy", "ortools.sat.python.cp_model"])
def test_engines_live_together_in_either_order(first: str) -> None:
    pytest.importorskip("ortools")
    import subprocess  # noqa: PLC0415
    import sys  # noqa: PLC0415

    code = (
        f"import {first}, altsel; p = altsel.Problem(altsel.Univariate([3, 2, 1]), k=1)\n"
        "for name in ('highs', 'cp-sat', 'highs'):\n"
        "    assert altsel.sequential(p, altsel.Dice(1), 1, name).proved"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


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


def test_an_engine_that_lets_the_time_pass_was_not_interrupted() -> None:
    assert cancelled(interrupted=True) is Stop.INTERRUPT
    assert cancelled(interrupted=False) is Stop.INTERRUPT  # by its own handler of Ctrl-C
    with limited(1e-4):
        time.sleep(1e-3)
        assert cancelled(interrupted=False) is Stop.TIME


def test_what_scip_raises_is_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    pyscipopt: Any = pytest.importorskip("pyscipopt")

    def failing(*_: Any) -> None:
        raise Exception("SCIP: error in LP solver!")

    made = type("Failing", (pyscipopt.Model,), {"optimizeNogil": failing})
    monkeypatch.setattr(pyscipopt, "Model", made)
    with pytest.raises(altsel.SolverError, match="SCIP gave up: SCIP: error in LP solver!"):
        altsel.sequential(Problem(Univariate([3, 2, 1]), k=2), Dice(0.5), 0, "scip")


def test_cp_sat_takes_a_row_without_terms() -> None:
    nothing = np.array([])
    assert cpsat._whole(nothing, nothing, [-np.inf, 7.000000000000001e-09]) == ([], 1.0, 0.0)


@pytest.mark.skipif(os.name == "nt", reason="the program is a shell script")
def test_what_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    program, pipe = tmp_path / "glpsol", Pipe(tmp_path / "pipe")
    version = 'if [ "$1" = --version ]; then echo "GLPSOL 5.0"; exit; fi'
    program.write_text(f"#!/bin/sh\n{version}\n{pipe.behind} exit 3\n")
    program.chmod(0o755)
    with pytest.raises(altsel.SolverError, match="solver 'mine' failed"):
        PyomoSolver("mine", "glpk", SolveLimits(), str(program))(knapsack())
    assert pipe.is_begun()
    assert pipe.is_ended()
    os.close(pipe.end)


@pytest.mark.skipif(os.name == "nt", reason="the program is a shell script")
@pytest.mark.parametrize("run", ["exit 3", "exec sleep 60"])
def test_a_program_that_fails_or_is_killed_leaves_no_files(
    run: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, files = tmp_path / "glpsol", tmp_path / "files"
    files.mkdir()
    program.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo "GLPSOL 5.0"; exit; fi\n{run}\n')
    program.chmod(0o755)
    monkeypatch.setattr(tempfile, "tempdir", str(files))
    solver = PyomoSolver("mine", "glpk", SolveLimits(time_limit=1.5), str(program))
    with TempfileManager as outer:
        if run == "exit 3":
            with pytest.raises(altsel.SolverError, match="solver 'mine' failed"):
                solver(knapsack())
        else:
            assert solver(knapsack()).stop is Stop.TIME
        assert TempfileManager.context() is outer
    assert list(files.iterdir()) == []
