"""CPU seconds and peak memory of grow-shrink on networks, on 500 linear variables, and on wide tables.

Run: OMP_NUM_THREADS=1 python -m benchmarks.grow_shrink NETWORKS SETS > benchmarks/results/grow_shrink.md
(folders of BIF files, and of tables with a column ``target``)
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

import altsel
from altsel import blankets, independence
from benchmarks.blanket_readings import ALPHA
from benchmarks.blanket_samples import GAUSSIANS, NETWORKS, samples
from benchmarks.command import stamped
from benchmarks.rankings import memory

ROWS, REPEATS, LONG = 5000, 3, 10.0
"""Rows of samples; runs of a search, unless one takes longer than so many seconds."""
WIDE = ("leukemia", "prostate", "arcene")
HEAD = """# Grow-shrink: CPU seconds and peak memory

`OMP_NUM_THREADS=1 python -m benchmarks.grow_shrink NETWORKS SETS`: `independence.auto`, alpha .01, the
least of three runs (one if it takes more than 10 s), each table in a process of its own. Seconds are of all
targets, with what the test prepares. MB is what the process takes at most on top of the table, numba and its
compiled loops included.
"""


def measured(data: altsel.Dataset, targets: tuple[str, ...]) -> tuple[float, float | None, int, int]:
    """Search for the targets' blankets some times; least seconds, megabytes added, tests, features found."""
    gc.collect()
    if (before := memory("VmRSS")) is not None:
        Path("/proc/self/clear_refs").write_text("5")
    seconds = float("inf")
    for _ in range(REPEATS):
        began = time.process_time()
        test = independence.auto(data)
        found = [blankets.grow_shrink(test.with_target(name), ALPHA) for name in targets]
        seconds = min(seconds, time.process_time() - began)
        if seconds > LONG:
            break
    most = memory("VmHWM")
    added = None if most is None or before is None else most - before
    tests = sum(one.effort.tests or 0 for one in found)
    return seconds, added, tests, sum(len(one[0].features) for one in found)


def tables(networks: Path, sets: Path) -> Iterator[tuple[str, altsel.Dataset, tuple[str, ...]]]:
    """Yield name, data and targets."""
    for name in (*NETWORKS, *GAUSSIANS):
        sample = next(samples(networks, name, ROWS, 1))
        yield name, sample.data(), sample.targets
    for name in WIDE:
        table = pd.read_csv(sets / f"{name}.csv.gz")
        data = altsel.Dataset(table.drop(columns="target"), table["target"])
        yield name, data, (data.target,)


def main() -> None:
    """Print one row a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("networks", type=Path)
    parser.add_argument("sets", type=Path)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print(stamped(HEAD))
    print("| table | test | rows | features | targets | s | tests | microseconds a test | found | MB |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name, data, targets in tables(given.networks, given.sets):
        with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
            seconds, added, tests, found = pool.apply(measured, (data, targets))
        size = "" if added is None else f"{added:.0f}"
        shape = f"{len(data.X):,} | {len(data.features):,} | {len(targets)}"
        cost = f"{seconds:.2f} | {tests:,} | {1e6 * seconds / tests:.1f} | {found} | {size}"
        print(f"| {name} | {independence.auto(data).name} | {shape} | {cost} |", flush=True)


if __name__ == "__main__":
    main()
