"""Solvers through Pyomo: what they raise, which interfaces are used, what is told to whom."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import pyomo.environ as pyo
import pytest
from pyomo.common.tempfiles import TempfileManager
from pyomo.opt import SolverResults, TerminationCondition

import altsel
from altsel import Dice, Problem, Proof, Stop, Univariate
from altsel.runtime.clock import limited
from altsel.solvers import SolveLimits
from altsel.solvers.pyomo_names import NATIVE, instead_of
from altsel.solvers.pyomo_solver import PyomoSolver
from tests.runtime.test_processes import Pipe
from tests.solvers.test_solvers import knapsack


class Double:
    """What Pyomo's factory gives, of a licence that is too small, or that says nothing but lies."""

    def __init__(self, fault: BaseException | None = None) -> None:
        self.options: dict[str, Any] = {}
        self.fault = fault

    def available(self, exception_flag: bool) -> bool:
        return not exception_flag

    def version(self) -> tuple[int, ...]:
        return (13, 0, 3)

    def solve(self, *_: Any, **__: Any) -> Any:
        assert self.fault is not None
        raise self.fault


class GurobiError(Exception):
    """Gurobi's own class, of which altsel knows nothing."""


def doubled(monkeypatch: pytest.MonkeyPatch, double: Double) -> None:
    monkeypatch.setattr(PyomoSolver, "_factory", lambda self: double)


def test_what_a_package_raises_names_solver_and_version(monkeypatch: pytest.MonkeyPatch) -> None:
    doubled(monkeypatch, Double(GurobiError("Model too large for size-limited license")))
    problem = Problem(Univariate([3, 2, 1]), k=2)
    said = r"solver 'gurobi' \(gurobi 13\.0\.3\) failed: GurobiError: Model too large for size-limited"
    with pytest.raises(altsel.SolverError, match=said):
        altsel.sequential(problem, Dice(0.5), 0, "gurobi")


def test_an_interrupt_inside_a_package_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    doubled(monkeypatch, Double(KeyboardInterrupt()))
    with limited(None) as clock:
        assert altsel.solver("gurobi")(knapsack()).stop is Stop.INTERRUPT
        assert clock.interrupted


@pytest.mark.parametrize("fault", [GurobiError("no licence"), OSError("no program"), RuntimeError()])
def test_a_package_that_does_not_say_whether_it_is_there_is_not(
    fault: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(self: Any) -> Any:
        raise fault

    monkeypatch.setattr(PyomoSolver, "_factory", failing)
    with pytest.raises(altsel.ConfigurationError, match="'gurobi' is not installed: pip install gurobipy"):
        altsel.solver("gurobi")


@pytest.mark.parametrize(
    ("solver", "message"),
    [
        ("gurobi_persistent", "keeps a model between solves.*solver = 'gurobi_direct'"),
        ("appsi_gurobi", "solver = 'gurobi_direct'"),
        ("gurobi_direct_v2", "solver = 'gurobi_direct'"),
        ("cplex_persistent", "solver = 'cplex_direct'"),
        ("appsi_cplex", "solver = 'cplex_direct'"),
        ("xpress_persistent", "solver = 'xpress_direct'"),
        ("appsi_cbc", "solver = 'cbc'"),
        ("mosek_persistent", "solver = 'mosek'"),
        ("highs", "use engine = 'highs' without 'solver'"),
        ("appsi_highs", "use engine = 'highs' without 'solver'"),
        ("scip_persistent", "use engine = 'scip' without 'solver'"),
    ],
)
def test_interfaces_that_keep_a_model_are_refused(solver: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "solvers.toml"
    path.write_text(f"default = 'mine'\n[profiles.mine]\nengine = 'pyomo'\nsolver = '{solver}'\n")
    with pytest.raises(altsel.ConfigurationError, match=rf"'mine'.*Pyomo's '{solver}'.*{message}"):
        altsel.solver("mine", file=path)
    [found] = altsel.profiles(path)
    assert (found.version, found.abilities) == (None, frozenset())
    assert f"Pyomo's '{solver}'" in found.refused


@pytest.mark.parametrize("solver", [*NATIVE, "scip", "mosek", "mosek_direct", "cplex"])
def test_plain_interfaces_are_not(solver: str) -> None:
    assert instead_of(solver) is None


@pytest.mark.parametrize("solver", NATIVE)
def test_a_solver_is_told_its_settings_by_its_own_names(solver: str, tmp_path: Path) -> None:
    native = NATIVE[solver]
    limits = SolveLimits(time_limit=7.5, gap=0.25, threads=3, options={"mine": 1}, seed=11)
    told = PyomoSolver("mine", solver, limits)._options(limits)
    assert told[native.gap] == 0.25
    assert told["mine"] == 1
    assert told.get(native.time) == (None if solver in {"cbc", "glpk"} else 7.5)  # Pyomo tells these
    for name, value in ((native.threads, 3), (native.seed, 11)):
        assert name is None or told[name] == value
    assert told.items() >= native.always.items()


def answering(condition: TerminationCondition, bound: float | None, load: bool = True) -> Any:
    """Make what Pyomo reads of an answer."""
    results = SolverResults()
    results.solver.termination_condition = condition
    results.problem.upper_bound = bound
    if load:
        results.solution.add()
    return results


@pytest.mark.parametrize(
    ("solver", "options", "proof"),
    [
        ("gurobi", {}, Proof.OPTIMAL),
        ("gurobi", {"MIPGap": 0.1}, Proof.FEASIBLE),  # it calls optimal what is within its gap
        ("cbc", {"allowableGap": 3}, Proof.FEASIBLE),
        ("mosek_direct", {}, Proof.FEASIBLE),  # whose gap altsel does not know
    ],
)
def test_optimal_is_believed_only_of_a_gap_that_altsel_has_set(
    solver: str, options: dict[str, Any], proof: Proof, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = answering(TerminationCondition.optimal, 11.0)
    double = Double()
    monkeypatch.setattr(double, "solve", lambda *_, **__: results)
    doubled(monkeypatch, double)
    monkeypatch.setattr(PyomoSolver, "_loaded", lambda self, model, results, rows: 10.125)
    assert PyomoSolver("mine", solver, SolveLimits(options=options))(knapsack()).proof is proof


@pytest.mark.parametrize("condition", [TerminationCondition.other, TerminationCondition.error])
def test_a_limit_for_which_an_interface_has_no_word(
    condition: TerminationCondition, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pyomo says "other" where Xpress stops with a solution, and "error" where it has none."""
    double = Double()
    doubled(monkeypatch, double)
    with_answer = condition is TerminationCondition.other
    monkeypatch.setattr(double, "solve", lambda *_, **__: answering(condition, 12.0, with_answer))
    value = 10.125 if with_answer else None
    monkeypatch.setattr(PyomoSolver, "_loaded", lambda self, model, results, rows: value)
    timed = PyomoSolver("mine", "xpress_direct", SolveLimits(time_limit=1e-9))(knapsack())
    assert (timed.stop, timed.value) == (Stop.TIME, value)
    if with_answer:
        assert PyomoSolver("mine", "xpress_direct", SolveLimits())(knapsack()).stop is Stop.LIMIT
    else:
        with pytest.raises(altsel.SolverError, match=r"'mine' \(xpress_direct 13.*ended with error"):
            PyomoSolver("mine", "xpress_direct", SolveLimits())(knapsack())


def test_infeasible_is_not_believed_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """CBC says so of models with solutions, where it has a moment: lists of valid sets ended as complete."""
    double = Double()
    doubled(monkeypatch, double)
    monkeypatch.setattr(
        double, "solve", lambda *_, **__: answering(TerminationCondition.infeasible, None, False)
    )
    assert PyomoSolver("mine", "cbc", SolveLimits(time_limit=1e-9))(knapsack()).stop is Stop.TIME
    assert PyomoSolver("mine", "cbc", SolveLimits(time_limit=600))(knapsack()).stop is Stop.INFEASIBLE


def test_a_part_of_an_answer_at_the_limit_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """CBC leaves values out where it is stopped, which ended the question."""
    double = Double()
    doubled(monkeypatch, double)
    results = answering(TerminationCondition.maxTimeLimit, 12.0)
    monkeypatch.setattr(double, "solve", lambda *_, **__: results)

    def without_numbers(*_: Any) -> float:
        raise altsel.SolverError("values that are no numbers")

    monkeypatch.setattr(PyomoSolver, "_loaded", without_numbers)
    found = PyomoSolver("mine", "cbc", SolveLimits(time_limit=1e-9))(knapsack())
    assert (found.stop, found.value) == (Stop.TIME, None)
    results.solver.termination_condition = TerminationCondition.optimal
    with pytest.raises(altsel.SolverError, match="no numbers"):
        PyomoSolver("mine", "cbc", SolveLimits(time_limit=600))(knapsack())


@pytest.mark.skipif(os.name == "nt", reason="the program is a shell script")
def test_what_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    program, pipe = tmp_path / "glpsol", Pipe(tmp_path / "pipe")
    version = 'if [ "$1" = --version ]; then echo "GLPSOL 5.0"; exit; fi'
    program.write_text(f"#!/bin/sh\n{version}\n{pipe.behind} exit 3\n")
    program.chmod(0o755)
    with pytest.raises(altsel.SolverError, match=r"solver 'mine'.* failed"):
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
            with pytest.raises(altsel.SolverError, match=r"solver 'mine' \(glpk 5\.0.*\) failed"):
                solver(knapsack())
        else:
            assert solver(knapsack()).stop is Stop.TIME
        assert TempfileManager.context() is outer
    assert list(files.iterdir()) == []


def test_a_program_does_not_get_variables_that_it_takes_for_0() -> None:
    """Shares of shares: of the limit glpk made "infeasible"."""

    def small(b: Any) -> list[Any]:
        b.y, b.two = pyo.Var(range(3)), pyo.Var([0, 1], domain=pyo.Integers, bounds=(-50, 60))
        steps = [b.y[i + 1] == 1e-4 * b.y[i] for i in range(2)]
        return [b.y[0] == b.x["a"], *steps, b.y[2] <= 5e-9, b.size == 2 * b.two[0] + 2 * b.two[1] - 1]

    problem = Problem(Univariate({"a": 2.0, "b": 1.0}), 1, [small])
    if not any(one.name == "glpk" and one.version for one in altsel.profiles()):
        pytest.skip("GLPK is not installed")
    with pytest.raises(altsel.errors.RangeError, match=r"reach from .*e-09 to .*use highs"):
        altsel.sequential(problem, Dice(0), 0, "glpk")
