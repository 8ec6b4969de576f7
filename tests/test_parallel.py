"""Parallel runs: what is stored is not done again, workers may die, the caller's backend counts."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path

import joblib
import pandas as pd
import psutil  # type: ignore[import-untyped]
import pytest

import altsel
from altsel.errors import AltselError, ArgumentError, DataError, WorkerError
from altsel.parallel import Numbered, run
from altsel.runtime.identity import identity
from altsel.runtime.store import Store
from tests.parallel_tasks import doubled, environment, kills, kills_first, noted, process, refuses

ROOT = Path(__file__).parents[1]


def numbered(count: int) -> dict[str, int]:
    return {str(number): number for number in range(count)}


def times_done(folder: Path) -> dict[int, int]:
    done = [int(path.name.split("-")[0]) for path in folder.glob("[0-9]*-*")]
    return {number: done.count(number) for number in set(done)}


def test_results_come_in_the_order_of_the_tasks_from_any_backend() -> None:
    tasks = {"b": 2, "a": 1}
    assert list(run(doubled, tasks).items()) == [("b", 4), ("a", 2)]
    with joblib.parallel_config("threading", n_jobs=2):
        assert run(doubled, tasks) == {"b": 4, "a": 2}
        assert set(run(process, tasks).values()) == {os.getpid()}


@pytest.mark.slow
def test_the_callers_number_of_workers_counts_and_their_threads_are_limited() -> None:
    assert set(run(process, numbered(4)).values()) == {os.getpid()}
    with joblib.parallel_config("loky", n_jobs=2, inner_max_num_threads=2):
        threads = run(environment, {"one": "OMP_NUM_THREADS", "two": "OMP_NUM_THREADS"})
        assert os.getpid() not in run(process, numbered(2)).values()
    assert set(threads.values()) == {"2"}
    assert set(run(environment, {"one": "OMP_NUM_THREADS"}, n_jobs=2).values()) == {"1"}


@pytest.mark.filterwarnings("ignore:features determine the target:altsel.DataWarning")
def test_no_workers_are_refused_whatever_there_is_to_do(tmp_path: Path) -> None:
    """Also where one partition, or no process, is all that is needed."""
    table = pd.DataFrame({"a": [1.0, 2, 3, 4] * 5, "b": [1.0, 3, 2, 4] * 5, "y": [0, 1, 0, 1] * 5})
    table.to_csv(tmp_path / "table.csv", index=False)
    data = altsel.Dataset(table, "y")
    found = altsel.sequential(altsel.Problem(altsel.Univariate(data), 1), altsel.Dice(1), 0)
    with pytest.raises(altsel.ArgumentError, match="n_jobs=0"):
        altsel.performance(found, data, n_jobs=0)
    with pytest.raises(altsel.ArgumentError, match="n_jobs=0"):
        altsel.Dataset.scan(tmp_path / "table.csv", "y", n_jobs=0)


def test_tasks_are_made_when_it_is_their_turn(tmp_path: Path) -> None:
    """A thousand million of them: none is made, looked for or listed before."""
    done = []

    def interrupted(number: int) -> int:
        done.append(number)
        if len(done) == 5:
            raise KeyboardInterrupt
        return number

    tasks = Numbered(10**9, "draw ", {"all": -1})
    assert (len(tasks), tasks["all"], tasks["draw 7"]) == (10**9 + 1, -1, 7)
    assert not {"draw 07", "draw", "7", f"draw {10**9}"} & tasks.keys()
    store = Store(tmp_path / "results.sqlite", "numbers")
    store.save("draw 1", 1)
    store.save("of another run", 2)
    tracemalloc.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            run(interrupted, tasks, store)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
    assert done == [-1, 0, 2, 3, 4]
    assert sorted(store.load(tasks)) == ["all", "draw 0", "draw 1", "draw 2", "draw 3"]
    assert run(abs, Numbered(3, first={"one": -1})) == {"one": 1, "0": 0, "1": 1, "2": 2}


def test_what_is_stored_is_not_done_again(tmp_path: Path) -> None:
    store = Store(tmp_path / "results.sqlite", "one run")
    first = run(partial(noted, tmp_path), numbered(3), store)
    assert run(partial(noted, tmp_path), numbered(5), store) == {**first, "3": 3, "4": 4}
    assert times_done(tmp_path) == dict.fromkeys(range(5), 1)
    run(partial(noted, tmp_path), numbered(1), Store(store.path, "another run"))
    assert times_done(tmp_path)[0] == 2


def test_an_error_names_its_task_and_the_results_before_it_are_kept(tmp_path: Path) -> None:
    store = Store(tmp_path / "results.sqlite", "a run")
    with pytest.raises(DataError, match="resample 2: no such level"):
        run(refuses, numbered(4), store, what="resample")
    assert store.load(numbered(4)) == {"0": 0, "1": 1}


@pytest.mark.skipif(os.name != "posix", reason="needs signals of POSIX")
@pytest.mark.slow
def test_tasks_of_a_killed_worker_are_done_again(tmp_path: Path) -> None:
    store = Store(tmp_path / "results.sqlite", "a run")
    assert run(partial(kills_first, tmp_path), numbered(8), store, n_jobs=2) == numbered(8)
    assert set(times_done(tmp_path)) == set(range(8))


@pytest.mark.skipif(os.name != "posix", reason="needs signals of POSIX")
@pytest.mark.slow
def test_a_task_that_always_kills_its_worker_is_given_up() -> None:
    with pytest.raises(WorkerError, match=r"killed 3 times in a row, at task 1 or near it.*n_jobs"):
        run(kills, numbered(3), n_jobs=2)


@pytest.mark.long
def test_workers_end_with_the_process_that_called_them_though_it_was_killed(tmp_path: Path) -> None:
    code = f"""
import os, time
from pathlib import Path
from altsel.parallel import run

def slow(number):
    Path({str(tmp_path)!r}, str(os.getpid())).touch()
    time.sleep(1e6)

run(slow, {{"0": 0, "1": 1}}, n_jobs=2)
"""
    with subprocess.Popen([sys.executable, "-c", code]) as caller:
        _until(lambda: len(list(tmp_path.iterdir())) == 2)
        caller.kill()
    workers = [int(path.name) for path in tmp_path.iterdir()]
    _until(lambda: not any(map(_runs, workers)))


def _until(condition: Callable[[], bool]) -> None:
    while not condition():
        time.sleep(0.1)


def _runs(pid: int) -> bool:
    """Return whether a process is there, and no zombie that nobody waits for."""
    return bool(psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no store at all, only text that goes on for more than a page of a file")
    with pytest.raises(ArgumentError, match="is no store of results"):
        run(doubled, numbered(1), Store(tmp_path / "text", "run"))
    with pytest.raises(AltselError, match="cannot be read or written"):
        run(doubled, numbered(1), Store(tmp_path / "nowhere" / "file", "run"))


def test_identity_is_that_of_code_and_values() -> None:
    same = identity(partial(noted, Path("a")), 1)
    assert identity(partial(noted, Path("a")), 1) == same
    others = [identity(partial(noted, Path("b")), 1), identity(partial(refuses), 1), identity(doubled)]
    assert len({same, *others}) == 4
    code = "from tests.parallel_tasks import doubled\nfrom altsel.runtime.identity import identity\n"
    call = [sys.executable, "-c", f"{code}print(identity(doubled))"]
    there = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=True)
    assert there.stdout.strip() == identity(doubled)


def test_a_failing_task_is_named_and_so_is_a_wrong_number_of_workers() -> None:
    def fails(number: int) -> float:
        return 1 / number

    with pytest.raises(ArgumentError, match="resample b: ZeroDivisionError: division by zero"):
        run(fails, {"a": 1, "b": 0}, what="resample")
    for wrong in (0, "2", 1.5, True):
        with pytest.raises(ArgumentError, match="n_jobs="):
            run(abs, {"a": 1}, n_jobs=wrong)  # type: ignore[arg-type]
