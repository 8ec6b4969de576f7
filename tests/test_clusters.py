"""Tasks on a real dask cluster over loopback: the same results, none lost with a worker."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from altsel.errors import ArgumentError
from altsel.parallel import run
from altsel.runtime.store import Store

joblib: Any = pytest.importorskip("joblib")
distributed: Any = pytest.importorskip("distributed")

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        yield client


def slow_square(number: int) -> int:
    time.sleep(0.05)
    return number * number


def refuse(number: int) -> int:
    raise ValueError(f"{number} is refused")


def killed_once(folder: Path, number: int) -> int:
    """Kill the worker that does task 7 for the first time."""
    mark = folder / "killed"
    if number == 7 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return slow_square(number)


def tasks(number: int) -> dict[str, int]:
    return {str(i): i for i in range(number)}


def test_results_are_those_of_one_process(client: Any) -> None:
    alone = run(slow_square, tasks(12))
    with joblib.parallel_config("dask"):
        assert run(slow_square, tasks(12)) == alone


@pytest.mark.skipif(os.name != "posix", reason="needs signals of POSIX")
def test_tasks_of_a_lost_worker_are_done_again_and_stored_here(client: Any, tmp_path: Path) -> None:
    store = Store(tmp_path / "results.sqlite", "squares")
    with joblib.parallel_config("dask"):
        results = run(partial(killed_once, tmp_path), tasks(20), store)
    assert (tmp_path / "killed").exists()
    assert results == {key: i * i for key, i in tasks(20).items()}
    assert store.load(tasks(20)) == results


def test_an_error_of_a_task_names_it(client: Any) -> None:
    with joblib.parallel_config("dask"), pytest.raises(ArgumentError, match=r"task \d+: ValueError: \d+ is"):
        run(refuse, tasks(3))
