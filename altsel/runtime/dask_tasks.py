"""Tasks on a dask cluster, in batches: what workers lose is done again, what is lost for good is named."""

from __future__ import annotations

import logging
import time
from asyncio import CancelledError
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any, TypeVar
from uuid import uuid4

from altsel.errors import WorkerError
from altsel.runtime.allocation import use_memory_again
from altsel.runtime.packed import Packed, unpacked

log = logging.getLogger("altsel.parallel")
T = TypeVar("T")
LOSSES = 3
"""How often in a row the cluster may lose what tasks share before any of them ends."""
AHEAD = 2
"""Batches sent for each thread of the cluster, so that none waits for this process."""
BATCH = 0.5
"""Seconds of a worker that a batch is to take: each costs the scheduler, worker and client some 20 ms."""
GROWTH = 4
"""How many times more tasks a batch has than those before: the first may be short by chance."""
MEMORY = "out of memory? give workers more of it, or fewer threads"
LOOK = 1.0
"""Seconds without a result after which it is looked whether the scheduler is there."""


class DaskTasks:
    """Does tasks on the cluster of a joblib backend, by futures of its client.

    joblib's own backend waits for ever for a task that has killed its workers, and for a scheduler that is
    gone; it also sends what all tasks share to one worker, with which that is lost.

    Parameters
    ----------
    backend
        joblib's backend, as ``joblib.parallel_config("dask")`` makes it.
    pack
        What is done with a task.
    what
        What one task is, for messages.
    """

    def __init__(self, backend: Any, pack: Packed, what: str) -> None:
        self._client, self._options = backend.client, backend.submit_kwargs
        self._pack, self._what = pack, what
        self._ended: SimpleQueue[Any] = SimpleQueue()
        self._futures: dict[Any, tuple[list[tuple[str, Any]], list[Any]]] = {}
        self._size = 1
        self._shared: list[Any] = []
        self._losses = 0

    def results(
        self, tasks: Iterator[tuple[str, T]], n_jobs: int | None
    ) -> Generator[tuple[str, Any], None, None]:
        """Yield results as they come; tasks are drawn as workers get free, a batch at a time.

        Raises
        ------
        WorkerError
            If the scheduler is gone, or a task has killed its workers again and again.
        """
        try:
            self._share()
            self._fill(tasks, n_jobs)
            while self._futures:
                yield from self._gathered(self._next())
                self._fill(tasks, n_jobs)
        finally:
            if self._futures and self._client.status == "running":
                with suppress(Exception):  # of a cluster that goes down at the same time
                    self._client.cancel(list(self._futures), force=True)
            self._futures.clear()
            self._shared = []

    def _room(self, n_jobs: int | None) -> int:
        """Return how many batches may be under way."""
        with self._reached():
            threads = sum(self._client.nthreads().values())
        return n_jobs if n_jobs is not None and n_jobs > 0 else max(AHEAD * threads, 1)

    def _share(self) -> None:
        """Send what all tasks need to every worker, once."""
        with self._reached():
            self._shared = self._client.scatter(list(self._pack.parts), broadcast=True, hash=False)

    def _fill(self, tasks: Iterator[tuple[str, Any]], n_jobs: int | None) -> None:
        """Send batches while there is room for them, and tasks."""
        for _ in range(self._room(n_jobs) - len(self._futures)):
            batch = list(islice(tasks, self._size))
            if not batch:
                break
            self._submit(batch)

    def _submit(self, batch: list[tuple[str, Any]]) -> None:
        name = f"{self._what} {batch[0][0]} {uuid4().hex}"
        with self._reached():
            future = self._client.submit(
                done, self._pack.name, batch, *self._shared, key=name, pure=False, **self._options
            )
        self._futures[future] = batch, self._shared
        future.add_done_callback(self._ended.put)

    def _next(self) -> list[Any]:
        """Return the futures that have ended, once there are any."""
        while True:
            try:
                ended = [self._ended.get(timeout=LOOK)]
                break
            except Empty:
                if self._client.status != "running":
                    raise self._gone() from None
        with suppress(Empty):
            while True:
                ended.append(self._ended.get_nowait())
        return [future for future in ended if future in self._futures]

    def _gathered(self, ended: list[Any]) -> Generator[tuple[str, Any], None, None]:
        """Fetch results; what was lost is sent again."""
        good = [future for future in ended if future.status == "finished"]
        lost = [future for future in ended if future.status in {"cancelled", "lost"}]
        for future in ended:
            if future.status == "error":
                self._failed(future)
        try:
            with self._reached():
                results = self._client.gather(good)
        except CancelledError:  # their worker died after they had ended
            lost += good
        else:
            for future, (seconds, found) in zip(good, results, strict=True):
                self._losses = 0
                batch, _ = self._futures.pop(future)
                self._resize(len(batch), seconds)
                yield from zip((key for key, _ in batch), found, strict=True)
        if lost:
            self._again(lost)

    def _resize(self, tasks: int, seconds: float) -> None:
        """Let batches to come take `BATCH` seconds, by what one has taken."""
        wanted = int(BATCH * tasks / max(seconds, 1e-9))
        self._size = max(min(wanted, GROWTH * tasks), 1)

    def _failed(self, future: Any) -> None:
        """Raise what a task has raised; a batch that killed its workers is sent again, task by task."""
        from distributed.scheduler import KilledWorker  # noqa: PLC0415  (heavy)

        with self._reached():
            fault = future.exception()
        if not isinstance(fault, KilledWorker):
            raise fault
        batch, _ = self._futures.pop(future)
        if len(batch) == 1:
            tried = fault.allowed_failures + 1
            raise WorkerError(
                f"{self._what} {batch[0][0]} killed every worker that tried it, {tried} in all; {MEMORY}"
            ) from fault
        for one in batch:
            self._submit([one])

    def _again(self, lost: list[Any]) -> None:
        """Send tasks again, and what they share if it was lost, as dead workers were the last to hold it."""
        if self._client.status != "running":
            raise self._gone()
        batches = [self._futures.pop(future) for future in lost]
        tasks = [one for batch, _ in batches for one in batch]
        log.info("workers were lost; %d %ss are sent again", len(tasks), self._what)
        if any(shared is self._shared for _, shared in batches):
            self._losses += 1
            if self._losses >= LOSSES:
                raise WorkerError(
                    f"the cluster lost its workers {LOSSES} times in a row, at {self._what} {tasks[0][0]} or "
                    f"near it; {MEMORY}"
                )
            self._share()
        for one in tasks:
            self._submit([one])

    @contextmanager
    def _reached(self) -> Iterator[None]:
        """Turn what a closed connection, or one that cannot be made in time, raises into what it means."""
        try:
            yield
        except OSError as fault:  # CommClosedError is one, and TimeoutError
            raise self._gone() from fault

    def _gone(self) -> WorkerError:
        return WorkerError(
            f"the scheduler of the cluster is gone (its client is {self._client.status}); start a cluster "
            "and call again: what a store= holds is not done again"
        )


def done(name: str, batch: list[tuple[str, Any]], *parts: Any) -> tuple[float, list[Any]]:
    """Do the tasks of a batch in a worker; return the seconds it took, and their results."""
    function: Callable[[str, Any], Any] = unpacked(name, *parts)
    began = time.perf_counter()
    use_memory_again()
    results = [function(key, task)[1] for key, task in batch]
    return time.perf_counter() - began, results
