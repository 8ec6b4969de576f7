"""Tasks on a cluster whose scheduler goes away: whatever its client raises then, it is said clearly."""

from __future__ import annotations

from typing import Any

import joblib
import pytest

from altsel import parallel
from altsel.errors import WorkerError
from altsel.runtime.dask_tasks import DaskTasks
from altsel.runtime.packed import packed


class CommClosedError(OSError):
    """As of distributed, where that is not installed."""


FAULTS = [CommClosedError("closed"), OSError("Timed out trying to connect"), TimeoutError("late")]


class Future:
    """A task that has ended."""

    def __init__(self, status: str, batch: list[tuple[str, int]]) -> None:
        self.status, self.batch = status, batch

    def add_done_callback(self, call: Any) -> None:
        call(self)

    def exception(self) -> Any:
        raise FAULTS[0]


class Client:
    """A client that fails at one of its calls, after it was called so many times."""

    status = "running"
    seconds = 1.0
    """How long each task takes."""

    def __init__(self, fails: str, after: int, fault: OSError, ends: str = "finished") -> None:
        self._fails, self._left, self._fault, self._ends = fails, after, fault, ends

    def _call(self, name: str) -> None:
        if name == self._fails:
            if not self._left:
                raise self._fault
            self._left -= 1

    def nthreads(self) -> dict[str, int]:
        self._call("nthreads")
        return {"worker": 1}

    def scatter(self, parts: list[Any], **_: Any) -> list[Any]:
        self._call("scatter")
        return parts

    def submit(self, _: Any, __: str, batch: list[tuple[str, int]], *___: Any, **____: Any) -> Future:
        self._call("submit")
        return Future(self._ends, batch)

    def gather(self, futures: list[Future]) -> list[tuple[float, list[int]]]:
        self._call("gather")
        return [(self.seconds * len(one.batch), [abs(number) for _, number in one.batch]) for one in futures]

    def cancel(self, *_: Any, **__: Any) -> None:
        self._call("cancel")


class Backend:
    """What joblib knows of a cluster."""

    submit_kwargs: dict[str, Any] = {}  # noqa: RUF012 (as joblib's)

    def __init__(self, client: Client) -> None:
        self.client = client


def _results(client: Client) -> list[Any]:
    tasks = DaskTasks(Backend(client), packed(abs, "task"), "task")
    return list(tasks.results(((str(i), i) for i in range(6)), None))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
@pytest.mark.parametrize(
    ("fails", "after"),
    [
        ("nthreads", 0),
        ("nthreads", 1),
        ("scatter", 0),
        ("submit", 0),
        ("submit", 3),
        ("gather", 0),
        ("gather", 1),
    ],
)
def test_a_scheduler_that_is_gone_is_named(fails: str, after: int, fault: OSError) -> None:
    assert len(_results(Client("nothing", 0, fault))) == 6
    with pytest.raises(WorkerError, match="the scheduler of the cluster is gone") as refused:
        _results(Client(fails, after, fault))
    assert refused.value.__cause__ is fault


@pytest.mark.parametrize(("seconds", "sizes"), [(1.0, {1}), (0.125, {1, 4}), (0.01, {1, 4, 16, 50})])
def test_batches_grow_to_half_a_second(seconds: float, sizes: set[int]) -> None:
    sent: list[int] = []

    class Noted(Client):
        def submit(self, *given: Any, **more: Any) -> Future:
            sent.append(len(given[2]))
            return super().submit(*given, **more)

    client = Noted("nothing", 0, FAULTS[0])
    client.seconds = seconds
    tasks = DaskTasks(Backend(client), packed(abs, "task"), "task")
    found = list(tasks.results(((str(i), -i) for i in range(200)), None))
    assert sorted(found) == sorted((str(i), i) for i in range(200))
    assert set(sent[:-1]) | {sent[0]} == sizes
    assert sum(sent) == 200


def test_a_batch_that_kills_its_workers_is_divided() -> None:
    scheduler = pytest.importorskip("distributed.scheduler")
    sent: list[int] = []

    class Killing(Client):
        def submit(self, *given: Any, **more: Any) -> Future:
            future = super().submit(*given, **more)
            sent.append(len(future.batch))
            if any(number == 7 for _, number in future.batch):
                future.status = "error"
                fault = scheduler.KilledWorker("task", None, 3)
                future.exception = lambda: fault  # type: ignore[method-assign]
            return future

    client = Killing("nothing", 0, FAULTS[0])
    client.seconds = 0.01
    tasks = DaskTasks(Backend(client), packed(abs, "task"), "task")
    with pytest.raises(WorkerError, match="task 7 killed every worker that tried it, 4 in all"):
        list(tasks.results(((str(i), i) for i in range(20)), None))
    assert max(sent) > 1


def test_an_error_that_cannot_be_fetched_is_of_the_scheduler() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(WorkerError, match="the scheduler of the cluster is gone"):
        _results(Client("nothing", 0, FAULTS[0], ends="error"))


@pytest.mark.parametrize(
    ("fault", "said"),
    [(FAULTS[0], "scheduler of the cluster cannot be reached"), (FAULTS[2], "the cluster has no workers")],
)
def test_a_scheduler_that_is_gone_before_is_named(
    fault: OSError, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def effective_n_jobs(*_: Any) -> int:
        raise fault

    backend, _ = joblib.parallel.get_active_backend()
    monkeypatch.setattr(type(backend), "effective_n_jobs", effective_n_jobs)
    with pytest.raises(WorkerError, match=said):
        parallel.run(abs, {"a": 1, "b": 2}, n_jobs=2)
