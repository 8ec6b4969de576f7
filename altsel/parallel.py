"""Many independent tasks on joblib's backends, resumable, and safe from workers that are lost."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from numbers import Integral
from pickle import PicklingError
from typing import Any, TypeVar

from altsel.errors import AltselError, ArgumentError, WorkerError
from altsel.runtime.clock import OutOfTimeError, clock
from altsel.runtime.dask_tasks import DaskTasks
from altsel.runtime.drawn import Drawn
from altsel.runtime.on_demand import OnDemand
from altsel.runtime.packed import packed, unpacked
from altsel.runtime.processes import end_with_parent
from altsel.runtime.progress import Pace
from altsel.runtime.store import Kept

joblib: Any = OnDemand("joblib")

T = TypeVar("T")
log = logging.getLogger("altsel.parallel")
LOSSES = 3
"""How often in a row a worker may be lost before any task ends."""


@dataclass(frozen=True)
class Numbered(Mapping[str, int]):
    """Tasks by numbers, of which none is made before it is its turn, so that there may be any number of them.

    Parameters
    ----------
    number
        How many: 0, 1, … up to it.
    name
        What stands before each number in its key.
    first
        Tasks that come before, by their keys.

    Examples
    --------
    >>> list(Numbered(2, "permutation ").items()), len(Numbered(10**9))
    ([('permutation 0', 0), ('permutation 1', 1)], 1000000000)
    """

    number: int
    name: str = ""
    first: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return self.number + len(self.first)

    def __iter__(self) -> Iterator[str]:
        return chain(self.first, (f"{self.name}{number}" for number in range(self.number)))

    def __getitem__(self, key: str) -> int:
        if key in self.first:
            return self.first[key]
        text = key.removeprefix(self.name)
        if not text.isdecimal() or f"{self.name}{int(text)}" != key or int(text) >= self.number:
            raise KeyError(key)
        return int(text)


def run(
    function: Callable[[T], Any],
    tasks: Mapping[str, T],
    store: Kept | None = None,
    n_jobs: int | None = None,
    what: str = "task",
    threads: bool = False,
) -> dict[str, Any]:
    """Return ``{key: function(task)}``, computed by joblib's workers where it is not stored already.

    The backend and the number of workers are those of the ``joblib.parallel_config`` in force, such as a
    dask cluster's; loky's workers use one thread each unless that says otherwise. This process alone
    writes to the store. Tasks of a worker that was lost are done again. The function, with all that it
    holds, is sent to each worker once. What a task does in parallel itself is done one after another, if
    there is more than one worker.

    Parameters
    ----------
    function
        What to do with a task; it and the tasks must be picklable for workers in other processes.
    tasks
        The tasks by keys that name each of them in any run.
    store
        Where results are kept, as JSON; None: nowhere.
    n_jobs
        How many workers; -1: one for each core, or all of a cluster; 1: this process. Default: those of
        ``parallel_config``, else 1.
    what
        What one task is, for messages.
    threads
        Whether threads serve as well, as for compiled loops: they are used where the caller names no backend.

    Returns
    -------
    dict
        The results in the order of the tasks.

    Raises
    ------
    ArgumentError
        If n_jobs is no number of workers, the function cannot be pickled, or a task fails; it is named. An
        error of altsel's own keeps its class. Results until then are in the store.
    WorkerError
        If workers are lost again and again, or a cluster's scheduler is.

    Examples
    --------
    >>> run(abs, {"first": -1, "second": -2})
    {'first': 1, 'second': 2}
    """
    checked_jobs(n_jobs)
    done = {} if store is None else store.load(tasks)
    if done:
        log.info("%d of %d %ss are in the store already", len(done), len(tasks), what)
    stored, pace = len(done), Pace(len(tasks) - len(done), f"{what}s")
    todo = ((key, task) for key, task in tasks.items() if key not in done)
    with closing(each(function, todo, n_jobs, what, threads)) as results:
        for key, result in results:
            done[key] = result
            if store is not None:
                store.save(key, result)
            pace.at(len(done) - stored)
            clock().check()
    return {key: done[key] for key in tasks}


def each(
    function: Callable[[T], Any],
    tasks: Iterable[tuple[str, T]],
    n_jobs: int | None = None,
    what: str = "task",
    threads: bool = False,
) -> Generator[tuple[str, Any], None, None]:
    """Yield ``(key, function(task))`` as it comes, in any order; to be closed if it is not used up.

    Parameters
    ----------
    function, n_jobs, what, threads
        As in `run`.
    tasks
        Keys and tasks; those of an iterator are drawn one by one, in this process, as workers get free.

    Raises
    ------
    ArgumentError, WorkerError
        As in `run`.

    Examples
    --------
    >>> dict(each(abs, iter([("first", -1), ("second", -2)])))
    {'first': 1, 'second': 2}
    """
    checked_jobs(n_jobs)
    named, drawn = partial(_named, function, what), Drawn(tasks)
    with _backend(n_jobs, threads) as (backend, workers):
        if workers == 1 and not hasattr(backend, "client"):
            results: Generator[tuple[str, Any], None, None] = (named(*drawn_one) for drawn_one in drawn)
        elif hasattr(backend, "client"):
            results = DaskTasks(backend, packed(partial(_alone, named), what), what).results(drawn, n_jobs)
        elif getattr(backend, "supports_sharedmem", False):
            results = _by_joblib(partial(_alone, named), (), drawn, workers)
        else:
            pack = packed(partial(_alone, named), what)
            results = _safely(partial(_unpacked, pack.name), pack.parts, drawn, workers, what)
        with closing(results):
            yield from results
    drawn.check()


def checked_jobs(n_jobs: Any) -> None:
    """Raise an ArgumentError unless something is a number of workers, or None."""
    if n_jobs is not None and (not isinstance(n_jobs, Integral) or isinstance(n_jobs, bool) or n_jobs == 0):
        raise ArgumentError(f"n_jobs={n_jobs!r}: give a number of workers, or -1 for one on each core")


def number_of_workers(n_jobs: int | None = None) -> int:
    """Return how many workers `run` would use; 1 inside a task that is one of several at a time.

    Parameters
    ----------
    n_jobs
        As in `run`.

    Raises
    ------
    ArgumentError, WorkerError
        As in `run`.

    Examples
    --------
    >>> number_of_workers(), number_of_workers(2)
    (1, 2)
    """
    checked_jobs(n_jobs)
    with _backend(n_jobs, False) as (_, count):
        return count


@contextmanager
def workers(n_jobs: int | None) -> Iterator[None]:
    """Let what is done inside use so many workers, unless it says otherwise itself.

    Parameters
    ----------
    n_jobs
        How many, as in `run`; None: those of ``parallel_config``, else 1.

    Raises
    ------
    ArgumentError
        If it is no number of workers.

    Examples
    --------
    >>> with workers(2):
    ...     run(abs, {"first": -1}, threads=True)
    {'first': 1}
    """
    checked_jobs(n_jobs)
    with nullcontext() if n_jobs is None else joblib.parallel_config(n_jobs=n_jobs):
        yield


@contextmanager
def _backend(n_jobs: int | None, threads: bool) -> Iterator[tuple[Any, int]]:
    """Enter the backend for some tasks; yield it and how many workers it has."""
    backend, configured = joblib.parallel.get_active_backend()
    wanted = next(number for number in (n_jobs, configured, backend.default_n_jobs) if number is not None)
    if wanted == 1:
        yield None, 1
        return
    with joblib.parallel_config(prefer="threads") if threads else nullcontext(), _one_thread_each():
        backend, _ = joblib.parallel.get_active_backend()
        try:
            count = backend.effective_n_jobs(wanted)
        except TimeoutError as fault:
            raise WorkerError(f"the cluster has no workers: {fault}") from fault
        except OSError as fault:
            raise WorkerError(f"the scheduler of the cluster cannot be reached: {fault}") from fault
        yield backend, count


def _safely(
    function: Callable[..., Any], parts: tuple[Any, ...], drawn: Drawn, workers: int, what: str
) -> Generator[tuple[str, Any], None, None]:
    """Yield results as they come; what processes that were killed had under way is done again."""
    losses = 0
    while True:
        try:
            for key, result in _by_joblib(function, parts, drawn, workers):
                losses = 0
                yield key, result
            return
        except BrokenExecutor as fault:  # as BrokenProcessPool and TerminatedWorkerError of loky are
            losses += 1
            if losses >= LOSSES:
                raise WorkerError(
                    f"workers were killed {losses} times in a row, at {what} {next(iter(drawn.under_way))} "
                    "or near it; out of memory? use fewer n_jobs"
                ) from fault
            log.info(
                "a worker was lost; %d %ss that were under way are done again", len(drawn.under_way), what
            )
            drawn.again()
        except PicklingError as fault:
            raise ArgumentError(
                f"a {what}, or its result, cannot be sent between processes: {fault}; use threads: "
                "with joblib.parallel_config('threading')"
            ) from fault


def _by_joblib(
    function: Callable[..., Any], parts: tuple[Any, ...], drawn: Drawn, workers: int
) -> Generator[tuple[str, Any], None, None]:
    """Yield results as joblib's workers have them."""
    calls = (joblib.delayed(function)(key, task, *parts) for key, task in drawn)
    results = joblib.Parallel(n_jobs=workers, return_as="generator_unordered")(calls)
    try:
        for key, result in results:
            drawn.ended(key)
            yield key, result
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # joblib's, that results are not used where this ends early
            results.close()


def _unpacked(name: str, key: str, task: Any, *parts: Any) -> tuple[str, Any]:
    """Do a task in another process, by the function that was sent there once."""
    end_with_parent()
    result: tuple[str, Any] = unpacked(name, *parts)(key, task)
    return result


def _alone(named: Callable[[str, T], tuple[str, Any]], key: str, task: T) -> tuple[str, Any]:
    """Do one of several tasks at a time: what it would do in parallel itself is done one after another."""
    with joblib.parallel_config(backend="sequential"):
        return named(key, task)


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
