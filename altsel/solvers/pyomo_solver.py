"""Any solver Pyomo knows (CBC, GLPK, Gurobi, …) through Pyomo's own interfaces."""

from __future__ import annotations

import csv
import logging
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf, isfinite, nan
from pathlib import Path
from typing import Any

import numpy as np
import pyomo.environ as pyo
from pyomo.common.errors import ApplicationError
from pyomo.common.fileutils import Executable, find_executable
from pyomo.common.tempfiles import TempfileManager
from pyomo.opt import TerminationCondition
from pyomo.opt.solver import SystemCallSolver, shellcmd

from altsel.errors import ConfigurationError, RangeError, SolverError
from altsel.results.stop import Stop
from altsel.runtime.clock import clock
from altsel.runtime.processes import run_in_group
from altsel.solvers.engine import Ability, SolveLimits
from altsel.solvers.outcome import Outcome, conclude, refuse_infeasible
from altsel.solvers.rows import Rows
from altsel.solvers.standard_form import InfeasibleRowError, to_rows

log = logging.getLogger("altsel.solvers")
WEAK = 2e-7
PRECISION = {"gurobi": 0.0, "gurobi_persistent": 0.0, "cplex": 0.0, "xpress": 0.0}
"""Relative difference of objectives that a solver takes for none: GLPK's is 1e-7, and has no option."""
EXTENT = (1e-5, 1e8)
"""Largest coefficients of rows that a program may get as they are; its tolerances are absolute."""
WRITING = 4e-5
"""Seconds to write a row of a model to a file."""
VERSION_SECONDS = 30
"""Seconds for a program to tell its version."""
FAULTS = (ApplicationError, RuntimeError, ValueError, OSError, LookupError, AttributeError, TypeError)
"""What Pyomo raises where a program fails or its answer cannot be read."""
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
class PyomoSolver:
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
    limits: SolveLimits
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
        engine = self._found()
        if engine is None:
            return None
        try:
            return ".".join(map(str, engine.version())) if hasattr(engine, "version") else "unknown"
        except (subprocess.SubprocessError, *FAULTS):
            return "unknown"

    def __call__(self, model: Any) -> Outcome:
        """Solve the model; values on its variables are the start, afterwards the incumbent."""
        began = time.perf_counter()
        try:
            rows = to_rows(model)  # checks that the model is linear, and checks the answer
        except InfeasibleRowError:
            return Outcome.infeasible(time.perf_counter() - began)
        engine = self._ready(rows)
        # Pyomo writes the model to a file first, and lets a program run on for a second
        writing = WRITING * rows.matrix.shape[0]
        limits = self.limits.within(clock().left - (writing + 0.5 if self.solver in PROGRAMS else 0.0))
        if self.solver == "glpk" and limits.time_limit is not None and limits.time_limit < 1:
            return Outcome.unfinished(Stop.TIME, seconds=time.perf_counter() - began)  # it counts in seconds
        started = time.perf_counter()
        results = self._results(engine, model, rows, limits)
        if isinstance(results, Stop):
            return Outcome.unfinished(results, seconds=time.perf_counter() - began)
        stop = _stop(self.name, results)
        timed = limits.time_limit is not None and time.perf_counter() - started >= 0.9 * limits.time_limit
        if stop is Stop.LIMIT and timed:
            stop = Stop.TIME  # GLPK says only that its answer is feasible
        return self._concluded(model, rows, results, stop, began)

    def _ready(self, rows: Rows) -> Any:
        """Find the solver, and refuse numbers that it would not see."""
        if rows.extent[0] < EXTENT[0] or rows.extent[1] > EXTENT[1]:
            raise RangeError(
                f"solver {self.name!r}: the model's numbers reach from {rows.extent[0]:.3g} to "
                f"{rows.extent[1]:.3g}, and Pyomo passes them on unscaled; change their unit, or use highs"
            )
        engine = self._found()
        if engine is None:
            raise ConfigurationError(f"solver {self.name!r}: Pyomo does not find {self.solver!r}; install it")
        return engine

    def _concluded(self, model: Any, rows: Rows, results: Any, stop: Stop, began: float) -> Outcome:
        """Check the answer, put it on the model, and say what it proves."""
        if stop is Stop.INFEASIBLE:
            refuse_infeasible(self.name, rows)
        try:
            value = self._loaded(model, results, rows) if stop is not Stop.INFEASIBLE else None
            bound = self._bound(results, stop, value, rows.maximise)
            point = np.array([nan if v.value is None else float(v.value) for v in rows.variables])
            own = 0.0 if value is None else rows.own_terms(point)
            precision = PRECISION.get(self.solver, WEAK)
            return conclude(stop, value, bound, rows, time.perf_counter() - began, own, precision)
        except SolverError as fault:
            raise SolverError(f"solver {self.name!r}: {fault}") from fault

    def _results(self, engine: Any, model: Any, rows: Rows, limits: SolveLimits) -> Any:
        """Run the solver; what Pyomo read of its answer, or why it was stopped without one."""
        seconds = limits.time_limit
        engine.options.update(self._options(limits, isinstance(engine, SystemCallSolver)))
        extra: dict[str, Any] = {"logfile": str(limits.log)} if limits.log else {}
        if isinstance(engine, SystemCallSolver) and seconds is not None:
            # Pyomo passes it on to programs it knows, and kills any that runs on for a second more
            extra["timelimit"] = int(seconds) if self.solver == "glpk" else seconds
        if Ability.START in self.abilities and rows.complete_start:
            extra["warmstart"] = True
        logging.getLogger("pyomo").setLevel(logging.CRITICAL)
        try:
            with _not_from_here(), _temporary_files(), _in_a_group():
                return engine.solve(model, load_solutions=False, **extra)
        except KeyboardInterrupt as fault:
            clock().note(fault)
            return Stop.INTERRUPT
        except subprocess.TimeoutExpired:
            log.warning("solver %r did not stop at its time limit and was killed", self.name)
            return Stop.TIME
        except (*FAULTS, StopIteration, csv.Error) as fault:
            reported = " ".join(str(fault).split())
            raise SolverError(f"solver {self.name!r} failed: {reported or type(fault).__name__}") from fault

    def _loaded(self, model: Any, results: Any, rows: Rows) -> float | None:
        """Check the answer, put it on the model and compute its objective."""
        if not len(results.solution):
            return None
        try:
            model.solutions.load_from(results)
        except FAULTS as fault:
            raise SolverError(f"its answer cannot be read: {fault}") from fault
        found = [nan if v.value is None else float(v.value) for v in rows.variables]
        point = rows.rounded_and_checked(np.array(found))
        rows.load(point)
        return rows.unscaled(float(rows.cost @ point))

    def _found(self) -> Any:
        """Make Pyomo's interface of the solver; None if the solver is not there."""
        try:
            with _not_from_here():
                engine = self._factory()
                if engine is None:
                    return None
                if isinstance(engine, SystemCallSolver):
                    engine._version_timeout = VERSION_SECONDS  # Pyomo gives up after two
                return engine if engine.available(exception_flag=False) else None
        except (subprocess.SubprocessError, *FAULTS) as fault:
            log.info("solver %r: %s", self.name, fault)
            return None

    def _factory(self) -> Any:
        if self.executable is None and self.solver not in PROGRAMS:
            return pyo.SolverFactory(self.solver)
        program = shutil.which(self.executable or PROGRAMS[self.solver], path=_path())
        if program is None or not Path(program).is_absolute():  # Windows looks in the working directory first
            return None
        return pyo.SolverFactory(self.solver, executable=program)

    def _options(self, limits: SolveLimits, program: bool) -> dict[str, Any]:
        """Native options; the time limit of a program is given by Pyomo."""
        names = TIME_AND_GAP.get(self.solver)
        options: dict[str, Any] = {}
        if names is not None:
            seconds, gap, threads = names
            options[gap] = limits.gap
            if limits.time_limit is not None and not program:
                options[seconds] = limits.time_limit
            if threads:
                options[threads] = limits.threads
        elif self.limits.time_limit is not None and not program:
            raise ConfigurationError(f"give the time limit of {self.solver!r} among its own options")
        return {**options, **limits.options}

    def _bound(self, results: Any, stop: Stop, value: float | None, maximise: bool) -> float:
        problem = results.problem
        reported = problem.upper_bound if maximise else problem.lower_bound
        bound = float(reported) if isinstance(reported, (int, float)) and isfinite(reported) else inf
        if self.solver == "cbc" and maximise:
            bound = abs(bound)  # some versions of CBC write the bound of what they minimise: either holds
        if stop is Stop.EXHAUSTED and self.limits.gap == 0 and value is not None:
            return value  # the solver says optimal at gap 0; some report the bound rounded
        return bound if Ability.BOUND in self.abilities else inf


def _elsewhere(program: str, pathlist: list[str] | None = None) -> str | None:
    """Find a program by its whole path, or on the PATH."""
    found: str | None = find_executable(
        program,
        cwd=Path(program).is_absolute(),
        include_PATH=False,
        pathlist=[*(pathlist or ()), *_path().split(os.pathsep)],
    )
    return found


@contextmanager
def _not_from_here() -> Iterator[None]:
    """Keep Pyomo from looking for programs in the working directory, where it looks first."""
    programs = Executable._manager
    find = programs._find
    programs._find = _elsewhere
    try:
        yield
    finally:
        programs._find = find


@contextmanager
def _temporary_files() -> Iterator[None]:
    """Remove Pyomo's files whatever happens: it does so itself only where the program ended well."""
    outer = TempfileManager.push()
    try:
        yield
    finally:
        while TempfileManager.pop() is not outer:
            pass


class _Subprocess:
    """The module `subprocess`, but that what a program has started ends with it."""

    run = staticmethod(run_in_group)

    def __getattr__(self, name: str) -> Any:
        return getattr(subprocess, name)


@contextmanager
def _in_a_group() -> Iterator[None]:
    """Let Pyomo run a program in a group of processes: a script that is killed leaves no solver at work."""
    before, shellcmd.subprocess = shellcmd.subprocess, _Subprocess()
    try:
        yield
    finally:
        shellcmd.subprocess = before


def _path() -> str:
    """Return where programs are looked for: nowhere that depends on the working directory."""
    entries = os.environ.get("PATH", "").split(os.pathsep)
    absolute = [entry for entry in entries if Path(entry).is_absolute() and not entry.startswith("/proc/")]
    return os.pathsep.join([str(Path(sys.executable).parent), *absolute])


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
        raise SolverError(f"solver {name!r}: the model is unbounded or infeasible; give its variables bounds")
    if condition not in ends:
        raise SolverError(
            f"solver {name!r} ended with {condition!s} and no answer; if the model is unbounded, "
            "give its variables bounds"
        )
    return ends[condition]
