"""Any solver Pyomo knows (CBC, GLPK, Gurobi, …) through Pyomo's own interfaces."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
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
from altsel.solvers.column_scaling import units_of
from altsel.solvers.engine import Ability, SolveLimits, solved
from altsel.solvers.outcome import Outcome, conclude, refuse_infeasible
from altsel.solvers.pyomo_names import NATIVE, WEAK
from altsel.solvers.rows import Rows, unbounded, unbounded_variables
from altsel.solvers.standard_form import InfeasibleRowError, to_rows

log = logging.getLogger("altsel.solvers")
EXTENT = (1e-5, 1e8)
"""Largest coefficients of rows, and values of variables, that a program may get as they are; its tolerances
are absolute."""
WRITING = 4e-5
"""Seconds to write a row of a model to a file."""
VERSION_SECONDS = 30
"""Seconds for a program to tell its version."""
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
        """What this solver is known to do through Pyomo, which itself stops programs at a limit."""
        native = NATIVE.get(self.solver)
        if native is None:
            return frozenset({Ability.LOG, *([Ability.TIME] if self._is_program else [])})
        can = {
            Ability.START: native.starts,
            Ability.BOUND: native.bounds,
            Ability.THREADS: native.threads is not None,
            Ability.SEED: native.seed is not None,
        }
        return frozenset({Ability.LOG, Ability.TIME, Ability.GAP, *(one for one in can if can[one])})

    def version(self) -> str | None:
        """Version of the solver; None if Pyomo does not find it."""
        engine = self._found()
        return None if engine is None else self._version_of(engine)

    @property
    def _is_program(self) -> bool:
        try:
            return isinstance(self._factory(), SystemCallSolver)
        except Exception:  # as in `_found`
            return False

    @staticmethod
    def _version_of(engine: Any) -> str:
        """Return what a solver says of its version."""
        try:
            return ".".join(map(str, engine.version())) if hasattr(engine, "version") else "unknown"
        except Exception:  # whatever a program or a licence makes of the question
            return "unknown"

    def __call__(self, model: Any) -> Outcome:
        """Solve the model; values on its variables are the start, afterwards the incumbent."""
        began = time.perf_counter()
        try:
            rows = to_rows(model)  # checks that the model is linear, and checks the answer
        except InfeasibleRowError:
            return Outcome.infeasible(time.perf_counter() - began)
        engine = self._ready(rows)
        version = partial(self._version_of, engine)
        return solved(self.name, self.solver, version, lambda: self._solved(engine, model, rows, began))

    def _solved(self, engine: Any, model: Any, rows: Rows, began: float) -> Outcome:
        """Run the solver within what is left of the time, and conclude."""
        # Pyomo writes the model to a file first, and lets a program run on for a second
        writing = WRITING * rows.matrix.shape[0]
        limits = self.limits.within(clock().left - (writing + 0.5 if self.solver in PROGRAMS else 0.0))
        if self.solver == "glpk" and limits.time_limit is not None and limits.time_limit < 1:
            return Outcome.unfinished(Stop.TIME, seconds=time.perf_counter() - began)  # it counts in seconds
        started = time.perf_counter()
        results = self._results(engine, model, rows, limits)
        if isinstance(results, Stop):
            return Outcome.unfinished(results, seconds=time.perf_counter() - began)
        timed = limits.time_limit is not None and time.perf_counter() - started >= 0.9 * limits.time_limit
        stop = _stop(results, rows, timed)
        return self._concluded(model, rows, results, stop, began)

    def _ready(self, rows: Rows) -> Any:
        """Find the solver, and refuse numbers that it would not see."""
        least = min(rows.extent[0], float(units_of(rows).min(initial=1.0)))
        if least < EXTENT[0] or rows.extent[1] > EXTENT[1]:
            raise RangeError(
                f"solver {self.name!r}: the model's numbers reach from {least:.3g} to "
                f"{rows.extent[1]:.3g}, and Pyomo passes them on unscaled; change their unit, or use highs"
            )
        engine = self._found()
        if engine is None:
            raise ConfigurationError(f"solver {self.name!r}: Pyomo does not find {self.solver!r}; install it")
        return engine

    def _concluded(self, model: Any, rows: Rows, results: Any, stop: Stop, began: float) -> Outcome:
        """Check the answer, put it on the model, and say what it proves."""
        if stop is Stop.INFEASIBLE:
            refuse_infeasible(rows)
        value = None
        if stop is not Stop.INFEASIBLE:
            # a program that was stopped may leave a part of an answer
            with suppress(SolverError) if stop in {Stop.TIME, Stop.INTERRUPT} else nullcontext():
                value = self._loaded(model, results, rows)
        bound = self._bound(results, stop, value, rows.maximise)
        point = np.array([nan if v.value is None else float(v.value) for v in rows.variables])
        own = 0.0 if value is None else rows.own_terms(point)
        native = NATIVE.get(self.solver)
        precision = WEAK if native is None else native.precision
        return conclude(stop, value, bound, rows, time.perf_counter() - began, own, precision)

    def _results(self, engine: Any, model: Any, rows: Rows, limits: SolveLimits) -> Any:
        """Run the solver; what Pyomo read of its answer, or why it was stopped without one."""
        seconds = limits.time_limit
        engine.options.update(self._options(limits))
        extra: dict[str, Any] = {"logfile": str(limits.log)} if limits.log else {}
        if isinstance(engine, SystemCallSolver) and seconds is not None:
            # Pyomo passes it on to programs it knows, and kills any that runs on for a second more
            extra["timelimit"] = int(seconds) if self.solver == "glpk" else seconds
        if Ability.START in self.abilities and rows.complete_start:
            extra["warmstart"] = True
        logging.getLogger("pyomo").setLevel(logging.CRITICAL)
        began = time.perf_counter()
        try:
            with _not_from_here(), _temporary_files(), _in_a_group():
                return engine.solve(model, load_solutions=False, **extra)
        except KeyboardInterrupt as fault:
            clock().note(fault)
            return Stop.INTERRUPT
        except subprocess.TimeoutExpired:
            log.warning("solver %r did not stop at its time limit and was killed", self.name)
            return Stop.TIME
        except ApplicationError:
            if seconds is None or time.perf_counter() - began < seconds:
                raise
            return Stop.TIME  # a program that has no time left may end without an answer

    def _loaded(self, model: Any, results: Any, rows: Rows) -> float | None:
        """Check the answer, put it on the model and compute its objective."""
        if not len(results.solution):
            return None
        try:
            model.solutions.load_from(results)
        except Exception as fault:  # Pyomo has no class for what it cannot read
            raise SolverError(f"its answer cannot be read: {fault}") from fault
        found = [nan if v.value is None else float(v.value) for v in rows.variables]
        point = rows.rounded_and_checked(np.array(found))
        rows.load(point)
        return rows.unscaled(float(rows.cost @ point))

    def _found(self) -> Any:
        """Build Pyomo's interface of the solver; None if the solver is not there."""
        try:
            with _not_from_here():
                engine = self._factory()
                if engine is None:
                    return None
                if isinstance(engine, SystemCallSolver):
                    engine._version_timeout = VERSION_SECONDS  # Pyomo gives up after two
                return engine if engine.available(exception_flag=False) else None
        except Exception as fault:  # a program, a package or a licence that does not answer as it should
            log.info("solver %r: %s", self.name, fault)
            return None

    def _factory(self) -> Any:
        if self.executable is None and self.solver not in PROGRAMS:
            return pyo.SolverFactory(self.solver)
        program = shutil.which(self.executable or PROGRAMS[self.solver], path=_path())
        if program is None or not Path(program).is_absolute():  # Windows looks in the working directory first
            return None
        return pyo.SolverFactory(self.solver, executable=program)

    def _options(self, limits: SolveLimits) -> dict[str, Any]:
        """Native options; CBC and GLPK get their time limit from Pyomo."""
        native = NATIVE.get(self.solver)
        if native is None:
            return dict(limits.options)
        options: dict[str, Any] = {**native.always, native.gap: limits.gap}
        if limits.time_limit is not None and self.solver not in PROGRAMS:
            options[native.time] = limits.time_limit
        if native.threads:
            options[native.threads] = limits.threads
        if native.seed and limits.seed is not None:
            options[native.seed] = limits.seed
        if native.log and limits.log:
            options[native.log] = str(limits.log)
        return {**options, **limits.options}

    def _bound(self, results: Any, stop: Stop, value: float | None, maximise: bool) -> float:
        native, problem = NATIVE.get(self.solver), results.problem
        reported = problem.upper_bound if maximise else problem.lower_bound
        bound = float(reported) if isinstance(reported, (int, float)) and isfinite(reported) else inf
        if self.solver == "cbc" and maximise:
            bound = abs(bound)  # some versions of CBC write the bound of what they minimise: either holds
        own_gap = any(word in name.lower() for name in self.limits.options for word in ("gap", "stop"))
        closed = native is not None and self.limits.gap == 0 and not own_gap
        if closed and stop is Stop.EXHAUSTED and value is not None:
            return value  # the solver says optimal at gap 0; some report the bound rounded
        return bound if native is None or native.bounds else inf


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


def _stop(results: Any, rows: Rows, timed: bool) -> Stop:
    """Return why a solver stopped, by what Pyomo makes of it and by whether its time was up."""
    condition = results.solver.termination_condition
    early = Stop.TIME if timed else Stop.LIMIT
    ends = {
        TerminationCondition.optimal: Stop.EXHAUSTED,
        TerminationCondition.globallyOptimal: Stop.EXHAUSTED,
        TerminationCondition.infeasible: Stop.TIME if timed else Stop.INFEASIBLE,  # CBC says so at its limit
        TerminationCondition.maxTimeLimit: Stop.TIME,
        TerminationCondition.feasible: early,  # all that GLPK says
        TerminationCondition.maxIterations: early,
        TerminationCondition.maxEvaluations: early,
        TerminationCondition.userInterrupt: Stop.INTERRUPT,
    }
    if condition in {TerminationCondition.unbounded, TerminationCondition.infeasibleOrUnbounded}:
        raise unbounded(rows)
    if condition in ends:
        return ends[condition]
    if timed or len(results.solution):  # Xpress ends with "other" at a limit, "error" without an answer
        return early
    free = unbounded_variables(rows) or "its variables"
    raise SolverError(
        f"it ended with {condition!s} and no answer; if the model is unbounded, give bounds to {free}"
    )
