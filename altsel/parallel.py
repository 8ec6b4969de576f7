"""Many independent tasks on joblib's backends, resumable, and safe from workers that are lost."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, closing, nullcontext
from functools import partial
from numbers import Integral
from typing import Any, TypeVar

from altsel.errors import AltselError, ArgumentError, WorkerError
from altsel.runtime.clock import OutOfTimeError, clock
from altsel.runtime.on_demand import OnDemand
from altsel.runtime.progress import Pace
from altsel.runtime.store import Store

joblib: Any = OnDemand("joblib")

T = TypeVar("T")
log = logging.getLogger("altsel.parallel")
LOSSES = 3
"""How often in a row a worker may be lost before any task ends."""


def run(
    function: Callable[[T], Any],
    tasks: Mapping[str, T],
    store: Store | None = None,
    n_jobs: int | None = None,
    what: str = "task",
) -> dict[str, Any]:
    """Return ``{key: function(task)}``, computed by joblib's workers where it is not stored already.

    The backend and the number of workers are those of the ``joblib.parallel_config`` in force, such as a
    dask cluster's; loky's workers use one thread each unless that says otherwise. This process alone
    writes to the store. Tasks of a worker that was lost are done again.

    Parameters
    ----------
    function
        What to do with a task; it and the tasks must be picklable for workers in other processes.
    tasks
        The tasks by keys that name each of them in any run.
    store
        Where results are kept, as JSON; None: nowhere.
    n_jobs
        How many workers; -1: one for each core. Default: those of ``parallel_config``, else 1.
    what
        What one task is, for messages.

    Returns
    -------
    dict
        The results in the order of the tasks.

    Raises
    ------
    ArgumentError
        If n_jobs is no number of workers, or a task fails; it is named. An error of altsel's own keeps its
        class. Results until then are in the store.
    WorkerError
        If workers are lost again and again.

    Examples
    --------
    >>> run(abs, {"first": -1, "second": -2})
    {'first': 1, 'second': 2}
    """
    if n_jobs is not None and (not isinstance(n_jobs, Integral) or isinstance(n_jobs, bool) or n_jobs == 0):
        raise ArgumentError(f"n_jobs={n_jobs!r}: give a number of workers, or -1 for one on each core")
    done = {} if store is None else store.load(tasks)
    if done:
        log.info("%d of %d %ss are in the store already", len(done), len(tasks), what)
    pace, losses, stored = Pace(len(tasks) - len(done), f"{what}s"), 0, len(done)
    while todo := {key: task for key, task in tasks.items() if key not in done}:
        before = len(done)
        try:
            for key, result in _results(partial(_named, function, what), todo, n_jobs):
                done[key] = result
                if store is not None:
                    store.save(key, result)
                pace.at(len(done) - stored)
                clock().check()
        except BrokenProcessPool as fault:  # loky's TerminatedWorkerError is one
            losses = losses + 1 if len(done) == before else 1
            if losses >= LOSSES:
                raise WorkerError(
                    f"workers were killed {losses} times in a row, at {what} {next(iter(todo))} or near it; "
                    "out of memory? use fewer n_jobs"
                ) from fault
            log.info("a worker was lost; %d %ss are left", len(tasks) - len(done), what)
    return {key: done[key] for key in tasks}


def _results(
    function: Callable[[str, T], Any], todo: Mapping[str, T], n_jobs: int | None
) -> Iterator[tuple[str, Any]]:
    """Give results as they come."""
    workers = {} if n_jobs is None else {"n_jobs": n_jobs}
    with _one_thread_each():
        parallel = joblib.Parallel(return_as="generator_unordered", **workers)
        with closing(parallel(joblib.delayed(function)(key, task) for key, task in todo.items())) as results:
            yield from results


def _named(function: Callable[[T], Any], what: str, key: str, task: T) -> tuple[str, Any]:
    """Do one task; an error names it."""
    named = key if key.startswith(what) else f"{what} {key}"
    try:
        return key, function(task)
    except AltselError as fault:
        raise type(fault)(f"{named}: {fault}") from fault
    except (MemoryError, OutOfTimeError):
        raise
    except Exception as fault:  # of a function of the user's
        raise ArgumentError(f"{named}: {type(fault).__name__}: {fault}") from fault


def _one_thread_each() -> AbstractContextManager[Any]:
    """Let loky's workers use one thread each, unless the caller has said how many."""
    from joblib._parallel_backends import LokyBackend  # noqa: PLC0415  (joblib is heavy)

    backend, _ = joblib.parallel.get_active_backend()
    if isinstance(backend, LokyBackend) and backend.inner_max_num_threads is None:
        return joblib.parallel_config(backend="loky", inner_max_num_threads=1)  # type: ignore[no-any-return]
    return nullcontext()
