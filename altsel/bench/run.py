"""Running a grid on workers; what is done is never done again."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from altsel.bench.claims import Runner, running
from altsel.bench.grid import MODEL, BenchSearch, Case, FileKind, Grid
from altsel.bench.model_files import SolvedModel, measured_model, prepared
from altsel.bench.question import problem_of, search
from altsel.bench.store import Store
from altsel.errors import AltselError, ArgumentError, NotInstalledError
from altsel.exact.auto_solver import Auto
from altsel.exact.solver_text import solver_of
from altsel.parallel import checked_jobs, each
from altsel.results.feature_set import Proof
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.runtime.phases import IMPORTS, SEARCH, Spent, accounted, phase
from altsel.runtime.progress import pace_text

log = logging.getLogger("altsel.bench")
STORE = "runs.sqlite"
WAIT = 1.0
"""Seconds between two looks at what another run has done."""
HIDDEN = {"digest", "stated", "own"}
"""What tells cases apart and is for no reader."""
Found = Solutions | SolvedModel
UNTIMED = {"cpu", "wall", "finished"}
"""Columns that differ from one run of a case to the next."""


def bench(
    grid: Grid, folder: str | Path, n_jobs: int | None = None, retry_errors: bool = False
) -> pd.DataFrame:
    """Run every case of a grid that is not done yet, and return the table of all of them.

    A case that fails, whatever the solver raises, is a row with the status ``"error"``, and the others go on.

    Each result is on disk as soon as it is there: after an interrupt, or ``kill -9``, the same
    call goes on where it was; what workers had under way that were lost is done again. Runs that
    share a folder share the work: each case is done by one of them, and both return the whole table.

    Parameters
    ----------
    grid
        What to run.
    folder
        Where the store ``runs.sqlite`` is, made if need be.
    n_jobs
        Number of cases run at once; -1: one for each core, or all workers of a cluster; default: those of
        ``joblib.parallel_config``, else 1. Workers on other machines must find the data under the
        same paths; only this process writes to the folder. Times are CPU seconds, yet cases disturb each
        other through caches and memory: 1 for figures to publish.
    retry_errors
        Whether cases that ended in an error before are run again, say after a licence was renewed.

    Returns
    -------
    pandas.DataFrame
        One row a case, in the order of the grid; ``status`` is ``"proved"``, ``"infeasible"``
        (proved), ``"feasible"`` (found, not all proved), ``"open"`` (nothing found) or ``"error"``, of
        which ``message`` says what it was.

    Raises
    ------
    ArgumentError
        If a solver is unknown, `n_jobs` no number of workers, or the folder holds something else.
    WorkerError
        If workers are lost again and again.
    """
    checked_jobs(n_jobs)
    _check_solvers(grid)
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise ArgumentError(f"{folder} cannot be a folder of results: {fault.strerror or fault}") from fault
    store = Store(Path(folder) / STORE)
    cases = list(grid.cases())
    with running(store, time.time() if retry_errors else 0.0) as runner:
        _tell_errors(cases, runner)
        _run(cases, runner, n_jobs)
    results = store.done()
    return pd.DataFrame([results[case.key] for case in cases])


def _tell_errors(cases: list[Case], runner: Runner) -> None:
    """Report how many cases are left as they are though they failed."""
    done = runner.store.done(runner.since)
    failed = sum(done.get(case.key, {}).get("status") == "error" for case in cases)
    if failed:
        log.info("%d cases ended in an error before; --retry-errors (retry_errors) runs them again", failed)


def _run(cases: list[Case], runner: Runner, n_jobs: int | None) -> None:
    """Run the cases that are left; those that another run has claimed are waited for."""
    waiting, tried = False, set[str]()
    while todo := [case for case in cases if case.key not in tried | runner.done()]:
        if len(todo) < len(cases) and not waiting:
            log.info("%d of %d cases are done already", len(cases) - len(todo), len(cases))
        ran = _run_claimable(todo, runner, n_jobs)
        tried |= ran  # also where the clock was set back, an error is reported once
        if not ran:
            if not waiting:
                log.info("waiting for %d cases that another run in this folder has begun", len(todo))
            waiting = True
            time.sleep(WAIT)


def _run_claimable(todo: list[Case], runner: Runner, n_jobs: int | None) -> set[str]:
    """Run the cases that no other run has, and return which these were."""
    began, cases = time.perf_counter(), {_told(case): case for case in todo}
    ran: set[str] = set()
    with closing(each(outcome, _claimed(cases, runner), n_jobs, "case")) as results:
        for told, result in results:
            key = cases[told].key
            runner.store.save(cases[told], result)
            runner.release(key)
            ran.add(key)
            pace = pace_text(len(ran) / (time.perf_counter() - began), len(todo) - len(ran))
            log.info("%d of %d, %s: %s", len(ran), len(todo), pace, told)
            if result["status"] == "error":
                log.warning("%s: %s", told, result["message"])
    return ran


def _claimed(todo: Mapping[str, Case], runner: Runner) -> Iterator[tuple[str, Case]]:
    """Take cases as workers get free, each with what it is called."""
    for told, case in todo.items():
        if runner.claim(case.key):
            yield told, case


def outcome(case: Case) -> dict[str, Any]:
    """Run one case; an error is a result, too, whatever was raised."""
    plain = {name: getattr(case, name) for name in case.__dataclass_fields__ if name not in HIDDEN}
    plain = {"name": _name_of(case), **plain, "data": Path(case.data).name, "solver_version": ""}
    try:
        engine = solver_of(case.solver, case.seed)
        plain["solver_version"] = _version(engine)
        work: Callable[[], Found]
        if case.kind is FileKind.MODEL:
            work = prepared(case, engine)
        else:
            work = partial(search, case, problem_of(case), engine)
        found, spent = _timed(work)
    except Exception as fault:  # one bad case must not end the others
        said = str(fault) if isinstance(fault, AltselError) else f"{type(fault).__name__}: {fault}"
        return plain | {"status": "error", "message": said, "finished": time.time()}
    if found.stop is Stop.INTERRUPT:
        raise KeyboardInterrupt
    times = {"cpu": spent.cpu, "wall": spent.wall, "finished": time.time()}
    measured = measured_model(found) if isinstance(found, SolvedModel) else _measured(case, found)
    return plain | measured | times


def _name_of(case: Case) -> str:
    """Return the short name of a case; that of the file where a criterion of one's own is gone."""
    try:
        return case.name
    except AltselError:
        return Path(case.data).name


def _version(engine: Any) -> str:
    """Name the versions of what solves models."""
    solvers: list[Any] = [engine.engine, engine.packing] if isinstance(engine, Auto) else [engine]
    named = {solver.name: solver.version() for solver in solvers if solver is not None}
    return ", ".join(f"{name} {version}" for name, version in named.items())


def _timed(work: Callable[[], Found]) -> tuple[Found, Spent]:
    """Work, and return what that took without the modules that it was the first to import."""
    with accounted() as account, phase(SEARCH):
        before, imports = Spent.now(), account.spent().get(IMPORTS, Spent())
        found = work()
        imported = account.spent().get(IMPORTS, Spent()) - imports
        return found, Spent.now() - before - imported


def _check_solvers(grid: Grid) -> None:
    """Refuse what cannot be meant; a solver that is not installed is a row of its own."""
    for text in grid.solvers:
        with suppress(NotInstalledError):
            solver_of(text)


def _measured(case: Case, found: Solutions) -> dict[str, Any]:
    """Tabulate the result; the objective is the minimum of the scores for "min", else the sum."""
    scores = [subset.score for subset in found]
    proved = sum(subset.proof is Proof.OPTIMAL for subset in found)
    ended = found.stop in {Stop.COUNT, Stop.INFEASIBLE}
    if found.stop is Stop.INFEASIBLE and not scores:
        status = "infeasible"
    elif ended and proved == len(scores):
        status = "proved"
    else:
        status = "feasible" if scores else "open"
    gaps = [subset.gap for subset in found if subset.gap is not None]
    total = min if case.search == BenchSearch.MIN else sum
    return {
        "features": len(found.universe),
        "status": status,
        "stop": str(found.stop),
        "sets": len(found),
        "sets_proved": proved,
        "objective_value": total(scores) if scores else None,
        "largest_gap": max(gaps, default=None),
        "solves": found.effort.solves,
        "listed": found.effort.listed,
        "nodes": found.effort.nodes,
        "message": "",
    }


def _told(case: Case) -> str:
    """Name a case so that a reader knows it, and no other one of the grid has that name."""
    how = f"{case.solver}, run {case.repeat + 1}"
    file = f"{Path(case.data).name} {case.digest[:6]}"
    if case.objective == MODEL:
        return f"{file}: {how}"
    wanted = f"{case.objective} by {case.measure}, k={case.k}, tau={case.tau:g}"
    ruled = f", rules {case.rules}" if case.rules else ""
    return f"{file}: {wanted}, {case.alternatives} alternatives, {case.search}{ruled}, {how}"
