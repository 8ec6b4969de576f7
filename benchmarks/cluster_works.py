"""Work that `benchmarks.cluster` gives to workers: resamples, a grid, partitions of a table, and nothing."""

from __future__ import annotations

import sqlite3
import warnings
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

import altsel
from altsel.bench import BenchSearch, Grid, bench
from altsel.bench.run import UNTIMED
from altsel.parallel import run
from altsel.runtime.store import Store

IONOSPHERE = Path(__file__).parents[1] / "examples" / "data" / "ionosphere.csv.gz"
RESAMPLES, EMPTY = 200, 1000
PARTITIONS, ROWS, COLUMNS, LEVELS = 40, 100_000, 20, 4


def search(rows: altsel.Dataset) -> altsel.Solutions:
    """Find the best four features by mRMR, and three alternatives."""
    given = altsel.dependence(rows, altsel.measures.symmetric_uncertainty)
    return altsel.sequential(altsel.Problem(altsel.MRMR(given), 4), altsel.Dice(0.4), 3)


def resamples(folder: Path) -> Any:
    """Search bootstrap samples of ionosphere."""
    data = altsel.Dataset(IONOSPHERE, "target")
    return altsel.stability(search, data, RESAMPLES, store=folder / "results.sqlite").to_json(None)


GRID: dict[str, Any] = {
    "k": ("3", "4", "5"),
    "objectives": ("mrmr", "cfs"),
    "measures": ("symmetric-uncertainty",),
    "tau": (0.2, 0.4, 0.6),
    "alternatives": (2, 5),
    "searches": (BenchSearch.SEQUENTIAL,),
}


def grid(folder: Path) -> Any:
    """Run a grid of searches of ionosphere."""
    return bench(Grid([IONOSPHERE], "target", **GRID), folder).drop(columns=list(UNTIMED)).to_json()


@cache
def partitions() -> tuple[Any, list[str]]:
    """Write a table of categories in parts; return what keeps their folder, and the files."""
    folder, rng = TemporaryDirectory(), np.random.default_rng(0)
    names, files = [f"x{j}" for j in range(COLUMNS)], []
    for number in range(PARTITIONS):
        files.append(str(Path(folder.name) / f"{number:02d}.parquet"))
        codes = rng.integers(0, LEVELS, (ROWS, COLUMNS), dtype=np.uint8)
        pd.DataFrame(codes, columns=names).to_parquet(files[-1])
    return folder, files


def counts(folder: Path) -> Any:
    """Count all pairs of a table in parts by a scan: a pass for kinds and levels, and one for the counts."""
    scan = altsel.Dataset.scan(partitions()[1], "x0", store=folder / "scan")
    return scan.statistics(pairs=True).counts.tolist()


def nothing(number: int) -> int:
    """Do nothing: what is left is what a task costs besides."""
    return number


def empty(folder: Path) -> Any:
    """Do empty tasks."""
    tasks = {str(number): number for number in range(EMPTY)}
    return run(nothing, tasks, Store(folder / "results.sqlite", "empty"))


def first(number: int) -> int:
    """Import what searches need, and search once."""
    warnings.simplefilter("ignore")
    search(altsel.Dataset(IONOSPHERE, "target"))
    return number


@dataclass(frozen=True)
class Work:
    """Many tasks, and where their results are: rows of a table, or without one the files of a folder."""

    name: str
    tasks: int
    call: Callable[[Path], Any]
    file: str
    table: str = ""

    def stored(self, folder: Path) -> int:
        """Return how many results there are."""
        path = folder / self.file
        if not path.exists():
            return 0
        if not self.table:
            return len(list(path.glob("*.npz")))
        try:
            with closing(sqlite3.connect(path, timeout=60)) as base:
                return int(base.execute(f"SELECT count(*) FROM {self.table}").fetchone()[0])
        except sqlite3.OperationalError:  # the table is not made yet
            return 0


WORKS = (
    Work(
        f"{RESAMPLES} resamples of a search, and the search",
        RESAMPLES + 1,
        resamples,
        "results.sqlite",
        "results",
    ),
    Work("a grid of 36 cases of bench", 36, grid, "runs.sqlite", "runs"),
    Work(f"all pairs of {PARTITIONS} partitions of a table by Dataset.scan", 2 * PARTITIONS, counts, "scan"),
)
NOTHING = Work("empty", EMPTY, empty, "results.sqlite", "results")
