"""Any solver Pyomo knows (CBC, GLPK, Gurobi, …) through Pyomo's own interfaces."""

from __future__ import annotations

import logging
import os
import shutil
import sys
import time
from dataclasses import dataclass
from math import inf, isfinite, nan
from pathlib import Path
from typing import Any

import numpy as np
import pyomo.environ as pyo
from pyomo.opt import TerminationCondition

from altsel.errors import ConfigurationError, SolverError
from altsel.result import Stop
from altsel.solvers.engine import Ability, Limits
from altsel.solvers.lowering import Infeasible, lower
from altsel.solvers.outcome import Outcome, conclude

TIME_AND_GAP = {
    "cbc": ("sec", "ratioGap", "threads"),
    "glpk": ("tmlim", "mipgap", None),
    "gurobi": ("TimeLimit", "MIPGap", "Threads"),
    "gurobi_persistent": ("TimeLimit", "MIPGap", "Threads"),
    "cplex": ("timelimit", "mip_tolerances_mipgap", "threads"),
    "xpress": ("maxtime", "miprelstop", "threads"),
}
"""Native names of time limit, relative gap and threads, by Pyomo's name of the solver."""
PROGRAMS = {"cbc": "cbc", "glpk": "glpsol"}
"""Programs that a pip package may have put beside this Python instead of on the PATH."""


@dataclass(frozen=True)
class Registered:
    """A solver by its Pyomo name.

    Parameters
    ----------
    name
        Name of the profile.
    solver
        Pyomo's name of the solver.
    limits
        Time, gap, threads, native options, log.
    executable
        Path of its program, if it is not on the PATH.
    """

    name: str
    solver: str
    limits: Limits
    executable: str | None = None

    @property
    def abilities(self) -> frozenset[Ability]:
        """What this solver is known to do through Pyomo."""
        starts = self.solver in {"cbc", "gurobi", "gurobi_persistent", "cplex"}
        bounds = self.solver not in {"glpk"}
        return frozenset(
            {Ability.LOG, *([Ability.START] if starts else []), *([Ability.BOUND] if bounds else [])}
        )

    def version(self) -> str | None:
        """Version of the solver; None if Pyomo does not find it."""
        engine = self._factory()
        if engine is None or not engine.available(exception_flag=False):
            return None
        return ".".join(map(str, engine.version())) if hasattr(engine, "version") else "unknown"

    def __call__(self, model: Any) -> Outcome:
        """Solve the model; values on its variables are the start, afterwards the incumbent."""
        began = time.perf_counter()
        try:
            rows = lower(model)  # checks that the model is linear, and checks the answer
        except Infeasible:
            return Outcome(Stop.INFEASIBLE, None, None, None, time.perf_counter() - began)
        engine = self._factory()
        if engine is None or not engine.available(exception_flag=False):
            raise ConfigurationError(f"solver {self.name!r}: Pyomo does not find {self.solver!r}; install it")
        engine.options.update(self._options())
        extra: dict[str, Any] = {"logfile": str(self.limits.log)} if self.limits.log else {}
        if Ability.START in self.abilities and rows.complete_start:
            extra["warmstart"] = True
        logging.getLogger("pyomo").setLevel(logging.ERROR)
        try:
            results = engine.solve(model, load_solutions=False, **extra)
        except KeyboardInterrupt:
            return Outcome(Stop.INTERRUPT, None, None, None, time.perf_counter() - began)
        except (RuntimeError, ValueError, OSError, pyo.errors.ApplicationError) as fault:
            raise SolverError(f"solver {self.name!r} failed: {fault}") from fault
        stop = _stop(self.name, results)
        timed = (
            self.limits.time_limit is not None and time.perf_counter() - began >= 0.9 * self.limits.time_limit
        )
        stop = (
            Stop.TIME if stop is Stop.LIMIT and timed else stop
        )  # GLPK says only that its answer is feasible
        value = None
        if len(results.solution) and stop is not Stop.INFEASIBLE:
            model.solutions.load_from(results)
            found = [nan if v.value is None else float(v.value) for v in rows.variables]
            point = rows.settled(np.array(found))
            rows.load(point)
            value = rows.unscaled(float(rows.cost @ point))
        seconds = time.perf_counter() - began
        bound = self._bound(results, stop, value, rows.maximise)
        return conclude(stop, value, bound, rows, seconds)

    def _factory(self) -> Any:
        if self.executable is None and self.solver not in PROGRAMS:
            return pyo.SolverFactory(self.solver)
        program = self.executable or shutil.which(PROGRAMS[self.solver], path=_path())
        return pyo.SolverFactory(self.solver, executable=program) if program else None

    def _options(self) -> dict[str, Any]:
        names = TIME_AND_GAP.get(self.solver)
        options: dict[str, Any] = {}
        if names is None:
            if self.limits.time_limit is not None:
                raise ConfigurationError(f"give the time limit of {self.solver!r} among its own options")
        else:
            seconds, gap, threads = names
            options[gap] = self.limits.gap
            if self.limits.time_limit is not None:
                whole = self.solver == "glpk"
                options[seconds] = max(1, round(self.limits.time_limit)) if whole else self.limits.time_limit
            if threads:
                options[threads] = self.limits.threads
        return {**options, **self.limits.options}

    def _bound(self, results: Any, stop: Stop, value: float | None, maximise: bool) -> float:
        problem = results.problem
        told = problem.upper_bound if maximise else problem.lower_bound
        bound = float(told) if isinstance(told, (int, float)) and isfinite(told) else inf
        if stop is Stop.EXHAUSTED and self.limits.gap == 0 and value is not None:
            return value  # the solver says optimal at gap 0; some report the bound rounded
        return bound if Ability.BOUND in self.abilities else inf


def _path() -> str:
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])


def _stop(name: str, results: Any) -> Stop:
    condition = results.solver.termination_condition
    ends = {
        TerminationCondition.optimal: Stop.EXHAUSTED,
        TerminationCondition.globallyOptimal: Stop.EXHAUSTED,
        TerminationCondition.infeasible: Stop.INFEASIBLE,
        TerminationCondition.maxTimeLimit: Stop.TIME,
        TerminationCondition.feasible: Stop.LIMIT,
        TerminationCondition.maxIterations: Stop.LIMIT,
        TerminationCondition.maxEvaluations: Stop.LIMIT,
        TerminationCondition.userInterrupt: Stop.INTERRUPT,
    }
    if condition in {TerminationCondition.unbounded, TerminationCondition.infeasibleOrUnbounded}:
        raise SolverError("the model is unbounded or infeasible; give its variables bounds")
    if condition not in ends:
        raise SolverError(
            f"solver {name!r} ended with {condition!s} and no answer; if the model is unbounded, "
            "give its variables bounds"
        )
    return ends[condition]
