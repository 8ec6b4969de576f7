"""Every blanket search on tables of many features and few rows, within a budget: time, memory, how it ended.

Run: python -m benchmarks.wide FOLDER [--seconds 60]  > benchmarks/results/wide.md
FOLDER holds leukemia.csv.gz and prostate.csv.gz.
"""

from __future__ import annotations

import argparse
import resource
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd

import altsel
from altsel import blankets as blanket
from benchmarks.command import stamped

SEARCHES: dict[str, Callable[..., altsel.Solutions]] = {
    "forward_backward": blanket.forward_backward,
    "FBED-1": lambda test, alpha, **more: blanket.forward_backward_early_dropping(
        test, alpha, extra_runs=1, **more
    ),
    "grow_shrink": blanket.grow_shrink,
    "iamb": blanket.iamb,
    "inter_iamb": blanket.inter_iamb,
    "fast_iamb": blanket.fast_iamb,
    "mmpc": blanket.mmpc,
    "hiton_pc": blanket.hiton_pc,
    "mmmb": blanket.mmmb,
    "hiton_mb": blanket.hiton_mb,
    "ipcmb": blanket.ipcmb,
    "stmb": blanket.stmb,
}

HEAD = """# Thousands of features, a hundred rows

`python -m benchmarks.wide FOLDER --seconds {seconds:g}`, alpha = {alpha:g}, one thread. `time`: ended by the
limit with what was found. On leukemia (72 rows) no table of three values each can be tested given anything,
so searches by subsets keep all features that are dependent at the margin. *Peak GB* is of the whole process
up to there, and the first row's seconds hold what is loaded once.
"""


def tests(table: pd.DataFrame) -> Iterator[tuple[str, altsel.independence.Independence]]:
    """Return every test that applies: on values, and on values cut into three bins."""
    data = altsel.Dataset(table, "target")
    yield "as chosen", altsel.independence.auto(data)
    binned = altsel.data.binned(data, 3)
    yield "G-square, 3 bins", altsel.independence.GSquare(binned)
    yield "classical G-square, 3 bins", altsel.independence.GSquare(binned, corrected=False)


def main() -> None:
    """Print the page, one row a data set, test and search."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--alpha", type=float, default=0.01)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print(stamped(HEAD.format(seconds=given.seconds, alpha=given.alpha)))
    print("| data | rows x features | test | search | features | tests | seconds | stop | peak GB |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in ("leukemia", "prostate"):
        table = pd.read_csv(given.folder / f"{name}.csv.gz", keep_default_na=False, na_values=[""])
        for kind, test in tests(table):
            for label, search in SEARCHES.items():
                began = time.perf_counter()
                found = search(test, given.alpha, limits=altsel.blankets.Limits(max_seconds=given.seconds))
                seconds = time.perf_counter() - began
                peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
                size = f"{len(table)} x {len(test.features)}"
                row = f"| {name} | {size} | {kind} | {label} | {len(found[0])} | {found.effort.tests}"
                print(f"{row} | {seconds:.2f} | {found.stop.value} | {peak:.2f} |", flush=True)


if __name__ == "__main__":
    main()
