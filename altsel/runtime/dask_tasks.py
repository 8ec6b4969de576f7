"""Tasks on a dask cluster: what its workers lose is done again, and what is lost for good is named."""

from __future__ import annotations

import logging
from asyncio import CancelledError
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any, TypeVar
from uuid import uuid4

from altsel.errors import WorkerError
from altsel.runtime.packed import Packed, unpacked

log = logging.getLogger("altsel.parallel")
T = TypeVar("T")
LOSSES = 3
"""How often in a row the cluster may lose what tasks share before any of them ends."""
AHEAD = 2
"""Tasks sent for each thread of the cluster, so that none waits for this process."""
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
        self._futures: dict[Any, tuple[str, Any, list[Any]]] = {}
        self._shared: list[Any] = []
        self._losses = 0

    def results(
        self, tasks: Iterator[tuple[str, T]], n_jobs: int | None
    ) -> Generator[tuple[str, Any], None, None]:
        """Yield results as they come; tasks are drawn as workers get free.

        Raises
        ------
        WorkerError
            If the scheduler is gone, or a task has killed its workers again and again.
        """
        try:
            self._share()
            self._submit(islice(tasks, self._room(n_jobs)))
            while self._futures:
                yield from self._gathered(self._next())
                self._submit(islice(tasks, max(self._room(n_jobs) - len(self._futures), 0)))
        finally:
            if self._futures and self._client.status == "running":
                with suppress(Exception):  # of a cluster that goes down at the same time
                    self._client.cancel(list(self._futures), force=True)
            self._futures.clear()
            self._shared = []

    def _room(self, n_jobs: int | None) -> int:
        """Return how many tasks may be under way."""
        with self._reached():
            threads = sum(self._client.nthreads().values())
        return n_jobs if n_jobs is not None and n_jobs > 0 else max(AHEAD * threads, 1)

    def _share(self) -> None:
        """Send what all tasks need to every worker, once."""
        with self._reached():
            self._shared = self._client.scatter(list(self._pack.parts), broadcast=True, hash=False)

    def _submit(self, tasks: Iterator[tuple[str, Any]]) -> None:
        for key, task in tasks:
            name = f"{self._what} {key} {uuid4().hex}"
            with self._reached():
                future = self._client.submit(
                    done, self._pack.name, key, task, *self._shared, key=name, pure=False, **self._options
                )
            self._futures[future] = key, task, self._shared
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
                self._raise(future)
        try:
            with self._reached():
                results = self._client.gather(good)
        except CancelledError:  # their worker died after they had ended
            lost += good
        else:
            for future, result in zip(good, results, strict=True):
                self._losses = 0
                yield self._futures.pop(future)[0], result
        if lost:
            self._again(lost)

    def _raise(self, future: Any) -> None:
        from distributed.scheduler import KilledWorker  # noqa: PLC0415  (heavy)

        with self._reached():
            fault = future.exception()
        named = f"{self._what} {self._futures[future][0]}"
        if isinstance(fault, KilledWorker):
            raise WorkerError(
                f"{named} killed every worker that tried it, {fault.allowed_failures + 1} in all; {MEMORY}"
            ) from fault
        raise fault

    def _again(self, lost: list[Any]) -> None:
        """Send tasks again, and what they share if it was lost, as dead workers were the last to hold it."""
        if self._client.status != "running":
            raise self._gone()
        tasks = [self._futures.pop(future) for future in lost]
        log.info("workers were lost; %d %ss are sent again", len(lost), self._what)
        if any(shared is self._shared for _, _, shared in tasks):
            self._losses += 1
            if self._losses >= LOSSES:
                raise WorkerError(
                    f"the cluster lost its workers {LOSSES} times in a row, at {self._what} {tasks[0][0]} or "
                    f"near it; {MEMORY}"
                )
            self._share()
        self._submit(iter([(key, task) for key, task, _ in tasks]))

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


def done(name: str, key: str, task: Any, *parts: Any) -> Any:
    """Do one task in a worker; return its result."""
    function: Callable[[str, Any], Any] = unpacked(name, *parts)
    return function(key, task)[1]
