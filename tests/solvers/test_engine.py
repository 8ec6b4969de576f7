"""What goes wrong in any engine is an error that names it; what ends a solve passes through."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

import altsel
from altsel import Dice, Problem, Stop, Univariate
from altsel.runtime.clock import OutOfTimeError, limited
from altsel.solvers import Ability, SolveLimits
from altsel.solvers.engine import Answer, cancelled
from altsel.solvers.row_solver import RowSolver
from tests.solvers.test_solvers import knapsack


class FailingEngine:
    """An engine that raises what it is given."""

    package = "double"
    abilities = frozenset(Ability)

    def __init__(self, fault: BaseException) -> None:
        self.fault = fault

    def version(self) -> str:
        return "1.2"

    def solve(self, *_: Any) -> Any:
        raise self.fault


class ForeignError(Exception):
    """A class that altsel has never heard of."""


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (ForeignError("Model too large for\na licence"), " failed: ForeignError: Model too large for a lic"),
        (ZeroDivisionError(), " failed: ZeroDivisionError$"),
        (MemoryError("bad_alloc"), " failed: MemoryError: bad_alloc"),
        (StopIteration(), " failed: StopIteration$"),
        (altsel.SolverError("it refused the model"), ": it refused the model"),
        (altsel.errors.RangeError("too wide"), ": too wide"),
    ],
)
def test_whatever_an_engine_raises_is_an_error_that_names_it(fault: Exception, message: str) -> None:
    solver = RowSolver("mine", FailingEngine(fault), SolveLimits())
    kind = type(fault) if isinstance(fault, altsel.SolverError) else altsel.SolverError
    with pytest.raises(kind, match=rf"^solver 'mine' \(double 1\.2\){message}"):
        solver(knapsack())
    with pytest.raises(kind, match="mine"):
        altsel.sequential(Problem(Univariate([3, 2, 1]), 2), Dice(0.5), 0, solver)


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), OutOfTimeError(), altsel.ConfigurationError("no")])
def test_what_ends_a_solve_or_is_the_callers_fault_passes(fault: BaseException) -> None:
    with pytest.raises(type(fault)) as caught:
        RowSolver("mine", FailingEngine(fault), SolveLimits())(knapsack())
    assert caught.value is fault


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
    monkeypatch.setattr("altsel.solvers.scip.pyscipopt.Model", made)
    with pytest.raises(altsel.SolverError, match=r"'scip' \(PySCIPOpt .*\) failed: .*error in LP solver!"):
        altsel.sequential(Problem(Univariate([3, 2, 1]), k=2), Dice(0.5), 0, "scip")


@pytest.mark.parametrize("stop", [Stop.TIME, Stop.EXHAUSTED])
def test_a_point_that_was_not_looked_at_is_none(stop: Stop) -> None:
    """An engine stopped early may hand a start back unchecked; one at its end may not."""

    class Unchecked(FailingEngine):
        def solve(self, rows: Any, *_: Any) -> Any:
            return Answer(stop, np.full(len(rows.lower), 1.0), -100.0)

    solver = RowSolver("mine", Unchecked(ForeignError()), SolveLimits())
    if stop is Stop.TIME:
        outcome = solver(knapsack())
        assert (outcome.stop, outcome.value) == (Stop.TIME, None)
    else:
        with pytest.raises(altsel.SolverError, match="violates a constraint"):
            solver(knapsack())
