"""CPU seconds and memory of the greedy filters next to the R package praznik, in one run, on one thread.

Run: OMP_NUM_THREADS=1 python -m benchmarks.rankings [--keep]

Where Rscript or praznik is absent its figures are those kept in results/rankings_praznik.json, which
``--keep`` writes; a star marks them.
"""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
import re
import shutil
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import altsel
from altsel import ranking
from benchmarks.command import stamped

HEAD = """# Rankings next to praznik

`OMP_NUM_THREADS=1 python -m benchmarks.rankings`, 50 features, CPU seconds (the least of three runs) on one
thread of a shared machine; runs differ by some 20 %. A star: praznik's seconds are those kept from an
earlier run (`--keep`), so ratios are of different hours. The tables are made: every tenth feature is a
noisy copy of another, ten features make the classes. CMIM is the capped one on both sides, as praznik has
no other; both take plug-in estimates. praznik gets a data frame of factors, altsel a `Dataset`; neither's
making is counted, but the last row of each table has the seconds that the `Dataset` takes, which checks
every column.

Of altsel's seconds, coding and counting all columns once is all of MIM and most of CMIM; praznik gets its
factors coded. MB is memory on top of the table; R had freed memory of its own to use, so its 0 is a lower
bound. numba is only used beyond 12 groups of rows (the last table, JMI and DISR), where its import is some
100 of the MB.

Where fewer than 50 of the first features are the same, the next ones have scores equal to all digits, of
which altsel takes the first in the order of the data.
"""
KEPT = Path(__file__).parent / "results" / "rankings_praznik.json"
K, REPEATS = 50, 3
METHODS: dict[str, Callable[..., altsel.Solutions]] = {
    "mim": partial(ranking.mim, bins=5, debiased=False),
    "mrmr": partial(ranking.mrmr, bins=5, debiased=False),
    "jmi": partial(ranking.jmi, debiased=False),
    "cmim": partial(ranking.cmim, capped=True, debiased=False),
    "disr": partial(ranking.disr, debiased=False),
}


class Shape(NamedTuple):
    """Rows, features, the numbers of levels of features in turn, and the number of classes."""

    rows: int
    features: int
    levels: tuple[int, ...]
    classes: int

    def __str__(self) -> str:
        """Describe the table in a cell."""
        levels = f"{min(self.levels)} to {max(self.levels)} levels"
        return f"{self.rows:,} x {self.features:,}, {levels}, {self.classes} classes"


SHAPES = (
    Shape(1_000, 5_000, (2, 3), 2),
    Shape(200, 20_000, (2, 3), 2),
    Shape(20_000, 500, (2, 3), 2),
    Shape(20_000, 500, (2, 3, 5, 10), 8),
)


class Run(NamedTuple):
    """What one ranking took, and its features in order."""

    seconds: float
    megabytes: float | None
    features: list[str]


def drawn(shape: Shape) -> tuple[np.ndarray, np.ndarray]:
    """Draw a table of which every tenth feature is a noisy copy of another, and classes of ten of them."""
    random = np.random.default_rng(0)
    levels = np.resize(shape.levels, shape.features)
    table = random.integers(0, levels, (shape.rows, shape.features))
    copied = np.arange(len(shape.levels), shape.features, 10)
    same = random.random((shape.rows, len(copied))) < 0.8
    table[:, copied] = np.where(same, table[:, copied - len(shape.levels)], table[:, copied])
    sums = (table[:, :10] * random.random(10)).sum(axis=1) + random.normal(size=shape.rows)
    edges = np.quantile(sums, np.linspace(0, 1, shape.classes + 1)[1:-1])
    return table, np.searchsorted(edges, sums)


def memory(field: str) -> float | None:
    """Megabytes of this process: VmRSS now, VmHWM the most since the last reset."""
    try:
        found = re.search(rf"{field}:\s+(\d+)", Path("/proc/self/status").read_text())
    except OSError:
        return None
    return int(found[1]) / 1024 if found else None


def measured(data: altsel.Dataset, method: str) -> Run:
    """Rank some times in this process."""
    gc.collect()
    if (before := memory("VmRSS")) is not None:
        Path("/proc/self/clear_refs").write_text("5")
    seconds = float("inf")
    for _ in range(REPEATS):
        began = time.process_time()
        found = METHODS[method](data, K)[0].path
        seconds = min(seconds, time.process_time() - began)
    most = memory("VmHWM")
    added = None if most is None or before is None else most - before
    return Run(seconds, added, [step.feature for step in found])


def ours(table: np.ndarray, target: np.ndarray) -> tuple[float, dict[str, Run]]:
    """Seconds for the Dataset, and each ranking in a process of its own."""
    began = time.process_time()
    data = altsel.Dataset(table, target)
    seconds = time.process_time() - began
    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        return seconds, {method: pool.apply(measured, (data, method)) for method in METHODS}


def theirs(table: np.ndarray, target: np.ndarray) -> tuple[str, dict[str, Run]] | None:
    """Return versions and rankings of praznik, if it is here."""
    if not (program := shutil.which("Rscript")):
        return None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table"
        numbers = [np.array([*table.shape, K]), table.T.ravel(), target]
        file.write_bytes(np.concatenate(numbers).astype(np.int32).tobytes())
        script = str(Path(__file__).with_suffix(".R"))
        done = subprocess.run(
            [program, script, str(file), str(REPEATS)], check=False, capture_output=True, text=True
        )
    if done.returncode:
        return None
    (_, praznik, r), *lines = (line.split() for line in done.stdout.splitlines())
    runs = {
        name: Run(float(seconds), None if most == "NA" else float(most), features)
        for name, seconds, most, *features in lines
    }
    return f"praznik {praznik} (R {r}), one thread", runs


def rows(shape: Shape, kept: dict[str, Any]) -> Iterator[str]:
    """Compare all methods on one table; what praznik took is put into `kept`."""
    table, target = drawn(shape)
    if (now := theirs(table, target)) is not None:
        kept["versions"] = now[0]
        kept[str(shape)] = {method: run._asdict() for method, run in now[1].items()}
    peers = {method: Run(**run) for method, run in kept.get(str(shape), {}).items()}
    mark = "" if now is not None else "*"
    building, runs = ours(table, target)
    for method, run in runs.items():
        row = f"| {shape} | {method} | {run.seconds:.3f} | {_size(run)} "
        if (peer := peers.get(method)) is None:
            yield f"{row}| | | |"
            continue
        same = _common(run.features, peer.features)
        ratio = peer.seconds / run.seconds
        yield f"{row}| {peer.seconds:.3f}{mark} | {_size(peer)} | {ratio:.1f} | {same} of {K} |"
    yield f"| {shape} | (Dataset) | {building:.3f} | | | | | |"


def _common(first: list[str], second: list[str]) -> int:
    """Length of the longest common beginning."""
    differ = [i for i, pair in enumerate(zip(first, second, strict=True)) if pair[0] != pair[1]]
    return min(differ, default=len(first))


def _size(run: Run) -> str:
    return "" if run.megabytes is None else f"{run.megabytes:.0f}"


def main() -> None:
    """Print one row a table and method."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", action="store_true", help="keep what praznik took")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    print(stamped(HEAD))
    print("| table | method | altsel, s | MB | praznik, s | MB | praznik / altsel | same first features |")
    print("|---|---|---|---|---|---|---|---|")
    for shape in SHAPES:
        for row in rows(shape, kept):
            print(row, flush=True)
    print(f"\naltsel {altsel.__version__}, numpy {np.__version__}; {kept.get('versions', 'without praznik')}")
    if given.keep:
        KEPT.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
