"""Models in files, solved as they are: what benchmarks of solvers other than altsel's searches take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from altsel.bench.changes import refuse_changed
from altsel.bench.grid import Case
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.runtime.clock import limited
from altsel.runtime.phases import READING, phase
from altsel.solvers.outcome import Outcome
from altsel.solvers.read_models import ReadModel, read_model


@dataclass(frozen=True)
class SolvedModel:
    """What a solver said of a model.

    Attributes
    ----------
    outcome
        Its answer, checked: values and bounds are in the file's own sense.
    columns
        Number of variables.
    """

    outcome: Outcome
    columns: int

    @property
    def stop(self) -> Stop:
        """Why it ended."""
        return self.outcome.stop


def prepared(case: Case, engine: Any) -> Callable[[], SolvedModel]:
    """Read the model of a case, and return what solves it: reading is no time of the solver's.

    Raises
    ------
    DataError
        If the file changed since the benchmark began, or cannot be read.
    """
    with phase(READING):
        model = read_model(case.data)
    refuse_changed(case.data, case.digest)

    def solve() -> SolvedModel:
        with limited(case.time_limit):
            return SolvedModel(_solved(model, engine), len(model.variables))

    return solve


def _solved(model: ReadModel, engine: Any) -> Outcome:
    """Let an engine that takes rows have them, and any other the model."""
    first = getattr(engine, "engine", None) if engine.name == "auto" else engine
    solver: Any = first
    outcome: Outcome = solver.solve(model.rows) if hasattr(solver, "solve") else solver(model.pyomo)
    return outcome


def measured_model(found: SolvedModel) -> dict[str, Any]:
    """Tabulate the answer to a model."""
    outcome = found.outcome
    if outcome.stop is Stop.INFEASIBLE:
        status = "infeasible"
    elif outcome.proof is Proof.OPTIMAL:
        status = "proved"
    else:
        status = "open" if outcome.value is None else "feasible"
    gap = None
    if outcome.value is not None and outcome.bound is not None:
        gap = abs(outcome.bound - outcome.value) / max(abs(outcome.value), 1e-10)
    return {
        "features": found.columns,
        "status": status,
        "stop": str(outcome.stop),
        "sets": int(outcome.value is not None),
        "sets_proved": int(status == "proved"),
        "objective_value": outcome.value,
        "largest_gap": gap,
        "solves": 1,
        "listed": 0,
        "nodes": 0,
        "message": "",
    }
