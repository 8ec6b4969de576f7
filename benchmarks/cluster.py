"""Work on a dask cluster and on loky: time, overhead a task, and nothing lost with a worker that is killed.

    python -m benchmarks.cluster  # writes benchmarks/results/cluster.md; some ten minutes

The cluster is a real one, over loopback: a scheduler, a nanny and a process for each of two workers with one
thread each. Each kind of work is done by this process alone, by one worker and by two, and again by two of
which one is killed (SIGKILL) when a quarter of the results is stored.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import joblib
import psutil  # type: ignore[import-untyped]
from distributed import Client, LocalCluster

from altsel.parallel import run
from benchmarks.cluster_works import EMPTY, NOTHING, WORKS, Work, first, partitions
from benchmarks.command import stamped

RESULTS = Path(__file__).parent / "results" / "cluster.md"
MANY = 100
"""Workers that are calculated."""
BACKENDS = ("this process", "loky, 2", "dask, 1", "dask, 2")
KILLED = {"loky, 2": "loky, 2, one killed", "dask, 2": "dask, 2, one killed"}
Processes = Callable[[], list[psutil.Process]]


@dataclass(frozen=True)
class Taken:
    """What one way took.

    Attributes
    ----------
    wall, here, workers
        Seconds, and CPU seconds of this process, with the scheduler of a cluster, and of workers.
    result
        For comparison.
    stored, killed
        Results stored, and after how many of them a worker was killed.
    load
        Load average of the machine at the end.
    """

    wall: float
    here: float
    workers: float
    result: Any
    stored: int
    killed: int | None = None
    load: float = field(default_factory=lambda: os.getloadavg()[0])


@contextmanager
def backend(name: str) -> Iterator[Processes]:
    """Put workers in force that have searched once; give what lists their processes."""
    kind, _, number = name.partition(", ")
    if kind == "this process":
        first(0)
        yield list
    elif kind == "loky":
        with joblib.parallel_config("loky", n_jobs=int(number)):
            run(first, {str(i): i for i in range(2 * int(number))}, n_jobs=int(number))
            yield _loky
    else:
        options = {"threads_per_worker": 1, "processes": True, "dashboard_address": None}
        with LocalCluster(n_workers=int(number), **options) as cluster, Client(cluster) as client:
            client.run(first, 0)
            with joblib.parallel_config("dask"):
                yield lambda: [psutil.Process(pid) for pid in client.run(os.getpid).values()]


def _loky() -> list[psutil.Process]:
    children = psutil.Process().children()
    return [one for one in children if any("popen_loky" in part for part in one.cmdline())]


def taken(work: Work, processes: Processes, kill: bool = False) -> Taken:
    """Do some work with the workers in force."""
    with tempfile.TemporaryDirectory() as path:
        folder, before = Path(path), _cpu(processes())
        killed: list[int] = []
        thread = threading.Thread(target=_killing, args=(work, folder, processes()[:1], killed))
        if kill:
            thread.start()
        wall, here = time.perf_counter(), time.process_time()
        result = work.call(folder)
        wall, here = time.perf_counter() - wall, time.process_time() - here
        if kill:
            thread.join()
        workers = sum(_cpu(processes()).values()) - sum(before.values())
        return Taken(wall, here, workers, result, work.stored(folder), killed[0] if killed else None)


def _cpu(processes: list[psutil.Process]) -> dict[int, float]:
    times = {one.pid: one.cpu_times() for one in processes}
    return {pid: spent.user + spent.system for pid, spent in times.items()}


def _killing(work: Work, folder: Path, processes: list[psutil.Process], killed: list[int]) -> None:
    """Kill a worker once a quarter of the results is stored."""
    while (stored := work.stored(folder)) < work.tasks // 4:
        time.sleep(0.01)
    for one in processes:
        one.send_signal(signal.SIGKILL)
    killed.append(stored)


def measured() -> tuple[dict[tuple[str, str], Taken], dict[str, float]]:
    """Do all work in all ways; return what each took, and how long workers take to be ready."""
    found: dict[tuple[str, str], Taken] = {}
    ready = {}
    for name in BACKENDS:
        began = time.perf_counter()
        with backend(name) as processes:
            ready[name] = time.perf_counter() - began
            for work in (*WORKS, NOTHING):
                found[work.name, name] = taken(work, processes)
                print(
                    f"{name}: {work.name}, {found[work.name, name].wall:.1f} s", file=sys.stderr, flush=True
                )
        if name in KILLED:
            for work in WORKS:
                with backend(name) as processes:
                    found[work.name, KILLED[name]] = taken(work, processes, kill=True)
                print(f"{KILLED[name]}: {work.name}", file=sys.stderr, flush=True)
    return found, ready


def table(work: Work, found: dict[tuple[str, str], Taken]) -> list[str]:
    """Write what some work took in all ways."""
    rows, alone = [TABLE], found[work.name, BACKENDS[0]]
    for name in (*BACKENDS, *KILLED.values()):
        one = found[work.name, name]
        same = "-" if one is alone else "yes" if one.result == alone.result else "NO"
        cpu = f"{one.here:.1f} | {one.workers:.1f}" if one.killed is None else " | "
        named = name if one.killed is None else f"{name} after {one.killed} results"
        rows.append(
            f"| {named} | {one.wall:.1f} | {cpu} | {same} | {one.stored} of {work.tasks} | {one.load:.1f} |"
        )
    return rows


def calculated(seconds: float, tasks: int, driver: float, begin: float) -> str:
    """Write what many workers would take for tasks of some seconds."""
    needed = max(-(-tasks // MANY) * seconds, tasks * driver)
    alone, busy = tasks * seconds, seconds / driver
    times = [f"{alone:,.0f}", f"{begin + needed:,.1f}", f"{alone / (begin + needed):,.1f}", f"{busy:,.0f}"]
    return f"| {tasks:,} | {seconds:.3g} | {' | '.join(times)} |"


def text() -> str:
    """Measure, and return the page."""
    lines = ["# Workers: loky and a dask cluster", "", "Run: python -m benchmarks.cluster", "", HEAD]
    found, ready = measured()
    for work in WORKS:
        lines += ["", f"## {work.name[0].upper()}{work.name[1:]}", "", *table(work, found)]
    lines += ["", "## A task", "", f"{EMPTY:,} empty tasks, each stored.", "", OVERHEAD]
    for name in BACKENDS:
        one = found[NOTHING.name, name]
        each = [1000 * value / EMPTY for value in (one.wall, one.here, one.workers)]
        lines.append(f"| {name} | {each[0]:.2f} | {each[1]:.2f} | {each[2]:.2f} |")
    alone, cluster, begin = (
        found[NOTHING.name, BACKENDS[0]],
        found[NOTHING.name, "dask, 2"],
        ready["dask, 2"],
    )
    busy, waits = cluster.here / EMPTY, (alone.wall - alone.here) / EMPTY
    load = f"Load average of the machine at the end: {os.getloadavg()[0]:.1f}."
    lines += [
        "",
        f"Two workers of a cluster are ready after {begin:.1f} s, imports and a search included. {load}",
    ]
    lines += [
        "",
        FORMULA.format(driver=1000 * (busy + waits), busy=1000 * busy, waits=1000 * waits, begin=begin),
    ]
    for work in WORKS:
        seconds = found[work.name, BACKENDS[0]].here / work.tasks
        lines.append(calculated(seconds, work.tasks, busy + waits, begin))
    for seconds, tasks in ((1.0, 200), (10.0, 200), (60.0, 1000), (600.0, 1000)):
        lines.append(calculated(seconds, tasks, busy + waits, begin))
    return "\n".join([*lines, ""])


HEAD = """Two workers with one thread each, beside this process alone, which is what one worker of loky is.
Wall seconds, CPU seconds of the process that called, which for dask holds the scheduler too, and of the
workers. All of them have searched once before the clock starts. The machine has two cores and was shared:
wall times of different rows are of different loads (the last column is the load average at their end), so
that CPU seconds are to be compared. *Same*: whether the result equals
that of one process alone. A partition has 100,000 rows of 20 columns with four levels, in a Parquet file that
a worker reads, twice: for kinds and levels, and to count (`Dataset.scan`, `statistics(pairs=True)`)."""
TABLE = "| workers | wall | CPU here | CPU workers | same | stored | load |\n|---|---|---|---|---|---|---|"
OVERHEAD = "| workers | wall, ms | CPU here, ms | CPU workers, ms |\n|---|---|---|---|"
FORMULA = """## What 100 workers would take

The process that calls, with the scheduler, does one thing at a time: it sends a task, fetches its result
and stores it, $d = {driver:.1f}$ ms: {busy:.1f} of CPU (dask, above), and {waits:.1f} in which this process
alone waited for the disk and, on a machine that is shared, for its turn. The workers do $\\lceil T / W
\\rceil$ tasks of $t$ seconds one after another. With $b = {begin:.1f}$ s to begin,

$$\\mathrm{{wall}}(W) = b + \\max\\left(\\lceil T / W \\rceil \\, t,\\; T d\\right),$$

so that more than $t / d$ workers gain nothing. What all tasks share is sent to each worker once, in a
tree: add its bytes over the network's speed, times $\\log_2 W$, where it is large. A worker that is lost
costs what it had under way, at most two tasks a thread, $2t$. Calculated for $W = 100$, not measured;
the first rows are the work above, by the CPU seconds of one process.

| tasks | seconds a task | one worker, s | 100 workers, s | times faster | workers that gain |
|---|---|---|---|---|---|"""


def main() -> None:
    """Write the page."""
    warnings.simplefilter("ignore")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    partitions()  # are written before clocks start
    page = stamped(text())
    RESULTS.write_text(page)
    print(page)


if __name__ == "__main__":
    main()
